package mend

import (
	"slices"
	"sort"

	"github.com/kosterhq/robotstxt/lint"
)

// claims are edits that have been taken, sorted by their place, none in the way
// of another.
type claims struct{ edits []lint.Edit }

// add takes a set of edits, unless one is in the way of one taken before: then
// none is.
func (c *claims) add(edits []lint.Edit) bool {
	for _, e := range edits {
		if !c.free(e) {
			return false
		}
	}
	for _, e := range edits {
		if i := c.search(e); i == len(c.edits) || c.edits[i] != e {
			c.edits = slices.Insert(c.edits, i, e)
		}
	}
	return true
}

// search returns the place of the first edit that starts where e does, or behind.
// Findings come in the order of the body, so it is mostly the end.
func (c *claims) search(e lint.Edit) int {
	if n := len(c.edits); n == 0 || c.edits[n-1].Start < e.Start {
		return n
	}
	return sort.Search(len(c.edits), func(i int) bool { return c.edits[i].Start >= e.Start })
}

// free reports whether an edit is in nobody's way. Two texts put in at one place
// are in each other's, as their order would be chance; the same edit is not, as
// it is made once.
func (c *claims) free(e lint.Edit) bool {
	i := c.search(e)
	if i > 0 && c.edits[i-1].End > e.Start {
		return false
	}
	return i == len(c.edits) || c.edits[i] == e || c.edits[i].Start >= e.End && c.edits[i].Start > e.Start
}
