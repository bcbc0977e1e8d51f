package pattern

import (
	"math/bits"
	"slices"
	"sync"
)

// Extents have the first and the last offset in one path of the texts of outlines, by hash. Of a
// text that is often searched after its first offset, they get the set of all offsets. Offsets
// are from 1.
type Extents struct {
	slots  []extent
	shift  int        // from a hash to a slot
	sets   []uint64   // the bits of all sets, size words for each
	size   uint       // so that there is a bit for each offset
	hashes []textHash // of the text of each set
}

// extent is the range of all texts with the same slot; zero if there are none.
type extent struct {
	first, last uint16
	searches    uint16 // after the first offset, without a set
	set         uint16 // from 1; 0 if there is none
}

// A text has its set after one search for each setLength bytes of the path: making a set takes
// about as long as these searches. All sets together have at most maxSetWords words. There are
// eight to sixteen slots for each text, unless more than maxSlotBits bits are needed for that, and
// no extents of a path longer than maxExtents.
const (
	setLength   = 32
	maxSetWords = 1 << 17
	maxSlotBits = 17
	maxExtents  = 1<<15 - 1
)

var extentsPool = sync.Pool{New: func() any { return new(Extents) }}

// Free ends the use of the extents. They may be nil.
func (x *Extents) Free() {
	if x != nil {
		extentsPool.Put(x)
	}
}

// Extents returns those of a path, or nil if it is too long.
func (o *Outlines) Extents(path string) *Extents {
	if len(path) > maxExtents {
		return nil
	}
	x := extentsPool.Get().(*Extents)
	width := min(bits.Len(uint(8*len(path)*bits.OnesCount32(o.lengths))), maxSlotBits)
	if cap(x.slots) < 1<<width {
		x.slots = make([]extent, 1<<width)
	}
	x.slots, x.shift = x.slots[:1<<width], 64-width
	clear(x.slots)
	x.sets, x.hashes, x.size = x.sets[:0], x.hashes[:0], uint(len(path)/64+1)
	for i := range len(path) {
		rest := path[i:]
		word := firstBytes(rest)
		for lengths := o.lengths; lengths != 0; lengths &= lengths - 1 {
			if n := bits.TrailingZeros32(lengths); n <= len(rest) {
				x.add(o.hash(cut(word, n), rest[:n]), i+1)
			}
		}
	}
	return x
}

// cut returns the first n bytes of a word, or all eight.
func cut(word uint64, n int) uint64 {
	free := 64 - 8*min(n, 8)
	return word << free >> free
}

func (x *Extents) add(hash textHash, offset int) {
	e := &x.slots[hash.slot(x.shift)]
	if e.last = uint16(offset); e.first == 0 {
		e.first = e.last
	}
}

// next returns the first offset in a set at or after offset, which is in the path. If there is
// none, it returns one after the path.
func (x *Extents) next(set, offset uint) uint {
	words := x.sets[set*x.size:][:x.size]
	i := offset / 64
	word := words[i] >> (offset & 63) << (offset & 63)
	for word == 0 {
		if i++; i == uint(len(words)) {
			return 64 * i
		}
		word = words[i]
	}
	return 64*i + uint(bits.TrailingZeros64(word))
}

// search counts a search for a text with extent e. It makes the set of the text after many of
// them, unless it is long, there are too many sets, or another text has the extent too.
func (x *Extents) search(o *Outlines, path string, e *extent, hash textHash) {
	e.searches++
	start := len(x.sets)
	if hash.length > shortOutline || e.set > 0 || int(e.searches) < len(path)/setLength || start+int(x.size) > maxSetWords {
		return
	}
	text := path[e.first-1:]
	if text = text[:min(len(text), int(hash.length))]; o.hash(firstBytes(text), text) != hash {
		return
	}
	x.sets = slices.Grow(x.sets, int(x.size))[:start+int(x.size)]
	set := x.sets[start:]
	clear(set)
	for at := indexFrom(path, text, int(e.first-1)); at >= 0; at = indexFrom(path, text, at+1) {
		set[(at+1)/64] |= 1 << ((at + 1) % 64)
	}
	x.hashes = append(x.hashes, hash)
	e.set = uint16(len(x.hashes))
}
