package semdiff

import (
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
)

// reading is a file in one dialect, of which rules are removed.
type reading struct {
	robots  *robotstxt.Robots
	groupOf []int32     // by line of a rule: the number of its group, from 1
	early   []bool      // by line: the rule is tried before others
	left    []int32     // by group: how many rules it has left
	lists   [][]*obeyed // by group
	unread  []bool      // by group: the budget did not suffice to make a list with it
}

func newReading(robots *robotstxt.Robots) *reading {
	r := &reading{robots: robots}
	for group := range robots.Groups() {
		r.left = append(r.left, 0)
		for rule := range group.Rules() {
			if more := rule.Line + 1 - len(r.groupOf); more > 0 {
				r.groupOf = slices.Grow(r.groupOf, more)[:rule.Line+1]
				r.early = slices.Grow(r.early, more)[:rule.Line+1]
			}
			r.early[rule.Line] = rule.Length == 0 || strings.HasSuffix(rule.Pattern, "*")
			r.groupOf[rule.Line] = int32(len(r.left))
			r.left[len(r.left)-1]++
		}
	}
	r.lists = make([][]*obeyed, len(r.left))
	r.unread = make([]bool, len(r.left))
	return r
}

// group returns the number of a line's group, 0 if it has none.
func (r *reading) group(line int) int32 {
	if line >= len(r.groupOf) {
		return 0
	}
	return r.groupOf[line]
}

func (r *reading) isUnread(line int) bool {
	group := r.group(line)
	return group > 0 && r.unread[group-1]
}

// readPart is the part of what is left of the budget that one list may take.
const readPart = 4

// makeLists makes the list of each class of crawlers whose groups have one of the
// lines, unless that would take too much of the budget.
func (r *reading) makeLists(budget *budget, crawlers []Crawler, lines []int) {
	wanted := make([]bool, len(r.left))
	for _, line := range lines {
		if group := r.group(line); group > 0 {
			wanted[group-1] = true
		}
	}
	numbers := make(map[robotstxt.Group]int, len(r.left))
	for group := range r.robots.Groups() {
		numbers[group] = len(numbers)
	}
	s := newSolver(budget.ctx, r.robots.Dialect(), r.robots.Dialect(), 0)
	s.budget = budget
	for _, class := range classes([2]*robotstxt.Robots{r.robots, orEmpty(nil)}, crawlers) {
		r.makeList(s, &class, wanted, numbers)
	}
}

func (r *reading) makeList(s *solver, class *class, wanted []bool, numbers map[robotstxt.Group]int) {
	needed := false
	for group := range class.rules[0].Groups() {
		needed = needed || wanted[numbers[group]]
	}
	if !needed {
		return
	}
	cost := 1 + listSteps*class.sizes[0]
	var list *obeyed
	if cost <= s.budget.steps/readPart {
		s.budget.spend(cost, 0)
		list = newObeyed(s, class.rules[0], class.sizes[0])
	}
	for group := range class.rules[0].Groups() {
		if number := numbers[group]; list == nil {
			r.unread[number] = true
		} else {
			r.lists[number] = append(r.lists[number], list)
		}
	}
}
