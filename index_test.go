package robotstxt_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/conformance"
	"github.com/kosterhq/robotstxt/internal/test/enginetest"
	"github.com/kosterhq/robotstxt/internal/test/witness"
)

// questions is more queries than needed before an index is made.
const questions = 100

// TestIndexPerToken checks that each token has an index of its own, up to the limit of
// indexes, and that no token gets the rules of another.
func TestIndexPerToken(t *testing.T) {
	var body strings.Builder
	const tokens = 20
	token := func(i int) string { return "bot" + string(rune('a'+i)) }
	for i := range tokens {
		fmt.Fprintf(&body, "User-agent: %s\n", token(i))
		for range 15 {
			fmt.Fprintf(&body, "Disallow: /%s\nDisallow: /*x-%s\n", token(i), token(i))
		}
	}
	robots := robotstxt.Parse([]byte(body.String()))
	for i := range tokens {
		rules := robots.Rules(token(i))
		for range questions {
			for j := range tokens {
				if rules.Allowed("/"+token(j)) != (i != j) || rules.Allowed("/x-"+token(j)) != (i != j) {
					t.Fatalf("wrong verdict for %s on the path of %s", token(i), token(j))
				}
			}
		}
	}
}

// TestIndexOfManyRules uses so many wildcard rules that the set of visited buckets is
// large and that grams share buckets, and as many literal rules, with high rule and
// line numbers.
func TestIndexOfManyRules(t *testing.T) {
	for _, n := range []int{1_500, 70_000} {
		body := enginetest.ForAll(n, func(i int) string { return fmt.Sprintf("Disallow: /*dir-%d/*file\nDisallow: /page-%[1]d/", i) })
		rules := robotstxt.Parse(append(body, "Allow: /*dir-7/*file-allowed\nAllow: /the-last\nDisallow: /the\n"...)).Rules()
		check := func(path string, allowed bool, line int) {
			t.Helper()
			for range questions / 10 {
				if gotAllowed, gotLine := rules.Verdict(path); gotAllowed != allowed || gotLine != line {
					t.Fatalf("%d rules: %s: %v by line %d, want %v by line %d", n, path, gotAllowed, gotLine, allowed, line)
				}
			}
		}
		for range 10 {
			check("/a/dir-7/b/file", false, 16)
			check("/a/dir-7/b/file-allowed", true, 2*n+2)
			check(fmt.Sprintf("/dir-%d/file", n-1), false, 2*n)
			check(fmt.Sprintf("/page-%d/x", n-1), false, 2*n+1)
			check(fmt.Sprintf("/page-%d/x", n), true, 0)
			check("/the-last", true, 2*n+3)
			check("/the-first", false, 2*n+4)
			check("/dir-x/file", true, 0)
		}
	}
}

// TestIndexTriesRulesOnce checks that an index tries a bucket once per path. A path of
// one repeated letter leads to the same bucket at each byte; if the bucket were tried
// each time, the test would take minutes.
func TestIndexTriesRulesOnce(t *testing.T) {
	rules := robotstxt.Parse(enginetest.ForAll(10_000, func(i int) string {
		return fmt.Sprintf("Disallow: /*aaaa%s*%s*a%db", strings.Repeat("a", i%40), strings.Repeat("a", i%30), i)
	})).Rules()
	path := "/" + strings.Repeat("a", 8000) + "0123456789b"
	for range questions + 20 {
		if !rules.Allowed(path) {
			t.Fatal("disallowed")
		}
	}
}

// TestLargeBody checks that a rule after the first megabytes of a body decides like
// any other [G2].
func TestLargeBody(t *testing.T) {
	body := "User-agent: *\n" + strings.Repeat("Disallow: /0123456789012345678901234567890123456789\n", 60_000) + "Disallow: /last\n"
	for _, d := range robotstxt.Dialects() {
		if allowed, line := d.Parse([]byte(body)).Rules().Verdict("/last"); allowed || line != 60_002 {
			t.Errorf("%v: allowed %v by line %d", d, allowed, line)
		}
		if d.Allowed([]byte(body), "/last") {
			t.Errorf("%v: the one-shot call allows", d)
		}
	}
}

// TestManyBuckets: a query that tries many buckets of the index leaves nothing behind for the
// next one.
func TestManyBuckets(t *testing.T) {
	path := "/"
	body := enginetest.ForAll(200, func(i int) string {
		word := fmt.Sprintf("%c%c%c%c", 'a'+i%26, 'a'+i/26, 'q'+i%7, 'A'+i%23)
		path += word
		return "Disallow: /*" + word + "$" // only the last one matches
	})
	rules := robotstxt.Parse(append(body, "Allow: /\n"...)).Rules()
	for i := range 300 {
		if rules.Allowed(path) {
			t.Fatalf("query %d is allowed", i)
		}
	}
}

// TestShortBuffers: the one-shot call copies values of any length to memory of any size.
// Collecting garbage empties the pools, so that each call begins with new memory, and an
// agent line without a colon takes none.
func TestShortBuffers(t *testing.T) {
	for n := 40; n < 600; n += 8 {
		runtime.GC()
		runtime.GC()
		if robotstxt.Allowed([]byte("User-agent *\nDisallow:/*"+strings.Repeat("a", n-2)), "/"+strings.Repeat("a", n)) {
			t.Errorf("a value of %d bytes: allowed", n)
		}
	}
}

// TestKeyOfNineBytes: a key may end with the text that is searched.
func TestKeyOfNineBytes(t *testing.T) {
	for _, line := range []string{"Useragent x", "Dissallow /x"} {
		for l := range robotstxt.Lines([]byte(line)) {
			if !l.Typo || l.Kind != robotstxt.KindUserAgent && l.Kind != robotstxt.KindDisallow {
				t.Errorf("%q is %v", line, l.Kind)
			}
		}
	}
}

// TestIndexOfFewRules: of a few rules, only those have an index that are mostly wildcards which
// neither their first nor their last bytes reject. It changes no verdict.
func TestIndexOfFewRules(t *testing.T) {
	for _, c := range []struct {
		name, rule string
		rules      int
		want       bool
	}{
		{"wildcards", "/*?key%d=", 9, true},
		{"wildcards", "/*?key%d=", 24, true},
		{"fewer wildcards", "/*?key%d=", 8, false},
		{"anchored", "/*%d.html$", 24, false},
		{"literals", "/%d/", 24, false},
		{"literals", "/%d/", 25, true},
		{"prefixes", "/a/b/c/d/e/f%.d", 24, false},
	} {
		robots := robotstxt.Parse(enginetest.ForAll(c.rules, func(i int) string { return fmt.Sprintf("Disallow: "+c.rule, i) }))
		for _, rules := range []robotstxt.Rules{robots.Rules("a"), robots.Rules("b")} {
			for range 2 * questions {
				if !rules.Allowed("/q.html") || !rules.Allowed("/a/b/c/d/e/?key=1") {
					t.Fatalf("%d %s: disallowed", c.rules, c.name)
				}
			}
			if got := robotstxt.HasIndex(rules); got != c.want {
				t.Errorf("%d %s: index: %v, want %v", c.rules, c.name, got, c.want)
			}
			if _, line := rules.Verdict("/x?key7=1"); strings.Contains(c.rule, "key") != (line == 9) {
				t.Errorf("%d %s: line %d", c.rules, c.name, line)
			}
		}
	}
}

// TestIndexOfFewRulesLeavesRoom: tokens with few rules take half of a file's indexes at most.
func TestIndexOfFewRulesLeavesRoom(t *testing.T) {
	var body strings.Builder
	rules := func(agent string, n int) {
		fmt.Fprintf(&body, "User-agent: %s\n", agent)
		for i := range n {
			fmt.Fprintf(&body, "Disallow: /*?key%d=\n", i)
		}
	}
	for i := range 10 {
		rules("bot"+string(rune('a'+i)), 10)
	}
	rules("large", 100)
	robots := robotstxt.Parse([]byte(body.String()))
	made := 0
	for i := range 10 {
		small := robots.Rules("bot" + string(rune('a'+i)))
		for range questions {
			small.Allowed("/x?y=1")
		}
		if robotstxt.HasIndex(small) {
			made++
		}
	}
	large := robots.Rules("large")
	for range questions {
		large.Allowed("/x?y=1")
	}
	if made != 4 || !robotstxt.HasIndex(large) {
		t.Errorf("%d small tokens have an index, want 4; the large one: %v", made, robotstxt.HasIndex(large))
	}
}

// TestBucketsOfNumbers: patterns that differ in a number only are evenly distributed. Of 64
// random buckets 40 are used.
func TestBucketsOfNumbers(t *testing.T) {
	for _, format := range []string{"/*q%03d*", "/*%04d", "/*page-%02d/"} {
		if used := robotstxt.BucketsOfNumbers(format); used < 36 {
			t.Errorf("%s: %d of 64 buckets are used", format, used)
		}
	}
}

// TestIndexOfCodedSlashes: in rfc9309 %2F after a star matches any slash of the query, so the four
// bytes by which an index finds a pattern contain no part of it.
func TestIndexOfCodedSlashes(t *testing.T) {
	rules := robotstxt.RFC9309.Parse(enginetest.ForAll(30, func(i int) string {
		return fmt.Sprintf("Disallow: /*%%2Fp%02d\nDisallow: /*%%2Fpage%%2F%[1]d/", i)
	})).Rules()
	for range questions {
		for path, want := range map[string]int{"/x?u=/p07": 16, "/x?u=/page/7/": 17, "/x%2Fp07": 16, "/x/p07": 0, "/x/page/7/": 0} {
			if _, line := rules.Verdict(path); line != want {
				t.Fatalf("%s: line %d, want %d", path, line, want)
			}
		}
	}
	if !robotstxt.HasIndex(rules) {
		t.Error("there is no index")
	}
}

// TestIndexOfHostileFile: five random texts of each length, all in the path, and then a text that is
// not. A query matches few of these patterns in full, and its verdict is that of the one-shot call.
func TestIndexOfHostileFile(t *testing.T) {
	r := rand.New(rand.NewPCG(26, 1))
	letters := func(n int) string {
		text := make([]byte, n)
		for i := range text {
			text[i] = "ab"[r.IntN(2)]
		}
		return string(text)
	}
	path := "/" + letters(2000)
	body := enginetest.ForAll(2200, func(i int) string {
		at := 1 + r.IntN(1000)
		return "Disallow: /*" + path[at:at+2+i/5] + "*" + letters(30+i%3)
	})
	body = append(body, "Disallow: /*%2Fqqqq*z\n"...) // %2F is also a slash of the query in rfc9309
	rules := robotstxt.Parse(body).Rules()
	coded := robotstxt.RFC9309.Parse(body).Rules()
	for range questions {
		rules.Allowed(path)
		if !rules.Allowed(path+"?u=/qqqqz") || coded.Allowed(path+"?u=/qqqqz") {
			t.Fatal("wrong verdict for a coded slash")
		}
	}
	if matched, all := robotstxt.FullMatches(rules, path); matched > all/8 {
		t.Errorf("patterns of %d bytes are matched in full, of %d", matched, all)
	}
	disallowed := 0
	for i := range 60 {
		query := path + "-" + letters(i)
		if i%3 == 0 {
			query = strings.Replace(query, "a", "", i)
		} else if i%3 == 1 {
			lines := strings.Split(string(body), "\n")
			query += strings.ReplaceAll(lines[1+r.IntN(2200)], "*", "x")[len("Disallow: "):]
		}
		want := robotstxt.Allowed(body, query)
		if rules.Allowed(query) != want {
			t.Errorf("%s: allowed %v, want %v", query, !want, want)
		}
		if !want {
			disallowed++
		}
	}
	if disallowed < 20 || disallowed > 50 {
		t.Errorf("%d of 60 queries are disallowed", disallowed)
	}
}

// TestBucketsAreTriedOnce: a query tries each of many buckets once, however often a path leads to it.
func TestBucketsAreTriedOnce(t *testing.T) {
	words := ""
	rules := robotstxt.Parse(enginetest.ForAll(60, func(i int) string {
		word := fmt.Sprintf("%c%c%c%c", 'a'+i%26, 'A'+i/26, 'q'+i%7, 'A'+i%23)
		words += word
		return "Disallow: /*" + word + "*z9z" // "z9z" is too short for a bucket
	})).Rules()
	for range questions {
		rules.Allowed("/" + words + "9z")
	}
	once, all := robotstxt.FullMatches(rules, "/"+words+"9z")
	if again, _ := robotstxt.FullMatches(rules, "/"+strings.Repeat(words, 5)+"9z"); once != all || again != all {
		t.Errorf("patterns of %d bytes are matched in full, and of %d if each word is repeated, of %d", once, again, all)
	}
}

// TestIndexIsNotMadeAtOnce: most files are queried a few times only.
func TestIndexIsNotMadeAtOnce(t *testing.T) {
	rules := robotstxt.Parse([]byte("User-agent: *\n" + strings.Repeat("Disallow: /abc/def/\n", 30))).Rules()
	for i := range questions {
		rules.Allowed("/")
		if i < 20 && robotstxt.HasIndex(rules) {
			t.Fatalf("there is an index after %d queries", i+1)
		}
	}
	if !robotstxt.HasIndex(rules) {
		t.Error("there is no index")
	}
}

// TestIndexed compares the index with Explain, which tries the rules one by one. Verdict uses
// the index only for many rules or queries, so most tests of verdicts do not reach it.
func TestIndexed(t *testing.T) {
	t.Run("generated", func(t *testing.T) {
		r := rand.New(rand.NewPCG(9, 10))
		for range enginetest.Size(1500, 30_000) {
			body, agents := []byte(enginetest.RandomBody(r)), enginetest.RandomAgents(r)
			checkIndexed(t, body, agents,
				append(enginetest.WitnessURLs(body, 12), enginetest.RandomURL(r), enginetest.RandomURL(r))...)
			body, agents, url := enginetest.ManyRules(r)
			checkIndexed(t, body, agents, url(), url(), url(), url())
		}
	})
	t.Run("vectors", func(t *testing.T) {
		vectors, err := conformance.Vectors()
		if err != nil {
			t.Fatal(err)
		}
		conformance.Run(func(_ string, body []byte, agents []string, url string) (bool, int) {
			checkIndexed(t, body, agents, url)
			return false, 0
		}, vectors)
	})
	t.Run("corpus", func(t *testing.T) {
		bodies, _ := witness.Corpus(t)
		for _, body := range bodies {
			checkIndexed(t, body, []string{"Googlebot"}, enginetest.WitnessURLs(body, enginetest.Size(8, 60))...)
		}
	})
}

func FuzzIndexed(f *testing.F) {
	for i, body := range enginetest.Bodies {
		for j, url := range enginetest.URLs {
			f.Add([]byte(body), url, enginetest.Agents[(i+j)%len(enginetest.Agents)])
		}
	}
	f.Fuzz(func(t *testing.T, body []byte, url, agents string) {
		checkIndexed(t, body, enginetest.SplitAgents(agents), url)
	})
}

func checkIndexed(t *testing.T, body []byte, agents []string, urls ...string) {
	t.Helper()
	for _, d := range robotstxt.Dialects() {
		rules := d.Parse(body).Rules(agents...)
		for _, url := range urls {
			allowed, line, ok := robotstxt.IndexedVerdict(rules, url)
			if want := rules.Explain(url); ok && (allowed != want.Allowed || line != want.Line) {
				t.Fatalf("%v %q %q %q: index %v %d, Explain %v", d, body, agents, url, allowed, line, want)
			}
		}
	}
}
