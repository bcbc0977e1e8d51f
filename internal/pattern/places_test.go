package pattern

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// equalHashes returns tables in which all texts have the same hash.
func equalHashes() *places { return &places{} }

// TestMatchesAfterMakesTables: short patterns whose head is known count as work too.
func TestMatchesAfterMakesTables(t *testing.T) {
	var m Matcher
	defer m.Free()
	path := "/" + strings.Repeat("a", 2000)
	for range 10 * preparedFrom / len(path) {
		if m.MatchesAfter(path, "/*b", 1) {
			t.Fatal("a b in many a")
		}
	}
	if m.places == nil {
		t.Error("no tables after much work")
	}
}

// TestManyEqualHashes: a text is found after many others with the same hash.
func TestManyEqualHashes(t *testing.T) {
	path := strings.Repeat("ba.", 10*maxOthers) + "ab"
	x := equalHashes()
	for range 2 * halfWork {
		if at, want := x.find(path, "ab", 0), len(path)-len("ab"); at != want {
			t.Fatalf("found at %d, want %d", at, want)
		}
		if at := x.find(path, "b.", 1); at != -1 && path[at:at+2] != "b." {
			t.Fatalf("found another text at %d", at)
		}
	}
}

// TestPlaces compares find with strings.Index, for texts of every length that are in the path,
// that nearly are, and whose halves are, with good and with equal hashes.
func TestPlaces(t *testing.T) {
	r := rand.New(rand.NewPCG(26, 1))
	paths := []string{
		strings.Repeat("a", 90) + "c" + strings.Repeat("b", 90), strings.Repeat("abb", 60),
		strings.Repeat("ab", 60) + "c" + strings.Repeat("ba", 60),
	}
	for range 12 {
		path := make([]byte, 1+r.IntN(400))
		for i := range path {
			path[i] = "aaab"[r.IntN(4)]
		}
		paths = append(paths, string(path))
	}
	for _, path := range paths {
		for _, x := range []*places{newPlaces(), equalHashes()} {
			for range 4000 {
				at, other, from := r.IntN(len(path)), r.IntN(len(path)), r.IntN(len(path)+1)
				piece := path[at:][:1+r.IntN(min(len(path)-at, 1+r.IntN(200)))]
				if r.IntN(3) == 0 {
					piece = piece[:(len(piece)+1)/2] + path[other:][:min(len(path)-other, len(piece)/2)]
				}
				if got, want := x.find(path, piece, from), indexFrom(path, piece, from); got != want {
					t.Fatalf("%q in %q from %d: %d, want %d", piece, path, from, got, want)
				}
				end := strings.LastIndexByte(path, piece[len(piece)-1])
				if want := end+1-from >= len(piece); x.mayEnd(path, piece, from) != want {
					t.Fatalf("%q in %q from %d: mayEnd is %v", piece, path, from, !want)
				}
			}
			x.free()
		}
	}
}

// TestPlacesMemory: all tables of a path together are bounded, not the latest memory only.
func TestPlacesMemory(t *testing.T) {
	path := strings.Repeat("ab", 1<<17)
	x := newPlaces()
	defer x.free()
	for length := 2; length < len(path); length *= 2 {
		for range 2 * halfWork {
			x.find(path, path[1:length]+"c", 0)
			x.find(path, path[1:length]+"a", 0)
		}
	}
	words := 0
	for _, t := range append(x.whole[:], x.halves[:]...) {
		words += len(t.starts) + len(t.at) + len(t.hashes)
	}
	if words == 0 || words > maxMemory {
		t.Errorf("tables of %d words, want 1 to %d", words, maxMemory)
	}
}

// TestPlacesWork: the words of all tables and the work of all searches are proportional to the
// path, for many pieces of each length, also of a path that is four times as long.
func TestPlacesWork(t *testing.T) {
	work := func(length int) int {
		r := rand.New(rand.NewPCG(26, 4))
		path := make([]byte, length)
		for i := range path {
			path[i] = "ab"[r.IntN(2)]
		}
		var m Matcher
		defer m.Free()
		for i := range 2200 {
			size := min(2+i/5, length/2)
			at := r.IntN(length - size)
			m.Matches(string(path), New("/*"+string(path[at:at+size])+"*"+string(path[at:at+20-i%5])+"c", true))
		}
		work := m.places.used
		for _, t := range append(m.places.whole[:], m.places.halves[:]...) {
			work += t.work
		}
		return work
	}
	if short, long := work(4000), work(16_000); short > 300*4000 || float64(long) > 4.4*float64(short) {
		t.Errorf("work of %d for 4,000 bytes, %d for 16,000", short, long)
	}
}
