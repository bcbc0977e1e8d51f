package expect_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/maintain/expect"
	"github.com/kosterhq/robotstxt/conformance"
)

// A check of a pattern is proved, disproved by a path, or undecided.
func TestPatterns(t *testing.T) {
	dir := write(t, map[string]string{
		"robots.txt": "User-agent: *\nDisallow: /a/\nAllow: /a/b\nAllow: //x\n",
		"site.robots-test": "robots: robots.txt\nagents: FooBot\n" +
			"deny-all: /a/\nallow-all: /a/b\nallow-all: /\ndeny-all: /a/c\ndeny-all: //\n",
	})
	report := run(t, &expect.Runner{}, filepath.Join(dir, "site.robots-test"))
	var got []string
	for _, o := range report.Suites[0].Outcomes {
		got = append(got, strings.TrimSpace(map[bool]string{true: "yes", false: "no"}[o.Result == expect.Passed]+" "+o.Witness))
		if o.Tried != "" || (o.Answer.Allowed == o.Check.Allowed) != (o.Result == expect.Passed) {
			t.Errorf("got %+v", o)
		}
	}
	if want := "no /a/b,yes /a/b,no /a/,yes /a/c,no //"; strings.Join(got, ",") != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if report.Count(expect.Passed) != 2 || report.Count(expect.Failed) != 3 {
		t.Errorf("%d passed, %d failed", report.Count(expect.Passed), report.Count(expect.Failed))
	}
}

// What the budget does not suffice for has neither passed nor failed.
func TestPatternsUndecided(t *testing.T) {
	dir := write(t, map[string]string{
		"robots.txt":       "User-agent: *\nDisallow: /*c\nAllow: /*ab*c\nAllow: /*c*ab\n",
		"site.robots-test": "robots: robots.txt\nagents: FooBot\nallow-all: /*ab\n",
	})
	for steps, want := range map[int][3]int{0: {1, 0, 0}, 1: {0, 0, 1}} {
		report := run(t, &expect.Runner{Steps: steps}, filepath.Join(dir, "site.robots-test"))
		if got := [3]int{report.Count(expect.Passed), report.Count(expect.Failed),
			report.Count(expect.Unknown)}; got != want {
			t.Errorf("%d steps: passed, failed, unknown: got %v, want %v", steps, got, want)
		}
	}
}

func TestPatternsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	dir := write(t, map[string]string{"robots.txt": "User-agent: *\nDisallow: /a\n"})
	r := &expect.Runner{ReadFile: readFile}
	suite := r.Suite(filepath.Join(dir, "x"), []byte("robots: robots.txt\nagents: A\ndeny-all: /\n"))
	if _, err := r.Run(ctx, []*expect.Suite{suite}); err != context.Canceled {
		t.Errorf("got %v", err)
	}
}

// The samples of a pattern are URLs that it matches.
func TestSamplesMatch(t *testing.T) {
	vectors, err := conformance.Vectors()
	if err != nil {
		t.Fatal(err)
	}
	patterns := []string{"*", "/*", "/a$", "/%e4*$", "/\xff", "/a?b*c", "*a*b", "/a b", "/%", "//"}
	for _, v := range vectors {
		for _, c := range v.Checks {
			if c.All {
				patterns = append(patterns, c.URL)
			}
		}
	}
	for _, dialect := range robotstxt.Dialects() {
		for _, pattern := range patterns {
			rules := dialect.Parse([]byte("User-agent: *\nDisallow: " + pattern)).Rules("FooBot")
			for _, url := range (conformance.Check{Dialect: dialect.String(), URL: pattern, All: true}).Samples() {
				if rules.Allowed(url) {
					t.Errorf("%s: %s does not match %s", dialect, pattern, url)
				}
			}
		}
	}
}
