// Package crawlers contains data about known crawlers: their product tokens, the
// groups that they obey, their purposes and operator, and the sources of these facts.
// It works with any robots.txt parser.
//
//	c, ok := crawlers.Find("googlebot-image")
//	c.Tokens() // Googlebot-Image, Googlebot: the tokens to match, in order
//	c.Obeys    // ObeysAll: the groups with its token, or else those for "*"
//
// [Find] looks up a product token, [Nearest] a misspelt one, and [FromUserAgent] a
// User-Agent header. [All] yields all crawlers, [Select] those with a purpose or of
// an operator, and [Claims] the texts that support the facts. [ProductToken] reads the token of any
// crawler, known or not, from a User-Agent header.
//
// # Reliability
//
// An entry is Verified if its facts come from texts of the crawler's operator, which
// are among its claims. Other entries come from public lists, or are common knowledge,
// and may be wrong or out of date. What no source says is [Unknown], which differs from
// no. The data repeat what operators say about their crawlers, without checking it.
// Many claims were read in copies of the texts.
//
// Any client can send any User-Agent header. ReverseDNS and IPRanges contain the
// ways in which an operator lets sites verify its crawler.
//
// # The data
//
// The data are in crawlers.json, with one fact a line, so that changes are easy to
// review; crawlers.schema.json describes them for other programs. rows.go and
// docs/crawlers.md are generated from crawlers.json, and tests compare them. A program
// links the rows, which need no decoding, and the claims only if it calls Claims.
package crawlers

//go:generate go test -run TestDataIsFormatted -update .
//go:generate go test -run TestRows$ -update .
//go:generate go test -run TestCrawlersInDocs -update .
