package lint

import (
	"strconv"
	"strings"

	"github.com/kosterhq/robotstxt/crawlers"
)

// knownCrawlers holds product tokens against the list of crawlers.
type knownCrawlers struct {
	d       *document
	unknown []*line // lines that name no known crawler
}

// inspect looks at a line that names a token, in a group.
func (k *knownCrawlers) inspect(l *line, token string, g *group) {
	c, ok := crawlers.Find(token)
	switch {
	case !ok:
		k.inspectUnknown(l, token)
	case c.Retired:
		k.findRetired(l, c)
	case c.Obeys == crawlers.ObeysNone && c.Verified && restricts(g.rules):
		f := k.d.findValue("RX112", l, "%s may pass over robots.txt, by the word of its operator: these rules need not hold for it", c.Token)
		f.For = []string{c.Token}
	}
}

// inspectUnknown looks at a token that no known crawler has.
func (k *knownCrawlers) inspectUnknown(l *line, token string) {
	if k.d.wants("RX109") {
		if meant := misspelt(token); meant != "" {
			f := k.d.findValue("RX109", l, "%s is unknown, but nearly %s", quote(token), meant)
			f.Fix = &Fix{Title: "write " + meant, Edits: l.replaceValue(meant), Meaning: true}
			return
		}
	}
	k.unknown = append(k.unknown, l)
}

// findUnknown reports all unknown tokens at the first one.
func (k *knownCrawlers) findUnknown() {
	const shown = 20
	if len(k.unknown) == 0 {
		return
	}
	first, more := k.unknown[0], k.unknown[1:]
	if len(more) == 0 {
		k.d.findValue("RX108", first, "no crawler is known that is named %s", quote(first.value()))
		return
	}
	f := k.d.findValue("RX108", first, "%s and %s below name no crawler that is known", quote(first.value()), number(len(more), "token"))
	for _, l := range more[:min(shown, len(more))] {
		f.Related = append(f.Related, Related{l.number, quote(l.value()) + " is unknown too"})
	}
}

// findRetired reports a token that is not in use any more. If the file names a
// successor already there is nothing to mend.
func (k *knownCrawlers) findRetired(l *line, c crawlers.Crawler) {
	f := k.d.findValue("RX110", l, "%s is not in use any more", c.Token)
	if len(c.Replacements) == 0 {
		return
	}
	f.Message += "; now it is " + strings.Join(c.Replacements, ", ")
	for _, successor := range c.Replacements {
		if line := k.d.naming(successor); line > 0 {
			f.Message += ", which line " + strconv.Itoa(line) + " names"
			return
		}
	}
	f.Fix = &Fix{
		Title:   "write " + c.Replacements[0],
		Edits:   l.replaceValue(strings.Join(c.Replacements, k.d.newline()+"User-agent: ")),
		Meaning: true,
	}
}
