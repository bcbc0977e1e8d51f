package robotstxt_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/kosterhq/robotstxt"
)

// TestJoined: only rules end a list of user-agent lines, and lines that seem to are found.
func TestJoined(t *testing.T) {
	for _, test := range []struct {
		body       string
		want       string // in the dialects of Google and RFC 9309
		koster1996 string
	}{
		{"User-agent: A\nCrawl-delay: 10\nUser-agent: B\nDisallow: /\n", "[{B 3}]", "[{B 3}]"},
		{"User-agent: A\n\nUser-agent: B\nDisallow: /\n", "[{B 3}]", "[]"},
		{"User-agent: *\nSitemap: https://h.example/\nUser-agent: B\nAllow: /\n", "[{B 3}]", "[{B 3}]"},
		{"User-agent: A\nnoise\nUser-agent: B\nunknown: x\nUser-agent: C\nUser-agent: D\nAllow: /\n", "[{B 3} {C 5}]", "[{B 3} {C 5}]"},
		{"User-agent: A\nUser-agent: B\nDisallow: /\n", "[]", "[]"},
		{"User-agent: A\n# B too\nUser-agent: B # and\nDisallow: /\n", "[]", "[]"},
		{"User-agent: A\nDisallow:\n\nUser-agent: B\nDisallow: /\n", "[]", "[]"},
		{"Crawl-delay: 1\nUser-agent: A\nDisallow: /\n", "[]", "[]"},
		{"User-agent: A\rCrawl-delay: 10\r\nUser-agent: B\n", "[{B 3}]", "[{B 3}]"},
		{"", "[]", "[]"},
	} {
		for _, d := range robotstxt.Dialects() {
			want := test.want
			if d == robotstxt.Koster1996 {
				want = test.koster1996
			}
			joined := slices.AppendSeq([]robotstxt.Agent{}, d.Parse([]byte(test.body)).Joined([]byte(test.body)))
			if got := fmt.Sprint(joined); got != want {
				t.Errorf("%v, %q: %s, want %s", d, test.body, got, want)
			}
		}
	}
	const body = "User-agent: A\nCrawl-delay: 1\nUser-agent: B\n\nUser-agent: C\nDisallow: /\nUser-agent: D\nUser-agent: A\nDisallow: /a\n"
	robots := robotstxt.Parse([]byte(body))
	for _, test := range []struct {
		agent string
		line  int
		want  int
	}{
		{"A", 6, 3}, {"a", 6, 3}, {"B", 6, 5}, {"C", 6, 0}, {"D", 9, 0}, {"A", 9, 0}, {"A", 0, 0}, {"E", 6, 0},
	} {
		by, ok := robots.Rules(test.agent).JoinedBy(test.line, slices.Collect(robots.Joined([]byte(body))))
		if by.Line != test.want || ok != (test.want > 0) {
			t.Errorf("%s, line %d: %v, %v, want %d", test.agent, test.line, by, ok, test.want)
		}
	}
	if _, ok := robotstxt.DisallowAll("").JoinedBy(1, []robotstxt.Agent{{Token: "A", Line: 0}}); ok {
		t.Error("rules without a file are joined")
	}
	other := robotstxt.Parse([]byte("User-agent: A\nDisallow: /\n"))
	if got := slices.Collect(other.Joined([]byte("\n\nUser-agent: A\nUser-agent: B\n"))); got != nil {
		t.Errorf("another body: %v", got)
	}
}
