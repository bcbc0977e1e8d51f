package lint

import (
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

var bareGroupFamily = family{inspect: inspectBareGroups, checks: []*check{rxDropsRulesForAll, rxGroupWithoutRules}}

// inspectBareGroups looks for groups that disallow nothing without saying so.
func inspectBareGroups(d *document) {
	restriction := restrictionOfAll(d)
	for i := range d.groups {
		g := &d.groups[i]
		switch {
		case restricts(g.rules):
		case len(g.rules) == 0:
			inspectRuleless(d, i, restriction)
		case restriction > 0 && allowsParts(g.rules) && standsAlone(d, i):
			f := findDropped(d, g, restriction, "only allows what is allowed anyway")
			f.Related = append(f.Related, Related{g.rules[0].Line, "this Allow has nothing to stand against"})
		}
	}
}

// restrictionOfAll returns the line of the first rule for "*" that disallows
// anything, 0 if there is none.
func restrictionOfAll(d *document) int {
	for i := range d.groups {
		if !forAll(d, &d.groups[i]) {
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
func forAll(d *document, g *group) bool {
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
func standsAlone(d *document, number int) bool {
	if d.agents.shared()[number] {
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

var rxGroupWithoutRules = &check{Entry{
	Code: "RX305", Name: "group-without-rules", Severity: Warning,
	Title: "A group has no rules.",
	Why:   "It allows everything to the crawlers that it names, and hides the rules for * from them (G40). Other parsers may join it with what follows. An empty Disallow says the same without doubt.",
	Bad:   "User-agent: *\nDisallow: /private/\n\nUser-agent: FooBot\n",
	Good:  "User-agent: *\nDisallow: /private/\n\nUser-agent: FooBot\nDisallow:\n",
}}

// inspectRuleless looks at a group without rules.
func inspectRuleless(d *document, number, restriction int) {
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
	if other != nil && restriction > 0 && standsAlone(d, number) {
		findDropped(d, g, restriction, "has no rules, only "+lineName(other).String())
		return
	}
	l, says := d.line(g.agents[0].Line), "everything is allowed"
	if d.agents.shared()[number] && !d.audience.firstGroup {
		says += ", except what other groups for the same crawlers disallow"
	}
	f := d.findLine(rxGroupWithoutRules, l, "the group of %s has no rules: %s", quote(l.value()), str(says))
	// Where empty lines do not end groups, those of the next group may be its rules.
	f.Fix = &Fix{Title: "say so with an empty Disallow", Edits: d.insertAfter(d.line(end), "Disallow:"), Meaning: d.audience.dialect.Traits().Records}
}

var rxDropsRulesForAll = &check{Entry{
	Code: "RX303", Name: "drops-rules-for-all", Severity: Warning,
	Title: "A group forbids nothing, and so lifts the rules for * from the crawlers that it names.",
	Why:   "A crawler obeys the group that names it instead of the one for *, not beside it (G40, G41, RFC 9309 2.2.1). A group of nothing but a Crawl-delay, or of Allow lines for a part of the site, was most likely meant to add to the rules for *; alone it allows the whole site. A group that is meant to says so with an empty Disallow.",
	Bad:   "User-agent: *\nDisallow: /private/\n\nUser-agent: ImageBot\nAllow: /images/\n",
	Good:  "User-agent: *\nDisallow: /private/\n\nUser-agent: ImageBot\nAllow: /images/\nDisallow: /private/\n",
}}

// findDropped reports a group that lifts the rules for "*" without saying so.
func findDropped(d *document, g *group, restriction int, what string) *Finding {
	l := d.line(g.agents[0].Line)
	f := d.findLine(rxDropsRulesForAll, l, "the group of %s %s, and lifts the rules for * from it: it may fetch everything", quote(l.value()), str(what))
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

var rxRepeatedAgent = &check{Entry{
	Code: "RX302", Name: "repeated-agent", Severity: Info,
	Title: "Several groups name the same crawler.",
	Why:   "Google and RFC 9309 2.2.1 take the rules of all of them together (G38). Older readers take the first group only, and Yandex wants a single one for *.",
	Bad:   "User-agent: *\nDisallow: /a/\n\nUser-agent: FooBot\nDisallow: /b/\n\nUser-agent: *\nDisallow: /c/\n",
	Good:  "User-agent: *\nDisallow: /a/\nDisallow: /c/\n\nUser-agent: FooBot\nDisallow: /b/\n",
}}

var repeatFamily = family{inspect: inspectRepeats, checks: []*check{rxRepeatedAgent}}

// inspectRepeats looks for crawlers that several groups name. Values that only
// become equal where their token is cut are a matter of RX1xx.
func inspectRepeats(d *document) {
	if len(d.groups) < 2 || !d.wants(rxRepeatedAgent) {
		return
	}
	// Lines of equal values are neighbours in the index, in the order of the file.
	index := d.agents.all()
	first := 0
	for i := 1; i < len(index); i++ {
		l, before := d.line(index[i].line), d.line(index[first].line)
		if index[i].token == "" || !ascii.EqualFold(l.value(), before.value()) {
			first = i
			continue
		}
		if l.group != d.line(index[i-1].line).group {
			findRepeated(d, l, before)
		}
	}
}

// findRepeated reports a user-agent line of a crawler that an earlier group names.
func findRepeated(d *document, l, before *line) {
	what := "most crawlers take the rules of both together, older ones only the first"
	if d.audience.firstGroup {
		what = "only the first counts"
	}
	f := d.findValue(rxRepeatedAgent, l, "%s has a group of its own on line %d already: %s", quote(l.value()), num(before.number), str(what))
	f.Related = []Related{{before.number, "the first group that names it"}}
}

var rxNoGroupForAll = &check{Entry{
	Code: "RX306", Name: "no-group-for-all", Severity: Info,
	Title: "There is no group for *.",
	Why:   "Crawlers that no group names may fetch everything (RFC 9309 2.2.1).",
	Bad:   "User-agent: FooBot\nDisallow: /private/\n",
	Good:  "User-agent: FooBot\nDisallow: /private/\n\nUser-agent: *\nDisallow: /private/\n",
}}

var rxSiteOpen = &check{Entry{
	Code: "RX308", Name: "site-open", Severity: Off,
	Title:   "The site is not closed to all crawlers.",
	Why:     "A site that nobody should find needs Disallow: / for *, and no group that lets a crawler in: a group that names one replaces the rules for * (G40). A robots.txt is a request; what must stay hidden needs a password.",
	Bad:     "User-agent: *\nDisallow: /private/\n",
	Good:    "User-agent: *\nDisallow: /\n",
	Example: Config{Profile: Staging},
}}

var everyoneFamily = family{inspect: inspectEveryone, checks: []*check{rxNoGroupForAll}}

// inspectEveryone looks for a group for those that no group names.
func inspectEveryone(d *document) {
	if len(d.groups) == 0 || d.wants(rxSiteOpen) || slices.ContainsFunc(d.lines, func(l line) bool { return l.kind == robotstxt.KindUserAgent && namesAll(&l) }) {
		return
	}
	d.findFile(rxNoGroupForAll, "there is no group for *: crawlers that no group names may fetch everything")
}

var rxSiteClosed = &check{Entry{
	Code: "RX307", Name: "site-closed", Severity: Warning,
	Title: "The site is closed: a rule disallows everything, the home page included.",
	Why:   "Search engines then show at most bare addresses of the site. It is a rule for a site in the making, and easily left in when that goes live. A site that lets the profile's main crawler in by name is not reported.",
	Bad:   "User-agent: *\nDisallow: /\n",
	Good:  "User-agent: *\nDisallow: /private/\n",
}}

var siteClosedFamily = family{inspect: inspectSiteClosed, checks: []*check{rxSiteClosed}}

// inspectSiteClosed looks for a rule that closes the site to the main crawler of
// the profile. An Allow that opens the home page again opens the site.
func inspectSiteClosed(d *document) {
	if len(d.groups) == 0 || !d.wants(rxSiteClosed) {
		return
	}
	rules := d.robots.Rules(d.audience.tokens...)
	// The home page stands for the site: an Allow of another part leaves a site
	// that cannot be found from its address.
	allowed, number := rules.Verdict("/")
	if allowed || number == 0 {
		return
	}
	l := d.line(number)
	if !everything(string(l.value())) {
		return
	}
	who := "all crawlers that no group names"
	if g := &d.groups[l.group]; !forAll(d, g) {
		who = quoteText(g.agents[0].Token).String()
	}
	d.findLine(rxSiteClosed, l, "the site is closed to %s", str(who))
}

var siteOpenFamily = family{inspect: inspectSiteOpen, checks: []*check{rxSiteOpen}}

// inspectSiteOpen looks for what lets crawlers into a site that should be closed.
func inspectSiteOpen(d *document) {
	if !d.wants(rxSiteOpen) {
		return
	}
	index := d.agents.all()
	closing := make([]closure, len(d.groups))
	for i := range d.groups {
		closing[i] = closureOf(d.groups[i].rules)
	}
	// Groups that name the same crawler count together, so each token is looked at
	// once. A token that no one has cannot let anyone in.
	everyone := false
	for start := 0; start < len(index); {
		end := start + 1
		for end < len(index) && ascii.EqualFold(index[start].token, index[end].token) {
			end++
		}
		token := index[start].token
		everyone = everyone || token == "*"
		if token != "" {
			inspectLetIn(d, index[start:end], closing)
		}
		start = end
	}
	if !everyone {
		start, newline := d.markLen(), d.newline()
		f := d.findFile(rxSiteOpen, "the site is open: no group for * closes it")
		f.Fix = &Fix{Title: "close it", Edits: []Edit{{start, start, "User-agent: *" + newline + "Disallow: /" + newline + newline}}, Meaning: true}
	}
}

// closure is what a group does to close the site.
type closure struct {
	closed bool // a rule disallows everything
	opens  int  // the line of the first Allow of more than the robots.txt, 0 without one
}

// closureOf tells what rules do. An Allow of the robots.txt opens nothing that is
// worth hiding.
func closureOf(rules []robotstxt.Rule) (c closure) {
	for _, r := range rules {
		switch {
		case !r.Allow && everything(r.Pattern):
			c.closed = true
		case r.Allow && c.opens == 0 && r.Pattern != "" && strings.TrimSuffix(r.Pattern, "$") != "/robots.txt":
			c.opens = r.Line
		}
	}
	return c
}

// inspectLetIn looks whether the groups that name a crawler close the site to it.
func inspectLetIn(d *document, agents []agentLine, closing []closure) {
	first := slices.MinFunc(agents, func(a, b agentLine) int { return a.line - b.line })
	// Where groups are not merged, what later ones open or close reaches nobody.
	if d.audience.firstGroup {
		agents = []agentLine{first}
	}
	closed, opens := false, 0
	for _, a := range agents {
		c := closing[d.line(a.line).group]
		closed = closed || c.closed
		if opens == 0 {
			opens = c.opens
		}
	}
	who, l := quoteText(first.token), d.line(first.line)
	switch {
	case !closed:
		g := d.groups[l.group]
		f := d.findLine(rxSiteOpen, l, "the site is open to %s: its group does not disallow everything", who)
		f.Fix = &Fix{Title: "close it", Edits: d.insertAfter(d.line(g.agents[len(g.agents)-1].Line), "Disallow: /"), Meaning: true}
	case opens > 0:
		allow := d.line(opens)
		f := d.findLine(rxSiteOpen, allow, "a part of the site is open to %s", who)
		f.Fix = &Fix{Title: "remove the Allow", Edits: allow.remove(), Meaning: true}
	}
}
