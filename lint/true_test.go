package lint_test

import (
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/test/witness"
	"github.com/kosterhq/robotstxt/lint"
)

// TestParameterPlaces: each line of RX224 closes its parameter where the message says and nowhere else, and in any
// place after the advice. The engine decides.
func TestParameterPlaces(t *testing.T) {
	t.Parallel()
	bodies, names := witness.Corpora(t)
	bodies = append(bodies, []byte("User-agent: *\nDisallow: /*?a=\nAllow: /*&b=\nDisallow: /x*?c\nDisallow: /*&d=1\nDisallow: /*?e=1$\nDisallow: /*?f=1$\nDisallow: /*?g=1$\n"))
	names = append(names, "all kinds")
	seen := map[string]bool{}
	for i, body := range bodies {
		robots := robotstxt.Parse(body)
		for _, f := range allFindings(body, false) {
			if f.Code != "RX224" {
				continue
			}
			lines := []int{f.Line}
			for _, related := range f.Related {
				lines = append(lines, related.Line)
			}
			for _, number := range lines {
				checkParameter(t, names[i], robots, number, f.Message, seen)
			}
		}
	}
	if len(seen) != 3 {
		t.Errorf("tried %v, want three kinds", seen)
	}
}

func checkParameter(
	t *testing.T, name string, robots *robotstxt.Robots, number int, message string, seen map[string]bool,
) {
	t.Helper()
	var group robotstxt.Group
	var rule robotstxt.Rule
	for g := range robots.Groups() {
		for r := range g.Rules() {
			if r.Line == number {
				group, rule = g, r
			}
		}
	}
	token := ""
	for a := range group.Agents() {
		token = a.Token
		break
	}
	at := max(strings.Index(rule.Pattern, "*?"), strings.Index(rule.Pattern, "*&")) + 1
	path, _, _ := strings.Cut(strings.ReplaceAll(rule.Pattern[:at], "*", "z"), "?")
	page := "https://a.example/" + strings.TrimPrefix(path, "/") + "?"
	own, ends := strings.CutSuffix(strings.TrimRight(rule.Pattern[at+1:], "*"), "$")
	queries := [...]string{own, own + "&zz=1", "zz=1&" + own, "zz=1&" + own + "&yy=1"}
	kinds := map[string]string{"first one of": "ccoo", "only after another": "oocc", "only if the query": "cooo"}
	want := ""
	for said, closed := range kinds {
		if strings.Contains(message, said) {
			want = closed
			seen[said] = true
		}
	}
	if want == "oocc" && ends {
		want = "ooco"
	}
	got := closedTo(robots, token, page, queries[:])
	if got != want {
		t.Errorf("%s:%d: %s is closed %s, want %s: %s", name, number, rule.Pattern, got, want, message)
	}
	stem := rule.Pattern[:at]
	advised := robotstxt.Parse([]byte("User-agent: *\nDisallow: " + stem + "?" + own + "\nDisallow: " + stem + "&" + own + "\n"))
	if got := closedTo(advised, "*", page, queries[:]); got != "cccc" {
		t.Errorf("%s:%d: after the advice %s is closed %s: %s", name, number, rule.Pattern, got, message)
	}
}

// closedTo writes for each query whether it is closed or open.
func closedTo(robots *robotstxt.Robots, token, page string, queries []string) (closed string) {
	for _, q := range queries {
		if robots.Rules(token).Allowed(page + q) {
			closed += "o"
		} else {
			closed += "c"
		}
	}
	return closed
}

// TestReadAlike: what RX101 says about other crawlers is true of the dialects.
func TestReadAlike(t *testing.T) {
	t.Parallel()
	bodies, names := witness.Corpora(t)
	bodies = append(bodies, []byte("User-agent: CriteoBot/0.1\nDisallow: /a\n\nUser-agent: Yandex.News\nDisallow: /b\n\nUser-agent: 008/0.7\nDisallow: /c\n\nUser-agent: * all\nDisallow: /d\n"))
	names = append(names, "all kinds")
	for i, body := range bodies {
		for _, f := range allFindings(body, true) {
			if f.Code != "RX101" {
				continue
			}
			token, whole := tokenAt(robotstxt.Google, body, f.Line), tokenAt(robotstxt.RFC9309, body, f.Line)
			alike := strings.EqualFold(token, whole)
			others := strings.Contains(f.Message, "; other crawlers ")
			some := strings.Contains(f.Message, "some other crawlers")
			if alike && others || !alike && some {
				t.Errorf("%s:%d: %s, but for RFC 9309 it is alike: %t", names[i], f.Line, f.Message, alike)
			}
		}
	}
}

func tokenAt(d robotstxt.Dialect, body []byte, line int) string {
	for g := range d.Parse(body).Groups() {
		for a := range g.Agents() {
			if a.Line == line {
				return a.Token
			}
		}
	}
	return ""
}

// TestOmittedAreShown: if findings of a code are counted and not returned, one of them is returned.
func TestOmittedAreShown(t *testing.T) {
	t.Parallel()
	bodies, names := witness.Corpora(t)
	bodies = append(bodies, []byte("# Squarespace Robots Txt\nUser-agent: *\nDisallow: /static/\n"))
	names = append(names, "Squarespace")
	for i, body := range bodies {
		for _, c := range lint.Inspect(body, lint.Config{}).Counts {
			if c.Omitted > 0 && c.Omitted == c.Found {
				t.Errorf("%s: none of %d findings %s is returned", names[i], c.Found, c.Code)
			}
		}
	}
}

// TestFallbacksAreNotNamed: no message about the group for * speaks of all crawlers without a group, because some
// follow the group of another crawler or none.
func TestFallbacksAreNotNamed(t *testing.T) {
	t.Parallel()
	bodies, names := witness.Corpora(t)
	for _, e := range lint.Catalogue() {
		bodies, names = append(bodies, []byte(e.Bad)), append(names, string(e.Code))
	}
	for i, body := range bodies {
		for _, f := range allFindings(body, true) {
			if strings.Contains(f.Message, "without a group") || strings.Contains(f.Message, "all other crawlers") {
				t.Errorf("%s:%d: %s", names[i], f.Line, f.Message)
			}
		}
	}
}

// TestSuppressedAlone: a comment hides its own line from a finding about several.
func TestSuppressedAlone(t *testing.T) {
	body := "User-agent: *\nDisallow: /*?sort= # robots-lint: ignore RX224\nDisallow: /*?order=\nDisallow: /(a|b)/.* # robots-lint: ignore RX219\nDisallow: /(c|d)/.*\n"
	found := lint.Check([]byte(body), lint.Config{})
	if places := placesOf(found); places != "3:11 RX224, 5:11 RX219" {
		t.Errorf("found %s: %v", places, found)
	}
}
