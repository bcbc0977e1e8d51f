package semdiff

// coreKey is a state without the texts that have begun to match: the positions in the
// tries, the sets of floats, and the verdicts so far. A coreKey has one core.
type coreKey struct {
	heads [2]int32 // by space: twice the node, plus one at its end; or nowhere
	sets  [2]int32 // by space
	at    [2]int32 // twice the limit, plus one if it is allowed: without gaps a key is hashed at once
}

type core struct {
	at     [2]fallback
	leaves [2]bool  // by space: no head can change a verdict any more
	sets   [2]int32 // by space
	may    [2]bool  // by goal: a longer path can reach it
}

func (s *search) core(at [2]fallback) core {
	key := coreKey{heads: [2]int32{nowhere, nowhere}}
	for side := range at {
		key.at[side] = 2*at[side].limit + int32(verdictOf(at[side].allow))
	}
	for space := range s.tries {
		heads := s.next[space].heads
		key.sets[space] = s.next[space].set
		if heads.node == nowhere {
			continue
		}
		key.heads[space] = 2 * heads.node
		if heads.depth == s.tries[space].nodes[heads.node].depth {
			key.heads[space]++
		}
	}
	c, known := s.cores[key]
	if !known {
		c = s.newCore(at)
		s.cores[key] = c
	}
	return c
}

// newCore drops from next the patterns that cannot change a verdict any more. If no other
// claim matches, a side has the verdict of its fallback. Among the claims that can still
// match, it drops
//
//   - those that are not stronger than the limit of the fallback, because they cannot
//     replace it;
//   - those weaker than every claim of the other verdict, because if one of them
//     decides, the fallback gives the verdict.
func (s *search) newCore(at [2]fallback) core {
	c := core{at: at}
	for side := range at {
		s.lower(side, &c.at[side])
	}
	equal := s.ordered && c.at[0].allow == c.at[1].allow
	var gives [2][2]bool // by side, then verdict
	for side := range at {
		gives[side][verdictOf(at[side].allow)] = true
	}
	for space := range s.tries {
		s.leave(space, &c, &gives, &equal)
		c.sets[space] = s.keep(space, &c, &gives, &equal)
	}
	c.may[opens] = !equal && gives[0][0] && gives[1][1]
	c.may[closes] = !equal && gives[0][1] && gives[1][0]
	return c
}

// leave sets leaves of a space. If its heads can still change a verdict, it adds the
// verdicts that they can give, and whether these are equal on both sides.
func (s *search) leave(space int, c *core, gives *[2][2]bool, equal *bool) {
	c.leaves[space] = true
	if s.next[space].heads.node == nowhere {
		return
	}
	span := s.tries[space].span(s.next[space].heads)
	for side := range c.at {
		for verdict, rank := range span.strongest[side] {
			if rank < c.at[side].limit {
				gives[side][verdict] = true
				c.leaves[space] = false
			}
		}
	}
	if !c.leaves[space] {
		*equal = *equal && !span.changed && s.cutAt(0, c.at[0]) == s.cutAt(1, c.at[1])
	}
}

// cutAt returns how many of the claims within a limit both sides have.
func (s *search) cutAt(side int, at fallback) int32 { return s.sides[side].cut[at.limit] }

// lower sets a side's limit after the weakest claim that gives another verdict than the
// fallback. Weaker claims give the same one.
func (s *search) lower(side int, at *fallback) {
	other := 1 - verdictOf(at.allow)
	weakest := int32(-1)
	for space := range s.tries {
		next := &s.next[space]
		if next.heads.node != nowhere {
			span := s.tries[space].span(next.heads)
			switch {
			case span.strongest[side][other] >= at.limit: // none
			case span.weakest[side][other] < at.limit:
				weakest = max(weakest, span.weakest[side][other])
			default:
				return // the weakest within the limit would have to be searched
			}
		}
		for _, f := range s.sets.list[next.set].floats {
			if rank, verdict := s.sides[side].rankOf(f.pattern); rank < at.limit && verdict == other {
				weakest = max(weakest, rank)
			}
		}
	}
	at.limit = weakest + 1
}

// keep returns the set without the floats that cannot change a verdict any more.
func (s *search) keep(space int, c *core, gives *[2][2]bool, equal *bool) int32 {
	set := s.next[space].set
	floats := s.sets.list[set].floats
	s.work += len(floats)
	kept := s.kept[:0]
	for _, f := range floats {
		var relevant [2]bool
		var verdicts [2]int
		for side := range relevant {
			rank, verdict := s.sides[side].rankOf(f.pattern)
			verdicts[side] = verdict
			relevant[side] = rank < c.at[side].limit
			if relevant[side] {
				gives[side][verdict] = true
			}
		}
		if relevant[0] != relevant[1] || relevant[0] && verdicts[0] != verdicts[1] {
			*equal = false
		}
		if relevant[0] || relevant[1] {
			kept = append(kept, f)
		}
	}
	s.kept = kept
	if len(kept) == len(floats) || len(kept) == 0 && len(floats) == 0 {
		return set
	}
	return s.sets.number(kept)
}
