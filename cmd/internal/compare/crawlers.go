package compare

import (
	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/answer"
	"github.com/kosterhq/robotstxt/semdiff"
)

// Any is the name of the crawler that no group names. Its tokens are none.
const Any = "*"

// searched returns a crawler as package semdiff has it, to which "*" is a crawler
// without tokens.
func searched(c answer.Crawler) semdiff.Crawler {
	if len(c.Tokens) == 1 && c.Tokens[0] == Any {
		return semdiff.Crawler{NamedOnly: c.NamedOnly}
	}
	return semdiff.Crawler{Tokens: c.Tokens, NamedOnly: c.NamedOnly}
}

// Crawlers returns the crawlers for which two files can differ: one that no file
// names, called "*", and each one that a file names, with its documented
// fallbacks if it is a known one.
func Crawlers(files ...*robotstxt.Robots) (found []answer.Crawler) {
	for _, c := range semdiff.Crawlers(files...) {
		crawler, _ := answer.Crawler{Name: c.String(), Tokens: c.Tokens, NamedOnly: c.NamedOnly}.Documented()
		found = append(found, crawler)
	}
	return found
}
