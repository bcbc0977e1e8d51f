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

// FromUserAgent returns the known crawler whose token or alias is a word of a User-Agent
// header. If there are several, it returns the one with the longest word, and of equally
// long ones the first. Words in a URL do not count: there is no crawler in
// "+https://foo.example/googlebot". ok is false if there is none.
//
// Clients can send any header, so the result is a claim, not a proof.
func FromUserAgent(header string) (c Crawler, ok bool) {
	longest, length := 0, 0
	for at := range len(header) {
		if !agentheader.BeginsWord(header, at) {
			continue
		}
		// Names with the same first letter are adjacent.
		i, _ := find(header[at : at+1])
		for ; i < len(names) && ascii.Lower(names[i].text[0]) == ascii.Lower(header[at]); i++ {
			text := names[i].text
			if len(text) > length && ascii.HasPrefixFold(header[at:], text) && agentheader.EndsWord(header, at+len(text)) {
				longest, length = int(names[i].row), len(text)
			}
		}
	}
	if length == 0 {
		return Crawler{}, false
	}
	return crawler(longest), true
}
