package lint

import (
	"fmt"

	"github.com/kosterhq/robotstxt/internal/pattern"
)

var tieEntries = []Entry{
	{
		Code:     "RX209",
		Name:     "tie",
		Severity: Info,
		Title:    "An Allow and a Disallow of equal length match the same paths.",
		Why:      "Of two rules of equal length Allow decides (G50; RFC 9309 2.2.2). Not all crawlers know that, and one more byte in a pattern turns the verdict.",
		Bad:      "User-agent: *\nDisallow: /*.gif\nAllow: /logos\n",
		Good:     "User-agent: *\nDisallow: /*.gif\nAllow: /logos/\n",
	},
}

// inspectTies looks for Disallows that lose some of their paths to an Allow of
// the same length. Where they lose all, they are dead rules. An Allow such as
// "/*.css" may tie with many: that is one finding.
func inspectTies(d *document, s *ruleSets) {
	if s.traits.FirstMatch || !d.wants("RX209") {
		return
	}
	// By the winner, not by the loser: one change to the Allow settles them all.
	losers := map[*claimant][]*claimant{}
	for i := range s.rules {
		r := &s.rules[i]
		if r.Allow || r.removed || r.claims[0] < 0 || s.work < 0 {
			continue
		}
		if winner := s.tie(r); winner != nil {
			losers[winner] = append(losers[winner], r)
		}
	}
	for i := range s.rules {
		if winner := &s.rules[i]; losers[winner] != nil {
			d.findTie(winner, losers[winner])
		}
	}
}

func (d *document) findTie(winner *claimant, losers []*claimant) {
	more := ""
	if n := len(losers) - 1; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	f := d.findValue("RX209", d.line(winner.Line), "Allow %s is as long as Disallow %s on line %d%s: URLs that both match are allowed",
		quote(winner.Pattern), quote(losers[0].Pattern), losers[0].Line, more)
	f.Related = related(losers)
}

// tie returns an Allow that ties with a Disallow, nil if there is none or it
// cannot be told.
func (s *ruleSets) tie(r *claimant) *claimant {
	// Between all Disallows of this length and all rules of the next.
	low, high := pattern.Weigh(r.Length, false, 0), pattern.Lightest(r.Length+1)
	for _, i := range s.ofGroup[r.group] {
		set := &s.sets[i]
		if !set.wild {
			continue // other patterns of equal length share no path, or all
		}
		by, ok := s.clash(set, r.claims[0], low, high, func(c *claim) bool { return !s.rules[c.rule].removed })
		if ok && by >= 0 {
			return &s.rules[s.claims[by].rule]
		}
	}
	return nil
}
