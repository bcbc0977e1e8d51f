package semdiff

import (
	"sync"

	"github.com/kosterhq/robotstxt/internal/pattern"
	"github.com/kosterhq/robotstxt/internal/reuse"
)

// minimizers are reused: most files are small, and their lists would take most of what
// Minimize allocates.
var minimizers = sync.Pool{New: func() any { return new(minimizer) }}

// maxKept is the number of elements up to which a slice is kept for the next file.
const maxKept = 1 << 14

const maxKeptInMap = 1 << 8

// listMemory is the memory of the lists of a file, which share slices.
type listMemory struct {
	lists  []ruleList
	claims []claim
	bools  []bool
	places []int32
	nodes  []prefixNode
	needs  []pattern.ByteSet

	// These are used while a list is made.
	selected []int32
	sorted   []placed
	texts    []string
}

func (m *listMemory) release() {
	m.lists = emptied(m.lists)
	m.claims = emptied(m.claims)
	m.bools = emptied(m.bools)
	m.places = emptied(m.places)
	m.nodes = emptied(m.nodes)
	m.needs = emptied(m.needs)
	m.selected = emptied(m.selected)
	m.sorted = emptied(m.sorted)
	m.texts = emptied(m.texts)
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

// maxAhead is the number of elements up to which more room is made than needed.
const maxAhead = 1 << 12

// makeRoom makes room for n more elements of a slice of which parts were taken. If the
// array is full, it begins a new one: to copy the old one would keep both in memory.
func makeRoom[T any](s *[]T, n int) {
	if cap(*s)-len(*s) < n {
		*s = make([]T, 0, max(n, min(2*cap(*s), maxAhead)))
	}
}

// emptied returns the memory of a slice for the next use.
func emptied[T any](s []T) []T { return reuse.Slice(s, maxKept) }

func emptiedMap[K comparable, V any](m map[K]V) map[K]V { return reuse.Map(m, maxKeptInMap) }
