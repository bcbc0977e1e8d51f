package lint

import (
	"bytes"
	"cmp"
	"fmt"
	"iter"
	"slices"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/agentname"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

// restrictionOfAll returns the line of the first rule for "*" that disallows
// anything, 0 if there is none.
func restrictionOfAll(d *document) int {
	for _, g := range d.groups {
		if g.forAll && (g.restriction > 0 || d.audience.firstGroup) {
			return g.restriction
		}
	}
	return 0
}

func (d *document) areForParts(rules []robotstxt.Rule) bool {
	return !slices.ContainsFunc(rules, func(r robotstxt.Rule) bool { return d.isForAll(r) })
}

// isForAll reports whether a rule is for all of the site, or empty.
func (d *document) isForAll(r robotstxt.Rule) bool { return r.Pattern == "" || d.matchesAll(r.Pattern) }

func (d *document) nameOf(a robotstxt.Agent) string {
	if c, known := findCrawler(d.valueOf(a)); known {
		return c.Token
	}
	return d.writtenName(a.Token, a.Line)
}

// writtenName returns the name in a user-agent line in which the dialect reads a token: it might read only
// the beginning of the name.
func (d *document) writtenName(token string, line int) string {
	return agentname.Of(token, string(d.line(line).value())).Text
}

// matchesAll reports whether a rule with a pattern matches every path. A rule without a
// pattern matches none.
func (d *document) matchesAll(text string) bool { return text != "" && d.pattern(text).MatchesEvery() }

func (d *document) ruleOf(l *line) *robotstxt.Rule {
	rules := d.groups[l.group].rules
	compare := func(r robotstxt.Rule, line int) int { return cmp.Compare(r.Line, line) }
	i, found := slices.BinarySearchFunc(rules, l.number, compare)
	if !found {
		return nil
	}
	return &rules[i]
}

func (d *document) ruleMatchesAll(r robotstxt.Rule) bool { return d.matchesAll(r.Pattern) }

var rxRepeatedAgent = check{Entry: &Entry{
	Code: "RX302", Name: "repeated-agent", Severity: Warning, Once: Info,
	Title: "A crawler has several groups.",
	Why:   "Google and RFC 9309 2.2.1 put the rules of all these groups together (G38); older crawlers follow only the first. It is a warning if they differ about the home page, or in profile yandex for several groups for *, and otherwise info. A group that changes nothing is reported with --pedantic, as are those of Google's crawlers.",
	Bad:   "User-agent: *\nDisallow: /a/\n\nUser-agent: FooBot\nDisallow: /b/\n\nUser-agent: *\nDisallow: /c/\n",
	Good:  "User-agent: *\nDisallow: /a/\nDisallow: /c/\n\nUser-agent: FooBot\nDisallow: /b/\n",
}}

// inspectRepeats looks for crawlers that several groups name. Values that are equal only
// because their tokens are cut have findings RX1xx.
func inspectRepeats(d *document) {
	// Lines of equal values are neighbours in the index, in the order of the file.
	index := d.agentLines()
	steps := maxSteps
	first := 0         // of the current value
	var found *Finding // about it
	for i := 1; i < len(index); i++ {
		l, before := d.line(index[i].line), d.line(index[first].line)
		if index[i].token == "" || !ascii.EqualFold(l.value(), before.value()) {
			first, found = i, nil
			continue
		}
		if !mayBeName(l.value()) && !namesAll(l) {
			continue // another finding is about the line
		}
		if l.group != before.group && d.findOpposed(l, index[first:i]) {
			continue
		}
		above := d.line(index[i-1].line)
		same := func() bool {
			later, first := &d.groups[l.group], &d.groups[before.group]
			steps -= len(later.rules) * len(first.rules)
			return steps > 0 && d.addsNothing(later, first)
		}
		c, _ := findCrawler(l.value())
		switch {
		case l.group == above.group && !d.isDelayed(above, l):
		case c.Operator == "Google" && !d.config.Pedantic: // it follows both
		case l.group != before.group && !d.config.Pedantic && !(d.audience.singleGroup && namesAll(l)) &&
			(d.groups[l.group].empty || same()):
		case found != nil && len(found.Related) == MaxRelated:
		case found != nil:
			found.Related = append(found.Related, Related{l.number, "another group that names it"})
		default:
			found = findRepeated(d, index[i].token, l, before)
		}
	}
}

// isDelayed reports whether a Crawl-delay is between two User-agent lines of a group that closes something. For some
// older crawlers, it ends the group.
func (d *document) isDelayed(above, l *line) bool {
	return d.groups[l.group].restriction > 0 && slices.ContainsFunc(d.lines[above.number:l.number-1], isDelay)
}

// addsNothing reports whether crawlers get the same from the first group of theirs alone: each rule of the later one
// is in it or allows what nothing closes, or it closes the whole site and the later one opens nothing.
func (d *document) addsNothing(later, first *group) bool {
	if first.closed && later.opens+first.opens == 0 && (later.closed || len(later.rules) == 0) {
		return true
	}
	return 0 < len(later.rules) && !slices.ContainsFunc(later.rules, func(r robotstxt.Rule) bool {
		opensRest := r.Allow && r.Pattern == "/" && !first.closed && !d.audience.firstGroup
		return r.Pattern != "" && !opensRest && !hasSameRule(first.rules, r)
	})
}

// findOpposed reports a user-agent line of a crawler to which its group opens the site and an earlier
// group closes it, or the other way round. It returns whether the line is such a line.
func (d *document) findOpposed(l *line, earlier []agentLine) bool {
	own, other := d.opposed(l, earlier)
	if own == nil {
		return false
	}
	format := choose(own.Allow, "%s is closed on line %d and opened here; Allow wins.", "%s is opened on line %d and closed here; Allow wins.")
	f := d.findValue(rxRepeatedAgent, l, format, string(l.value()), other.Line)
	f.Related = []Related{relatedRule(other), relatedRule(own)}
	return true
}

// opposed returns the rule that opens the site in the group of a line, and the one that closes it in an earlier group,
// or the other way round. They are nil if there are none.
func (d *document) opposed(l *line, earlier []agentLine) (own, other *robotstxt.Rule) {
	const most = 20 // of a list of groups
	own = d.ruleForAll(l.group)
	if own == nil || d.audience.firstGroup {
		return nil, nil
	}
	for _, a := range earlier[:min(len(earlier), most)] {
		other = d.ruleForAll(d.line(a.line).group)
		if other != nil && other.Allow != own.Allow {
			return own, other
		}
	}
	return nil, nil
}

// ruleForAll returns the first rule of a group that matches everything, nil if there is none, or if the
// group has others of the opposite kind.
func (d *document) ruleForAll(number int32) *robotstxt.Rule {
	g := &d.groups[number]
	if g.decided {
		return g.whole
	}
	g.decided = true
	for i := range g.rules {
		switch r := &g.rules[i]; {
		case !d.matchesAll(r.Pattern):
		case g.whole == nil:
			g.whole = r
		case g.whole.Allow != r.Allow:
			g.whole = nil
			return nil
		}
	}
	return g.whole
}

func findRepeated(d *document, token string, l, before *line) *Finding {
	what := "most crawlers follow both, some only the first"
	all, closing := d.robots.Rules(token).Verdict("/")
	differ := all != d.opensHome(&d.groups[before.group])
	switch {
	case d.audience.firstGroup:
		what = "only the first counts"
		differ = false
	case differ && all:
		what = "most crawlers follow both, so the home page is open to it"
	case differ:
		part := choose(d.groups[l.group].closed, "site", "home page")
		what = fmt.Sprintf("most crawlers follow both, so line %d closes the %s to it", closing, part)
	}
	serious := d.audience.singleGroup && namesAll(l) || differ
	f := d.findValue(rxRepeatedAgent.infoIf(!serious), l, "%s already has a group on line %d; %s.", quote(l.value()), before.number, what)
	f.Related = []Related{{before.number, "the first group that names it"}}
	return f
}

// opensHome reports whether readers of one group may fetch the home page.
func (d *document) opensHome(g *group) bool {
	home := d.pattern("/$")
	open, length := true, -1
	for _, r := range g.rules {
		if r.Pattern == "" || !d.pattern(r.Pattern).Contains(home) {
			continue
		}
		if r.Length > length || r.Length == length && r.Allow {
			open, length = r.Allow, r.Length
		}
	}
	return open
}

var rxNoGroupForAll = check{Entry: &Entry{
	Code: "RX306", Name: "no-group-for-all", Severity: Info,
	Title: "No rule is for all other crawlers.",
	Why:   "Crawlers that no group names follow the group for *, or everything is open to them if there is none (RFC 9309 2.2.1). Reported if a group for a main crawler closes a part, or several next to a group for * with Allow lines alone: the others are rarely meant to see more. Other cases need --pedantic.",
	Bad:   "User-agent: Googlebot\nDisallow: /private/\n",
	Good:  "User-agent: Googlebot\nDisallow: /private/\n\nUser-agent: *\nDisallow: /private/\n",
}}

var rxSiteOpen = check{Entry: &Entry{
	Code: "RX308", Name: "site-open", Severity: Off,
	Profiles: map[Profile]Severity{Staging: Error},
	Title:    "The site is open to crawlers.",
	Why:      "A site that search engines should not show needs Disallow: / for *, and no group that allows more to a crawler, because a crawler follows its own group and not the one for * (G40). A robots.txt is only a request, so protect secrets with a password. Only profile staging reports it.",
	Bad:      "User-agent: *\nDisallow: /private/\n",
	Good:     "User-agent: *\nDisallow: /\n",
	Example:  Config{Profile: Staging},
}}

func inspectEveryone(d *document) {
	if len(d.groups) == 0 {
		return
	}
	meant := func(l line) bool {
		return l.kind == robotstxt.KindUserAgent && bytes.HasPrefix(l.value(), []byte("*"))
	}
	partly := func(g group) bool {
		return g.restriction > 0 && !g.closed && (len(d.audience.tokens) == 0 || d.isForMain(&g))
	}
	if slices.ContainsFunc(d.lines, meant) || d.hasLostAgent(len(d.lines)) {
		d.findOpenForAll(partly)
		return // what else is wrong with the group for * is another finding
	}
	d.findFile(rxNoGroupForAll.rareIf(!slices.ContainsFunc(d.groups, partly)), "There is no group for *, so crawlers that follow none of the groups may fetch everything.")
}

// findOpenForAll reports a group for * with nothing but Allow lines next to a group that closes several parts of the
// site.
func (d *document) findOpenForAll(partly func(group) bool) {
	i := slices.IndexFunc(d.groups, func(g group) bool { return partly(g) && g.closing >= minParts })
	star := d.naming("*")
	if i < 0 || star == 0 || d.hasLostAgent(len(d.lines)) {
		return
	}
	general, g := d.robots.Rules(), &d.groups[i]
	if anyRule(general, func(r robotstxt.Rule) bool { return !r.Allow }) || !anyRule(general, opens) {
		return // an empty Disallow says that everything is open
	}
	f := d.findLine(rxNoGroupForAll, d.line(star), "This group closes nothing, so crawlers that follow it may fetch what %s close to %s.", number(g.closing, "line"), d.nameOf(g.agents[0]))
	f.Related = []Related{{g.restriction, "the first line that closes a part"}}
}

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

func anyRule(rules robotstxt.Rules, wanted func(robotstxt.Rule) bool) bool {
	for range rulesThat(rules, wanted) {
		return true
	}
	return false
}

func rulesThat(rules robotstxt.Rules, wanted func(robotstxt.Rule) bool) iter.Seq[robotstxt.Rule] {
	return func(yield func(robotstxt.Rule) bool) {
		for r := range rulesOf(rules) {
			if wanted(r) && !yield(r) {
				return
			}
		}
	}
}

func inspectSiteOpen(d *document) {
	if !d.wants(rxSiteOpen) {
		return
	}
	// Groups that name the same crawler count together, so each token is inspected once.
	everyone := false
	for lines := range d.byToken() {
		everyone = everyone || lines[0].token == "*"
		inspectLetIn(d, lines)
	}
	if !everyone {
		d.findFile(rxSiteOpen, "The site is open: there is no group for * with Disallow: /.")
	}
}

func inspectLetIn(d *document, agents []agentLine) {
	first := slices.MinFunc(agents, func(a, b agentLine) int { return a.line - b.line })
	// Where groups are not merged, later ones have no effect.
	if d.audience.firstGroup {
		agents = []agentLine{first}
	}
	closed := false
	opens := 0
	for _, a := range agents {
		g := &d.groups[d.line(a.line).group]
		closed = closed || g.closed
		opens = cmp.Or(opens, g.opens)
	}
	who := quote(d.writtenName(first.token, first.line))
	switch {
	case !closed:
		d.findLine(rxSiteOpen, d.line(first.line), "The site is open to %s: this group does not contain Disallow: /.", who)
	case opens > 0:
		d.findLine(rxSiteOpen, d.line(opens), "This line opens a part of the site to %s.", who)
	}
}
