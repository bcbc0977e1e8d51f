package lint

import (
	"bytes"
	"slices"

	"github.com/kosterhq/robotstxt"
)

type runs struct {
	d     *document
	agent *line // the last user-agent line
	ruled bool  // a rule was seen after it
	other bool  // a line was seen after it that is neither a rule, blank, nor a comment
	blank int   // index of the first blank line after the last user-agent line or rule; -1 without one

	split   bool // a blank line within the group is reported
	orphans bool // a rule outside of all groups is reported
}

func inspectRuns(d *document) {
	r := runs{d: d, blank: -1}
	for i := range d.lines {
		l := &d.lines[i]
		switch l.kind {
		case robotstxt.KindUserAgent:
			r.readAgent(i)
		case robotstxt.KindAllow, robotstxt.KindDisallow:
			r.readRule(i)
		case robotstxt.KindEmpty:
			if r.blank < 0 {
				r.blank = i
			}
		case robotstxt.KindComment:
		default:
			if r.agent == nil && isMeantAsRule(*l) {
				r.findOrphans(i)
			}
			r.other = true
		}
	}
}

// readAgent reads a user-agent line. It belongs to the group of the user-agent line before
// unless a rule is between them (G34).
func (r *runs) readAgent(i int) {
	l := &r.d.lines[i]
	joined := r.agent != nil && r.agent.group == l.group && !r.ruled
	switch {
	case !joined:
		r.split = false
	case !r.other && r.blank >= 0 && r.d.audience.blankLines:
		r.findSplit(i)
	}
	r.agent = l
	r.ruled, r.other, r.blank = false, false, -1
}

// readRule reads an Allow or Disallow line. Before any user-agent line it belongs to no
// group (G37). For some crawlers, it belongs to no group after a blank line either.
func (r *runs) readRule(i int) {
	switch {
	case r.agent == nil:
		r.findOrphans(i)
	case r.blank >= 0:
		r.findSplit(i)
	}
	r.ruled, r.blank = true, -1
}

var rxBlankLineInGroup = check{Entry: &Entry{
	Code: "RX309", Name: "blank-line-in-group", Severity: Off,
	Profiles: map[Profile]Severity{Yandex: Warning, Koster1996: Warning},
	Title:    "A blank line is inside a group.",
	Why:      "For Yandex, and for crawlers that follow the 1994 and 1996 specifications, a blank line ends the group (Koster 3.2), so the rules after it apply to no crawler. Google and RFC 9309 ignore blank lines (G34). Not reported after the last rule of a group.",
	Bad:      "User-agent: *\nDisallow: /a/\n\nDisallow: /b/\n",
	Good:     "User-agent: *\nDisallow: /a/\nDisallow: /b/\n",
	Example:  Config{Profile: Yandex},
}}

// findSplit reports a blank line within a group, once for the group: crawlers that end
// groups there ignore everything after the first one.
func (r *runs) findSplit(i int) {
	if r.split || !r.d.wants(rxBlankLineInGroup) {
		return
	}
	r.split = true
	d := r.d
	l := &d.lines[i]
	f := d.findLine(rxBlankLineInGroup, &d.lines[r.blank], "For Yandex and older crawlers this blank line ends the group of %s, so they ignore line %d and the rules after it.", quote(r.agent.value()), l.number)
	f.Related = []Related{{l.number, "the first line that they ignore"}}
	f.Fix = &Fix{Title: "remove the blank lines within the group", Edits: blanksWithin(d, r.blank, i), Meaning: true}
}

// blanksWithin is the edit that removes the blank lines of a group, from the first one
// to its last rule. The line at i belongs to the group.
func blanksWithin(d *document, first, i int) []Edit {
	var edits, pending []Edit
	for k := first; k < len(d.lines); k++ {
		l := &d.lines[k]
		switch {
		case l.kind == robotstxt.KindEmpty:
			pending = append(pending, l.remove())
		case l.kind == robotstxt.KindUserAgent && k > i:
			return edits
		case l.kind == robotstxt.KindUserAgent || isRule(l):
			edits, pending = append(edits, pending...), nil
		}
	}
	return edits
}

var rxRuleOutsideGroup = check{Entry: &Entry{
	Code: "RX304", Name: "rule-outside-group", Severity: Error,
	Title: "A rule is before the first User-agent line.",
	Why:   "A rule applies to the crawlers that the User-agent lines above it name (RFC 9309 2.2.1, G37). Without such a line it applies to no crawler. It is info if all such rules are Allow lines, and no group for * disallows anything. Not reported if the User-agent line above is lost, which is another finding.",
	Bad:   "Disallow: /private/\n",
	Good:  "User-agent: *\nDisallow: /private/\n",
}}

// findOrphans reports the rules before the first user-agent line, once. Lines that other fixes make rules count too.
// It reports nothing if that line is lost, which is another finding.
func (r *runs) findOrphans(i int) {
	d := r.d
	if r.orphans {
		return
	}
	r.orphans = true
	first := &d.lines[i]
	l := first
	n := 0
	closes := false
	disallows := false
	for k := i; k < len(d.lines) && d.lines[k].kind != robotstxt.KindUserAgent && !losesAgent(&d.lines[k]); k++ {
		if kind, value := ruleMeant(&d.lines[k]); kind > 0 {
			n++
			closes = closes || kind == robotstxt.KindDisallow && isEverything(string(value))
			disallows = disallows || kind == robotstxt.KindDisallow && len(value) > 0
			if isRule(&d.lines[k]) && !isRule(l) {
				l = &d.lines[k]
			}
		}
	}
	if d.hasLostAgent(i) {
		return
	}
	edits := []Edit{{first.offset(), first.offset(), "User-agent: *" + d.newlineOf(l)}}
	if !isRule(l) {
		lost := d.lostEdits(l)
		if len(lost) == 0 || d.suppressions.hide(rxUnreadMisspelling, l.number) ||
			d.suppressions.hide(rxDirectiveWithoutColon, l.number) {
			return
		}
		edits = append(edits, lost...)
	}
	message := choose(n > 1, "No User-agent line is above these "+number(n, "rule")+", so they apply to no crawler.", "No User-agent line is above this rule, so it applies to no crawler.")
	harmless := !disallows && restrictionOfAll(d) == 0 // what they allow is allowed anyway
	f := d.findLine(rxRuleOutsideGroup.infoIf(harmless), l, "%s", message)
	if above := commentedAgent(d, i); above != nil {
		f.Message = "The User-agent line above is a comment, so this rule applies to no crawler."
		f.Related = []Related{{above.number, "the User-agent line in a comment"}}
		return
	}
	// A line that crawlers do not know might name the intended crawlers. An insertion before a byte order mark
	// would move it.
	unknown := func(l line) bool {
		return bareValue(&l) != "" || l.kind == robotstxt.KindUnknown && !l.missingColon && !isMeantAsRule(l) &&
			!isForeignComment(l.key()) && !isSentence(l.key(), l.value())
	}
	if !closes && !slices.ContainsFunc(d.lines[:i], unknown) && (first.number > 1 || d.markLen() == 0) {
		f.Fix = d.mend("insert User-agent: * above", edits...)
	}
}

// commentedAgent returns the user-agent line in a comment above the first rule of a file, nil
// if there is none.
func commentedAgent(d *document, rule int) *line {
	for i := rule - 1; i >= 0; i-- {
		l := &d.lines[i]
		text := l.comment()
		if l.kind != robotstxt.KindComment {
			text = l.content()
			if i == 0 {
				text = text[d.markLen():]
			}
			if !isForeignComment(text) {
				continue
			}
		}
		text = bytes.TrimLeft(text, "# \t")
		if isForeignComment(text) {
			text = bytes.TrimLeft(text, ";/*<!- \t")
		}
		alone := lineAlone(text)
		if within := newLine(&alone, &text); within.kind == robotstxt.KindUserAgent || losesAgent(&within) {
			return l
		}
	}
	return nil
}

// hasLostAgent reports whether one of the first n lines is lost to crawlers, which is another
// finding, and would else be a user-agent line. The lines are inspected once.
func (d *document) hasLostAgent(n int) bool {
	if d.firstLost == 0 {
		d.firstLost = 1
		for d.firstLost <= len(d.lines) && !losesAgent(d.line(d.firstLost)) {
			d.firstLost++
		}
	}
	return d.firstLost <= n
}

var rxRulesInTheWrongGroup = check{Entry: &Entry{
	Code: "RX314", Name: "rules-in-the-wrong-group", Severity: Warning,
	Title: "Rules that look as if they were for all apply only to the crawlers above.",
	Why:   "A blank line or a comment does not end a group (RFC 9309 2.2, G34). Often a group for one crawler was inserted in front of the rules for all, so these apply to that crawler only. Reported if rules for parts of the site follow one for everything and a gap. It is info after an Allow.",
	Bad:   "User-agent: rogerbot\nDisallow: /\n\nDisallow: /search/\nDisallow: /cart/\n",
	Good:  "User-agent: rogerbot\nDisallow: /\n\nUser-agent: *\nDisallow: /search/\nDisallow: /cart/\n",
}}

func inspectMisplaced(d *document) {
	for i := range d.groups {
		g := &d.groups[i]
		n := d.misplaced(g)
		if n > 0 {
			d.findMisplaced(g, n)
		}
	}
}

// misplaced returns how many rules of a group are before those that look as if they were for all: a gap is before
// these, or no group is for all. It is 0 if there are none.
func (d *document) misplaced(g *group) int {
	n := slices.IndexFunc(g.rules, func(r robotstxt.Rule) bool { return !d.isForAll(r) })
	if n <= 0 || g.forAll {
		return 0
	}
	before, first, rest := g.rules[n-1], g.rules[n], g.rules[n:]
	gap := slices.ContainsFunc(d.lines[before.Line:first.Line-1], isGap) ||
		before.Pattern == "" && !d.namesEveryone() // the User-agent line of the rest might be lost
	if !gap || !d.areForParts(rest) || !d.opensForAll(rest) {
		return 0
	}
	return n
}

// namesEveryone reports whether a line names all crawlers, or means to. The lines are read once.
func (d *document) namesEveryone() bool {
	if d.everyone == 0 {
		names := slices.ContainsFunc(d.lines, func(l line) bool {
			return l.kind == robotstxt.KindUserAgent && (namesAll(&l) || isEveryone(string(l.value())))
		})
		d.everyone = choose(names, 1, -1)
	}
	return d.everyone > 0
}

func (d *document) findMisplaced(g *group, n int) {
	before, first, rest := g.rules[n-1], g.rules[n], g.rules[n:]
	more := len(g.agents) - 1
	who := d.nameOf(g.agents[0]) + choose(more > 0, " and "+number(more, "other crawler"), "")
	format := "These %d rules apply to %s only. Put them under User-agent: *%s if they are for all."
	args := []any{len(rest), who, choose(d.hasOthers(g), " and into the other groups, which do not follow it,", "")}
	if len(rest) == 1 {
		format, args = "This rule applies to %s only. Put it under User-agent: *%s if it is for all.", args[1:]
	}
	f := d.findLine(rxRulesInTheWrongGroup.infoIf(before.Allow), d.line(first.Line), format, args...)
	f.Related = []Related{relatedRule(&before)}
}

// hasOthers reports whether the file has groups for named crawlers in addition to one. What is put under * does not
// apply to these.
func (d *document) hasOthers(g *group) bool {
	return slices.ContainsFunc(d.groups, func(other group) bool {
		return !other.forAll && other.agents[0].Line != g.agents[0].Line
	})
}

// opensForAll reports whether the crawlers without a group may fetch a path that one of the rules closes.
// Each question takes time in proportion to the rules of the group for *, so the first rules decide.
func (d *document) opensForAll(rules []robotstxt.Rule) bool {
	const most = 20
	star := d.robots.Rules()
	return slices.ContainsFunc(rules[:min(len(rules), most)], func(r robotstxt.Rule) bool {
		if r.Allow {
			return false
		}
		open, _ := star.Verdict(exemplar(r.Pattern))
		return open
	})
}
