// Package crawlers contains data about known crawlers: their product tokens, the
// groups that they obey, their purposes and operator, and the sources of these facts.
//
//	r, ok := crawlers.ReadingOf("googlebot-image")
//	r.Tokens  // googlebot-image, Googlebot: the tokens to match, in order
//	r.Dialect // Google: how it reads files
//	r.Rules(r.Dialect.Parse(body)).Allowed(url)
//
// [ReadingOf] returns how a crawler reads files, known or not. For another parser,
// Crawler.Tokens and Crawler.Obeys say the same.
// [Find] looks up a product token, [Nearest] a misspelt one, and [FromUserAgent] a
// User-Agent header. [All] yields all crawlers, [Select] those with a purpose or of
// an operator, and [Claims] the texts that support the facts. [ProductToken] reads the token of any
// crawler, known or not, from a User-Agent header.
//
// # Reliability
//
// A field of an entry is Verified if a text of the crawler's operator says so; the
// passage is among its claims. The others come from public lists, or are common
// knowledge, and may be wrong or out of date. What no source says is [Unknown], which differs from
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
//go:generate go test -run TestJavaScriptReadings -update .
//go:generate go test -run TestCrawlersInDocs -update .
