package lint

import (
	"strconv"
	"strings"
	"sync"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/typo"
)

var agentFamily = family{inspect: inspectAgents, checks: []*check{rxAgentNotAToken, rxAgentWithBlank, rxAgentWithVersion, rxAgentBeginsOddly, rxAgentBeginsWithStar, rxAgentBeyondAlphabet, rxAgentIsHeader, rxUnknownAgent, rxMisspeltAgent, rxRetiredAgent, rxEmptyAgent, rxAgentNeedNotObey, rxDirectiveInAgent, rxAgentWithStar, rxAgentList}}

// inspectAgents looks at what user-agent lines name.
func inspectAgents(d *document) {
	known := knownCrawlers{d: d}
	for i := range d.groups {
		g := &d.groups[i]
		for _, a := range g.agents {
			l := d.line(a.Line)
			switch n := len(l.value()); {
			case n == 1 && l.value()[0] == '*':
			case n > 0 && tokenLen(l.value()) == n:
				known.inspect(l, a.Token, g)
			default:
				inspectAgentValue(d, l, a.Token)
			}
		}
	}
	known.findUnknown()
}

// knownCrawlers holds product tokens against the list of crawlers.
type knownCrawlers struct {
	d       *document
	unknown []*line // lines that name no known crawler
}

var rxAgentNeedNotObey = &check{Entry{
	Code: "RX112", Name: "agent-need-not-obey", Severity: Info,
	Title: "A group has rules for a crawler that need not obey robots.txt.",
	Why:   "Its operator says that it ignores robots.txt, or may do so, because it fetches what a user requests or protects users. Other means are needed to keep it out.",
	Bad:   "User-agent: Google-Read-Aloud\nDisallow: /private/\n",
	Good:  "User-agent: Googlebot\nDisallow: /private/\n",
}}

// inspect looks at a line that names a token, in a group.
func (k *knownCrawlers) inspect(l *line, token string, g *group) {
	c, ok := crawlers.Find(token)
	switch {
	case !ok:
		k.inspectUnknown(l, token)
	case c.Status == crawlers.Retired:
		k.findRetired(l, c)
	case c.Obeys == crawlers.ObeysNone && c.Verified && restricts(g.rules):
		f := k.d.findValue(rxAgentNeedNotObey, l, "%s may pass over robots.txt, by the word of its operator: these rules need not hold for it", str(c.Token))
		f.For = []string{c.Token}
	}
}

var rxMisspeltAgent = &check{Entry{
	Code: "RX109", Name: "misspelt-agent", Severity: Warning,
	Title: "A product token is unknown, but nearly a known one.",
	Why:   "A token must equal the crawler's product token, apart from the case of letters (RFC 9309 2.2.1, G26).",
	Bad:   "User-agent: Gogglebot\nDisallow: /private/\n",
	Good:  "User-agent: Googlebot\nDisallow: /private/\n",
}}

// inspectUnknown looks at a token that no known crawler has.
func (k *knownCrawlers) inspectUnknown(l *line, token string) {
	if k.d.wants(rxMisspeltAgent) {
		if meant := misspelt(token); meant != "" {
			f := k.d.findValue(rxMisspeltAgent, l, "%s is unknown, but nearly %s", quoteText(token), str(meant))
			f.Fix = &Fix{Title: "write " + meant, Edits: l.replaceValue(meant), Meaning: true}
			return
		}
	}
	k.unknown = append(k.unknown, l)
}

var rxUnknownAgent = &check{Entry{
	Code: "RX108", Name: "unknown-agent", Severity: Info,
	Title: "A product token is not that of a known crawler.",
	Why:   "It may still be correct. But lists of crawlers are copied from site to site, and many of these crawlers no longer exist. All unknown tokens are in one finding.",
	Bad:   "User-agent: Quuxfrobnicator\nDisallow: /private/\n",
	Good:  "User-agent: AhrefsBot\nDisallow: /private/\n",
}}

// findUnknown reports all unknown tokens at the first one.
func (k *knownCrawlers) findUnknown() {
	const shown = 20
	if len(k.unknown) == 0 {
		return
	}
	first, more := k.unknown[0], k.unknown[1:]
	if len(more) == 0 {
		k.d.findValue(rxUnknownAgent, first, "no crawler is known that is named %s", quote(first.value()))
		return
	}
	f := k.d.findValue(rxUnknownAgent, first, "%s and %s below name no crawler that is known", quote(first.value()), str(number(len(more), "token")))
	for _, l := range more[:min(shown, len(more))] {
		f.Related = append(f.Related, Related{l.number, quote(l.value()).String() + " is unknown too"})
	}
}

var rxRetiredAgent = &check{Entry{
	Code: "RX110", Name: "retired-agent", Severity: Info,
	Title: "A product token is not in use any more.",
	Why:   "The operator of the crawler no longer uses it, or uses another one. A group for it may apply to no crawler.",
	Bad:   "User-agent: anthropic-ai\nDisallow: /private/\n",
	Good:  "User-agent: ClaudeBot\nDisallow: /private/\n",
}}

// findRetired reports a token that is not in use any more. If the file names a
// successor already there is nothing to mend.
func (k *knownCrawlers) findRetired(l *line, c crawlers.Crawler) {
	f := k.d.findValue(rxRetiredAgent, l, "%s is not in use any more", str(c.Token))
	if len(c.Replacements) == 0 {
		return
	}
	f.also("; now it is ", strings.Join(c.Replacements, ", "))
	for _, successor := range c.Replacements {
		if line := k.d.agents.naming(successor); line > 0 {
			f.also(", which line ", strconv.Itoa(line), " names")
			return
		}
	}
	f.Fix = &Fix{
		Title:   "write " + c.Replacements[0],
		Edits:   l.replaceValue(strings.Join(c.Replacements, k.d.newline()+"User-agent: ")),
		Meaning: true,
	}
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
	const shortest = 7
	if len(token) < shortest {
		return ""
	}
	byLength := tokensByLength()
	for n := len(token) - 1; n <= len(token)+1 && n < len(byLength); n++ {
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
