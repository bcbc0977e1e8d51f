package corpus

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
)

// The files below are extreme in one respect each, to show how the time grows
// with it.

// Literals returns a file with one group for all crawlers and n rules without wildcards, of 30
// bytes each, and 400 paths: 40% match, 30% just miss, 30% are unrelated to the rules.
func Literals(n int) File {
	g := shape(3)
	return g.grown(n, func() (rule, path string) {
		path = fmt.Sprintf("/%s/%s/%s", g.letters(8), g.letters(6), g.letters(13))
		return path, path
	})
}

// Wildcards returns such a file with rules of three segments of 18 to 34 bytes
// each, /*one*two*three$.
func Wildcards(n int) File {
	g := shape(4)
	return g.grown(n, func() (rule, path string) {
		a, b, c := g.letters(18+g.IntN(17)), g.letters(18+g.IntN(17)), g.letters(18+g.IntN(17))
		return "/*" + a + "*" + b + "*" + c + "$", "/" + g.word() + a + "/" + b + "-" + c
	})
}

// ShortWildcards returns such a file with rules that are typical of shops, such as
// /*/cart*id-482. They share most of their text.
func ShortWildcards(n int) File {
	g := shape(5)
	return g.grown(n, func() (rule, path string) {
		a := g.word()
		b := fmt.Sprintf("%s-%d", g.word(), g.IntN(10_000))
		return "/*/" + a + "*" + b, "/" + g.word() + "/" + a + "?" + b
	})
}

// ShopWildcards returns such a file with rules that hide parameters and folders, /*?sort= and
// /*/print/, in turns.
func ShopWildcards(n int) File {
	g := shape(14)
	i := 0
	return g.grown(n, func() (rule, path string) {
		word := g.word()
		folder := "/" + g.word() + "/" + g.word()
		if i++; i%2 == 0 {
			return "/*/" + word + "/", folder + "/" + word + "/"
		}
		return "/*?" + word + "=", folder + "?" + word + "="
	})
}

func shape(stream uint64) *generator {
	return &generator{Rand: rand.New(rand.NewPCG(DefaultSeed, stream)), end: "\n"}
}

// grown returns a file of n rules. Next returns a rule and a path that it matches.
func (g *generator) grown(n int, next func() (rule, path string)) File {
	g.line("User-agent: *")
	matched := make([]string, n)
	for i := range n {
		var rule string
		rule, matched[i] = next()
		g.line("Disallow: %s", rule)
	}
	paths := make([]string, 400)
	for i := range paths {
		path := matched[g.IntN(n)]
		switch i % 10 {
		case 0, 3, 6, 9:
			paths[i] = path
		case 1, 4, 7:
			paths[i] = path[:len(path)-1] + "~"
		default:
			paths[i] = g.generic()
		}
	}
	return File{NewBody(bytes.Clone(g.out.Bytes())), paths}
}

func (g *generator) letters(n int) string { return g.choose(alphabet[:26], n) }

// Agents returns a file of 10,000 agents: 500 groups with 20 agents and 5 rules
// each. The agent present is at four fifths of the file, absent is not in it.
func Agents() (file File, present, absent string) {
	g := shape(6)
	for i := range 500 {
		for j := range 20 {
			token := g.letters(6) + "Bot"
			if i == 400 && j == 10 {
				present = token
			}
			g.line("User-agent: %s", token)
		}
		for range 5 {
			g.rule()
		}
	}
	body := NewBody(bytes.Clone(g.out.Bytes()))
	return File{body, Paths(DefaultSeed, body, 400)}, present, "AbsentBot"
}

// WorstRule is a rule for which a naive matcher needs exponential time.
type WorstRule struct{ Name, Pattern string }

// WorstRules returns six such rules, to be matched against WorstPath.
func WorstRules() []WorstRule {
	long := strings.Repeat
	return []WorstRule{
		{"8 times *a, *b", "/" + long("*a", 8) + "*b"},
		{"8 times *a, *b$", "/" + long("*a", 8) + "*b$"},
		{"20 times *a, *b", "/" + long("*a", 20) + "*b"},
		{"*a…ab*a…ac", "*" + long("a", 200) + "b*" + long("a", 200) + "c"},
		{"1,000 stars, b", long("*", 1000) + "b"},
		{"1,000 times *a, *b", "/" + long("*a", 1000) + "*b"},
	}
}

// File returns a file with only this rule.
func (w WorstRule) File() File {
	return File{NewBody([]byte("User-agent: *\nDisallow: " + w.Pattern + "\n")), []string{WorstPath()}}
}

// WorstPath returns a path of 2,000 bytes: a slash and then only 'a'.
func WorstPath() string { return "/" + strings.Repeat("a", 1999) }

// WorstFile returns a file of distinct rules of eight stars between runs of 'a',
// ending in b: /*aaa*a*aaaa*a*aa*aaaaa*a*b. No short text distinguishes the rules,
// and in each all pieces but the last are in WorstPath.
func WorstFile() Body {
	const runs, longest = 7, 6
	return ruleFile("", func(i int) string {
		rule := "Disallow: /"
		// 9973 has no divisor in common with 6, so no two i give the same digits.
		digits := i * 9973
		for range runs {
			rule += "*" + strings.Repeat("a", 1+digits%longest)
			digits /= longest
		}
		return rule + "*b"
	}).Body
}
