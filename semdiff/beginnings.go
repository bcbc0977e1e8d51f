package semdiff

import (
	"cmp"
	"encoding/binary"
	"slices"
	"sort"
	"strings"

	"github.com/kosterhq/robotstxt/internal/pattern"
)

// beginnings is the claims of a list, sorted by the text that all matching paths
// begin with. A claim can be contained only in one whose beginning begins its
// own: these are linked, the chain. It can share a path with those of its chain,
// and with those whose beginning starts with its own: they follow it, the
// branch.
type beginnings struct {
	places []int32 // in the list, by beginning, then by place
	nodes  []beginning
	nodeOf []int32           // by place in the list: the node
	needs  []pattern.ByteSet // by place: what each matching path contains
}

// beginning is all claims with one beginning.
type beginning struct {
	text       string
	start, end int32 // in places
	branch     int32 // where the places end whose beginnings start with this one
	parent     int32 // the node with the longest beginning that begins this one; -1
}

func newBeginnings(p *patterns, list []claim) *beginnings {
	b := &beginnings{places: make([]int32, len(list)), nodeOf: make([]int32, len(list)), needs: make([]pattern.ByteSet, len(list))}
	sorted := make([]placed, len(list))
	for i, claim := range list {
		own := p.pattern(claim.pattern)
		sorted[i], b.needs[i] = newPlaced(own.Beginning(), int32(i)), own.Needs()
	}
	slices.SortFunc(sorted, placed.compare)
	b.nodes = make([]beginning, 0, len(list))
	parent := int32(-1)
	for i := range sorted {
		text, place := sorted[i].text, sorted[i].place
		b.places[i] = place
		// Sorted, beginnings follow those that they begin with, so the nodes from
		// parent up are a stack.
		for parent >= 0 && !strings.HasPrefix(text, b.nodes[parent].text) {
			b.nodes[parent].branch = int32(i)
			parent = b.nodes[parent].parent
		}
		if parent < 0 || b.nodes[parent].text != text {
			b.nodes = append(b.nodes, beginning{text: text, start: int32(i), parent: parent})
			parent = int32(len(b.nodes) - 1)
		}
		b.nodes[parent].end = int32(i) + 1
		b.nodeOf[place] = parent
	}
	for ; parent >= 0; parent = b.nodes[parent].parent {
		b.nodes[parent].branch = int32(len(b.places))
	}
	return b
}

// placed is a text with its place in the list.
type placed struct {
	first uint64 // bytes of the text, so that most texts are compared as numbers
	text  string
	place int32
}

func newPlaced(text string, place int32) placed {
	var first [8]byte
	copy(first[:], text)
	return placed{binary.BigEndian.Uint64(first[:]), text, place}
}

// compare orders by text, then by place.
func (a placed) compare(b placed) int {
	if a.first != b.first {
		return cmp.Compare(a.first, b.first)
	}
	if order := strings.Compare(a.text, b.text); order != 0 {
		return order
	}
	return cmp.Compare(a.place, b.place)
}

// under returns the node with the longest beginning that begins a path, or -1.
func (b *beginnings) under(path string) int32 {
	n := int32(sort.Search(len(b.nodes), func(i int) bool { return b.nodes[i].text > path })) - 1
	for n >= 0 && !strings.HasPrefix(path, b.nodes[n].text) {
		n = b.nodes[n].parent
	}
	return n
}

// chain returns the places of the claims of a node.
func (b *beginnings) chain(node int32) []int32 {
	return b.places[b.nodes[node].start:b.nodes[node].end]
}

// branch returns the places of the claims whose beginnings are longer than that
// of a node and start with it.
func (b *beginnings) branch(node int32) []int32 {
	return b.places[b.nodes[node].end:b.nodes[node].branch]
}
