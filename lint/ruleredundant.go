package lint

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/semdiff"
)

// Redundant rules
//
// semdiff.Minimize finds rules that can be removed, alone or any selection of them,
// without a change for any crawler. The search is made in the dialect of the profile. A
// removal is a plain fix only if it is possible in google and in rfc9309 too.

var rxDeadRule = &check{Entry{
	Code: "RX208", Name: "redundant-rule", Severity: Warning,
	Title: "A rule has no effect, because other rules decide about the same URLs.",
	Why:   "Of the rules that match a URL the longest decides, and Allow if two are equally long (RFC 9309 2.2.2, G49, G50). No URL exists, for any crawler, for which this rule makes a difference. It is info if the other rules say the same, and a warning if they say the opposite. The same rule twice is redundant too, because all groups that name a crawler count together (G38). With --pedantic two more kinds are reported: a rule that differs from the other one only in percent-encoding, and the only redundant rule of a file whose removal changes nothing. One finding is about all rules of a group that the same rule covers.",
	Bad:   "User-agent: *\nDisallow: /private\nDisallow: /private/archive\nDisallow: /private/press\n",
	Good:  "User-agent: *\nDisallow: /private\n",
}}

var rxDeadRulesUndecided = &check{Entry{
	Code: "RX216", Name: "dead-rules-undecided", Severity: Info,
	Title:   "The search for redundant rules was not finished.",
	Why:     "The linter compares rules with each other, with a bound on the number of steps. The other checks are complete.",
	Bad:     "User-agent: *\nDisallow: /*a*b\nDisallow: /*b*a\nDisallow: /*a*b*a\n",
	Good:    "User-agent: *\nDisallow: /*a*b\n",
	Example: Config{Steps: 150},
}}

var rxIdleAllow = &check{Entry{
	Code: "RX218", Name: "unnecessary-allow", Severity: Info, Pedantic: true,
	Title: "An Allow is unnecessary, because nothing blocks that path.",
	Why:   "A URL that no rule matches is allowed (RFC 9309 2.2.2, G52). An Allow is needed only as an exception to a shorter Disallow of the same group.",
	Bad:   "User-agent: *\nAllow: /shop/\nDisallow: /private/\n",
	Good:  "User-agent: *\nAllow: /private/press/\nDisallow: /private/\n",
}}

var deadRuleFamily = family{inspect: inspectDeadRules, checks: []*check{rxRedundantStar, rxDeadRule, rxTie, rxEmptyRule, rxPathOnNextLine, rxDeadRulesUndecided, rxIdleAllow}}

// inspectDeadRule inspects a rule that decides nothing because of another one, nil if several do.
func inspectDeadRule(d *document, s *ruleSets, r, by *claimant) {
	switch {
	case by != nil && by.Allow != r.Allow:
		findDeadRule(d, s, r, by)
	case !d.config.Pedantic && (!r.needless || d.respelt(r, by)): // crawlers with another dialect need it
	default:
		d.memory.redundant = append(d.memory.redundant, redundantRule{r, by})
	}
}

func inspectDeadRules(d *document) {
	if !slices.ContainsFunc(d.groups, func(g group) bool { return len(g.rules) > 0 }) {
		return
	}
	work := d.config.Steps // of cheaper steps, so that they have their own bound
	s := newRuleSets(d.robots, d.groups, &work, d.memory)
	removed := minimize(d, nil, d.robots)
	slices.SortFunc(removed, func(a, b semdiff.Removal) int { return cmp.Compare(a.Line, b.Line) })
	markNeedless(d, s, removed)
	inspectEmptyRules(d, s)
	for _, removal := range removed {
		r := s.at(removal.Line)
		by := s.at(removal.By)
		switch {
		case r.none || len(s.ofGroup(r.group)) == 0: // other findings are about it
			continue
		case removal.Idle || r.Allow && removal.By > 0 && by.Length == 0:
			// "Allow: /" is a usual way to say that nothing is blocked.
			if !s.pattern(r).MatchesEvery() {
				findIdleAllow(d, r)
			}
			continue
		}
		r.dead = true
		inspectDeadRule(d, s, r, by)
	}
	if redundant := d.memory.redundant; len(redundant) > 1 || d.config.Pedantic { // a single one is not worth a look at the file
		redundant.report(d)
	}
	inspectStars(d, s)
	inspectTies(d, s)
}

// respelt reports whether two rules differ only in how their path is written, such as %2b
// and %2B. Simple crawlers compare bytes, so authors write both.
func (d *document) respelt(r, by *claimant) bool {
	return by != nil && by.Pattern == r.Pattern && !bytes.Equal(d.line(r.Line).value(), d.line(by.Line).value())
}

// minimize returns the rules that can be removed, among those of some lines; nil means
// all lines.
func minimize(d *document, lines []int, readings ...*robotstxt.Robots) []semdiff.Removal {
	if d.audience.dialect.Traits().Records && hasBareCR(d.body) {
		return nil // a bare CR would join the LF of a removed line and hide an empty one
	}
	minimal, err := semdiff.Minimize(context.Background(), semdiff.Config{Steps: max(1, d.config.Steps-d.steps), Lines: lines}, readings...)
	if err != nil {
		return nil // the context has no end
	}
	d.steps += minimal.Steps
	if lines == nil && len(minimal.Undecided) > 0 {
		rules := 0
		for i := range d.groups {
			rules += len(d.groups[i].rules)
		}
		d.findFile(rxDeadRulesUndecided, "%d of %d rules were not compared with all others, because the bound of %d steps was reached.",
			num(len(minimal.Undecided)), num(rules), num(d.config.Steps))
	}
	return minimal.Removed
}

// markNeedless marks those rules that can be removed in all dialects of plain fixes.
func markNeedless(d *document, s *ruleSets, removed []semdiff.Removal) {
	if len(removed) == 0 {
		return
	}
	var open []int
	for _, removal := range removed {
		if r := s.at(removal.Line); d.elsewhere.same(r.group) {
			r.needless = true
		} else {
			open = append(open, removal.Line)
		}
	}
	if len(open) > 0 {
		for _, removal := range minimize(d, open, d.elsewhere.readings()...) {
			s.at(removal.Line).needless = true
		}
	}
}

// findDeadRule reports a rule against which another one always wins.
func findDeadRule(d *document, s *ruleSets, r, by *claimant) {
	f := d.findLine(rxDeadRule, d.line(r.Line), "This line has no effect: line %d, %s %s, matches the same URLs%s.",
		num(by.Line), str(directive(by)), quoteText(by.Pattern), str(s.reason(r, by)))
	f.Related = d.related(by)
	if r.needless {
		f.Fix = d.removalFix(d.line(r.Line))
	}
}

// removalFix is the fix that removes a line, nil if it cannot be.
func (d *document) removalFix(l *line) *Fix {
	edit, ok := d.removal(l)
	if !ok {
		return nil
	}
	edits := parts(&d.finder.edits, 1)
	edits[0] = edit
	return d.newFix("remove the line", edits, false)
}

// reason says why a rule of the other kind, which matches all that r matches, decides.
func (s *ruleSets) reason(r, by *claimant) string {
	switch {
	case s.traits.FirstMatch:
		return " and wins, because it comes first"
	case by.Length == r.Length:
		return " and wins, because Allow wins if both are equally long"
	default:
		return " and wins, because it is longer"
	}
}

// findIdleAllow reports an Allow for what is allowed without it.
func findIdleAllow(d *document, r *claimant) {
	d.findLine(rxIdleAllow, d.line(r.Line), "This Allow is unnecessary: nothing blocks that path.")
}

func directive(r *claimant) string {
	if r.Allow {
		return "Allow"
	}
	return "Disallow"
}

// related lists the first rules that a finding is about.
func (d *document) related(rules ...*claimant) []Related {
	const enough = 3
	rules = rules[:min(len(rules), enough)]
	list := parts(&d.finder.related, len(rules))
	for i, r := range rules {
		list[i] = d.relatedRule(r)
	}
	return list
}

func (d *document) relatedRule(r *claimant) Related {
	return Related{r.Line, d.message("%s %s", []shown{str(directive(r)), quoteText(r.Pattern)})}
}

func hasBareCR(body []byte) bool {
	return bytes.Count(body, []byte("\r")) != bytes.Count(body, []byte("\r\n"))
}

var rxEmptyRule = &check{Entry{
	Code: "RX210", Name: "empty-rule", Severity: Info,
	Title: "An empty Disallow or Allow has no effect beside other rules.",
	Why:   "A rule without a path matches nothing (RFC 9309 2.2.2, G51). Beside other rules an empty Disallow does not cancel them.",
	Bad:   "User-agent: *\nDisallow:\nDisallow: /private/\n",
	Good:  "User-agent: *\nDisallow: /private/\n",
}}

// inspectEmptyRules looks for rules without a path beside other rules.
func inspectEmptyRules(d *document, s *ruleSets) {
	for i := range d.groups {
		rules := s.rules[s.from[i]:s.from[i+1]]
		withPath := slices.ContainsFunc(rules, func(r claimant) bool { return r.Pattern != "" })
		for i := range rules {
			r := &rules[i]
			if r.Pattern != "" {
				continue
			}
			l := d.line(r.Line)
			if findPathBelow(d, l, r) || !withPath || !restricts(d.groups[r.group].rules) && !d.config.Pedantic {
				continue
			}
			f := d.findLine(rxEmptyRule, l, "This empty %s has no effect, because the group has other rules.", str(directive(r)))
			if r.needless {
				f.Fix = d.removalFix(l)
			}
		}
	}
}

var rxPathOnNextLine = &check{Entry{
	Code: "RX215", Name: "path-on-next-line", Severity: Warning,
	Title: "The path is on the line after its Disallow.",
	Why:   "A rule is one line (RFC 9309 2.2). The Disallow blocks nothing, and crawlers ignore the line with the path (G15).",
	Bad:   "User-agent: *\nDisallow:\n/private/\n",
	Good:  "User-agent: *\nDisallow: /private/\n",
}}

// findPathBelow reports an empty Disallow whose path is on the next line. Two slashes are
// not a path: they begin a comment in other languages.
func findPathBelow(d *document, l *line, r *claimant) bool {
	if r.Allow || l.number == len(d.lines) {
		return false
	}
	next := d.line(l.number + 1)
	path, _, _ := bytes.Cut(bytes.TrimSpace(next.raw()), []byte("#"))
	if path = bytes.TrimSpace(path); len(path) == 0 || path[0] != '/' || bytes.HasPrefix(path, []byte("//")) {
		return false
	}
	f := d.findLine(rxPathOnNextLine, l, "This Disallow blocks nothing: its path, %s, is on the next line.", quote(path))
	f.Related = []Related{{next.number, "crawlers ignore this line"}}
	if !bytes.ContainsAny(path, " \t\x00") {
		f.Fix = &Fix{
			Title:   "put the path after the Disallow",
			Edits:   append([]Edit{{l.valueAt(), l.valueAt(), " " + string(path)}}, next.remove()...),
			Meaning: true,
		}
	}
	return true
}
