package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/sites"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/maintain/expect"
	"github.com/kosterhq/robotstxt/cmd/internal/maintain/lintconfig"
	"github.com/kosterhq/robotstxt/cmd/internal/show/report"
	"github.com/kosterhq/robotstxt/lint"
)

// failing is a reporter that panics at a file.
type failing struct {
	name     string
	reported []string
}

func (r *failing) File(in *report.File) error {
	if filepath.Base(in.Name) == r.name {
		var counts []lint.Count
		_ = counts[len(in.Body)] // as the linter would panic
	}
	r.reported = append(r.reported, filepath.Base(in.Name))
	return nil
}

func (*failing) End(bool, []error) error { return nil }

// TestLintSurvives: a panic at one file is printed with the digest of the file and the stack, the
// other files are checked, and the exit status is 2.
func TestLintSurvives(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"a.robots.txt", "b.robots.txt", "c.robots.txt"} {
		write(t, filepath.Join(folder, name), "User-agent: *\nDisallow: /"+name+"\n")
	}
	var log bytes.Buffer
	reporter := &failing{name: "b.robots.txt"}
	r := &lintRun{lintFlags: &lintFlags{}, t: &term.Terminal{Err: &log, Quiet: true}, out: bufio.NewWriter(&log),
		settings: &lintconfig.Finder{}, report: reporter, known: &knownFindings{}}
	if err := r.all(t.Context(), []string{folder}); err != errShown {
		t.Errorf("it ends with %v", err)
	}
	if want := []string{"a.robots.txt", "c.robots.txt"}; !slices.Equal(reporter.reported, want) {
		t.Errorf("reported %q, want %q", reporter.reported, want)
	}
	wantFault(t, log.String(), "b.robots.txt", "robots.(*failing).File(")
	if !strings.Contains(log.String(), "; the file has the SHA-256 digest ") {
		t.Errorf("no digest in:\n%s", &log)
	}
}

// wantFault checks the log of an internal error.
func wantFault(t *testing.T, log, name, function string) {
	t.Helper()
	for _, part := range []string{name + ": internal error: runtime error: ", "robots: hint: this is a bug of robots", "robots: stack: ", function} {
		if !strings.Contains(log, part) {
			t.Errorf("no %q in:\n%s", part, log)
		}
	}
}

// TestCheckSurvives: a panic at one URL is an error of it, and the others are answered.
func TestCheckSurvives(t *testing.T) {
	var log bytes.Buffer
	in := &inquiry{
		Question: sites.Question{Files: []*answer.File{answer.NewFile([]byte("User-agent: *\nDisallow: /b\n"))},
			Crawlers: []answer.Crawler{answer.NewCrawler()}},
		out: bufio.NewWriter(&log), report: (&term.Terminal{Err: &log}).PrintError,
		urls: &urlSource{URLs: sites.URLs{All: func(yield func(string, error) bool) {
			_ = yield("/a", nil) && yield("/b", nil) && yield("/c", nil)
		}}},
	}
	var answered []string
	err := in.each(t.Context(), func(v *answer.Visit) (error, error) {
		if v.URL == "/b" {
			var rows []string
			_ = rows[len(answered)]
		}
		answered = append(answered, v.URL)
		return errDisallowed, nil
	})
	if err != errShown || !slices.Equal(answered, []string{"/a", "/c"}) {
		t.Errorf("%v, %q", err, answered)
	}
	wantFault(t, log.String(), "/b", "TestCheckSurvives")
}

// panicking is a context that cannot be asked.
type panicking struct{ context.Context }

func (panicking) Err() error { panic("no context") }

// TestSuitesSurvive: a panic at one file of expectations, while it is read or judged, is its error.
// The others are tested.
func TestSuitesSurvive(t *testing.T) {
	folder := t.TempDir()
	for name, check := range map[string]string{"a": "deny", "read": "deny", "judge": "deny-all", "d": "deny"} { // a proof uses the context
		write(t, filepath.Join(folder, name+".txt"), "User-agent: *\nDisallow: /cart\n")
		write(t, filepath.Join(folder, name+expect.Suffix), "robots: "+name+".txt\nagents: Googlebot\n"+check+": /cart\n")
	}
	var log bytes.Buffer
	terminal := &term.Terminal{Err: &log}
	r := &expect.Runner{ReadFile: func(path string) (*answer.File, error) {
		file, err := readBody(terminal, path, robotstxt.DefaultBodyLimit)
		var lines []string
		if filepath.Base(path) == "read.txt" {
			_ = lines[len(lines)]
		}
		return file, err
	}}
	suites := (&testFlags{}).suites(terminal, r, []string{folder})
	report, err := r.Run(panicking{t.Context()}, suites)
	if err != nil {
		t.Fatal(err)
	}
	passed := 0
	for _, suite := range report.Suites {
		name := strings.TrimSuffix(filepath.Base(suite.Name), expect.Suffix)
		if isBroken := name == "read" || name == "judge"; isBroken != (term.TraceOf(suite.Err) != "") {
			t.Errorf("%s: %v", name, suite.Err)
		} else if !isBroken && len(suite.Outcomes) == 1 && suite.Outcomes[0].Result == expect.Passed {
			passed++
		}
	}
	if len(suites) != 4 || passed != 2 || report.Broken() != 2 {
		t.Errorf("%d suites, %d passed, %d broken", len(suites), passed, report.Broken())
	}
	wantFault(t, log.String(), "read"+expect.Suffix, "TestSuitesSurvive")
}

// TestEachFileErrors: errors pass as they are.
func TestEachFileErrors(t *testing.T) {
	var log bytes.Buffer
	names := func(yield func(string, error) bool) { yield("a", nil) }
	failed := errors.New("failed")
	trouble, err := eachFile(context.Background(), &term.Terminal{Err: &log}, bufio.NewWriter(&log), names,
		func(string, *[]byte) error { return failed })
	if err != nil || !slices.Equal(trouble, []error{failed}) || log.String() != "robots: failed\n" {
		t.Errorf("%v, %v, %q", trouble, err, &log)
	}
}
