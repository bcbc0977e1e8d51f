package robotstxt

import (
	"cmp"
	"iter"
	"slices"
	"sync"

	"github.com/kosterhq/robotstxt/internal/pattern"
)

// weighted is a pattern of a rule, with the rule's weight.
type weighted struct {
	pattern pattern.Pattern
	weight  pattern.Weight
	folder  bool // pattern is the folder of an index page [G53]
}

// inFileOrder yields the patterns of the rules of r in file order. An Allow of an
// index page has two patterns; if both match, its own weighs more than the folder's.
func (r Rules) inFileOrder() iter.Seq[weighted] {
	return func(yield func(weighted) bool) {
		for group := range r.groups() {
			start, end := r.robots.ruleRange(group)
			for i := start; i < end; i++ {
				rule := r.robots.rule(i)
				p, allow, line := rule.pattern(), rule.allow(), int(rule.line)
				if !yield(weighted{p, pattern.Weigh(p.Priority(), allow, line), false}) {
					return
				}
				if p, ok := rule.folder(); ok && !yield(weighted{p, pattern.Weigh(p.Priority(), allow, line), true}) {
					return
				}
			}
		}
	}
}

// All yields the rules that apply to the crawler, strongest first. The first rule
// whose pattern matches a path decides. The path is allowed if no rule matches, or
// if the Length of the first one is 0 [G49–G54]. In Koster1996 the rules are in file
// order, because the first match decides.
//
// To match the patterns yourself, compare them with the path that
// Dialect.EncodePath returns; Dialect.Traits says whether they contain wildcards, and
// whether a slash after a star may match %2F.
//
// If the dialect has the index rule, All yields an Allow of an index page twice:
// with its own pattern, and later as a weaker rule with the pattern of its folder
// and Folder set [G53]. In RFC9309 the first rule is the implicit Allow of
// /robots.txt, with Line 0 [RFC 9309 2.2.2].
//
// AllowAll, DisallowAll and the zero Rules yield nothing; call Allowed for their
// verdict. All sorts each time it is iterated.
func (r Rules) All() iter.Seq[Rule] {
	return func(yield func(Rule) bool) {
		if r.robots == nil {
			return
		}
		reading := r.robots.dialect.reading()
		if reading.openRobots && !yield(Rule{Allow: true, Pattern: robotsPath + "$", Length: len(robotsPath) + 1}) {
			return
		}
		s := sortings.Get().(*sorting)
		defer s.free()
		s.rows = r.appendWeights(s.rows)
		if !reading.FirstMatch {
			slices.SortFunc(s.rows, func(a, b weightedRow) int { return cmp.Compare(b.weight, a.weight) })
		}
		for _, w := range s.rows {
			row := r.robots.rule(w.row)
			rule := Rule{Allow: w.weight.Allow(), Pattern: row.text, Length: w.weight.Priority(), Line: int(row.line)}
			if rule.Folder = w.folder; w.folder {
				folder, _ := row.folder()
				rule.Pattern = folder.String()
			}
			if !yield(rule) {
				return
			}
		}
	}
}

// weightedRow is a rule, or the folder of its index page, by which All sorts.
type weightedRow struct {
	weight pattern.Weight
	row    uint32 // of Robots.rules
	folder bool
}

// appendWeights is inFileOrder without the patterns, which are slow to sort.
func (r Rules) appendWeights(rows []weightedRow) []weightedRow {
	for group := range r.groups() {
		start, end := r.robots.ruleRange(group)
		rows = slices.Grow(rows, int(end-start))
		for i := start; i < end; i++ {
			rule := r.robots.rule(i)
			rows = append(rows, weightedRow{weight: rule.weight(), row: i})
			if p, ok := rule.folder(); ok {
				rows = append(rows, weightedRow{pattern.Weigh(p.Priority(), rule.allow(), int(rule.line)), i, true})
			}
		}
	}
	return rows
}

// sorting is memory of All, which is reused.
type sorting struct{ rows []weightedRow }

var sortings = sync.Pool{New: func() any { return new(sorting) }}

// maxKeptRows is the number of rules up to which memory of All is reused.
const maxKeptRows = 1 << 16

func (s *sorting) free() {
	if s.rows = s.rows[:0]; cap(s.rows) <= maxKeptRows {
		sortings.Put(s)
	}
}
