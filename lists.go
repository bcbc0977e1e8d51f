package robotstxt

import (
	"iter"

	"github.com/kosterhq/robotstxt/internal/ascii"
)

// Lists of agents
//
// A Crawl-delay, Request-rate or Visit-time belongs to a list of agents: the user-agent
// lines since the last rule or such line that precedes them. So a list is a part of a
// group's agents, which only such lines separate, and nothing about lists is stored: a
// listReader finds them by comparing the numbers of the lines, in one pass over the agents
// and the extension lines.

// isListed reports whether lines of this kind belong to a list of agents. Their values do
// not matter for that.
func (k keptKind) isListed() bool {
	return k == keptCrawlDelay || k == keptRequestRate || k == keptVisitTime
}

// listReader finds the agents of extension lines, which it is given in file order.
type listReader struct {
	robots *Robots
	first  uint32 // row of agents: the first one of the list
	after  uint32 // row of agents: the first one after the lines that were read
	ended  bool   // the next agent begins a list, because a line belongs to the one before
}

// extension returns the extension of a line with its agents.
func (l *listReader) extension(row extraRow) Extension {
	r := l.robots
	for l.after < r.agents.rows && r.agent(l.after).line < row.line {
		if l.ended {
			l.first, l.ended = l.after, false
		}
		l.after++
	}
	e := Extension{Name: extensionNames[row.kind], Value: row.value, Line: int(row.line), robots: r, listed: row.kind.isListed()}
	if !row.grouped {
		return e
	}
	start, end := r.agentRange(r.groupOf(l.after - 1))
	l.first = max(l.first, start)
	if e.first, e.after = start, end; e.listed {
		e.first, e.after, l.ended = l.first, l.after, true
	}
	return e
}

// Agents yields the user-agent lines that the line belongs to, in file order. Those of a
// Crawl-delay, Request-rate or Visit-time are the lines since the last rule, Crawl-delay,
// Request-rate or Visit-time that precedes them; its value does not matter. Rules, blank
// lines and other lines between them and the extension line change nothing, except that a
// record of Koster1996 ends at a blank line. Other extension lines belong to all agents of
// their group. A line outside of all groups has no agents.
func (e Extension) Agents() iter.Seq[Agent] {
	return func(yield func(Agent) bool) {
		for i := e.first; i < e.after; i++ {
			if a := e.robots.agent(i); !yield(Agent{a.token, int(a.line)}) {
				return
			}
		}
	}
}

// Listed reports whether the line is a Crawl-delay, Request-rate or Visit-time, which may
// belong to some agents of its group only.
func (e Extension) Listed() bool { return e.listed }

// names reports whether one of the agents has a token.
func (e *Extension) names(token string) bool {
	for i := e.first; i < e.after; i++ {
		if ascii.EqualFold(e.robots.agent(i).token, token) {
			return true
		}
	}
	return false
}
