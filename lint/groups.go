package lint

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

type runs struct {
	d              *document
	agent          *line // the last user-agent line
	ruled          bool  // a rule was seen after it
	other          *line // the first line after it that is neither a rule, blank, nor a comment
	joined, spaced int32 // the groups that findJoined and findBlankBetween reported last, plus 1
	blank          int   // index of the first blank line after the last user-agent line or rule; -1 without one

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
			if r.other == nil {
				r.other = l
			}
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
	case r.other != nil:
		r.findJoined(l)
	case r.blank >= 0 && r.d.audience.blankLines:
		r.findSplit(i)
	case r.blank >= 0:
		r.findBlankBetween(l)
	}
	r.agent = l
	r.ruled, r.other, r.blank = false, nil, -1
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

var rxJoinedGroups = &check{unclear: true, Entry: Entry{
	Code: "RX301", Name: "joined-groups", Severity: Error,
	Title: "Crawlers share rules that look like the rules of another group.",
	Why:   "Only Allow and Disallow end a list of User-agent lines. A Crawl-delay, a Sitemap, any other line or a blank line does not, so the crawlers above it share the rules below it (RFC 9309 2.2.4, G34). Until 2021 Google read this differently, and some crawlers still do. It is info if only a blank line is between the User-agent lines, if the crawler above is retired, or if one of the lines is for all crawlers; RX307 then reports a closed site. One finding covers the User-agent lines of a group. Not reported if the rules close nothing.",
	Bad:   "User-agent: SlowBot\nCrawl-delay: 5\n\nUser-agent: BadBot\nDisallow: /\n\nUser-agent: *\nDisallow: /private/\n",
	Good:  "User-agent: SlowBot\nCrawl-delay: 5\nDisallow:\n\nUser-agent: BadBot\nDisallow: /\n\nUser-agent: *\nDisallow: /private/\n",
}}

// findJoined reports a user-agent line whose group began above other lines. It matters only if another
// crawler gets rules by that, and less if the rules are for all crawlers.
func (r *runs) findJoined(l *line) {
	d := r.d
	g := &d.groups[l.group]
	if len(r.agent.value()) == 0 || ascii.EqualFold(l.value(), r.agent.value()) ||
		g.restriction == 0 || r.joined == l.group+1 {
		return
	}
	r.joined = l.group + 1
	var f *Finding
	switch {
	case namesAll(r.agent):
		f = d.findValue(rxJoinedGroups, l, "These rules are for all crawlers without a group of their own, not only for %s, because no Allow or Disallow is between the User-agent lines, only %s.", quote(l.value()), lineName(r.other))
		d.soften(f, Info) // RX307 reports a closed site
	case g.forAll:
		key := ascii.ToLower(string(r.other.key()))
		effect := choose(key == "crawl-delay" || key == "request-rate", " Some crawlers apply that line to both, and older ones give "+quote(r.agent.value()).String()+" no rules.", "")
		f = d.findValue(rxJoinedGroups, l, "%s also follows these rules for *, because no Allow or Disallow is between the User-agent lines, only %s.%s", quote(r.agent.value()), lineName(r.other), effect)
		d.soften(f, Info)
	default:
		effect := choose(g.closed, fmt.Sprintf(", so the site is closed to %s too", quote(r.agent.value())), "")
		f = d.findValue(rxJoinedGroups, l, "%s shares its rules with %s on line %d%s, because no Allow or Disallow is between them, only %s.",
			quote(l.value()), quote(r.agent.value()), r.agent.number, effect, lineName(r.other))
		if c, _ := findCrawler(string(r.agent.value())); c.Status == crawlers.Retired {
			d.soften(f, Info)
		}
	}
	f.Related = []Related{
		{r.agent.number, "the rules also apply to this crawler"},
		{r.other.number, "this line does not end the group"},
	}
	r.addBelow(f, l)
}

// addBelow adds to a finding the further user-agent lines of its group, which then have none.
func (r *runs) addBelow(f *Finding, l *line) {
	agents := r.d.groups[l.group].agents
	for len(agents) > 0 && agents[0].Line <= l.number {
		agents = agents[1:]
	}
	f.Message += alsoBelow(len(agents), "User-agent line")
	for _, a := range agents[:min(len(agents), maxRepeated)] {
		f.Related = append(f.Related, Related{a.Line, "the rules also apply to this crawler"})
	}
}

func (r *runs) findBlankBetween(l *line) {
	d := r.d
	if ascii.EqualFold(l.value(), r.agent.value()) || d.groups[l.group].restriction == 0 || r.spaced == l.group+1 {
		return
	}
	r.spaced = l.group + 1
	f := d.findValue(rxJoinedGroups, l, "%s shares its rules with %s on line %d, because a blank line does not separate groups.", quote(l.value()), quote(r.agent.value()), r.agent.number)
	f.Related = []Related{{r.agent.number, "the rules also apply to this crawler"}}
	d.soften(f, Info)
	r.addBelow(f, l)
}

var rxBlankLineInGroup = &check{Entry: Entry{
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

var rxRuleOutsideGroup = &check{unclear: true, Entry: Entry{
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
	l.unclear = true
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
	f := d.findLine(rxRuleOutsideGroup, l, "%s", message)
	if !disallows && restrictionOfAll(d) == 0 {
		d.soften(f, Info) // what they allow is allowed anyway
	}
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
