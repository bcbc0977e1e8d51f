// Package permission says what may be done with a URL: whether a crawler may fetch it, and
// what the page may be used for. It reads the answer from every signal that a site gives:
// robots.txt, the lines of the response, elements of the page, tdmrep.json and RSL documents.
//
//	question := permission.Ask("https://example.com/a", "GPTBot")
//	sources := permission.Sources{
//		Robots: permission.NewRobots("https://example.com/robots.txt", body),
//		Header: response.Header,
//	}
//	for _, answer := range permission.Decide(question, &sources) {
//		fmt.Println(answer.Purpose, answer.Verdict, answer.Reasons)
//	}
//
// Decide is a pure function of what the caller has. It opens no connection. What the caller
// does not have is in Answer.Missing: such a source could still refuse what others allow, so
// the answer is then provisional. Sources.Licenses names the documents that a question needs.
//
// # Verdicts
//
// A purpose is allowed, disallowed, reserved or unknown. Reserved means that the owner wants
// to be asked: a license is needed, or the rights of text and data mining are reserved. If the
// signals contradict each other, the strictest decides, in this order: disallowed, reserved,
// allowed. Without a signal the verdict is unknown. It is never allowed by default, with one
// exception: fetching is allowed unless robots.txt disallows it [RFC 9309 2.2.2]. A limit, for
// example on the length of snippets, is a reason that changes no verdict.
//
// The purposes are Fetch, Mining and those of package crawlers. No signal is about ai-fetch and
// the purposes other than search, ai-search and ai-training: they are as Fetch.
//
// What the response and its page say to a crawler that robots.txt keeps away from the URL does not
// count, of any source. It is in Answer.Findings, and the answer is provisional if it would
// be stricter.
//
// Where no text decides, the answer is our reading, and Reason.Reading is true. The package
// reports what sites say. It gives no legal advice.
//
// # Hostile input
//
// Every input is read in time linear in its size, up to limits: 64 KiB of each response field,
// 1,000 lines with one key of robots.txt, 1 MiB of a document, 10,000 entries of a tdmrep.json or
// an RSL document, 32 levels of elements, 16 RSL documents. What is beyond a limit is missing, not allowed. Texts of sites are returned
// unchanged, so escape them before printing.
//
// # Sources
//
// Clauses are cited in brackets, as in package robotstxt. The versions that were read are in
// Reason.Version. docs/permission.md has the rules of each source with examples.
package permission
