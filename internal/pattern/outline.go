package pattern

import (
	"math/bits"
	"math/rand/v2"
	"strings"

	"github.com/kosterhq/robotstxt/internal/ascii"
)

// Outlines reject most of many patterns, in some nanoseconds for each piece, because their
// pieces are not in a path in that order. An outline has one or two short texts of each piece.
// The Extents of the texts in a path show the least offset of each piece, and whether the piece
// is in the path from there on. Outlines are immutable.
//
// Texts are known by a hash with a random multiplier. If several have the same slot, fewer
// patterns are rejected, and never one that matches.
type Outlines struct {
	multiplier uint64 // odd
	patterns   []outline
	texts      []outlined
	lengths    uint32 // of the texts: bit n for length n
}

// outline is that of a pattern.
type outline struct {
	end   uint32 // in texts
	least uint32 // offset from 1 of the last text in a path
}

// outlined is a text.
type outlined struct {
	textHash
	distance uint16 // to the next text, at least
}

// textHash is the hash of a text. Different texts of up to eight bytes have different ones.
type textHash struct {
	product uint64
	length  uint8
}

// slot returns the upper bits of the hash.
func (h textHash) slot(shift int) uint64 { return h.product >> (shift & 63) }

// NewOutlines returns the outlines of n patterns. If slashes is true, a pattern with %2F has no
// text: see slash.go.
func NewOutlines(n int, slashes bool, at func(i int) Pattern) *Outlines {
	return newOutlines(rand.Uint64()|1, n, slashes, at)
}

func newOutlines(multiplier uint64, n int, slashes bool, at func(i int) Pattern) *Outlines {
	o := &Outlines{multiplier: multiplier, patterns: make([]outline, 0, n)}
	for i := range n {
		p, least := at(i), 1
		if star := strings.IndexByte(p.Text, '*'); star >= 0 && !(slashes && strings.Contains(p.Text, CodedSlash)) {
			for piece, rest := nextPiece(p.Text[star:]); piece != ""; piece, rest = nextPiece(rest) {
				least += o.add(piece)
			}
			if len(o.texts) > 0 {
				least -= int(o.texts[len(o.texts)-1].distance)
			}
		}
		o.patterns = append(o.patterns, outline{uint32(len(o.texts)), uint32(least)})
	}
	return o
}

// The lengths of texts: all up to shortOutline, and longOutline. A piece of another length has two.
const (
	shortOutline = 8
	longOutline  = 16
)

// add adds one or two texts of a piece, and returns their distances.
func (o *Outlines) add(piece string) (distances int) {
	length := len(piece)
	switch {
	case length > longOutline:
		length = longOutline
	case length > shortOutline && length < longOutline:
		length = shortOutline
	}
	o.lengths |= 1 << length
	text := func(s string, distance int) outlined {
		return outlined{o.hash(firstBytes(s), s), uint16(min(distance, maxExtents))}
	}
	rest := len(piece) - length
	if rest > 0 {
		o.texts = append(o.texts, text(piece[:length], rest))
	}
	o.texts = append(o.texts, text(piece[len(piece)-length:], length))
	return min(rest, maxExtents) + length
}

// hash returns the hash of a text, whose first eight bytes are those of word.
func (o *Outlines) hash(word uint64, text string) textHash {
	if len(text) == longOutline {
		word = bits.RotateLeft64(word*o.multiplier, 32) ^ ascii.Load8(text[8:])
	}
	return textHash{word * o.multiplier, uint8(len(text))}
}

// firstBytes returns the first eight bytes of s as an integer, the first one lowest. Those that s
// does not have are zero.
func firstBytes(s string) (word uint64) {
	if len(s) >= 8 {
		return ascii.Load8(s)
	}
	for i := len(s) - 1; i >= 0; i-- {
		word = word<<8 | uint64(s[i])
	}
	return word
}

// MayMatch returns false if the order of its texts in the path of x shows that the pattern with
// index i does not match.
func (o *Outlines) MayMatch(i int, path string, x *Extents) bool {
	start := uint32(0)
	if i > 0 {
		start = o.patterns[i-1].end
	}
	p := o.patterns[i]
	texts := o.texts[start:p.end]
	if len(texts) == 0 {
		return true
	}
	// The last text first, because one that is only at the beginning of a path rejects all.
	if last := texts[len(texts)-1]; uint32(x.slots[last.slot(x.shift)].last) < p.least {
		return false
	}
	offset := uint(1)
	for i := range texts {
		text := &texts[i]
		e := &x.slots[text.slot(x.shift)]
		switch {
		case offset <= uint(e.first):
			offset = uint(e.first)
		case offset > uint(e.last):
			return false
		case e.set == 0 || x.hashes[e.set-1] != text.textHash:
			x.search(o, path, e, text.textHash)
		default:
			offset = x.next(uint(e.set-1), offset)
		}
		offset += uint(text.distance)
	}
	return true
}
