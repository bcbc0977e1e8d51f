// Package robotstxt parses robots.txt files. It decides whether a crawler may fetch
// a URL, which line of the file decides, and why. By default it follows Google's
// open-source parser, or, if you choose, RFC 9309 or Martijn Koster's 1996 draft.
//
//	robots := robotstxt.Parse(body)
//	rules := robots.Rules("Googlebot-News", "Googlebot")
//	rules.Allowed("https://example.com/private/page") // true or false
//	rules.Explain("https://example.com/private/page") // a Decision, with its reasons
//
// # Terms
//
// A body is the bytes of a robots.txt file. Its lines are directives such as
// "User-agent: FooBot", where the key is "User-agent" and the value "FooBot".
// A group is one or more user-agent lines and the rules after them. A rule is an
// Allow or Disallow line. Its value is a path pattern, in which '*' matches any
// bytes and a final '$' matches the end of the path. A product token, such as
// "FooBot", is the name of a crawler in user-agent lines.
//
// # Functions
//
// [Allowed] answers one query about a body and keeps nothing in memory.
//
// [Parse] returns a [Robots], which is small, immutable and safe for concurrent
// use. [Robots.Rules] selects the groups that apply to one crawler; the result
// answers any number of queries.
//
// [Lines] yields the lines of a body without loss, for tools that show or change
// it. [ReadBody] reads a body of at most 500 KiB, the limit that RFC 9309 2.5
// recommends; the other functions have no limit.
//
// A crawler can have several product tokens, such as Googlebot-News and Googlebot.
// Pass them in order, the most specific first: the first one that is in the file
// selects the groups. Tokens are compared in full, so pass "Googlebot" and not a
// User-Agent header.
//
// URLs are compared as they are. If a URL might not be percent-encoded, call
// [EncodeURL] first.
//
// # Dialects
//
// [Google] is the default, and most files are written for it. [RFC9309] compares
// rule and URL in one canonical encoding, so that /%7Ejoe equals /~joe, and allows
// digits in tokens. In [Koster1996] there are no wildcards, records end at blank
// lines, and the first matching rule decides instead of the longest.
//
// # Hostile input
//
// Every body parses, in time linear in its size. Matching a rule takes time linear
// in the pattern and the URL, however many wildcards there are. Only the first
// 16,663 bytes of a line are read. Decision.String quotes text from the body or the
// URL; every other function returns it unchanged, so escape it before printing.
//
// # Clauses
//
// Comments cite clauses in brackets. G1 to G69 are the numbered behaviours of
// Google's parser, "RFC 9309 2.2.1" and "Koster 3.2.2" are sections of those
// specifications, and "Page" is Google's documentation. docs/spec.md lists the code and the
// tests for each clause.
package robotstxt
