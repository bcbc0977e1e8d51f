package robotstxt_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
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
		var body strings.Builder
		body.WriteString("User-agent: *\n")
		for i := range n {
			fmt.Fprintf(&body, "Disallow: /*dir-%d/*file\nDisallow: /page-%d/\n", i, i)
		}
		body.WriteString("Allow: /*dir-7/*file-allowed\nAllow: /the-last\nDisallow: /the\n")
		rules := robotstxt.Parse([]byte(body.String())).Rules()
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
	var body strings.Builder
	body.WriteString("User-agent: *\n")
	for i := range 10_000 {
		fmt.Fprintf(&body, "Disallow: /*aaaa%s*%s*a%db\n", strings.Repeat("a", i%40), strings.Repeat("a", i%30), i)
	}
	rules := robotstxt.Parse([]byte(body.String())).Rules()
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
