package semdiff

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt/internal/pattern"
)

// obeyed is the rules that a class of crawlers obeys in one reading of a file,
// some of which have been removed.
type obeyed struct {
	solver *solver
	claims claims // those of removed rules too
	gone   []bool // by place: its rule has been removed
	idle   []bool // by place: it is gone because it was idle
	index  beginnings

	// first are the places of the claims of each rule, in file order. second are those
	// of second claims, or noPlace; nil if no rule has two.
	first, second []int32

	// texts is the texts of the patterns with wildcards, without their stars. The text of
	// a place is from textAt[place] to textAt[place+1].
	texts  string
	textAt []int32

	gramsOf map[int32]*grams // by node of index, of those with many claims; nil until used
}

const noPlace = int32(-1)

// What has been removed
//
// Any choice of the removed claims can go, because each of them, added alone to
// what is left, changes nothing. (If a choice changed a verdict, one of them
// would decide there; added alone it would decide too, since no stronger claim
// that is left matches.) A removal must keep that true for those before it. So a
// claim is removed only if it is needless beside what is left and the removed
// claims that are weaker and disagree: they would decide where it did. Removed
// claims that are stronger or agree do not count.

// ignores reports whether a claim does not count where the one of a place is
// tried.
func (o *obeyed) ignores(at, place int32) bool {
	return o.gone[at] && (at < place || o.claims.list[at].allow == o.claims.list[place].allow)
}

// triesAStep is the number of claims that are matched against a short path in the time
// of a step, claimsAStep the number that are skipped.
const (
	triesAStep  = 4
	claimsAStep = 16
)

// guess reports whether a path is judged differently without a claim: the one
// that its pattern spells. If not, it is not known.
func (o *obeyed) guess(place int32) bool {
	s := &o.solver.patterns.spellings[o.claims.list[place].pattern]
	if s.never() {
		return false
	}
	path, bytes, node := cmp.Or(s.text, "/"), o.index.needs[place]|slash, o.index.nodeOf[place]
	if s.wild {
		path = o.texts[o.textAt[place]:o.textAt[place+1]]
	}
	if !isPath(path, bytes) {
		return false
	}
	if image := o.image(path); image != path {
		return o.needs(path, place)
	}
	if s.wild {
		node = o.index.underNode(path, node)
	}
	return o.needsOf(path, bytes, node, place)
}

// isPath reports whether a text with these bytes can be the path of a URL.
func isPath(text string, bytes pattern.ByteSet) bool {
	return text != "" && text[0] == '/' && (bytes&endings == 0 || !strings.ContainsAny(text, "#\x00"))
}

// endings are the bytes before which a path ends.
var endings = pattern.ByteSetOf("#\x00")

// image returns what is compared in the place of a path.
func (o *obeyed) image(path string) string { return imagesOf(o.solver.dialects[0]).path(path) }

// mostBetween bounds the claims with which guessMore tries paths.
const mostBetween = 64

// guessMore is guess with more paths: those that the pattern matches with little
// more than its own text, and those that a weaker claim of the other verdict
// matches too.
func (o *obeyed) guessMore(place int32) bool {
	own, patterns := o.claims.list[place], o.solver.patterns
	for word := range patterns.words(own.pattern) {
		if o.needs(word, place) {
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
		if tries > mostBetween || !o.solver.budget.spend(meetings*patterns.cost(own.pattern, other.pattern), 0) {
			return false
		}
		for path := range patterns.between(own.pattern, other.pattern) {
			if o.needs(path, place) {
				return true
			}
		}
	}
	return false
}

// needs reports whether a path is judged differently without a claim.
func (o *obeyed) needs(path string, place int32) bool {
	if !isPath(path, pattern.ByteSetOf(path)) {
		return false
	}
	path = o.image(path)
	if !o.solver.patterns.pattern(o.claims.list[place].pattern).Matches(path) {
		return false
	}
	return o.needsOf(path, pattern.ByteSetOf(path), o.index.under(path), place)
}

// needsOf is needs for a path in the form that is compared and that the claim
// matches, of which bytes and node are known.
func (o *obeyed) needsOf(path string, bytes pattern.ByteSet, node, place int32) bool {
	list, patterns := o.claims.list, o.solver.patterns
	next, passed, tried := int32(len(list)), 0, 0 // next is the place of the claim that decides without
	defer func() {
		o.solver.budget.spend(1+passed/claimsAStep+tried*(1+len(path)/bytesAStep)/triesAStep, 0)
	}()
	try := func(places []int32) (anyway bool) {
		for _, at := range places {
			if at >= next {
				return false // they are in the order of their places
			}
			passed++
			if at == place || !bytes.Contains(o.index.needs[at]) || o.ignores(at, place) {
				continue
			}
			if tried++; !patterns.pattern(list[at].pattern).Matches(path) {
				continue
			}
			next = at
			return at < place
		}
		return false
	}
	for n := node; n >= 0; n = o.index.nodes[n].parent {
		chain := o.index.chain(n)
		if len(chain) < manyClaims {
			if try(chain) {
				return false // another claim decides anyway
			}
			continue
		}
		passed += len(path)
		for places := range o.grams(n).lists(path) {
			if try(places) {
				return false
			}
		}
	}
	return o.verdict(next) != list[place].allow
}

// grams returns those of the claims of a node.
func (o *obeyed) grams(node int32) *grams {
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

// verdict returns what the claim of a place gives, or the rest.
func (o *obeyed) verdict(place int32) bool {
	if int(place) == len(o.claims.list) {
		return o.claims.rest
	}
	return o.claims.list[place].allow
}

// cover reports whether one other claim makes a claim needless, or the rest does,
// and which one. See solver.covered.
func (o *obeyed) cover(place int32) (because reason, covered bool) {
	own, patterns := o.claims.list[place], o.solver.patterns
	if patterns.spellings[own.pattern].never() {
		return reason{}, true
	}
	has := o.index.needs[place] | slash
	below, line := int32(len(o.claims.list)), 0
	for n := o.index.nodeOf[place]; n >= 0; n = o.index.nodes[n].parent {
		for i, at := range o.index.chain(n) {
			if at >= below || !o.look(i) {
				break // they are in the order of their places
			}
			other := o.claims.list[at]
			if at == place || o.gone[at] || at > place && other.allow != own.allow || !has.Contains(o.index.needs[at]) {
				continue
			}
			o.solver.budget.spend(patterns.cost(other.pattern, own.pattern), 0)
			if !patterns.contains(other.pattern, own.pattern) {
				continue
			}
			if at < place {
				return reason{by: other.line}, true
			}
			below, line = at, other.line
			break
		}
	}
	if o.solver.budget.steps <= 0 || o.verdict(below) != own.allow || o.clash(place, below) {
		return reason{}, false
	}
	if int(below) < len(o.claims.list) {
		return reason{by: line}, true
	}
	by := o.wider(place)
	return reason{by: by, idle: by == 0}, true
}

// wider returns the line of an idle claim that matches all that an idle claim
// matches, 0 if there is none. It says more about why the narrower one is needless.
func (o *obeyed) wider(place int32) (line int) {
	own, patterns := o.claims.list[place], o.solver.patterns
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

// slash is what a path has that a star at the start of a pattern matches.
var slash = pattern.ByteSetOf("/")

// look spends a step for every claimsAStep skipped claims. It returns false if the
// budget is exhausted.
func (o *obeyed) look(i int) bool { return i%claimsAStep > 0 || o.solver.budget.spend(1, 0) }

// clash reports whether a claim between two places disagrees with that of the
// first and shares a path with it, or whether the budget did not suffice to say.
func (o *obeyed) clash(place, below int32) bool {
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

// related yields the places of the claims that count beside that of a place and
// may share a path with it, itself included, until the budget is used up.
func (o *obeyed) related(place int32) func(yield func(at int32) bool) {
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

// near returns the claims that share a path with that of a place, with it and
// without it. No other claim can matter where it goes.
func (o *obeyed) near(place int32) (with, without claims) {
	var places []int32
	own := o.claims.list[place].pattern
	for at := range o.related(place) {
		if at == place || o.solver.patterns.intersect(own, o.claims.list[at].pattern) {
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
