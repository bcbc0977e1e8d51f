package robotstxt

import (
	"sync/atomic"

	"github.com/kosterhq/robotstxt/internal/pattern"
)

// How many rules are looked at for one URL
//
// Few rules are tried one after the other, in file order. For many there is an
// index for the crawler's token, made once: a permutation of the rules beside
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

func (x *ruleIndex) heaviest(path *pattern.Path) pattern.Weight {
	return x.wildcards.heaviest(path, x.literals.heaviest(path.Text))
}

// fewRules is up to how many rules of one group are tried without an index: for
// ten rules that takes half as long, for thirty twice.
const fewRules = 24

// Rules are tried without an index until that was indexWork times the work of
// looking at each head once: about what making the index takes. Trying a pattern
// is tryWork times that. Each token has an index of its own, so that their number
// is bounded: for hundreds of tokens most have none.
const (
	indexWork  = 64
	tryWork    = 12
	maxIndexes = 8
)

// indexedRule is about what a rule takes up in an index, in bytes: a literal
// with its head, or a wildcard with its share of buckets and filter.
const indexedRule = 64

// indexCache has the index of each token with enough questions.
type indexCache struct {
	slots atomic.Pointer[[]indexSlot] // by Rules.start
	made  atomic.Int32
}

type indexSlot struct {
	work  atomic.Uint64 // of the questions so far
	index atomic.Pointer[ruleIndex]
}

// indexSlot returns the slot for r, whose groups exist.
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

// add counts the work of a question without an index. The question that reaches
// the threshold makes the index; others go on without until it is there. Beyond
// the threshold nothing is counted: there is an index, or there are too many.
func (s *indexSlot) add(r Rules, work uint64) {
	threshold := uint64(0)
	for group := range r.groups() {
		first, after := r.robots.ruleRange(group)
		threshold += indexWork * uint64(after-first)
	}
	if s.work.Load() >= threshold {
		return
	}
	if total := s.work.Add(work); total >= threshold && total-work < threshold && r.robots.indexes.made.Add(1) <= maxIndexes {
		s.index.Store(r.newIndex(int(threshold / indexWork)))
	}
}

// newIndex makes the index of the chosen groups, which hold n rules.
func (r Rules) newIndex(n int) *ruleIndex {
	literal, wild := make([]weighted, 0, n), make([]weighted, 0, n)
	for w := range r.inFileOrder() {
		if p, ok := w.pattern.WithoutRedundantEnd(); ok {
			w.pattern = p
		}
		if w.pattern.Wild {
			wild = append(wild, w)
		} else {
			literal = append(literal, w)
		}
	}
	return &ruleIndex{newLiterals(literal), newWildcards(wild)}
}
