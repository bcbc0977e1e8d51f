package main

import (
	"bytes"
	"context"
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// runTool runs the tool in this process, as if in a terminal without anything
// set.
func runTool(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = run(context.Background(), args, func(string) string { return "" }, strings.NewReader(""), &out, &err)
	return code, out.String(), err.String()
}

// TestConformanceVectors tests the vectors of the kit as a site owner would.
func TestConformanceVectors(t *testing.T) {
	vectors, err := filepath.Glob(filepath.Join("..", "..", "conformance", "vectors", "*", "*.txt"))
	if err != nil || len(vectors) < 300 {
		t.Fatalf("%d vectors, error %v", len(vectors), err)
	}
	code, stdout, stderr := runTool(t, append([]string{"test"}, vectors...)...)
	if code != exitAllowed || !strings.HasSuffix(stdout, " passed, 0 failed\n") || stderr != "" {
		t.Errorf("exit status %d\n%s%s", code, stdout, stderr)
	}
}

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

// TestJUnit reads a report back, with all that XML forbids or means something in
// it, and counts.
func TestJUnit(t *testing.T) {
	dir := t.TempDir()
	every := make([]byte, 0, 1<<10)
	for c := range 256 {
		if c != '\n' && c != '\r' {
			every = append(every, byte(c))
		}
	}
	every = append(every, "]]>&lt;\u2028\ufffe\U0010ffff"...)
	files := map[string]string{
		"robots.txt":        "User-agent: *\nDisallow: /odd" + string(every) + "\nDisallow: /a\n",
		"odd.robots-test":   "robots: robots.txt\nagents: *, \"" + strings.Repeat(`\x00\ufffe`, 3) + "\"\nallow: " + quoted("/odd"+string(every)) + "\ndeny: /a\n",
		"worse.robots-test": "robots: \x01]]>\xff\nagents: *\nallow: /\n",
		"good.robots-test":  "robots: robots.txt\nagents: *\nallow: /b\n",
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	code, stdout, _ := runTool(t, "test", "--format", "junit", dir)
	if code != exitUnknown {
		t.Errorf("exit status %d, want %d", code, exitUnknown)
	}
	var r report
	if err := xml.Unmarshal([]byte(stdout), &r); err != nil {
		t.Fatalf("%v in\n%s", err, stdout)
	}
	if r.Tests != 6 || r.Failures != 2 || r.Errors != 1 || r.Time < 0 || len(r.Suites) != 3 {
		t.Errorf("%d tests, %d failures, %d errors, %g s, %d suites", r.Tests, r.Failures, r.Errors, r.Time, len(r.Suites))
	}
	for _, s := range r.Suites {
		failures, errors := 0, 0
		for _, c := range s.Cases {
			failures += len(c.Failure)
			errors += len(c.Error)
			if c.Time == nil || c.Name == "" || (c.Line == 0) != (len(c.Error) > 0) {
				t.Errorf("%s: %+v", s.Name, c)
			}
			for _, f := range c.Failure {
				if !strings.Contains(f.Message, "should be allowed") || !strings.Contains(f.Text, "\n  > 2 | Disallow: /odd\\x00\\x01") {
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

// quoted is a URL in quotes, byte by byte.
func quoted(url string) string {
	const digits = "0123456789abcdef"
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(url) {
		b.WriteString(`\x` + string(digits[url[i]>>4]) + string(digits[url[i]&15]))
	}
	b.WriteByte('"')
	return b.String()
}
