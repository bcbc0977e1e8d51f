package robotstxt

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/kosterhq/robotstxt/internal/pattern"
)

// wildcardTable finds the heaviest matching rule of many with wildcards. Each pattern with
// four consecutive bytes without a star has a gram: four such bytes, which every matching
// path contains. Patterns are in buckets by gram, so that only patterns whose gram can be
// in the path are tried. Patterns without a gram are always tried.
type wildcardTable struct {
	rules   []wildcard // of all buckets, the heaviest of each bucket first
	buckets []bucket   // by the lower bits of a gram's hash; the last one is for rules without a gram
	filter  []uint64   // bits by the upper bits of a gram's hash: whether any pattern has it as gram
	shift   uint8      // from a hash to an index into the bits of filter
	slashes bool       // whether %2F can have another spelling in a path

	// outlines has the outlines of all rules. The first query that tries so many rules that
	// it saves time makes it.
	outlines atomic.Pointer[pattern.Outlines]
}

type wildcard struct {
	pattern pattern.Pattern
	weight  pattern.Weight
	needs   pattern.ByteSet
}

type bucket struct{ start, end uint32 }

// maxSlots bounds the number of buckets, and so the size of a slotSet. With more patterns,
// grams share buckets.
const maxSlots = 1 << 16

// fill makes the table of rules. If slashes is true, a pattern has no gram with a part of %2F,
// which a path can have in another spelling: see internal/pattern/slash.go.
func (w *wildcardTable) fill(rules []weighted, slashes bool) {
	if len(rules) == 0 {
		return
	}
	w.slashes = slashes
	for i := range rules {
		rules[i].pattern = rules[i].pattern.WithoutRuns()
	}
	slots := min(1<<bits.Len(uint(len(rules))), maxSlots)
	// With sixteen bits for each gram, one in sixteen texts of a path passes the filter.
	w.filter = make([]uint64, max(slots/4, 1))
	w.shift = uint8(32 - bits.Len(uint(len(w.filter)*64-1)))
	var frequency gramFrequency
	grams := make([]uint32, 0, maxGrams)
	for i := range rules {
		for _, gram := range appendGrams(grams, rules[i].pattern, slashes) {
			frequency[gramSlot(gram)]++
		}
	}
	slotOfRule := make([]uint32, len(rules))
	w.buckets = make([]bucket, slots+1)
	for i := range rules {
		slotOfRule[i] = uint32(slots)
		if grams := appendGrams(grams, rules[i].pattern, slashes); len(grams) > 0 {
			hash := hashGram(frequency.rarest(grams))
			slotOfRule[i] = hash & uint32(slots-1)
			w.filter[hash>>w.shift>>6] |= 1 << (hash >> w.shift & 63)
		}
	}
	// A counting sort by slot; then each slot is sorted by weight.
	for _, slot := range slotOfRule {
		w.buckets[slot].end++
	}
	end := uint32(0)
	for i := range w.buckets {
		end += w.buckets[i].end
		w.buckets[i] = bucket{end, end}
	}
	w.rules = make([]wildcard, len(rules))
	for i, slot := range slotOfRule {
		b := &w.buckets[slot]
		b.start--
		rule := &rules[i]
		w.rules[b.start] = wildcard{rule.pattern, rule.weight, rule.pattern.Needs()}
	}
	end = 0
	for i := range w.buckets {
		b := &w.buckets[i]
		kept := strongestFirst(w.rules[b.start:b.end])
		start := end
		end += uint32(copy(w.rules[start:], kept))
		*b = bucket{start, end}
	}
	w.rules = w.rules[:end]
}

// manyRules is the size of a bucket up to which it can contain equal patterns. A file can
// contain the same pattern ten thousand times.
const manyRules = 16

// strongestFirst sorts the rules of a bucket by weight, the heaviest first. If there are
// many, it returns each pattern once, with its heaviest rule.
func strongestFirst(rules []wildcard) []wildcard {
	if len(rules) > 1 {
		slices.SortFunc(rules, func(a, b wildcard) int { return cmp.Compare(b.weight, a.weight) })
	}
	if len(rules) <= manyRules {
		return rules
	}
	seen := make(map[pattern.Pattern]bool, len(rules))
	return slices.DeleteFunc(rules, func(rule wildcard) bool {
		heavier := seen[rule.pattern]
		seen[rule.pattern] = true
		return heavier
	})
}

// heaviest returns the larger of best and the weight of the heaviest rule that matches
// path. There is a rule. Each bucket is tried once: in a path of equal letters the same gram is at every
// byte.
func (w *wildcardTable) heaviest(path string, m *pattern.Matcher, t *tries, best pattern.Weight) pattern.Weight {
	text := m.Wildcards(path)
	best = w.try(w.buckets[len(w.buckets)-1], path, m, t, best)
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
			best = w.try(b, path, m, t, best)
		}
	}
	visited.free()
	return best
}

// tries is the knowledge of a query after the rules that it tried.
type tries struct {
	has     pattern.ByteSet  // the bytes of the path, set when a rule is tried
	work    int              // length of the patterns that were matched in full
	extents *pattern.Extents // nil until there are many, to be freed
}

// outlinedFrom is the work after which a query uses outlines, apart from outlinedLength for each
// byte of the path. Queries of real files have less.
const (
	outlinedFrom   = 1024
	outlinedLength = 1
)

// try returns the larger of best and the weight of the heaviest rule of a bucket that
// matches, which is the first one that matches.
func (w *wildcardTable) try(b bucket, path string, m *pattern.Matcher, t *tries, best pattern.Weight) pattern.Weight {
	for i := b.start; i < b.end; i++ {
		rule := &w.rules[i]
		if rule.weight <= best {
			break
		}
		if t.has == 0 {
			t.has = pattern.ByteSetOf(path)
		}
		if !t.has.Contains(rule.needs) || t.work > outlinedFrom && !w.mayMatch(int(i), path, m, t) {
			continue
		}
		if m.Matches(path, rule.pattern) {
			return rule.weight
		}
		t.work += len(rule.pattern.Text)
	}
	return best
}

// mayMatch returns false if the outline of a rule shows that it does not match a path.
func (w *wildcardTable) mayMatch(rule int, path string, m *pattern.Matcher, t *tries) bool {
	path = m.Wildcards(path)
	outlines := w.outlines.Load()
	if t.extents == nil {
		if t.work < outlinedFrom+len(path)*outlinedLength {
			return true
		}
		if outlines == nil {
			outlines = pattern.NewOutlines(len(w.rules), w.slashes,
				func(i int) pattern.Pattern { return w.rules[i].pattern })
			if !w.outlines.CompareAndSwap(nil, outlines) {
				outlines = w.outlines.Load()
			}
		}
		t.extents = outlines.Extents(path)
		if t.extents == nil {
			return true
		}
	}
	return outlines.MayMatch(rule, path, t.extents)
}

type slotSet struct {
	few  [24]uint32
	n    int
	many *slotBitmap
}

type slotBitmap [maxSlots / 64]uint64

var slotBitmaps = sync.Pool{New: func() any { return new(slotBitmap) }}

// add adds a slot, and reports whether the set did not contain it.
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

// gramLength is the length of a gram: so long that a gram is in few paths, and so short
// that nearly all patterns have one.
const gramLength = 4

// hashGram returns a hash of a gram: the upper half of a product, each bit of which depends on
// all bits of the gram (Fibonacci hashing), with its upper bits mixed into the lower ones. So
// patterns that differ in a number only are distributed like random ones.
func hashGram(gram uint32) uint32 {
	hash := uint32(uint64(gram) * 0x9E3779B97F4A7C15 >> 32)
	return hash ^ hash>>15
}

// maxGrams is the number of texts of a pattern among which its gram is selected. Every text
// is correct as gram; a rare one is faster. The limit bounds the time to make an index of
// long patterns.
const maxGrams = 32

func appendGrams(grams []uint32, p pattern.Pattern, slashes bool) []uint32 {
	gram := uint32(0)
	run := 0
	for i := 0; i < len(p.Text) && len(grams) < maxGrams; i++ {
		if p.Text[i] == '*' {
			run = 0
			continue
		}
		if slashes && strings.HasPrefix(p.Text[i:], pattern.CodedSlash) {
			run = 0
			i += len(pattern.CodedSlash) - 1
			continue
		}
		gram = gram>>8 | uint32(p.Text[i])<<24
		run++
		if run >= gramLength {
			grams = append(grams, gram)
		}
	}
	return grams
}

// gramFrequency is the approximate number of times that each gram occurs in all patterns.
// Grams with the same slot are counted together.
type gramFrequency [1 << 12]uint32

func gramSlot(gram uint32) uint32 { return hashGram(gram) >> 20 }

func (f *gramFrequency) rarest(grams []uint32) uint32 {
	rarest, least := grams[0], f[gramSlot(grams[0])]
	for _, gram := range grams[1:] {
		if n := f[gramSlot(gram)]; n < least {
			rarest, least = gram, n
		}
	}
	return rarest
}
