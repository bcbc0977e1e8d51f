package lint

import (
	"bytes"
	"iter"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/pattern"
)

var bareGroupFamily = family{inspect: inspectBareGroups, checks: []*check{rxDropsRulesForAll}}

// inspectBareGroups looks for groups that disallow nothing, which may be unintended.
func inspectBareGroups(d *document) {
	restriction := restrictionOfAll(d)
	for i := range d.groups {
		g := &d.groups[i]
		switch {
		case restricts(g.rules):
		case len(g.rules) == 0:
			inspectRuleless(d, i, restriction)
		case restriction > 0 && allowsParts(d, g.rules) && standsAlone(d, i):
			f := findDropped(d, g, restriction)
			f.Related = append(f.Related, Related{g.rules[0].Line, "this Allow changes nothing, because nothing here blocks it"})
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
		if line := restriction(d.groups[i].rules); line > 0 || d.audience.firstGroup {
			return line
		}
	}
	return 0
}

// forAll reports whether a user-agent line of the group matches all crawlers.
func forAll(d *document, g *group) bool {
	return slices.ContainsFunc(g.agents, func(a robotstxt.Agent) bool { return namesAll(d.line(a.Line)) })
}

// allowsParts reports whether rules that disallow nothing are Allow lines for only some of
// the site. A rule for all of it, or an empty one, is intended.
func allowsParts(d *document, rules []robotstxt.Rule) bool {
	return !slices.ContainsFunc(rules, func(r robotstxt.Rule) bool { return r.Pattern == "" || d.everything(r.Pattern) })
}

// everything reports whether a rule with a pattern matches every path. A rule without a
// pattern matches none.
func (d *document) everything(text string) bool {
	return text != "" && pattern.New(text, d.audience.dialect.Traits().Wildcards).MatchesEvery()
}

// ruleOf returns the rule of a line, nil if it has none.
func (d *document) ruleOf(l *line) *robotstxt.Rule {
	rules := d.groups[l.group].rules
	if i := slices.IndexFunc(rules, func(r robotstxt.Rule) bool { return r.Line == l.number }); i >= 0 {
		return &rules[i]
	}
	return nil
}

// standsAlone reports whether the crawlers of a group follow it alone, but would follow the
// rules for "*" without it.
func standsAlone(d *document, number int) bool {
	if d.agents.shared()[number] {
		return false
	}
	for _, a := range d.groups[number].agents {
		// the group for "*" replaces nothing, and an empty token matches no crawler
		if strings.Trim(a.Token, "*") == "" {
			return false
		}
		if c, ok := findCrawler(a.Token); ok && c.Obeys == crawlers.ObeysNamed {
			return false
		}
	}
	return true
}

// endOf returns the last line of a group without rules, and whether it has another line than
// user-agent lines. ruled means that a rule is after it: an empty rule shows that this is meant,
// even if the dialect ignores it. Another one is lost after a blank line, which is another finding.
func (d *document) endOf(g *group) (end int, extended, ruled bool) {
	last := g.agents[len(g.agents)-1].Line
	end = last
	for k := last; k < len(d.lines) && d.lines[k].kind != robotstxt.KindUserAgent; k++ {
		switch l := &d.lines[k]; l.kind {
		case robotstxt.KindAllow, robotstxt.KindDisallow:
			return end, extended, true
		case robotstxt.KindUnused:
			if !extended && l.group >= 0 {
				extended, end = true, l.number
			}
		}
	}
	return end, extended, false
}

// inspectRuleless inspects a group without rules.
func inspectRuleless(d *document, number, restriction int) {
	g := &d.groups[number]
	end, extended, ruled := d.endOf(g)
	if ruled {
		return
	}
	alone := !d.agents.shared()[number] || d.audience.firstGroup
	switch {
	case restriction > 0 && standsAlone(d, number):
		findDropped(d, g, restriction)
		return
	case !d.config.Pedantic && (extended || !alone || forAll(d, g)):
		return // a Crawl-delay needs no rules, the rules of other groups count too, and a group for * is usual
	}
	message := "No rules here: these crawlers may fetch everything."
	if !alone {
		message = "No rules here: only other groups for these crawlers apply."
	}
	f := d.findLine(rxDropsRulesForAll, d.line(g.agents[0].Line), "%s", str(message))
	d.soften(f, Info)
	if d.isUnclear(g) {
		return
	}
	// Where empty lines do not end groups, those of the next group may be its rules. Some
	// crawlers follow the rules for "*" if their group has none.
	f.Fix = &Fix{Title: "show that with an empty Disallow", Edits: d.insertAfter(d.line(end), "Disallow:"), Meaning: d.audience.dialect.Traits().Records || restriction > 0}
}

// isUnclear reports whether a group may have lost a rule: a name in it is no token, or a line
// before the next group is not read.
func (d *document) isUnclear(g *group) bool {
	last := g.agents[len(g.agents)-1].Line
	for k := g.agents[0].Line - 1; k < len(d.lines); k++ {
		switch l := &d.lines[k]; {
		case l.kind == robotstxt.KindUserAgent && l.number > last:
			return false
		case l.kind == robotstxt.KindUserAgent && tokenLen(l.value()) < len(l.value()) && string(l.value()) != "*",
			l.told, l.kind == robotstxt.KindNoDirective, l.kind == robotstxt.KindUnknown:
			return true
		}
	}
	return false
}

var rxDropsRulesForAll = &check{Entry{
	Code: "RX303", Name: "drops-rules-for-all", Severity: Warning,
	Title: "Crawlers may fetch everything, because their own group blocks nothing.",
	Why:   "A crawler follows the group that names it, and then no line of the group for * (RFC 9309 2.2.1, G40, G41). A group with only a Crawl-delay, or with only Allow lines for a part of the site, adds nothing to the rules for *: it replaces them. Repeat the rules in the group, or write an empty Disallow if the crawler shall fetch everything. It is info if the group names no main crawler of the profile.",
	Bad:   "User-agent: *\nDisallow: /private/\n\nUser-agent: bingbot\nCrawl-delay: 5\n",
	Good:  "User-agent: *\nDisallow: /private/\n\nUser-agent: bingbot\nCrawl-delay: 5\nDisallow: /private/\n",
}}

// findDropped reports a group whose crawlers ignore the rules for "*".
func findDropped(d *document, g *group, restriction int) *Finding {
	const most = 20
	var names []string
	main := false
	for _, a := range g.agents {
		name := a.Token
		c, known := findCrawler(d.line(a.Line).value())
		if known {
			name = c.Token
		}
		main = main || d.audience.isMain(name)
		if len(names) < most {
			names = append(names, name)
		}
	}
	format, who := "%s follows only this group and ignores your * rules, so it may crawl everything.", names[0]
	if len(g.agents) > 1 {
		format, who = "%s follow only this group and ignore your * rules, so they may crawl everything.", "These "+number(len(g.agents), "crawler")
	}
	f := d.findLine(rxDropsRulesForAll, d.line(g.agents[0].Line), format, str(who))
	f.For = names
	f.Related = []Related{{restriction, "a rule for * that does not apply here"}}
	if !main {
		d.soften(f, Info)
	}
	return f
}

var rxRepeatedAgent = &check{Entry{
	Code: "RX302", Name: "repeated-agent", Severity: Warning,
	Title: "A crawler has several groups.",
	Why:   "Google and RFC 9309 2.2.1 put the rules of all these groups together (G38). Older crawlers follow only the first group, so one group is clearer. For Yandex several groups for * are an error: that is a warning in its profile.",
	Bad:   "User-agent: *\nDisallow: /a/\n\nUser-agent: FooBot\nDisallow: /b/\n\nUser-agent: *\nDisallow: /c/\n",
	Good:  "User-agent: *\nDisallow: /a/\nDisallow: /c/\n\nUser-agent: FooBot\nDisallow: /b/\n",
}}

var repeatFamily = family{inspect: inspectRepeats, checks: []*check{rxRepeatedAgent}}

// inspectRepeats looks for crawlers that several groups name. Values that are equal only
// because their tokens are cut have findings RX1xx.
func inspectRepeats(d *document) {
	if len(d.groups) < 2 {
		return
	}
	// Lines of equal values are neighbours in the index, in the order of the file.
	index := d.agents.all()
	first, found := 0, (*Finding)(nil) // of the current value
	for i := 1; i < len(index); i++ {
		l, before := d.line(index[i].line), d.line(index[first].line)
		if index[i].token == "" || !ascii.EqualFold(l.value(), before.value()) {
			first, found = i, nil
			continue
		}
		same := slices.EqualFunc(d.groups[l.group].rules, d.groups[before.group].rules, sameRule)
		switch {
		case l.group == d.line(index[i-1].line).group || same && !d.config.Pedantic:
		case found != nil && len(found.Related) == mostRepeated:
		case found != nil:
			found.Related = append(found.Related, Related{l.number, "another group that names it"})
		default:
			found = findRepeated(d, l, before)
		}
	}
}

// mostRepeated is how many other groups a finding lists.
const mostRepeated = 20

// sameRule reports whether two rules are equal, apart from their lines.
func sameRule(a, b robotstxt.Rule) bool { return a.Allow == b.Allow && a.Pattern == b.Pattern }

// findRepeated reports a user-agent line of a crawler that an earlier group names.
func findRepeated(d *document, l, before *line) *Finding {
	what := "Google follows both, some crawlers only the first"
	if d.audience.firstGroup {
		what = "only the first counts"
	}
	f := d.findValue(rxRepeatedAgent, l, "%s already has a group on line %d; %s.", quote(l.value()), num(before.number), str(what))
	f.Related = []Related{{before.number, "the first group that names it"}}
	if !d.audience.singleGroup || !namesAll(l) {
		d.soften(f, Info)
	}
	return f
}

var rxNoGroupForAll = &check{Entry{
	Code: "RX306", Name: "no-group-for-all", Severity: Info,
	Title: "There is no group for all other crawlers.",
	Why:   "Crawlers without a group of their own follow the group for *, and may fetch everything if there is none (RFC 9309 2.2.1). It is not reported if each group closes the whole site to its crawlers or blocks nothing.",
	Bad:   "User-agent: FooBot\nDisallow: /private/\n",
	Good:  "User-agent: FooBot\nDisallow: /private/\n\nUser-agent: *\nDisallow: /private/\n",
}}

var rxSiteOpen = &check{Entry{
	Code: "RX308", Name: "site-open", Severity: Off,
	Title:   "The site is open to crawlers.",
	Why:     "A site that search engines should not show needs Disallow: / for *, and no group that allows more to a crawler, because a crawler follows its own group and not the one for * (G40). A robots.txt is only a request; what must stay secret needs a password.",
	Bad:     "User-agent: *\nDisallow: /private/\n",
	Good:    "User-agent: *\nDisallow: /\n",
	Example: Config{Profile: Staging},
}}

var everyoneFamily = family{inspect: inspectEveryone, checks: []*check{rxNoGroupForAll}}

// inspectEveryone looks for a group for crawlers without a group of their own.
func inspectEveryone(d *document) {
	if len(d.groups) == 0 || d.wants(rxSiteOpen) {
		return
	}
	isStar := func(l line) bool { return l.kind == robotstxt.KindUserAgent && bytes.HasPrefix(l.value(), []byte("*")) }
	if d.lostAgent(len(d.lines)) || slices.ContainsFunc(d.lines, isStar) {
		return // a group for *, or what is wrong with it is another finding
	}
	partly := func(g group) bool {
		return restricts(g.rules) && !slices.ContainsFunc(g.rules, func(r robotstxt.Rule) bool { return d.everything(r.Pattern) })
	}
	if d.config.Pedantic || slices.ContainsFunc(d.groups, partly) {
		d.findFile(rxNoGroupForAll, "There is no group for *, so crawlers without a group of their own may fetch everything.")
	}
}

var rxSiteClosed = &check{Entry{
	Code: "RX307", Name: "site-closed", Severity: Warning,
	Title: "The site is closed to a search engine.",
	Why:   "A search engine that may fetch nothing shows at most the bare address of the site. Such a line is right while a site is built or tested, and is easily forgotten when the site goes live. Googlebot and bingbot are checked, in the other profiles their main crawler. It is info if it looks intended: the file has no other Disallow for the crawler, or closes the site to bingbot only. A file that closes the site to all and lists a sitemap of its own host looks forgotten, unless it lets a search engine in by name. In profile production it is an error.",
	Bad:   "User-agent: *\nDisallow: /\n",
	Good:  "User-agent: *\nDisallow: /private/\n",
}}

var rxHomePageClosed = &check{Entry{
	Code: "RX312", Name: "home-page-closed", Severity: Warning,
	Title: "The home page is closed to a search engine.",
	Why:   "The path /$ matches the home page and nothing else, because a $ at the end means the end of the URL (RFC 9309 2.2.3, G44). Search engines then do not show the most important page of the site.",
	Bad:   "User-agent: *\nDisallow: /$\n",
	Good:  "User-agent: *\nDisallow: /private/\n",
}}

var siteClosedFamily = family{inspect: inspectSiteClosed, checks: []*check{rxSiteClosed, rxHomePageClosed}}

// inspectSiteClosed looks for rules that close the site, or its home page, to the main
// crawlers of the profile.
func inspectSiteClosed(d *document) {
	if len(d.groups) == 0 {
		return
	}
	first := findClosed(d, d.audience.tokens, 0)
	for _, token := range d.audience.others {
		findClosed(d, []string{token}, first)
	}
}

// findClosed reports the line that closes the site to a crawler, and returns its number;
// it is 0 if the site is open. The line of another finding is not reported again. The
// home page represents the site: if only other paths are allowed, people do not find them.
func findClosed(d *document, tokens []string, reported int) (line int) {
	allowed, number := d.robots.Rules(tokens...).Verdict("/")
	if allowed || number == 0 || number == reported {
		return number
	}
	l := d.line(number)
	if reported == 0 && !isMainOf(d, tokens) && slices.ContainsFunc(d.findings, func(f Finding) bool { return f.Code == rxJoinedGroups.Code && d.line(f.Line).group == l.group }) {
		return number // that is why it is closed
	}
	named := !forAll(d, &d.groups[l.group])
	who := closedTo(d, l, tokens, named)
	if rule := d.ruleOf(l); rule == nil || !d.everything(rule.Pattern) {
		d.findLine(rxHomePageClosed, l, "This line closes the home page to %s.", str(who))
		return number
	}
	f := d.findLine(rxSiteClosed, l, "This line closes the site to %s%s.", str(who), str(exceptions(d.robots.Rules(tokens...))))
	intended := !isMainOf(d, tokens) || isOnly(d.robots.Rules(tokens...), number) && (named || !isPublished(d))
	if !d.audience.public && intended {
		d.soften(f, Info)
	}
	return number
}

// closedTo returns for whom a line closes the site, in words. named is true if its group names
// crawlers.
func closedTo(d *document, l *line, tokens []string, named bool) string {
	switch {
	case named:
		return d.groups[l.group].agents[0].Token
	case len(d.groups) > 1 && len(tokens) > 0:
		return tokens[0] + " and all other crawlers without a group of their own"
	}
	return "all crawlers"
}

// isPublished reports whether a closed site looks as if search engines should find it: the
// file lists a sitemap of its own host, and lets no search engine in by name.
func isPublished(d *document) bool {
	ours, listed := hostOf(d.config.URL), false
	for s := range d.robots.Sitemaps() {
		host := hostOf(s.URL)
		listed = listed || host != "" && (ours == "" && !isLocalHost(host) && !isTestHost(host) || host == ours)
	}
	if !listed {
		return false
	}
	for i := range d.groups {
		for _, a := range d.groups[i].agents {
			c, known := findCrawler(a.Token)
			if !known || !slices.Contains(c.Purposes, "search") {
				continue
			}
			if open, _ := d.robots.NamedRules(c.Token).Verdict("/"); open {
				return false
			}
		}
	}
	return true
}

// exceptions lists the first paths that rules allow, in a clause; it is empty if there are
// none.
func exceptions(rules robotstxt.Rules) string {
	var allowed []*robotstxt.Rule
	for r := range rulesOf(rules) {
		if opens(r) {
			allowed = append(allowed, &r)
		}
	}
	if len(allowed) == 0 {
		return ""
	}
	return ", except " + patternsOf(allowed)
}

// rulesOf yields the rules of all groups that a crawler follows.
func rulesOf(rules robotstxt.Rules) iter.Seq[robotstxt.Rule] {
	return func(yield func(robotstxt.Rule) bool) {
		for g := range rules.Groups() {
			for r := range g.Rules() {
				if !yield(r) {
					return
				}
			}
		}
	}
}

// anyRule reports whether one of these rules is as wanted.
func anyRule(rules robotstxt.Rules, wanted func(robotstxt.Rule) bool) bool {
	for r := range rulesOf(rules) {
		if wanted(r) {
			return true
		}
	}
	return false
}

// isMainOf reports whether tokens are those of the main crawler of the profile.
func isMainOf(d *document, tokens []string) bool {
	return len(tokens) == 0 || tokens[0] == d.audience.tokens[0]
}

// isOnly reports whether the rule of a line is the only Disallow with a path. Beside others
// a Disallow for everything looks like a mistake.
func isOnly(rules robotstxt.Rules, line int) bool {
	return !anyRule(rules, func(r robotstxt.Rule) bool { return !r.Allow && r.Pattern != "" && r.Line != line })
}

var siteOpenFamily = family{inspect: inspectSiteOpen, checks: []*check{rxSiteOpen}}

// inspectSiteOpen looks for groups that open a site that should be closed.
func inspectSiteOpen(d *document) {
	closing := make([]closure, len(d.groups))
	for i := range d.groups {
		closing[i] = closureOf(d, d.groups[i].rules)
	}
	// Groups that name the same crawler count together, so each token is inspected once.
	everyone := false
	for lines := range d.agents.byToken() {
		everyone = everyone || lines[0].token == "*"
		inspectLetIn(d, lines, closing)
	}
	if !everyone {
		start, newline := d.markLen(), d.newline()
		f := d.findFile(rxSiteOpen, "The site is open: there is no group for * with Disallow: /.")
		f.Fix = &Fix{Title: "close the site", Edits: []Edit{{start, start, "User-agent: *" + newline + "Disallow: /" + newline + newline}}, Meaning: true}
	}
}

// closure is what a group does to close the site.
type closure struct {
	closed bool // a rule disallows everything
	opens  int  // the line of the first Allow of more than the robots.txt, 0 without one
}

// opens reports whether a rule opens a part of a closed site. An Allow of the robots.txt itself
// does not.
func opens(r robotstxt.Rule) bool {
	return r.Allow && r.Pattern != "" && strings.TrimSuffix(r.Pattern, "$") != "/robots.txt"
}

// closureOf returns what rules do.
func closureOf(d *document, rules []robotstxt.Rule) (c closure) {
	for _, r := range rules {
		switch {
		case !r.Allow && d.everything(r.Pattern):
			c.closed = true
		case c.opens == 0 && opens(r):
			c.opens = r.Line
		}
	}
	return c
}

// inspectLetIn reports whether the groups that name a crawler leave the site open to it.
func inspectLetIn(d *document, agents []agentLine, closing []closure) {
	first := slices.MinFunc(agents, func(a, b agentLine) int { return a.line - b.line })
	// Where groups are not merged, later ones have no effect.
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
		f := d.findLine(rxSiteOpen, l, "The site is open to %s: this group does not contain Disallow: /.", who)
		f.Fix = &Fix{Title: "close the site", Edits: d.insertAfter(d.line(g.agents[len(g.agents)-1].Line), "Disallow: /"), Meaning: true}
	case opens > 0:
		allow := d.line(opens)
		f := d.findLine(rxSiteOpen, allow, "This line opens a part of the site to %s.", who)
		f.Fix = &Fix{Title: "remove the Allow", Edits: allow.remove(), Meaning: true}
	}
}
