package lint

import (
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

// inspectEveryone looks for a group for those that no group names.
func (d *document) inspectEveryone() {
	if len(d.groups) == 0 || d.wants("RX308") || slices.ContainsFunc(d.lines, func(l line) bool { return l.kind == robotstxt.KindUserAgent && namesAll(&l) }) {
		return
	}
	d.findFile("RX306", "there is no group for *: crawlers that no group names may fetch everything")
}

// inspectSiteClosed looks for a rule that closes the site to the main crawler of
// the profile. An Allow that opens the home page again opens the site.
func (d *document) inspectSiteClosed() {
	if len(d.groups) == 0 || !d.wants("RX307") {
		return
	}
	rules := d.robots.Rules(d.audience.tokens...)
	// The home page stands for the site: an Allow of another part leaves a site
	// that cannot be found from its address.
	allowed, number := rules.Verdict("/")
	if allowed || number == 0 {
		return
	}
	l := d.line(number)
	if !everything(string(l.value())) {
		return
	}
	who := "all crawlers that no group names"
	if g := &d.groups[l.group]; !d.forAll(g) {
		who = quote(g.agents[0].Token)
	}
	d.findLine("RX307", l, "the site is closed to %s", who)
}

// inspectSiteOpen looks for what lets crawlers into a site that should be closed.
func (d *document) inspectSiteOpen() {
	if !d.wants("RX308") {
		return
	}
	index := d.agentIndex()
	closing := make([]closure, len(d.groups))
	for i := range d.groups {
		closing[i] = closureOf(d.groups[i].rules)
	}
	// Groups that name the same crawler count together, so each token is looked at
	// once. A token that no one has cannot let anyone in.
	everyone := false
	for start := 0; start < len(index); {
		end := start + 1
		for end < len(index) && ascii.EqualFold(index[start].token, index[end].token) {
			end++
		}
		token := index[start].token
		everyone = everyone || token == "*"
		if token != "" {
			d.inspectLetIn(index[start:end], closing)
		}
		start = end
	}
	if !everyone {
		start, newline := d.markLen(), d.newline()
		f := d.findFile("RX308", "the site is open: no group for * closes it")
		f.Fix = &Fix{Title: "close it", Edits: []Edit{{start, start, "User-agent: *" + newline + "Disallow: /" + newline + newline}}, Meaning: true}
	}
}

// closure is what a group does to close the site.
type closure struct {
	closed bool // a rule disallows everything
	opens  int  // the line of the first Allow of more than the robots.txt, 0 without one
}

// closureOf tells what rules do. An Allow of the robots.txt opens nothing that is
// worth hiding.
func closureOf(rules []robotstxt.Rule) (c closure) {
	for _, r := range rules {
		switch {
		case !r.Allow && everything(r.Pattern):
			c.closed = true
		case r.Allow && c.opens == 0 && r.Pattern != "" && strings.TrimSuffix(r.Pattern, "$") != "/robots.txt":
			c.opens = r.Line
		}
	}
	return c
}

// inspectLetIn looks whether the groups that name a crawler close the site to it.
func (d *document) inspectLetIn(agents []agentLine, closing []closure) {
	first := slices.MinFunc(agents, func(a, b agentLine) int { return a.line - b.line })
	// Where groups are not merged, what later ones open or close reaches nobody.
	if d.audience.firstGroup {
		agents = []agentLine{first}
	}
	closed, opens := false, 0
	for _, a := range agents {
		c := closing[d.line(a.line).group]
		closed = closed || c.closed
		if opens == 0 {
			opens = c.opens
		}
	}
	who, l := quote(first.token), d.line(first.line)
	switch {
	case !closed:
		g := d.groups[l.group]
		f := d.findLine("RX308", l, "the site is open to %s: its group does not disallow everything", who)
		f.Fix = &Fix{Title: "close it", Edits: d.insertAfter(d.line(g.agents[len(g.agents)-1].Line), "Disallow: /"), Meaning: true}
	case opens > 0:
		allow := d.line(opens)
		f := d.findLine("RX308", allow, "a part of the site is open to %s", who)
		f.Fix = &Fix{Title: "remove the Allow", Edits: allow.remove(), Meaning: true}
	}
}
