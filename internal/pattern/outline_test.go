package pattern

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// starred returns a pattern with some of the texts of a path in their order, or nearly so.
func starred(r *rand.Rand, path string) Pattern {
	var b strings.Builder
	for at := r.IntN(20); at < len(path); at += r.IntN(30) {
		piece := path[at:][:min(len(path)-at, 1+r.IntN([]int{3, 10, 40}[r.IntN(3)]))]
		b.WriteString("*" + piece)
		at += len(piece)
		if r.IntN(8) == 0 {
			at -= r.IntN(at)
		}
	}
	if r.IntN(4) == 0 {
		b.WriteByte('$')
	}
	return New("/*"+b.String(), true)
}

// TestOutlines: outlines reject no pattern that matches, with and without sets, and if all texts
// share a slot, and many of the others.
func TestOutlines(t *testing.T) {
	r := rand.New(rand.NewPCG(26, 2))
	matched, rejected, sets := 0, 0, 0
	for i := range 60 {
		path := "/"
		for n := 1 + r.IntN(400); len(path) < n; {
			path += strings.Repeat([]string{"a", "ab", "abcdefg", "b/c", "xyz"}[r.IntN(5)], 1+r.IntN(1+i%7))
		}
		patterns := make([]Pattern, 200)
		for i := range patterns {
			patterns[i] = starred(r, path)
		}
		multiplier := r.Uint64() | 1
		if i%10 == 0 {
			multiplier = 1 // all texts have the same slot
		}
		o := newOutlines(multiplier, len(patterns), false, func(i int) Pattern { return patterns[i] })
		x := o.Extents(path)
		for range 3 {
			for i, p := range patterns {
				may, matches := o.MayMatch(i, path, x), p.Matches(path)
				if matches && !may {
					t.Fatalf("%v does not match %s according to its outline", p, path)
				}
				if matches {
					matched++
				} else if !may {
					rejected++
				}
			}
		}
		sets += len(x.sets) / int(x.size)
		x.Free()
	}
	if matched < 10_000 || rejected < 8_000 || sets < 100 {
		t.Errorf("%d matched, %d rejected, %d sets", matched, rejected, sets)
	}
}

// TestSets: a search for the next or the previous offset of a text finds it, however far away, or
// the end of the path.
func TestSets(t *testing.T) {
	r := rand.New(rand.NewPCG(26, 4))
	o := NewOutlines(2, false, func(i int) Pattern { return New([]string{"*ab", "*cde"}[i], true) })
	for range 50 {
		path := "/"
		for len(path) < 2000 {
			path += []string{"ab", "cde"}[r.IntN(2)] + strings.Repeat("-", r.IntN(1+r.IntN(300)))
		}
		x := o.Extents(path)
		for i, text := range []string{"ab", "cde"} {
			e := &x.texts[i]
			for e.set == 0 {
				x.search(path, e, uint8(len(text)))
			}
			for offset := uint(1); offset <= uint(len(path)); offset++ {
				next := uint(indexFrom(path, text, int(offset-1)) + 1)
				if next == 0 {
					next = x.end
				}
				previous := uint(strings.LastIndex(path[:min(len(path), int(offset)+len(text)-1)], text) + 1)
				if got := x.next(e, offset); got != next {
					t.Fatalf("%s in %s: %d is next after %d, want %d", text, path, got, offset, next)
				}
				if got := x.previous(e, offset); got != previous {
					t.Fatalf("%s in %s: %d is before %d, want %d", text, path, got, offset, previous)
				}
			}
		}
		x.Free()
	}
}

// TestManySets: the sets of one path have a limit.
func TestManySets(t *testing.T) {
	const n = 1000
	path, piece := "/", func(i int) string { return fmt.Sprintf("%04d", i) }
	for i := range 9 * n {
		path += piece(i % n)
	}
	o := NewOutlines(n, false, func(i int) Pattern { return New("*"+piece(i), true) })
	path = path[:maxExtents]
	x := o.Extents(path)
	for i := range n {
		for range maxExtents/setLength + 1 {
			x.search(path, &x.texts[i], 4)
		}
	}
	if len(x.sets) > maxSetBytes || len(x.sets) < maxSetBytes/2 {
		t.Errorf("%d bytes", len(x.sets))
	}
	x.Free()
}

// TestDistances: texts that overlap in a path are not two of a pattern, wherever they are in it.
func TestDistances(t *testing.T) {
	for text, want := range map[string]bool{
		"*ab*cd": true, "*ab*bc": false, "*y*z*ab*cd": true, "*y*z*ab*bc": false, "*y*yz*a*bc": false, "*yz*a*b*cd": true,
	} {
		o := NewOutlines(1, false, func(int) Pattern { return New(text, true) })
		x := o.Extents("/yzabcd")
		if got := o.MayMatch(0, "/yzabcd", x); got != want {
			t.Errorf("%s: %v", text, got)
		}
		x.Free()
	}
}

// TestChains: each text is found and no other, in up to 32 chains for each of a few texts and two
// for each of many.
func TestChains(t *testing.T) {
	for n, most := range map[int]int{1: 32, 1000: 32_000, 200_000: 400_000} {
		piece := func(i int) string { return fmt.Sprintf("%08d", i) }
		o := NewOutlines(1, false, func(int) Pattern {
			var text strings.Builder
			for i := range n {
				text.WriteString("*" + piece(i))
			}
			return New(text.String(), true)
		})
		for i := range n + 1000 {
			want := i + 1
			if i >= n {
				want = 0
			}
			if found := o.find(o.hash(firstBytes(piece(i)), piece(i))); int(found) != want {
				t.Fatalf("text %d of %d is found as %d", i, n, found)
			}
		}
		if len(o.newest) < n || len(o.newest) > most {
			t.Errorf("%d chains of %d texts", len(o.newest), n)
		}
	}
}

// TestOutlinesOfHostileFiles: of patterns whose texts are all in a path, outlines leave few to match.
func TestOutlinesOfHostileFiles(t *testing.T) {
	r := rand.New(rand.NewPCG(26, 3))
	letters := func(alphabet string, n int) string {
		text := make([]byte, n)
		for i := range text {
			text[i] = alphabet[r.IntN(len(alphabet))]
		}
		return string(text)
	}
	const alphabet = "abcdefghijklmnopqrstuvwxyz01234"
	two, many := letters("ab", 2000), letters(alphabet, 2000)
	for _, c := range []struct {
		name, path string
		pattern    func(i int) string
		most       int // of 1,000 patterns that are not rejected
	}{
		{"two letters, each length", two, func(i int) string {
			at := r.IntN(1000)
			return "*" + two[at:at+2+i] + "*" + letters("ab", 20)
		}, 100},
		{"wrong order", many, func(int) string {
			early, late := r.IntN(900), 1000+r.IntN(900)
			return "*" + many[late:late+4] + "*" + many[early:early+5] + "*" + many[late:late+4]
		}, 100},
		{"periods", strings.Repeat(alphabet, 64), func(int) string {
			text := ""
			for range 70 {
				at := r.IntN(25)
				text += "*" + alphabet[at:at+3] + "*" + alphabet[at:at+3]
			}
			return text
		}, 50},
	} {
		patterns := make([]Pattern, 1000)
		for i := range patterns {
			patterns[i] = New("/"+c.pattern(i), true)
		}
		o := NewOutlines(len(patterns), false, func(i int) Pattern { return patterns[i] })
		x := o.Extents("/" + c.path)
		left := 0
		for i := range patterns {
			if o.MayMatch(i, "/"+c.path, x) {
				left++
			}
		}
		x.Free()
		if left > c.most {
			t.Errorf("%s: %d patterns are not rejected, want at most %d", c.name, left, c.most)
		}
	}
}

// TestOutlinesOfSlashes: a pattern with %2F has another spelling in the query of a path, so its
// outline rejects nothing.
func TestOutlinesOfSlashes(t *testing.T) {
	p := New("/*%2Fa", true)
	o := NewOutlines(1, true, func(int) Pattern { return p })
	x := o.Extents("/x?/a")
	defer x.Free()
	if !o.MayMatch(0, "/x?/a", x) {
		t.Error("rejected")
	}
}

// TestExtentsOfLongPath: there are none.
func TestExtentsOfLongPath(t *testing.T) {
	o := NewOutlines(1, false, func(int) Pattern { return New("/*a", true) })
	x := o.Extents("/" + strings.Repeat("b", maxExtents-1))
	if x == nil || o.MayMatch(0, "", x) || o.Extents("/"+strings.Repeat("b", maxExtents)) != nil {
		t.Error("wrong limit")
	}
	x.Free()
}

// TestTextsOfPieces: both ends of a piece are looked for, whatever its length. Texts of the path
// with the same hash hide that one is missing, for few multipliers.
func TestTextsOfPieces(t *testing.T) {
	const alphabet = "abcdefghijklmnopqrstuvwxyz"
	path := "/" + alphabet
	for n := 2; n < len(alphabet); n++ {
		piece := alphabet[:n]
		for text, want := range map[string]bool{piece: true, piece[1:] + "#": false,
			"#" + piece[1:]: false, piece + "*" + piece: false} {
			may := 0
			for multiplier := range uint64(40) {
				o := newOutlines(2*multiplier*0x9E3779B97F4A7C15+1, 1, false,
					func(int) Pattern { return New("/*"+text+"*", true) })
				x := o.Extents(path)
				if o.MayMatch(0, path, x) {
					may++
				}
				x.Free()
			}
			if want && may < 40 || !want && may > 20 {
				t.Errorf("%q may match with %d multipliers of 40", text, may)
			}
		}
	}
}
