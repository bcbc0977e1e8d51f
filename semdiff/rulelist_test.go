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

func randomRuleList(r *rand.Rand) (o *ruleList, body string) {
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
	var file reduction
	file.read(dialect.Parse([]byte(b.String())), &budget{ctx: context.Background(), steps: DefaultSteps})
	file.groups[0].wanted = true
	file.makeList(file.robots.Rules())
	return &file.lists.lists[0], fmt.Sprintf("%v\n%s", dialect, b.String())
}

func removeSome(r *rand.Rand, o *ruleList, covered bool) {
	for place := range o.gone {
		if r.IntN(4) > 0 {
			continue
		}
		if _, needless := o.needless(int32(place)); needless || !covered {
			o.gone[place] = true
		}
	}
}

// beside returns the claims that count where that of a place is tried: see
// ruleList.ignores.
func (o *ruleList) beside(place int) (with, without claims) {
	with.rest, without.rest = o.claims.rest, o.claims.rest
	for at, claim := range o.claims.list {
		claim.pattern = o.solver.patterns.number(o.solver.patterns.spellings[claim.pattern])
		if o.gone[at] && (at < place || claim.allow == o.claims.list[place].allow) {
			continue
		}
		with.list = append(with.list, claim)
		if at != place {
			without.list = append(without.list, claim)
		}
	}
	return with, without
}

// TestNear: the claims that are found by their beginnings are those that share a
// path with another one, of those that count beside it.
func TestNear(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 1))
	for range 2000 {
		o, body := randomRuleList(r)
		removeSome(r, o, false)
		for place, own := range o.claims.list {
			if o.gone[place] {
				continue
			}
			own.pattern = o.solver.patterns.number(o.solver.patterns.spellings[own.pattern])
			far := func(c claim) bool { return c != own && !o.solver.patterns.intersect(own.pattern, c.pattern) }
			with, without := o.beside(place)
			gotWith, gotWithout := o.near(int32(place))
			if want := slices.DeleteFunc(with.list, far); !slices.Equal(gotWith.list, want) {
				t.Fatalf("%v: %v, want %v: %s", own, gotWith.list, want, body)
			}
			if want := slices.DeleteFunc(without.list, far); !slices.Equal(gotWithout.list, want) {
				t.Fatalf("%v: %v without it, want %v: %s", own, gotWithout.list, want, body)
			}
		}
	}
}

// TestNeeds: a path is judged as without an index, and what covers a claim makes
// it needless.
func TestNeeds(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 1))
	paths := []string{"/", "/a", "/ab", "/a/b", "/b/index.html", "/index.html", "/x", "/abab", "/aba/", "//a", "/index.htmlindex.html"}
	seen := make(map[[2]bool]int)
	for range 2000 {
		o, body := randomRuleList(r)
		removeSome(r, o, true)
		for place := range o.claims.list {
			if o.gone[place] {
				continue
			}
			with, without := o.beside(place)
			_, covered := o.needless(int32(place))
			if covered && (o.mattersForSpelling(int32(place)) || o.mattersForGuesses(int32(place))) {
				t.Fatalf("claim %d is covered and needed: %s", place, body)
			}
			for _, path := range paths {
				want := o.solver.judge(with, [2]string{path, path}) != o.solver.judge(without, [2]string{path, path})
				if got := o.mattersFor(path, int32(place)); got != want || got && covered {
					t.Fatalf("claim %d, %q: %v, want %v, covered %v: %s", place, path, got, want, covered, body)
				}
				seen[[2]bool{want, covered}]++
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
		o, body := randomRuleList(r)
		p := o.solver.patterns
		for a := range int32(len(p.spellings)) {
			for b := range a {
				if p.spellings[a].MatchesNone() || p.spellings[b].MatchesNone() || !p.intersect(a, b) {
					continue
				}
				found := slices.ContainsFunc(slices.Collect(p.between(a, b)), func(path string) bool {
					return p.pattern(a).Matches(path) && p.pattern(b).Matches(path)
				})
				if !found {
					t.Fatalf("%+v and %+v: %q: %s", p.spellings[a], p.spellings[b], slices.Collect(p.between(a, b)), body)
				}
			}
		}
	}
}
