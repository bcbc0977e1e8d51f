package semdiff

import (
	"cmp"
	"context"
	"slices"
	"sort"
	"strings"

	"github.com/kosterhq/robotstxt"
)

// solver decides where claims differ. It solves one problem after the other and
// keeps the patterns.
type solver struct {
	dialects [2]robotstxt.Dialect
	patterns *patterns
	budget   *budget
}

func newSolver(ctx context.Context, old, new robotstxt.Dialect, steps int) *solver {
	s := &solver{[2]robotstxt.Dialect{old, new}, newPatterns(), &budget{ctx: ctx, steps: steps}}
	if s.space(1) == 1 {
		s.patterns.images = [2]*images{imagesOf(old), imagesOf(new)}
	}
	return s
}

// space returns the number of the space in which a side's patterns are.
func (s *solver) space(side int) int {
	if dialectIndex(s.dialects[0]) == dialectIndex(s.dialects[1]) {
		return 0
	}
	return side
}

func (s *solver) alphabet() *alphabet { return alphabetOf(s.dialects[0], s.dialects[1]) }

// answer says which goals paths reach.
type answer struct {
	path     [2]string // by goal: a path that reaches it, or ""
	shortest [2]bool   // by goal: no path is shorter
	done     bool      // the goals without a path are out of reach
}

// found reports whether any goal was reached.
func (a *answer) found() bool { return a.path[opens] != "" || a.path[closes] != "" }

// decide looks for a path that old and new judge differently, for each goal that
// is wanted.
func (s *solver) decide(old, new claims, wanted [2]bool) answer {
	sides, c, goals := s.prepare(old, new, wanted)
	a := answer{done: true}
	s.probe(&sides, &c, &goals, &a)
	s.search(&sides, &c, goals, &a)
	return a
}

// shortest is decide with shortest paths, unless the budget does not suffice.
func (s *solver) shortest(old, new claims, wanted [2]bool) answer {
	sides, c, goals := s.prepare(old, new, wanted)
	a := answer{done: true}
	s.search(&sides, &c, goals, &a)
	if !a.done {
		goals = [2]bool{goals[opens] && a.path[opens] == "", goals[closes] && a.path[closes] == ""}
		s.probe(&sides, &c, &goals, &a)
	}
	return a
}

// prepare makes a problem as small as it gets without a search. The goals are
// those of the wanted ones that are not out of reach.
func (s *solver) prepare(old, new claims, wanted [2]bool) (sides [2]claims, c change, goals [2]bool) {
	s.budget.spend(len(old.list)+len(new.list), 0)
	sides = [2]claims{s.tidy(old), s.tidy(new)}
	c = s.change(&sides)
	if s.uncover(&sides, &c) {
		c = s.change(&sides)
	}
	if s.settle(&sides, &c) {
		c = s.change(&sides)
	}
	goals = [2]bool{wanted[opens] && c.possible[opens], wanted[closes] && c.possible[closes]}
	if goals != [2]bool{} {
		s.narrow(&sides, &c)
	}
	return sides, c, goals
}

// tidy drops the claims that do not matter, and sorts those that agree and are
// not separated by one that does not: their order does not matter.
func (s *solver) tidy(c claims) claims {
	c = s.decisive(c)
	kept := c.list
	for i := 0; i < len(kept); {
		j := i + 1
		for j < len(kept) && kept[j].allow == kept[i].allow {
			j++
		}
		slices.SortFunc(kept[i:j], func(a, b claim) int { return cmp.Compare(a.pattern, b.pattern) })
		i = j
	}
	return c
}

// decisive drops the claims that never decide, and the weakest ones as far as they
// give what the rest gives. The list is a new one.
func (s *solver) decisive(c claims) claims {
	s.patterns.mark++
	kept := make([]claim, 0, len(c.list))
	rest := c.rest
	for _, claim := range c.list {
		if s.patterns.everything(claim.pattern) {
			rest = claim.allow
			break
		}
		if s.patterns.marks[claim.pattern] == s.patterns.mark || s.patterns.spellings[claim.pattern].never() {
			continue
		}
		s.patterns.marks[claim.pattern] = s.patterns.mark
		kept = append(kept, claim)
	}
	return claims{trim(kept, rest), rest}
}

// trim drops the weakest claims as far as they give what the rest gives.
func trim(list []claim, rest bool) []claim {
	for len(list) > 0 && list[len(list)-1].allow == rest {
		list = list[:len(list)-1]
	}
	return list
}

// change is what sets two sides apart.
type change struct {
	claims   [2][]claim // by side: those that the other one lacks or has elsewhere
	rest     bool       // what is left for the paths that nothing matches
	ordered  bool       // what both sides have is in the same order
	possible [2]bool    // by goal
}

// change compares the sides claim by claim.
//
// A path is judged differently only if a claim decides there that the other side
// lacks or has elsewhere: of the two that decide, if both sides had both in the
// same order, the stronger one would decide on both. So nothing opens unless such
// a claim disallows something in old or allows something in new.
func (s *solver) change(sides *[2]claims) change {
	c := change{rest: sides[0].rest != sides[1].rest}
	common := [2][]claim{}
	for side := range sides {
		p := s.patterns
		p.mark++
		for i, claim := range sides[1-side].list {
			p.marks[claim.pattern], p.local[claim.pattern] = p.mark, int32(i)
		}
		for _, claim := range sides[side].list {
			if p.marks[claim.pattern] == p.mark && sides[1-side].list[p.local[claim.pattern]].allow == claim.allow {
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

// moved returns, of claims that both sides have, a few without which the others are
// in the same order: those that are not in a longest common subsequence.
func (s *solver) moved(common [2][]claim) (moved [2][]claim) {
	for i, claim := range common[1] {
		s.patterns.local[claim.pattern] = int32(i)
	}
	var ends, before []int // places in common[0]: by length the end of the best subsequence; the place before each
	place := func(i int) int32 { return s.patterns.local[common[0][i].pattern] }
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
	kept := make(map[int32]bool, len(ends))
	for i := ends[len(ends)-1]; i >= 0; i = before[i] {
		kept[common[0][i].pattern] = true
	}
	for side := range common {
		for _, claim := range common[side] {
			if !kept[claim.pattern] {
				moved[side] = append(moved[side], claim)
			}
		}
	}
	return moved
}

// goalOf returns what can happen if one side alone has a claim.
func goalOf(side int, allow bool) int {
	if (side == 0) != allow {
		return opens
	}
	return closes
}

// pairsAtOnce bounds how many pairs of patterns are compared to make a problem
// smaller. Beyond that, the search is as fast.
const pairsAtOnce = 1 << 16

// uncover drops claims that only one side has and that never decide, or decide
// only what would be decided so without them. It reports whether there were any.
func (s *solver) uncover(sides *[2]claims, c *change) (dropped bool) {
	for side := range sides {
		if len(c.claims[side])*len(sides[side].list) > pairsAtOnce {
			continue
		}
		for _, changed := range c.claims[side] {
			list := sides[side].list
			at := slices.IndexFunc(list, func(other claim) bool { return other.pattern == changed.pattern })
			if _, covered := s.covered(sides[side], at); covered {
				sides[side].list = slices.Delete(list, at, at+1)
				dropped = true
			}
		}
		sides[side].list = trim(sides[side].list, sides[side].rest)
	}
	return dropped
}

// covered reports whether one claim makes another one needless: a stronger one
// that matches all its paths, or a weaker one that does and agrees, with none
// between that disagrees on any of them. It returns that claim's place, -1 for
// the rest.
func (s *solver) covered(c claims, at int) (by int, covered bool) {
	own := c.list[at]
	for i, other := range c.list[:at] {
		s.budget.spend(s.patterns.cost(other.pattern, own.pattern), 0)
		if s.patterns.contains(other.pattern, own.pattern) {
			return i, true
		}
	}
	for i, other := range c.list[at+1:] {
		s.budget.spend(s.patterns.cost(other.pattern, own.pattern), 0)
		switch {
		case other.allow != own.allow && s.patterns.intersect(other.pattern, own.pattern):
			return -1, false
		case other.allow == own.allow && s.patterns.contains(other.pattern, own.pattern):
			return at + 1 + i, true
		}
	}
	return -1, c.rest == own.allow
}

// placesAtOnce bounds how many places settle compares.
const placesAtOnce = 1 << 22

// settle puts claims of the new side that both sides have where the old side has
// them, as far as they only pass claims that agree or share no path with them. It
// reports whether there were any.
func (s *solver) settle(sides *[2]claims, c *change) (settled bool) {
	list := sides[1].list
	if c.ordered || len(c.claims[1])*len(list) > pairsAtOnce || len(sides[0].list)*len(list) > placesAtOnce {
		return false
	}
	moved := make(map[int32]bool)
	for _, claim := range c.claims[1] {
		moved[claim.pattern] = true
	}
	before := -1 // the place in list of the claim before, of those that both have
	for _, own := range sides[0].list {
		at := slices.IndexFunc(list, func(other claim) bool { return other.pattern == own.pattern })
		if at < 0 || list[at].allow != own.allow {
			continue
		}
		if moved[own.pattern] && at != before+1 && s.passes(list, at, before+1) {
			claim, target := list[at], before+1
			list = slices.Delete(list, at, at+1)
			if target > at {
				target--
			}
			list = slices.Insert(list, target, claim)
			at, settled = target, true
		}
		before = at
	}
	sides[1].list = list
	return settled
}

// passes reports whether a claim may change its place: whether those between agree
// or share no path with it.
func (s *solver) passes(list []claim, from, to int) bool {
	own := list[from]
	for _, other := range list[min(from, to):max(from, to)] {
		s.budget.spend(s.patterns.cost(other.pattern, own.pattern), 0)
		if other.allow != own.allow && s.patterns.intersect(other.pattern, own.pattern) {
			return false
		}
	}
	return true
}

// narrow drops the claims that no path matches on which the sides can differ.
func (s *solver) narrow(sides *[2]claims, c *change) {
	changed := len(c.claims[0]) + len(c.claims[1])
	if c.rest || changed*(len(sides[0].list)+len(sides[1].list)) > pairsAtOnce {
		return
	}
	for side := range sides {
		sides[side].list = slices.DeleteFunc(sides[side].list, func(own claim) bool {
			for i := range c.claims {
				for _, claim := range c.claims[i] {
					s.budget.spend(s.patterns.cost(claim.pattern, own.pattern), 0)
					if s.patterns.intersect(claim.pattern, own.pattern) {
						return false
					}
				}
			}
			return true
		})
	}
}

// mostProbes bounds the claims of which paths are guessed, and probeSteps the
// part of the budget that this may take.
const (
	mostProbes = 64
	probeSteps = 8
)

// probe guesses paths that reach the goals: those that the changed patterns
// match with little more than their own text. Claims that agree with the rest
// come last, since another one often says the same.
func (s *solver) probe(sides *[2]claims, c *change, goals *[2]bool, a *answer) {
	enough, probes := s.budget.steps-s.budget.steps/probeSteps, 0
	for _, agree := range []bool{false, true} {
		for side := range sides {
			for _, claim := range c.claims[side] {
				if (claim.allow == sides[side].rest) != agree {
					continue
				}
				probes++
				for _, word := range s.patterns.words(claim.pattern) {
					if *goals == [2]bool{} || probes > mostProbes || s.budget.steps < enough {
						return
					}
					s.try(sides, word, goals, a)
				}
			}
		}
	}
}

// try asks both sides about a path.
func (s *solver) try(sides *[2]claims, path string, goals *[2]bool, a *answer) {
	if strings.ContainsAny(path, "#\x00") {
		return
	}
	images := [2]string{imagesOf(s.dialects[0]).path(path), imagesOf(s.dialects[1]).path(path)}
	var allowed [2]bool
	for side := range sides {
		s.budget.spend(len(sides[side].list)*(1+len(path)/bytesAStep), 0)
		allowed[side] = s.judge(sides[side], images)
	}
	if allowed[0] == allowed[1] {
		return
	}
	if goal := goalOf(1, allowed[1]); goals[goal] {
		goals[goal] = false
		a.path[goal] = path
	}
}

// judge returns what a side makes of a path, as each space compares it.
func (s *solver) judge(c claims, images [2]string) bool {
	for _, claim := range c.list {
		if s.patterns.pattern(claim.pattern).Matches(images[s.patterns.spellings[claim.pattern].space]) {
			return claim.allow
		}
	}
	return c.rest
}

// search decides by a search of all paths.
func (s *solver) search(sides *[2]claims, c *change, goals [2]bool, a *answer) {
	if goals == [2]bool{} {
		return
	}
	p := s.problem(sides, c.ordered)
	if p.alphabet.inexact(p) {
		a.done = false
		return
	}
	search := newSearch(p, goals, s.budget)
	a.done = search.run()
	for goal, path := range search.found {
		if path != "" {
			a.path[goal], a.shortest[goal] = path, true
		}
	}
}

// problem numbers the patterns of the sides anew.
func (s *solver) problem(sides *[2]claims, ordered bool) *problem {
	p := &problem{alphabet: s.alphabet(), ordered: ordered}
	s.patterns.mark++
	for side := range sides {
		for _, claim := range sides[side].list {
			if n := claim.pattern; s.patterns.marks[n] != s.patterns.mark {
				s.patterns.marks[n], s.patterns.local[n] = s.patterns.mark, int32(len(p.automata))
				p.automata = append(p.automata, s.patterns.automaton(n))
				p.spaces = append(p.spaces, s.patterns.spellings[n].space)
			}
		}
	}
	for side := range sides {
		r := &p.sides[side]
		r.rest = sides[side].rest
		r.rank = slices.Repeat([]int32{unranked}, len(p.automata))
		for i, own := range sides[side].list {
			own.pattern = s.patterns.local[own.pattern]
			r.list = append(r.list, own)
			r.rank[own.pattern] = int32(i)
		}
	}
	for side := range p.sides {
		r, other := &p.sides[side], &p.sides[1-side]
		r.cut = make([]int32, len(r.list)+1)
		for i, own := range r.list {
			r.cut[i+1] = r.cut[i]
			if rank := other.rank[own.pattern]; rank != unranked && other.list[rank].allow == own.allow {
				r.cut[i+1]++
			}
		}
	}
	return p
}
