package crawlers

import (
	"bytes"
	_ "embed" // for the data
	"encoding/json"
	"iter"
	"maps"
	"slices"
	"sync"

	"github.com/kosterhq/robotstxt/internal/ascii"
)

//go:embed crawlers.json
var file []byte

// data is the file as it is decoded.
type data struct {
	Version  string    `json:"version"`
	Crawlers []Crawler `json:"crawlers"` // sorted by token
}

// known decodes the file when it is first needed. It cannot fail: a test decodes
// the very bytes.
var known = sync.OnceValue(func() (d data) {
	decoder := json.NewDecoder(bytes.NewReader(file))
	decoder.DisallowUnknownFields()
	if decoder.Decode(&d) != nil {
		return data{}
	}
	return d
})

// Version returns the version of the data, the date of their last change.
func Version() string { return known().Version }

// All yields all crawlers, sorted by token whatever its case. What it yields is
// the caller's own.
func All() iter.Seq[Crawler] {
	return func(yield func(Crawler) bool) {
		for i := range known().Crawlers {
			if !yield(known().Crawlers[i].clone()) {
				return
			}
		}
	}
}

// Find returns the crawler with that product token, whatever the case of its
// letters. The token is compared in full: a version behind it is not passed
// over.
func Find(token string) (Crawler, bool) {
	i, found := find(token)
	if !found {
		return Crawler{}, false
	}
	return known().Crawlers[i].clone(), true
}

// find returns where a token is among the crawlers, or where it would be.
func find(token string) (i int, found bool) {
	return slices.BinarySearchFunc(known().Crawlers, token, func(c Crawler, token string) int {
		return ascii.CompareFold(c.Token, token)
	})
}

// clone copies what callers could change in the data.
func (c Crawler) clone() Crawler {
	c.Fallbacks = slices.Clone(c.Fallbacks)
	c.Replacements = slices.Clone(c.Replacements)
	c.Extensions = maps.Clone(c.Extensions)
	c.ReverseDNS = slices.Clone(c.ReverseDNS)
	c.IPRanges = slices.Clone(c.IPRanges)
	c.Sources = slices.Clone(c.Sources)
	return c
}
