package robotstxt

import (
	"iter"
	"time"

	"github.com/kosterhq/robotstxt/internal/ascii"
)

// CrawlDelay returns the delay that the site asks the crawler to leave between two
// requests. ok is false if the site does not specify one. A Crawl-delay line applies to
// the agents of its list, see Extension.Agents; if several lines apply, the largest value
// wins. A value that is negative or not a decimal number of seconds is ignored.
func (r Rules) CrawlDelay() (delay time.Duration, ok bool) {
	for e := range r.Extensions() {
		if e.Name != extensionNames[keptCrawlDelay] {
			continue
		}
		if d, valid := parseSeconds(e.Value); valid {
			delay, ok = max(delay, d), true
		}
	}
	return delay, ok
}

// parseSeconds parses digits with an optional fraction, such as "10", "0.5" or ".5". For
// a value that is too large it returns the largest Duration.
func parseSeconds(s string) (time.Duration, bool) {
	const largest = time.Duration(1<<63 - 1)
	var whole, fraction time.Duration
	unit := time.Second
	digits := 0
	point, tooLarge := false, false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '.' && !point:
			point = true
		case c < '0' || c > '9':
			return 0, false
		case point:
			digits++
			unit /= 10
			fraction += time.Duration(c-'0') * unit
		default:
			digits++
			whole = whole*10 + time.Duration(c-'0')
			if tooLarge || whole > largest/time.Second {
				tooLarge = true
				whole = 0
			}
		}
	}
	delay := whole*time.Second + fraction
	if tooLarge || delay < 0 {
		delay = largest
	}
	return delay, digits > 0
}

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

// listReader reads lists for extension lines in the order of the file.
type listReader struct {
	robots *Robots
	first  uint32 // row of agents: the first one of the list
	after  uint32 // row of agents: the first one after the lines that were read
	ended  bool   // the next agent begins a list, because a line belongs to the list before
}

func (l *listReader) extension(row extraRow) Extension {
	r := l.robots
	for l.after < r.agents.rows && r.agent(l.after).line < row.line {
		if l.ended {
			l.first, l.ended = l.after, false
		}
		l.after++
	}
	e := Extension{Name: extensionNames[row.kind], Value: row.value, Line: int(row.line),
		robots: r, listed: row.kind.isListed()}
	if !row.grouped {
		return e
	}
	start, end := r.agentRange(r.groupOf(l.after - 1))
	l.first = max(l.first, start)
	e.first, e.after = start, end
	if e.listed {
		e.first, e.after, l.ended = l.first, l.after, true
	}
	return e
}

// Agents yields the user-agent lines that the line belongs to, in file order. A
// Crawl-delay, Request-rate or Visit-time belongs to a list of user-agent lines, which
// begins after the last rule, Crawl-delay, Request-rate or Visit-time before the list,
// whatever its value. Rules, blank lines and other lines between the list and the
// extension line change nothing, except that a record of Koster1996 ends at a blank line.
// Other extension lines belong to all agents of their group. A line outside of all groups
// has no agents.
func (e Extension) Agents() iter.Seq[Agent] {
	return func(yield func(Agent) bool) {
		for i := e.first; i < e.after; i++ {
			if a := e.robots.agent(i); !yield(Agent{a.token, int(a.line)}) {
				return
			}
		}
	}
}

// Listed reports whether the line is a Crawl-delay, Request-rate or Visit-time, which can
// belong to only some agents of its group.
func (e Extension) Listed() bool { return e.listed }

func (e *Extension) names(token string) bool {
	for i := e.first; i < e.after; i++ {
		if ascii.EqualFold(e.robots.agent(i).token, token) {
			return true
		}
	}
	return false
}
