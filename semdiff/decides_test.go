package semdiff_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/test/witness"
	"github.com/kosterhq/robotstxt/semdiff"
)

func TestDecides(t *testing.T) {
	const body = "User-agent: *\nDisallow: /private/\nAllow: /private/*.css$\nDisallow: /x\n\nUser-agent: FooBot\nDisallow: /x/\n"
	for _, c := range []struct {
		dialect       robotstxt.Dialect
		agent, under  string
		allowed, dis  string // the witnesses, "-" for none
		all, none, un bool
	}{
		{robotstxt.Google, "a", "/private/", "/private/.css", "/private/", false, false, false},
		{robotstxt.Google, "a", "/private/*.css", "/private/.css", "/private/.cssx", false, false, false},
		{robotstxt.Google, "a", "/private/*.css$", "/private/.css", "-", true, false, false},
		{robotstxt.Google, "a", "/x", "-", "/x", false, true, false},
		{robotstxt.Google, "FooBot", "/private/", "/private/", "-", true, false, false},
		{robotstxt.Google, "FooBot", "/x", "/x", "/x/", false, false, false},
		{robotstxt.Google, "a", "", "/", "/x", false, false, false},
		{robotstxt.Google, "a", "nothing begins so", "-", "-", true, true, false},
		{robotstxt.Google, "a", "/a#b", "-", "-", false, false, true},
		{robotstxt.Google, "a", "/a\nAllow: /", "-", "-", false, false, true},
		{robotstxt.RFC9309, "a", "/%78", "-", "/x", false, true, false},
		{robotstxt.Koster1996, "a", "/private/*", "-", "/private/*", false, true, false},
	} {
		got, err := semdiff.Decides(context.Background(), c.dialect.Parse([]byte(body)).Rules(c.agent), c.under,
			semdiff.Config{})
		if err != nil {
			t.Fatal(err)
		}
		path := func(w *semdiff.Witness) string {
			if w == nil {
				return "-"
			}
			return w.Path
		}
		if path(got.Allowed) != c.allowed || path(got.Disallowed) != c.dis || got.AllAllowed != c.all ||
			got.AllDisallowed != c.none || got.Undecided != c.un {
			t.Errorf("%v %s %q: allowed %s, disallowed %s: %+v", c.dialect, c.agent, c.under, path(got.Allowed), path(got.Disallowed), got)
		}
	}
}

func TestDecidesWithoutFile(t *testing.T) {
	for rules, allowed := range map[robotstxt.Rules]bool{robotstxt.AllowAll(""): true, robotstxt.DisallowAll(""): false,
		{}: true} {
		got, err := semdiff.Decides(context.Background(), rules, "/a", semdiff.Config{})
		if err != nil || got.AllAllowed != allowed || got.AllDisallowed == allowed {
			t.Errorf("%+v, %v", got, err)
		}
	}
	// What RFC 9309 always allows does not count.
	rules := robotstxt.RFC9309.Parse([]byte("User-agent: *\nDisallow: /\n")).Rules()
	if got, err := semdiff.Decides(context.Background(), rules, "/", semdiff.Config{}); err != nil || !got.AllDisallowed {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestDecidesBruteForce compares decisions with the verdicts of paths of a few pieces.
func TestDecidesBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for _, alphabet := range oracleAlphabets {
		paths := witness.Short(alphabet.pieces, alphabet.depth)
		for i := range size(25, 1000) {
			body, other := smallPair(r, alphabet.pieces)
			_, value, _ := strings.Cut(strings.Split(other, "\n")[1], ": ")
			for _, dialect := range robotstxt.Dialects() {
				rules := dialect.Parse([]byte(body)).Rules()
				under := dialect.Parse([]byte("User-agent: *\nDisallow: " + strings.TrimSpace(value))).Rules()
				got, err := semdiff.Decides(context.Background(), rules, value, semdiff.Config{})
				if err != nil {
					t.Fatal(err)
				}
				about := fmt.Sprintf("%v %q under\n%s%+v", dialect, value, body, got)
				if got.Undecided {
					t.Fatalf("undecided: %s", about)
				}
				for want, witness := range map[bool]*semdiff.Witness{true: got.Allowed, false: got.Disallowed} {
					if witness == nil {
						continue
					}
					allowed, line := rules.Verdict("http://host" + witness.Path)
					if allowed != want || line != witness.Line || value != "" && under.Allowed("http://host"+witness.Path) {
						t.Fatalf("%+v is no witness: %s", witness, about)
					}
				}
				for _, path := range partOf(paths, i) {
					if value != "" && under.Allowed("http://host"+path) || path == "/robots.txt" {
						continue
					}
					if allowed := rules.Allowed("http://host" + path); allowed && got.AllDisallowed || !allowed && got.AllAllowed {
						t.Fatalf("%q is %v: %s", path, allowed, about)
					}
				}
			}
		}
	}
}
