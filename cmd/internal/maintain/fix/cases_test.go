package fix_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/maintain/fix"
	"github.com/kosterhq/robotstxt/lint"
)

// fixCase is a file with its fixes and findings. A file of testdata/cases has these sections:
// robots.txt; url, if it is known; plain and all, the file after fixes, or "no fix"; want, one
// expectation a line, a code and then a line, a severity and a word of the message, or with ! a code that
// is not found; note, words of the note of all fixes. A last line without line end is followed by
// "\ no line end", and ^M is a carriage return.
type fixCase struct {
	name, body, url string
	plain, all      string
	want, note      []string
}

// readCases reads the cases.
func readCases(t testing.TB) (cases []fixCase) {
	t.Helper()
	names, err := filepath.Glob("testdata/cases/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("%d cases, %v", len(names), err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		sections := make(map[string]string)
		current := ""
		for line := range strings.Lines(string(text)) {
			if section, ok := strings.CutPrefix(line, "-- "); ok {
				current = strings.TrimSuffix(strings.TrimSpace(section), " --")
				continue
			}
			sections[current] += line
		}
		c := fixCase{name: strings.TrimSuffix(filepath.Base(name), ".txtar"), body: bodyOf(sections["robots.txt"]),
			url: strings.TrimSpace(sections["url"])}
		c.plain, c.all = c.body, c.body
		for section, fixed := range map[string]*string{"plain": &c.plain, "all": &c.all} {
			if sections[section] != "no fix\n" {
				*fixed = bodyOf(sections[section])
			}
		}
		c.want, c.note = linesOf(sections["want"]), linesOf(sections["note"])
		cases = append(cases, c)
	}
	return cases
}

func bodyOf(section string) string {
	return strings.TrimSuffix(strings.ReplaceAll(section, "^M", "\r"), "\n\\ no line end\n")
}

func linesOf(section string) []string {
	return strings.FieldsFunc(section, func(r rune) bool { return r == '\n' })
}

// isFound reports whether a finding is as an expectation says.
func isFound(findings []lint.Finding, expectation []string) bool {
	return slices.ContainsFunc(findings, func(f lint.Finding) bool {
		have := []string{string(f.Code), strconv.Itoa(f.Line), f.Severity.String()}
		for i, want := range expectation {
			if i < len(have) && have[i] != want || i == len(have) && !strings.Contains(f.Message, want) {
				return false
			}
		}
		return true
	})
}

// TestCases checks findings, fixes and notes of files with the mistakes that people make.
func TestCases(t *testing.T) {
	for _, c := range readCases(t) {
		t.Run(c.name, func(t *testing.T) {
			config := lint.Config{URL: c.url}
			plain, all := mustMake(t, c.body, fix.Config{Lint: config}), mustMake(t, c.body,
				fix.Config{Lint: config, All: true})
			if string(plain.Body) != c.plain {
				t.Errorf("the plain fixes make %q, want %q", plain.Body, c.plain)
			}
			if string(all.Body) != c.all {
				t.Errorf("all fixes make %q, want %q", all.Body, c.all)
			}
			for _, words := range c.note {
				if note := all.Note(); !strings.Contains(note, words) {
					t.Errorf("the note is %q, want %q in it", note, words)
				}
			}
			findings := lint.Check([]byte(c.body), config)
			for _, line := range c.want {
				code, unwanted := strings.CutPrefix(line, "!")
				if isFound(findings, strings.Fields(code)) == unwanted {
					t.Errorf("%q is not so: %+v", line, findings)
				}
			}
		})
	}
}
