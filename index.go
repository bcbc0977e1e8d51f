package robotstxt

import (
	"sync/atomic"

	"github.com/kosterhq/robotstxt/internal/pattern"
)

// The index of a token with many rules
//
// A few rules are tried one after the other, in file order. For a token with many rules
// the engine makes an index once. It finds the heaviest rule that matches without trying
// the others.
//
//   - Literal patterns are a sorted table (literals.go). Consider the last pattern that
//     does not sort after the path: all patterns that the path begins with are prefixes of
//     it, and patterns are linked to their prefixes. So one binary search finds them all.
//   - Patterns with wildcards are grouped by four bytes that every matching path contains
//     (wildcards.go). For a path, the groups of all its texts of four bytes are tried,
//     each at most once.
//
// Both return the weight of a rule, by which rules decide. There is no index in dialects
// in which the first match decides.

type ruleIndex struct {
	literals  literalTable
	wildcards wildcardTable
}

// heaviest returns the weight of the heaviest rule that matches path, 0 if none does.
func (x *ruleIndex) heaviest(path string, m *pattern.Matcher) pattern.Weight {
	best := x.literals.heaviest(path)
	if len(x.wildcards.rules) > 0 {
		var t tries
		best = x.wildcards.heaviest(path, m, &t, best)
		t.extents.Free()
	}
	return best
}

// fewRules is the number of rules of one group up to which there is no index, unless
// fewWildcards of them have a star and no '$'. Trying ten literals takes half as long as a search
// in the index, trying thirty twice as long. Trying ten wildcards takes longer than the search,
// unless the last byte of the path rejects most of them.
const (
	fewRules     = 24
	fewWildcards = 9
)

// The unit of work is a comparison of one head; matching a pattern is tryWork of them. A
// token gets its index when the work of its queries is indexWork for each rule, which is
// about the time to make the index. maxIndexes bounds the memory of a file with hundreds
// of tokens, of which those with few rules get half.
const (
	indexWork  = 64
	tryWork    = 12
	maxIndexes = 8
)

// indexedRule is the approximate size of a rule in an index, in bytes: a literal with its
// head, or a wildcard with its share of the buckets and the filter.
const indexedRule = 64

type indexCache struct {
	slots atomic.Pointer[[]indexSlot] // by Rules.start
	made  atomic.Int32                // number of indexes
}

type indexSlot struct {
	work  atomic.Uint64 // of the queries so far
	index atomic.Pointer[ruleIndex]
}

// workOf returns the work of a query that compared the heads of rules and tried some of them.
func workOf(rules uint32, tried int) uint64 { return uint64(rules) + tryWork*uint64(tried) }

// index is for rules of a file.
func (r *Rules) index() *ruleIndex {
	slots := r.robots.indexes.slots.Load()
	if slots == nil || r.start >= r.end {
		return nil
	}
	return (*slots)[r.start].index.Load()
}

// indexSlot is for rules that have groups.
func (r Rules) indexSlot() *indexSlot {
	x := &r.robots.indexes
	slots := x.slots.Load()
	if slots == nil {
		made := make([]indexSlot, r.robots.tokens.rows)
		x.slots.CompareAndSwap(nil, &made)
		slots = x.slots.Load()
	}
	return &(*slots)[r.start]
}

// add adds the work of a query without an index. The query that reaches the threshold
// makes the index, unless there are too many. Other queries proceed without it until it is
// made.
func (s *indexSlot) add(r Rules, work uint64) {
	rules := 0
	for group := range r.groups() {
		first, after := r.robots.ruleRange(group)
		rules += int(after - first)
	}
	threshold := indexWork * uint64(rules)
	if s.work.Load() >= threshold {
		return
	}
	total := s.work.Add(work)
	most := int32(maxIndexes)
	if total < threshold || total-work >= threshold {
		return
	}
	if rules <= fewRules {
		wildcards := 0
		for group := range r.groups() {
			wildcards += r.robots.wildcards(r.robots.ruleRange(group))
		}
		most /= 2
		if wildcards < fewWildcards {
			return
		}
	}
	made := &r.robots.indexes.made
	if made.Load() < most && made.Add(1) <= most {
		s.index.Store(r.newIndex(rules))
	}
}

// wildcards returns how many of some rows of rules have a star and no '$'.
func (r *Robots) wildcards(first, after uint32) (n int) {
	for i := first; i < after; i++ {
		if r.rule(i).flags&(flagWild|flagAnchored) == flagWild {
			n++
		}
	}
	return n
}

func (r Rules) newIndex(n int) *ruleIndex {
	rules, literals := make([]weighted, 0, n), 0 // first those without wildcards
	for w := range r.inFileOrder() {
		if p, ok := w.pattern.WithoutRedundantEnd(); ok {
			w.pattern = p
		}
		rules = append(rules, w)
		if w.pattern.Wild {
			continue
		}
		if last := len(rules) - 1; literals < last {
			rules[literals], rules[last] = w, rules[literals]
		}
		literals++
	}
	x := &ruleIndex{literals: newLiterals(rules[:literals])}
	x.wildcards.fill(rules[literals:], r.robots.dialect.reading().QuerySlash)
	return x
}
