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

// data is the decoded file.
type data struct {
	Version  string    `json:"version"`
	Crawlers []Crawler `json:"crawlers"` // sorted by token
}

// known decodes the file on first use. It cannot fail, because a test decodes the same
// bytes.
var known = sync.OnceValue(func() (d data) {
	decoder := json.NewDecoder(bytes.NewReader(file))
	decoder.DisallowUnknownFields()
	if decoder.Decode(&d) != nil {
		return data{}
	}
	return d
})

// Version returns the version of the data: the date of the last change.
func Version() string { return known().Version }

// All yields all crawlers, sorted by token without regard to case. The caller may
// change them.
func All() iter.Seq[Crawler] {
	return func(yield func(Crawler) bool) {
		for i := range known().Crawlers {
			if !yield(known().Crawlers[i].clone()) {
				return
			}
		}
	}
}

// Find returns the crawler with the given product token, ignoring case. It compares
// the whole text, so a token with a version is not found.
func Find(token string) (Crawler, bool) {
	i, found := find(token)
	if !found {
		return Crawler{}, false
	}
	return known().Crawlers[i].clone(), true
}

// find returns the index of a token among the crawlers, or the index at which it would
// be inserted.
func find(token string) (i int, found bool) {
	return slices.BinarySearchFunc(known().Crawlers, token, func(c Crawler, token string) int {
		return ascii.CompareFold(c.Token, token)
	})
}

// clone copies the slices and maps, so that callers cannot change the data.
func (c Crawler) clone() Crawler {
	c.Purposes = slices.Clone(c.Purposes)
	c.Fallbacks = slices.Clone(c.Fallbacks)
	c.Replacements = slices.Clone(c.Replacements)
	c.Extensions = maps.Clone(c.Extensions)
	c.ReverseDNS = slices.Clone(c.ReverseDNS)
	c.IPRanges = slices.Clone(c.IPRanges)
	c.Sources = slices.Clone(c.Sources)
	return c
}
