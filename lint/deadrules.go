package lint

import (
	"slices"

	"github.com/kosterhq/robotstxt/internal/pattern"
)

// Which rules decide nothing
//
// A crawler's rules are a list by rank, the default (allow) at its end; the first
// one that matches a path decides. A rule may go if, for each crawler that obeys
// it,
//
//   - one above it matches all that it matches, so that it never decides; or
//   - one of its kind below it does, and none of the other kind that shares a path
//     with it stands between the two; an Allow has the default as such a one.
//
// Both are decided by the patterns alone (internal/pattern). A rule with two
// patterns (G53) may go if both may. What other rules do together is not looked
// at: the search finds nothing wrong, but not everything.
//
// Fixes may be made all at once, or any of them alone. So the rules are taken in
// a fixed order, and of each it is asked whether a rule that no fix before has
// removed makes it idle, while the rules between are counted whether removed or
// not. Then each removal holds in any file that still has the rule it names, and
// in the order of the search each does.

var deadRuleEntries = []Entry{
	{
		Code:     "RX208",
		Name:     "dead-rule",
		Severity: Warning,
		Title:    "A rule decides nothing, because another rule decides the same paths.",
		Why:      "The longest rule that matches decides, Allow on a tie (G49, G50; RFC 9309 2.2.2). No path exists, for no crawler, on which this rule makes a difference: either it was meant to say something else, or it only makes the file longer.",
		Bad:      "User-agent: *\nDisallow: /private\nDisallow: /private/archive\n",
		Good:     "User-agent: *\nDisallow: /private\n",
	},
	{
		Code:     "RX214",
		Name:     "duplicate-rule",
		Severity: Warning,
		Title:    "A rule is there twice.",
		Why:      "All groups that name a crawler count together (G38), and of equal rules one is enough. The two will differ after the next change.",
		Bad:      "User-agent: *\nDisallow: /tmp/\nDisallow: /cgi-bin/\nDisallow: /tmp/\n",
		Good:     "User-agent: *\nDisallow: /tmp/\nDisallow: /cgi-bin/\n",
	},
	{
		Code:     "RX216",
		Name:     "dead-rules-undecided",
		Severity: Info,
		Title:    "The search for rules that decide nothing was given up.",
		Why:      "Rules are compared with each other, and the work for that is bounded, so that no file can hold up the check.",
		Bad:      "User-agent: *\nDisallow: /*a*b\nDisallow: /*b*a\nDisallow: /*a*b*a\n",
		Good:     "User-agent: *\nDisallow: /*a*b\n",
		Example:  Config{Work: 13},
	},
	{
		Code:     "RX218",
		Name:     "idle-allow",
		Severity: Info,
		Title:    "An Allow lifts nothing, because no Disallow that it outweighs shares a path with it.",
		Why:      "What no rule matches is allowed (G52; RFC 9309 2.2.2). An Allow is only needed as an exception to a shorter Disallow of the same group.",
		Bad:      "User-agent: *\nAllow: /shop/\nDisallow: /private/\n",
		Good:     "User-agent: *\nAllow: /private/press/\nDisallow: /private/\n",
	},
}

func inspectDeadRules(d *document) {
	wanted := slices.ContainsFunc([]Code{"RX201", "RX208", "RX209", "RX210", "RX214", "RX215", "RX216", "RX218"}, d.wants)
	if !wanted || !slices.ContainsFunc(d.groups, func(g group) bool { return len(g.rules) > 0 }) {
		return
	}
	s := newRuleSets(d)
	inspectEmptyRules(d, s)
	findDeadRules(d, s)
	inspectStars(d, s)
	inspectTies(d, s)
}

func findDeadRules(d *document, s *ruleSets) {
	undecided := 0
	for _, number := range s.order() {
		r := &s.rules[number]
		if s.work < 0 || s.skipped[r.group] {
			undecided++
			continue
		}
		if !s.mayRemove(r) {
			continue
		}
		grounds, idle := s.idle(r)
		switch {
		case s.work < 0:
			undecided++
		case idle && len(grounds) == 0:
			d.findIdleAllow(s, r)
		case idle:
			d.findDeadRule(s, r, grounds)
			s.remove(r)
		}
	}
	if undecided > 0 {
		d.findFile("RX216", "%d of %d rules were not compared with all others, which may decide the same: the bound of %d comparisons was used up, a larger one decides more",
			undecided, len(s.rules), d.config.Work)
	}
}

// order returns the rules with a pattern in the order in which they are tried
// for removal, so that what is left is what people would keep: the wide rule, the
// pattern without a redundant star, the earlier line.
func (s *ruleSets) order() []int32 {
	// One number for each, which sorts much faster than three. A pattern is no
	// longer than three times what is read of a line, so its length fits 16 bits.
	const lengths, numbers = 1<<16 - 1, 1<<32 - 1
	keys := make([]uint64, 0, len(s.rules))
	for i := range s.rules {
		r := &s.rules[i]
		asked := len(s.ofGroup[r.group]) > 0 || s.skipped[r.group] // a crawler obeys it
		if r.claims[0] >= 0 && asked {
			keys = append(keys, uint64(r.short)<<48|uint64(lengths-r.Length)<<32|(numbers-uint64(i)))
		}
	}
	slices.Sort(keys)
	order := make([]int32, len(keys))
	for i, key := range keys {
		order[i] = int32(numbers - key&numbers)
	}
	return order
}

// idle reports whether a rule decides nothing for any crawler, and the rules
// that make it so, each once. Without any it is the default.
func (s *ruleSets) idle(r *claimant) (grounds []*claimant, idle bool) {
	for _, i := range s.ofGroup[r.group] {
		for _, claim := range r.claims {
			if claim < 0 {
				continue
			}
			by, idle := s.idleClaim(&s.sets[i], claim)
			if !idle {
				return nil, false
			}
			if by >= 0 {
				if rule := &s.rules[s.claims[by].rule]; !slices.Contains(grounds, rule) {
					grounds = append(grounds, rule)
				}
			}
		}
	}
	return grounds, true
}

// idleClaim reports whether a claim decides nothing for the crawlers of a set,
// and the claim that makes it so, -1 for the default.
func (s *ruleSets) idleClaim(set *ruleSet, claim int32) (by int32, idle bool) {
	above, below, ok := s.cover(set, claim)
	if !ok || above >= 0 {
		return above, ok
	}
	a, low := &s.claims[claim], pattern.Weight(0)
	if below >= 0 {
		low = s.claims[below].weight
	} else if !a.allow {
		return -1, false
	}
	between, ok := s.clash(set, claim, low, a.weight, anyClaim)
	return below, ok && between < 0
}

// findDeadRule reports a rule that others make idle.
func (d *document) findDeadRule(s *ruleSets, r *claimant, grounds []*claimant) {
	l := d.line(r.Line)
	by := grounds[0]
	var f *Finding
	if !slices.ContainsFunc(grounds, func(by *claimant) bool { return by.Allow != r.Allow || by.Pattern != r.Pattern }) {
		f = d.findLine("RX214", l, "%s %s is on line %d already", directive(r), quote(r.Pattern), by.Line)
	} else {
		f = d.findLine("RX208", l, "%s %s decides nothing: line %d, %s %s, matches all that it matches%s",
			directive(r), quote(r.Pattern), by.Line, directive(by), quote(by.Pattern), s.reason(r, by))
	}
	f.Related = related(grounds)
	if edits := d.removal(l); edits != nil {
		f.Fix = &Fix{Title: "remove the line", Edits: edits}
	}
}

// reason says why a rule that matches all that r matches decides instead of it.
func (s *ruleSets) reason(r, by *claimant) string {
	switch {
	case by.Allow == r.Allow:
		return ""
	case s.traits.FirstMatch:
		return " and comes first"
	case by.Length == r.Length:
		return " and wins the tie"
	default:
		return " and is longer"
	}
}

// findIdleAllow reports an Allow that changes nothing about the default. That of
// everything is how many files say that they block nothing, and is left alone.
func (d *document) findIdleAllow(s *ruleSets, r *claimant) {
	if s.claims[r.claims[0]].MatchesEvery() || len(d.groups[r.group].rules) == 1 {
		return
	}
	d.findLine("RX218", d.line(r.Line), "Allow %s lifts nothing: no Disallow that it outweighs shares a URL with it, and what no rule matches is allowed anyway", quote(r.Pattern))
}

func directive(r *claimant) string {
	if r.Allow {
		return "Allow"
	}
	return "Disallow"
}

// related lists rules that a finding speaks of, the first few.
func related(rules []*claimant) []Related {
	const enough = 3
	var list []Related
	for _, r := range rules[:min(len(rules), enough)] {
		list = append(list, Related{r.Line, directive(r) + " " + quote(r.Pattern)})
	}
	return list
}
