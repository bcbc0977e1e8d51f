package lint

import "fmt"

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
func inspectTies(d *document, s *ruleSets, dead map[int]bool) {
	if s.traits.FirstMatch || !d.wants("RX209") {
		return
	}
	// By the winner, not by the loser: one change to the Allow settles them all.
	losers := map[*claimant][]*claimant{}
	for i := range s.rules {
		r := &s.rules[i]
		if r.Allow || r.none || dead[r.Line] {
			continue
		}
		winner, _ := s.rival(r, r.Length, r.Length, func(c *claim) bool { return c.pattern.Priority() == r.Length && !dead[c.rule.Line] })
		if winner != nil {
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
