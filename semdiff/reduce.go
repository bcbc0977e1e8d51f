package semdiff

import (
	"cmp"
	"slices"
)

// tidy drops the claims that do not matter, and sorts neighbours of equal verdict by
// pattern, because their order does not matter.
func (s *solver) tidy(c claims) claims {
	c = s.decisive(c)
	kept := c.list
	for i := 0; i < len(kept); {
		j := i + 1
		for j < len(kept) && kept[j].allow == kept[i].allow {
			j++
		}
		slices.SortFunc(kept[i:j], func(a, b claim) int { return cmp.Compare(a.pattern, b.pattern) })
		i = j
	}
	return c
}

// decisive returns a new list without the claims that never decide, and without the
// weakest ones if they give the verdict of the rest.
func (s *solver) decisive(c claims) claims {
	s.patterns.forget()
	kept := make([]claim, 0, len(c.list))
	rest := c.rest
	for _, claim := range c.list {
		if s.patterns.spellings[claim.pattern].everything() {
			rest = claim.allow
			break
		}
		if s.patterns.noted(claim.pattern) || s.patterns.spellings[claim.pattern].MatchesNone() {
			continue
		}
		s.patterns.note(claim.pattern, 0)
		kept = append(kept, claim)
	}
	return claims{trim(kept, rest), rest}
}

func trim(list []claim, rest bool) []claim {
	for len(list) > 0 && list[len(list)-1].allow == rest {
		list = list[:len(list)-1]
	}
	return list
}

// pairsAtOnce bounds how many pairs of patterns are compared to make a problem
// smaller. Beyond that, the search is as fast.
const pairsAtOnce = 1 << 16

// coveredPart is the part of the budget that dropCovered can take for each side beyond that.
// If each of many rules is made needless by another one, a search would take more.
const coveredPart = 8

// dropCovered drops claims that only one side has and that never decide, or decide only paths
// that have the same verdict without them. It reports whether there were any.
func (s *solver) dropCovered(sides *[2]claims, c *change) (dropped bool) {
	for side := range sides {
		if len(c.claims[side])*len(sides[side].list) > max(pairsAtOnce, s.budget.steps/coveredPart) {
			continue
		}
		for _, changed := range c.claims[side] {
			list := sides[side].list
			at := slices.IndexFunc(list, func(other claim) bool { return other.pattern == changed.pattern })
			if _, covered := s.covered(sides[side], at); covered {
				sides[side].list = slices.Delete(list, at, at+1)
				dropped = true
			}
		}
		sides[side].list = trim(sides[side].list, sides[side].rest)
	}
	return dropped
}

// covered reports whether one claim makes another one needless: a stronger claim that
// matches all its paths, or a weaker one with the same verdict that does, if no claim
// between them has another verdict for any of these paths. by is the place of that claim,
// -1 for the rest.
func (s *solver) covered(c claims, at int) (by int, covered bool) {
	own := c.list[at]
	for i, other := range c.list[:at] {
		s.budget.spend(s.patterns.cost(other.pattern, own.pattern), 0)
		if s.patterns.contains(other.pattern, own.pattern) {
			return i, true
		}
	}
	for i, other := range c.list[at+1:] {
		s.budget.spend(s.patterns.cost(other.pattern, own.pattern), 0)
		switch {
		case other.allow != own.allow && s.patterns.intersect(other.pattern, own.pattern):
			return -1, false
		case other.allow == own.allow && s.patterns.contains(other.pattern, own.pattern):
			return at + 1 + i, true
		}
	}
	return -1, c.rest == own.allow
}

const placesAtOnce = 1 << 22

// align changes the order of the new side: claims that both sides have get the place that
// they have on the old side, if all claims between agree or share no path with them. It
// reports whether it moved any.
func (s *solver) align(sides *[2]claims, c *change) (aligned bool) {
	list := sides[1].list
	if c.ordered || len(c.claims[1])*len(list) > pairsAtOnce || len(sides[0].list)*len(list) > placesAtOnce {
		return false
	}
	s.patterns.forget()
	for i, claim := range c.claims[1] {
		s.patterns.note(claim.pattern, i)
	}
	before := -1 // the place in list of the claim before, of those that both have
	for _, own := range sides[0].list {
		at := slices.IndexFunc(list, func(other claim) bool { return other.pattern == own.pattern })
		if at < 0 || list[at].allow != own.allow {
			continue
		}
		if s.patterns.noted(own.pattern) && at != before+1 && s.passes(list, at, before+1) {
			claim := list[at]
			target := before + 1
			list = slices.Delete(list, at, at+1)
			if target > at {
				target--
			}
			list = slices.Insert(list, target, claim)
			at, aligned = target, true
		}
		before = at
	}
	sides[1].list = list
	return aligned
}

// passes reports whether a claim can change its place: whether each claim between agrees
// with it or shares no path with it.
func (s *solver) passes(list []claim, from, to int) bool {
	own := list[from]
	for _, other := range list[min(from, to):max(from, to)] {
		s.budget.spend(s.patterns.cost(other.pattern, own.pattern), 0)
		if other.allow != own.allow && s.patterns.intersect(other.pattern, own.pattern) {
			return false
		}
	}
	return true
}

// narrow drops the claims that share no path with a changed claim.
func (s *solver) narrow(sides *[2]claims, c *change) {
	changed := len(c.claims[0]) + len(c.claims[1])
	if c.rest || changed*(len(sides[0].list)+len(sides[1].list)) > pairsAtOnce {
		return
	}
	for side := range sides {
		sides[side].list = slices.DeleteFunc(sides[side].list, func(own claim) bool {
			for i := range c.claims {
				for _, claim := range c.claims[i] {
					s.budget.spend(s.patterns.cost(claim.pattern, own.pattern), 0)
					if s.patterns.intersect(claim.pattern, own.pattern) {
						return false
					}
				}
			}
			return true
		})
	}
}
