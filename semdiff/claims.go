package semdiff

import (
	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/pattern"
)

// claim allows or disallows the paths of a pattern. It comes from a rule, or from the
// dialect if line is 0.
type claim struct {
	pattern int32
	allow   bool
	folder  bool // of an index page, to which the rule gives a second claim
	line    int  // of the rule; 0 without one
	// Neighbours in a list that have the same priority and the same verdict can change
	// places.
	priority int
}

// claims are the claims of one crawler, strongest first. The first one whose pattern
// matches decides. rest is the verdict for paths that none matches.
type claims struct {
	list []claim
	rest bool
}

// several reports whether a line has more than one claim. The rule of an index page has a
// second one for its folder, and a pattern with %2F after a star a second one for paths
// with %2F in the query. Line 0 is the rest and the claim of /robots.txt.
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

// maxSpellings bounds the claims of a pattern in which many stars precede %2F: see
// pattern.Slashed. If a pattern has more, the comparison is undecided.
const maxSpellings = 16

// readSteps is the number of steps that it takes to read a rule. Callers of claims take
// them from the budget first.
const readSteps = 4

func (s *solver) claims(side int, rules robotstxt.Rules) claims {
	return s.numbered(side, rules, nil, s.patterns.number)
}

// numbered is claims with another function that numbers patterns. It appends to list.
func (s *solver) numbered(side int, rules robotstxt.Rules, list []claim, number func(spelling) int32) claims {
	traits := s.dialects[side].Traits()
	c := claims{list: list, rest: true}
	for rule := range rules.All() {
		own := claim{
			allow:    rule.Allow || rule.Length == 0,
			line:     rule.Line,
			folder:   rule.Folder,
			priority: rule.Length,
		}
		if traits.FirstMatch {
			own.priority = 0
			if last := len(c.list) - 1; last >= 0 {
				// Neighbours that agree can change places.
				own.priority = c.list[last].priority
				if c.list[last].allow != own.allow {
					own.priority--
				}
			}
		}
		p := pattern.New(rule.Pattern, traits.Wildcards)
		if !traits.QuerySlash {
			own.pattern = number(spell(s.space(side), p))
			c.list = append(c.list, own)
			continue
		}
		spellings := 0
		for p := range p.Slashed() {
			spellings++
			if spellings > maxSpellings {
				s.partial = true
				break
			}
			own.pattern = number(spell(s.space(side), p))
			c.list = append(c.list, own)
		}
	}
	if len(c.list) == 0 {
		c.rest = rules.Allowed("/") // no file, or no rule
	}
	return c
}

// ranking contains the claims of a side by pattern. A pattern has at most one.
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
