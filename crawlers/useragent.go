package crawlers

import (
	"github.com/kosterhq/robotstxt/internal/agentheader"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

// ProductToken returns the product token in a User-Agent header, whether or not
// its crawler is known: the product after "compatible;" in
// "Mozilla/5.0 (compatible; FooBot/1.0; +https://foo.example)", the one beside an
// address in a comment after "Mozilla/5.0 …", else the first product; without
// its version. ok is false if header contains no product, only addresses for
// instance (RFC 9110 10.1.5).
//
// The token is what the header says, which is not always a token that a group can
// name: "Yahoo!" and "Foo2Bot" are not in every dialect. It is the token that
// fetch.Config.UserAgent obeys where fetch.Config.Agents is empty.
func ProductToken(header string) (token string, ok bool) { return agentheader.Product(header) }

// FromUserAgent returns the known crawler that a User-Agent header names: of the
// known tokens that are a word of the header, the longest, and of equally long
// ones the first. A word is not part of a URL: "+https://foo.example/googlebot"
// names no crawler. ok is false if there is none.
//
// Clients can send any header, so it is a claim and no proof.
func FromUserAgent(header string) (c Crawler, ok bool) {
	var longest *Crawler
	crawlers := known().Crawlers
	for at := range len(header) {
		if !agentheader.BeginsWord(header, at) {
			continue
		}
		// Those with the same first letter are neighbours.
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
