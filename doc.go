// Package robotstxt decides what a robots.txt file says: whether a crawler may
// fetch a URL, which line decides, and why. It reads exactly as Google's
// open-source parser does, byte for byte, or as RFC 9309 says, or as Martijn
// Koster wrote in 1996.
//
//	robots := robotstxt.Parse(body)
//	rules := robots.Rules("Googlebot-News", "Googlebot")
//	rules.Allowed("https://example.com/private/page") // a bool, in nanoseconds
//	rules.Explain("https://example.com/private/page") // a Decision, with its grounds
//
// # Terms
//
// A body is the bytes of a robots.txt file. Its lines are directives such as
// "User-agent: FooBot", where the key is "User-agent" and the value "FooBot".
// One or more user-agent lines with the rules under them make a group. A rule
// is an Allow or Disallow line; its value is a path pattern, in which '*'
// stands for any bytes and a final '$' for the end of the path. A product
// token, "FooBot", is the name by which a group and a crawler find each other.
//
// # Ways to ask
//
// [Allowed] answers one question about a body without keeping anything.
// [Parse] makes a [Robots], which is small, immutable and safe for concurrent
// use; its [Robots.Rules] is the file as one crawler sees it and answers any
// number of questions. [Lines] is the body line by line, lossless, for tools
// that must show or change it. [ReadBody] reads a body with the limit of 500
// KiB that RFC 9309 2.5 asks for; the engine itself has no limit.
//
// Tokens are asked for as an ordered fallback, the most specific first. They
// are compared in full; give "Googlebot", not a User-Agent header.
//
// URLs are compared as they are. Pass those that may not be percent-encoded
// yet through [EncodeURL] first.
//
// # Dialects
//
// [Google], the default, is what most of the web is written for. [RFC9309]
// compares rule and URL in one canonical encoding, so that /%7Ejoe is /~joe,
// and lets tokens hold digits. [Koster1996] knows no wildcards, ends records at
// blank lines, and takes the first rule that matches instead of the longest.
//
// # What hostile input can do
//
// Nothing fails, and nothing explodes: every body parses, in time linear in its
// size; a match takes time linear in rules and URL, whatever the wildcards; no
// line counts beyond its first 16,663 bytes. What comes from a body or URL is
// quoted in Decision.String, but raw everywhere else: escape it before you
// print it.
//
// # Clauses
//
// Comments cite their grounds: G1 to G69 are the numbered behaviours of
// Google's parser, "RFC 9309 2.2.1" and "Koster 3.2.2" are sections of those
// texts, "Page" is Google's documentation. docs/spec.md maps each to the code
// and to the test that holds it.
package robotstxt
