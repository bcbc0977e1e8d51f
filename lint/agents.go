package lint

import (
	"slices"
	"strings"
	"sync"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/typo"
)

var agentFamily = family{inspect: inspectAgents, checks: []*check{
	rxAgentNotAToken, rxAgentMatchesNone, rxAgentBeyondAlphabet, rxAgentIsHeader, rxUnknownAgent, rxMisspeltAgent, rxRetiredAgent,
	rxAgentNeedNotObey, rxDirectiveInAgent, rxAgentList, rxAgentAll,
}}

// inspectAgents inspects the names in user-agent lines.
func inspectAgents(d *document) {
	known := knownCrawlers{d: d, open: map[string]bool{}}
	for i := range d.groups {
		g := &d.groups[i]
		for _, a := range g.agents {
			l := d.line(a.Line)
			switch n := len(l.value()); {
			case n == 1 && l.value()[0] == '*':
			case findAll(d, l):
			case n > 0 && tokenLen(l.value()) == n:
				known.inspect(l, a.Token, g)
			default:
				inspectAgentValue(d, l)
			}
		}
	}
	known.findUnknown()
}

var rxAgentAll = &check{Entry{
	Code: "RX116", Name: "agent-all", Severity: Error,
	Title: "A User-agent line says \"all\" instead of *.",
	Why:   "Only * addresses all crawlers (RFC 9309 2.2.1, G25). The word \"all\" is read as the name of a crawler, and there is no crawler with that name.",
	Bad:   "User-agent: all\nDisallow: /private/\n",
	Good:  "User-agent: *\nDisallow: /private/\n",
}}

// findAll reports a word for all crawlers, and whether the value is one.
func findAll(d *document, l *line) bool {
	words := [...]string{"all", "any", "everyone", "everybody"}
	if !slices.ContainsFunc(words[:], func(word string) bool { return ascii.EqualFold(l.value(), word) }) {
		return false
	}
	f := d.findValue(rxAgentAll, l, "%s is read as a crawler's name. Write * for all crawlers.", quote(l.value()))
	f.Fix = &Fix{Title: "write *", Edits: l.replaceValue("*"), Meaning: true}
	return true
}

// knownCrawlers looks names up in the list of crawlers.
type knownCrawlers struct {
	d       *document
	unknown []*line         // with names that are not in the list
	open    map[string]bool // whether crawlers may fetch the home page
	group   *group          // the last one that closes was called for
	closed  bool            // its result
}

// isOpen reports whether a crawler may fetch the home page. Each crawler is looked up once.
func (k *knownCrawlers) isOpen(token string) bool {
	open, known := k.open[token]
	if !known {
		open, _ = k.d.robots.Rules(token).Verdict("/")
		k.open[token] = open
	}
	return open
}

// closes reports whether a group closes the site. It keeps the last answer, because the lines of
// a group are inspected one after the other.
func (k *knownCrawlers) closes(g *group) bool {
	if k.group != g {
		k.group, k.closed = g, closureOf(k.d, g.rules).closed
	}
	return k.closed
}

var rxAgentNeedNotObey = &check{Entry{
	Code: "RX112", Name: "agent-need-not-obey", Severity: Info,
	Title: "A crawler may ignore these rules.",
	Why:   "The operator, or else a public list of crawlers, says that this crawler does not follow robots.txt, or not always, for example because it fetches a page that a user requested. Only the server can keep it out, by its name or its addresses. Reported if the group closes the whole site, with --pedantic also if it blocks a part of it.",
	Bad:   "User-agent: Google-Read-Aloud\nDisallow: /\n",
	Good:  "User-agent: *\nDisallow: /private/\n",
}}

// inspect inspects a line with the name of one crawler, in a group.
func (k *knownCrawlers) inspect(l *line, token string, g *group) {
	c, ok := findCrawler(token)
	switch {
	case !ok:
		k.inspectUnknown(l, token)
	case c.Status == crawlers.Retired:
		k.findRetired(l, c, g)
	case c.Obeys == crawlers.ObeysNone && (k.closes(g) || k.d.config.Pedantic && restricts(g.rules)):
		message := "%s may ignore robots.txt. To keep it out, block it at the server."
		if !slices.Contains(c.Verified, "obeys") {
			message = "%s ignores robots.txt, according to a public list. To keep it out, block it at the server."
		}
		f := k.d.findValue(rxAgentNeedNotObey, l, message, str(c.Token))
		f.For = []string{c.Token}
	}
}

var rxMisspeltAgent = &check{Entry{
	Code: "RX109", Name: "misspelt-agent", Severity: Warning,
	Title: "The name of a crawler looks misspelt.",
	Why:   "A group applies to a crawler only if the name is exactly right; upper and lower case do not matter (RFC 9309 2.2.1, G26).",
	Bad:   "User-agent: Gogglebot\nDisallow: /private/\n",
	Good:  "User-agent: Googlebot\nDisallow: /private/\n",
}}

// crawlersOf are the main crawlers of companies and services whose own names are not names of
// crawlers.
var crawlersOf = map[string]string{
	"google": "Googlebot", "bing": "bingbot", "baidu": "Baiduspider", "duckduckgo": "DuckDuckBot",
	"openai": "GPTBot", "openaibot": "GPTBot", "chatgpt": "GPTBot", "claude": "ClaudeBot", "claudeai": "ClaudeBot",
	"anthropic": "ClaudeBot", "perplexity": "PerplexityBot",
}

// mainCrawlerOf returns the main crawler of a company or service, "" if it has none.
func mainCrawlerOf(name string) string { return crawlersOf[ascii.ToLower(name)] }

// inspectUnknown inspects a name that is not in the list.
func (k *knownCrawlers) inspectUnknown(l *line, token string) {
	if k.d.wants(rxMisspeltAgent) {
		meant := joinedName(token)
		if meant != "" && k.d.agents.naming(meant) > 0 { // lists that are copied often have both
			k.unknown = append(k.unknown, l)
			return
		}
		if meant == "" {
			meant = misspelt(token)
		}
		// Lists that are copied from site to site often name both.
		if main := mainCrawlerOf(token); main != "" && k.d.agents.naming(main) == 0 {
			meant = main
		}
		if meant != "" {
			f := k.d.findValue(rxMisspeltAgent, l, "%s is not a known crawler. Did you mean %s?", quoteText(token), str(meant))
			f.Fix = &Fix{Title: "write " + meant, Edits: l.replaceValue(meant), Meaning: true}
			return
		}
	}
	k.unknown = append(k.unknown, l)
}

var rxUnknownAgent = &check{Entry{
	Code: "RX108", Name: "unknown-agent", Severity: Info, Pedantic: true,
	Title: "Names of crawlers are not in our list.",
	Why:   "The names may be right. But lists of crawlers are copied from site to site, and many crawlers in them no longer exist. One finding is about all such names.",
	Bad:   "User-agent: Quuxfrobnicator\nDisallow: /private/\n",
	Good:  "User-agent: AhrefsBot\nDisallow: /private/\n",
}}

// findUnknown reports all names that are not in the list at the first one.
func (k *knownCrawlers) findUnknown() {
	const most = 20
	if len(k.unknown) == 0 {
		return
	}
	first, more := k.unknown[0], k.unknown[1:]
	if len(more) == 0 {
		k.d.findValue(rxUnknownAgent, first, "%s is not in our list of crawlers, and possibly outdated.", quote(first.value()))
		return
	}
	f := k.d.findValue(rxUnknownAgent, first, "%s here are not in our list of crawlers, and possibly outdated.", str(number(1+len(more), "name")))
	for _, l := range more[:min(most, len(more))] {
		f.Related = append(f.Related, Related{l.number, quote(l.value()).String()})
	}
}

var rxRetiredAgent = &check{Entry{
	Code: "RX110", Name: "retired-agent", Severity: Warning,
	Title: "A crawler no longer exists under this name.",
	Why:   "The operator stopped the crawler, or gave it another name. The group applies to no crawler then. A name without a successor is reported with --pedantic. It is a warning if the successor may fetch the home page and the old crawler may not, or the other way round; otherwise it is info.",
	Bad:   "User-agent: msnbot\nDisallow:\n\nUser-agent: *\nDisallow: /\n",
	Good:  "User-agent: bingbot\nDisallow:\n\nUser-agent: *\nDisallow: /\n",
}}

// findRetired reports a name that is not in use any more. It does no harm if the file names
// each successor and treats it in the same way, or if its group is that for all crawlers.
func (k *knownCrawlers) findRetired(l *line, c *crawlers.Crawler, g *group) {
	d := k.d
	old := k.isOpen(c.Token)
	missing := slices.DeleteFunc(slices.Clone(c.Replacements), func(successor string) bool {
		return d.agents.naming(successor) > 0 && k.isOpen(successor) == old
	})
	if (len(missing) == 0 || forAll(d, g)) && !d.config.Pedantic {
		return
	}
	message := c.Token + " no longer exists"
	if len(c.Replacements) > 0 {
		operator := "its operator"
		if c.Operator != "" {
			operator = c.Operator
		}
		message += "; " + operator + " uses " + listed(c.Replacements)
	}
	severity := Info
	for _, successor := range missing {
		switch now := k.isOpen(successor); {
		case old && !now:
			message, severity = message+", and the site is closed to "+successor, Warning
		case !old && now:
			message += ", and the site is open to " + successor
		default:
			continue
		}
		break
	}
	f := d.findValue(rxRetiredAgent, l, "%s.", str(message))
	d.soften(f, severity)
	if len(missing) > 0 {
		f.Fix = &Fix{
			Title:   "write " + listed(missing),
			Edits:   l.replaceValue(strings.Join(missing, d.newline()+"User-agent: ")),
			Meaning: true,
		}
	}
}

// joinedName returns the verified token that a name is without its blanks, hyphens and
// underscores, such as "GPT Bot" and "Google-Bot", or "".
func joinedName[T ~string | ~[]byte](name T) string {
	var joined [longestName]byte
	n := 0
	for i := range len(name) {
		if c := name[i]; c != ' ' && c != '-' && c != '_' && n < len(joined) {
			joined[n] = c
			n++
		}
	}
	if n == len(name) || n == len(joined) {
		return ""
	}
	if main := mainCrawlerOf(string(joined[:n])); main != "" {
		return main
	}
	c, known := findCrawler(joined[:n])
	if !known || !slices.Contains(c.Verified, "operator") || c.Status == crawlers.Retired || !ascii.EqualFold(c.Token, joined[:n]) {
		return ""
	}
	return c.Token
}

// tokensByLength lists the known product tokens that a file can name, by their
// length. It is made when the first unknown token is met.
var tokensByLength = sync.OnceValue(func() (byLength [][]string) {
	for c := range crawlers.All() {
		if !robotstxt.ValidAgent(c.Token) || c.Status == crawlers.Retired {
			continue
		}
		for len(byLength) <= len(c.Token) {
			byLength = append(byLength, nil)
		}
		byLength[len(c.Token)] = append(byLength[len(c.Token)], c.Token)
	}
	return byLength
})

// misspelt returns the known token that an unknown one is meant to be, or "".
// Names of crawlers are much alike, so one typo is allowed: two, or one in a
// short name, make another crawler. crawlers.Nearest forgives more, because it
// answers people who look for a crawler.
func misspelt(token string) string {
	const shortest = 7 // of both: short names are words that others contain
	if len(token) < shortest {
		return ""
	}
	byLength := tokensByLength()
	for n := max(len(token)-1, shortest); n <= len(token)+1 && n < len(byLength); n++ {
		for _, known := range byLength[n] {
			if n, near := typo.Distance(token, known, 1); near && n == 1 && !isReplaced(token, known) {
				return known
			}
		}
	}
	return ""
}

// isReplaced reports whether the one typo between two tokens replaces a letter
// and too few others are left to know the token by: FooBot-A is not FooBot-B.
func isReplaced(token, known string) bool {
	const shortest = 9
	if len(token) != len(known) || len(token) >= shortest {
		return false
	}
	differ := 0 // two letters where neighbours are swapped
	for i := range len(token) {
		if ascii.Lower(token[i]) != ascii.Lower(known[i]) {
			differ++
		}
	}
	return differ == 1
}
