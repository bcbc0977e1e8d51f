package lint

import (
	"bytes"
	"iter"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/pattern"
)

var rxGroupLosesRules = &check{Entry: Entry{
	Code: "RX311", Name: "group-loses-rules", Severity: Warning, Once: Info,
	Title: "A search engine or AI crawler has a group of its own, so it ignores the Disallow lines for *.",
	Why:   "A crawler follows the group that names it, and ignores the group for * (RFC 9309 2.2.1, G40, G41). If lines should apply to it too, repeat them in its group. It is a warning for the profile's main crawlers if their group repeats at least half of the lines, because it then looks like an outdated copy; otherwise it is info. Lines that an Allow of the group reverses do not count, nor do lines that the group has with another end, such as /a/ for /a. For search engines, lines about files that pages need, such as CSS, do not count either, and for Yandex, lines about a parameter of a Clean-param. Groups of Googlebot-Image, Googlebot-Video and Googlebot-News, and of names that only restrict a use, such as Google-Extended, are reported with --pedantic. Not reported if the crawler's group has an empty Disallow, or closes the home page.",
	Bad:   "User-agent: *\nDisallow: /cart/\nDisallow: /search\n\nUser-agent: Googlebot\nDisallow: /search\n",
	Good:  "User-agent: *\nDisallow: /cart/\nDisallow: /search\n\nUser-agent: Googlebot\nDisallow: /cart/\nDisallow: /search\n",
}}

// inspectLostRules looks for groups of search engines and AI crawlers that lack Disallow lines of the
// group for *. A group that disallows nothing is a matter of RX303.
func inspectLostRules(d *document) {
	if len(d.groups) < 2 {
		return
	}
	star := d.robots.Rules()
	if open, _ := star.Verdict("/"); !open {
		return // the groups are exceptions from a closed site
	}
	reported := map[string]bool{}
	var general *generalRules
	for _, i := range d.mainFirst() {
		agents := d.groups[i].agents
		if n := slices.IndexFunc(agents, d.isMain); n > 0 {
			agents = append(slices.Clone(agents[n:]), agents[:n]...)
		}
		for _, a := range agents {
			c, known := findCrawler(a.Token)
			if !known || !isCrawlerName(d.valueOf(a)) || reported[c.Token] || !d.losesPages(c) {
				continue
			}
			reported[c.Token] = true // the rules of all its groups count
			if general == nil {
				general = newGeneralRules(star, d.audience.dialect)
			}
			findLostRules(d, d.line(a.Line), c, general)
		}
	}
}

// losesPages reports whether it matters to a site that a crawler ignores the lines for *.
func (d *document) losesPages(c *crawlers.Crawler) bool {
	return slices.ContainsFunc(c.Purposes, readsPages) && c.Status == crawlers.Active &&
		c.Obeys != crawlers.ObeysNamed &&
		(d.config.Pedantic || !isSpecial(c))
}

// readsPages reports whether a crawler with a purpose reads whole sites, to search in them or to train models.
// Rules that are meant to keep crawlers away from a part of the site matter most to these.
func readsPages(p crawlers.Purpose) bool { return p == search || p == aiSearch || p == aiTraining }

// mainFirst returns the indexes of the groups, first those that name a main crawler of the profile: of many
// findings only the first might be returned.
func (d *document) mainFirst() []int {
	var first, rest []int
	for i := range d.groups {
		if slices.ContainsFunc(d.groups[i].agents, d.isMain) {
			first = append(first, i)
		} else {
			rest = append(rest, i)
		}
	}
	return append(first, rest...)
}

func (d *document) isMain(a robotstxt.Agent) bool { return d.audience.isMain(a.Token) }

// isSpecial reports whether a crawler fetches only images, videos or news, or nothing, because its
// token is about the use of what another one fetches, or is a program that fetches what its user
// wants. Most lines for * are about pages for search engines.
func isSpecial(c *crawlers.Crawler) bool {
	special := func(suffix string) bool { return strings.HasSuffix(c.Token, suffix) }
	return slices.ContainsFunc([]string{"-Image", "-Video", "-News", "-Extended"}, special) || slices.Equal(c.Purposes, []crawlers.Purpose{"client"})
}

// isCrawlerName reports whether a value is the name of a crawler, with or without a version. Other
// text can make it another crawler.
func isCrawlerName(value []byte) bool {
	n := tokenLen(value)
	return n == len(value) || value[n] == '/'
}

// maxSteps bounds the search in a file. For each rule, the rules of both groups are compared.
const maxSteps = 4_000_000

type generalRules struct {
	count int
	files int           // of them are about files that pages need to be drawn
	lines []generalRule // those that close their path
	steps int           // that are left, see maxSteps
}

type generalRule struct {
	robotstxt.Rule
	path  string
	files bool // the rule is about files that pages need to be drawn
}

func newGeneralRules(star robotstxt.Rules, dialect robotstxt.Dialect) *generalRules {
	count := countOf(disallowsOf(star, dialect))
	general := &generalRules{count: count, steps: maxSteps - count*count}
	if general.steps < 0 {
		return general
	}
	general.lines = make([]generalRule, 0, count)
	program := program{rules: star}
	for r := range disallowsOf(star, dialect) {
		path := exemplar(r.Pattern)
		if name := parameterAfterStar(r.Pattern); name != "" {
			path = "/?" + name + "=0"
		}
		if allowed, _ := star.Verdict(path); !allowed {
			_, files := program.resourcesOf(r.Pattern)
			general.lines = append(general.lines, generalRule{r, path, files})
			if files {
				general.files++
			}
		}
	}
	return general
}

func findLostRules(d *document, l *line, c *crawlers.Crawler, general *generalRules) {
	own := d.robots.NamedRules(c.Token)
	kept := countOf(disallowsOf(own, d.audience.dialect))
	general.steps -= general.count * kept
	if kept == 0 || general.steps < 0 {
		return
	}
	if open, _ := own.Verdict("/"); !open || saysAllowed(own) {
		return
	}
	var lost []*robotstxt.Rule
	draws := slices.Contains(c.Purposes, search)
	for i := range general.lines {
		r := &general.lines[i]
		if r.files && draws {
			continue
		}
		value := d.line(r.Line).value()
		intended := l.commented() && bytes.Contains(l.comment(), value) || c.Operator == "Yandex" && d.cleansParam(r.Pattern)
		if allowed, by := own.Verdict(r.path); allowed && !intended &&
			!narrows(own, r.Pattern) && !reverses(d, by, value) {
			lost = append(lost, &r.Rule)
		}
	}
	if len(lost) == 0 {
		return
	}
	what := choose(len(lost) > 1, "Disallow lines", "a Disallow line")
	f := d.findLine(rxGroupLosesRules, l, "%s follows only the groups that name it, so it ignores %s for *: %s.", c.Token, what, patternsOf(lost))
	f.For = []string{c.Token}
	ignored := c.Token + " ignores this line"
	for _, r := range lost {
		f.Related = append(f.Related, Related{r.Line, ignored})
	}
	if !d.audience.isMain(c.Token) || 2*len(lost) > general.count-general.files {
		d.soften(f, Info)
	}
}

// narrows reports whether a crawler's own rules close a path that differs only in its end, as /a/ from /a.
func narrows(own robotstxt.Rules, path string) bool {
	return anyRule(own, func(r robotstxt.Rule) bool {
		end, found := strings.CutPrefix(r.Pattern, path)
		return found && !r.Allow && strings.Trim(end, pathEnds) == ""
	})
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

func disallowsOf(rules robotstxt.Rules, dialect robotstxt.Dialect) iter.Seq[robotstxt.Rule] {
	wildcards := dialect.Traits().Wildcards
	return rulesThat(rules, func(r robotstxt.Rule) bool {
		p := pattern.New(r.Pattern, wildcards)
		return !r.Allow && !p.MatchesEvery() && !p.MatchesNone()
	})
}

func countOf(rules iter.Seq[robotstxt.Rule]) (n int) {
	for range rules {
		n++
	}
	return n
}

// saysAllowed reports whether a Disallow without a path states that everything else is
// allowed. Then the group's author knows that the group is independent.
func saysAllowed(rules robotstxt.Rules) bool {
	return anyRule(rules, func(r robotstxt.Rule) bool { return r.Pattern == "" && !r.Allow })
}

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
