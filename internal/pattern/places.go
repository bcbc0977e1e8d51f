package pattern

import (
	"math/bits"
	"math/rand/v2"
	"strings"
	"sync"
)

// places finds pieces of patterns in one path. A table contains all texts of one length in
// the path, by hash, with their offsets in increasing order. A table is made after a few
// searches that need it.
//
// There are tables for the lengths 1, 2, 4, 8 and so on only. A piece of another length is its
// first 2ⁿ bytes and its last 2ⁿ bytes, which overlap: its offsets are those of the first text
// at which the last text is also in its place. The rarer one is tried. For a short length
// with much work there is a table of its own.
//
// So there are few tables, each made in time linear in the path, and the time for a piece is
// proportional to its length, for the hashes, and to the logarithm of the path's length. Only if
// both texts are frequent and never together, each of their offsets is tried. The multiplier of
// the hash is random, so that an attacker cannot choose texts with equal hashes.
//
// The path is a parameter of all methods because it would escape to the heap as a field.
type places struct {
	powers [5]uint64            // of a random odd number, from its power 0
	halves [bits.UintSize]table // for texts of 2ⁿ bytes
	whole  [maxWhole + 1]table  // for texts of other lengths
	memory []uint32             // of the latest tables
	used   int                  // words of all tables
	last   [256]int32           // of each byte, the offset after the last one
	bytes  bool                 // whether last is set
}

// table contains the offsets of the texts of one length. Those of the texts with slot i are
// at[starts[i]:starts[i+1]], in increasing order.
type table struct {
	work       int      // of searches, before there is a table
	starts, at []uint32 // nil if there is no table
	slots      []uint32 // of the text at each offset
	shift      int      // from a hash to a slot
}

// If a short text has more than manyOffsets offsets, the next nearby bytes are searched before
// the table. A table for texts of 2ⁿ bytes is made after firstSearches searches, one for another
// length of up to maxWhole bytes after the work of wholeWork offsets for each byte of the path.
// There are no further tables if all of them would exceed maxMemory words.
const (
	nearby        = 64
	manyOffsets   = 16
	firstSearches = 4
	maxWhole      = 64
	wholeWork     = 8
	maxMemory     = 1 << 21
	maxKeptMemory = 1 << 18
)

var placesPool = sync.Pool{New: func() any {
	x := &places{powers: [5]uint64{1, rand.Uint64() | 1}}
	for i := 2; i < len(x.powers); i++ {
		x.powers[i] = x.powers[i-1] * x.powers[1]
	}
	return x
}}

func newPlaces() *places { return placesPool.Get().(*places) }

// free ends the use of the tables.
func (x *places) free() {
	clear(x.halves[:])
	clear(x.whole[:])
	x.memory, x.used, x.bytes = x.memory[:0], 0, false
	if cap(x.memory) <= maxKeptMemory {
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
	if len(piece) > len(rest) {
		return -1
	}
	if len(piece) == 1 {
		return indexFrom(path, piece, from)
	}
	half := bits.Len(uint(len(piece))) - 1
	t, length := &x.halves[half], 1<<half
	if len(piece) <= maxWhole && len(piece) > length {
		if whole := &x.whole[len(piece)]; x.prepare(whole, path, len(piece), wholeWork*len(path)) {
			return whole.find(path, piece, from, x.hash(piece))
		}
	}
	if t.at == nil {
		t.work++
	}
	if !x.prepare(t, path, length, firstSearches) {
		return indexFrom(path, piece, from)
	}
	first := x.hash(piece[:length])
	if len(piece) == length {
		return t.find(path, piece, from, first)
	}
	starts := since(t.offsets(first), from)
	if len(starts) == 0 {
		return -1
	}
	at, work := t.findHalves(path, piece, from, starts, first, x.hash(piece[len(piece)-length:]))
	if len(piece) <= maxWhole {
		x.whole[len(piece)].work += work
	}
	return at
}

// mayEnd returns false if the last byte of these pieces is nowhere in the path so far after
// from that all pieces are before it.
func (x *places) mayEnd(path, pieces string, from int) bool {
	if pieces == "" || pieces[len(pieces)-1] == '*' {
		return true
	}
	if !x.bytes {
		x.bytes = true
		clear(x.last[:])
		for i := range len(path) {
			x.last[path[i]] = int32(i + 1)
		}
	}
	return int(x.last[pieces[len(pieces)-1]])-from >= len(pieces)-strings.Count(pieces, "*")
}

// prepare reports whether there is a table, which it makes if the work exceeds a limit.
func (x *places) prepare(t *table, path string, length, limit int) bool {
	return t.at != nil || t.work > limit && x.makeTable(t, path, length)
}

// offsets returns the offsets of texts with a hash.
func (t *table) offsets(hash uint64) []uint32 {
	slot := hash >> t.shift
	return t.at[t.starts[slot]:t.starts[slot+1]]
}

// since returns those of the offsets that are not less than from.
func since(at []uint32, from int) []uint32 {
	low, high := 0, len(at)
	for low < high {
		if middle := int(uint(low+high) / 2); int(at[middle]) < from {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return at[low:]
}

// find returns the first offset of a piece of the table's length, whose hash it is given.
func (t *table) find(path, piece string, from int, hash uint64) int {
	at := t.offsets(hash)
	if len(at) > manyOffsets && len(piece) < nearby/2 {
		if at := strings.Index(path[from:min(len(path), from+nearby)], piece); at >= 0 {
			return from + at
		}
	}
	for i, place := range since(at, from) {
		if strings.HasPrefix(path[place:], piece) {
			return int(place)
		}
		if i == maxOthers {
			return indexFrom(path, piece, from)
		}
	}
	return -1
}

// findHalves returns the first offset of a piece and how many offsets it tried. It is given
// the hashes of the first and last text of the piece, and the offsets of the first one.
func (t *table) findHalves(path, piece string, from int, starts []uint32, first, last uint64) (at, work int) {
	distance := len(piece) - t.length(path)
	ends := since(t.offsets(last), from+distance)
	back, wanted := 0, uint32(last>>t.shift) // back is subtracted from the offsets that are tried
	tried, other := starts, distance
	if len(ends) < len(starts) {
		tried, back, wanted, other = ends, distance, uint32(first>>t.shift), -distance
	}
	different := 0
	for i, place := range tried {
		if partner := int(place) + other; partner >= len(t.slots) || t.slots[partner] != wanted {
			continue
		}
		if start := int(place) - back; strings.HasPrefix(path[start:], piece) {
			return start, i + 1
		}
		if different++; different > maxOthers {
			return indexFrom(path, piece, from), len(path)
		}
	}
	return -1, len(tried)
}

// length returns the length of the table's texts.
func (t *table) length(path string) int { return len(path) - len(t.at) + 1 }

// maxOthers is the number of offsets of other texts with the same slots that are compared:
// another text may be at every second byte of the path.
const maxOthers = 16

// indexFrom returns the first offset of piece in path at or after from, or -1.
func indexFrom(path, piece string, from int) int {
	if at := strings.Index(path[from:], piece); at >= 0 {
		return from + at
	}
	return -1
}

// hash returns the value of a polynomial at the random number, spread over 64 bits. It adds
// four bytes in each step.
func (x *places) hash(s string) uint64 {
	sum, p := uint64(0), &x.powers
	for ; len(s) >= 4; s = s[4:] {
		sum = sum*p[4] + uint64(s[0])*p[3] + uint64(s[1])*p[2] + uint64(s[2])*p[1] + uint64(s[3])
	}
	for i := 0; i < len(s); i++ {
		sum = sum*p[1] + uint64(s[i])
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
	size := 1<<width + 1 + 2*texts
	if x.used+size > maxMemory {
		return false
	}
	x.used += size
	if cap(x.memory)-len(x.memory) < size {
		x.memory = make([]uint32, 0, max(2*cap(x.memory), 4*size)) // older tables refer to the old memory
	}
	memory := x.memory[len(x.memory) : len(x.memory)+size]
	x.memory = x.memory[:len(x.memory)+size]
	t.shift = 64 - width
	t.starts, memory = memory[:1<<width+1], memory[1<<width+1:]
	t.at, t.slots = memory[:texts], memory[texts:]

	clear(t.starts)
	x.hashAll(t.slots[:0], path, length, t.shift)
	for _, slot := range t.slots {
		t.starts[slot]++
	}
	end := uint32(0)
	for i, n := range t.starts {
		end += n
		t.starts[i] = end
	}
	for i := texts - 1; i >= 0; i-- {
		start := &t.starts[t.slots[i]]
		*start--
		t.at[*start] = uint32(i)
	}
	return true
}

// hashAll appends the slots of all texts of a length, from left to right. It computes each
// hash from the previous one.
func (x *places) hashAll(slots []uint32, path string, length, shift int) {
	multiplier, first, sum := x.powers[1], uint64(1), uint64(0) // first is the factor of a text's first byte
	for i := range length {
		sum = sum*multiplier + uint64(path[i])
		if i > 0 {
			first *= multiplier
		}
	}
	for i := length; ; i++ {
		slots = append(slots, uint32(spread(sum)>>shift))
		if i == len(path) {
			return
		}
		sum = (sum-first*uint64(path[i-length]))*multiplier + uint64(path[i])
	}
}
