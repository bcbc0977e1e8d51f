package semdiff

import (
	"sync"

	"github.com/kosterhq/robotstxt/internal/pattern"
)

// minimizers are reused: most files are small, and their lists would take most of what
// Minimize allocates.
var minimizers = sync.Pool{New: func() any { return new(minimizer) }}

// mostKept is the number of rules from which the memory of a file is not kept.
const mostKept = 1 << 14

// listMemory is the memory of the lists of a file, which share slices.
type listMemory struct {
	lists  []obeyed
	claims []claim
	bools  []bool
	places []int32
	nodes  []beginning
	needs  []pattern.ByteSet

	// These are used while a list is made.
	selected []int32
	sorted   []placed
	texts    []string
	text     []byte
}

// release forgets all lists, and reports whether the memory may be kept.
func (m *listMemory) release() bool {
	m.lists, m.nodes = emptied(m.lists), emptied(m.nodes)
	clear(m.texts)
	m.claims, m.bools, m.places, m.needs = m.claims[:0], m.bools[:0], m.places[:0], m.needs[:0]
	return cap(m.claims) <= mostKept
}

// taken appends n zero elements to a slice, and returns them as a slice of their own.
func taken[T any](s *[]T, n int) []T {
	makeRoom(s, n)
	start := len(*s)
	*s = (*s)[:start+n]
	more := (*s)[start : start+n : start+n]
	clear(more)
	return more
}

// mostAhead is the number of elements up to which more room is made than needed.
const mostAhead = 1 << 12

// makeRoom makes room for n more elements of a slice of which parts were taken. If there is
// none, it begins a new array: to copy the old one would keep both in memory.
func makeRoom[T any](s *[]T, n int) {
	if cap(*s)-len(*s) < n {
		*s = make([]T, 0, max(n, min(2*cap(*s), mostAhead)))
	}
}

// emptied returns a slice without elements, and forgets what they refer to.
func emptied[T any](s []T) []T {
	clear(s)
	return s[:0]
}
