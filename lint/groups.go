package lint

import (
	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

var runFamily = family{inspect: inspectRuns, checks: []*check{rxJoinedGroups, rxRuleOutsideGroup, rxBlankLineInGroup, rxJoinedAcrossBlankLine}}

// runs follows how lines follow each other within groups.
type runs struct {
	d     *document
	agent *line // the last user-agent line
	ruled bool  // a rule was seen behind it
	other *line // the first line behind it that is neither rule, blank nor comment
	last  *line // the last such line
	blank int   // index of the first blank line behind the last user-agent line or rule; -1 without one

	split   bool // a blank line within the group is reported
	orphans bool // a rule outside of all groups is reported

	asked      int32 // the group that restricted is about, plus 1
	restricted bool  // it disallows something
}

// restricts reports whether the group of a line disallows anything. It is asked
// for each line of a run, and remembers the answer.
func (r *runs) restricts(l *line) bool {
	if r.asked != l.group+1 {
		r.asked, r.restricted = l.group+1, restricts(r.d.groups[l.group].rules)
	}
	return r.restricted
}

// inspectRuns looks at what stands between the lines of groups.
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
			if r.other == nil {
				r.other = l
			}
			r.last = l
		}
	}
}

// readAgent takes a user-agent line. It may belong to the group of the one before,
// whatever stands between them, as long as no rule does (G34).
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
	r.agent, r.ruled, r.other, r.last, r.blank = l, false, nil, nil, -1
}

// readRule takes an Allow or Disallow line. Before any user-agent line it belongs to
// no one (G37); behind a blank line it does not for some.
func (r *runs) readRule(i int) {
	switch {
	case r.agent == nil:
		r.findOrphans(i)
	case r.blank >= 0:
		r.findSplit(i)
	}
	r.ruled, r.blank = true, -1
}

var rxJoinedGroups = &check{Entry{
	Code: "RX301", Name: "joined-groups", Severity: Error,
	Title: "Two groups are one, because there is no rule between their user-agent lines.",
	Why:   "Only Allow and Disallow end a run of user-agent lines. A Crawl-delay, a Sitemap or any other line does not, so that the crawlers above share the rules below (G34, RFC 9309 2.2.4). Until 2021 Google's parser read it otherwise, and others still do.",
	Bad:   "User-agent: SlowBot\nCrawl-delay: 5\n\nUser-agent: BadBot\nDisallow: /\n\nUser-agent: *\nDisallow: /private/\n",
	Good:  "User-agent: SlowBot\nCrawl-delay: 5\nDisallow:\n\nUser-agent: BadBot\nDisallow: /\n\nUser-agent: *\nDisallow: /private/\n",
}}

// findJoined reports a user-agent line whose group began further up, though other
// lines stand between. It matters if that gives rules to someone else.
func (r *runs) findJoined(l *line) {
	d := r.d
	if ascii.EqualFold(l.value(), r.agent.value()) || !r.restricts(l) {
		return
	}
	f := d.findValue(rxJoinedGroups, l, "%s shares its rules with %s above, because there is no rule between them, only %s on line %d",
		quote(l.value()), quote(r.agent.value()), lineName(r.other), num(r.other.number))
	f.Related = []Related{
		{r.agent.number, "this user-agent line belongs to the same group"},
		{r.other.number, "this line does not end it"},
	}
	// An empty rule ends the run and allows what was allowed without it.
	more := []string{"Disallow:"}
	if d.lines[r.last.number].kind != robotstxt.KindEmpty {
		more = append(more, "") // where empty rules are none, a blank line parts the groups
	}
	f.Fix = &Fix{Title: "separate the groups with an empty Disallow", Edits: d.insertAfter(r.last, more...), Meaning: true}
}

// restricts reports whether any of the rules disallows anything.
func restricts(rules []robotstxt.Rule) bool {
	for i := range rules {
		if !rules[i].Allow && rules[i].Pattern != "" {
			return true
		}
	}
	return false
}

var rxJoinedAcrossBlankLine = &check{Entry{
	Code: "RX310", Name: "joined-across-blank-line", Severity: Info,
	Title: "A blank line is between user-agent lines that share the rules after them.",
	Why:   "It looks as if there were two groups, but a blank line parts nothing (G34, RFC 9309 2.2). Readers of the old texts end the first record there, and allow everything to its crawlers.",
	Bad:   "User-agent: FooBot\n\nUser-agent: BarBot\nDisallow: /\n\nUser-agent: *\nDisallow: /private/\n",
	Good:  "User-agent: FooBot\nUser-agent: BarBot\nDisallow: /\n\nUser-agent: *\nDisallow: /private/\n",
}}

// findBlankBetween reports a user-agent line whose group began above a blank line.
func (r *runs) findBlankBetween(l *line) {
	d := r.d
	if ascii.EqualFold(l.value(), r.agent.value()) || !r.restricts(l) {
		return
	}
	f := d.findValue(rxJoinedAcrossBlankLine, l, "%s shares its rules with %s above the blank line: blank lines part no groups",
		quote(l.value()), quote(r.agent.value()))
	f.Related = []Related{{r.agent.number, "this user-agent line belongs to the same group"}}
}

var rxBlankLineInGroup = &check{Entry{
	Code: "RX309", Name: "blank-line-in-group", Severity: Off,
	Title:   "A group contains a blank line.",
	Why:     "Where blank lines end records, the rules below it belong to no one: so in the texts of 1994 and 1996 (Koster 3.2), and at Yandex, which reports rules without a user-agent line then. RFC 9309 and Google pass over blank lines (G34).",
	Bad:     "User-agent: *\nDisallow: /a/\n\nDisallow: /b/\n",
	Good:    "User-agent: *\nDisallow: /a/\nDisallow: /b/\n",
	Example: Config{Profile: Yandex},
}}

// findSplit reports a blank line within a group, once for the group: behind the
// first one nothing belongs to it for those who end records there.
func (r *runs) findSplit(i int) {
	if r.split || !r.d.wants(rxBlankLineInGroup) {
		return
	}
	r.split = true
	d, l := r.d, &r.d.lines[i]
	f := d.findLine(rxBlankLineInGroup, &d.lines[r.blank], "a blank line ends the group of %s for readers of the texts of 1994 and 1996, and for Yandex: line %d and the rules behind it belong to no one", quote(r.agent.value()), num(l.number))
	f.Related = []Related{{l.number, "this line is the first that is lost"}}
	f.Fix = &Fix{Title: "remove the blank lines within the group", Edits: blanksWithin(d, r.blank, i), Meaning: true}
}

// blanksWithin is the edit that takes out the blank lines of a group, from the
// first one on, those behind its last rule excepted. The line at i is known to
// belong to the group.
func blanksWithin(d *document, first, i int) []Edit {
	var edits, pending []Edit
	for k := first; k < len(d.lines); k++ {
		l := &d.lines[k]
		switch l.kind {
		case robotstxt.KindEmpty:
			pending = append(pending, l.remove()...)
		case robotstxt.KindUserAgent:
			if k > i {
				return edits
			}
			edits, pending = append(edits, pending...), nil
		case robotstxt.KindAllow, robotstxt.KindDisallow:
			edits, pending = append(edits, pending...), nil
		}
	}
	return edits
}

var rxRuleOutsideGroup = &check{Entry{
	Code: "RX304", Name: "rule-outside-group", Severity: Error,
	Title: "A rule is before the first user-agent line.",
	Why:   "It belongs to no group, so that no crawler obeys it (G37, RFC 9309 2.2.1).",
	Bad:   "Disallow: /private/\n",
	Good:  "User-agent: *\nDisallow: /private/\n",
}}

// findOrphans reports the rules before the first user-agent line, once. If that
// line is lost, its own finding says all.
func (r *runs) findOrphans(i int) {
	d := r.d
	if r.orphans {
		return
	}
	r.orphans = true
	for k := range i {
		if l := &d.lines[k]; l.told && lostAgent(d, l) {
			return
		}
	}
	n := 0
	for k := i; k < len(d.lines) && d.lines[k].kind != robotstxt.KindUserAgent; k++ {
		if kind := d.lines[k].kind; kind == robotstxt.KindAllow || kind == robotstxt.KindDisallow {
			n++
		}
	}
	l := &d.lines[i]
	message := "the rule is before the first user-agent line, so no crawler obeys it"
	if n > 1 {
		message = number(n, "rule") + " are before the first user-agent line, so no crawler obeys them"
	}
	f := d.findLine(rxRuleOutsideGroup, l, "%s", str(message))
	// Before a byte order mark nothing can be put.
	if l.number > 1 || d.markLen() == 0 {
		f.Fix = &Fix{Title: "put them under User-agent: *", Edits: []Edit{{l.offset(), l.offset(), "User-agent: *" + d.newline()}}, Meaning: true}
	}
}

// lostAgent reports whether a line would be a user-agent line but for the bytes
// before its key, or for its missing colon.
func lostAgent(d *document, l *line) bool {
	if _, end := strayMark(d, l); end > 0 {
		return lineAlone(l.raw()[end:]).Kind == robotstxt.KindUserAgent
	}
	return l.kind == robotstxt.KindNoDirective && nearlyDirective(l) > 0 && ascii.HasPrefixFold(l.content(), "user")
}
