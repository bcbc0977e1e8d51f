package lint

import (
	"sync"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/reuse"
)

// memory is what a document needs while it is inspected. It is used again for the next
// one: most files are small, and a third of what they would allocate is this.
type memory struct {
	lines      []line
	groups     []group
	agents     []robotstxt.Agent
	rules      []robotstxt.Rule
	findings   []Finding
	tallies    []tally
	agentLines []agentLine
	document   document
}

var memories = sync.Pool{New: func() any { return new(memory) }}

// maxKept is the number of elements up to which a slice is kept for the next document.
const maxKept = 1 << 15

// release keeps the memory for another document, without what it refers to.
func (m *memory) release() {
	m.lines, m.groups, m.agents, m.rules = emptied(m.lines), emptied(m.groups), emptied(m.agents), emptied(m.rules)
	if d := &m.document; d.memory != nil {
		m.findings, m.tallies, m.agentLines = emptied(d.findings), emptied(d.tallies), emptied(d.agents.sorted)
		m.document = document{}
	}
	memories.Put(m)
}

// emptied returns the memory of a slice for the next use.
func emptied[T any](s []T) []T { return reuse.Slice(s, maxKept) }
