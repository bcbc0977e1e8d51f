package semdiff

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
)

// randomObeyed returns the rules of a file of one group, made at random.
func randomObeyed(r *rand.Rand) (o *obeyed, body string) {
	var b strings.Builder
	b.WriteString("User-agent: *\n")
	for range 2 + r.IntN(12) {
		b.WriteString([]string{"Allow: ", "Disallow: "}[r.IntN(2)] + []string{"/", "/", "*", "x"}[r.IntN(4)])
		for range r.IntN(5) {
			b.WriteString([]string{"a", "b", "/", "*", "index.html"}[r.IntN(5)])
		}
		b.WriteString([]string{"\n", "\n", "$\n"}[r.IntN(3)])
	}
	dialect := robotstxt.Dialects()[r.IntN(3)]
	s := newSolver(context.Background(), dialect, dialect, DefaultSteps)
	return newObeyed(s, dialect.Parse([]byte(b.String())).Rules()), fmt.Sprintf("%v\n%s", dialect, b.String())
}

// TestNear: the claims that are found by their beginnings are those that share a
// path with a rule's, of the ones that are left.
func TestNear(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 1))
	for range 2000 {
		o, body := randomObeyed(r)
		for line := range o.lines {
			if r.IntN(4) == 0 {
				o.remove(line)
			}
		}
		for line := range o.lines {
			places := o.of(line)
			if o.gone[places[0]] {
				continue
			}
			want := slices.DeleteFunc(o.left().list, func(c claim) bool {
				return !slices.ContainsFunc(places, func(place int32) bool {
					own := o.claims.list[place].pattern
					return own == c.pattern && o.solver.patterns.spellings[own].never() && c.line == line || o.solver.patterns.intersect(own, c.pattern)
				})
			})
			if got := o.near(line).list; !slices.Equal(got, want) {
				t.Fatalf("line %d: %v, want %v: %s", line, got, want, body)
			}
		}
	}
}

// TestNeeds: a path is judged as without an index, and what covers a rule makes
// it needless.
func TestNeeds(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 1))
	paths := []string{"/", "/a", "/ab", "/a/b", "/b/index.html", "/index.html", "/x", "/abab", "/aba/", "//a", "/index.htmlindex.html"}
	seen := make(map[[2]bool]int)
	for range 2000 {
		o, body := randomObeyed(r)
		for line := range o.lines {
			left := o.left()
			_, covered := o.covered(line)
			for _, path := range append(paths, o.guess(line), o.guessBetween(line)) {
				if path == "" {
					continue
				}
				want := o.solver.judge(left, [2]string{path, path}) != o.solver.judge(left.without(line), [2]string{path, path})
				if got := o.needs(path, line); got != want || got && covered {
					t.Fatalf("line %d, %q: %v, want %v, covered %v: %s", line, path, got, want, covered, body)
				}
				seen[[2]bool{want, covered}]++
			}
			if r.IntN(4) == 0 && covered {
				o.remove(line)
				break
			}
		}
	}
	if len(seen) != 3 {
		t.Fatal(seen)
	}
}

// TestBetween: two patterns that share a path match one of the guessed ones.
func TestBetween(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 1))
	for range 2000 {
		o, body := randomObeyed(r)
		p := o.solver.patterns
		for a := range int32(len(p.spellings)) {
			for b := range a {
				if p.spellings[a].never() || p.spellings[b].never() || !p.intersect(a, b) {
					continue
				}
				found := slices.ContainsFunc(p.between(a, b), func(path string) bool {
					return p.pattern(a).Matches(path) && p.pattern(b).Matches(path)
				})
				if !found {
					t.Fatalf("%+v and %+v: %q: %s", p.spellings[a], p.spellings[b], p.between(a, b), body)
				}
			}
		}
	}
}
