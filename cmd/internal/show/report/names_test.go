package report_test

import (
	"bufio"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode"

	"github.com/kosterhq/robotstxt/cmd/internal/show/report"
	"github.com/kosterhq/robotstxt/lint"
)

// TestNames: all names are known, in capitals too, and a typo has a suggestion.
func TestNames(t *testing.T) {
	for _, name := range report.Severities() {
		if s, err := report.SeverityNamed(strings.ToUpper(name)); err != nil || s.String() != name {
			t.Errorf("%s: %v, %v", name, s, err)
		}
	}
	for _, name := range report.Profiles() {
		if p, err := report.ProfileNamed(strings.ToUpper(name)); err != nil || p.String() != name {
			t.Errorf("%s: %v, %v", name, p, err)
		}
	}
	if _, err := report.ProfileNamed("gogle"); err == nil || !strings.HasSuffix(err.Error(), "; did you mean google?") {
		t.Errorf("a typo: %v", err)
	}
}

// TestHostileNames: no text that a person sees contains a line break, a control character or
// a direction mark of a file's name. Only JSON, which is for programs, has the exact name.
func TestHostileNames(t *testing.T) {
	body := []byte("User-agent: *\n" + strings.Repeat("Disallow: a/\n", 150))
	for _, name := range []string{"a\n::error::b\r\u202etxt.\u2066exe\u2028\x1b[31m.txt", "https://shop.example/\n::error::b\r\u202e\u2066\u2028\x1b[31m"} {
		f := &report.File{Name: name, Body: body, Report: lint.Inspect(body, lint.Config{MaxPerCode: 100})}
		clean := &report.File{Name: name + "2"}
		for _, format := range report.Formats() {
			text := printed(t, report.Format(format), f, clean)
			for _, shown := range shownStrings(t, report.Format(format), text) {
				if i := strings.IndexFunc(shown, func(r rune) bool { return !unicode.IsPrint(r) }); i >= 0 {
					t.Errorf("%s: %q", format, shown)
					break
				}
			}
			if strings.Contains(text, "\n::error::b") {
				t.Errorf("%s: the name is a command of a workflow: %s", format, text)
			}
		}
		if shown := patched(t, f); strings.ContainsFunc(shown,
			func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }) || strings.Contains(shown, "\n::error::b") {
			t.Errorf("summary: %q", shown)
		}
	}
}

// patched returns the summary of a file.
func patched(t *testing.T, f *report.File) string {
	t.Helper()
	var out strings.Builder
	w := bufio.NewWriter(&out)
	r := report.NewSummary(report.Config{Out: w})
	if err := errors.Join(r.File(f), r.End(true, nil), w.Flush()); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// shownStrings returns the parts of a report, as a reader of its form decodes them.
func shownStrings(t *testing.T, format report.Format, text string) (shown []string) {
	t.Helper()
	switch format {
	case report.JSON:
		return nil
	case report.SARIF, report.GitLab:
		var value any
		if err := json.Unmarshal([]byte(text), &value); err != nil {
			t.Fatal(err)
		}
		return stringsIn(value)
	case report.JUnit:
		for decoder := xml.NewDecoder(strings.NewReader(text)); ; {
			token, err := decoder.Token()
			if err == io.EOF {
				return shown
			}
			if err != nil {
				t.Fatal(err)
			}
			switch token := token.(type) {
			case xml.StartElement:
				for _, a := range token.Attr {
					shown = append(shown, a.Value)
				}
			case xml.CharData:
				shown = append(shown, strings.Split(string(token), "\n")...) // of one line for each fact
			}
		}
	}
	return strings.Split(text, "\n")
}

// stringsIn returns the strings in a JSON value, except excerpts of the file and the
// documentation of rules.
func stringsIn(value any) (all []string) {
	switch value := value.(type) {
	case string:
		return []string{value}
	case []any:
		for _, v := range value {
			all = append(all, stringsIn(v)...)
		}
	case map[string]any:
		for name, v := range value {
			if name != "snippet" && name != "help" && name != "insertedContent" && name != "newlineSequences" {
				all = append(all, stringsIn(v)...)
			}
		}
	}
	return all
}
