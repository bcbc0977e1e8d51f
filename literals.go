package robotstxt

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/pattern"
)

// literalTable finds the heaviest matching rule of many without wildcards. Its nodes are
// sorted by text.
type literalTable struct {
	common string   // a common prefix of all texts
	heads  []uint64 // of each node's text after common, see head
	nodes  []literal
}

type literal struct {
	text   string
	prefix pattern.Weight // of the heaviest rule that matches all paths that begin with text, its parents' too
	exact  pattern.Weight // of the heaviest rule that matches text only, because of its '$'
	parent int32          // index of the node whose text is the longest proper prefix of text, or -1
}

func newLiterals(rules []weighted) literalTable {
	var l literalTable
	if len(rules) == 0 {
		return l
	}
	l.common = rules[0].pattern.Text
	for _, rule := range rules {
		l.common = l.common[:commonPrefix(l.common, rule.pattern.Text)]
	}
	l.heads = make([]uint64, 0, len(rules))
	l.nodes = make([]literal, 0, len(rules))
	var open []int32 // nodes that are prefixes of the previous text, the longest last
	for _, i := range byText(rules, len(l.common)) {
		rule := &rules[i]
		text := rule.pattern.Text
		for len(open) > 0 && !strings.HasPrefix(text, l.nodes[open[len(open)-1]].text) {
			open = open[:len(open)-1]
		}
		if len(open) == 0 || l.nodes[open[len(open)-1]].text != text {
			node := literal{text: text, parent: -1}
			if len(open) > 0 {
				node.parent = open[len(open)-1]
				node.prefix = l.nodes[node.parent].prefix
			}
			open = append(open, int32(len(l.nodes)))
			l.nodes = append(l.nodes, node)
			l.heads = append(l.heads, head(text[len(l.common):]))
		}
		node := &l.nodes[open[len(open)-1]]
		if rule.pattern.Anchored {
			node.exact = max(node.exact, rule.weight)
		} else {
			node.prefix = max(node.prefix, rule.weight)
		}
	}
	return l
}

// byText returns the indexes of the rules sorted by their texts, whose first common bytes
// are equal. It sorts integers: the first bytes of a text after those in common, with the
// index in the lowest bits. Only texts with the same first bytes are compared.
func byText(rules []weighted, common int) []uint64 {
	index := uint64(1)<<bits.Len(uint(len(rules))) - 1
	order := make([]uint64, len(rules))
	for i := range rules {
		order[i] = head(rules[i].pattern.Text[common:])&^index | uint64(i)
	}
	slices.Sort(order)
	for rest := order; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n]&^index == rest[0]&^index {
			n++
		}
		if n > 1 {
			slices.SortFunc(rest[:n], func(a, b uint64) int {
				return strings.Compare(rules[a&index].pattern.Text, rules[b&index].pattern.Text)
			})
		}
		rest = rest[n:]
	}
	for i := range order {
		order[i] &= index
	}
	return order
}

// heaviest returns the weight of the heaviest rule that matches path, 0 if none does. It
// searches for the last node whose text does not sort after path. A text that is a prefix
// of path sorts before path, and all texts between the two begin with it. So the result
// is in that node or in one of its parents.
func (l *literalTable) heaviest(path string) pattern.Weight {
	if len(l.nodes) == 0 || !strings.HasPrefix(path, l.common) {
		return 0
	}
	at := l.search(path) - 1
	if at < 0 {
		return 0
	}
	node := &l.nodes[at]
	common := commonPrefix(node.text, path)
	var exact pattern.Weight
	if common == len(path) && common == len(node.text) {
		exact = node.exact
	}
	// The text of a parent is a prefix of the node's. So it is a prefix of path if it is
	// not longer than what node and path have in common.
	for len(node.text) > common {
		if node.parent < 0 {
			return exact
		}
		node = &l.nodes[node.parent]
	}
	return max(exact, node.prefix)
}

// search returns the number of nodes whose texts do not sort after path. Most steps compare
// eight bytes at once, so a search among ten thousand nodes takes little longer than among
// ten.
func (l *literalTable) search(path string) int {
	wanted := head(path[len(l.common):])
	low, high := 0, len(l.heads)
	for low < high {
		middle := int(uint(low+high) >> 1)
		// Not strings.Compare, whose arguments escape to the heap.
		if h := l.heads[middle]; h < wanted || h == wanted && l.nodes[middle].text <= path {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}

// head returns the first eight bytes of s as an integer that sorts like them. Missing
// bytes are zero, so different texts can have equal heads.
func head(s string) (h uint64) {
	if len(s) >= 8 {
		return bits.ReverseBytes64(ascii.Load8(s))
	}
	for i := 0; i < len(s); i++ {
		h |= uint64(s[i]) << (56 - 8*i)
	}
	return h
}

func commonPrefix(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}
