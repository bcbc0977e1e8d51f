package editor

import (
	"sort"

	"github.com/kosterhq/robotstxt"
)

// group is the lines of a group, from its first user-agent line to its last directive.
type group struct {
	robotstxt.Group
	first, last int // lines, from 1
}

// groupsOf returns the groups of a body in its order. Comments, empty lines and sitemaps
// after the last directive of a group are not in it.
func groupsOf(body []byte, robots *robotstxt.Robots) (groups []group) {
	for g := range robots.Groups() {
		groups = append(groups, group{Group: g, first: firstLine(g)})
	}
	next := 0
	for line := range robotstxt.Lines(body) {
		if next < len(groups) && line.Number == groups[next].first {
			next++
		}
		switch line.Kind {
		case robotstxt.KindUserAgent, robotstxt.KindAllow, robotstxt.KindDisallow,
			robotstxt.KindUnused, robotstxt.KindUnknown:
			if next > 0 {
				groups[next-1].last = line.Number
			}
		}
	}
	return groups
}

func firstLine(g robotstxt.Group) int {
	for agent := range g.Agents() {
		return agent.Line
	}
	return 0 // every group has an agent
}

// groupOf returns the group of a line, nil if it is in none.
func (d *Document) groupOf(line int) *group {
	i := sort.Search(len(d.groups), func(i int) bool { return d.groups[i].first > line }) - 1
	if i < 0 || line > d.groups[i].last {
		return nil
	}
	return &d.groups[i]
}

// ruleOf returns the rule of a line; ok is false if the line is not a rule.
func (g *group) ruleOf(line int) (_ robotstxt.Rule, ok bool) {
	for rule := range g.Rules() {
		if rule.Line == line {
			return rule, true
		}
	}
	return robotstxt.Rule{}, false
}

// tokens returns the product tokens of the group's user-agent lines, each once.
func (g *group) tokens() (tokens []string) {
	seen := make(map[string]bool)
	for agent := range g.Agents() {
		token := name(agent.Token)
		if token != "" && !seen[token] {
			tokens = append(tokens, token)
			seen[token] = true
		}
	}
	return tokens
}
