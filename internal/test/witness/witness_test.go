package witness_test

import (
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/internal/test/witness"
)

// TestPaths lists witnesses of a few patterns.
func TestPaths(t *testing.T) {
	for _, tt := range []struct {
		name     string
		patterns []string
		want     []string // among the witnesses
	}{
		{"always there", nil, []string{"/", "/robots.txt", "/x"}},
		{"border of a prefix", []string{"/ab"}, []string{"/ab", "/abx", "/ab/", "/ab?q", "/ab.html", "/a", "/ac", "/AB", "/Ab"}},
		{"end", []string{"/a$"}, []string{"/a", "/ax", "/a$", "/a?q", "/a%24"}},
		{"star", []string{"/a*b"}, []string{
			"/ab", "/axb", "/axbx", "/a", "/ax", "/a/b", "/aa/bb", "/abb", "/a*b", "/a%2Ab", "/a%2ab",
		}},
		{"greedy traps", []string{"/*ab$"}, []string{"/ab", "/abab", "/aab", "/xabxab"}},
		{"star first", []string{"*.gif$"}, []string{"/.gif", "/x.gif", "/.gifx", "/*.gif"}},
		{"no slash", []string{"foo"}, []string{"/foo", "/foox"}},
		{"whole URL", []string{"http://h/x*y"}, []string{"/http://h/xy", "/xy"}},
		{"dollar inside", []string{"/a$b"}, []string{"/a$b", "/a%24b"}},
		{"dollar alone", []string{"$"}, []string{"/", "/$"}},
		{"unreserved", []string{"/~u"}, []string{"/~u", "/%7Eu", "/%7eu", "/~%75"}},
		{"coded unreserved", []string{"/%7eu"}, []string{"/%7Eu", "/%7eu", "/~u", "/%257Eu"}},
		{"not ASCII", []string{"/é"}, []string{"/%C3%A9", "/%c3%a9", "/é"}},
		{"Latin-1", []string{"/\xe9"}, []string{"/%E9", "/%e9", "/\xe9"}},
		{"slash", []string{"/a/b"}, []string{"/a/b", "/a%2Fb", "/a%2fb", "/a//b", "//a/b", "/ab", "/a?b", "/a/?b"}},
		{"coded slash", []string{"/a%2fb"}, []string{"/a%2Fb", "/a%2fb", "/a/b"}},
		{"coded star and dollar", []string{"/%2a%24"}, []string{"/%2A%24", "/%2a%24", "/*$"}},
		{"space", []string{"/a b"}, []string{"/a b", "/a%20b"}},
		{"query", []string{"/p?k=v"}, []string{"/p?k=v", "/p?x=1&k=v", "/p&k=v", "/p/?k=v", "/pk=v", "/p", "/p%3Fk%3Dv", "/p?k%3Dv"}},
		{"slash in a query", []string{"/p?u=http://h"}, []string{"/p?u%3Dhttp%3A%2F%2Fh"}},
		{"index page", []string{"/d/index.html"}, []string{"/d/index.html", "/d/index.htm", "/d/", "/d/z", "/d"}},
		{"index page and star", []string{"/*/index.htm"}, []string{"/z/"}},
		{"directory", []string{"/d/"}, []string{"/d/", "/d", "/d/index.html"}},
		{"pair", []string{"/a*", "/*.php$"}, []string{"/a.php", "/ax.php"}},
		{"pair both ways", []string{"/*one", "/a*two"}, []string{"/aonetwo", "/atwoone", "/axonextwo"}},
		{"pair with overlap", []string{"/*ab", "/x*bc$"}, []string{"/xabbc", "/xabc"}},
		{"pair with index page", []string{"/d/index.html", "/*/$"}, []string{"/d/"}},
		{"fill avoids the patterns", []string{"/x", "/*b"}, []string{"/xb", "/zb", "/xz"}},
		{"fragment", []string{"/a#b"}, []string{"/a"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := slices.Collect(witness.Paths(tt.patterns, 0))
			for _, w := range tt.want {
				if !slices.Contains(got, w) {
					t.Errorf("Paths(%q) lacks %q; has %q", tt.patterns, w, got)
				}
			}
		})
	}
}

func TestBetween(t *testing.T) {
	a, b := []string{"/same", "/a*"}, []string{"/same", "/*.php$"}
	got := slices.Collect(witness.Between(a, b, 0))
	if want := []string{"/a", "/.php", "/same"}; !slices.Equal(got[:3], want) {
		t.Errorf("begins with %q, want %q", got[:3], want)
	}
	if !slices.Contains(got, "/a.php") {
		t.Error("a path of the pair across the sets is missing")
	}
	check(t, witness.Between(a, b, 0), witness.DefaultLimit)

	var want []string
	for p := range witness.Paths(a, 0) {
		want = append(want, p)
	}
	if got := slices.Collect(witness.Between(a, nil, 0)); !slices.Equal(got, want) {
		t.Errorf("against nothing: %q, want %q", got, want)
	}
}

// TestSmallLimitCoversAllPatterns checks that a small limit includes paths of every pattern.
func TestSmallLimitCoversAllPatterns(t *testing.T) {
	var patterns []string
	for i := range 500 {
		patterns = append(patterns, fmt.Sprintf("/dir%d/*.php$", i))
	}
	got := slices.Collect(witness.Paths(patterns, 1000))
	for i := range patterns {
		want := fmt.Sprintf("/dir%d/.php", i)
		if got[i] != want {
			t.Fatalf("path %d is %q, want %q", i, got[i], want)
		}
	}
}

// TestInvariants checks properties of the paths of any patterns, including hostile
// ones.
func TestInvariants(t *testing.T) {
	t.Parallel()
	sets := [][]string{
		{},
		{""},
		{"", "*", "$", "*$", "**", "$$", "/$", "*$*", "?", "#", "%", "%%41", "%2", "/%0A", "/\x00", "\xff"},
		{strings.Repeat("/*", 1000)},
		{strings.Repeat("*", 16<<10), strings.Repeat("*a", 8<<10), "/*" + strings.Repeat("a*", 8<<10) + "$"},
		{"/" + strings.Repeat("a", 16<<10), "/*" + strings.Repeat("a", 16<<10) + "b$"},
		{"/" + strings.Repeat("é", 16<<10), strings.Repeat("/a*", 100<<10)},
		{"/" + strings.Repeat("%", 16<<10), "/" + strings.Repeat("~", 16<<10)},
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		var set []string
		for range 20 {
			set = append(set, text(rng, strings.Split("/*$%a2Fé?#.=&~\x80 ", ""), 8))
		}
		sets = append(sets, set)
	}
	for i, set := range sets {
		for _, limit := range []int{1, 7, math.MaxInt} {
			check(t, witness.Paths(set, limit), limit)
		}
		check(t, witness.Paths(set, 0), witness.DefaultLimit)
		check(t, witness.Between(set, sets[(i+1)%len(sets)], 200), 200)

		// With a smaller limit the first paths are the same, and a caller can
		// stop early.
		all := slices.Collect(witness.Paths(set, 50))
		if got := slices.Collect(witness.Paths(set, 5)); !slices.Equal(got, all[:min(5, len(all))]) {
			t.Errorf("limit 5 gives %q, 50 gives %q", got, all)
		}
		for range witness.Paths(set, 0) {
			break
		}
	}
}

func check(t *testing.T, paths iter.Seq[string], limit int) {
	t.Helper()
	got := slices.Collect(paths)
	if len(got) > limit {
		t.Errorf("%d paths, limit %d", len(got), limit)
	}
	seen := make(map[string]bool)
	for _, p := range got {
		switch {
		case !strings.HasPrefix(p, "/"):
			t.Errorf("%q does not start with a slash", p)
		case strings.Contains(p, "#"):
			t.Errorf("%q has a fragment", p)
		case len(p) > 64<<10:
			t.Errorf("%d bytes: %q…", len(p), p[:40])
		case seen[p]:
			t.Errorf("%q comes twice", p)
		}
		seen[p] = true
	}
	if again := slices.Collect(paths); !slices.Equal(got, again) {
		t.Error("the second run differs from the first")
	}
}

// TestManyRules reads all witnesses of a file of 40,000 rules.
func TestManyRules(t *testing.T) {
	t.Parallel()
	var patterns []string
	for i := range 20_000 {
		patterns = append(patterns, fmt.Sprintf("/p%d/", i), fmt.Sprintf("/*p%d$", i))
	}
	n := 0
	for range witness.Paths(patterns, 0) {
		n++
	}
	if n != 8*len(patterns) {
		t.Errorf("%d paths, want %d", n, 8*len(patterns))
	}
}

// rule and the functions below are a simple matcher for comparison.
type rule struct {
	pattern string
	allow   bool
}

func matches(pattern, path string) bool {
	switch {
	case pattern == "":
		return true
	case pattern == "$":
		return path == ""
	case pattern[0] == '*':
		return matches(pattern[1:], path) || path != "" && matches(pattern, path[1:])
	}
	return path != "" && path[0] == pattern[0] && matches(pattern[1:], path[1:])
}

// verdict reports whether the longest matching rule is an Allow.
func verdict(rules []rule, matched func(i int) bool) bool {
	allow := true
	length := 0
	for i, r := range rules {
		if n := len(r.pattern); n >= length && matched(i) {
			allow = r.allow || n == length && allow
			length = n
		}
	}
	return allow
}

// differ returns the first path at which the verdicts of the rule sets differ.
func differ(a, b []rule, paths []string) (string, bool) {
	for _, p := range paths {
		va := verdict(a, func(i int) bool { return matches(a[i].pattern, p) })
		vb := verdict(b, func(i int) bool { return matches(b[i].pattern, p) })
		if va != vb {
			return p, true
		}
	}
	return "", false
}

// tokens are the pieces of random patterns and paths.
type tokens struct {
	name     string
	patterns []string
	paths    []string
	longest  int // path, in tokens after the first slash
}

var (
	letters = tokens{"letters", []string{"a", "b", "/", ".", "*", "*"}, []string{"a", "b", "/", "."}, 5}
	words   = tokens{"words", []string{"/", "en", "new", ".php", "?s=", "*", "*"}, []string{"/", "en", "new", ".php", "?s="}, 4}
)

func text(rng *rand.Rand, tokens []string, most int) string {
	var b strings.Builder
	for range rng.IntN(most + 1) {
		b.WriteString(tokens[rng.IntN(len(tokens))])
	}
	return b.String()
}

func (tok tokens) rules(rng *rand.Rand, n int) []rule {
	rules := make([]rule, n)
	for i := range rules {
		rules[i] = rule{"/" + text(rng, tok.patterns, 5), rng.IntN(2) == 0}
		if rng.IntN(3) == 0 {
			rules[i].pattern += "$"
		}
	}
	return rules
}

func patternsOf(rules []rule) []string {
	var patterns []string
	for _, r := range rules {
		patterns = append(patterns, r.pattern)
	}
	return patterns
}

// TestWitnessesShowRemovedRules removes one rule of random sets, or turns it around, and counts how
// often a witness shows the difference if there is one.
func TestWitnessesShowRemovedRules(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		tokens
		rules, sets, limit int
		floor              float64
	}{
		{letters, 3, 20, 0, 0.99},
		{letters, 8, 10, 0, 0.99},
		{letters, 20, 3, 0, 0.98},
		{words, 3, 30, 0, 0.99},
		{words, 8, 20, 0, 0.99},
		{words, 20, 5, 0, 0.98},
		{words, 40, 3, 0, 0.98},
		{words, 8, 20, 64, 0.95}, // eight paths a rule
		{words, 8, 20, 32, 0.85}, // four
	} {
		rng := rand.New(rand.NewPCG(3, uint64(tt.rules)))
		brute := witness.Short(tt.paths, tt.longest)
		exist, found := 0, 0
		for range tt.sets {
			rules := tt.tokens.rules(rng, tt.rules)
			paths := slices.Collect(witness.Paths(patternsOf(rules), tt.limit))
			for i := range rules {
				dropped := slices.Delete(slices.Clone(rules), i, i+1)
				flipped := slices.Clone(rules)
				flipped[i].allow = !flipped[i].allow
				for _, mutant := range [][]rule{dropped, flipped} {
					p, ok := differ(rules, mutant, brute)
					if !ok {
						continue
					}
					exist++
					if _, ok := differ(rules, mutant, paths); ok {
						found++
					} else if tt.limit == 0 {
						t.Logf("missed %q: rule %v of %v", p, rules[i], rules)
					}
				}
			}
		}
		report(t, fmt.Sprintf("%s, %d rules, limit %d", tt.name, tt.rules, tt.limit), found, exist, tt.floor)
	}
}

// TestWitnessesBetweenFiles does the same for two unlike rule sets with some rules
// in common.
func TestWitnessesBetweenFiles(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 6))
	brute := witness.Short(words.paths, words.longest)
	exist, found := 0, 0
	for range 400 {
		shared := words.rules(rng, 3)
		a := append(slices.Clone(shared), words.rules(rng, rng.IntN(2))...)
		b := append(slices.Clone(shared), words.rules(rng, rng.IntN(2))...)
		if _, ok := differ(a, b, brute); !ok {
			continue
		}
		exist++
		paths := slices.Collect(witness.Between(patternsOf(a), patternsOf(b), 0))
		if _, ok := differ(a, b, paths); ok {
			found++
		}
	}
	report(t, "two sets", found, exist, 0.98)
}

func report(t *testing.T, what string, found, exist int, floor float64) {
	t.Helper()
	rate := float64(found) / float64(exist)
	t.Logf("%s: %d of %d differences seen (%.2f%%)", what, found, exist, 100*rate)
	if rate < floor {
		t.Errorf("%s: rate %.4f, want at least %.2f", what, rate, floor)
	}
}
