package lint

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/permission"
)

var rxPurposeUnequal = check{Entry: &Entry{
	Code: "RX313", Name: "one-ai-crawler-left-out", Severity: Info,
	Title: "A file blocks AI training crawlers by name, but not all of the large ones.",
	Why:   "Sites copy lists of AI crawlers, which soon lack a name. The site is closed to several large crawlers that collect training data, and open to others that the file does not mention. A list without GPTBot is not about all of them, because most lists begin with it: it is reported with --pedantic.",
	Bad:   "User-agent: GPTBot\nUser-agent: ClaudeBot\nUser-agent: CCBot\nUser-agent: Google-Extended\nUser-agent: Bytespider\nUser-agent: meta-externalagent\nUser-agent: Amazonbot\nDisallow: /\n",
	Good:  "User-agent: GPTBot\nUser-agent: ClaudeBot\nUser-agent: CCBot\nUser-agent: Google-Extended\nUser-agent: Bytespider\nUser-agent: meta-externalagent\nUser-agent: Amazonbot\nUser-agent: Applebot-Extended\nDisallow: /\n",
}}

// largeTraining are the crawlers for training data that most files with such a list
// name.
var largeTraining = sync.OnceValue(func() (large []permission.Crawler) {
	for _, token := range []string{
		"GPTBot", "ClaudeBot", "CCBot", "Google-Extended", "Applebot-Extended", "Bytespider", "meta-externalagent", "Amazonbot",
	} {
		large = append(large, permission.CrawlerOf(token))
	}
	return large
})

func inspectPurposes(d *document) {
	named := func(c permission.Crawler) bool { return d.naming(c.Name) > 0 }
	if len(d.groups) == 0 || !slices.ContainsFunc(largeTraining(), named) {
		return
	}
	var missing []string
	last := 0 // the last line that names one
	closed := 0
	for _, c := range largeTraining() {
		line := d.naming(c.Name)
		refusal := d.refusal(c, aiTraining)
		open := refusal == 0
		known, _ := findCrawler(c.Name)
		switch {
		case line > 0 && open: // its author decided about it
		case line > 0 && !d.isNextTo(d.line(refusal), []string{c.Name}): // closed by accident, see RX301
		case line > 0:
			closed++
			last = max(last, line)
		case open && known.Obeys != crawlers.ObeysNone: // a line for the others does nothing
			missing = append(missing, c.Name)
		}
	}
	few := closed < minTrainingNoted || closed < minTraining && !d.speaksOf("ai", "training", "llm", "llms")
	chosen := slices.Contains(missing, "GPTBot") // such as those that make most requests, or all but a partner
	if len(missing) == 0 || few {
		return
	}
	f := d.findLine(rxPurposeUnequal.rareIf(chosen), d.line(last), "This file blocks %d large AI training crawlers by name, but not %s.", closed, listed(missing))
	f.For = missing
}

// speaksOf reports whether a comment has one of some words.
func (d *document) speaksOf(words ...string) bool {
	isSign := func(r rune) bool { return r < utf8.RuneSelf && !isWord(byte(r)) }
	return slices.ContainsFunc(d.lines, func(l line) bool {
		said := strings.FieldsFunc(ascii.ToLower(string(l.comment())), isSign)
		return slices.ContainsFunc(said, func(word string) bool { return slices.Contains(words, word) })
	})
}

var rxClosesServices = check{Entry: &Entry{
	Code: "RX315", Name: "closes-services", Severity: Info,
	Title: "A file closes the site to crawlers of services that owners mostly want.",
	Why:   "Copied lists of crawlers also name those that draw the preview of a link, check the pages of Google's advertisements, or serve Siri, Spotlight, and the search of AI services. Without the page they show a bare address or nothing. It is right if you want that. Those of AI services alone are reported if a comment speaks of training.",
	Bad:   "User-agent: AdsBot-Google\nDisallow: /\n\nUser-agent: *\nDisallow: /private/\n",
	Good:  "User-agent: *\nDisallow: /private/\n",
}}

// inspectServices looks for crawlers that a file closes by name, with what its owner loses by that.
func inspectServices(d *document) {
	if open, _ := d.robots.Rules().Verdict("/"); !open {
		return
	}
	var lost, names []string
	first := 0
	unsaid := false // a comment that speaks of training alone does not explain it
	for _, a := range d.mainFirst() {
		c, _ := findCrawler(a.Token)
		what := serviceOf(c)
		if what == "" || slices.Contains(names, c.Token) || !ascii.EqualFold(c.Token, a.Token) {
			continue
		}
		rules := d.robots.NamedRules(c.Token)
		open, line := rules.Verdict("/")
		if open || line == 0 || anyRule(rules, opens) || d.hasTwin(c) {
			continue // its owner decided what the crawler needs, or another one serves as well
		}
		first = cmp.Or(first, line)
		unsaid = unsaid || !isOnly(c, aiSearch)
		names = append(names, c.Token)
		if !slices.Contains(lost, what) {
			lost = append(lost, what)
		}
	}
	if unsaid || len(names) > 0 && d.speaksOf("training") {
		f := d.findLine(rxClosesServices, d.line(first), "The site is closed to %s, so it loses %s.", listed(names), strings.Join(lost, ", "))
		f.For = names
	}
}

// hasTwin reports whether a crawler of the same operator, which the file does not close, fetches pages for what this
// one alone fetches them for: links still have a preview, and Google's AI search reads pages as Googlebot.
func (d *document) hasTwin(c *crawlers.Crawler) bool {
	if c.Purposes[0] == "ads" { // their crawlers check different things
		return false
	}
	of := crawlers.Selection{Purposes: c.Purposes[:1], Operators: []string{c.Operator}}
	return slices.ContainsFunc(crawlers.Select(of), func(twin crawlers.Crawler) bool {
		obeys := twin.Obeys == crawlers.ObeysAll && twin.Status == crawlers.Active && !twin.Control
		return obeys && twin.Token != c.Token && d.refusal(permission.CrawlerOf(twin.Token), c.Purposes[0]) == 0
	})
}

// serviceOf returns what a site loses without a crawler, "" if owners hardly miss it.
func serviceOf(c *crawlers.Crawler) string {
	switch {
	case isOnly(c, "preview") && c.Obeys != crawlers.ObeysNone:
		return "previews of its links"
	case isOnly(c, "ads") && c.Operator == "Google":
		return "Google's advertisements"
	case c.Token == "Applebot":
		return "Siri and Spotlight"
	case isOnly(c, aiSearch) && c.Status == crawlers.Active && c.Obeys == crawlers.ObeysAll:
		return "the AI search of " + c.Operator
	}
	return ""
}
