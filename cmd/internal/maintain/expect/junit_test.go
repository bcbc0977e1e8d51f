package expect_test

import (
	"encoding/xml"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/maintain/expect"
)

// report is what a reader of JUnit's reports takes from one. Its types are not
// those that write it.
type report struct {
	XMLName  xml.Name `xml:"testsuites"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Errors   int      `xml:"errors,attr"`
	Time     float64  `xml:"time,attr"`
	Suites   []struct {
		Name     string  `xml:"name,attr"`
		Tests    int     `xml:"tests,attr"`
		Failures int     `xml:"failures,attr"`
		Errors   int     `xml:"errors,attr"`
		Time     float64 `xml:"time,attr"`
		Cases    []struct {
			Name    string   `xml:"name,attr"`
			Line    int      `xml:"line,attr"`
			Time    *float64 `xml:"time,attr"`
			Failure []struct {
				Message string `xml:"message,attr"`
				Text    string `xml:",chardata"`
			} `xml:"failure"`
			Error []struct {
				Message string `xml:"message,attr"`
			} `xml:"error"`
		} `xml:"testcase"`
	} `xml:"testsuite"`
}

// TestJUnit reads a report back that contains every byte, and counts.
func TestJUnit(t *testing.T) {
	every := make([]byte, 0, 1<<10)
	for c := range 256 {
		if c != '\n' && c != '\r' {
			every = append(every, byte(c))
		}
	}
	odd := string(append(every, "]]>&lt;\u2028\ufffe\U0010ffff"...))
	dir := write(t, map[string]string{
		"robots.txt":        "User-agent: *\nDisallow: /odd" + odd + "\nDisallow: /a\n",
		"odd.robots-test":   "robots: robots.txt\nagents: *, \"" + strings.Repeat(`\x00\ufffe`, 3) + "\"\nallow: " + quoted("/odd"+odd) + "\ndeny: /a\n",
		"worse.robots-test": "robots: \x01]]>\xff\nagents: *\nallow: /\n",
		"good.robots-test":  "robots: robots.txt\nagents: *\nallow: /b\n",
	})
	names := found(t, dir)
	result := run(t, &expect.Runner{Dialect: new(robotstxt.Google)}, names...) // no line can contain the odd token
	var text strings.Builder
	if err := result.WriteJUnit(&text); err != nil {
		t.Fatal(err)
	}
	var r report
	if err := xml.Unmarshal([]byte(text.String()), &r); err != nil {
		t.Fatalf("%v in\n%s", err, text.String())
	}
	if r.Tests != 6 || r.Failures != 2 || r.Errors != 1 || r.Time < 0 || len(r.Suites) != 3 {
		t.Errorf("%d tests, %d failures, %d errors, %g s, %d suites", r.Tests, r.Failures, r.Errors, r.Time, len(r.Suites))
	}
	for i, s := range r.Suites {
		if s.Name != term.Escape(names[i]) {
			t.Errorf("suite %d is %q, want %q", i, s.Name, names[i])
		}
		failures, errors := 0, 0
		for _, c := range s.Cases {
			failures += len(c.Failure)
			errors += len(c.Error)
			if c.Time == nil || c.Name == "" || (c.Line == 0) != (len(c.Error) > 0) {
				t.Errorf("%s: %+v", s.Name, c)
			}
			for _, f := range c.Failure {
				want := filepath.Join(dir, "odd.robots-test") + `:3: /odd\x00\x01`
				if !strings.Contains(f.Message, " should be allowed for ") || !strings.HasPrefix(f.Text, want) {
					t.Errorf("%s: %q: %q", s.Name, f.Message, f.Text)
				}
			}
			for _, e := range c.Error {
				if !strings.Contains(e.Message, `worse.robots-test:1: there is no file`) {
					t.Errorf("%s: %q", s.Name, e.Message)
				}
			}
		}
		if s.Tests != len(s.Cases) || s.Failures != failures || s.Errors != errors || s.Time < 0 {
			t.Errorf("%s: %d tests, %d failures, %d errors, and %d, %d, %d in its cases", s.Name, s.Tests, s.Failures, s.Errors, len(s.Cases), failures, errors)
		}
	}
}

// quoted returns a URL in quotes, with each byte as an escape.
func quoted(url string) string {
	var b strings.Builder
	for i := range len(url) {
		fmt.Fprintf(&b, `\x%02x`, url[i])
	}
	return `"` + b.String() + `"`
}
