// Package crawlers contains data about known crawlers: their product tokens, the
// groups that they obey, their purpose and operator, and the sources of these facts.
// It works with any robots.txt parser.
//
//	c, ok := crawlers.Find("googlebot-image")
//	c.Tokens() // Googlebot-Image, Googlebot: the tokens to match, in order
//	c.Obeys    // ObeysAll: the groups with its token, or else those for "*"
//
// [Find] looks up a product token, [Nearest] a misspelt one, and [FromUserAgent] a
// User-Agent header. [All] yields all crawlers. [ProductToken] reads the token of any
// crawler, known or not, from a User-Agent header.
//
// # Reliability
//
// An entry is Verified if its facts come from texts of the crawler's operator, which
// are among its Sources. Other entries are common knowledge and may be wrong or out
// of date. The data omit what no source says, so unknown differs from no: see
// [Answer] and [ObeysUnknown]. The data repeat what operators say about their
// crawlers, without checking it.
//
// Any client can send any User-Agent header. ReverseDNS and IPRanges contain the
// ways in which an operator lets sites verify its crawler.
//
// The data are in crawlers.json, with one fact a line, so that changes are easy to
// review. Tests check its form and its consistency, and docs/crawlers.md, which is
// generated from it.
package crawlers

//go:generate go test -run TestDataIsFormatted -update .
//go:generate go test -run TestCrawlersInDocs -update .
