package semdiff

import (
	"cmp"
	"slices"
	"sort"
	"strings"
)

// trie contains the heads of a space's patterns. Its nodes are made when the search
// reaches them. A path follows it as long as a head begins like the path.
type trie struct {
	heads []head // sorted by text
	nodes []node
}

type head struct {
	text    string
	pattern int32
}

// node contains the heads with a common prefix. An edge can be longer than one byte, so
// there are fewer than two nodes a head.
type node struct {
	low, high int32  // of heads
	depth     uint32 // length of the prefix
	expanded  bool
	edges     []edge // by byte
	ends      []int32
	within    [2]span // of all heads, and of those longer than depth
}

type edge struct {
	letter byte
	node   int32
}

// span summarises the claims of some patterns on both sides.
type span struct {
	// strongest is the lowest rank of those that disallow and those that allow.
	strongest [2][2]int32
	weakest   [2][2]int32
	changed   bool // a pattern has different claims on the two sides
}

const (
	nowhere  = int32(-1)      // no node
	unranked = int32(1) << 30 // the rank of a pattern without a claim
)

type trieState struct {
	node  int32 // nowhere if no head begins like the path
	depth uint32
}

func newTrie(heads []head) *trie {
	slices.SortFunc(heads, func(a, b head) int {
		return cmp.Or(strings.Compare(a.text, b.text), cmp.Compare(a.pattern, b.pattern))
	})
	return &trie{heads: heads}
}

func (t *trie) add(low, high int32, claims *[2]ranking) int32 {
	first, last := t.heads[low].text, t.heads[high-1].text
	depth := 0
	for depth < len(first) && first[depth] == last[depth] {
		depth++ // the heads are sorted, so all share what the first and the last have in common
	}
	n := node{low: low, high: high, depth: uint32(depth)}
	n.within[0], n.within[1] = noSpan(), noSpan()
	for _, h := range t.heads[low:high] {
		n.within[0].add(h.pattern, claims)
		if len(h.text) > depth {
			n.within[1].add(h.pattern, claims)
		} else {
			n.ends = append(n.ends, h.pattern)
		}
	}
	t.nodes = append(t.nodes, n)
	return int32(len(t.nodes) - 1)
}

func (t *trie) edges(at int32, claims *[2]ranking) (edges []edge) {
	if t.nodes[at].expanded {
		return t.nodes[at].edges
	}
	n := t.nodes[at]
	for low := n.low + int32(len(n.ends)); low < n.high; {
		letter := t.heads[low].text[n.depth]
		high := low + int32(sort.Search(int(n.high-low), func(i int) bool {
			return t.heads[low+int32(i)].text[n.depth] > letter
		}))
		edges = append(edges, edge{letter, t.add(low, high, claims)})
		low = high
	}
	t.nodes[at].expanded = true
	t.nodes[at].edges = edges
	return edges
}

// step follows a byte. ended is the node whose heads end there, or nowhere.
func (t *trie) step(at trieState, b byte, claims *[2]ranking) (to trieState, ended int32) {
	if at.node == nowhere {
		return trieState{node: nowhere}, nowhere
	}
	n := &t.nodes[at.node]
	to = trieState{node: nowhere}
	if at.depth < n.depth {
		if t.heads[n.low].text[at.depth] == b {
			to = trieState{at.node, at.depth + 1}
		}
	} else {
		edges := t.edges(at.node, claims)
		if i, found := slices.BinarySearchFunc(edges, b,
			func(e edge, b byte) int { return cmp.Compare(e.letter, b) }); found {
			to = trieState{edges[i].node, at.depth + 1}
		}
	}
	if to.node != nowhere && to.depth == t.nodes[to.node].depth {
		return to, to.node
	}
	return to, nowhere
}

func (t *trie) interest(at trieState, claims *[2]ranking, mark func(b byte)) {
	if at.node == nowhere {
		return
	}
	n := &t.nodes[at.node]
	if at.depth < n.depth {
		mark(t.heads[n.low].text[at.depth])
		return
	}
	for _, e := range t.edges(at.node, claims) {
		mark(e.letter)
	}
}

func (t *trie) span(at trieState) *span {
	n := &t.nodes[at.node]
	if at.depth < n.depth {
		return &n.within[0]
	}
	return &n.within[1]
}

func noSpan() span {
	var s span
	for side := range 2 {
		for verdict := range 2 {
			s.strongest[side][verdict], s.weakest[side][verdict] = unranked, -1
		}
	}
	return s
}

func (s *span) add(pattern int32, claims *[2]ranking) {
	var verdicts [2]int
	for side := range claims {
		rank, verdict := claims[side].rankOf(pattern)
		verdicts[side] = verdict
		if rank == unranked {
			verdicts[side] = -1
			continue
		}
		s.strongest[side][verdict] = min(s.strongest[side][verdict], rank)
		s.weakest[side][verdict] = max(s.weakest[side][verdict], rank)
	}
	s.changed = s.changed || verdicts[0] != verdicts[1]
}
