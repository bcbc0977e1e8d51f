package pattern_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/internal/pattern"
)

// TestPathMatches: Path.Matches and Pattern.Matches have the same results, with tables
// and without. Half of the pieces are parts of the path; as there are few letters, many of
// them occur several times.
func TestPathMatches(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	word := func(letters, n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte('a' + r.IntN(letters))
		}
		return string(b)
	}
	matched, prepared := 0, 0
	for range 60 {
		letters := 1 + r.IntN(6)
		text := "/" + word(letters, r.IntN(300))
		if r.IntN(3) == 0 {
			text += strings.Repeat(word(letters, 1+r.IntN(40)), r.IntN(30))
		}
		var matcher pattern.Matcher
		path := text
		for i := range 3000 {
			before := r.IntN(min(4, len(path)+1))
			text := path[:before] + "*"
			for range r.IntN(6) {
				if r.IntN(2) == 0 {
					text += word(letters, r.IntN(8))
				} else {
					start := r.IntN(len(path))
					text += path[start : start+r.IntN(min(len(path)-start, 600)+1)]
				}
				text += strings.Repeat("*", r.IntN(3))
			}
			p := pattern.Pattern{Text: text, Wild: true, Anchored: r.IntN(3) == 0}
			want := p.Matches(path)
			if got := matcher.Matches(path, p); got != want {
				t.Fatalf("%q anchored %v: %v for %q, want %v", text, p.Anchored, got, path, want)
			}
			if !p.Anchored && matcher.MatchesAfter(path, text, before) != want {
				t.Fatalf("%q after its head: %v for %q, want %v", text, !want, path, want)
			}
			if want {
				matched++
			}
			if i*len(path)/8 > 20_000 {
				prepared++
			}
		}
		matcher.Free()
	}
	if matched < 1000 || prepared < 1000 {
		t.Errorf("only %d of the patterns match, %d after preparing", matched, prepared)
	}
}
