package pattern_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/internal/pattern"
)

// matchesSlashes is the definition of a match in the canonical form of RFC 9309: a slash of
// the query is one symbol, and '/' and %2F in a pattern match it.
func matchesSlashes(p, path string, query bool) bool {
	codedPath := strings.HasPrefix(path, "%2F")
	switch {
	case p == "":
		return true
	case p == "$":
		return path == ""
	case p[0] == '*':
		for {
			if matchesSlashes(p[1:], path, query) {
				return true
			}
			if path == "" {
				return false
			}
			query = query || path[0] == '?'
			if query && strings.HasPrefix(path, "%2F") {
				path = path[3:]
			} else {
				path = path[1:]
			}
		}
	case query && codedPath:
		coded := strings.HasPrefix(p, "%2F")
		return coded && matchesSlashes(p[3:], path[3:], true) || p[0] == '/' && matchesSlashes(p[1:], path[3:], true)
	case path == "" || p[0] != path[0]:
		return false
	default:
		return matchesSlashes(p[1:], path[1:], query || path[0] == '?')
	}
}

// slashPaths are all canonical paths of a few pieces.
func slashPaths(depth int) (all []string) {
	level := []string{"/"}
	for range depth {
		all = append(all, level...)
		var next []string
		for _, path := range level {
			query := strings.Contains(path, "?")
			for _, piece := range []string{"/", "%2F", "?", "a", "F"} {
				if piece != "/" || !query {
					next = append(next, path+piece)
				}
			}
		}
		level = next
	}
	return append(all, level...)
}

func slashPattern(r *rand.Rand) pattern.Pattern {
	text := []string{"/", "/", "*", "/a"}[r.IntN(4)]
	for range r.IntN(6) {
		text += []string{"*", "*", "/", "%2F", "%2F", "?", "a", "F"}[r.IntN(8)]
	}
	encoded := pattern.RFC9309Rule.AppendPattern(nil, text+[]string{"", "", "$"}[r.IntN(3)], true)
	p := pattern.New(string(encoded), true)
	p.Slashes = true
	return p
}

// TestSlashes compares Matches, Slashed, Contains and Intersects with all short paths.
func TestSlashes(t *testing.T) {
	r, paths := rand.New(rand.NewPCG(1, 9)), slashPaths(5)
	slashed := make([]string, len(paths))
	for i, path := range paths {
		slashed[i] = path
		if form, ok := pattern.AppendSlashed(nil, path); ok {
			slashed[i] = string(form)
		}
	}
	contained, apart := 0, 0
	for range 1500 {
		p, q := slashPattern(r), slashPattern(r)
		contains, intersects := true, false
		for i, path := range paths {
			inP, inQ := matchesSlashes(p.String(), path, false), matchesSlashes(q.String(), path, false)
			if p.Matches(path) != inP {
				t.Fatalf("%q matches %q: %v", p, path, !inP)
			}
			inAny := false
			for form := range p.Slashed() {
				inAny = inAny || form.Matches(slashed[i])
			}
			if inAny != inP {
				t.Fatalf("%q matches %q: a slashed form says %v", p, path, inAny)
			}
			contains, intersects = contains && (inP || !inQ), intersects || inP && inQ
		}
		if p.Contains(q) {
			contained++
			if !contains {
				t.Fatalf("%q does not contain %q", p, q)
			}
		}
		if !p.Intersects(q) {
			apart++
			if intersects {
				t.Fatalf("%q intersects %q", p, q)
			}
		}
	}
	if contained < 100 || apart < 100 {
		t.Errorf("only %d contain each other, %d have no common path", contained, apart)
	}
}

// TestSlashesDecided has relations that depend on which slashes are in the query.
func TestSlashesDecided(t *testing.T) {
	for _, c := range []struct {
		p, q                 string
		contains, intersects bool
	}{
		{"/*%2F", "/*?*%2F", true, true},
		{"/*/", "/*?*%2F", true, true},
		{"/*/", "/*%2F", false, true}, // in a query both are one
		{"/*/$", "/*%2F$", false, true},
		{"/a/$", "/a%2F$", false, false},
		{"/*F", "/*%2F", false, true}, // %2F of a query is one symbol
		{"/*?*/a", "/*%2Fa", false, true},
	} {
		p, q := pattern.New(c.p, true), pattern.New(c.q, true)
		p.Slashes, q.Slashes = true, true
		if p.Contains(q) != c.contains || p.Intersects(q) != c.intersects || q.Intersects(p) != c.intersects {
			t.Errorf("%q and %q: contains %v, intersects %v", p, q, p.Contains(q), p.Intersects(q))
		}
	}
}
