package lint

import (
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt/internal/pattern"
)

// ruleSet is what one crawler obeys, in an order that brings the patterns
// together that can have to do with each other.
//
// A pattern can only be contained in one whose beginning begins its own. In
// sorted order those are linked, so they are found without a search: the chain.
// It can share a path with those of its chain, and with those whose beginning
// starts with its own: they stand right behind it, the branch.
type ruleSet struct {
	members []int32 // indexes of claims, ascending: by beginning, then rank
	nodeOf  []int32 // by member
	nodes   []node
	spans   [][]span // of each 16 members, of each 256, …
	wild    bool     // a pattern has a star or a final '$'
}

// node is all members with one beginning.
type node struct {
	start, end int32          // in members
	branch     int32          // where the members end whose beginnings start with this one
	parent     int32          // the node with the longest beginning that begins this one; -1
	highest    pattern.Weight // of the node and its parents
}

// span has the lowest and the highest weight of some members, by kind.
type span struct {
	low, high [2]pattern.Weight
}

const fanOut = 16

func kindOf(allow bool) int {
	if allow {
		return 1
	}
	return 0
}

func newRuleSet(claims []claim, members []int32) ruleSet {
	set := ruleSet{members: members, nodeOf: make([]int32, len(members))}
	parent := int32(-1)
	for i, member := range members {
		c := &claims[member]
		beginning := c.beginning
		set.wild = set.wild || c.Wild || c.Anchored
		// Sorted, beginnings follow those that they begin with, so that the nodes
		// from parent up are a stack: what does not begin this one begins no later
		// one either.
		for parent >= 0 && !strings.HasPrefix(beginning, set.beginning(claims, parent)) {
			set.nodes[parent].branch = int32(i)
			parent = set.nodes[parent].parent
		}
		if parent < 0 || set.beginning(claims, parent) != beginning {
			n := node{start: int32(i), parent: parent, highest: c.weight}
			if parent >= 0 {
				n.highest = max(n.highest, set.nodes[parent].highest)
			}
			parent = int32(len(set.nodes))
			set.nodes = append(set.nodes, n)
		}
		set.nodes[parent].end = int32(i) + 1
		set.nodeOf[i] = parent
	}
	// What is left on the stack has its branch reach to the end.
	for ; parent >= 0; parent = set.nodes[parent].parent {
		set.nodes[parent].branch = int32(len(members))
	}
	set.makeSpans(claims)
	return set
}

func (set *ruleSet) beginning(claims []claim, node int32) string {
	return claims[set.members[set.nodes[node].start]].beginning
}

func (set *ruleSet) makeSpans(claims []claim) {
	if len(set.members) <= fanOut {
		return
	}
	spans := make([]span, (len(set.members)+fanOut-1)/fanOut)
	for i, member := range set.members {
		c := &claims[member]
		spans[i/fanOut].add(kindOf(c.allow), c.weight, c.weight)
	}
	set.spans = append(set.spans, spans)
	for len(spans) > fanOut {
		wider := make([]span, (len(spans)+fanOut-1)/fanOut)
		for i, s := range spans {
			for kind := range s.low {
				wider[i/fanOut].add(kind, s.low[kind], s.high[kind])
			}
		}
		set.spans = append(set.spans, wider)
		spans = wider
	}
}

// add takes in weights. No rule weighs zero, so it stands for none.
func (s *span) add(kind int, low, high pattern.Weight) {
	if low != 0 && (s.low[kind] == 0 || low < s.low[kind]) {
		s.low[kind] = low
	}
	s.high[kind] = max(s.high[kind], high)
}

// exemplarsOf returns the exemplars of a claim.
func (s *ruleSets) exemplarsOf(claim int32) pattern.Exemplars {
	if s.exemplars == nil {
		s.exemplars = make([]*pattern.Exemplars, len(s.claims))
	}
	if s.exemplars[claim] == nil {
		e := s.claims[claim].Exemplars()
		s.exemplars[claim] = &e
	}
	return *s.exemplars[claim]
}

// contains reports whether the claim by contains the claim, of whose chain it
// is, and whether there was work left to tell.
func (s *ruleSets) contains(by, claim int32) (contains, ok bool) {
	a, b := &s.claims[claim], &s.claims[by]
	switch {
	case !b.Wild && !b.Anchored:
		return true, true // it has nothing but a beginning
	case b.IsLiteral():
		return a.IsLiteral() && a.Text == b.Text, true
	case !(a.needs | pattern.ByteSetOf("/")).Contains(b.needs):
		return false, true // but for the slash that a star in front of a stands for
	}
	if !s.spend(workCompare + workStar*strings.Count(b.Text, "*") + (len(a.Text)+len(b.Text))/workBytes) {
		return false, false
	}
	return b.ContainsAll(s.exemplarsOf(claim)), true
}

// cover looks in a set for rules that contain a claim. Above is one that ranks
// higher, of whatever kind: the claim never decides. Without one, below is the
// highest of the same kind that ranks lower: it decides the same where no rule
// of the other kind comes between. Both are -1 if there is none.
func (s *ruleSets) cover(set *ruleSet, claim int32) (above, below int32, ok bool) {
	at, _ := slices.BinarySearch(set.members, claim)
	a, settled := &s.claims[claim], pattern.Weight(0)
	below = -1
	for n := set.nodeOf[at]; n >= 0; n = set.nodes[n].parent {
		node := &set.nodes[n]
		if node.highest <= settled {
			break // nor has any parent a higher rank than what was found
		}
		for _, member := range set.members[node.start:node.end] {
			if !s.spend(workLook) {
				return -1, -1, false
			}
			b := &s.claims[member]
			if b.weight <= settled {
				break // the members of a node are by rank
			}
			// The two patterns of one rule (G53) are no ground for each other, and a
			// rule of the other kind only is one if it outweighs this.
			if b.rule == a.rule || b.weight < a.weight && b.allow != a.allow {
				continue
			}
			contains, ok := s.contains(member, claim)
			if !ok {
				return -1, -1, false
			}
			contains = contains && !s.rules[b.rule].removed
			if contains && b.weight > a.weight {
				return member, -1, true
			}
			if contains {
				below, settled = member, b.weight
				break
			}
		}
	}
	return -1, below, true
}

// clash looks in a set for a rule of the other kind that shares a path with the
// claim, ranks between low and high, both excluded, and is accepted. It returns
// -1 if there is none.
func (s *ruleSets) clash(set *ruleSet, claim int32, low, high pattern.Weight, accept func(*claim) bool) (found int32, ok bool) {
	at, _ := slices.BinarySearch(set.members, claim)
	own := &set.nodes[set.nodeOf[at]]
	for n := set.nodeOf[at]; n >= 0 && set.nodes[n].highest > low; n = set.nodes[n].parent {
		node := &set.nodes[n]
		if found, ok = s.clashWithin(set, claim, node.start, node.end, low, high, accept); found >= 0 || !ok {
			return found, ok
		}
	}
	if s.claims[claim].IsLiteral() {
		return -1, true // its one path has no more than its beginning
	}
	return s.clashWithin(set, claim, own.end, own.branch, low, high, accept)
}

// clashWithin looks among the members from start to end.
func (s *ruleSets) clashWithin(set *ruleSet, claim, start, end int32, low, high pattern.Weight, accept func(*claim) bool) (found int32, ok bool) {
	a := &s.claims[claim]
	other := kindOf(!a.allow)
	for i := start; i < end; {
		if !s.spend(workLook) {
			return -1, false
		}
		if width := set.missed(i, end, other, low, high); width > 0 {
			i += width
			continue
		}
		b := &s.claims[set.members[i]]
		i++
		if b.allow == a.allow || b.weight <= low || b.weight >= high || !accept(b) {
			continue
		}
		if !s.spend(workCompare + (len(a.Text)+len(b.Text))/workBytes) {
			return -1, false
		}
		if a.Intersects(b.Pattern) {
			return set.members[i-1], true
		}
	}
	return -1, true
}

// missed returns how many members from i on, which is before end, can be passed
// over because no rule of that kind among them ranks between low and high.
func (set *ruleSet) missed(i, end int32, kind int, low, high pattern.Weight) (width int32) {
	// A span can be used only from its first member on, and not beyond end: the
	// wider ones in the middle of a large set.
	block := int32(fanOut)
	for _, spans := range set.spans {
		if i%block != 0 || min(i+block, int32(len(set.members))) > end {
			break
		}
		if s := &spans[i/block]; s.low[kind] != 0 && s.low[kind] < high && s.high[kind] > low {
			break
		}
		width = block
		block *= fanOut
	}
	return width
}

func anyClaim(*claim) bool { return true }
