package semdiff

import "slices"

type pair struct {
	affected
	claims  [2]int // places in the lists of the sides; the length of the list for the rest
	witness string
}

func (s *solver) changeOf(p *pair, sides [2]claims) Change {
	old, new := sides[0].at(p.claims[0], s), sides[1].at(p.claims[1], s)
	return Change{Opens: new.allow, OldLine: old.line, NewLine: new.line, Witness: p.witness, Shortest: true}
}

// pairPart is the part of the budget that the search for one pair can take: an
// eighth.
const pairPart = 8

// pairs returns the pairs of claims with different verdicts that decide the same paths,
// each with a shortest path. complete is false if there might be others.
func (s *solver) pairs(sides [2]claims, limit int) (found []pair, complete bool) {
	complete = true
	deciders := [2][]int{s.deciders(sides[0]), s.deciders(sides[1])}
	changed := s.changed(sides, deciders)
	var changedNew []int
	for y, j := range deciders[1] {
		if changed[1][y] {
			changedNew = append(changedNew, j)
		}
	}
	for x, i := range deciders[0] {
		partners := changedNew
		if changed[0][x] {
			partners = deciders[1]
		}
		for _, j := range partners {
			old, new := sides[0].at(i, s), sides[1].at(j, s)
			if !s.budget.spend(s.patterns.cost(old.pattern, new.pattern), 0) {
				return found, false
			}
			if old.allow == new.allow || !s.patterns.intersect(old.pattern, new.pattern) {
				continue
			}
			path, done := s.both(sides, i, j)
			if path == "" {
				complete = complete && done
				continue
			}
			if len(found) == limit {
				return found, false
			}
			found = append(found, pair{s.affected(sides, i, j), [2]int{i, j}, path})
		}
	}
	return found, complete
}

// at returns a claim, or one for every path in place of the rest.
func (c *claims) at(i int, s *solver) claim {
	if i < len(c.list) {
		return c.list[i]
	}
	return claim{pattern: s.patterns.number(spelling{}), allow: c.rest}
}

// deciders returns the places of the claims that can decide: the strongest of
// each pattern, down to the claim that matches every path.
func (s *solver) deciders(c claims) (places []int) {
	s.patterns.forget()
	for i, claim := range c.list {
		if s.patterns.noted(claim.pattern) || s.patterns.spellings[claim.pattern].MatchesNone() {
			continue
		}
		s.patterns.note(claim.pattern, i)
		places = append(places, i)
		if s.patterns.spellings[claim.pattern].everything() {
			return places
		}
	}
	return append(places, len(c.list))
}

// changed reports for each decider whether it is missing on the other side or has another
// place there. The verdicts for a path differ only if one of its two deciders has
// changed, see solver.change. A decider that decisive drops has the verdict of the rest.
func (s *solver) changed(sides [2]claims, deciders [2][]int) (changed [2][]bool) {
	kept := [2]claims{s.decisive(sides[0]), s.decisive(sides[1])}
	c := s.change(&kept)
	for side := range sides {
		const equal, differs = 0, 1
		s.patterns.forget()
		for _, claim := range kept[side].list {
			s.patterns.note(claim.pattern, equal)
		}
		for _, claim := range c.claims[side] {
			s.patterns.note(claim.pattern, differs)
		}
		for _, i := range deciders[side] {
			n := sides[side].at(i, s).pattern
			differ := c.rest
			if s.patterns.noted(n) {
				differ = s.patterns.noteOf(n) == differs
			}
			changed[side] = append(changed[side], differ)
		}
	}
	return changed
}

// both looks for a shortest path that a given claim of each side decides: a path that
// both patterns match and none of the blockers, the stronger claims of the two sides.
//
// This is the question which paths open from a first list to a second one. In both lists,
// the blockers allow. Otherwise the first list disallows the paths of the old pattern;
// the second allows, among these, the paths of the new pattern.
func (s *solver) both(sides [2]claims, i, j int) (path string, done bool) {
	old, new := sides[0].at(i, s), sides[1].at(j, s)
	var blockers []claim
	for side, last := range [2]int{i, j} {
		for _, claim := range sides[side].list[:last] {
			if !s.budget.spend(s.patterns.cost(claim.pattern, old.pattern)+s.patterns.cost(claim.pattern,
				new.pattern), 0) {
				return "", false
			}
			if s.patterns.contains(claim.pattern, old.pattern) || s.patterns.contains(claim.pattern, new.pattern) {
				return "", true
			}
			if s.patterns.intersect(claim.pattern, old.pattern) && s.patterns.intersect(claim.pattern, new.pattern) {
				claim.allow = true
				claim.priority = 2
				blockers = append(blockers, claim)
			}
		}
	}
	disallow := claim{pattern: old.pattern, priority: 0}
	allow := claim{pattern: new.pattern, allow: true, priority: 1}
	first := claims{append(slices.Clone(blockers), disallow), true}
	second := claims{append(blockers, allow, disallow), true}
	var a answer
	s.budget.within(pairPart, func() { a = s.shortest(first, second, [2]bool{opens: true}) })
	if !a.shortest[opens] {
		return "", a.done
	}
	return a.path[opens], a.done
}
