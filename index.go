package robotstxt

import (
	"sync/atomic"

	"github.com/kosterhq/robotstxt/internal/pattern"
)

// How many rules are looked at for one URL
//
// Few rules are tried one after the other, in file order. For many there is an
// index, made once for the agents that ask: a permutation of the rules beside
// them that finds the one that weighs most without trying the rest.
//
//   - Literal patterns are a sorted table (literals.go). The patterns that a
//     path begins with are the last one not above the path and its prefixes,
//     which are linked; so one binary search answers for all of them.
//   - Patterns with wildcards are kept by a four-byte text that every path they
//     match must hold (wildcards.go). A walk along the path meets the few that
//     come into question, and tries each at most once.
//
// Both speak in weights, the order in which rules decide; the heaviest wins.
// Koster's dialect has no index: there the first match decides.

// ruleIndex is the heaviest-rule search over one crawler's groups. It does not
// change once made.
type ruleIndex struct {
	literals  literalTable
	wildcards wildcardTable
}

func (x *ruleIndex) heaviest(path string) pattern.Weight {
	return x.wildcards.heaviest(path, x.literals.heaviest(path))
}

// An index costs about as much as a hundred questions without it, and saves
// nothing where rules are few. Each token has one of its own, so that their
// number is bounded: who asks for hundreds of tokens asks without.
const (
	indexFromRules     = 8
	indexFromQuestions = 64
	maxIndexes         = 8
)

// indexedRule is about what a rule takes up in an index, in bytes: a literal
// with its head, or a wildcard with its share of buckets and filter.
const indexedRule = 64

// indexCache has the index of each token that was queried often enough.
type indexCache struct {
	slots atomic.Pointer[[]indexSlot] // by Rules.start
	made  atomic.Int32
}

type indexSlot struct {
	questions atomic.Uint32
	index     atomic.Pointer[ruleIndex]
}

// index returns the index for r, or nil if there is none (yet). The question
// that reaches the threshold makes it; others go on without until it is there.
func (r Rules) index() *ruleIndex {
	robots := r.robots
	if robots.rules.rows < indexFromRules || !r.chosen() || robots.dialect.reading().FirstMatch {
		return nil
	}
	slots := robots.indexes.slots.Load()
	if slots == nil {
		made := make([]indexSlot, robots.tokens.rows)
		robots.indexes.slots.CompareAndSwap(nil, &made)
		slots = robots.indexes.slots.Load()
	}
	slot := &(*slots)[r.start]
	if x := slot.index.Load(); x != nil {
		return x
	}
	// Beyond the threshold nobody counts: there is an index, or none is worth it.
	if slot.questions.Load() < indexFromQuestions && slot.questions.Add(1) == indexFromQuestions {
		n := 0
		for group := range r.groups() {
			start, end := robots.ruleRange(group)
			n += int(end - start)
		}
		if n >= indexFromRules && robots.indexes.made.Add(1) <= maxIndexes {
			x := r.newIndex(n)
			slot.index.Store(x)
			return x
		}
	}
	return nil
}

// newIndex makes the index of the chosen groups, which hold n rules.
func (r Rules) newIndex(n int) *ruleIndex {
	literal, wild := make([]weighted, 0, n), make([]weighted, 0, n)
	for w := range r.inFileOrder() {
		if w.pattern.Wild {
			wild = append(wild, w)
		} else {
			literal = append(literal, w)
		}
	}
	return &ruleIndex{newLiterals(literal), newWildcards(wild)}
}
