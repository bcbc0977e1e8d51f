package fix

import (
	"cmp"
	"slices"
	"sort"

	"github.com/kosterhq/robotstxt/lint"
)

// claims are edits that do not overlap, in the order of the file.
type claims struct{ edits []lint.Edit }

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

// search returns the index of the first edit that does not come before e. An insertion comes before
// another edit at its offset.
func (c *claims) search(e lint.Edit) int {
	return sort.Search(len(c.edits), func(i int) bool {
		return cmp.Or(cmp.Compare(c.edits[i].Start, e.Start), cmp.Compare(c.edits[i].End, e.End)) >= 0
	})
}

// free reports whether an edit overlaps none. Two insertions at one offset overlap,
// because their order is undefined. Equal edits do not, because they are made once.
func (c *claims) free(e lint.Edit) bool {
	i := c.search(e)
	if i > 0 && c.edits[i-1].End > e.Start {
		return false
	}
	return i == len(c.edits) || c.edits[i] == e || c.edits[i].Start >= e.End && c.edits[i].End > e.Start
}
