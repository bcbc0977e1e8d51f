package semdiff

import (
	"cmp"
	"context"
	"slices"

	"github.com/kosterhq/robotstxt"
)

// Minimal contains the rules of a file that decide nothing.
type Minimal struct {
	// Removed are the rules that can be removed, all of them or any selection. They
	// are in the order in which they were found.
	Removed []Removal

	// Undecided are the lines of the rules for which the budget did not suffice, in
	// file order. These rules must stay.
	Undecided []int

	// Tried is the reason why lines are undecided, in one clause.
	Tried string
}

// Removal is a rule that can be removed.
type Removal struct {
	Line int

	// By is the line of a single rule that makes this one needless: it matches every
	// path that this one matches, and decides there or has the same verdict. By is 0
	// if several rules together make this one needless, if paths without a matching
	// rule have the same verdict, or if no crawler obeys this rule. The rule on line
	// By may be in Removed too, later in the list.
	By int

	// Idle is true if the rule is an Allow that takes precedence over no Disallow
	// with a common path, and no other Allow matches everything that it matches. It
	// is needless because paths without a matching rule are allowed. By is then 0.
	Idle bool
}

// Minimize returns the rules of a file that can be removed without changing the
// verdict for any crawler and any URL. readings are the same file, parsed in one or
// several dialects; a rule is returned if it can be removed in all of them. Minimize
// covers the crawlers of Crawlers(readings...) and those of config, or with
// config.Only only the latter.
//
// Rules without a path or with a star at the end are tried first. Apart from that,
// rules are tried from the last to the first, so that the first of equal rules
// stays. Each group keeps at least one rule, because without any the next group
// would join it. Only the last group may lose all its rules, the last of them only
// if its By is not 0. After the removal, other rules may have become needless; to
// find them, minimize the smaller file.
//
// The error is that of ctx.
func Minimize(ctx context.Context, config Config, readings ...*robotstxt.Robots) (*Minimal, error) {
	m := &minimizer{budget: &budget{ctx: ctx, steps: config.steps()}}
	crawlers := config.crawlers(readings)
	for _, robots := range readings {
		m.readings = append(m.readings, newReading(orEmpty(robots)))
	}
	lines := m.candidates(config.Lines)
	for _, r := range m.readings {
		r.makeLists(m.budget, crawlers, lines)
	}
	result := &Minimal{}
	for m.quota = 1 + config.steps()/firstQuota; ; m.quota *= nextQuota {
		lines = m.try(lines, result)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(lines) == 0 || m.quota >= m.budget.steps {
			break
		}
	}
	slices.Sort(lines)
	if len(lines) > 0 {
		result.Undecided, result.Tried = lines, cmp.Or(m.budget.why, usedUp)
	}
	return result, nil
}

// A search for one rule takes a small part of the budget at first, and so many
// times as much whenever all rules were tried, so that the hard ones do not use
// up what suffices for the others.
const (
	firstQuota = 1024
	nextQuota  = 8
)

// minimizer removes rules one after the other.
type minimizer struct {
	budget   *budget
	readings []*reading
	quota    int // the steps that the search for one rule may take
}

// candidates returns the lines of the rules that may go, as far as the groups
// are concerned, from the last to the first. Without a choice these are all.
func (m *minimizer) candidates(choice []int) (lines []int) {
	for _, r := range m.readings {
		for line, group := range r.groupOf {
			if group > 0 {
				lines = append(lines, line)
			}
		}
	}
	if len(m.readings) > 1 {
		slices.Sort(lines)
		lines = slices.Compact(lines)
	}
	if choice != nil {
		choice = slices.Sorted(slices.Values(choice))
	}
	lines = slices.DeleteFunc(lines, func(line int) bool {
		if _, chosen := slices.BinarySearch(choice, line); choice != nil && !chosen {
			return true
		}
		return m.keeps(line, line)
	})
	slices.Reverse(lines)
	first := make([]int, 0, len(lines))
	for _, line := range lines {
		if m.early(line) {
			first = append(first, line)
		}
	}
	if len(first) == 0 {
		return lines
	}
	return append(first, slices.DeleteFunc(lines, m.early)...)
}

func (m *minimizer) early(line int) bool {
	return slices.ContainsFunc(m.readings, func(r *reading) bool { return r.group(line) > 0 && r.early[line] })
}

// try removes those of the lines that can go, and returns those that are
// undecided.
func (m *minimizer) try(lines []int, result *Minimal) (undecided []int) {
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
			m.remove(line)
			result.Removed = append(result.Removed, removal)
		case !done:
			undecided = append(undecided, line)
		}
	}
	return undecided
}

// keeps reports whether a rule is the last one of a group that must keep one,
// if the rule of another line makes it needless, 0 for none.
func (m *minimizer) keeps(line, by int) bool {
	return slices.ContainsFunc(m.readings, func(r *reading) bool {
		group := r.group(line)
		return group > 0 && r.left[group-1] == 1 && (by == 0 || int(group) < len(r.left))
	})
}

func (m *minimizer) remove(line int) {
	for _, r := range m.readings {
		if group := r.group(line); group > 0 {
			r.left[group-1]--
		}
	}
}

// goes reports whether a rule can go in all lists, and whether the budget
// sufficed to say. The claims of one that can go are gone.
func (m *minimizer) goes(line int) (removal Removal, goes, done bool) {
	for list := range m.lists(line) {
		for _, place := range list.placesOf(line) {
			if m.budget.steps > 0 && list.guess(place) {
				return Removal{}, false, true
			}
		}
	}
	if slices.ContainsFunc(m.readings, func(r *reading) bool { return r.isUnread(line) }) {
		return Removal{}, false, false
	}
	why := reason{by: line}
	for list := range m.lists(line) {
		for _, place := range list.placesOf(line) {
			because, goes, done := m.goesFrom(list, place)
			if !goes {
				m.restore(line)
				return Removal{}, false, done
			}
			list.gone[place], list.idle[place] = true, because.idle
			why = why.and(because, line)
		}
	}
	if why.by == line { // no crawler obeys it
		why = reason{}
	}
	return Removal{line, why.by, why.idle}, true, true
}

func (m *minimizer) restore(line int) {
	for list := range m.lists(line) {
		for _, place := range list.placesOf(line) {
			list.gone[place], list.idle[place] = false, false
		}
	}
}

// goesFrom reports whether a claim can go from a list, and whether the budget
// sufficed to say.
func (m *minimizer) goesFrom(list *obeyed, place int32) (because reason, goes, done bool) {
	if m.budget.steps <= 0 {
		return reason{}, false, false
	}
	if because, covered := list.cover(place); covered {
		return because, true, true
	}
	if list.guessMore(place) {
		return reason{}, false, true
	}
	var a answer
	m.budget.atMost(m.quota, func() {
		with, without := list.near(place)
		if m.budget.steps > 0 {
			a = list.solver.decide(with, without, [2]bool{true, true})
		}
	})
	return reason{}, a.done && !a.found(), a.done || a.found()
}

// reason says why a claim can go: see Removal. The zero value is several claims.
type reason struct {
	by   int
	idle bool
}

// and returns the reason of two claims of a line. If a claim is covered by another one
// of the same line, that is not a reason.
func (r reason) and(other reason, line int) reason {
	switch {
	case other.by == line:
		return r
	case r.by == line || r == other:
		return other
	}
	return reason{}
}

// lists yields the lists with a line, in all readings.
func (m *minimizer) lists(line int) func(yield func(*obeyed) bool) {
	return func(yield func(*obeyed) bool) {
		for _, r := range m.readings {
			group := r.group(line)
			if group == 0 {
				continue
			}
			for _, list := range r.lists[group-1] {
				if !yield(list) {
					return
				}
			}
		}
	}
}
