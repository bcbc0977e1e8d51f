package semdiff

import (
	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/pattern"
)

// claim is a rule as far as it decides: the paths of a pattern are allowed or
// disallowed.
type claim struct {
	pattern int32
	allow   bool
	line    int // of the rule, 0 if it is none
	// priority is equal for neighbours in a list of which the order does not
	// matter if they agree.
	priority int
}

// claims are the claims of one crawler, strongest first. The first one whose pattern
// matches decides. rest is the verdict for paths that none matches.
type claims struct {
	list []claim
	rest bool
}

// several reports whether a line has more than one claim: an index page has one for
// its folder too, and no line has that of the robots.txt and the rest.
func (c *claims) several(line int) bool {
	n := 0
	if line == 0 {
		n = 1
	}
	for i := range c.list {
		if c.list[i].line == line {
			n++
		}
	}
	return n > 1
}

// readSteps is the steps that it takes to read a rule, which callers of claims
// spend before.
const readSteps = 4

// claims returns those of a side's rules.
func (s *solver) claims(side int, rules robotstxt.Rules) claims {
	return s.numbered(side, rules, nil, s.patterns.number)
}

// numbered is claims with another way to number patterns. It appends to list.
func (s *solver) numbered(side int, rules robotstxt.Rules, list []claim, number func(spelling) int32) claims {
	traits := s.dialects[side].Traits()
	c := claims{list: list, rest: true}
	for rule := range rules.All() {
		p := pattern.New(rule.Pattern, traits.Wildcards)
		own := claim{
			pattern:  number(spell(s.space(side), p.Text, p.Wild, p.Anchored)),
			allow:    rule.Allow || rule.Length == 0,
			line:     rule.Line,
			priority: rule.Length,
		}
		if traits.FirstMatch {
			own.priority = 0
			if last := len(c.list) - 1; last >= 0 {
				// Neighbours that agree may change places.
				own.priority = c.list[last].priority
				if c.list[last].allow != own.allow {
					own.priority--
				}
			}
		}
		c.list = append(c.list, own)
	}
	if len(c.list) == 0 {
		c.rest = rules.Allowed("/") // no file, or no rule
	}
	return c
}

// ranking is one side's claims by pattern, of which each has one at most.
type ranking struct {
	list []claim
	rest bool
	rank []int32 // by pattern
	cut  []int32 // by rank: how many of the stronger ones the other side has too
}

// rankOf returns the rank of a pattern's claim, or unranked, and 1 if it allows.
func (r *ranking) rankOf(pattern int32) (rank int32, verdict int) {
	rank = r.rank[pattern]
	if rank != unranked && r.list[rank].allow {
		verdict = 1
	}
	return rank, verdict
}

func verdictOf(allow bool) int {
	if allow {
		return 1
	}
	return 0
}
