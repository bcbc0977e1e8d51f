package lint

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt/internal/ascii"
)

// agentLine is a user-agent line and the token that the dialect reads in it: ""
// where it names no one.
type agentLine struct {
	token string
	line  int // number
}

// agentIndex returns the user-agent lines, sorted by token, by value, and by line.
func (d *document) agentIndex() []agentLine {
	if d.agents != nil {
		return d.agents
	}
	for i := range d.groups {
		for _, a := range d.groups[i].agents {
			named := agentLine{a.Token, a.Line}
			if strings.Trim(a.Token, "*") == "" && !namesAll(d.line(a.Line)) {
				named.token = ""
			}
			d.agents = append(d.agents, named)
		}
	}
	slices.SortFunc(d.agents, func(a, b agentLine) int {
		return cmp.Or(ascii.CompareFold(a.token, b.token), ascii.CompareFold(d.line(a.line).value(), d.line(b.line).value()), a.line-b.line)
	})
	return d.agents
}

// naming returns the number of a user-agent line that names a token, 0 if none
// does.
func (d *document) naming(token string) int {
	index := d.agentIndex()
	i, found := slices.BinarySearchFunc(index, token, func(a agentLine, token string) int { return ascii.CompareFold(a.token, token) })
	if !found {
		return 0
	}
	return index[i].line
}

// inspectRepeats looks for crawlers that several groups name. Values that only
// become equal where their token is cut are a matter of RX1xx.
func (d *document) inspectRepeats() {
	if len(d.groups) < 2 || !d.wants("RX302") {
		return
	}
	// Lines of equal values are neighbours in the index, in the order of the file.
	index := d.agentIndex()
	first := 0
	for i := 1; i < len(index); i++ {
		l, before := d.line(index[i].line), d.line(index[first].line)
		if index[i].token == "" || !ascii.EqualFold(l.value(), before.value()) {
			first = i
			continue
		}
		if l.group != d.line(index[i-1].line).group {
			d.findRepeated(l, before)
		}
	}
}

// findRepeated reports a user-agent line of a crawler that an earlier group names.
func (d *document) findRepeated(l, before *line) {
	what := "most crawlers take the rules of both together, older ones only the first"
	if d.audience.firstGroup {
		what = "only the first counts"
	}
	f := d.findValue("RX302", l, "%s has a group of its own on line %d already: %s", quote(l.value()), before.number, what)
	f.Related = []Related{{before.number, "the first group that names it"}}
}
