package semdiff

import (
	"slices"
	"sort"
)

type change struct {
	claims   [2][]claim // by side: claims that the other side lacks or has in a different place
	rest     bool       // the verdicts for paths without a matching claim differ
	ordered  bool       // the claims of both sides are in the same order
	possible [2]bool    // by goal: false if no path can reach it
}

// change compares the sides claim by claim.
//
// The verdicts for a path differ only if a claim that decides it on one side is missing
// on the other side or is in a different place there. Otherwise both sides would have both
// deciding claims in the same order, and the stronger claim would decide on both. So a path
// opens only if such a claim disallows in old or allows in new.
func (s *solver) change(sides *[2]claims) change {
	c := change{rest: sides[0].rest != sides[1].rest}
	common := [2][]claim{}
	for side := range sides {
		p := s.patterns
		p.forget()
		for i, claim := range sides[1-side].list {
			p.note(claim.pattern, i)
		}
		for _, claim := range sides[side].list {
			if p.noted(claim.pattern) && sides[1-side].list[p.noteOf(claim.pattern)].allow == claim.allow {
				common[side] = append(common[side], claim)
			} else {
				c.claims[side] = append(c.claims[side], claim)
			}
		}
	}
	c.ordered = slices.EqualFunc(common[0], common[1], func(a, b claim) bool { return a.pattern == b.pattern })
	if !c.ordered {
		moved := s.moved(common)
		for side := range sides {
			c.claims[side] = append(c.claims[side], moved[side]...)
		}
	}
	for side := range sides {
		for _, claim := range c.claims[side] {
			c.possible[goalOf(side, claim.allow)] = true
		}
	}
	if c.rest {
		c.possible[goalOf(0, sides[0].rest)] = true
	}
	return c
}

// moved returns the claims that are on both sides but outside a longest common
// subsequence. Without them, both sides have the same order.
func (s *solver) moved(common [2][]claim) (moved [2][]claim) {
	s.patterns.forget()
	for i, claim := range common[1] {
		s.patterns.note(claim.pattern, i)
	}
	var ends, before []int // places in common[0]: by length the end of the best subsequence; the place before each
	place := func(i int) int { return s.patterns.noteOf(common[0][i].pattern) }
	for i := range common[0] {
		n := sort.Search(len(ends), func(n int) bool { return place(ends[n]) >= place(i) })
		previous := -1
		if n > 0 {
			previous = ends[n-1]
		}
		before = append(before, previous)
		if n == len(ends) {
			ends = append(ends, i)
		} else {
			ends[n] = i
		}
	}
	s.patterns.forget()
	for i := ends[len(ends)-1]; i >= 0; i = before[i] {
		s.patterns.note(common[0][i].pattern, i)
	}
	for side := range common {
		for _, claim := range common[side] {
			if !s.patterns.noted(claim.pattern) {
				moved[side] = append(moved[side], claim)
			}
		}
	}
	return moved
}

func goalOf(side int, allow bool) int {
	if (side == 0) != allow {
		return opens
	}
	return closes
}
