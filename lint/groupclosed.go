package lint

import (
	"iter"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/permission"
)

var rxSiteClosed = check{Entry: &Entry{
	Code: "RX307", Name: "site-closed", Severity: Warning,
	Profiles: map[Profile]Severity{Production: Error, Staging: Off},
	Title:    "The site is closed to a search engine.",
	Why:      "A search engine that may fetch nothing shows at most the bare address of the site. Such a line is right while you build or test a site, but is easily forgotten when it goes live. It is info if it looks intended, for example because nothing else is closed, and an error in profile production.",
	Bad:      "User-agent: *\nDisallow: /\n",
	Good:     "User-agent: *\nDisallow: /private/\n",
}}

var rxHomePageClosed = check{Entry: &Entry{
	Code: "RX312", Name: "home-page-closed", Severity: Warning,
	Profiles: map[Profile]Severity{Production: Error, Staging: Off},
	Title:    "The home page is closed to a search engine.",
	Why:      "The path /$ matches the home page and nothing else, because a $ at the end means the end of the URL (RFC 9309 2.2.3, G44). Search engines then do not show the most important page of the site. Not reported if the whole site is closed, which is RX307.",
	Bad:      "User-agent: *\nDisallow: /$\n",
	Good:     "User-agent: *\nDisallow: /private/\n",
}}

func inspectSiteClosed(d *document) {
	if len(d.groups) == 0 {
		return
	}
	first := findClosed(d, d.audience.tokens, 0)
	for _, token := range d.audience.others {
		findClosed(d, []string{token}, first)
	}
}

// opensByOldName reports whether the file names a crawler only by a name that it no longer has, and
// opens the home page to that. RX110 then reports that the site is closed to the crawler.
func (d *document) opensByOldName(token string) bool {
	return d.naming(token) == 0 && slices.ContainsFunc(d.groups, func(g group) bool {
		return slices.ContainsFunc(g.agents, func(a robotstxt.Agent) bool {
			old, known := findCrawler(a.Token)
			return known && slices.Contains(old.Replacements, token) && d.robots.Rules(old.Token).Allowed("/")
		})
	})
}

// findClosed reports the line that closes the site to a crawler, and returns its number;
// it is 0 if the site is open. The line of another finding is not reported again. The
// home page represents the site: if only other paths are allowed, people do not find them.
func findClosed(d *document, tokens []string, reported int) (line int) {
	rules := d.robots.Rules(tokens...)
	open, number := rules.Verdict("/")
	if open {
		return 0 // most sites are, and asking further takes memory
	}
	if d.firstClosing(rules, number) == reported || !isMainOf(d, tokens) && d.opensByOldName(tokens[0]) {
		return number
	}
	crawler := permission.CrawlerOf(tokens...)
	crawler.Reading.Dialect = d.audience.dialect // of the profile
	number = d.refusal(crawler, search)
	if number == 0 {
		return 0
	}
	number = d.firstClosing(rules, number)
	l := d.line(number)
	named := !d.groups[l.group].forAll
	who := closedTo(d, tokens, named)
	if rule := d.ruleOf(l); rule == nil || !d.matchesAll(rule.Pattern) {
		d.findLine(rxHomePageClosed, l, "This line closes the home page to %s.", who)
		return number
	}
	opened := d.openedFolders(rules)
	intended := !isMainOf(d, tokens) || opened >= minOpened || d.closesOnlyAll(rules) && (named || !isPublished(d))
	// The author of an Allow for everything meant it to open the site.
	intended = intended && !d.allowsAll(rules) && d.isNextTo(l, tokens) && !d.audience.public
	known := intended && (opened > 0 || reported > 0)
	d.findLine(rxSiteClosed.infoIf(intended).rareIf(known), l, "This line closes the site to %s%s.", who, openedText(rules))
	return number
}

// closedTo returns for whom a line closes the site, in words. named is true if its group names
// crawlers.
func closedTo(d *document, tokens []string, named bool) string {
	if len(tokens) == 0 || !named && len(d.groups) == 1 {
		return "all crawlers that follow the group for *"
	}
	return tokens[0] + choose(named, "", " and the other crawlers that follow the group for *")
}

// isPublished reports whether a closed site looks as if search engines should find it: the
// file lists a sitemap of its own host, and lets no search engine in by name.
func isPublished(d *document) bool {
	ours := hostOf(d.config.URL)
	listed := false
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
			if !known || !slices.Contains(c.Purposes, search) {
				continue
			}
			if open, _ := d.robots.NamedRules(c.Token).Verdict("/"); open {
				return false
			}
		}
	}
	return true
}

func openedText(rules robotstxt.Rules) string {
	var allowed []*robotstxt.Rule
	for r := range openingRules(rules) {
		allowed = append(allowed, &r)
	}
	return choose(len(allowed) == 0, "", ", except "+patternsOf(allowed))
}

// openingRules yields the rules that open a part of a closed site. Others lose against the rule that closes it.
func openingRules(rules robotstxt.Rules) iter.Seq[robotstxt.Rule] {
	return rulesThat(rules, func(r robotstxt.Rule) bool { return opens(r) && rules.Allowed(exemplar(r.Pattern)) })
}

func isMainOf(d *document, tokens []string) bool {
	return len(tokens) == 0 || tokens[0] == d.audience.tokens[0]
}

// closesOnlyAll reports whether each Disallow with a path is for the whole site. Next to others, one for
// everything looks like a mistake.
func (d *document) closesOnlyAll(rules robotstxt.Rules) bool {
	return !anyRule(rules, func(r robotstxt.Rule) bool { return !r.Allow && !d.isForAll(r) })
}

func (d *document) allowsAll(rules robotstxt.Rules) bool {
	return anyRule(rules, func(r robotstxt.Rule) bool { return r.Allow && d.matchesAll(r.Pattern) })
}

// firstClosing returns the first line that closes the site as a line of these rules does, which has the
// longest pattern of them.
func (d *document) firstClosing(rules robotstxt.Rules, line int) int {
	if line == 0 {
		return 0
	}
	if rule := d.ruleOf(d.line(line)); rule == nil || !d.matchesAll(rule.Pattern) || d.allowsAll(rules) {
		return line
	}
	for r := range rulesThat(rules, d.ruleMatchesAll) {
		return r.Line
	}
	return line
}

// openedFolders returns how many folders are opened by rules that close the site. Files, and what pages need to
// be drawn, are often opened in a site that should be open.
func (d *document) openedFolders(rules robotstxt.Rules) (n int) {
	program := program{rules: rules}
	for r := range openingRules(rules) {
		if _, drawn := program.resourcesOf(r.Pattern); !drawn && !strings.Contains(r.Pattern, ".") {
			n++
		}
	}
	return n
}
