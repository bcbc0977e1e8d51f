package compare

import (
	"slices"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/semdiff"
)

// Crawler is a crawler to compare files for.
type Crawler struct {
	Name      string   // as the result shows it
	Tokens    []string // its product tokens, the preferred one first
	NamedOnly bool     // groups for "*" do not apply to it
}

// Any is the crawler that no group names. Its tokens are none.
const Any = "*"

// semdiff returns the crawler as package semdiff has it, to which "*" is a
// crawler without tokens.
func (c Crawler) semdiff() semdiff.Crawler {
	if len(c.Tokens) == 1 && c.Tokens[0] == Any {
		return semdiff.Crawler{NamedOnly: c.NamedOnly}
	}
	return semdiff.Crawler{Tokens: c.Tokens, NamedOnly: c.NamedOnly}
}

// Crawlers returns the crawlers for which two files can differ: one that no file
// names, called "*", and each one that a file names, with its documented
// fallbacks if it is a known one.
func Crawlers(files ...*robotstxt.Robots) (found []Crawler) {
	for _, c := range semdiff.Crawlers(files...) {
		found = append(found, documented(c))
	}
	return found
}

// documented returns a crawler as its operator documents it.
func documented(c semdiff.Crawler) Crawler {
	crawler := Crawler{Name: c.String(), Tokens: c.Tokens, NamedOnly: c.NamedOnly}
	if len(c.Tokens) != 1 {
		return crawler
	}
	if known, ok := crawlers.Find(c.Tokens[0]); ok {
		crawler.Tokens = append(slices.Clip(c.Tokens), known.Fallbacks...)
		crawler.NamedOnly = known.Obeys == crawlers.ObeysNamed
	}
	return crawler
}
