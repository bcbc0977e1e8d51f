package robotstxt

import (
	"iter"
	"sort"
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
// it seems to be for another one only: the first of joined, from [Robots.Joined], between the crawler's
// last user-agent line and the rule. ok is false if there is none, or if line is no rule of the crawler's
// groups, such as the 0 of a Decision without a rule.
func (r Rules) JoinedBy(line int, joined []Agent) (by Agent, ok bool) {
	if r.robots == nil || len(joined) == 0 {
		return Agent{}, false
	}
	lineOf := func(i int) int { return int(r.robots.agent(r.robots.token(i).agent()).line) }
	start, end := int(r.start), int(r.end) // the user-agent lines with its token, in file order
	after := start + sort.Search(end-start, func(i int) bool { return lineOf(start+i) >= line })
	if after == start {
		return Agent{}, false
	}
	own := lineOf(after - 1)
	i := sort.Search(len(joined), func(i int) bool { return joined[i].Line > own })
	if i == len(joined) || joined[i].Line >= line {
		return Agent{}, false
	}
	return joined[i], true
}
