package permission

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
)

// patterns are path patterns that are compared as rules of robots.txt are. The engine decides: it
// gets a rule for each pattern. The rule is a Disallow, because an Allow can match index pages
// too.
type patterns struct {
	rules  robotstxt.Rules
	byLine []int // the pattern of each rule, from line 2 on
	empty  []int // empty patterns, which match every URL and are the shortest
}

type match struct{ index, length int }

// compile prepares patterns for comparing, in time linear in their size.
func compile(d robotstxt.Dialect, paths []string) *patterns {
	p := &patterns{}
	var file strings.Builder
	file.WriteString("User-agent: *\n")
	for i, path := range paths {
		switch {
		case path == "":
			p.empty = append(p.empty, i)
		case isWritable(path):
			p.byLine = append(p.byLine, i)
			file.WriteString("Disallow: " + path + "\n")
		}
	}
	if p.byLine != nil {
		p.rules = d.Parse([]byte(file.String())).Rules()
	}
	return p
}

func (p *patterns) matching(url string) []match {
	found := make([]match, 0, len(p.empty))
	for _, i := range p.empty {
		found = append(found, match{index: i})
	}
	if p.byLine == nil {
		return found
	}
	explained := p.rules.Explain(url)
	add := func(r *robotstxt.Rule) {
		if r.Length > 0 {
			found = append(found, match{p.byLine[r.Line-2], r.Length})
		}
	}
	if explained.Rule != nil {
		add(explained.Rule)
	}
	for i := range explained.Others {
		add(&explained.Others[i])
	}
	slices.SortFunc(found, func(a, b match) int { return cmp.Compare(a.index, b.index) })
	return found
}

// lengths returns for each of n path patterns how long it is if it matches the URL, and -1 if it
// does not match.
func (p *patterns) lengths(n int, url string) []int {
	matched := make([]int, n)
	for i := range matched {
		matched[i] = -1
	}
	for _, m := range p.matching(url) {
		matched[m.index] = m.length
	}
	return matched
}

// longestPath is the length of the longest path pattern that a line of robots.txt can contain.
const longestPath = 16 << 10

// isWritable reports whether a pattern from another document can be the value of a rule. No
// path contains the other characters, so such a pattern matches nothing.
func isWritable(path string) bool {
	return len(path) <= longestPath && !strings.ContainsAny(path, "#\x00\r\n") && strings.Trim(path, " \t\v\f") == path
}

// longest returns the indices of the longest patterns that match. It returns none if no
// pattern matches.
func longest(lengths []int) (best []int) {
	most := -1
	for i, n := range lengths {
		if n > most {
			most, best = n, best[:0]
		}
		if n == most && n >= 0 {
			best = append(best, i)
		}
	}
	return best
}
