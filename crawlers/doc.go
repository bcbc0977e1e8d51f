// Package crawlers knows the crawlers that robots.txt files name: which product
// tokens each answers to, whether it obeys groups for "*", what it is for, who
// runs it, and which source says so. It is data with a few ways to look things
// up, knows no parser, and serves any.
//
//	c, ok := crawlers.Find("googlebot-image")
//	c.Tokens() // Googlebot-Image, Googlebot: what to ask a robots.txt for, in order
//	c.Obeys    // ObeysAll: groups that name it, else those for "*"
//
// # What the data are worth
//
// An entry is Verified if its facts were read in a text of the crawler's own
// operator, which its Sources name. Others are generally known, and may be
// wrong or out of date. What no source says is left out, so an unknown answer
// differs from a no: see [Answer] and [ObeysUnknown]. Operators describe what
// their crawlers do; the data repeat it and do not judge whether it is true.
//
// A User-Agent header, and so a name, can be claimed by anyone. ReverseDNS and
// IPRanges are how an operator lets one tell.
//
// The data are a file of their own, crawlers.json, in JSON with one fact a line:
// a changed fact is a changed line, every language can read it, and a strict
// decoder refuses a misspelt field. Tests hold its form and its sense, and
// docs/crawlers.md, which is made from it.
package crawlers

//go:generate go test -run TestForm -update .
//go:generate go test -run TestCrawlersInDocs -update .
