package semdiff

import (
	"iter"
	"slices"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/pattern"
)

const exceptionPart = 50

// exceptions finds which rules make exceptions from the usual verdict.
//
// A rule with the other verdict makes one if some of its paths have that verdict, and it is one in
// part if some have the usual verdict. Only stronger rules with the usual verdict can give it to
// them. So a rule that shares no path with such a rule is an exception as a whole, and for most
// others a path that both match, or that the rule spells, shows both verdicts. Only what these
// paths leave open is searched.
type exceptions struct {
	*decider
	all      ruleList    // the claims of the rules
	usual    bool        // the usual verdict
	opposing []int32     // the places of the claims with the usual verdict
	index    prefixIndex // of the opposing claims, by their place in opposing
}

type outcome uint8

const (
	notKnown outcome = iota
	some             // a path has it
	none             // it is proved that no path has it
)

type verdicts struct{ usual, other outcome }

func newExceptions(d *decider, usual bool) *exceptions {
	x := &exceptions{decider: d, usual: usual}
	x.all = ruleList{solver: d.solver, claims: d.claims, gone: make([]bool, len(d.claims.list))}
	x.all.index.make(d.solver.patterns, d.claims.list, new(listMemory))
	var opposing []claim
	for place, c := range d.claims.list {
		if c.allow == usual && c.line != 0 {
			x.opposing = append(x.opposing, int32(place))
			opposing = append(opposing, c)
		}
	}
	x.index.make(d.solver.patterns, opposing, new(listMemory))
	return x
}

func unproved(rules []robotstxt.Rule) (exceptions []Exception) {
	for _, rule := range rules {
		exceptions = append(exceptions, Exception{Line: rule.Line, Pattern: rule.Pattern, Part: true})
	}
	sortExceptions(exceptions)
	return exceptions
}

func sortExceptions(exceptions []Exception) {
	slices.SortStableFunc(exceptions, func(a, b Exception) int { return a.Line - b.Line })
}

// among returns the exceptions among rules with the other verdict, which are in the order of the
// claims.
func (x *exceptions) among(rules []robotstxt.Rule) (exceptions []Exception) {
	budget := x.solver.budget
	at := 0
	each := budget.steps / exceptionPart
	for _, rule := range rules {
		e := Exception{Line: rule.Line, Pattern: rule.Pattern, Part: true}
		if budget.steps > 0 && budget.ctx.Err() == nil {
			at = x.find(at, &rule)
			v := x.tried(at, &rule)
			if v.usual == notKnown || v.other == notKnown {
				budget.atMost(each, func() { x.search(&v, rule.Pattern) })
			}
			if v.other == none {
				continue // other rules are stronger everywhere
			}
			e.Part = v.usual != none
		}
		exceptions = append(exceptions, e)
	}
	sortExceptions(exceptions)
	return exceptions
}

func (x *exceptions) find(at int, rule *robotstxt.Rule) int {
	for at < len(x.claims.list) && !x.claims.list[at].isOf(rule) {
		at++
	}
	return at
}

// isOf reports whether a claim comes from a rule. The second rule of an index page, for its
// folder, has another length.
func (c *claim) isOf(rule *robotstxt.Rule) bool {
	return c.line == rule.Line && (c.priority == rule.Length || c.priority <= 0)
}

// tried tries a few paths for the claims of a rule, which begin at a place.
func (x *exceptions) tried(at int, rule *robotstxt.Rule) (v verdicts) {
	if at == len(x.claims.list) || x.solver.partial {
		return v
	}
	v = x.triedFor(int32(at))
	for at++; at < len(x.claims.list) && x.claims.list[at].isOf(rule); at++ {
		also := x.triedFor(int32(at))
		v = verdicts{either(v.usual, also.usual), either(v.other, also.other)}
	}
	return v
}

func either(a, b outcome) outcome {
	switch {
	case a == some || b == some:
		return some
	case a == none && b == none:
		return none
	}
	return notKnown
}

// triedFor tries a few paths for the claim at a place: those that its pattern spells, and those
// that it shares with a stronger claim of the usual verdict. If it shares none, no path has the
// usual verdict.
func (x *exceptions) triedFor(place int32) (v verdicts) {
	patterns := x.solver.patterns
	own := x.claims.list[place].pattern
	if patterns.spellings[own].MatchesNone() {
		return verdicts{none, none}
	}
	for path := range patterns.words(own) {
		x.try(path, own, &v)
	}
	tries := 0
	shared := false
	for at := range x.stronger(place) {
		other := x.claims.list[at].pattern
		x.solver.budget.spend(patterns.cost(own, other), 0)
		if !patterns.intersect(own, other) {
			continue
		}
		shared = true
		if v == (verdicts{some, some}) || tries == maxBetween {
			return v
		}
		tries++
		for path := range patterns.between(own, other) {
			x.try(path, own, &v)
		}
	}
	if !shared && v.usual != some && x.solver.budget.steps > 0 {
		v.usual = none
	}
	return v
}

// stronger yields the places of the opposing claims that are stronger than the claim at a place and
// begin like it, until the budget is used up.
func (x *exceptions) stronger(place int32) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		begins := x.solver.patterns.pattern(x.claims.list[place].pattern).Beginning()
		for places := range x.index.sharing(begins) {
			for i, at := range places {
				if !x.all.look(i) {
					return
				}
				if at := x.opposing[at]; at < place && !yield(at) {
					return
				}
			}
		}
	}
}

// try adds the verdict of a path, if a pattern matches it. A path that the dialect always allows
// does not count.
func (x *exceptions) try(path string, own int32, v *verdicts) {
	if !isPath(path, pattern.ByteSetOf(path)) {
		return
	}
	path = x.all.image(path)
	if !x.solver.patterns.pattern(own).Matches(path) {
		return
	}
	place := x.all.strongest(path, pattern.ByteSetOf(path), x.all.index.under(path), noPlace)
	switch {
	case int(place) < len(x.claims.list) && x.claims.list[place].line == 0:
	case x.all.verdict(place) == x.usual:
		v.usual = some
	default:
		v.other = some
	}
}

func (x *exceptions) search(v *verdicts, text string) {
	under, ok := x.solver.read(text)
	if !ok {
		return
	}
	if v.usual == notKnown {
		v.usual = x.reach(under, x.usual)
	}
	if v.other == notKnown {
		v.other = x.reach(under, !x.usual)
	}
}
