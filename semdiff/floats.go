package semdiff

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"
)

// float is a pattern whose head has matched, at the start of one of its texts.
type float struct {
	pattern int32
	start   uint32
}

// partial is a float that has begun to match its text.
type partial struct {
	pattern  int32
	position uint32
}

// set is a set of floats. A search meets few sets, because a set changes only when a text
// has been found.
type set struct {
	floats []float // by pattern
	firsts letters // the letters that their texts begin with
	byMark []int32 // indexes of floats, by that letter, then by pattern
	starts []int32 // by letter of firsts: where byMark has its floats; and the length of byMark
}

type letters [4]uint64

func (l *letters) mark(b byte)     { l[b>>6] |= 1 << (b & 63) }
func (l *letters) has(b byte) bool { return l[b>>6]&(1<<(b&63)) != 0 }

// below returns the number of letters that are less than one.
func (l *letters) below(b byte) (n int) {
	for _, word := range l[:b>>6] {
		n += bits.OnesCount64(word)
	}
	return n + bits.OnesCount64(l[b>>6]&(1<<(b&63)-1))
}

type sets struct {
	automata []*automaton
	list     []set
	numbers  map[string]int32
	bytes    int // of memory, about
	work     int // steps to be taken from the budget
	key      []byte
	edited   []float
}

// number returns the number of a set, which it copies.
func (s *sets) number(floats []float) int32 {
	s.key = s.key[:0]
	s.work += len(floats)
	for _, f := range floats {
		s.key = binary.LittleEndian.AppendUint32(s.key, uint32(f.pattern))
		s.key = binary.LittleEndian.AppendUint32(s.key, f.start)
	}
	if n, known := s.numbers[string(s.key)]; known {
		return n
	}
	n := int32(len(s.list))
	s.numbers[string(s.key)] = n
	made := set{floats: slices.Clone(floats), byMark: make([]int32, len(floats))}
	var places [257]int32 // by letter: where its floats begin
	for _, f := range floats {
		letter := s.first(f)
		made.firsts.mark(letter)
		places[int(letter)+1]++
	}
	for letter := range 256 {
		if made.firsts.has(byte(letter)) {
			made.starts = append(made.starts, places[letter])
		}
		places[letter+1] += places[letter]
	}
	made.starts = append(made.starts, int32(len(floats)))
	for i, f := range floats {
		place := &places[s.first(f)]
		made.byMark[*place] = int32(i)
		*place++
	}
	s.list = append(s.list, made)
	s.bytes += 300 + 50*len(floats) // including what becomes garbage
	return n
}

func (s *sets) first(f float) byte { return s.automata[f.pattern].letters[f.start] }

func (s *sets) beginning(n int32, b byte) []int32 {
	made := &s.list[n]
	if !made.firsts.has(b) {
		return nil
	}
	at := made.firsts.below(b)
	return made.byMark[made.starts[at]:made.starts[at+1]]
}

// edit is a change of a set: a float is removed, or set to the start of a text.
type edit struct {
	pattern int32
	start   uint32
	gone    bool
}

// apply makes edits, at most one for each pattern. It sorts them in place.
func (s *sets) apply(n int32, edits []edit) int32 {
	if len(edits) == 0 {
		return n
	}
	slices.SortFunc(edits, func(a, b edit) int { return cmp.Compare(a.pattern, b.pattern) })
	floats := s.list[n].floats
	s.edited = s.edited[:0]
	for len(floats) > 0 || len(edits) > 0 {
		switch {
		case len(edits) == 0 || len(floats) > 0 && floats[0].pattern < edits[0].pattern:
			s.edited = append(s.edited, floats[0])
			floats = floats[1:]
			continue
		case len(floats) > 0 && floats[0].pattern == edits[0].pattern:
			floats = floats[1:]
		}
		if !edits[0].gone {
			s.edited = append(s.edited, float{edits[0].pattern, edits[0].start})
		}
		edits = edits[1:]
	}
	return s.number(s.edited)
}

// start returns where the text of a pattern begins, if the set has the pattern.
func (s *set) start(pattern int32) (start uint32, ok bool) {
	i, found := slices.BinarySearchFunc(s.floats, pattern, func(f float, pattern int32) int {
		return cmp.Compare(f.pattern, pattern)
	})
	if !found {
		return 0, false
	}
	return s.floats[i].start, true
}
