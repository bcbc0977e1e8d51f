package lint

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

// use is what pages may be used for, whatever a line calls it.
type use uint8

const (
	useTraining use = iota
	useInput
	useSearch
)

// preference is what a line states about one use of the pages of a path.
type preference struct {
	line       *line
	path       string // empty: all
	about      use
	grants     bool
	draft      string // that the line rests on
	start, end int    // in the body
}

// findDraft reports a finding that rests on a draft, and names it: drafts move.
func (x *extensions) findDraft(draft string, c *check, l *line, start, end int, format string, args ...shown) *Finding {
	f := x.find(c, l, start, end, format, args...)
	f.also(" (", draft, ")")
	return f
}

// prefer keeps a preference of a group for the comparison with others.
func (x *extensions) prefer(l *line, path string, about use, grants bool, draft string, start, end int) {
	if l.group < 0 {
		return
	}
	if path == "/" {
		path = "" // it is about all pages, too
	}
	x.preferences = append(x.preferences, preference{l, path, about, grants, draft, start, end})
}

var rxPreferenceContradicted = &check{Entry{
	Code: "RX514", Name: "preference-contradicted", Severity: Warning,
	Title: "What a line says about the use of pages is contradicted by another line.",
	Why:   "Of two Content-Usage lines of one path the refusal counts, the other way round than with Allow (" + draftAttach + " section 3.1); which counts of a Content-Signal and a Content-Usage no one says. And preferences are about pages that may be crawled: to grant the use of what the group disallows grants nothing. To refuse it is information.",
	Bad:   "User-agent: *\nAllow: /\nContent-Signal: ai-train=no\nContent-Usage: train-ai=y\n",
	Good:  "User-agent: *\nAllow: /\nContent-Signal: ai-train=no\nContent-Usage: train-ai=n\n",
}}

// inspectPreferences compares the preferences of each group with each other and
// with its rules.
func (x *extensions) inspectPreferences() {
	if x.preferences == nil || !x.wants(rxPreferenceContradicted) {
		return
	}
	type subject struct {
		group int32
		path  string
		about use
	}
	stated := map[subject]*preference{}
	for i := range x.preferences {
		p := &x.preferences[i]
		s := subject{p.line.group, p.path, p.about}
		before, ok := stated[s]
		if !ok {
			stated[s] = p
			continue
		}
		if before.grants != p.grants {
			x.contradiction(p, before)
		}
	}
	x.inspectClosed()
}

// contradiction reports a preference that an earlier line contradicts. Which of
// them counts depends on where they come from.
func (x *extensions) contradiction(p, before *preference) {
	draft, counts := p.draft, "no one says which counts"
	switch {
	case p.draft != before.draft:
		draft = draftSignals + ", " + draftAttach
	case p.draft == draftAttach:
		counts = "the refusal counts"
	}
	f := x.findDraft(draft, rxPreferenceContradicted, p.line, p.start, p.end, "%s contradicts %s on line %d, and %s",
		quote(x.body[p.start:p.end]), quote(x.body[before.start:before.end]), num(before.line.number), str(counts))
	f.Related = []Related{{before.line.number, quote(x.body[before.start:before.end]).String()}}
}

// inspectClosed finds lines with preferences about pages that may not be crawled.
func (x *extensions) inspectClosed() {
	repeated := x.repeatedTokens()
	group, closed := int32(-1), closedPaths(nil)
	for i := 0; i < len(x.preferences); {
		p := &x.preferences[i]
		grants := false
		for ; i < len(x.preferences) && x.preferences[i].line == p.line; i++ {
			grants = grants || x.preferences[i].grants
		}
		if p.line.group != group {
			group = p.line.group
			closed = x.closedPaths(&x.groups[group], repeated)
		}
		rule := closed.covering(p.path)
		if rule == nil {
			continue
		}
		f := x.findLine(rxPreferenceContradicted, p.line, "these pages are disallowed, so that the crawlers of the group have nothing of them to use (%s)", str(p.draft))
		f.Related = []Related{{rule.Line, "the rule that disallows them"}}
		if !grants {
			x.soften(f, Info)
		}
	}
}

// repeatedTokens returns the tokens that several groups name: what their
// crawlers may fetch no single group says.
func (x *extensions) repeatedTokens() map[string]bool {
	first, repeated := map[string]int{}, map[string]bool{}
	for i := range x.groups {
		for _, a := range x.groups[i].agents {
			token := ascii.ToLower(a.Token)
			if before, ok := first[token]; ok && before != i {
				repeated[token] = true
			}
			first[token] = i
		}
	}
	return repeated
}

// closedPaths are rules that disallow every path which begins with their
// pattern. They are sorted, and none begins with another one.
type closedPaths []robotstxt.Rule

// closedPaths returns those of a group. It returns none if an Allow could open
// something again, or another group of a crawler.
func (x *extensions) closedPaths(g *group, repeated map[string]bool) (closed closedPaths) {
	for _, a := range g.agents {
		if repeated[ascii.ToLower(a.Token)] {
			return nil
		}
	}
	for _, r := range g.rules {
		switch {
		case r.Pattern == "":
		case r.Allow:
			return nil
		case !strings.Contains(r.Pattern, "*") && !strings.HasSuffix(r.Pattern, "$"):
			closed = append(closed, r)
		}
	}
	slices.SortStableFunc(closed, func(a, b robotstxt.Rule) int { return cmp.Compare(a.Pattern, b.Pattern) })
	short := closed[:0]
	for _, r := range closed {
		if n := len(short); n == 0 || !strings.HasPrefix(r.Pattern, short[n-1].Pattern) {
			short = append(short, r)
		}
	}
	return short
}

// covering returns the rule that disallows all paths which begin with path, nil
// if there is none. An empty path stands for the root.
func (c closedPaths) covering(path string) *robotstxt.Rule {
	if path == "" {
		path = "/"
	}
	if strings.ContainsAny(path, "*$") {
		return nil
	}
	i, found := slices.BinarySearchFunc(c, path, func(r robotstxt.Rule, path string) int { return cmp.Compare(r.Pattern, path) })
	if !found {
		i-- // of what sorts before path, only the last can be what it begins with
	}
	if i < 0 || !strings.HasPrefix(path, c[i].Pattern) {
		return nil
	}
	return &c[i]
}
