package lint

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/kosterhq/robotstxt"
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
		case line > 0 && open && d.opensPart(c.Name): // closed but for the home page, for example
		case line > 0 && open:
			return // the author makes exceptions
		case line > 0 && !d.isNextTo(d.line(refusal), []string{c.Name}): // closed by accident, see RX301
		case line > 0:
			closed++
			last = max(last, line)
		case open && known.Obeys != crawlers.ObeysNone: // a line for the others does nothing
			missing = append(missing, c.Name)
		}
	}
	few := closed < minTrainingNoted || closed < minTraining && !slices.ContainsFunc(d.lines, speaksOfAI)
	chosen := slices.Contains(missing, "GPTBot") // such as those that make most requests, or all but a partner
	if len(missing) == 0 || few {
		return
	}
	f := d.findLine(rxPurposeUnequal.rareIf(chosen), d.line(last), "This file blocks %d large AI training crawlers by name, but not %s.", closed, listed(missing))
	f.For = missing
}

// opensPart reports whether a crawler's groups close the site to it but for some paths.
func (d *document) opensPart(token string) bool {
	rules := d.robots.NamedRules(token)
	return anyRule(rules, func(r robotstxt.Rule) bool { return !r.Allow && d.matchesAll(r.Pattern) }) &&
		!anyRule(rules, func(r robotstxt.Rule) bool { return r.Allow && d.isForAll(r) })
}

// speaksOfAI reports whether a comment is about AI or training.
func speaksOfAI(l line) bool { return l.speaksOf("ai", "training", "llm", "llms") }

// speaksOf reports whether a comment has one of some words.
func (l *line) speaksOf(words ...string) bool {
	isSign := func(r rune) bool { return r < utf8.RuneSelf && !isWord(byte(r)) }
	said := strings.FieldsFunc(ascii.ToLower(string(l.comment())), isSign)
	return slices.ContainsFunc(said, func(word string) bool { return slices.Contains(words, word) })
}

var rxClosesServices = check{Entry: &Entry{
	Code: "RX315", Name: "closes-services", Severity: Info,
	Title: "A file closes the site to crawlers of services that owners mostly want.",
	Why:   "Copied lists of crawlers also name those that draw the preview of a link, check the pages of Google's advertisements, or serve Siri and Spotlight. Without the page they show a bare address, or no advertisement. The line is right if you want that.",
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
	for _, a := range d.mainFirst() {
		c, _ := findCrawler(a.Token)
		what := serviceOf(c)
		if what == "" || slices.Contains(names, c.Token) || !ascii.EqualFold(c.Token, a.Token) {
			continue
		}
		rules := d.robots.NamedRules(c.Token)
		open, line := rules.Verdict("/")
		if open || line == 0 || anyRule(rules, opens) {
			continue // its owner decided what the crawler needs
		}
		first = cmp.Or(first, line)
		names = append(names, c.Token)
		if !slices.Contains(lost, what) {
			lost = append(lost, what)
		}
	}
	if len(names) > 0 {
		f := d.findLine(rxClosesServices, d.line(first), "The site is closed to %s, so it loses %s.", listed(names), strings.Join(lost, ", "))
		f.For = names
	}
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
	}
	return ""
}

var rxCommentSaysOtherwise = check{Entry: &Entry{
	Code: "RX316", Name: "comment-says-otherwise", Severity: Info,
	Title: "A crawler is under a comment about another purpose.",
	Why:   "Lists of crawlers for AI training often contain some for search, and the other way round. Closed under a comment about training, a crawler for search no longer finds the site. Opened under one about search, a crawler for training may take the pages. Reported if the comment names only one purpose, which the crawler does not have.",
	Bad:   "# Block AI training\nUser-agent: GPTBot\nUser-agent: OAI-SearchBot\nDisallow: /\n",
	Good:  "# Block AI training\nUser-agent: GPTBot\nDisallow: /\n",
}}

// inspectHeadings looks for crawlers below a comment about training or search that have the other purpose only.
func inspectHeadings(d *document) {
	var training, search, ended bool // of the last block of comments
	var first *line
	var names []string
	closed := false
	for i := range d.lines {
		l := &d.lines[i]
		switch l.kind {
		case robotstxt.KindComment:
			training = l.speaksOf("training") || training && !ended
			search = l.speaksOf("search") || search && !ended
			ended = false
			continue
		case robotstxt.KindUserAgent:
		default:
			ended = true
			continue
		}
		ended = true
		c, _ := findCrawler(ascii.View(l.value()))
		if training == search || slices.Contains(names, c.Token) || !d.isUnlike(c, l, training) ||
			first != nil && closed != training {
			continue
		}
		first, closed = cmp.Or(first, l), training
		names = append(names, c.Token)
	}
	if first == nil {
		return
	}
	what := choose(len(names) > 1, "collect training data, and are not for search", "collects training data, and is not for search")
	if closed {
		what = choose(len(names) > 1, "are for search, not for training, so they do not find the site", "is for search, not for training, so it does not find the site")
	}
	f := d.findValue(rxCommentSaysOtherwise, first, "The comment above speaks of %s, but %s %s.", choose(closed, "training", "search"), listed(names), what)
	f.For = names
}

// isUnlike reports whether a line names a crawler that its group closes out, of which all purposes are search, or one
// that its group lets in, of which the only purpose is training. Its operator must document them.
func (d *document) isUnlike(c *crawlers.Crawler, l *line, closed bool) bool {
	isForSearch := func(p crawlers.Purpose) bool { return p == search || p == aiSearch }
	isOther := func(p crawlers.Purpose) bool { return !isForSearch(p) }
	unlike := choose(closed, !slices.ContainsFunc(c.Purposes, isOther), isOnly(c, aiTraining))
	if !unlike || c.Status == crawlers.Retired || !slices.Contains(c.Verified, "purposes") {
		return false
	}
	open, line := d.robots.NamedRules(c.Token).Verdict("/")
	return open != closed && line > 0 && d.line(line).group == l.group
}
