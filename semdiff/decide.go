package semdiff

import (
	"context"
	"slices"

	"github.com/kosterhq/robotstxt"
)

// solver finds the paths for which two lists of claims give different verdicts. It solves
// one problem after the other, and keeps the numbers of the patterns.
type solver struct {
	dialects [2]robotstxt.Dialect
	patterns *patterns
	budget   *budget
	partial  bool // some claims were omitted, so nothing is decided
	any      bool // one goal is enough
}

func newSolver(ctx context.Context, old, new robotstxt.Dialect, steps int) *solver {
	s := &solver{dialects: [2]robotstxt.Dialect{old, new}, patterns: newPatterns(),
		budget: &budget{ctx: ctx, steps: steps}}
	if s.space(1) == 1 {
		s.patterns.images = [2]*images{imagesOf(old), imagesOf(new)}
	}
	return s
}

func (s *solver) space(side int) int {
	if imagesOf(s.dialects[0]) == imagesOf(s.dialects[1]) {
		return 0
	}
	return side
}

func (s *solver) alphabet() *alphabet { return alphabetsOf(s.dialects[0])(s.dialects[1]) }

type answer struct {
	path     [2]string // by goal: a path that reaches it, or ""
	shortest [2]bool   // by goal: no path is shorter
	done     bool      // the goals without a path are out of reach
}

func (a *answer) found() bool { return a.path[opens] != "" || a.path[closes] != "" }

func (a *answer) effect() Effect {
	switch {
	case !a.done:
		return Undecided
	case a.path[opens] != "" && a.path[closes] != "":
		return Both
	case a.path[opens] != "":
		return Opens
	case a.path[closes] != "":
		return Closes
	}
	return Equal
}

// equal reports whether the search shows that no wanted goal can be reached, and whether
// it decided that.
func (a *answer) equal() (equal, decided bool) { return a.done && !a.found(), a.done || a.found() }

// decide looks for a path with different verdicts in old and new, for each goal.
func (s *solver) decide(old, new claims) answer { return s.reach(old, new, [2]bool{true, true}) }

// reach is decide for each wanted goal. It tries a few paths before it searches.
func (s *solver) reach(old, new claims, wanted [2]bool) answer {
	sides, c, goals := s.prepare(old, new, wanted)
	a := answer{done: !s.partial}
	if s.budget.steps > 0 {
		s.probe(&sides, &c, &goals, &a)
	}
	s.search(&sides, &c, goals, &a)
	return a
}

// shortest is like decide for each wanted goal, but finds shortest paths, unless the budget does not suffice.
func (s *solver) shortest(old, new claims, wanted [2]bool) answer {
	sides, c, goals := s.prepare(old, new, wanted)
	a := answer{done: !s.partial}
	s.search(&sides, &c, goals, &a)
	if !a.done {
		for goal, path := range a.path {
			goals[goal] = goals[goal] && path == ""
		}
		s.probe(&sides, &c, &goals, &a)
	}
	return a
}

// prepare makes a problem smaller without a search. goals are the wanted goals that might be
// within reach: none if claims were omitted.
func (s *solver) prepare(old, new claims, wanted [2]bool) (sides [2]claims, c change, goals [2]bool) {
	if s.partial {
		s.budget.why = "a pattern has %2F after more than 15 stars"
		return sides, c, goals
	}
	if !s.budget.spend(len(old.list)+len(new.list), 0) {
		return sides, c, wanted
	}
	sides = [2]claims{s.tidy(old), s.tidy(new)}
	c = s.change(&sides)
	if s.dropCovered(&sides, &c) {
		c = s.change(&sides)
	}
	if s.align(&sides, &c) {
		c = s.change(&sides)
	}
	goals = [2]bool{wanted[opens] && c.possible[opens], wanted[closes] && c.possible[closes]}
	if goals != [2]bool{} {
		s.narrow(&sides, &c)
	}
	return sides, c, goals
}

func (s *solver) search(sides *[2]claims, c *change, goals [2]bool, a *answer) {
	if goals == [2]bool{} {
		return
	}
	if s.budget.steps <= 0 {
		a.done = false
		return
	}
	p := s.problem(sides, c.ordered)
	if p.alphabet.inexact(p) {
		a.done = false
		return
	}
	search := newSearch(p, goals, s.any, s.budget)
	a.done = search.run()
	for goal, path := range search.found {
		if path != "" {
			a.path[goal], a.shortest[goal] = path, true
		}
	}
}

// problem returns the problem of the sides, whose patterns are numbered from 0.
func (s *solver) problem(sides *[2]claims, ordered bool) *problem {
	p := &problem{alphabet: s.alphabet(), ordered: ordered}
	s.patterns.forget()
	for side := range sides {
		for _, claim := range sides[side].list {
			if n := claim.pattern; !s.patterns.noted(n) {
				s.patterns.note(n, len(p.automata))
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
			own.pattern = int32(s.patterns.noteOf(own.pattern))
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
