package lint

import (
	"sync"

	"github.com/kosterhq/robotstxt"
)

// memory is what a document needs while it is inspected. It is used again for the next
// one: most files are small, and a third of what they would allocate is this.
type memory struct {
	lines        []line
	groups       []group
	agents       []robotstxt.Agent
	rules        []robotstxt.Rule
	ruleSets     ruleSets
	redundant    redundancies
	tallies      []tally
	agentLines   []agentLine
	document     document
	combinations combinations
}

var memories = sync.Pool{New: func() any { return new(memory) }}

// mostKept is the number of lines from which the memory of a document is not kept.
const mostKept = 1 << 14

// release keeps the memory for another document, without what it refers to.
func (m *memory) release() {
	if cap(m.lines) > mostKept {
		return
	}
	m.lines, m.groups, m.agents, m.rules = emptied(m.lines), emptied(m.groups), emptied(m.agents), emptied(m.rules)
	m.ruleSets.release()
	m.combinations.release()
	m.redundant.release()
	m.tallies, m.agentLines, m.document = m.document.tallies[:0], emptied(m.document.agents.sorted), document{}
	memories.Put(m)
}

func emptied[T any](s []T) []T {
	clear(s)
	return s[:0]
}
