package semdiff

import (
	"slices"
	"unsafe"
)

type mode uint8

const (
	modeQuery   mode = 1 << iota // a '?' came before
	modeStray                    // a '%' that begins no percent code came just before
	modeStrayed                  // such a '%' and a hex digit did
)

func (m mode) query() int {
	if m&modeQuery != 0 {
		return 1
	}
	return 0
}

func (m mode) stray() bool { return m&(modeStray|modeStrayed) != 0 }

// forbids reports whether a symbol cannot come next: two hex digits after a '%' make a
// percent code, which is a different symbol.
func (m mode) forbids(x *symbol) bool { return m&modeStrayed != 0 && x.digit }

func (m mode) after(x *symbol, a *alphabet) mode {
	next := m & modeQuery
	if x.query && a.queries {
		next |= modeQuery
	}
	switch {
	case !a.strays:
	case x.stray:
		next |= modeStray
	case x.digit && m&modeStray != 0:
		next |= modeStrayed
	}
	return next
}

const noParent = ^uint32(0)

// states contains the states that a search has reached, in that order. They are packed
// into words without pointers. A state takes some 80 bytes, so that a search uses up its
// budget before it fills the memory.
type states struct {
	count  uint32
	packed []uint32 // all states, end to end
	rows   []row
	table  []uint32 // by hash: the state's number plus one
	added  []uint32 // the state that is being added
}

type row struct {
	offset, parent, symbol uint32
}

func (s *states) size() int {
	return 4*(cap(s.packed)+len(s.table)) + cap(s.rows)*int(unsafe.Sizeof(row{}))
}

func (s *states) words(state uint32) []uint32 {
	end := len(s.packed)
	if int(state)+1 < len(s.rows) {
		end = int(s.rows[state+1].offset)
	}
	return s.packed[s.rows[state].offset:end]
}

func (s *states) origin(state uint32) (parent, symbol uint32) {
	return s.rows[state].parent, s.rows[state].symbol
}

func (s *states) add(parent, symbol uint32, at [2]fallback, mode mode, components []component) {
	if 2*len(s.rows) >= len(s.table) {
		s.grow()
	}
	s.pack(at, mode, components)
	slot := hashWords(s.added) & uint32(len(s.table)-1)
	for ; s.table[slot] != 0; slot = (slot + 1) & uint32(len(s.table)-1) {
		if slices.Equal(s.words(s.table[slot]-1), s.added) {
			return
		}
	}
	s.rows = append(s.rows, row{uint32(len(s.packed)), parent, symbol})
	s.packed = append(s.packed, s.added...)
	s.count++
	s.table[slot] = s.count
}

func (s *states) grow() {
	s.table = make([]uint32, max(64, 2*len(s.table)))
	for state := range s.count {
		slot := hashWords(s.words(state)) & uint32(len(s.table)-1)
		for s.table[slot] != 0 {
			slot = (slot + 1) & uint32(len(s.table)-1)
		}
		s.table[slot] = state + 1
	}
}

func hashWords(words []uint32) uint32 {
	hash := uint64(len(words))
	for _, w := range words {
		hash = (hash ^ uint64(w)) * 0x9E3779B97F4A7C15
		hash ^= hash >> 29
	}
	return uint32(hash ^ hash>>32)
}

func (s *states) pack(at [2]fallback, mode mode, components []component) {
	flags := uint32(mode)<<2 | uint32(verdictOf(at[0].allow))<<1 | uint32(verdictOf(at[1].allow))
	s.added = append(s.added[:0], flags, uint32(at[0].limit), uint32(at[1].limit))
	for i := range components {
		a := &components[i]
		s.added = append(s.added, uint32(a.heads.node), a.heads.depth, uint32(a.set), uint32(len(a.partials)))
		for _, p := range a.partials {
			s.added = append(s.added, uint32(p.pattern), p.position)
		}
	}
}

func (s *states) read(state uint32, components []component) (at [2]fallback, m mode) {
	words := s.words(state)
	flags := words[0]
	at = [2]fallback{{int32(words[1]), flags&2 != 0}, {int32(words[2]), flags&1 != 0}}
	words = words[3:]
	for i := range components {
		a := &components[i]
		a.heads = trieState{int32(words[0]), words[1]}
		a.ended = nowhere
		a.set = int32(words[2])
		a.partials = a.partials[:0]
		n := words[3]
		for words = words[4:]; n > 0; n-- {
			a.partials = append(a.partials, partial{int32(words[0]), words[1]})
			words = words[2:]
		}
	}
	return at, mode(flags >> 2)
}
