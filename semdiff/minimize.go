package semdiff

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"github.com/kosterhq/robotstxt"
)

// Minimal contains the rules of a file that decide nothing.
type Minimal struct {
	// Removed contains the rules that can be removed, in the order in which Minimize
	// found them. You can remove all of them or any selection.
	Removed []Removal

	// Undecided contains the lines of the rules for which the budget ran out, in file
	// order. These rules must stay.
	Undecided []int

	// Tried is the reason why lines are undecided, in one clause.
	Tried string

	Steps int // how many of Config.Steps were used
}

// Removal is a rule that can be removed.
type Removal struct {
	Line int

	// By is the line of a single rule that makes this one needless: that rule matches
	// every path that this one matches, and either decides there or gives the same verdict. By is
	// 0 if several rules together make this one needless, if paths without a matching
	// rule have the same verdict, or if no crawler obeys this rule. The rule on line By
	// can also be in Removed, later in the list.
	By int

	// Idle is true if the rule is an Allow that takes precedence over no Disallow
	// with a common path, and no other Allow matches everything that it matches. The
	// rule is needless because paths without a matching rule are allowed anyway. By is
	// then 0.
	Idle bool
}

// Minimize returns the rules of a file that can be removed without changing the
// verdict for any crawler and any URL. files is one file, parsed in one or several
// dialects; Minimize returns a rule if it can be removed in all of them. It covers
// the crawlers in Crawlers(files...) and in config, or only those in config if
// config.Only is set.
//
// Minimize first tries rules without a path or with a star at the end. It tries the
// others from the last to the first, so the first of several equal rules stays. Each
// group keeps at least one rule, because without any it would join the next group. Only
// the last group can lose all its rules, and the last of these only if its By is not 0.
// A removal can make further rules needless; to find them, minimize the smaller file.
//
// If ctx ends, Minimize returns ctx's error.
func Minimize(ctx context.Context, config Config, files ...*robotstxt.Robots) (*Minimal, error) {
	m := minimizers.Get().(*minimizer)
	defer m.release()
	m.budget = budget{ctx: ctx, steps: config.steps()}
	if len(files) > len(m.memory) {
		m.memory = append(m.memory, make([]reduction, len(files)-len(m.memory))...)
	}
	m.reductions = m.memory[:len(files)]
	for i, robots := range files {
		m.reductions[i].read(orEmpty(robots), &m.budget)
	}
	lines := m.candidates(config.Lines)
	for _, line := range lines {
		for _, group := range m.in(line) {
			group.wanted = true
		}
	}
	for i := range m.reductions {
		r := &m.reductions[i]
		for _, crawler := range config.crawlers(r.robots) {
			r.makeList(crawler.Rules(r.robots))
		}
	}
	for m.quota = 1 + config.steps()/firstQuota; ; m.quota *= nextQuota {
		lines = m.try(lines)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(lines) == 0 || m.quota >= m.budget.steps {
			break
		}
	}
	result := m.result(lines)
	result.Steps = config.steps() - m.budget.steps
	return result, nil
}

func (m *minimizer) result(undecided []int) *Minimal {
	result := &Minimal{}
	if len(m.removed) > 0 {
		result.Removed = slices.Clone(m.removed)
	}
	if len(undecided) > 0 {
		result.Undecided, result.Tried = slices.Sorted(slices.Values(undecided)), cmp.Or(m.budget.why, usedUp)
	}
	return result
}

// At first, the search for one rule can take only a small part of the budget. After
// each round that part grows, so that hard rules do not use up the budget of the others.
const (
	firstQuota = 1024
	nextQuota  = 8
)

type minimizer struct {
	budget     budget
	reductions []reduction
	quota      int // the steps that the search for one rule can take
	removed    []Removal

	memory        []reduction
	lines, chosen []int
}

func (m *minimizer) release() {
	for i := range m.reductions {
		m.reductions[i].release()
	}
	m.budget = budget{}
	m.reductions = nil
	m.removed = emptied(m.removed)
	m.lines = emptied(m.lines)
	m.chosen = emptied(m.chosen)
	minimizers.Put(m)
}

// candidates returns the lines of the rules that can be removed without emptying a group,
// from the last to the first, with the early ones in front. A choice limits them to its
// lines; nil means all.
func (m *minimizer) candidates(choice []int) []int {
	most := 0
	for i := range m.reductions {
		most = max(most, len(m.reductions[i].rules))
	}
	if choice != nil {
		choice = slices.Sorted(slices.Values(choice))
	}
	lines := m.lines[:0]
	for line := most - 1; line > 0; line-- {
		if _, chosen := slices.BinarySearch(choice, line); (chosen || choice == nil) && m.isRule(line) &&
			!m.keeps(line, line) {
			lines = append(lines, line)
		}
	}
	m.lines = lines
	first := m.chosen[:0]
	for _, line := range lines {
		if m.early(line) {
			first = append(first, line)
		}
	}
	m.chosen = first
	if len(first) == 0 {
		return lines
	}
	m.chosen = append(first, slices.DeleteFunc(lines, m.early)...)
	return m.chosen
}

// in yields the reductions in which a line has a rule, each with the rule's group.
func (m *minimizer) in(line int) iter.Seq2[*reduction, *fileGroup] {
	return func(yield func(*reduction, *fileGroup) bool) {
		for i := range m.reductions {
			if r := &m.reductions[i]; line < len(r.rules) && r.rules[line].group > 0 && !yield(r, r.group(line)) {
				return
			}
		}
	}
}

func (m *minimizer) isRule(line int) bool {
	for range m.in(line) {
		return true
	}
	return false
}

func (m *minimizer) early(line int) bool {
	for r := range m.in(line) {
		if r.rules[line].early {
			return true
		}
	}
	return false
}

// try removes the rules that can be removed, and returns the lines of the
// undecided ones, in the same slice.
func (m *minimizer) try(lines []int) (undecided []int) {
	undecided = lines[:0]
	for _, line := range lines {
		if m.budget.ctx.Err() != nil {
			return undecided
		}
		if m.keeps(line, line) {
			continue
		}
		switch removal, goes, done := m.goes(line); {
		case goes && m.keeps(line, removal.By):
			m.restore(line)
		case goes:
			for _, group := range m.in(line) {
				group.left--
			}
			m.removed = append(m.removed, removal)
		case !done:
			undecided = append(undecided, line)
		}
	}
	return undecided
}

// keeps reports whether a rule must stay because it is the last one of its group. by is
// the line of the rule that makes it needless, 0 for none.
func (m *minimizer) keeps(line, by int) bool {
	for r, group := range m.in(line) {
		if isLast := group == &r.groups[len(r.groups)-1]; group.left == 1 && (by == 0 || !isLast) {
			return true
		}
	}
	return false
}

// goes reports whether a rule can be removed from all lists. done is false if the budget
// was too small. If the rule can be removed, its claims are marked as gone.
func (m *minimizer) goes(line int) (removal Removal, goes, done bool) {
	for list, place := range m.claimsOf(line) {
		if m.budget.steps > 0 && list.mattersForSpelling(place) {
			return Removal{}, false, true
		}
	}
	for _, group := range m.in(line) {
		if group.unread {
			return Removal{}, false, false
		}
	}
	removal = Removal{Line: line, By: line}
	for list, place := range m.claimsOf(line) {
		because, goes, done := m.goesFrom(list, place)
		if !goes {
			m.restore(line)
			return Removal{}, false, done
		}
		list.gone[place], list.idle[place] = true, because.idle
		removal.and(because)
	}
	if removal.By == line { // no crawler obeys it
		removal.By = 0
	}
	return removal, true, true
}

func (m *minimizer) restore(line int) {
	for list, place := range m.claimsOf(line) {
		list.gone[place], list.idle[place] = false, false
	}
}

// goesFrom reports whether a claim can be removed from a list. done is false if the
// budget ran out.
func (m *minimizer) goesFrom(list *ruleList, place int32) (because reason, goes, done bool) {
	if m.budget.steps <= 0 {
		return reason{}, false, false
	}
	if because, covered := list.needless(place); covered {
		return because, true, true
	}
	if list.mattersForGuesses(place) {
		return reason{}, false, true
	}
	var a answer
	m.budget.atMost(m.quota, func() {
		with, without := list.near(place)
		if m.budget.steps > 0 {
			a = list.solver.decide(with, without)
		}
	})
	goes, done = a.equal()
	return reason{}, goes, done
}

// reason is why a claim is needless: see Removal. The zero value means that several
// claims together make it needless.
type reason struct {
	by   int
	idle bool
}

// and adds the reason of another claim of the line. It is not a reason that one claim of the line
// makes another claim of that line needless.
func (r *Removal) and(because reason) {
	switch {
	case because.by == r.Line || because == reason{r.By, r.Idle}:
	case r.By == r.Line:
		r.By, r.Idle = because.by, because.idle
	default:
		r.By, r.Idle = 0, false
	}
}

func (m *minimizer) claimsOf(line int) iter.Seq2[*ruleList, int32] {
	return func(yield func(*ruleList, int32) bool) {
		for i := range m.reductions {
			for list, place := range m.reductions[i].claimsOf(line) {
				if !yield(list, place) {
					return
				}
			}
		}
	}
}
