package fix

import (
	"slices"
	"sort"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/lint"
)

// file is a body divided into lines and groups.
type file struct {
	lines  []robotstxt.Line
	groups []span
	tokens map[int][]string // of the user-agent lines, in google and rfc9309, by line number
	named  map[string][]int // the same by token in lower case
}

// span is the lines from the first user-agent line of a group to the next group.
// The span before the first group has no agents.
type span struct {
	first, last int // line numbers
	agents      []int
}

func newFile(body []byte, dialect robotstxt.Dialect) *file {
	f := &file{lines: slices.Collect(robotstxt.Lines(body)), tokens: make(map[int][]string), named: make(map[string][]int)}
	f.groups = []span{{first: 1}}
	for group := range dialect.Parse(body).Groups() {
		s := span{}
		for agent := range group.Agents() {
			s.agents = append(s.agents, agent.Line)
		}
		s.first = s.agents[0]
		f.groups[len(f.groups)-1].last = s.first - 1
		f.groups = append(f.groups, s)
	}
	f.groups[len(f.groups)-1].last = len(f.lines)
	for _, d := range []robotstxt.Dialect{robotstxt.Google, robotstxt.RFC9309} {
		for group := range d.Parse(body).Groups() {
			for agent := range group.Agents() {
				token := ascii.ToLower(agent.Token)
				f.tokens[agent.Line] = append(f.tokens[agent.Line], token)
				f.named[token] = append(f.named[token], agent.Line)
			}
		}
	}
	return f
}

// lineAt returns the number of the line of an offset.
func (f *file) lineAt(offset int) int {
	return sort.Search(len(f.lines), func(i int) bool { return f.lines[i].Offset > offset })
}

// groupOf returns the index of the span of a line.
func (f *file) groupOf(line int) int {
	return sort.Search(len(f.groups), func(i int) bool { return f.groups[i].first > line }) - 1
}

// removes reports whether a fix removes directives.
func (f *file) removes(fix *lint.Fix) bool {
	return slices.ContainsFunc(fix.Edits, func(e lint.Edit) bool {
		if e.New != "" || e.End == e.Start {
			return false
		}
		for _, line := range f.lines[f.lineAt(e.Start)-1 : f.lineAt(e.End-1)] {
			if line.Key != nil && e.Start <= line.KeyOffset && line.KeyOffset < e.End {
				return true
			}
		}
		return false
	})
}

// merges returns the number of a user-agent line that has the token that the fix
// writes, but is spelt differently from the line that the fix rewrites; 0 if there is
// none.
func (f *file) merges(fix *lint.Fix) (line int) {
	for _, e := range fix.Edits {
		rewritten := f.lines[f.lineAt(e.Start)-1]
		if rewritten.Kind != robotstxt.KindUserAgent || e.New == "" {
			continue
		}
		for _, number := range f.named[ascii.ToLower(e.New)] {
			if number != rewritten.Number && !ascii.EqualFold(f.lines[number-1].Value, rewritten.Value) {
				return number
			}
		}
	}
	return 0
}

// aboutBounds are the codes of findings about the lines of a group. While one is open,
// the group may not be what its author intended.
var aboutBounds = []lint.Code{"RX301", "RX304", "RX405"}

// openBounds are the open findings of that kind, by what they are about.
type openBounds struct {
	byGroup map[int]*lint.Finding
	byToken map[string]*lint.Finding // of a user-agent line of such a group
}

func (f *file) openBounds(findings []lint.Finding) openBounds {
	open := openBounds{make(map[int]*lint.Finding), make(map[string]*lint.Finding)}
	for i := range findings {
		finding := &findings[i]
		if !slices.Contains(aboutBounds, finding.Code) {
			continue
		}
		groups := []int{f.groupOf(finding.Line)}
		if next := groups[0] + 1; finding.Code == "RX405" && next < len(f.groups) {
			groups = append(groups, next) // the lost line may be its first one
		}
		for _, group := range groups {
			open.byGroup[group] = finding
			for _, line := range f.groups[group].agents {
				for _, token := range f.tokens[line] {
					open.byToken[token] = finding
				}
			}
		}
	}
	return open
}

// touched returns an open finding about the bounds of a group that a fix edits. For a
// removal it also returns one about another group of the same crawler, since the
// removal depends on the rules of both groups.
func (f *file) touched(finding *lint.Finding, open openBounds) *lint.Finding {
	if len(open.byGroup) == 0 || slices.Contains(aboutBounds, finding.Code) {
		return nil
	}
	removes := f.removes(finding.Fix)
	for _, e := range finding.Fix.Edits {
		first, last := f.groupOf(f.lineAt(e.Start)), f.groupOf(f.lineAt(max(e.Start, e.End-1)))
		for group := first; group <= last; group++ {
			if found := open.byGroup[group]; found != nil {
				return found
			}
		}
		if !removes {
			continue
		}
		for _, line := range f.groups[first].agents {
			for _, token := range f.tokens[line] {
				if found := open.byToken[token]; found != nil {
					return found
				}
			}
		}
	}
	return nil
}
