package crawlers

import "strings"

// FromUserAgent returns the crawler that a User-Agent header speaks of: of the
// known tokens that stand in it as a word of their own, the longest, and of
// equally long ones the first. A word does not stand in a URL, so that
// "+https://foo.example/googlebot" names no one. ok is false if there is none.
//
// Anyone can send any header: it tells what a client says it is.
func FromUserAgent(header string) (c Crawler, ok bool) {
	var longest *Crawler
	crawlers := known().Crawlers
	for at := range len(header) {
		if !startsWord(header, at) {
			continue
		}
		// Those with the same first letter are neighbours.
		i, _ := find(header[at : at+1])
		for ; i < len(crawlers) && lower(crawlers[i].Token[0]) == lower(header[at]); i++ {
			if c := &crawlers[i]; (longest == nil || len(c.Token) > len(longest.Token)) && isWord(header[at:], c.Token) {
				longest = c
			}
		}
	}
	if longest == nil {
		return Crawler{}, false
	}
	return longest.clone(), true
}

// startsWord reports whether a product may begin at i: at the start, or behind
// what parts products and comments (RFC 9110 10.1.5). A slash, a dot or an @
// does not, which keeps URLs and addresses out.
func startsWord(header string, i int) bool {
	return i == 0 || strings.IndexByte(" \t(;,+", header[i-1]) >= 0
}

// isWord reports whether header begins with token, and the word ends with it:
// at the end, before its version, or before what parts products and comments.
func isWord(header, token string) bool {
	return len(header) >= len(token) && compareFold(header[:len(token)], token) == 0 &&
		(len(header) == len(token) || strings.IndexByte(" \t();,/+", header[len(token)]) >= 0)
}
