package lint

import "github.com/kosterhq/robotstxt"

// What tests need to see of the inside.

// Contains reports whether all paths that inner matches are matched by outer.
func Contains(outer, inner string, wildcards bool) bool {
	o, i := newGlob(outer, wildcards), newGlob(inner, wildcards)
	return o.contains(i.words())
}

// Meets reports whether a path exists that both patterns match.
func Meets(a, b string, wildcards bool) bool {
	return newGlob(a, wildcards).meets(newGlob(b, wildcards))
}

// Weighing returns how the search takes a dialect to weigh rules.
func Weighing(d robotstxt.Dialect) (wildcards, firstMatch, indexRule bool) {
	w := weighings[d]
	return w.wildcards, w.firstMatch, w.indexRule
}

// Part is a part of a line as the document keeps it.
type Part struct {
	Text string
	At   int
}

// Parts returns key, value and comment of a line as a document keeps them.
func Parts(l robotstxt.Line) (key, value, comment Part) {
	kept := newLine(&l)
	return Part{string(kept.key()), kept.keyAt()}, Part{string(kept.value()), kept.valueAt()}, Part{string(kept.comment()), kept.commentAt()}
}

// CountLines returns how many lines a document makes room for.
func CountLines(body []byte) int { return countLines(body) }
