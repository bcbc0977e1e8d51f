package lint

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/semdiff"
)

// Which rules decide nothing
//
// That is what semdiff.Minimize finds: rules that can go, alone and in any choice,
// for every crawler. They are looked for in the profile's dialect. A removal is a
// plain fix only if it is one in google and in rfc9309 too.

var rxDeadRule = &check{Entry{
	Code:     "RX208",
	Name:     "dead-rule",
	Severity: Warning,
	Title:    "A rule decides nothing, because another rule decides the same paths.",
	Why:      "The longest rule that matches decides, Allow on a tie (G49, G50; RFC 9309 2.2.2). No path exists, for no crawler, on which this rule makes a difference: either it was meant to say something else, or it only makes the file longer.",
	Bad:      "User-agent: *\nDisallow: /private\nDisallow: /private/archive\n",
	Good:     "User-agent: *\nDisallow: /private\n",
}}

var rxDuplicateRule = &check{Entry{
	Code:     "RX214",
	Name:     "duplicate-rule",
	Severity: Warning,
	Title:    "A rule is there twice.",
	Why:      "All groups that name a crawler count together (G38), and of equal rules one is enough. The two will differ after the next change.",
	Bad:      "User-agent: *\nDisallow: /tmp/\nDisallow: /cgi-bin/\nDisallow: /tmp/\n",
	Good:     "User-agent: *\nDisallow: /tmp/\nDisallow: /cgi-bin/\n",
}}

var rxDeadRulesUndecided = &check{Entry{
	Code:     "RX216",
	Name:     "dead-rules-undecided",
	Severity: Info,
	Title:    "The search for rules that decide nothing was given up.",
	Why:      "Rules are compared with each other, and the work for that is bounded, so that no file can hold up the check.",
	Bad:      "User-agent: *\nDisallow: /*a*b\nDisallow: /*b*a\nDisallow: /*a*b*a\n",
	Good:     "User-agent: *\nDisallow: /*a*b\n",
	Example:  Config{Work: 150},
}}

var rxIdleAllow = &check{Entry{
	Code:     "RX218",
	Name:     "idle-allow",
	Severity: Info,
	Title:    "An Allow lifts nothing, because no Disallow that it outweighs shares a path with it.",
	Why:      "What no rule matches is allowed (G52; RFC 9309 2.2.2). An Allow is only needed as an exception to a shorter Disallow of the same group.",
	Bad:      "User-agent: *\nAllow: /shop/\nDisallow: /private/\n",
	Good:     "User-agent: *\nAllow: /private/press/\nDisallow: /private/\n",
}}

var deadRuleFamily = family{inspect: inspectDeadRules, checks: []*check{rxRedundantStar, rxDeadRule, rxTie, rxEmptyRule, rxDuplicateRule, rxPathOnNextLine, rxDeadRulesUndecided, rxIdleAllow}}

func inspectDeadRules(d *document) {
	if !slices.ContainsFunc(d.groups, func(g group) bool { return len(g.rules) > 0 }) {
		return
	}
	work := d.config.Work
	s := newRuleSets(d.robots, d.groups, &work)
	removed := minimize(d, nil, d.robots)
	slices.SortFunc(removed, func(a, b semdiff.Removal) int { return cmp.Compare(a.Line, b.Line) })
	needless := needlessElsewhere(d, s, removed)
	inspectEmptyRules(d, s, needless)
	dead := make(map[int]bool)
	for _, removal := range removed {
		r := s.at(removal.Line)
		switch {
		case r.none || len(s.ofGroup[r.group]) == 0: // other findings say so
		case removal.Idle || r.Allow && removal.By > 0 && s.at(removal.By).Length == 0:
			// That of everything is how many files say that they block nothing.
			if !s.pattern(r).MatchesEvery() {
				findIdleAllow(d, r)
			}
		default:
			dead[r.Line] = true
			findDeadRule(d, s, r, s.at(removal.By), needless[r.Line])
		}
	}
	inspectStars(d, s, dead)
	inspectTies(d, s, dead)
}

// minimize returns the rules of some lines that can go, nil for all lines.
func minimize(d *document, lines []int, readings ...*robotstxt.Robots) []semdiff.Removal {
	if d.audience.dialect.Traits().Records && hasBareCR(d.body) {
		return nil // a bare CR would join the LF of a removed line and hide an empty one
	}
	minimal, err := semdiff.Minimize(context.Background(), semdiff.Config{Steps: d.config.Work, Lines: lines}, readings...)
	if err != nil {
		return nil // the context has no end
	}
	if lines == nil && len(minimal.Undecided) > 0 {
		rules := 0
		for i := range d.groups {
			rules += len(d.groups[i].rules)
		}
		d.findFile(rxDeadRulesUndecided, "%d of %d rules were not compared with all others, which may decide the same: the bound of %d steps was used up, a larger one decides more",
			num(len(minimal.Undecided)), num(rules), num(d.config.Work))
	}
	return minimal.Removed
}

// needlessElsewhere returns the lines of those rules that can go in all dialects
// of plain fixes.
func needlessElsewhere(d *document, s *ruleSets, removed []semdiff.Removal) map[int]bool {
	lines := make(map[int]bool, len(removed))
	if len(removed) == 0 {
		return lines
	}
	same := d.elsewhere.same()
	var open []int
	for _, removal := range removed {
		if same != nil && same[s.at(removal.Line).group] {
			lines[removal.Line] = true
		} else {
			open = append(open, removal.Line)
		}
	}
	if len(open) > 0 {
		for _, removal := range minimize(d, open, d.elsewhere.readings()...) {
			lines[removal.Line] = true
		}
	}
	return lines
}

// findDeadRule reports a rule that another one, or several together, make
// needless.
func findDeadRule(d *document, s *ruleSets, r, by *claimant, safe bool) {
	l := d.line(r.Line)
	var f *Finding
	switch {
	case by == nil:
		f = d.findLine(rxDeadRule, l, "%s %s decides nothing: other rules together decide all that it matches", str(directive(r)), quoteText(r.Pattern))
	case by.Allow == r.Allow && by.Pattern == r.Pattern:
		f = d.findLine(rxDuplicateRule, l, "%s %s is on line %d already", str(directive(r)), quoteText(r.Pattern), num(by.Line))
	default:
		f = d.findLine(rxDeadRule, l, "%s %s decides nothing: line %d, %s %s, matches all that it matches%s",
			str(directive(r)), quoteText(r.Pattern), num(by.Line), str(directive(by)), quoteText(by.Pattern), str(s.reason(r, by)))
	}
	if by != nil {
		f.Related = related([]*claimant{by})
	}
	if safe {
		f.Fix = d.removalFix(l)
	}
}

// removalFix is the fix that removes a line, nil if it cannot be.
func (d *document) removalFix(l *line) *Fix {
	edits := d.removal(l)
	if edits == nil {
		return nil
	}
	return &Fix{Title: "remove the line", Edits: edits}
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

// findIdleAllow reports an Allow that changes nothing about the default.
func findIdleAllow(d *document, r *claimant) {
	d.findLine(rxIdleAllow, d.line(r.Line), "Allow %s lifts nothing: no Disallow that it outweighs shares a URL with it, and what no rule matches is allowed anyway", quoteText(r.Pattern))
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
		list = append(list, Related{r.Line, directive(r) + " " + quoteText(r.Pattern).String()})
	}
	return list
}

func hasBareCR(body []byte) bool {
	return bytes.Count(body, []byte("\r")) != bytes.Count(body, []byte("\r\n"))
}

var rxEmptyRule = &check{Entry{
	Code:     "RX210",
	Name:     "empty-rule",
	Severity: Info,
	Title:    "A rule without a path decides nothing, because its group has other rules.",
	Why:      "A rule without a path weighs nothing (G51; RFC 9309 2.2.2): it neither blocks anything nor takes back what the other rules of its group say.",
	Bad:      "User-agent: *\nDisallow:\nDisallow: /private/\n",
	Good:     "User-agent: *\nDisallow: /private/\n",
}}

// inspectEmptyRules looks for rules without a path that stand beside others. The
// line of a needless one may be removed.
func inspectEmptyRules(d *document, s *ruleSets, needless map[int]bool) {
	for i := range d.groups {
		rules := s.rules[s.from[i]:s.from[i+1]]
		withPath := slices.ContainsFunc(rules, func(r claimant) bool { return r.Pattern != "" })
		for i := range rules {
			r := &rules[i]
			if r.Pattern != "" {
				continue
			}
			l := d.line(r.Line)
			if findPathBelow(d, l, r) || !withPath {
				continue
			}
			f := d.findLine(rxEmptyRule, l, "%s without a path decides nothing beside the other rules of its group", str(directive(r)))
			if needless[r.Line] {
				f.Fix = d.removalFix(l)
			}
		}
	}
}

var rxPathOnNextLine = &check{Entry{
	Code:     "RX215",
	Name:     "path-on-next-line",
	Severity: Warning,
	Title:    "A Disallow without a path is followed by a path on a line of its own.",
	Why:      "A rule is one line (RFC 9309 2.2). The Disallow blocks nothing, and the line with the path is passed over (G15).",
	Bad:      "User-agent: *\nDisallow:\n/private/\n",
	Good:     "User-agent: *\nDisallow: /private/\n",
}}

// findPathBelow reports an empty Disallow whose path stands on the next line. Two
// slashes are no path: they begin a comment in other languages.
func findPathBelow(d *document, l *line, r *claimant) bool {
	if r.Allow || l.number == len(d.lines) {
		return false
	}
	next := d.line(l.number + 1)
	path, _, _ := bytes.Cut(bytes.TrimSpace(next.raw()), []byte("#"))
	if path = bytes.TrimSpace(path); len(path) == 0 || path[0] != '/' || bytes.HasPrefix(path, []byte("//")) {
		return false
	}
	f := d.findLine(rxPathOnNextLine, l, "Disallow has no path, so it blocks nothing; %s on the next line is passed over", quote(path))
	f.Related = []Related{{next.number, "a path without a directive"}}
	if !bytes.ContainsAny(path, " \t\x00") {
		f.Fix = &Fix{
			Title:   "put the path after the Disallow",
			Edits:   append([]Edit{{l.valueAt(), l.valueAt(), " " + string(path)}}, next.remove()...),
			Meaning: true,
		}
	}
	return true
}
