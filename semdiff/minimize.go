package semdiff

import (
	"cmp"
	"context"
	"slices"

	"github.com/kosterhq/robotstxt"
)

// Minimal is a file without the rules that decide nothing.
type Minimal struct {
	// Removed are the rules that can go together, in an order in which each
	// step changes no verdict.
	Removed []Removal

	// Undecided are the lines of rules of which the budget did not suffice to
	// say whether they can go, in file order. They stay.
	Undecided []int

	// Tried says why there are such lines, in one clause.
	Tried string
}

// Removal is a rule that can go.
type Removal struct {
	Line int

	// By is the line of a rule that makes this one needless alone: it matches
	// every path that this one matches, and decides there or gives the same
	// verdict. It is 0 if several rules do together, or if without a rule the
	// verdict is the same.
	By int
}

// Minimize says which rules of a file can go without changing the verdict for any
// crawler and any URL. The readings are one file in one or several dialects; a
// rule can go if it can in each of them. It covers the crawlers of
// Crawlers(readings...) and those of config.
//
// Rules are tried from the last to the first, so that of equal rules the first
// one stays. Each group keeps a rule, since the next one's user-agent lines
// would join its own without. When all is done, the file without the removed
// rules is compared with the original as a whole; if that does not prove them
// equal, nothing is removed.
//
// The error is that of ctx.
func Minimize(ctx context.Context, config Config, readings ...*robotstxt.Robots) (*Minimal, error) {
	m := newMinimizer(ctx, config, readings)
	result := &Minimal{}
	for again := true; again && ctx.Err() == nil; {
		again = false // a rule that goes may let others go
		result.Undecided = nil
		for _, line := range slices.Backward(m.lines) {
			if m.removed[line] || m.last(line) {
				continue
			}
			switch by, goes, done := m.goes(line); {
			case goes:
				again = true
				m.remove(line)
				result.Removed = append(result.Removed, Removal{line, by})
			case !done:
				result.Undecided = append(result.Undecided, line)
			}
		}
	}
	slices.Sort(result.Undecided)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m.budget.steps += config.steps() / proofPart
	if why := m.prove(); why != "" {
		return &Minimal{Undecided: m.lines, Tried: why}, nil
	}
	if len(result.Undecided) > 0 {
		result.Tried = m.budget.why
	}
	return result, nil
}

// proofPart is the part of the budget that is kept for the proof of the whole.
const proofPart = 4

// minimizer removes rules one after the other.
type minimizer struct {
	budget  *budget
	lines   []int // of all rules, in file order
	removed map[int]bool
	groups  map[int][]*int // by line: how many rules each group with it has left
	lists   []*list
	at      map[int][]*list // by line: the lists with it
}

// list is what a class of crawlers obeys in one reading.
type list struct {
	solver    *solver
	all, left claims
	of        map[int][]int32 // by line: its patterns
}

func newMinimizer(ctx context.Context, config Config, readings []*robotstxt.Robots) *minimizer {
	m := &minimizer{removed: make(map[int]bool), groups: make(map[int][]*int), at: make(map[int][]*list)}
	m.budget = &budget{ctx: ctx, steps: config.steps() - config.steps()/proofPart}
	crawlers := append(Crawlers(readings...), config.Crawlers...)
	for _, robots := range readings {
		robots = orEmpty(robots)
		for group := range robots.Groups() {
			left := new(int)
			for rule := range group.Rules() {
				*left++
				m.groups[rule.Line] = append(m.groups[rule.Line], left)
				m.lines = append(m.lines, rule.Line)
			}
		}
		s := newSolver(ctx, robots.Dialect(), robots.Dialect(), 0)
		s.budget = m.budget
		for _, class := range classes([2]*robotstxt.Robots{robots, robots}, crawlers) {
			m.addList(s, class.rules[0])
		}
	}
	slices.Sort(m.lines)
	m.lines = slices.Compact(m.lines)
	return m
}

func (m *minimizer) addList(s *solver, rules robotstxt.Rules) {
	l := &list{solver: s, all: s.claims(0, rules), of: make(map[int][]int32)}
	l.left = l.all
	s.budget.spend(readSteps*len(l.all.list), 0)
	m.lists = append(m.lists, l)
	for _, claim := range l.all.list {
		l.of[claim.line] = append(l.of[claim.line], claim.pattern)
		if of := m.at[claim.line]; claim.line > 0 && (len(of) == 0 || of[len(of)-1] != l) {
			m.at[claim.line] = append(of, l)
		}
	}
}

// last reports whether a rule is the last one of a group.
func (m *minimizer) last(line int) bool {
	return slices.ContainsFunc(m.groups[line], func(left *int) bool { return *left == 1 })
}

// goes reports whether a rule can go in all lists, and whether the budget
// sufficed to tell.
func (m *minimizer) goes(line int) (by int, goes, done bool) {
	if m.budget.steps <= 0 {
		return 0, false, false
	}
	for i, l := range m.at[line] {
		near := l.near(line)
		a := l.solver.decide(near, near.without(line), [2]bool{true, true})
		if a.found() || !a.done {
			return 0, false, a.found()
		}
		if covering := l.coveredBy(near, line); i == 0 || covering != by {
			by = covering
			if i > 0 {
				by = 0
			}
		}
	}
	return by, true, true
}

func (m *minimizer) remove(line int) {
	m.removed[line] = true
	for _, left := range m.groups[line] {
		*left--
	}
	for _, l := range m.at[line] {
		l.left = l.left.without(line)
	}
}

// prove compares what is left with the original. It returns "" if they are
// equal, or why that is not proved.
func (m *minimizer) prove() (why string) {
	for _, l := range m.lists {
		if len(l.left.list) == len(l.all.list) {
			continue
		}
		a := l.solver.decide(l.all, l.left, [2]bool{true, true})
		switch {
		case a.found():
			return "the file without all these rules gives another verdict"
		case !a.done:
			return cmp.Or(m.budget.why, "the result was not proved as a whole")
		}
	}
	return ""
}

// near returns the claims that are left and share a path with those of a line.
// No other claim can matter where the line's rule goes.
func (l *list) near(line int) claims {
	near := claims{rest: l.left.rest}
	l.solver.budget.spend(len(l.left.list)/claimsAStep, 0)
	for _, claim := range l.left.list {
		if slices.ContainsFunc(l.of[line], func(pattern int32) bool { return l.solver.patterns.intersect(pattern, claim.pattern) }) {
			near.list = append(near.list, claim)
		}
	}
	return near
}

// claimsAStep is how many claims can be passed over in the time of a step: a
// look at their beginnings is enough for most.
const claimsAStep = 5

func (c claims) without(line int) claims {
	return claims{slices.DeleteFunc(slices.Clone(c.list), func(c claim) bool { return c.line == line }), c.rest}
}

// coveredBy returns the line of a rule that alone makes a rule needless, 0 if
// there is none.
func (l *list) coveredBy(c claims, line int) (by int) {
	for at, claim := range c.list {
		if claim.line != line {
			continue
		}
		covering, covered := l.solver.covered(c, at)
		if !covered || covering < 0 || by > 0 && c.list[covering].line != by {
			return 0
		}
		by = c.list[covering].line
	}
	return by
}
