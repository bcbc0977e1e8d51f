package semdiff

import (
	"iter"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
)

// reading is a file in one dialect, of which rules are removed. Its memory is used again
// for other files.
type reading struct {
	robots *robotstxt.Robots
	solver *solver
	rules  []fileRule // by line
	groups []fileGroup
	links  []listLink
	tokens []string        // see eachRules
	known  map[string]bool // see isNew
	key    []byte          // see isNew
	lists  listMemory
}

// fileRule is the rule of a line, if the line has one.
type fileRule struct {
	group  int32 // number of its group, from 1; 0 for none
	number int32 // among the rules of its group, from 0
	early  bool  // the rule is tried before others
}

// fileGroup is a group, of which rules are removed.
type fileGroup struct {
	left        int32 // how many rules it has left
	wanted      bool  // some rules of it are tried
	unread      bool  // the budget did not suffice to make a list with it
	alone       bool  // a list with no other group is made, or not needed
	first, last int32 // its lists in links, from 1; 0 for none
}

// listLink is a list with the rules of a group.
type listLink struct {
	list *ruleList
	base int32 // of the group's first rule, see ruleList.first
	next int32 // link of the group, from 1; 0 for none
}

// read reads a file.
func (r *reading) read(robots *robotstxt.Robots, budget *budget) {
	r.robots = robots
	if r.solver == nil {
		r.solver = &solver{patterns: newPatterns()}
	}
	r.solver.dialects = [2]robotstxt.Dialect{robots.Dialect(), robots.Dialect()}
	r.solver.budget = budget
	for group := range robots.Groups() {
		g := fileGroup{}
		for rule := range group.Rules() {
			r.rules = slices.Grow(r.rules, max(0, rule.Line+1-len(r.rules)))
			for len(r.rules) <= rule.Line {
				r.rules = append(r.rules, fileRule{})
			}
			early := rule.Length == 0 || strings.HasSuffix(rule.Pattern, "*")
			r.rules[rule.Line] = fileRule{int32(len(r.groups) + 1), g.left, early}
			g.left++
		}
		r.groups = append(r.groups, g)
	}
}

// release forgets the file and keeps the memory.
func (r *reading) release() {
	r.robots, r.solver.budget, r.solver.partial = nil, nil, false
	r.rules, r.groups, r.links = emptied(r.rules), emptied(r.groups), emptied(r.links)
	r.tokens, r.key, r.known = emptied(r.tokens), emptied(r.key), emptiedMap(r.known)
	r.solver.patterns.release()
	r.lists.release()
}

// group returns the group of a line's rule and its number, nil if it has none.
func (r *reading) group(line int) (g *fileGroup, number int) {
	if line >= len(r.rules) || r.rules[line].group == 0 {
		return nil, 0
	}
	number = int(r.rules[line].group)
	return &r.groups[number-1], number
}

func (r *reading) isUnread(line int) bool {
	group, _ := r.group(line)
	return group != nil && group.unread
}

// claimsOf yields the claims of a line in all lists, each as a list and a place.
func (r *reading) claimsOf(line int) iter.Seq2[*ruleList, int32] {
	return func(yield func(*ruleList, int32) bool) {
		group, _ := r.group(line)
		if group == nil {
			return
		}
		for at := group.first; at > 0; at = r.links[at-1].next {
			link := &r.links[at-1]
			rule := link.base + r.rules[line].number
			if !yield(link.list, link.list.first[rule]) {
				return
			}
			if second := link.list.second; second != nil && second[rule] != noPlace && !yield(link.list, second[rule]) {
				return
			}
			for _, place := range link.list.more[rule] {
				if !yield(link.list, place) {
					return
				}
			}
		}
	}
}
