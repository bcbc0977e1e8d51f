package semdiff

import (
	"iter"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
)

// reduction is a file in one dialect, of which rules are removed. Its memory is used again
// for other files.
type reduction struct {
	robots *robotstxt.Robots
	solver *solver
	rules  []fileRule // by line
	groups []fileGroup
	claims []claimLink     // of all lists
	known  map[string]bool // see isNew
	key    []byte          // see isNew
	lists  listMemory
}

type fileRule struct {
	group       int32 // number of its group, from 1; 0 for none
	early       bool  // the rule is tried before others
	first, last int32 // its claims in all lists, in reduction.claims, from 1; 0 for none
}

type fileGroup struct {
	left   int32 // how many rules it has left
	wanted bool  // some rules of it are tried
	unread bool  // the budget did not suffice to make a list with it
	alone  bool  // a list with no other group is made, or not needed
}

type claimLink struct {
	list  *ruleList
	place int32
	next  int32 // claim of the rule, from 1; 0 for none
}

func (r *reduction) read(robots *robotstxt.Robots, budget *budget) {
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
			r.rules[rule.Line] = fileRule{group: int32(len(r.groups) + 1), early: early}
			g.left++
		}
		r.groups = append(r.groups, g)
	}
}

func (r *reduction) release() {
	r.robots = nil
	r.solver.budget = nil
	r.solver.partial = false
	r.rules = emptied(r.rules)
	r.groups = emptied(r.groups)
	r.claims = emptied(r.claims)
	r.key = emptied(r.key)
	r.known = emptiedMap(r.known)
	r.solver.patterns.release()
	r.lists.release()
}

func (r *reduction) group(line int) *fileGroup { return &r.groups[r.rules[line].group-1] }

func (r *reduction) link(list *ruleList) {
	r.claims = slices.Grow(r.claims, len(list.claims.list))
	for place, claim := range list.claims.list {
		if claim.line == 0 {
			continue
		}
		r.claims = append(r.claims, claimLink{list: list, place: int32(place)})
		rule := &r.rules[claim.line]
		n := int32(len(r.claims))
		if rule.last > 0 {
			r.claims[rule.last-1].next = n
		} else {
			rule.first = n
		}
		rule.last = n
	}
}

func (r *reduction) claimsOf(line int) iter.Seq2[*ruleList, int32] {
	return func(yield func(*ruleList, int32) bool) {
		if line >= len(r.rules) {
			return
		}
		for at := r.rules[line].first; at > 0; at = r.claims[at-1].next {
			if !yield(r.claims[at-1].list, r.claims[at-1].place) {
				return
			}
		}
	}
}
