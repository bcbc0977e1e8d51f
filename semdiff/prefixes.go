package semdiff

import (
	"cmp"
	"iter"
	"slices"
	"sort"
	"strings"

	"github.com/kosterhq/robotstxt/internal/pattern"
)

// prefixIndex sorts the claims of a list by prefix: the text with which every path that the
// claim matches begins. A claim can be contained only in claims whose prefix is equal or a
// prefix of its own: the claims of its node and of the node's parents. It can share a path with
// these claims, and with the claims of the branch, whose prefixes are longer and begin with its
// own.
type prefixIndex struct {
	places []int32 // in the list, by prefix, then by place
	nodes  []prefixNode
	nodeOf []int32           // by place in the list: the node
	octets []pattern.ByteSet // by place: what each matching path contains
}

type prefixNode struct {
	text       string
	start, end int32 // in places
	branch     int32 // where the places end whose prefixes begin with this one
	parent     int32 // the node of the longest shorter prefix of text, or -1
}

func (b *prefixIndex) make(p *patterns, list []claim, m *listMemory) {
	n := len(list)
	b.places = taken(&m.places, n)
	b.nodeOf = taken(&m.places, n)
	b.octets = taken(&m.needs, n)
	m.texts = slices.Grow(m.texts[:0], n)[:n]
	m.sorted = slices.Grow(m.sorted[:0], n)[:n]
	for i, claim := range list {
		own := p.pattern(claim.pattern)
		m.texts[i] = own.Beginning()
		b.octets[i] = own.Needs()
		m.sorted[i] = placed{firstBytes(m.texts[i]), int32(i)}
	}
	slices.SortFunc(m.sorted, func(x, y placed) int {
		if x.first != y.first {
			return cmp.Compare(x.first, y.first)
		}
		if order := strings.Compare(m.texts[x.place], m.texts[y.place]); order != 0 {
			return order
		}
		return cmp.Compare(x.place, y.place)
	})
	makeRoom(&m.nodes, n)
	start := len(m.nodes)
	b.nodes = m.nodes[start:start]
	parent := int32(-1)
	for i, own := range m.sorted {
		text := m.texts[own.place]
		place := own.place
		b.places[i] = place
		// In sorted order a prefix comes before the texts that begin with it, so the
		// nodes from parent up are a stack.
		for parent >= 0 && !strings.HasPrefix(text, b.nodes[parent].text) {
			b.nodes[parent].branch = int32(i)
			parent = b.nodes[parent].parent
		}
		if parent < 0 || b.nodes[parent].text != text {
			b.nodes = append(b.nodes, prefixNode{text: text, start: int32(i), parent: parent})
			parent = int32(len(b.nodes) - 1)
		}
		b.nodes[parent].end = int32(i) + 1
		b.nodeOf[place] = parent
	}
	for ; parent >= 0; parent = b.nodes[parent].parent {
		b.nodes[parent].branch = int32(n)
	}
	m.nodes = m.nodes[:start+len(b.nodes)]
}

type placed struct {
	first uint64 // the first bytes of the text, so that most texts are compared as numbers
	place int32
}

// firstBytes returns the first eight bytes of a text as a number in the order of texts.
func firstBytes(text string) uint64 {
	if len(text) >= 8 {
		return uint64(text[0])<<56 | uint64(text[1])<<48 | uint64(text[2])<<40 | uint64(text[3])<<32 |
			uint64(text[4])<<24 | uint64(text[5])<<16 | uint64(text[6])<<8 | uint64(text[7])
	}
	var first uint64
	for i := range len(text) {
		first |= uint64(text[i]) << (56 - 8*i)
	}
	return first
}

// under returns the node of the longest prefix of a path, or -1.
func (b *prefixIndex) under(path string) int32 {
	n := int32(sort.Search(len(b.nodes), func(i int) bool { return b.nodes[i].text > path })) - 1
	for n >= 0 && !strings.HasPrefix(path, b.nodes[n].text) {
		n = b.nodes[n].parent
	}
	return n
}

// underNode is for a path that begins with the prefix of the node.
func (b *prefixIndex) underNode(path string, node int32) int32 {
	if own := &b.nodes[node]; own.end == own.branch || len(path) == len(own.text) {
		return node
	}
	return b.under(path)
}

// chain returns the places of the claims of a node.
func (b *prefixIndex) chain(node int32) []int32 {
	return b.places[b.nodes[node].start:b.nodes[node].end]
}

// sharing yields lists of places that together contain every claim that can share a path with a
// pattern all of whose paths begin with a text.
func (b *prefixIndex) sharing(text string) iter.Seq[[]int32] {
	return func(yield func([]int32) bool) {
		for n := b.under(text); n >= 0; n = b.nodes[n].parent {
			if !yield(b.chain(n)) {
				return
			}
		}
		longer := b.nodes[sort.Search(len(b.nodes), func(i int) bool { return b.nodes[i].text > text }):]
		longer = longer[:sort.Search(len(longer), func(i int) bool { return !strings.HasPrefix(longer[i].text, text) })]
		if len(longer) > 0 {
			yield(b.places[longer[0].start:longer[len(longer)-1].end])
		}
	}
}

// branch returns the places of the claims whose prefixes are longer than a node's prefix and
// begin with it.
func (b *prefixIndex) branch(node int32) []int32 {
	return b.places[b.nodes[node].end:b.nodes[node].branch]
}
