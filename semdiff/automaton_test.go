package semdiff

import (
	"testing"

	"github.com/kosterhq/robotstxt/internal/pattern"
)

// TestSpell: for all texts of at most seven bytes of a few, spell leaves nothing of a pattern
// if and only if it matches every path, and the spelling matches the same short paths.
func TestSpell(t *testing.T) {
	paths := []string{"/", "//", "/a", "/a/", "/aa", "//a", "/a/a", "/*", "/$", "/a$", "/a*"}
	texts := []string{""}
	for at := 0; at < len(texts); at++ {
		if len(texts[at]) < 7 {
			for _, c := range "/*$a" {
				texts = append(texts, texts[at]+string(c))
			}
		}
		for _, wildcards := range []bool{false, true} {
			p := pattern.New(texts[at], wildcards)
			s := spell(0, p)
			if s.everything() != p.MatchesEvery() || s.MatchesNone() != p.MatchesNone() {
				t.Errorf("%+v: %+v", p, s)
			}
			for _, path := range paths {
				if s.Matches(path) != p.Matches(path) {
					t.Errorf("%+v: %+v, %s: %v", p, s, path, p.Matches(path))
				}
			}
		}
	}
}
