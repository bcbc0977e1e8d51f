package lint

import (
	"sync"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/reuse"
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
	findings     []Finding
	text         []byte
	tallies      []tally
	agentLines   []agentLine
	document     document
	combinations combinations
}

var memories = sync.Pool{New: func() any { return new(memory) }}

// mostKept is the number of elements up to which a slice is kept for the next document.
const mostKept = 1 << 15

// mostKeptInMap is that of maps.
const mostKeptInMap = 1 << 8

// release keeps the memory for another document, without what it refers to.
func (m *memory) release() {
	m.lines, m.groups, m.agents, m.rules = emptied(m.lines), emptied(m.groups), emptied(m.agents), emptied(m.rules)
	m.redundant = emptied(m.redundant)
	m.ruleSets.release()
	m.combinations.release()
	if d := &m.document; d.memory != nil {
		m.findings, m.text, m.tallies, m.agentLines = emptied(d.findings), emptied(d.text), emptied(d.tallies), emptied(d.agents.sorted)
		m.document = document{}
	}
	memories.Put(m)
}

// emptied returns the memory of a slice for the next use.
func emptied[T any](s []T) []T { return reuse.Slice(s, mostKept) }

// emptiedMap is emptied for maps.
func emptiedMap[K comparable, V any](m map[K]V) map[K]V { return reuse.Map(m, mostKeptInMap) }
