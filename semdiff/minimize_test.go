package semdiff_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/semdiff"
)

func without(body string, removed []semdiff.Removal) string {
	var kept strings.Builder
	for line := range robotstxt.Lines([]byte(body)) {
		if !slices.ContainsFunc(removed, func(r semdiff.Removal) bool { return r.Line == line.Number }) {
			kept.Write(line.Raw)
		}
	}
	return kept.String()
}

func TestMinimize(t *testing.T) {
	for _, c := range []struct {
		about    string
		dialects []robotstxt.Dialect
		body     string
		want     string
	}{
		{"nothing to do", nil, "User-agent: *\nDisallow: /a\nDisallow: /b\n", "[]"},
		{"the first of equals stays", nil, "User-agent: *\nDisallow: /a\nDisallow: /a\nDisallow: /a*\n", "[{4 2 false} {3 2 false}]"},
		{"a prefix covers", nil, "User-agent: *\nDisallow: /a/b\nDisallow: /a\n", "[{2 3 false}]"},
		{"an exception stays", nil, "User-agent: *\nDisallow: /a/b/c\nAllow: /a/b\nDisallow: /a\n", "[]"},
		{"nothing is closed", nil, "User-agent: *\nAllow: /\nDisallow: /x\nAllow: /y\n", "[{4 2 false} {2 0 true}]"},
		{"each group keeps a rule", nil, "User-agent: a\nDisallow:\n\nUser-agent: b\nAllow: /\nAllow: /a\n", "[{6 5 false}]"},
		{"for each of its crawlers", nil, "User-agent: a\nUser-agent: b\nDisallow: /x/y\nDisallow: /z\n\nUser-agent: a\nDisallow: /x\n", "[]"},
		{"what covers one that goes stays", nil, "User-agent: *\nDisallow: /a\nAllow: /a\nDisallow: /b\n", "[{2 3 false}]"},
		{"idle", nil, "User-agent: *\nDisallow: /a\nAllow: /b\nAllow: /a/b\n", "[{3 0 true}]"},
		{"several together", nil, "User-agent: *\nAllow: /a/$\nAllow: /a/i\nAllow: /a/index.html\nDisallow: /a\n", "[{4 0 false}]"},
		{"an index page is its folder", nil, "User-agent: *\nAllow: /$\nAllow: /index.html\nDisallow: /\n", "[{2 3 false}]"},
		{"in one dialect only", []robotstxt.Dialect{robotstxt.Google, robotstxt.RFC9309}, "User-agent: *\nAllow: /$\nAllow: /index.html\nDisallow: /\n", "[]"},
		{"the first match decides", []robotstxt.Dialect{robotstxt.Koster1996}, "User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /c\n", "[{3 2 false}]"},
	} {
		if c.dialects == nil {
			c.dialects = []robotstxt.Dialect{robotstxt.Google}
		}
		minimal := minimized(t, semdiff.Config{}, parsedIn(c.body, c.dialects)...)
		if got := fmt.Sprint(minimal.Removed); got != c.want || len(minimal.Undecided) > 0 {
			t.Errorf("%s: %s, want %s (%+v)", c.about, got, c.want, minimal)
		}
	}
}

// TestMinimizeSteps: what a small budget does not suffice for stays, and why is
// said; what goes changes nothing.
func TestMinimizeSteps(t *testing.T) {
	body := "User-agent: *\nDisallow: /*a\nDisallow: /*b\nDisallow: /a\nAllow: /*ab\nDisallow: /*a*b\n"
	undecided := 0
	for steps := 1; steps < 3000; steps += 1 + steps/4 {
		minimal := minimized(t, semdiff.Config{Steps: steps}, robotstxt.Parse([]byte(body)))
		if (len(minimal.Undecided) > 0) != (minimal.Tried != "") {
			t.Fatalf("%d steps: %+v", steps, minimal)
		}
		undecided += len(minimal.Undecided)
		if report := compare(t, robotstxt.Google, body, without(body, minimal.Removed)); !report.Equal() {
			t.Fatalf("%d steps: %+v: %s", steps, minimal, summary(report))
		}
	}
	if undecided == 0 {
		t.Error("one step suffices")
	}
}

func parsedIn(body string, dialects []robotstxt.Dialect) (files []*robotstxt.Robots) {
	for _, dialect := range dialects {
		files = append(files, dialect.Parse([]byte(body)))
	}
	return files
}

// TestMinimizeLaws: what is left decides as before, and each rule that is left
// is needed, or the last one of its group.
func TestMinimizeLaws(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	for i := range size(60, 2000) {
		pieces := oracleAlphabets[i%len(oracleAlphabets)].pieces
		a, b := smallPair(r, pieces)
		c, _ := smallPair(r, pieces)
		body := strings.Replace(a, "*", "a\nUser-agent: b", 1) + "\n" + strings.Replace(b, "*", "a", 1) + "\n" + c
		dialects := robotstxt.Dialects()[i%3 : i%3+1]
		if i%5 == 0 {
			dialects = robotstxt.Dialects()
		}
		minimal := minimized(t, semdiff.Config{}, parsedIn(body, dialects)...)
		if len(minimal.Undecided) > 0 {
			t.Fatalf("%+v\n%s", minimal, body)
		}
		checkChoices(t, r, body, minimal, dialects)
		for len(minimal.Removed) > 0 { // what goes may let others go
			body = without(body, minimal.Removed)
			minimal = minimized(t, semdiff.Config{}, parsedIn(body, dialects)...)
		}
		checkMinimal(t, body, minimal, dialects)
	}
}

func checkChoices(t *testing.T, r *rand.Rand, body string, minimal *semdiff.Minimal, dialects []robotstxt.Dialect) {
	t.Helper()
	choices := [][]semdiff.Removal{minimal.Removed}
	for i := range minimal.Removed {
		some := slices.DeleteFunc(slices.Clone(minimal.Removed), func(semdiff.Removal) bool { return r.IntN(2) == 0 })
		choices = append(choices, minimal.Removed[i:i+1], some)
	}
	for _, choice := range choices {
		for _, dialect := range dialects {
			if report := compare(t, dialect, body, without(body, choice)); !report.Equal() {
				t.Fatalf("%v: without %v of %v: %s\n%s", dialect, choice, minimal.Removed, summary(report), body)
			}
		}
	}
}

func checkMinimal(t *testing.T, body string, minimal *semdiff.Minimal, dialects []robotstxt.Dialect) {
	t.Helper()
	rest := without(body, minimal.Removed)
	about := fmt.Sprintf("%v %+v\n%s", dialects, minimal, rest)
	left := make(map[int]bool) // lines that may be needed in some dialect
	for _, dialect := range dialects {
		if report := compare(t, dialect, body, rest); !report.Equal() {
			t.Fatalf("%v: %s: %s", dialect, summary(report), about)
		}
		for group := range dialect.Parse([]byte(rest)).Groups() {
			rules := slices.Collect(group.Rules())
			for _, rule := range rules {
				needed := len(rules) == 1 ||
					!compare(t, dialect, rest, without(rest, []semdiff.Removal{{Line: rule.Line}})).Equal()
				left[rule.Line] = left[rule.Line] || needed
			}
		}
	}
	for line, needed := range left {
		if !needed {
			t.Fatalf("line %d of the rest is not needed: %s", line, about)
		}
	}
}

// TestMinimizeAllocations: the memory of lists is used again, so that files of which no
// rule can go take little more than their results.
func TestMinimizeAllocations(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector makes sync.Pool drop memory")
	}
	var body strings.Builder
	body.WriteString("User-agent: a\nDisallow: /\n\nUser-agent: *\n")
	for i := range 100 {
		fmt.Fprintf(&body, "Disallow: /a%d/\nAllow: /a%d/*b%d\n", i, i, i)
	}
	robots := robotstxt.Parse([]byte(body.String()))
	const most = 6 // 2 when this was written
	n := testing.AllocsPerRun(100, func() {
		if m, err := semdiff.Minimize(context.Background(), semdiff.Config{}, robots); err != nil ||
			len(m.Removed) > 0 {
			t.Fatal(m, err)
		}
	})
	if n > most {
		t.Errorf("%v allocations, want at most %d", n, most)
	}
}
