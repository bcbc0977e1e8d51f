package robotstxt

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/pattern"
)

// literalTable finds the heaviest of many patterns without wildcards.
type literalTable struct {
	common string   // what all texts begin with
	heads  []uint64 // of the nodes: see head
	nodes  []literal
}

// literal is one text, for all rules that have it.
type literal struct {
	text   string
	prefix pattern.Weight // the heaviest rule that matches what begins with text; the node's prefixes count too
	exact  pattern.Weight // the heaviest rule that matches text alone, because of its '$'
	parent int32          // the node with the longest text that text begins with, -1 if none
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
	var open []int32 // the nodes that the current text may begin with, the longest last
	for _, at := range byText(rules, len(l.common)) {
		rule := &rules[at.rule]
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
			l.heads = append(l.heads, at.head)
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

// headed is a rule with the head of its text.
type headed struct {
	head uint64
	rule int32
}

// byText returns the rules in the order of their texts, which have so many bytes
// in common. Most comparisons are those of two integers.
func byText(rules []weighted, common int) []headed {
	order := make([]headed, len(rules))
	for i := range rules {
		order[i] = headed{head(rules[i].pattern.Text[common:]), int32(i)}
	}
	slices.SortFunc(order, func(a, b headed) int {
		if a.head != b.head {
			return cmp.Compare(a.head, b.head)
		}
		return strings.Compare(rules[a.rule].pattern.Text, rules[b.rule].pattern.Text)
	})
	return order
}

// heaviest returns the weight of the heaviest rule that matches path, 0 if none
// does. It searches the last node that is not above path. A text that path
// begins with is not above it either, and whatever stands between the two
// begins with that text; so it is that node or one of its parents.
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
	// A parent begins the node's text, so its length says whether it begins
	// the path.
	for len(node.text) > common {
		if node.parent < 0 {
			return exact
		}
		node = &l.nodes[node.parent]
	}
	return max(exact, node.prefix)
}

// search returns how many nodes are not above path. Most steps compare eight
// bytes at once, which is what keeps ten thousand rules near the cost of ten.
func (l *literalTable) search(path string) int {
	wanted := head(path[len(l.common):])
	low, high := 0, len(l.heads)
	for low < high {
		middle := int(uint(low+high) >> 1)
		// The operator, because strings.Compare has its arguments escape.
		if h := l.heads[middle]; h < wanted || h == wanted && l.nodes[middle].text <= path {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}

// head returns the first eight bytes of s as a number that sorts as they do.
// Missing ones count as zero, so where heads are equal the texts may differ.
func head(s string) (h uint64) {
	if len(s) >= 8 {
		return bits.ReverseBytes64(ascii.Load8(s))
	}
	for i := 0; i < len(s); i++ {
		h |= uint64(s[i]) << (56 - 8*i)
	}
	return h
}

// commonPrefix returns how many bytes a and b begin with in common.
func commonPrefix(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}
