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
	for m.quota = 1 + config.steps()/firstQuota; ctx.Err() == nil; m.quota *= nextQuota {
		m.tryAll(result)
		if len(result.Undecided) == 0 || m.quota >= m.budget.steps {
			break
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
		result.Tried = cmp.Or(m.budget.why, usedUp)
	}
	return result, nil
}

// proofPart is the part of the budget that is kept for the proof of the whole.
const proofPart = 4

// A search for one rule takes a small part of the budget at first, and so many
// times as much whenever all rules were tried, so that the hard ones do not use
// up what suffices for the others.
const (
	firstQuota = 1024
	nextQuota  = 8
)

// minimizer removes rules one after the other.
type minimizer struct {
	budget  *budget
	lines   []int // of all rules, in file order
	removed map[int]bool
	groups  map[int][]*int // by line: how many rules each group with it has left
	lists   []*obeyed
	at      map[int][]*obeyed // by line: the lists with it
	unread  map[int]bool      // by line: a list with it was not made, for want of steps
	needed  map[int]need
	quota   int         // the steps that the search for one rule may take
	tried   map[int]int // by line: the quota that did not suffice
}

// need is a path for which a rule was needed.
type need struct {
	list *obeyed
	path string
}

func newMinimizer(ctx context.Context, config Config, readings []*robotstxt.Robots) *minimizer {
	m := &minimizer{removed: make(map[int]bool), groups: make(map[int][]*int), at: make(map[int][]*obeyed)}
	m.unread, m.needed, m.tried = make(map[int]bool), make(map[int]need), make(map[int]int)
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
		unread := make(map[robotstxt.Group]bool)
		for _, class := range classes([2]*robotstxt.Robots{robots, robots}, crawlers) {
			m.read(s, &class, unread)
		}
	}
	slices.Sort(m.lines)
	m.lines = slices.Compact(m.lines)
	return m
}

// readPart is the part of what is left of the budget that one list may take.
const readPart = 4

// read makes the list of a class, unless that would take too much of the budget:
// the rules of its groups are unread then.
func (m *minimizer) read(s *solver, class *class, unread map[robotstxt.Group]bool) {
	cost := 1 + listSteps*class.sizes[0]
	if cost > m.budget.steps/readPart {
		for group := range class.rules[0].Groups() {
			if unread[group] {
				continue
			}
			unread[group] = true
			for rule := range group.Rules() {
				m.unread[rule.Line] = true
			}
		}
		return
	}
	m.budget.spend(cost, 0)
	list := newObeyed(s, class.rules[0])
	m.lists = append(m.lists, list)
	for line := range list.lines {
		m.at[line] = append(m.at[line], list)
	}
}

// tryAll removes rules until none goes. It sets the undecided ones.
func (m *minimizer) tryAll(result *Minimal) {
	for again := true; again && m.budget.ctx.Err() == nil; {
		again = false // a rule that goes may let others go
		result.Undecided = nil
		for _, line := range slices.Backward(m.lines) {
			if m.removed[line] || m.last(line) {
				continue
			}
			if m.tried[line] == m.quota {
				result.Undecided = append(result.Undecided, line)
				continue
			}
			switch by, goes, done := m.goes(line); {
			case goes:
				again = true
				m.remove(line)
				result.Removed = append(result.Removed, Removal{line, by})
			case !done:
				m.tried[line] = m.quota
				result.Undecided = append(result.Undecided, line)
			}
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
	if need, known := m.needed[line]; known && need.list.needs(need.path, line) {
		return 0, false, true
	}
	for _, list := range m.at[line] {
		if m.budget.steps <= 0 {
			return 0, false, false
		}
		if path := list.guess(line); path != "" {
			m.needed[line] = need{list, path}
			return 0, false, true
		}
	}
	if m.unread[line] {
		return 0, false, false
	}
	for i, list := range m.at[line] {
		covering, goes, done := m.goesFrom(list, line)
		if !goes {
			return 0, false, done
		}
		if i == 0 {
			by = covering
		} else if covering != by {
			by = 0
		}
	}
	return by, true, true
}

// goesFrom reports whether a rule can go in one list, and whether the budget
// sufficed to tell.
func (m *minimizer) goesFrom(list *obeyed, line int) (by int, goes, done bool) {
	if m.budget.steps <= 0 {
		return 0, false, false
	}
	if by, covered := list.covered(line); covered {
		return by, true, true
	}
	if path := list.guessBetween(line); path != "" {
		m.needed[line] = need{list, path}
		return 0, false, true
	}
	var a answer
	m.budget.atMost(m.quota, func() {
		near := list.near(line)
		if m.budget.steps > 0 {
			a = list.solver.decide(near, near.without(line), [2]bool{true, true})
		}
	})
	for _, path := range a.path {
		if path != "" {
			m.needed[line] = need{list, path}
			return 0, false, true
		}
	}
	return 0, a.done, a.done
}

func (m *minimizer) remove(line int) {
	m.removed[line] = true
	for _, left := range m.groups[line] {
		*left--
	}
	for _, list := range m.at[line] {
		list.remove(line)
	}
}

// prove compares what is left with the original. It returns "" if they are
// equal, or why that is not proved.
func (m *minimizer) prove() (why string) {
	m.quota = m.budget.steps / proofPart
	for _, list := range m.lists {
		if m.needless(list) {
			continue
		}
		a := list.solver.decide(list.claims, list.left(), [2]bool{true, true})
		switch {
		case a.found():
			return "the file without all these rules gives another verdict"
		case !a.done:
			return cmp.Or(m.budget.why, "the result was not proved as a whole")
		}
	}
	return ""
}

// needless reports whether each removed rule, added to what is left, changes
// nothing. Then what is left equals the original: a path is judged differently
// only if a removed rule decides in the original. With that one alone added it
// decides too, since no stronger rule matches.
func (m *minimizer) needless(list *obeyed) bool {
	for _, line := range m.lines {
		if !m.removed[line] || len(list.of(line)) == 0 {
			continue
		}
		list.restore(line)
		_, goes, _ := m.goesFrom(list, line)
		list.remove(line)
		if !goes {
			return false
		}
	}
	return true
}
