package robotstxt

import (
	"iter"
	"sort"

	"github.com/kosterhq/robotstxt/internal/ascii"
)

// Joined yields the user-agent lines that continue a group although lines other than user-agent
// lines and comments stand between them and the line before. It yields the second of these two, because
// only a rule ends a list of user-agent lines, so that Disallow is for SlowBot too:
//
//	User-agent: SlowBot
//	Crawl-delay: 10
//
//	User-agent: BadBot
//	Disallow: /
//
// body is the text that was parsed; with another one the result means nothing. An empty line ends
// a record of Koster1996. [RFC 9309 2.2.1, G34]
func (r *Robots) Joined(body []byte) iter.Seq[Agent] {
	return func(yield func(Agent) bool) {
		row := uint32(0)
		between := false // another line follows the agent line before
		for line := range Lines(body) {
			if row == r.agents.rows {
				return
			}
			agent := r.agent(row)
			switch {
			case uint32(line.Number) == agent.line:
				start, _ := r.agentRange(r.groupOf(row))
				isJoined := between && row > start
				if isJoined && !yield(Agent{agent.token, int(agent.line)}) {
					return
				}
				row++
				between = false
			case line.Kind != KindComment:
				between = true
			}
		}
	}
}

// JoinedBy returns the user-agent line through which the rule on a line is for the crawler, although
// it seems to be for another one only: the first of joined, from [Robots.Joined], between the last
// user-agent line of the rule's group that selected the group for the crawler, and the rule. ok is false
// if there is none, or if line is no rule of the crawler's groups, such as the 0 of a Decision without a
// rule. It reads the user-agent lines of the group, unless none of the group is joined.
func (r Rules) JoinedBy(line int, joined []Agent) (by Agent, ok bool) {
	if r.robots == nil || len(joined) == 0 {
		return Agent{}, false
	}
	lineOf := func(i int) int { return int(r.robots.agent(r.robots.token(i).agent()).line) }
	start := int(r.start) // rows of the first line with its token of each group, in file order
	after := start + sort.Search(int(r.end)-start, func(i int) bool { return lineOf(start+i) >= line })
	if after == start {
		return Agent{}, false
	}
	next := func(own int) (by Agent, ok bool) {
		i := sort.Search(len(joined), func(i int) bool { return joined[i].Line > own })
		if i == len(joined) || joined[i].Line >= line {
			return Agent{}, false
		}
		return joined[i], true
	}
	if _, ok := next(lineOf(after - 1)); !ok {
		return Agent{}, false
	}
	group := r.robots.groupOf(r.robots.token(after - 1).agent())
	rule, end := r.robots.ruleRange(group)
	ruleLine := func(i int) int { return int(r.robots.rule(rule + uint32(i)).line) }
	rules := int(end - rule)
	at := sort.Search(rules, func(i int) bool { return ruleLine(i) >= line })
	if at == rules || ruleLine(at) != line {
		return Agent{}, false
	}
	first, row := r.robots.agentRange(group)
	for row--; row > first && !ascii.EqualFold(r.robots.agent(row).token, r.label); row-- {
	}
	return next(int(r.robots.agent(row).line))
}
