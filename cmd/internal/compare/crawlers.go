package compare

import (
	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/answer"
	"github.com/kosterhq/robotstxt/semdiff"
)

// Any is the name of the crawler that no group names. It has no tokens.
const Any = "*"

// searched converts a crawler for package semdiff, where "*" is a crawler without
// tokens.
func searched(c answer.Crawler) semdiff.Crawler {
	if len(c.Tokens) == 1 && c.Tokens[0] == Any {
		return semdiff.Crawler{NamedOnly: c.NamedOnly}
	}
	return semdiff.Crawler{Tokens: c.Tokens, NamedOnly: c.NamedOnly}
}

// Crawlers returns the crawlers for which files can differ: "*", which no file names,
// and each one that a file names, with its documented fallbacks if it is known.
func Crawlers(files ...*robotstxt.Robots) (found []answer.Crawler) {
	found = ExactCrawlers(files...)
	for i, c := range found {
		found[i], _ = c.Documented()
	}
	return found
}

// ExactCrawlers is Crawlers without the documented fallbacks.
func ExactCrawlers(files ...*robotstxt.Robots) (found []answer.Crawler) {
	for _, c := range semdiff.Crawlers(files...) {
		found = append(found, answer.Crawler{Name: c.String(), Tokens: c.Tokens})
	}
	return found
}
