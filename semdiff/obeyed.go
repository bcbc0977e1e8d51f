package semdiff

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
)

// obeyed is the rules that a class of crawlers obeys in one reading of a file,
// some of which have been removed.
type obeyed struct {
	solver *solver
	claims claims // those of removed rules too
	gone   []bool // by place: its rule has been removed
	index  *beginnings
	byLine []int32 // the places of claims that have a line, by line
}

// listSteps is the steps that it takes to read a rule and to sort it in. It
// bounds the memory too.
const listSteps = 24

func newObeyed(s *solver, rules robotstxt.Rules) *obeyed {
	o := &obeyed{solver: s, claims: s.claims(0, rules)}
	o.gone = make([]bool, len(o.claims.list))
	o.index = newBeginnings(s.patterns, o.claims.list)
	for place, claim := range o.claims.list {
		if claim.line > 0 {
			o.byLine = append(o.byLine, int32(place))
		}
	}
	slices.SortFunc(o.byLine, func(i, j int32) int {
		return cmp.Or(cmp.Compare(o.claims.list[i].line, o.claims.list[j].line), cmp.Compare(i, j))
	})
	return o
}

// lines yields the lines of the rules, in file order.
func (o *obeyed) lines(yield func(line int) bool) {
	last := 0
	for _, place := range o.byLine {
		if line := o.claims.list[place].line; line != last {
			if last = line; !yield(line) {
				return
			}
		}
	}
}

// of returns the places of a line's claims.
func (o *obeyed) of(line int) []int32 {
	start, _ := slices.BinarySearchFunc(o.byLine, line, func(place int32, line int) int {
		return cmp.Compare(o.claims.list[place].line, line)
	})
	end := start
	for end < len(o.byLine) && o.claims.list[o.byLine[end]].line == line {
		end++
	}
	return o.byLine[start:end]
}

func (o *obeyed) remove(line int) { o.mark(line, true) }

func (o *obeyed) restore(line int) { o.mark(line, false) }

func (o *obeyed) mark(line int, gone bool) {
	for _, place := range o.of(line) {
		o.gone[place] = gone
	}
}

// left returns the claims of the rules that have not been removed.
func (o *obeyed) left() claims {
	left := claims{rest: o.claims.rest}
	for place, claim := range o.claims.list {
		if !o.gone[place] {
			left.list = append(left.list, claim)
		}
	}
	return left
}

// claimsAStep is how many claims are passed over or tried on a short path in the
// time of a step.
const claimsAStep = 4

// guess returns a path that is judged differently without a line, "" if a few
// paths that its patterns match show none.
func (o *obeyed) guess(line int) string {
	for _, place := range o.of(line) {
		for _, word := range o.solver.patterns.words(o.claims.list[place].pattern) {
			if o.needs(word, line) {
				return word
			}
		}
	}
	return ""
}

// mostBetween bounds the claims with which guessBetween tries paths.
const mostBetween = 64

// guessBetween is guess with paths that a weaker claim of the other verdict
// matches too.
func (o *obeyed) guessBetween(line int) string {
	tries := 0
	for _, place := range o.of(line) {
		own := o.claims.list[place]
		for at := range o.related(place) {
			other := o.claims.list[at]
			if at < place || other.allow == own.allow || !o.solver.patterns.intersect(own.pattern, other.pattern) {
				continue
			}
			tries++
			if tries > mostBetween || !o.solver.budget.spend(meetings*o.solver.patterns.cost(own.pattern, other.pattern), 0) {
				return ""
			}
			for _, path := range o.solver.patterns.between(own.pattern, other.pattern) {
				if o.needs(path, line) {
					return path
				}
			}
		}
	}
	return ""
}

// needs reports whether a path is judged differently without a line.
func (o *obeyed) needs(path string, line int) bool {
	if path == "" || strings.ContainsAny(path, "#\x00") {
		return false
	}
	path = imagesOf(o.solver.dialects[0]).path(path)
	list, tried := o.claims.list, 0
	with, without := len(list), len(list) // places of the claims that decide
	for n := o.index.under(path); n >= 0; n = o.index.nodes[n].parent {
		for _, place := range o.index.chain(n) {
			at, own := int(place), list[place].line == line
			if at >= without {
				break // they are in the order of their places
			}
			tried++
			if o.gone[at] || own && at >= with || !o.solver.patterns.pattern(list[at].pattern).Matches(path) {
				continue
			}
			with = min(with, at)
			if !own {
				without = at
			}
		}
	}
	o.solver.budget.spend(1+tried*(1+len(path)/bytesAStep)/claimsAStep, 0)
	return o.verdict(with) != o.verdict(without)
}

// verdict returns what the claim of a place gives, or the rest.
func (o *obeyed) verdict(place int) bool {
	if place == len(o.claims.list) {
		return o.claims.rest
	}
	return o.claims.list[place].allow
}

// covered reports whether each claim of a line is needless because of one other
// claim, or of the rest, and the line of that claim, 0 if there are several or
// none.
func (o *obeyed) covered(line int) (by int, covered bool) {
	for i, place := range o.of(line) {
		other, covered := o.cover(place)
		if !covered {
			return 0, false
		}
		if i == 0 {
			by = other
		} else if by != other {
			by = 0
		}
	}
	return by, true
}

// cover is solver.covered among the claims that are left.
func (o *obeyed) cover(place int32) (line int, covered bool) {
	own, patterns := o.claims.list[place], o.solver.patterns
	if patterns.spellings[own.pattern].never() {
		return 0, true
	}
	below := int32(len(o.claims.list))
	for n := o.index.of[place]; n >= 0; n = o.index.nodes[n].parent {
		for i, at := range o.index.chain(n) {
			if at >= below || !o.look(i) {
				break // they are in the order of their places
			}
			other := o.claims.list[at]
			if o.gone[at] || other.line == own.line || at > place && other.allow != own.allow {
				continue
			}
			o.solver.budget.spend(patterns.cost(other.pattern, own.pattern), 0)
			if !patterns.contains(other.pattern, own.pattern) {
				continue
			}
			if at < place {
				return other.line, true
			}
			below, line = at, other.line
			break
		}
	}
	if o.solver.budget.steps <= 0 || o.verdict(int(below)) != own.allow {
		return 0, false
	}
	return line, !o.clash(place, below)
}

// look takes a step for so many claims that are passed over, and reports whether
// there was one.
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

// related yields the places of the claims that are left and may share a path with
// that of a place, itself included, until the budget is used up.
func (o *obeyed) related(place int32) func(yield func(at int32) bool) {
	return func(yield func(at int32) bool) {
		some := func(places []int32) bool {
			for i, at := range places {
				if !o.look(i) || !o.gone[at] && !yield(at) {
					return false
				}
			}
			return true
		}
		node := o.index.of[place]
		for n := node; n >= 0; n = o.index.nodes[n].parent {
			if !some(o.index.chain(n)) {
				return
			}
		}
		some(o.index.branch(node))
	}
}

// near returns the claims that are left and share a path with those of a line.
// No other claim can matter where the line's rule goes.
func (o *obeyed) near(line int) claims {
	var places []int32
	for _, place := range o.of(line) {
		own := o.claims.list[place].pattern
		for at := range o.related(place) {
			if at == place || o.solver.patterns.intersect(own, o.claims.list[at].pattern) {
				places = append(places, at)
			}
		}
	}
	slices.Sort(places)
	near := claims{rest: o.claims.rest}
	for _, at := range slices.Compact(places) {
		near.list = append(near.list, o.claims.list[at])
	}
	return near
}

func (c claims) without(line int) claims {
	return claims{slices.DeleteFunc(slices.Clone(c.list), func(c claim) bool { return c.line == line }), c.rest}
}
