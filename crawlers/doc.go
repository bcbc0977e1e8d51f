// Package crawlers contains data about known crawlers: their product tokens, the
// groups that they obey, their purposes and operator, and the sources of these facts.
//
//	r, ok := crawlers.ReadingOf("googlebot-image")
//	r.Tokens  // googlebot-image, Googlebot: the tokens to match, in order
//	r.Dialect // Google: how it reads files
//	r.Rules(r.Dialect.Parse(body)).Allowed(url)
//
// [ReadingOf] returns how a known or unknown crawler reads files. If you use another
// parser, Crawler.Tokens and Crawler.Obeys contain the same facts. [Sender] reads the
// product token of a known or unknown crawler from a User-Agent header. [Find] looks up a
// product token, and [Meant] a name that no crawler has. [All] yields all crawlers,
// [Select] those with a purpose or of an operator, and [Claims] the texts that support the
// facts.
//
// # Reliability
//
// A field of an entry is Verified if a text of the crawler's operator states it; the passage is
// among its claims. Other fields come from public lists, or are common knowledge, and can be wrong
// or out of date. A field that no source states is [Unknown], which differs from no. The data
// repeat the statements of operators about their crawlers, without checking them. Many claims were
// read in copies of the texts.
//
// Any client can send any User-Agent header. ReverseDNS and IPRanges contain the
// ways in which an operator lets sites verify its crawler.
//
// # The data
//
// The data are in crawlers.json, with one fact a line, so that changes are easy to
// review; crawlers.schema.json describes them for other programs. rows.go,
// vocabulary.go and docs/crawlers.md are generated from crawlers.json, and tests compare
// them. vocabulary.go also has the other words of User-Agent headers, from words.txt, and
// brands.go the names of companies and products, from brands.tsv. A program links the
// rows, which need no decoding, and the claims only if it calls Claims.
package crawlers

//go:generate go test -run TestDataIsFormatted -update .
//go:generate go test -run "TestRows$|TestVocabulary$|TestBrands$" -update .
//go:generate go test -run "TestJavaScript|TestPython" -update .
//go:generate go test -run TestCrawlersInDocs -update .
