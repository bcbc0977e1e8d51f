package robotstxt_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
)

// questions is more than an index waits for.
const questions = 100

// TestIndexPerToken: each token has its own index, and beyond so many none, and
// nobody gets another one's rules.
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
					t.Fatalf("%s asks about the path of %s", token(i), token(j))
				}
			}
		}
	}
}

// TestIndexOfManyRules: so many wildcards that the set of visited buckets is a
// large one, and that grams share buckets; literals beside them; and rules and
// lines beyond every small number.
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

// TestIndexTriesRulesOnce: a path of one letter meets the bucket of that letter
// at each of its bytes. Were it tried each time, this would take minutes.
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

// TestLargeBody: a rule behind the first megabytes decides like any other (G2).
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
