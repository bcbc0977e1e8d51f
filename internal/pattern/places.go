package pattern

import (
	"math/bits"
	"math/rand/v2"
	"strings"
	"sync"

	"github.com/kosterhq/robotstxt/internal/ascii"
)

// places finds pieces of patterns in one path. A table contains all texts of one length in
// the path, by hash, with their offsets in increasing order. A table is made when the searches
// that need it have taken about as long as making it.
//
// There are tables for the lengths 2, 4, 8 and so on only. A piece of another length is its
// first 2ⁿ bytes and its last 2ⁿ bytes, which overlap: the piece is at the offsets of the first
// text where the last text is in its place too. The rarer one is tried. A short length with
// much work gets its own table. A long piece whose first bytes are rare in the path is compared
// wherever they are.
//
// So there are few tables, each made in time linear in the path, and the time for a piece is
// proportional to its length, for the hashes, and to the logarithm of the path's length. Only if
// both texts are frequent and never together is each of their offsets tried. The multiplier of the
// hash is random, so that an attacker cannot choose texts with equal hashes.
//
// The path is a parameter of all methods because it would escape to the heap as a field.
type places struct {
	multiplier uint64               // a random odd number
	halves     [bits.UintSize]table // for texts of 2ⁿ bytes
	whole      [maxWhole + 1]table  // for texts of other lengths
	memory     []uint32             // of the latest tables
	used       int                  // words of all tables
	last       [256]int32           // of each byte, the offset after the last one
	bytes      bool                 // whether last is set
}

// table contains the offsets of the texts of one length. Those of the texts with slot i are
// at[starts[i]:starts[i+1]], in increasing order.
type table struct {
	work       int      // of searches: the bytes searched without the table, and the offsets tried with it
	hashes     []uint32 // of the text at each offset; nil if there are none
	starts, at []uint32 // nil if there is no table
	shift      int      // from a hash to a slot
}

// If a short text has more than manyOffsets offsets, the next nearby bytes are searched before the
// table. A table for texts of 2ⁿ bytes is made after the work of halfWork bytes for each byte of
// the path, one for another length of up to maxWhole bytes after the work of wholeWork bytes. A
// piece of at least twice longText bytes is compared where its first longText bytes are, if these
// have at most fewOffsets offsets. There are no further tables if all of them would exceed
// maxMemory words.
const (
	nearby        = 64
	manyOffsets   = 16
	halfWork      = 4
	maxWhole      = 64
	wholeWork     = 8
	longText      = 1 << longLevel
	longLevel     = 4
	fewOffsets    = 4
	maxMemory     = 1 << 21
	maxKeptMemory = 1 << 18
)

var placesPool = sync.Pool{New: func() any { return &places{multiplier: rand.Uint64() | 1} }}

func newPlaces() *places { return placesPool.Get().(*places) }

func (x *places) free() {
	clear(x.halves[:])
	clear(x.whole[:])
	x.memory = x.memory[:0]
	x.used = 0
	x.bytes = false
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
	level := bits.Len(uint(len(piece))) - 1
	if level > longLevel {
		if at, ok := x.findLong(path, piece, from); ok {
			return at
		}
	}
	t := &x.halves[level]
	length := 1 << level
	if !x.prepare(t, path, level) {
		return t.search(path, piece, from)
	}
	first := x.hash(piece[:length])
	if len(piece) == length {
		return t.find(path, piece, from, first)
	}
	last := x.hash(piece[len(piece)-length:])
	if len(piece) > maxWhole {
		at, _ := t.findHalves(path, piece, from, first, last)
		return at
	}
	whole := &x.whole[len(piece)]
	if x.prepareWhole(whole, t, path, len(piece)-length) {
		return whole.find(path, piece, from, x.join(first, last))
	}
	at, work := t.findHalves(path, piece, from, first, last)
	whole.work += work
	return at
}

// findLong returns the first offset of a piece whose first bytes are rare in the path. It is not
// ok if they are frequent.
func (x *places) findLong(path, piece string, from int) (at int, ok bool) {
	t := &x.halves[longLevel]
	if !x.prepare(t, path, longLevel) {
		return t.search(path, piece, from), true
	}
	starts := since(t.offsets(x.hash(piece[:longText])), from)
	if len(starts) > fewOffsets {
		return 0, false
	}
	for _, place := range starts {
		if strings.HasPrefix(path[place:], piece) {
			return int(place), true
		}
	}
	return -1, true
}

// mayEnd returns false if the path after from, up to the last occurrence of the pieces' last byte,
// is too short for all pieces.
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

// prepare reports whether the table for texts of 2ⁿ bytes exists, n being the level. It makes the
// table if the work exceeds a limit.
func (x *places) prepare(t *table, path string, level int) bool {
	return t.at != nil || t.work > halfWork*len(path) && x.hashAll(path, level) && x.place(t)
}

// prepareWhole does the same for another length. In a text of the whole table, the two texts of
// the table half are at the offsets 0 and distance.
func (x *places) prepareWhole(whole, half *table, path string, distance int) bool {
	if whole.at != nil || whole.work <= wholeWork*len(path) {
		return whole.at != nil
	}
	if whole.hashes == nil && !x.allocate(&whole.hashes, len(half.hashes)-distance) {
		return false
	}
	for i := range whole.hashes {
		whole.hashes[i] = x.join(half.hashes[i], half.hashes[i+distance])
	}
	return x.place(whole)
}

// offsets returns the offsets of texts with a hash.
func (t *table) offsets(hash uint32) []uint32 {
	slot := hash >> t.shift
	return t.at[t.starts[slot]:t.starts[slot+1]]
}

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

// search returns the first offset of a piece without the table, and adds the bytes that it searches
// to the work.
func (t *table) search(path, piece string, from int) int {
	at := indexFrom(path, piece, from)
	if at < 0 {
		t.work += len(path) - from
	} else {
		t.work += at - from
	}
	return at
}

// find returns the first offset of a piece of the table's length, whose hash it is given.
func (t *table) find(path, piece string, from int, hash uint32) int {
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
// the hashes of the first and last text of the piece.
func (t *table) findHalves(path, piece string, from int, first, last uint32) (at, work int) {
	starts := since(t.offsets(first), from)
	if len(starts) == 0 {
		return -1, 0
	}
	distance := len(piece) - t.length(path)
	ends := since(t.offsets(last), from+distance)
	back, wanted := 0, last // back is subtracted from the offsets that are tried
	tried, other := starts, distance
	if len(ends) < len(starts) {
		tried, back, wanted, other = ends, distance, first, -distance
	}
	different := 0
	for i, place := range tried {
		if partner := int(place) + other; partner >= len(t.hashes) || t.hashes[partner] != wanted {
			continue
		}
		if start := int(place) - back; strings.HasPrefix(path[start:], piece) {
			return start, i + 1
		}
		different++
		if different > maxOthers {
			return indexFrom(path, piece, from), len(path)
		}
	}
	return -1, len(tried)
}

// length returns the length of the table's texts.
func (t *table) length(path string) int { return len(path) - len(t.at) + 1 }

// maxOthers is the number of offsets of other texts with the same slots that are compared:
// another text might be at every second byte of the path.
const maxOthers = 16

func indexFrom(path, piece string, from int) int {
	if at := strings.Index(path[from:], piece); at >= 0 {
		return from + at
	}
	return -1
}

// hash returns the hash of a text of 2ⁿ bytes, at least two. The hash of up to eight bytes is
// their product with a random number, and the hash of a longer text comes from the hashes of its
// halves.
func (x *places) hash(s string) uint32 {
	switch len(s) {
	case 2:
		return x.mix(uint64(s[0]) | uint64(s[1])<<8)
	case 4:
		return x.mix(uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24)
	case 8:
		return x.mix(ascii.Load8(s))
	case 16:
		return x.join(x.mix(ascii.Load8(s)), x.mix(ascii.Load8(s[8:])))
	}
	s, rest := s[:len(s)/2], s[len(s)/2:]
	return x.join(x.hash(s), x.hash(rest))
}

// mix returns the upper half of a product whose multiplier an attacker does not know.
func (x *places) mix(word uint64) uint32 { return uint32(word * x.multiplier >> 32) }

func (x *places) join(first, last uint32) uint32 { return x.mix(uint64(first)<<32 | uint64(last)) }

// allocate makes a slice for a table. It returns false if the tables would exceed maxMemory.
func (x *places) allocate(words *[]uint32, n int) bool {
	if x.used+n > maxMemory {
		return false
	}
	x.used += n
	if cap(x.memory)-len(x.memory) < n {
		x.memory = make([]uint32, 0, max(2*cap(x.memory), 8*n)) // older tables refer to the old memory
	}
	start := len(x.memory)
	x.memory = x.memory[:start+n]
	*words = x.memory[start : start+n : start+n]
	return true
}

// hashAll computes the hashes of all texts of 2ⁿ bytes, n being the level; for more than eight
// bytes, from the hashes of their halves.
func (x *places) hashAll(path string, level int) bool {
	t, length := &x.halves[level], 1<<level
	if t.hashes != nil {
		return true
	}
	if length > 8 && !x.hashAll(path, level-1) || !x.allocate(&t.hashes, len(path)-length+1) {
		return false
	}
	if length <= 8 {
		for i := range t.hashes {
			t.hashes[i] = x.hash(path[i : i+length])
		}
		return true
	}
	half := x.halves[level-1].hashes
	for i := range t.hashes {
		t.hashes[i] = x.join(half[i], half[i+length/2])
	}
	return true
}

// place makes a table from its hashes. It returns false if the tables would exceed maxMemory.
func (x *places) place(t *table) bool {
	width := bits.Len(uint(len(t.hashes)))
	var memory []uint32
	if !x.allocate(&memory, 1<<width+1+len(t.hashes)) {
		return false
	}
	t.shift = 32 - width
	t.starts, t.at = memory[:1<<width+1], memory[1<<width+1:]
	clear(t.starts)
	for _, hash := range t.hashes {
		t.starts[hash>>t.shift]++
	}
	end := uint32(0)
	for i, n := range t.starts {
		end += n
		t.starts[i] = end
	}
	for i := len(t.hashes) - 1; i >= 0; i-- {
		start := &t.starts[t.hashes[i]>>t.shift]
		*start--
		t.at[*start] = uint32(i)
	}
	return true
}
