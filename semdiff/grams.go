package semdiff

import (
	"math/bits"
	"strings"
)

// grams finds, among many claims with the same beginning, the claims that can match a path. Each
// claim is filed under four bytes that all its paths contain: of those in its pattern
// the ones that fewest patterns contain.
type grams struct {
	shift  uint
	starts []int32 // by hash of four bytes: where its claims begin in places
	places []int32
	rest   []int32 // claims without four bytes in a row
}

// manyClaims is the number of claims of one beginning from which grams are faster than
// trying all.
const manyClaims = 48

func gramAt(text string, i int) uint32 {
	return uint32(text[i]) | uint32(text[i+1])<<8 | uint32(text[i+2])<<16 | uint32(text[i+3])<<24
}

// hash spreads four bytes over the table [Knuth's multiplicative hash].
func (g *grams) hash(gram uint32) uint32 { return gram * 2654435769 >> g.shift }

func newGrams(p *patterns, list []claim, places []int32) *grams {
	size := bits.Len(uint(len(places))) + 1
	g := &grams{shift: uint(32 - size)}
	frequent := make([]int32, 1<<size)
	for _, place := range places {
		g.each(p.spellings[list[place].pattern].Text, func(hash uint32) { frequent[hash]++ })
	}
	const none = ^uint32(0)
	under := make([]uint32, len(places))
	g.starts = make([]int32, 1<<size+1)
	for i, place := range places {
		under[i] = none
		g.each(p.spellings[list[place].pattern].Text, func(hash uint32) {
			if under[i] == none || frequent[hash] < frequent[under[i]] {
				under[i] = hash
			}
		})
		if under[i] == none {
			g.rest = append(g.rest, place)
		} else {
			g.starts[under[i]+1]++
		}
	}
	for i := 1; i < len(g.starts); i++ {
		g.starts[i] += g.starts[i-1]
	}
	next := frequent
	copy(next, g.starts)
	g.places = make([]int32, g.starts[len(g.starts)-1])
	for i, place := range places {
		if hash := under[i]; hash != none {
			g.places[next[hash]] = place
			next[hash]++
		}
	}
	return g
}

// each calls do with the hash of every four bytes in a row in the texts of a pattern.
func (g *grams) each(text string, do func(hash uint32)) {
	for piece := range strings.SplitSeq(text, "*") {
		for i := 0; i+4 <= len(piece); i++ {
			do(g.hash(gramAt(piece, i)))
		}
	}
}

// lists yields lists of places, each in order, that together contain the places of all claims
// that match a path. A list can be yielded again.
func (g *grams) lists(path string) func(yield func(places []int32) bool) {
	return func(yield func([]int32) bool) {
		if len(g.rest) > 0 && !yield(g.rest) {
			return
		}
		for i := 0; i+4 <= len(path); i++ {
			hash := g.hash(gramAt(path, i))
			if start, end := g.starts[hash], g.starts[hash+1]; start < end && !yield(g.places[start:end]) {
				return
			}
		}
	}
}
