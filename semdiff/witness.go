package semdiff

import "slices"

// The search
//
// The automata of all patterns are stepped together along all paths at once,
// breadth first, so that the first path that two sides judge differently is a
// shortest one. A state is what remains of the steps so far:
//
//   - the verdict of the strongest claim of each side that has matched for good,
//     and its rank: weaker claims are forgotten;
//   - the place in the trie of heads;
//   - the set of floats, and which of them have begun to match a text.
//
// Two paths that lead to one state have the same continuations, so only one of them is
// followed. Paths are made of symbols, see alphabet. Symbols that the live patterns of a
// state do not distinguish are followed as one.

// The goals of a search: what a change can do to a URL.
const (
	opens  = iota // disallowed before, allowed after
	closes        // allowed before, disallowed after
)

// fallback is the verdict of a side for a path if no claim of a lower rank matches.
type fallback struct {
	limit int32
	allow bool
}

type component struct {
	heads    trieState
	ended    int32 // the node whose heads end here, or nowhere
	set      int32
	partials []partial
}

type search struct {
	*problem
	budget *budget
	tries  []*trie
	sets   sets
	cores  map[coreKey]core
	states states
	work   int       // steps not yet taken from the budget
	goals  [2]bool   // those that are still to be reached
	any    bool      // one of them is enough
	found  [2]string // the witnesses
	edits  []edit
	now    [2]component // the state that is expanded
	next   [2]component // its successor
	spare  component
	// These are scratch space of apart and keep.
	followed bitset
	kept     []float
}

// problem is what is searched: the claims of two sides about the same patterns.
type problem struct {
	alphabet *alphabet
	automata []*automaton
	spaces   []uint8 // by pattern
	sides    [2]ranking
	// ordered is true if the claims that both sides have are in the same order.
	ordered bool
}

func newSearch(p *problem, goals [2]bool, any bool, budget *budget) *search {
	s := &search{problem: p, budget: budget, goals: goals, any: any, cores: make(map[coreKey]core)}
	s.sets = sets{automata: p.automata, numbers: make(map[string]int32)}
	for space := range p.alphabet.spaces {
		var heads []head
		for i, a := range p.automata {
			if int(p.spaces[i]) == space {
				heads = append(heads, head{a.head, int32(i)})
			}
		}
		s.tries = append(s.tries, newTrie(heads))
	}
	return s
}

// run searches until all goals are reached or out of reach. It reports whether
// the budget sufficed.
func (s *search) run() bool {
	at := [2]fallback{}
	for side := range at {
		at[side] = fallback{int32(len(s.sides[side].list)), s.sides[side].rest}
	}
	empty := s.sets.number(nil)
	for space, t := range s.tries {
		s.next[space] = component{heads: trieState{node: nowhere}, ended: nowhere, set: empty}
		if len(t.heads) > 0 {
			s.next[space].heads.node = t.add(0, int32(len(t.heads)), &s.sides)
			if t.nodes[0].depth == 0 {
				s.arrive(space, 0, &at)
			}
		}
	}
	root := slices.IndexFunc(s.alphabet.symbols[0], func(x symbol) bool { return x.raw == "/" })
	for space := range s.tries {
		s.feed(space, s.alphabet.symbols[0][root].image[space], &at)
	}
	s.visit(noParent, uint32(root)<<1, at, 0)
	for state := uint32(0); state < s.states.count && (s.goals[opens] || s.goals[closes]); state++ {
		if !s.expand(state) {
			return false
		}
	}
	return true
}

func (s *search) expand(state uint32) bool {
	at, mode := s.states.read(state, s.now[:len(s.tries)])
	var interest [2]letters
	for space := range s.tries {
		interest[space] = s.interest(space)
	}
	query := mode.query()
	followed := s.apart(mode, &interest)
	if !s.budget.spend(len(followed)/2, 0) {
		return false
	}
	for i := followed.next(0); i >= 0; i = followed.next(i + 1) {
		x := &s.alphabet.symbols[query][i]
		if mode.forbids(x) {
			continue
		}
		work := 1 + len(s.now[0].partials) + len(s.now[1].partials) + s.work + s.sets.work
		s.work, s.sets.work = 0, 0
		if !s.budget.spend(work, s.size()) {
			return false
		}
		after := at
		for space := range s.tries {
			s.next[space].copy(&s.now[space])
			s.feed(space, x.image[space], &after)
		}
		s.visit(state, uint32(i)<<1|uint32(query), after, mode.after(x, s.alphabet))
	}
	return true
}

func (s *search) size() int {
	size := s.states.size() + s.sets.bytes + len(s.cores)*150
	for _, t := range s.tries {
		size += len(t.nodes) * 200
	}
	return size
}

// visit adds the state in next, which follows its parent by a symbol, if a longer path
// can reach a goal. It records the path if that reaches one.
func (s *search) visit(parent, symbol uint32, at [2]fallback, mode mode) {
	allowed := s.verdicts(at)
	if goal := goalOf(1, allowed[1]); allowed[0] != allowed[1] && s.goals[goal] {
		s.goals[goal] = false
		s.found[goal] = s.path(parent, symbol)
		if s.any {
			s.goals = [2]bool{}
		}
	}
	core := s.core(at)
	if !(s.goals[opens] && core.may[opens] || s.goals[closes] && core.may[closes]) {
		return
	}
	for space := range s.tries {
		next := &s.next[space]
		if core.leaves[space] {
			next.heads = trieState{node: nowhere}
		}
		if next.set != core.sets[space] {
			next.set = core.sets[space]
			kept := &s.sets.list[next.set]
			next.partials = slices.DeleteFunc(next.partials, func(p partial) bool {
				_, has := kept.start(p.pattern)
				return !has
			})
		}
	}
	s.states.add(parent, symbol, core.at, mode, s.next[:len(s.tries)])
}

func (s *search) path(state, last uint32) string {
	var reversed []uint32
	for at := last; ; {
		reversed = append(reversed, at)
		if state == noParent {
			break
		}
		state, at = s.states.origin(state)
	}
	var path []byte
	for _, at := range slices.Backward(reversed) {
		path = append(path, s.alphabet.symbols[at&1][at>>1].raw...)
	}
	return string(path)
}
