package semdiff

import (
	"encoding/binary"
	"slices"

	"github.com/kosterhq/robotstxt"
)

// readPart is the part of what is left of the budget that one list can take.
const readPart = 4

type selection struct {
	groups []int32 // numbers, from 1
	size   int     // how many rules they have
	wanted bool    // some of them are tried
}

func (r *reduction) selectionOf(rules robotstxt.Rules) (s selection) {
	s.groups = r.lists.selected[:0]
	for group := range rules.Groups() {
		for rule := range group.Rules() {
			g := r.group(rule.Line)
			s.groups = append(s.groups, r.rules[rule.Line].group)
			s.size += int(g.left)
			s.wanted = s.wanted || g.wanted
			break
		}
	}
	r.lists.selected = s.groups
	return s
}

// makeList makes the list of some rules, unless there is one, no rule of it is tried, or it would
// take more than its part of the budget.
func (r *reduction) makeList(rules robotstxt.Rules) {
	s := r.selectionOf(rules)
	if !s.wanted || !r.isNew(s.groups) {
		return
	}
	budget := r.solver.budget
	cost := 1 + listSteps*s.size
	if cost > budget.steps/readPart {
		for _, number := range s.groups {
			r.groups[number-1].unread = true
		}
		return
	}
	budget.spend(cost, 0)
	list := &taken(&r.lists.lists, 1)[0]
	list.make(r, rules, s.size)
	for _, number := range s.groups {
		r.groups[number-1].unread = r.groups[number-1].unread || r.solver.partial
	}
	r.link(list)
}

func (r *reduction) isNew(groups []int32) (first bool) {
	if len(groups) == 1 {
		group := &r.groups[groups[0]-1]
		first = !group.alone
		group.alone = true
		return first
	}
	r.key = r.key[:0]
	for _, number := range groups {
		r.key = binary.AppendUvarint(r.key, uint64(number))
	}
	if r.known == nil {
		r.known = make(map[string]bool)
	}
	first = !r.known[string(r.key)]
	r.known[string(r.key)] = true
	return first
}

// listSteps is the steps that it takes to read a rule and to sort it in. It
// bounds the memory too.
const listSteps = 24

func (o *ruleList) make(r *reduction, rules robotstxt.Rules, size int) {
	const implicit = 2 // claims that no rule has, or that are the second of one
	m := &r.lists
	o.solver = r.solver
	o.solver.patterns.reserve(size + implicit)
	makeRoom(&m.claims, size+implicit)
	start := len(m.claims)
	o.claims = o.solver.numbered(0, rules, m.claims[start:start], o.solver.patterns.add)
	o.claims.list = slices.Clip(o.claims.list)
	n := len(o.claims.list)
	if start+n <= cap(m.claims) {
		m.claims = m.claims[:start+n]
	}
	o.gone, o.idle = taken(&m.bools, n), taken(&m.bools, n)
	o.index.make(o.solver.patterns, o.claims.list, m)
}
