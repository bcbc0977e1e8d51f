package pattern

import (
	"math/bits"
	"math/rand/v2"
	"strings"

	"github.com/kosterhq/robotstxt/internal/ascii"
)

// Outlines reject most of many patterns, in some nanoseconds for each piece, because their
// pieces are not in a path in that order. An outline has one or two short texts of each piece.
// The Extents of the texts in a path show the first and the last offset of each piece, and whether
// the piece is in the path between two offsets. Outlines are immutable.
//
// Texts are known by a hash with a random multiplier. If two have the same hash, fewer patterns
// are rejected, and never one that matches.
type Outlines struct {
	multiplier uint64 // odd
	patterns   []outline
	outlined   []outlined // of all patterns
	texts      []text
	newest     []uint32 // by slot: the last text of a chain, from 1
	shift      int      // from a hash to a slot
	lengths    uint32   // of the texts: bit n for length n
}

// outline is the outline of a pattern.
type outline struct {
	end   uint32 // in outlined
	least uint32 // offset from 1 of the last text in a path
}

type outlined struct {
	text     uint32 // index
	distance uint16 // to the next text, at least
}

type text struct {
	textHash
	older uint32 // text with the same slot, from 1
}

// textHash is the hash of a text. Different texts of up to eight bytes have different hashes.
type textHash struct {
	product uint64
	length  uint8
}

// NewOutlines returns the outlines of n patterns. If slashes is true, a pattern with %2F has no
// text: see slash.go.
func NewOutlines(n int, slashes bool, at func(i int) Pattern) *Outlines {
	return newOutlines(rand.Uint64()|1, n, slashes, at)
}

func newOutlines(multiplier uint64, n int, slashes bool, at func(i int) Pattern) *Outlines {
	o := &Outlines{multiplier: multiplier, patterns: make([]outline, 0, n)}
	o.chain(chainWidth(n))
	for i := range n {
		p := at(i)
		least := 1
		if star := strings.IndexByte(p.Text, '*'); star >= 0 && !(slashes && strings.Contains(p.Text, CodedSlash)) {
			for piece, rest := nextPiece(p.Text[star:]); piece != ""; piece, rest = nextPiece(rest) {
				least += o.add(piece)
			}
			if len(o.outlined) > 0 {
				least -= int(o.outlined[len(o.outlined)-1].distance)
			}
		}
		o.patterns = append(o.patterns, outline{uint32(len(o.outlined)), uint32(least)})
	}
	return o
}

// The lengths of texts: all up to shortOutline, then twice and four times that. A piece of another
// length has two. With fewer lengths there are fewer texts to look for in a path.
const (
	shortOutline  = 4
	middleOutline = 8
	longOutline   = 16
)

func (o *Outlines) add(piece string) (distances int) {
	length := len(piece)
	switch {
	case length >= longOutline:
		length = longOutline
	case length >= middleOutline:
		length = middleOutline
	case length > shortOutline:
		length = shortOutline
	}
	o.lengths |= 1 << length
	rest := len(piece) - length
	if rest > 0 {
		o.addText(piece[:length], rest)
	}
	o.addText(piece[len(piece)-length:], length)
	return min(rest, maxExtents) + length
}

func (o *Outlines) addText(s string, distance int) {
	hash := o.hash(firstBytes(s), s)
	n := o.find(hash)
	if n == 0 {
		o.texts = append(o.texts, text{textHash: hash})
		n = uint32(len(o.texts))
		o.link(n)
		if width := chainWidth(len(o.texts)); width > 64-o.shift {
			o.chain(width)
		}
	}
	o.outlined = append(o.outlined, outlined{n - 1, uint16(min(distance, maxExtents))})
}

// find returns the text with a hash, from 1, or 0 if there is none.
func (o *Outlines) find(hash textHash) uint32 {
	n := o.newest[hash.product>>(o.shift&63)]
	for n > 0 && o.texts[n-1].textHash != hash {
		n = o.texts[n-1].older
	}
	return n
}

// chainWidth returns the binary logarithm of the number of chains of n texts: most texts of a path
// are in none, which an empty chain shows at once. A file of many texts has a chain or two for each.
func chainWidth(n int) int {
	const fewChains = 17
	return max(min(bits.Len(uint(n))+4, fewChains), bits.Len(uint(n)))
}

func (o *Outlines) chain(width int) {
	o.newest = make([]uint32, 1<<width)
	o.shift = 64 - width
	for i := range o.texts {
		o.link(uint32(i + 1))
	}
}

func (o *Outlines) link(n uint32) {
	t := &o.texts[n-1]
	newest := &o.newest[t.product>>(o.shift&63)]
	t.older, *newest = *newest, n
}

// hash returns the hash of a text; word is its first eight bytes.
func (o *Outlines) hash(word uint64, text string) textHash {
	if len(text) == longOutline {
		word = bits.RotateLeft64(word*o.multiplier, 32) ^ ascii.Load8(text[8:])
	}
	return textHash{word * o.multiplier, uint8(len(text))}
}

// firstBytes returns the first eight bytes of s as an integer, the first one lowest. Bytes after
// the end of s are zero.
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
	texts := o.outlined[start:p.end]
	if len(texts) == 0 {
		return true
	}
	// The last text comes first: if the path has it only near the beginning, no search is needed.
	if last := texts[len(texts)-1]; uint32(x.texts[last.text].last) < p.least {
		return false
	}
	// The texts are searched from both ends to the middle, because the two searches of a step need
	// not wait for each other.
	front, back := uint(1), maxExtents+uint(texts[len(texts)-1].distance)
	extents := x.texts
	for i, j := 0, len(texts)-1; i <= j && front <= back; i, j = i+1, j-1 {
		text := &texts[i]
		e := &extents[text.text]
		switch {
		case front <= uint(e.first):
			front = uint(e.first)
		case front > uint(e.last):
			return false
		case e.set == 0:
			x.search(path, e, o.texts[text.text].length)
		default:
			front = x.next(e, front)
		}
		front += uint(text.distance)
		if i == j {
			break
		}
		text = &texts[j]
		e = &extents[text.text]
		back -= min(back, uint(text.distance))
		switch {
		case back >= uint(e.last):
			back = uint(e.last)
		case back < uint(e.first):
			return false
		case e.set == 0:
			x.search(path, e, o.texts[text.text].length)
		default:
			back = x.previous(e, back)
		}
	}
	return front <= back
}
