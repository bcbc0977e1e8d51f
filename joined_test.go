package robotstxt_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
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
	for seed := range uint64(3000) {
		checkJoinedBy(t, rand.New(rand.NewPCG(seed, 1)))
	}
	other := robotstxt.Parse([]byte("User-agent: A\nDisallow: /\n"))
	if got := slices.Collect(other.Joined([]byte("\n\nUser-agent: A\nUser-agent: B\n"))); got != nil {
		t.Errorf("another body: %v", got)
	}
}

// checkJoinedBy compares JoinedBy for each crawler and line of a file with its definition: in the group of
// the rule, the first joined line after which no line names the crawler.
func checkJoinedBy(t *testing.T, random *rand.Rand) {
	t.Helper()
	lines := []string{"User-agent: A", "User-agent: a", "User-agent: B", "User-agent: *", "User-agent: AB", "User-agent: A/1",
		"User-agent: **", "Crawl-delay: 1", "", "# c", "Disallow: /", "Allow: /a", "Disallow:"}
	var text strings.Builder
	for range random.IntN(14) {
		text.WriteString(lines[random.IntN(len(lines))] + "\n")
	}
	body := []byte(text.String())
	for _, d := range robotstxt.Dialects() {
		robots := d.Parse(body)
		joined := slices.Collect(robots.Joined(body))
		for _, crawler := range []string{"A", "B", "AB", "C", "*", "**"} {
			rules := robots.Rules(crawler)
			want := map[int]int{}
			for group := range robots.Groups() {
				own, by := 0, 0
				for agent := range group.Agents() {
					if strings.EqualFold(agent.Token, rules.Agent()) {
						own, by = agent.Line, 0
					} else if own > 0 && by == 0 && slices.Contains(joined, agent) {
						by = agent.Line
					}
				}
				isChosen := slices.Contains(rules.Explain("/").AgentLines, own)
				for rule := range group.Rules() {
					if isChosen {
						want[rule.Line] = by
					}
				}
			}
			for line := range 16 {
				if by, ok := rules.JoinedBy(line, joined); by.Line != want[line] || ok != (want[line] > 0) {
					t.Fatalf("%v, %s, line %d: %v, %v, want %d\n%s", d, crawler, line, by, ok, want[line], body)
				}
			}
		}
	}
}
