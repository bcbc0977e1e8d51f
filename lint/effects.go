package lint

import (
	"bytes"
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/pattern"
)

// What a file does to each crawler, compared with what its text says. A crawler that a group names ignores the
// rules for *, see inspectOpened. A crawler above a line that does not end a group follows the rules below it, see
// inspectBreaks.

// opening is what several crawlers may fetch although a rule for * closes it, and no line of their groups says so.
type opening struct {
	opened []*robotstxt.Rule
	check  check
	line   *line // the first crawler's
	names  []string
	main   bool // the first crawler is a main one of the profile
}

var rxDropsRulesForAll = check{Entry: &Entry{
	Code: "RX303", Name: "drops-rules-for-all", Severity: Warning, Once: Info,
	Title: "Crawlers may fetch what is closed to all, because their own group closes nothing.",
	Why:   "A crawler follows the groups that name it, and ignores the group for * (RFC 9309 2.2.1, G40, G41). A group with only a Crawl-delay, Allow: / or an Allow for a part repeats the default, so it opens what * closes. Repeat these rules in it, or write an empty Disallow if all should be open.",
	Bad:   "User-agent: *\nDisallow: /private/\n\nUser-agent: bingbot\nCrawl-delay: 5\n",
	Good:  "User-agent: *\nDisallow: /private/\n\nUser-agent: bingbot\nCrawl-delay: 5\nDisallow: /private/\n",
}}

var rxGroupLosesRules = check{Entry: &Entry{
	Code: "RX311", Name: "group-loses-rules", Severity: Warning, Once: Info,
	Title: "Crawlers have a group of their own, so they ignore some Disallow lines for *.",
	Why:   "A crawler follows the groups that name it, and ignores the group for * (RFC 9309 2.2.1, G40, G41). If lines should apply to it too, repeat them. A group with at least half of the lines looks like an outdated copy; one with others is info, because it can be separate. Special crawlers, such as Googlebot-News, need --pedantic.",
	Bad:   "User-agent: *\nDisallow: /cart/\nDisallow: /search\n\nUser-agent: Googlebot\nDisallow: /search\n",
	Good:  "User-agent: *\nDisallow: /cart/\nDisallow: /search\n\nUser-agent: Googlebot\nDisallow: /cart/\nDisallow: /search\n",
}}

// inspectOpened looks for crawlers that ignore rules for * although their groups do not say so. All groups that name a
// crawler count together, and crawlers with equal effects share a finding.
func inspectOpened(d *document) {
	if len(d.groups) < 2 {
		return
	}
	general := sync.OnceValue(func() *generalRules { return newGeneralRules(d.robots.Rules(), d.audience.dialect) })
	var effects []*opening
	known := map[string]*opening{}
	seen := map[string]bool{"": true, "*": true}
	for _, a := range d.mainFirst() {
		token := ascii.ToLower(a.Token)
		if seen[token] {
			continue
		}
		seen[token] = true // the rules of all its groups count
		e := d.effectOn(a, general)
		if e.check.Entry == nil || !mayBeName(d.valueOf(a)) {
			continue
		}
		key := e.key()
		if known[key] == nil {
			known[key] = &e
			effects = append(effects, &e)
		}
		known[key].names = append(known[key].names, d.nameOf(a))
	}
	// Once returns the first of a severity, so that is the strongest.
	slices.SortStableFunc(effects, func(a, b *opening) int { return cmp.Compare(b.strength(), a.strength()) })
	for _, e := range effects {
		d.findOpened(e)
	}
}

// strength orders effects: a main crawler comes first, then the one that ignores most lines.
func (e *opening) strength() int { return choose(e.main, math.MaxInt, len(e.opened)) }

func (e *opening) key() string {
	key := fmt.Appendf(nil, "%s %d", e.check.Code, e.check.most)
	for _, r := range e.opened {
		key = fmt.Appendf(key, " %d", r.Line)
	}
	return string(key)
}

func (d *document) findOpened(e *opening) {
	lines := choose(len(e.opened) > 1, number(len(e.opened), "Disallow line"), "a Disallow line")
	what := lines + " for *: " + patternsOf(e.opened)
	var f *Finding
	c := e.check
	closes := c.Entry != rxDropsRulesForAll.Entry
	switch many := len(e.names) > 1; {
	case !closes && many:
		f = d.findLine(c, e.line, "These %d crawlers follow only their own groups, which close nothing, and ignore %s.", len(e.names), what)
	case !closes:
		f = d.findLine(c, e.line, "%s follows only its own group, which closes nothing, and ignores %s.", e.names[0], what)
	case many:
		f = d.findLine(c, e.line, "These %d crawlers follow only the groups that name them, so they ignore %s.", len(e.names), what)
	default:
		f = d.findLine(c, e.line, "%s follows only the groups that name it, so it ignores %s.", e.names[0], what)
	}
	f.For = e.names
	who := choose(len(e.names) > 1, "these crawlers ignore", e.names[0]+" ignores")
	for _, r := range e.opened[:min(len(e.opened), MaxRelated)] {
		f.Related = append(f.Related, Related{r.Line, who + " this line"})
	}
}

// effectOn returns what the rules of a crawler's own groups open to it without saying so. Its check has no Entry if
// they open nothing or say so. The first case that fits decides.
func (d *document) effectOn(a robotstxt.Agent, star func() *generalRules) opening {
	e := opening{line: d.line(a.Line), main: d.isMain(a)}
	c, _ := findCrawler(a.Token)
	own := d.robots.NamedRules(a.Token)
	kept, count := 0, 0
	says := false
	for g := range d.groupsOf(own) {
		kept, count = kept+g.closing, count+len(g.rules)
		says = says || g.saysAllowed
	}
	reader := readsSite(c)
	switch {
	case c.Status == crawlers.Retired, c.Obeys == crawlers.ObeysNamed, says:
		return e
	case !reader && d.lowKey(rxDropsRulesForAll) &&
		(kept > 0 || isSpecial(c) && count > 0 || isOnly(c, "preview") || d.opensAll(own)):
		return e
	}
	general := star()
	general.steps -= len(general.lines) * (1 + count)
	if general.steps < 0 || general.closed && (kept > 0 || anyRule(own, d.isForAll)) {
		return e
	}
	opened, pages := d.unsaid(own, e.line, c, general)
	if pages == 0 && !(d.config.Pedantic && len(opened) > 0) {
		return e
	}
	e.opened = opened
	e.check = rxDropsRulesForAll
	if kept > 0 {
		open, _ := own.Verdict("/")
		e.check = rxGroupLosesRules.infoIf(outdatedShare*pages > general.count-general.files || !open)
	}
	e.check = e.check.infoIf(!reader || pages == 0)
	return e
}

// unsaid returns the rules for * whose paths the rules of a crawler open without saying so, and how many of them are
// not only about files that the crawler needs to draw pages. A path that the crawler's group has with another end, or
// that a comment next to its name repeats, is said.
func (d *document) unsaid(
	own robotstxt.Rules, l *line, c *crawlers.Crawler, general *generalRules,
) (opened []*robotstxt.Rule, pages int) {
	draws := slices.Contains(c.Purposes, search)
	for i := range general.lines {
		r := &general.lines[i]
		allowed, by := own.Verdict(r.path)
		if !allowed || d.line(r.Line).reason == inTemplate {
			continue
		}
		value := d.line(r.Line).value()
		noted := l.commented() && bytes.Contains(l.comment(), value) || c.Operator == "Yandex" && d.cleansParam(r.Pattern)
		alike := func(o robotstxt.Rule) bool { return sameStem(&o, &r.Rule) }
		if !noted && !reverses(d, by, value) && !anyRule(own, alike) {
			opened = append(opened, &r.Rule)
			if !r.files || !draws {
				pages++
			}
		}
	}
	return opened, pages
}

// readsSite reports whether a crawler fetches pages to search in them, or for AI. Rules that keep crawlers away
// from a part of the site matter most to these. Of crawlers for search alone, many no longer exist.
func readsSite(c *crawlers.Crawler) bool {
	forAI := func(p crawlers.Purpose) bool { return p == aiSearch || p == aiTraining || p == "ai-fetch" }
	ai := slices.ContainsFunc(c.Purposes, forAI)
	return c.Status != crawlers.Retired && !isSpecial(c) &&
		(ai || c.Status == crawlers.Active && slices.Contains(c.Purposes, search))
}

// mainFirst returns the User-agent lines, first those of a main crawler of the profile: of many findings only the
// first might be returned.
func (d *document) mainFirst() (agents []robotstxt.Agent) {
	for _, main := range [...]bool{true, false} {
		for i := range d.groups {
			for _, a := range d.groups[i].agents {
				if d.isMain(a) == main {
					agents = append(agents, a)
				}
			}
		}
	}
	return agents
}

func (d *document) isMain(a robotstxt.Agent) bool { return d.audience.isMain(a.Token) }

// isSpecial reports whether a crawler fetches only images, videos or news, or nothing, because its
// token is about the use of what another one fetches, or is a program that fetches what its user
// wants. Most lines for * are about pages for search engines.
func isSpecial(c *crawlers.Crawler) bool {
	special := func(suffix string) bool { return strings.HasSuffix(c.Token, suffix) }
	return slices.ContainsFunc([]string{"-Image", "-Video", "-News", "-Extended"}, special) || isOnly(c, "client")
}

func isOnly(c *crawlers.Crawler, purpose crawlers.Purpose) bool {
	return len(c.Purposes) == 1 && c.Purposes[0] == purpose
}

// mayBeName reports whether a value of a User-agent line can be the name of a crawler, with or without a
// version. Other values have findings of their own, and say so.
func mayBeName(value []byte) bool {
	if directiveIn(value) >= 0 {
		return false
	}
	switch intended(value).why {
	case whyExact, whyVersion:
		return true
	case whyUnknown:
		n := tokenLen(value)
		return n == len(value) || value[n] == '/'
	}
	return false
}

// generalRules are the rules for * that close something.
type generalRules struct {
	count  int
	files  int // of them are about files that pages need to be drawn
	closed bool
	lines  []generalRule // those that close their path
	steps  int           // that are left, see maxSteps
}

type generalRule struct {
	robotstxt.Rule
	path  string
	files bool // the rule is about files that pages need to be drawn
}

func newGeneralRules(star robotstxt.Rules, dialect robotstxt.Dialect) *generalRules {
	count := countOf(closingRules(star))
	general := &generalRules{count: count, steps: maxSteps - count*count}
	if general.steps < 0 {
		return general
	}
	general.lines = make([]generalRule, 0, count)
	program := program{rules: star}
	wildcards := dialect.Traits().Wildcards
	for r := range closingRules(star) {
		path := exemplar(r.Pattern)
		if name, value := parameterAfterStar(r.Pattern); name != "" {
			path = "/?" + name + "=" + cmp.Or(value, "0")
		}
		if allowed, _ := star.Verdict(path); !allowed {
			_, files := program.resourcesOf(r.Pattern)
			general.lines = append(general.lines, generalRule{r, path, files})
			general.closed = general.closed || pattern.New(r.Pattern, wildcards).MatchesEvery()
			if files {
				general.files++
			}
		}
	}
	return general
}

func closingRules(rules robotstxt.Rules) iter.Seq[robotstxt.Rule] {
	return rulesThat(rules, func(r robotstxt.Rule) bool { return !r.Allow && r.Pattern != "" })
}

// cleansParam reports whether a Clean-param of the file names the last parameter of a pattern: Yandex then
// does not fetch the URLs with it.
func (d *document) cleansParam(pattern string) bool {
	if d.cleaned == nil {
		d.cleaned = map[string]bool{}
		for e := range d.robots.Extensions() {
			if parameters, _, _ := strings.Cut(e.Value, " "); e.Name == "Clean-param" {
				for name := range strings.SplitSeq(parameters, "&") {
					d.cleaned[name] = true
				}
			}
		}
	}
	pattern = strings.TrimRight(pattern, "*$")
	name, _, _ := strings.Cut(pattern[strings.LastIndexAny(pattern, "?&*/")+1:], "=")
	return d.cleaned[name]
}

// reverses reports whether the line of an Allow, 0 for none, would win if its group had a
// Disallow with that path. Then the group allows the path on purpose.
func reverses(d *document, line int, path []byte) bool {
	if line == 0 {
		return false
	}
	rule := d.ruleOf(d.line(line))
	return len(d.line(line).value()) >= len(path) && rule != nil && !d.matchesAll(rule.Pattern)
}

// opensAll reports whether the only rules of a crawler open the site.
func (d *document) opensAll(rules robotstxt.Rules) bool {
	opensLess := func(r robotstxt.Rule) bool { return !r.Allow || !d.matchesAll(r.Pattern) }
	return !anyRule(rules, opensLess) && anyRule(rules, d.ruleMatchesAll)
}

var rxJoinedGroups = check{Entry: &Entry{
	Code: "RX301", Name: "joined-groups", Severity: Error,
	Title: "Crawlers share rules that look like the rules of another group.",
	Why:   "Only Allow and Disallow end a list of User-agent lines. A Crawl-delay, a Sitemap, any other line or a blank line does not, so the crawlers above it share the rules below it (RFC 9309 2.2.4, G34). Until 2021 Google read this differently, and some crawlers still do. Write below each list all its rules, including those for *.",
	Bad:   "User-agent: SlowBot\nCrawl-delay: 5\n\nUser-agent: BadBot\nDisallow: /\n\nUser-agent: *\nDisallow: /private/\n",
	Good:  "User-agent: SlowBot\nCrawl-delay: 5\nDisallow: /private/\n\nUser-agent: BadBot\nDisallow: /\n\nUser-agent: *\nDisallow: /private/\n",
}}

// groupBreak is a place in a group where its text ends, although the crawlers above it follow the rules below it.
type groupBreak struct {
	group *group
	above int   // how many agents of the group are above the last such place
	first int   // the index of the first agent below the first one
	line  *line // of that place: the first line that is not blank; nil if all are
}

// breakOf returns where the text of a group ends, above nothing but User-agent lines and comments. Lines
// that repeat the name above them change nothing.
func (d *document) breakOf(g *group) groupBreak {
	b := groupBreak{group: g}
	for i, a := range g.agents[1:] {
		before := g.agents[i]
		between := d.lines[before.Line : a.Line-1]
		if !slices.ContainsFunc(between, func(l line) bool { return l.kind != robotstxt.KindComment }) {
			continue
		}
		b.above = i + 1
		b.first = cmp.Or(b.first, i+1)
		if at := slices.IndexFunc(between, func(l line) bool { return !isGap(l) }); b.line == nil && at >= 0 {
			b.line = &between[at]
			b.first = i + 1
		}
	}
	return b
}

// joined returns the agents above a break that are not below it too, one for each crawler.
func (d *document) joined(b groupBreak) (above []robotstxt.Agent) {
	seen := map[string]bool{}
	for _, a := range b.group.agents[b.above:] {
		seen[ascii.ToLower(a.Token)] = true
	}
	for _, a := range b.group.agents[:b.above] {
		name := ascii.ToLower(choose(namesAll(d.line(a.Line)), "*", d.nameOf(a)))
		if a.Token != "" && !seen[ascii.ToLower(a.Token)] && !seen[name] {
			seen[name] = true
			above = append(above, a)
		}
	}
	return above
}

// breaks returns where crawlers share rules that close something although the text divides their group. For some
// profiles, blank lines alone end a group.
func (d *document) breaks() (breaks []groupBreak) {
	for i := range d.groups {
		b := d.breakOf(&d.groups[i])
		split := b.line == nil && d.audience.blankLines || b.line != nil && b.line.reason == inTemplate
		if b.above > 0 && b.group.restriction > 0 && !split && len(d.joined(b)) > 0 {
			breaks = append(breaks, b)
		}
	}
	return breaks
}

// inspectBreaks looks for crawlers that share the rules of a group although the text gives them to the crawlers below
// a line that does not end the group.
func inspectBreaks(d *document) {
	breaks := d.breaks()
	if breaks == nil {
		return
	}
	// What the crawlers above would get as the text looks: they have no line in these groups.
	body := bytes.Clone(d.body)
	for _, b := range breaks {
		for _, a := range b.group.agents[:b.above] {
			body[d.line(a.Line).keyAt()] = '#'
		}
	}
	text := d.audience.dialect.Parse(body)
	steps := maxSteps
	for _, b := range breaks {
		d.findBreak(b, text, &steps)
	}
}

func (d *document) findBreak(b groupBreak, text *robotstxt.Robots, steps *int) {
	var names, closed []string
	reader := false
	for _, a := range d.joined(b) {
		all := namesAll(d.line(a.Line))
		name := choose(all, "*", d.nameOf(a))
		names = append(names, name)
		c, _ := findCrawler(a.Token)
		if c.Status != crawlers.Retired && d.closesUnsaid(a.Token, b.group, text, steps) {
			closed = append(closed, name)
			reader = reader || all || readsSite(c)
		}
	}
	below := d.line(b.group.agents[b.first].Line)
	upper := d.line(b.group.agents[b.first-1].Line)
	effect := choose(b.group.closed && len(closed) > 0, ", so the site is closed to "+listed(closed)+" too", "")
	who := choose(len(closed) > 0, listed(closed), listed(names))
	between := "a blank line does not separate groups"
	if b.line != nil {
		between = "no Allow or Disallow is between the User-agent lines, only " + lineName(b.line)
	}
	c := rxJoinedGroups
	if len(closed) == 0 || b.line == nil && !reader { // a list with blank lines is common
		c = c.at(Info)
	} else if b.line == nil {
		c = c.at(Warning)
	}
	var f *Finding
	switch {
	case slices.Contains(closed, "*"):
		f = d.findValue(c, below, "These rules are for all crawlers that follow the group for *, not only for %s, because %s.", quote(below.value()), between)
		who = ""
	case b.group.forAll && len(closed) == 0:
		f = d.findValue(c, below, "%s also %s these rules for *, because %s.%s", who, choose(len(names) > 1, "follow", "follows"), between, d.delayEffect(b))
	default:
		f = d.findValue(c, below, "%s shares its rules with %s on line %d%s, because %s.",
			quote(below.value()), quote(upper.value()), upper.number, effect, between)
	}
	f.For = closed
	if len(closed) == 0 {
		f.For = names
	}
	f.Related = []Related{{upper.number, "the rules also apply to this crawler"}}
	if b.line != nil {
		f.Related = append(f.Related, Related{b.line.number, "this line does not end the group"})
	}
	more := b.group.agents[b.first+1:]
	f.Message += alsoBelow(len(more), "User-agent line")
	for _, a := range more[:min(len(more), MaxRelated-len(f.Related))] {
		f.Related = append(f.Related, Related{a.Line, "the rules also apply to this crawler"})
	}
}

// delayEffect is a sentence about crawlers that read a group with a Crawl-delay in another way. It begins with a space.
func (d *document) delayEffect(b groupBreak) string {
	if b.line == nil || !isDelay(*b.line) {
		return ""
	}
	upper := d.line(b.group.agents[b.first-1].Line)
	return " Some crawlers apply that line to both, and older ones give " + quote(upper.value()).String() + " no rules."
}

func isDelay(l line) bool {
	return bytes.EqualFold(l.key(), []byte("Crawl-delay")) || bytes.EqualFold(l.key(), []byte("Request-rate"))
}

// closesUnsaid reports whether a rule of a group closes a path to a crawler that it may fetch as the text looks.
func (d *document) closesUnsaid(token string, g *group, text *robotstxt.Robots, steps *int) bool {
	if *steps < 0 {
		return false
	}
	rules, looks := d.robots.Rules(token), text.Rules(token)
	cost := countOf(rulesOf(rules)) + countOf(rulesOf(looks))
	return slices.ContainsFunc(g.rules, func(r robotstxt.Rule) bool {
		*steps -= cost
		if r.Allow || r.Pattern == "" || *steps < 0 {
			return false
		}
		path := exemplar(r.Pattern)
		closed, _ := rules.Verdict(path)
		open, _ := looks.Verdict(path)
		return !closed && open
	})
}

// isNextTo reports whether the text puts a line below the User-agent line of a crawler or, if it has none, of all
// crawlers: no other line is between the User-agent lines.
func (d *document) isNextTo(l *line, tokens []string) bool {
	g := &d.groups[l.group]
	b := d.breakOf(g)
	next := g.agents[b.above:]
	named := func(a robotstxt.Agent) bool {
		return slices.ContainsFunc(tokens, func(token string) bool { return ascii.EqualFold(a.Token, token) })
	}
	if slices.ContainsFunc(g.agents, named) {
		return slices.ContainsFunc(next, named)
	}
	return slices.ContainsFunc(next, func(a robotstxt.Agent) bool { return namesAll(d.line(a.Line)) })
}

func countOf(rules iter.Seq[robotstxt.Rule]) (n int) {
	for range rules {
		n++
	}
	return n
}

// exemplar returns a path that a pattern matches.
func exemplar(pattern string) string {
	path, anchored := strings.CutSuffix(pattern, "$")
	before := choose(strings.HasPrefix(path, "/"), "", "/")
	return strings.ReplaceAll(before+path+choose(anchored, "", "0"), "*", "0")
}

func patternsOf(rules []*robotstxt.Rule) string {
	patterns := make([]string, len(rules))
	for i, r := range rules[:min(len(rules), maxListed)] {
		patterns[i] = quote(r.Pattern).String()
	}
	return listed(patterns)
}
