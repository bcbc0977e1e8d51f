package robotstxt

import (
	"cmp"
	"math/bits"
	"slices"
	"sync"

	"github.com/kosterhq/robotstxt/internal/pattern"
)

// wildcardTable finds the heaviest of many patterns with wildcards. A pattern that
// has four bytes without a star in a row is kept under four such bytes, its
// gram: no path matches it that does not contain them. Those with none are always
// tried.
type wildcardTable struct {
	rules   []wildcard // by bucket, the heaviest of each first
	buckets []bucket   // by slot, a power of two of them; see slotOf
	filter  []uint64   // a bit for each gram, so that most bytes of a path cost no look-up
	shift   uint8      // of a hash, to index filter's bits
}

type wildcard struct {
	pattern pattern.Pattern
	weight  pattern.Weight
	needs   pattern.ByteSet
}

// bucket is the part of wildcardTable.rules whose gram falls into one slot. The
// last bucket holds the rules without a gram.
type bucket struct{ start, end uint32 }

// maxSlots bounds the slots, and so the set of those that were visited. More grams
// share slots.
const maxSlots = 1 << 16

func newWildcards(rules []weighted) wildcardTable {
	var w wildcardTable
	if len(rules) == 0 {
		return w
	}
	for i := range rules {
		rules[i].pattern = rules[i].pattern.WithoutRuns()
	}
	slots := min(1<<bits.Len(uint(len(rules))), maxSlots)
	// Sixteen bits for a gram let one byte in sixteen of a path pass.
	w.filter = make([]uint64, max(slots/4, 1))
	w.shift = uint8(32 - bits.Len(uint(len(w.filter)*64-1)))
	var frequency gramFrequency
	grams := make([]uint32, 0, maxGrams)
	for _, rule := range rules {
		for _, gram := range appendGrams(grams, rule.pattern) {
			frequency[gramSlot(gram)]++
		}
	}
	slotOfRule := make([]uint32, len(rules))
	w.buckets = make([]bucket, slots+1)
	for i, rule := range rules {
		slotOfRule[i] = uint32(slots)
		if grams := appendGrams(grams, rule.pattern); len(grams) > 0 {
			hash := hashGram(frequency.rarest(grams))
			slotOfRule[i] = hash & uint32(slots-1)
			w.filter[hash>>w.shift>>6] |= 1 << (hash >> w.shift & 63)
		}
	}
	// The rules are counted into slots, and each slot is sorted.
	for _, slot := range slotOfRule {
		w.buckets[slot].end++
	}
	end := uint32(0)
	for i := range w.buckets {
		end += w.buckets[i].end
		w.buckets[i] = bucket{end, end}
	}
	inSlots := make([]weighted, len(rules))
	for i, slot := range slotOfRule {
		b := &w.buckets[slot]
		b.start--
		inSlots[b.start] = rules[i]
	}
	w.rules = make([]wildcard, 0, len(rules))
	for i := range w.buckets {
		b := &w.buckets[i]
		start := uint32(len(w.rules))
		for _, rule := range strongestFirst(inSlots[b.start:b.end]) {
			w.rules = append(w.rules, wildcard{rule.pattern, rule.weight, rule.pattern.Needs()})
		}
		*b = bucket{start, uint32(len(w.rules))}
	}
	return w
}

// manyRules is how many rules of a bucket may be equal: a file can have the same
// one ten thousand times.
const manyRules = 16

// strongestFirst sorts the rules of a bucket by weight. Of a large bucket it
// returns each pattern once.
func strongestFirst(rules []weighted) []weighted {
	if len(rules) > 1 {
		slices.SortFunc(rules, func(a, b weighted) int { return cmp.Compare(b.weight, a.weight) })
	}
	if len(rules) <= manyRules {
		return rules
	}
	seen := make(map[pattern.Pattern]bool, len(rules))
	return slices.DeleteFunc(rules, func(rule weighted) bool {
		again := seen[rule.pattern]
		seen[rule.pattern] = true
		return again
	})
}

// heaviest returns the weight of the heaviest rule that matches path, or best,
// the weight of one known already, if that is more. A gram that comes again is
// passed over: a path of one letter would otherwise have the same rules tried at
// each of its bytes.
func (w *wildcardTable) heaviest(path *pattern.Path, best pattern.Weight) pattern.Weight {
	if len(w.rules) == 0 {
		return best
	}
	text := path.Text
	has := pattern.ByteSetOf(text)
	best = w.try(w.buckets[len(w.buckets)-1], path, has, best)
	if len(text) < gramLength {
		return best
	}
	var visited slotSet
	mask := uint32(len(w.buckets) - 2)
	gram := load4(text) << 8
	for i := gramLength - 1; i < len(text); i++ {
		gram = gram>>8 | uint32(text[i])<<24
		hash := hashGram(gram)
		if bit := hash >> w.shift; w.filter[bit>>6]&(1<<(bit&63)) == 0 {
			continue
		}
		if b := w.buckets[hash&mask]; b.start < b.end && visited.add(hash&mask) {
			best = w.try(b, path, has, best)
		}
	}
	visited.free()
	return best
}

// try returns the weight of the heaviest rule of a bucket that matches, if it is
// over best. The rules come by weight, so the first that matches decides.
func (w *wildcardTable) try(b bucket, path *pattern.Path, has pattern.ByteSet, best pattern.Weight) pattern.Weight {
	rules := w.rules[b.start:b.end]
	for i := range rules {
		rule := &rules[i]
		if rule.weight <= best {
			break
		}
		if has.Contains(rule.needs) && path.Matches(rule.pattern) {
			return rule.weight
		}
	}
	return best
}

// slotSet is a set of slots: a few, or a bitmap of all.
type slotSet struct {
	few  [24]uint32
	n    int
	many *slotBitmap
}

type slotBitmap [maxSlots / 64]uint64

var slotBitmaps = sync.Pool{New: func() any { return new(slotBitmap) }}

// add puts a slot into the set, and reports whether it was not there.
func (s *slotSet) add(slot uint32) bool {
	if s.many != nil {
		return s.many.add(slot)
	}
	if slices.Contains(s.few[:s.n], slot) {
		return false
	}
	if s.n < len(s.few) {
		s.few[s.n] = slot
		s.n++
		return true
	}
	s.many = slotBitmaps.Get().(*slotBitmap)
	for _, slot := range s.few {
		s.many.add(slot)
	}
	return s.many.add(slot)
}

func (b *slotBitmap) add(slot uint32) bool {
	word, bit := &b[slot/64], uint64(1)<<(slot%64)
	if *word&bit != 0 {
		return false
	}
	*word |= bit
	return true
}

// free ends the use of the set.
func (s *slotSet) free() {
	if s.many != nil {
		clear(s.many[:])
		slotBitmaps.Put(s.many)
	}
}

// load4 returns the first four bytes of s as an integer, the first one lowest.
func load4(s string) uint32 {
	_ = s[3]
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}

// gramLength is the length of a gram: long enough to be rare in paths, short
// enough for nearly every pattern to have one.
const gramLength = 4

// hashGram spreads grams over 32 bits, the upper ones best (Knuth's
// multiplicative hash), and mixes those into the lower ones.
func hashGram(gram uint32) uint32 {
	hash := gram * 2654435761
	return hash ^ hash>>15
}

// maxGrams bounds the grams of a pattern that are looked at: any will do, a rare
// one is only better, and a file of long patterns must not make the question
// that builds the index a slow one.
const maxGrams = 32

// appendGrams appends the first grams of a pattern.
func appendGrams(grams []uint32, p pattern.Pattern) []uint32 {
	gram, run := uint32(0), 0
	for i := 0; i < len(p.Text) && len(grams) < maxGrams; i++ {
		if p.Text[i] == '*' {
			run = 0
			continue
		}
		gram = gram>>8 | uint32(p.Text[i])<<24
		if run++; run >= gramLength {
			grams = append(grams, gram)
		}
	}
	return grams
}

// gramFrequency counts, about, in how many places of the patterns each gram
// stands: grams that share a slot are counted together.
type gramFrequency [1 << 12]uint32

func gramSlot(gram uint32) uint32 { return hashGram(gram) >> 20 }

// rarest returns the one of grams that is in the fewest places.
func (f *gramFrequency) rarest(grams []uint32) uint32 {
	rarest := grams[0]
	for _, gram := range grams[1:] {
		if f[gramSlot(gram)] < f[gramSlot(rarest)] {
			rarest = gram
		}
	}
	return rarest
}
