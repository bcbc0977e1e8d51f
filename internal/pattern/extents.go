package pattern

import (
	"encoding/binary"
	"math/bits"
	"sync"
)

// Extents have, for each text of the outlines, its first and last offset in one path. If a text
// is often searched between the two, they get the set of all its offsets. Offsets are from 1.
type Extents struct {
	texts []extent
	sets  []byte // the bits of all sets, after setUnit bytes
	size  uint   // of a set with the margin after it, in bytes
	end   uint   // the offset after the path
}

// extent is the extent of a text; zero if the text is not in the path.
type extent struct {
	first, last uint16
	searches    uint16 // between the two, without a set
	set         uint16 // where its set starts, in setUnit bytes; 0 if there is none
}

// A set has a bit for each offset, and two that are always set: for the offset before the path and
// for the one after it. So every search ends. It loads eight bytes at once, for which there are
// setMargin bytes between two sets. Each set starts at a multiple of setUnit bytes.
const (
	setMargin = 7
	setUnit   = 16
)

// A text has its set after one search for each setLength bytes of the path: after a search
// without a set, the pattern is likely to be matched in full, which takes about as long as making
// some sets. All sets together have at most maxSetBytes bytes. There are no extents of a path
// longer than maxExtents. Extents of more than maxKeptTexts texts are not kept for the next path.
const (
	setLength    = 400
	maxSetBytes  = setUnit << 16
	maxExtents   = 1<<15 - 1
	maxKeptTexts = 1 << 17
)

var extentsPool = sync.Pool{New: func() any { return new(Extents) }}

// Free ends the use of the extents. They can be nil.
func (x *Extents) Free() {
	if x != nil && cap(x.texts) <= maxKeptTexts {
		extentsPool.Put(x)
	}
}

// Extents returns the extents of a path, or nil if it is too long.
func (o *Outlines) Extents(path string) *Extents {
	if len(path) > maxExtents {
		return nil
	}
	x := extentsPool.Get().(*Extents)
	if cap(x.texts) < len(o.texts) {
		x.texts = make([]extent, len(o.texts))
	}
	x.texts = x.texts[:len(o.texts)]
	clear(x.texts)
	x.sets = append(x.sets[:0], make([]byte, setUnit)...)
	x.end = uint(len(path) + 1)
	x.size = (x.end/8 + 1 + setMargin + setUnit - 1) / setUnit * setUnit
	for i := range len(path) {
		rest := path[i:]
		word := firstBytes(rest)
		for lengths := o.lengths; lengths != 0; lengths &= lengths - 1 {
			n := bits.TrailingZeros32(lengths)
			if n > len(rest) {
				break
			}
			if found := o.find(o.hash(cut(word, n), rest[:n])); found > 0 {
				x.texts[found-1].add(i + 1)
			}
		}
	}
	return x
}

func (e *extent) add(offset int) {
	e.last = uint16(offset)
	if e.first == 0 {
		e.first = e.last
	}
}

func cut(word uint64, n int) uint64 {
	free := 64 - 8*min(n, 8)
	return word << free >> free
}

// next returns the first offset at or after offset in an extent's set, or the offset after the
// path. offset must be in the path.
func (x *Extents) next(e *extent, offset uint) uint {
	at := uint(e.set)*setUnit + offset/8
	word := x.load(at) >> (offset & 7)
	for word == 0 {
		at, offset = at+8, offset&^7+64
		word = x.load(at)
	}
	return offset + uint(bits.TrailingZeros64(word))
}

// previous returns the last offset at or before offset in an extent's set, or the offset before
// the path. offset must be in the path.
func (x *Extents) previous(e *extent, offset uint) uint {
	at := uint(e.set)*setUnit + offset/8 - setMargin
	word := x.load(at) << (^offset & 7)
	for word == 0 {
		at, offset = at-8, offset|7-64
		word = x.load(at)
	}
	return offset - 64 + uint(bits.Len64(word))
}

// load returns eight bytes of sets. The compiler makes it a single load.
func (x *Extents) load(at uint) uint64 {
	return binary.LittleEndian.Uint64(x.sets[at : at+8])
}

// search counts a search for a text. After many searches it makes the text's set, unless it is
// long or there are too many sets.
func (x *Extents) search(path string, e *extent, length uint8) {
	e.searches++
	start := len(x.sets)
	if length > middleOutline || int(e.searches) < len(path)/setLength || uint(start)+x.size > maxSetBytes {
		return
	}
	first := int(e.first - 1)
	text := path[first : first+int(length)]
	x.sets = append(x.sets, make([]byte, x.size)...)
	set := x.sets[start:]
	set[0] = 1
	set[x.end/8] |= 1 << (x.end % 8)
	for at := first; at >= 0; at = indexFrom(path, text, at+1) {
		set[(at+1)/8] |= 1 << ((at + 1) % 8)
	}
	e.set = uint16(start / setUnit)
}
