package semdiff

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/pattern"
)

type ruleList struct {
	solver *solver
	claims claims // including the claims of removed rules
	gone   []bool // by place: the claim has been removed
	idle   []bool // by place: it is gone because it was idle
	index  prefixIndex

	gramsOf map[int32]*grams // by node of index, of those with many claims; nil until used
}

// What has been removed
//
// Any choice of the removed claims can go, because each of them, added alone to
// what is left, changes nothing. (If a choice changed a verdict, one of them
// would decide there; added alone it would decide too, since no stronger claim
// that is left matches.) A removal must keep that true for those before it. So a
// claim is removed only if it is needless next to the remaining claims and the
// removed claims that are weaker and disagree: they would decide where it did.
// Removed claims that are stronger or agree do not matter.

// ignores reports whether the claim at a place does not matter when the removal of another
// one is tried.
func (o *ruleList) ignores(at, place int32) bool {
	return o.gone[at] && (at < place || o.claims.list[at].allow == o.claims.list[place].allow)
}

// triesAStep is the number of claims that are matched against a short path in the time
// of a step, claimsAStep the number that are skipped.
const (
	triesAStep  = 4
	claimsAStep = 16
)

// mattersForSpelling reports whether the path that the pattern of a claim spells has another verdict
// without the claim. If so, the claim must stay; if not, that is not known.
func (o *ruleList) mattersForSpelling(place int32) bool {
	p := o.solver.patterns
	s := &p.spellings[o.claims.list[place].pattern]
	if s.MatchesNone() {
		return false
	}
	path := cmp.Or(s.Text, "/")
	bytes := o.index.octets[place] | slash
	node := o.index.nodeOf[place]
	if s.Wild {
		p.text = appendFilled(append(p.text[:0], '/'), s, "")
		path = ascii.View(p.oneSlash())
	}
	if !isPath(path, bytes) {
		return false
	}
	if image := o.image(path); image != path {
		return o.mattersFor(path, place)
	}
	if s.Wild {
		node = o.index.underNode(path, node)
	}
	return o.mattersForImage(path, bytes, node, place)
}

func isPath(text string, bytes pattern.ByteSet) bool {
	return text != "" && text[0] == '/' && (bytes&endings == 0 || !strings.ContainsAny(text, "#\x00"))
}

var endings = pattern.ByteSetOf("#\x00")

func (o *ruleList) image(path string) string { return imagesOf(o.solver.dialects[0]).path(path) }

// maxBetween bounds the claims with which mattersForGuesses tries paths.
const maxBetween = 64

// mattersForGuesses is mattersForSpelling with more paths: those that consist of the pattern's own text and
// little more, and those that a weaker claim of the other verdict matches too.
func (o *ruleList) mattersForGuesses(place int32) bool {
	own := o.claims.list[place]
	patterns := o.solver.patterns
	for word := range patterns.words(own.pattern) {
		if o.mattersFor(word, place) {
			return true
		}
	}
	tries := 0
	for at := range o.related(place) {
		other := o.claims.list[at]
		if at < place || other.allow == own.allow || !patterns.intersect(own.pattern, other.pattern) {
			continue
		}
		tries++
		if tries > maxBetween || !o.solver.budget.spend(meetings*patterns.cost(own.pattern, other.pattern), 0) {
			return false
		}
		for path := range patterns.between(own.pattern, other.pattern) {
			if o.mattersFor(path, place) {
				return true
			}
		}
	}
	return false
}

func (o *ruleList) mattersFor(path string, place int32) bool {
	if !isPath(path, pattern.ByteSetOf(path)) {
		return false
	}
	path = o.image(path)
	if !o.solver.patterns.pattern(o.claims.list[place].pattern).Matches(path) {
		return false
	}
	return o.mattersForImage(path, pattern.ByteSetOf(path), o.index.under(path), place)
}

// mattersForImage is mattersFor for a path in the form that the dialect compares. The claim must match
// it. bytes are the octets of the path, and node is the index's node for it.
func (o *ruleList) mattersForImage(path string, bytes pattern.ByteSet, node, place int32) bool {
	next := o.strongest(path, bytes, node, place)
	return next > place && o.verdict(next) != o.claims.list[place].allow
}

const noPlace = int32(-1)

// strongest returns the place of the strongest claim that matches a path in the form that the
// dialect compares, without the claim at a place and those that it ignores. If there is none, it
// returns the number of claims. If a claim before that place matches, it returns the place of any
// such claim. bytes are the octets of the path, and node is the index's node for it.
func (o *ruleList) strongest(path string, bytes pattern.ByteSet, node, without int32) int32 {
	list := o.claims.list
	patterns := o.solver.patterns
	next := int32(len(list))
	passed := 0
	tried := 0
	defer func() {
		o.solver.budget.spend(1+passed/claimsAStep+tried*(1+len(path)/bytesAStep)/triesAStep, 0)
	}()
	try := func(places []int32) (enough bool) {
		for _, at := range places {
			if at >= next {
				return false // they are in the order of their places
			}
			passed++
			if at == without || !bytes.Contains(o.index.octets[at]) || o.ignores(at, without) {
				continue
			}
			tried++
			if !patterns.pattern(list[at].pattern).Matches(path) {
				continue
			}
			next = at
			return at < without
		}
		return false
	}
	for n := node; n >= 0; n = o.index.nodes[n].parent {
		chain := o.index.chain(n)
		if len(chain) < manyClaims {
			if try(chain) {
				return next
			}
			continue
		}
		passed += len(path)
		for places := range o.grams(n).lists(path) {
			if try(places) {
				return next
			}
		}
	}
	return next
}

func (o *ruleList) grams(node int32) *grams {
	if o.gramsOf == nil {
		o.gramsOf = make(map[int32]*grams)
	}
	g := o.gramsOf[node]
	if g == nil {
		g = newGrams(o.solver.patterns, o.claims.list, o.index.chain(node))
		o.gramsOf[node] = g
	}
	return g
}

func (o *ruleList) verdict(place int32) bool {
	if int(place) == len(o.claims.list) {
		return o.claims.rest
	}
	return o.claims.list[place].allow
}

// needless reports whether one other claim, or the rest, makes a claim needless, and the
// reason. See solver.covered.
func (o *ruleList) needless(place int32) (because reason, covered bool) {
	own := o.claims.list[place]
	if o.solver.patterns.spellings[own.pattern].MatchesNone() {
		return reason{}, true
	}
	by := o.container(place)
	if by > place && (o.solver.budget.steps <= 0 || o.verdict(by) != own.allow || o.clash(place, by)) {
		return reason{}, false
	}
	if int(by) < len(o.claims.list) {
		return reason{by: o.claims.list[by].line}, true
	}
	line := o.wider(place)
	return reason{by: line, idle: line == 0}, true
}

// container returns the place of a claim that matches every path of the claim at a place: a
// stronger claim, or else the strongest weaker claim with the same verdict. If there is none,
// it returns the number of claims.
func (o *ruleList) container(place int32) (by int32) {
	own := o.claims.list[place]
	patterns := o.solver.patterns
	has := o.index.octets[place] | slash
	by = int32(len(o.claims.list))
	for n := o.index.nodeOf[place]; n >= 0; n = o.index.nodes[n].parent {
		for i, at := range o.index.chain(n) {
			if at >= by || !o.look(i) {
				break // they are in the order of their places
			}
			other := o.claims.list[at]
			if at == place || o.gone[at] || at > place && other.allow != own.allow ||
				!has.Contains(o.index.octets[at]) {
				continue
			}
			o.solver.budget.spend(patterns.cost(other.pattern, own.pattern), 0)
			if !patterns.contains(other.pattern, own.pattern) {
				continue
			}
			if at < place {
				return at
			}
			by = at
			break
		}
	}
	return by
}

// wider returns the line of an idle claim that matches every path of an idle claim, 0 if
// there is none. That line explains more than the word idle.
func (o *ruleList) wider(place int32) (line int) {
	own := o.claims.list[place]
	patterns := o.solver.patterns
	for n := o.index.nodeOf[place]; n >= 0; n = o.index.nodes[n].parent {
		for i, at := range o.index.chain(n) {
			if !o.look(i) {
				return 0
			}
			if other := o.claims.list[at]; o.idle[at] && patterns.contains(other.pattern, own.pattern) {
				return other.line
			}
		}
	}
	return 0
}

// slash is a byte that every path contains, even if the pattern that matches it does not.
var slash = pattern.ByteSetOf("/")

// look spends a step for every claimsAStep skipped claims. It returns false if the
// budget is exhausted.
func (o *ruleList) look(i int) bool { return i%claimsAStep > 0 || o.solver.budget.spend(1, 0) }

// clash reports whether a claim between two places has another verdict than the first one
// and a path in common with it. It returns true if the budget is used up.
func (o *ruleList) clash(place, below int32) bool {
	own := o.claims.list[place]
	for at := range o.related(place) {
		other := o.claims.list[at]
		if at < place || at > below || other.allow == own.allow {
			continue
		}
		o.solver.budget.spend(o.solver.patterns.cost(other.pattern, own.pattern), 0)
		if o.solver.patterns.intersect(other.pattern, own.pattern) {
			return true
		}
	}
	return o.solver.budget.steps <= 0
}

// related yields the places of the claims that apply along with a place's claim and can share a
// path with it, including the place itself, until the budget is used up.
func (o *ruleList) related(place int32) func(yield func(at int32) bool) {
	return func(yield func(at int32) bool) {
		some := func(places []int32) bool {
			for i, at := range places {
				if !o.look(i) || !o.ignores(at, place) && !yield(at) {
					return false
				}
			}
			return true
		}
		node := o.index.nodeOf[place]
		for n := node; n >= 0; n = o.index.nodes[n].parent {
			if !some(o.index.chain(n)) {
				return
			}
		}
		some(o.index.branch(node))
	}
}

// near returns the claims that share a path with the claim of a place, with that claim
// and without it. Other claims do not matter for its removal. If the budget is used up, it omits some.
func (o *ruleList) near(place int32) (with, without claims) {
	var places []int32
	own := o.claims.list[place].pattern
	for at := range o.related(place) {
		other := o.claims.list[at].pattern
		if !o.solver.budget.spend(o.solver.patterns.cost(own, other), 0) {
			return with, without
		}
		if at == place || o.solver.patterns.intersect(own, other) {
			places = append(places, at)
		}
	}
	slices.Sort(places)
	with.rest, without.rest = o.claims.rest, o.claims.rest
	for _, at := range places {
		claim := o.claims.list[at]
		claim.pattern = o.solver.patterns.number(o.solver.patterns.spellings[claim.pattern]) // one for equal patterns
		with.list = append(with.list, claim)
		if at != place {
			without.list = append(without.list, claim)
		}
	}
	return with, without
}
