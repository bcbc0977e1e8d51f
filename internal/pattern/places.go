package pattern

import (
	"math/bits"
	"math/rand/v2"
	"strings"
	"sync"
)

// places finds pieces of patterns in one path. For each length of a piece there is a table
// of all texts of that length in the path, by hash, with their offsets in increasing
// order. A table is made after a few searches for pieces of its length.
//
// So the time for a piece is proportional to its length, for the hash, and to the
// logarithm of the path's length, for the first offset that counts. A table takes time
// linear in the path. Patterns of m bytes in total have pieces of fewer than √(2m)
// different lengths. So a path of n bytes takes O(m log n + n√m), whatever the patterns,
// instead of O(mn) for searches one after the other. The multiplier of the hash is random,
// so that an attacker cannot choose texts with equal hashes.
//
// The path is a parameter of all methods because it would escape to the heap as a field.
type places struct {
	multiplier uint64
	tables     [maxPiece + 1]table
	memory     []uint32 // of all tables
	slots      []uint32 // of all texts, while a table is made
}

// table contains the offsets of the texts of one length. Those of the texts with slot i are
// at[starts[i]:starts[i+1]], in increasing order.
type table struct {
	searches   int
	starts, at []uint32
	shift      int // from a hash to a slot
}

// There is no table for pieces longer than maxPiece, of which a file cannot contain many,
// for the first searches of each length, and if all tables would exceed maxMemory words.
const (
	maxPiece      = 512
	firstSearches = 4
	maxMemory     = 1 << 21
	maxKeptMemory = 1 << 18
)

var placesPool = sync.Pool{New: func() any { return &places{multiplier: rand.Uint64() | 1} }}

func newPlaces() *places { return placesPool.Get().(*places) }

// free ends the use of the tables.
func (x *places) free() {
	clear(x.tables[:])
	x.memory = x.memory[:0]
	if cap(x.memory)+cap(x.slots) <= maxKeptMemory {
		placesPool.Put(x)
	}
}

// find returns the first offset of piece, which is not empty, in path at or after from, or
// -1 if there is none.
func (x *places) find(path, piece string, from int) int {
	rest := path[from:]
	if strings.HasPrefix(rest, piece) {
		return from
	}
	if len(piece) > 1 && len(piece) <= maxPiece && len(piece) <= len(rest) {
		t := &x.tables[len(piece)]
		if t.searches++; t.searches > firstSearches && (t.at != nil || x.makeTable(t, path, len(piece))) {
			return x.lookUp(t, path, piece, from)
		}
	}
	return indexFrom(path, piece, from)
}

// lookUp does the same as find, in a table.
func (x *places) lookUp(t *table, path, piece string, from int) int {
	slot := x.hash(piece) >> t.shift
	at := t.at[t.starts[slot]:t.starts[slot+1]]
	low, high := 0, len(at)
	for low < high {
		if middle := (low + high) / 2; int(at[middle]) < from {
			low = middle + 1
		} else {
			high = middle
		}
	}
	for i, place := range at[low:] {
		if strings.HasPrefix(path[place:], piece) {
			return int(place)
		}
		if i == maxOthers {
			return indexFrom(path, piece, from)
		}
	}
	return -1
}

// maxOthers is the number of offsets of another text with the same slot that lookUp
// compares: that text may be at every second byte of the path.
const maxOthers = 16

// indexFrom returns the first offset of piece in path at or after from, or -1.
func indexFrom(path, piece string, from int) int {
	if at := strings.Index(path[from:], piece); at >= 0 {
		return from + at
	}
	return -1
}

// hash returns the value of a polynomial at the multiplier, spread over 64 bits.
func (x *places) hash(s string) uint64 {
	sum := uint64(0)
	for i := 0; i < len(s); i++ {
		sum = sum*x.multiplier + uint64(s[i])
	}
	return spread(sum)
}

// spread makes the upper bits of a hash depend on all bits (Fibonacci hashing).
func spread(sum uint64) uint64 { return (sum ^ sum>>32) * 0x9E3779B97F4A7C15 }

// makeTable makes the table for texts of a length. It returns false if the tables would
// exceed maxMemory.
func (x *places) makeTable(t *table, path string, length int) bool {
	texts := len(path) - length + 1
	width := bits.Len(uint(texts))
	size := 1<<width + 1 + texts
	if len(x.memory)+size > maxMemory {
		return false
	}
	if cap(x.memory)-len(x.memory) < size {
		x.memory = make([]uint32, 0, max(2*cap(x.memory), 4*size)) // older tables refer to the old memory
	}
	memory := x.memory[len(x.memory) : len(x.memory)+size]
	x.memory = x.memory[:len(x.memory)+size]
	clear(memory)
	t.shift = 64 - width
	t.starts, t.at = memory[:1<<width+1], memory[1<<width+1:]

	x.slots = x.hashAll(x.slots[:0], path, length, t.shift)
	for _, slot := range x.slots {
		t.starts[slot]++
	}
	end := uint32(0)
	for i, n := range t.starts {
		end += n
		t.starts[i] = end
	}
	for i := texts - 1; i >= 0; i-- {
		start := &t.starts[x.slots[i]]
		*start--
		t.at[*start] = uint32(i)
	}
	return true
}

// hashAll appends the slots of all texts of a length, from left to right. It computes each
// hash from the previous one.
func (x *places) hashAll(slots []uint32, path string, length, shift int) []uint32 {
	first, sum := uint64(1), uint64(0) // first is the factor of a text's first byte
	for i := range length {
		sum = sum*x.multiplier + uint64(path[i])
		if i > 0 {
			first *= x.multiplier
		}
	}
	for i := length; ; i++ {
		slots = append(slots, uint32(spread(sum)>>shift))
		if i == len(path) {
			return slots
		}
		sum = (sum-first*uint64(path[i-length]))*x.multiplier + uint64(path[i])
	}
}
