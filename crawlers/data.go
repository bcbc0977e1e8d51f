package crawlers

import (
	"iter"
	"slices"

	"github.com/kosterhq/robotstxt/internal/ascii"
)

// row is a crawler as rows.go contains it. The compiler lays it out as data: a map
// would be built when the program starts, even if it is not used.
type row struct {
	Crawler
	extensions []extension
}

type extension struct {
	key    string
	answer Answer
}

type name struct {
	text    string // a token or an alias
	row     uint16 // the index of the crawler
	letters uint32 // see lettersOf
}

// Version returns the version of the data: the date of the last change.
func Version() string { return version }

// All yields all crawlers, sorted by token without regard to case. The caller can
// change them.
func All() iter.Seq[Crawler] {
	return func(yield func(Crawler) bool) {
		for i := range rows {
			if !yield(crawler(i)) {
				return
			}
		}
	}
}

// Find returns the crawler with the given product token or alias, ignoring case. It
// compares the whole text, so a token with a version is not found.
func Find(token string) (Crawler, bool) {
	i, found := rowOf(token)
	if !found {
		return Crawler{}, false
	}
	return crawler(i), true
}

func rowOf(token string) (i int, found bool) {
	at, found := find(token)
	if !found {
		return 0, false
	}
	return int(names[at].row), true
}

// find returns the index of a token or alias among the names, or the index at which it
// would be inserted.
func find(token string) (i int, found bool) {
	return slices.BinarySearchFunc(names[:], token, func(n name, token string) int {
		return ascii.CompareFold(n.text, token)
	})
}

// crawler returns a copy of a row, so that callers cannot change the data.
func crawler(i int) Crawler {
	c := rows[i].Crawler
	c.Aliases = cloned(c.Aliases)
	c.Purposes = cloned(c.Purposes)
	c.Fallbacks = cloned(c.Fallbacks)
	c.Replacements = cloned(c.Replacements)
	c.Extensions = make(map[string]Answer, len(rows[i].extensions))
	for _, e := range rows[i].extensions {
		c.Extensions[e.key] = e.answer
	}
	c.ReverseDNS = cloned(c.ReverseDNS)
	c.IPRanges = cloned(c.IPRanges)
	c.Verified = cloned(c.Verified)
	return c
}

// Claims returns the texts that support the facts about the crawler with the given
// token or alias, or none if there is no such crawler. The caller can change them.
func Claims(token string) []Claim {
	i, found := rowOf(token)
	if !found {
		return nil
	}
	// The claims are larger than all other facts, so they are in a separate table,
	// which is linked only into programs that call Claims.
	copied := cloned(claims[i])
	for i := range copied {
		copied[i].Fields = cloned(copied[i].Fields)
	}
	return copied
}

// cloned copies a list. The copy is not nil, so that JSON has [] for an empty one.
func cloned[T any](list []T) []T { return append([]T{}, list...) }
