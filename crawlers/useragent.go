package crawlers

import (
	"github.com/kosterhq/robotstxt/internal/agentheader"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

// ProductToken returns the product token in a User-Agent header, without its version.
// The crawler need not be known. The token is the product after "compatible;" in
// "Mozilla/5.0 (compatible; FooBot/1.0; +https://foo.example)", or the product next to
// an address in a comment after "Mozilla/5.0 …", or else the first product. ok is
// false if header contains no product, for example only addresses. [RFC 9110 10.1.5]
//
// Not every such token is valid in a user-agent line: "Yahoo!" and "Foo2Bot" are not
// valid in every dialect. If fetch.Config.Agents is empty, package fetch uses
// ProductToken of fetch.Config.UserAgent.
func ProductToken(header string) (token string, ok bool) { return agentheader.Product(header) }

// FromUserAgent returns the known crawler whose token is a word of a User-Agent header.
// If there are several, it returns the one with the longest token, and of equally long
// ones the first. Words in a URL do not count: there is no crawler in
// "+https://foo.example/googlebot". ok is false if there is none.
//
// Clients can send any header, so the result is a claim, not a proof.
func FromUserAgent(header string) (c Crawler, ok bool) {
	var longest *Crawler
	crawlers := known().Crawlers
	for at := range len(header) {
		if !agentheader.BeginsWord(header, at) {
			continue
		}
		// Tokens with the same first letter are adjacent.
		i, _ := find(header[at : at+1])
		for ; i < len(crawlers) && ascii.Lower(crawlers[i].Token[0]) == ascii.Lower(header[at]); i++ {
			token := crawlers[i].Token
			if (longest == nil || len(token) > len(longest.Token)) &&
				ascii.HasPrefixFold(header[at:], token) && agentheader.EndsWord(header, at+len(token)) {
				longest = &crawlers[i]
			}
		}
	}
	if longest == nil {
		return Crawler{}, false
	}
	return longest.clone(), true
}
