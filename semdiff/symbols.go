package semdiff

import "math/bits"

// bitset is a set of symbols, by their index in an alphabet.
type bitset []uint64

func (b bitset) add(i int) { b[i>>6] |= 1 << (i & 63) }

func (b bitset) has(i int) bool { return b[i>>6]&(1<<(i&63)) != 0 }

func (b bitset) join(other bitset) {
	for i, word := range other {
		b[i] |= word
	}
}

// next returns the least member that is not less than i, or -1.
func (b bitset) next(i int) int {
	for at := i >> 6; at < len(b); at++ {
		word := b[at]
		if at == i>>6 {
			word &= ^uint64(0) << (i & 63)
		}
		if word != 0 {
			return at<<6 + bits.TrailingZeros64(word)
		}
	}
	return -1
}

// marked indexes the symbols of an alphabet by the bytes of their images, so that the
// symbols that a state distinguishes are found without a loop over all.
type marked struct {
	always bitset         // those that every state follows separately
	byByte [2][256]bitset // by space and byte: those with the byte in their image
}

func (a *alphabet) mark(query int) (m marked) {
	words := (len(a.symbols[query]) + 63) / 64
	m.always = make(bitset, words)
	for i := range a.symbols[query] {
		x := &a.symbols[query][i]
		if x.silent || x.query && query == 0 && a.queries {
			m.always.add(i)
		}
		for space := range a.spaces {
			for _, b := range []byte(x.image[space]) {
				if m.byByte[space][b] == nil {
					m.byByte[space][b] = make(bitset, words)
				}
				m.byByte[space][b].add(i)
			}
		}
	}
	return m
}

// apart returns the indexes of the symbols that a state must follow: those whose image
// contains a byte of interest, and one of the others. The others all lead to the same
// state, or to one with fewer continuations.
func (s *search) apart(mode mode, interest *[2]letters) bitset {
	query := mode.query()
	m := &s.alphabet.marked[query]
	s.followed = append(s.followed[:0], m.always...)
	for space := range s.tries {
		for i, word := range interest[space] {
			for ; word != 0; word &= word - 1 {
				s.followed.join(m.byByte[space][i<<6+bits.TrailingZeros64(word)])
			}
		}
	}
	for i := range s.alphabet.symbols[query] {
		x := &s.alphabet.symbols[query][i]
		if !s.followed.has(i) && !mode.forbids(x) && !x.stray && !(mode.stray() && x.digit) {
			s.followed.add(i)
			break
		}
	}
	return s.followed
}
