package lint

import (
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

// inspectBareGroups looks for groups that disallow nothing without saying so.
func (d *document) inspectBareGroups() {
	restriction := d.restrictionOfAll()
	for i := range d.groups {
		g := &d.groups[i]
		switch {
		case restricts(g.rules):
		case len(g.rules) == 0:
			d.inspectRuleless(i, restriction)
		case restriction > 0 && allowsParts(g.rules) && d.standsAlone(i):
			f := d.findDropped(g, restriction, "only allows what is allowed anyway")
			f.Related = append(f.Related, Related{g.rules[0].Line, "this Allow has nothing to stand against"})
		}
	}
}

// restrictionOfAll returns the line of the first rule for "*" that disallows
// anything, 0 if there is none.
func (d *document) restrictionOfAll() int {
	for i := range d.groups {
		if !d.forAll(&d.groups[i]) {
			continue
		}
		for _, rule := range d.groups[i].rules {
			if !rule.Allow && rule.Pattern != "" {
				return rule.Line
			}
		}
		if d.audience.firstGroup {
			break
		}
	}
	return 0
}

// forAll reports whether a user-agent line of the group speaks to all crawlers.
func (d *document) forAll(g *group) bool {
	return slices.ContainsFunc(g.agents, func(a robotstxt.Agent) bool { return namesAll(d.line(a.Line)) })
}

// allowsParts reports whether rules that disallow nothing are Allow lines for
// parts of the site. One for all of it, or an empty one, says what it means.
func allowsParts(rules []robotstxt.Rule) bool {
	return !slices.ContainsFunc(rules, func(r robotstxt.Rule) bool { return r.Pattern == "" || everything(r.Pattern) })
}

// everything reports whether a pattern matches every path.
func everything(pattern string) bool {
	rest := strings.TrimPrefix(pattern, "/")
	return pattern != "" && strings.Trim(rest, "*") == ""
}

// standsAlone reports whether a group is all that its crawlers obey: it does not
// name "*", no other group names them, and none of them passes over the rules for
// "*" in any case.
func (d *document) standsAlone(number int) bool {
	if d.sharedGroups()[number] {
		return false
	}
	for _, a := range d.groups[number].agents {
		// "*" itself lifts nothing from anyone, and an empty token is no one's.
		if strings.Trim(a.Token, "*") == "" {
			return false
		}
		if c, ok := crawlers.Find(a.Token); ok && c.Obeys == crawlers.ObeysNamed {
			return false
		}
	}
	return true
}

// sharedGroups returns for each group whether another one names a crawler of it.
func (d *document) sharedGroups() []bool {
	if d.shared != nil {
		return d.shared
	}
	d.shared = make([]bool, len(d.groups))
	index := d.agentIndex()
	for start, i := 0, 1; i < len(index); i++ {
		if index[i].token == "" || !ascii.EqualFold(index[i].token, index[start].token) {
			start = i
			continue
		}
		if a, b := d.line(index[start].line).group, d.line(index[i].line).group; a != b {
			d.shared[a], d.shared[b] = true, true
		}
	}
	return d.shared
}

// inspectRuleless looks at a group without rules.
func (d *document) inspectRuleless(number, restriction int) {
	g := &d.groups[number]
	last := g.agents[len(g.agents)-1].Line
	var other *line
	end := last // the last line of the group
	for k := last; k < len(d.lines) && d.lines[k].kind != robotstxt.KindUserAgent; k++ {
		switch l := &d.lines[k]; l.kind {
		case robotstxt.KindAllow, robotstxt.KindDisallow:
			// An empty one says so, though the dialect passes over it. Another one
			// is lost behind a blank line, which is reported as what it is.
			return
		case robotstxt.KindUnused:
			if other == nil && l.group >= 0 {
				other, end = l, l.number
			}
		}
	}
	if other != nil && restriction > 0 && d.standsAlone(number) {
		d.findDropped(g, restriction, "has no rules, only "+lineName(other))
		return
	}
	l, says := d.line(g.agents[0].Line), "everything is allowed"
	if d.sharedGroups()[number] && !d.audience.firstGroup {
		says += ", except what other groups for the same crawlers disallow"
	}
	f := d.findLine("RX305", l, "the group of %s has no rules: %s", quote(l.value()), says)
	// Where empty lines do not end groups, those of the next group may be its rules.
	f.Fix = &Fix{Title: "say so with an empty Disallow", Edits: d.insertAfter(d.line(end), "Disallow:"), Meaning: d.audience.dialect.Traits().Records}
}

// findDropped reports a group that lifts the rules for "*" without saying so.
func (d *document) findDropped(g *group, restriction int, what string) *Finding {
	l := d.line(g.agents[0].Line)
	f := d.findLine("RX303", l, "the group of %s %s, and lifts the rules for * from it: it may fetch everything", quote(l.value()), what)
	const shown = 20
	for _, a := range g.agents {
		if len(f.For) == shown {
			break
		}
		f.For = append(f.For, a.Token)
	}
	f.Related = []Related{{restriction, "this rule for * does not hold for it"}}
	return f
}
