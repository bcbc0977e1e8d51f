// Package permission decides what may be done with a URL: whether a crawler may fetch it, and
// what the page may be used for. It reads every signal that a site gives: robots.txt, the
// lines of the response, elements of the page, tdmrep.json and RSL documents.
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
// Decide is a pure function of the caller's sources. It opens no connection. Sources that the
// caller does not have are in Answer.Missing. They could still refuse a use that others
// allow, so the answer is then provisional. Sources.Licenses names the documents that a
// question needs.
//
// # Verdicts
//
// A purpose is allowed, disallowed, reserved or unknown. Reserved means that you must ask the
// owner: a license is needed, or the rights of text and data mining are reserved. If the
// signals contradict each other, the strictest decides, in this order: disallowed, reserved,
// allowed. Without a signal the verdict is unknown. It is never allowed by default, with one
// exception: fetching is allowed unless robots.txt disallows it [RFC 9309 2.2.2]. A limit
// restricts a use without refusing it: max-snippet:50 is a reason, but does not change the
// verdict for search.
//
// The purposes are Fetch, Mining and the purposes of package crawlers. For Fetch, and for
// purposes other than search, ai-search, ai-training and Mining, only the rules of robots.txt
// decide.
//
// # Rules and uses
//
// A Disallow for a token refuses all purposes of the token, and no others: for GPTBot it refuses
// training, and for Google-Extended training and the answers of Gemini, but not Google Search.
// UseOf returns the token that decides, and Answer.Kind is the reason. To permit a use, the token's
// own group must have a line that allows the URL. A group for "*" does not permit a use, and
// neither does a group that only closes other URLs.
//
// If robots.txt disallows the URL for a crawler, the crawler never sees the response and its page,
// so their signals have no effect, whatever their source. They are in Answer.Findings, and the
// answer is provisional if they would make it stricter.
//
// If no specification decides, the answer is our reading, and Reason.Reading is true. The
// package reports the statements of sites. It is not legal advice.
//
// # Hostile input
//
// Every input is read in time linear in its size, up to limits: 64 KiB of each response field,
// 1,000 lines with one key of robots.txt, 1 MiB of a document, 10,000 entries of a tdmrep.json or
// an RSL document, 32 levels of elements, 16 RSL documents. Anything past a limit counts as
// missing, not as allowed. Texts of sites are returned unchanged, so escape them before printing.
//
// # Sources
//
// Clauses are cited in brackets, as in package robotstxt. The versions that were read are in
// Reason.Version. docs/permission.md describes the rules of each source with examples.
package permission
