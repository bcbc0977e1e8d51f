package report_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/compare"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/show/report"
	_ "github.com/kosterhq/robotstxt/internal/test/largeheap"
	"github.com/kosterhq/robotstxt/lint"
)

// printed returns the output of a format for some files, and for one that could not
// be checked.
func printed(t *testing.T, format report.Format, files ...*report.File) string {
	t.Helper()
	var out strings.Builder
	w := bufio.NewWriter(&out)
	r := report.New(report.Config{Format: format, Out: w, Version: "v1"})
	for _, f := range files {
		if err := r.File(f); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(r.End(false, []error{errors.New("no file \"x\x1b\"")}), w.Flush()); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestFormats: every format has each finding of the bad examples once, in their order.
func TestFormats(t *testing.T) {
	var files []*report.File
	var found []lint.Finding
	for i, e := range lint.Catalogue() {
		f := &report.File{Name: fmt.Sprintf("a b/%d:%%.txt", i), Body: []byte(e.Bad), Report: lint.Inspect([]byte(e.Bad), e.Example)}
		files, found = append(files, f), append(found, f.Findings...)
	}

	heads := regexp.MustCompile(`(?m)^a b/\d+:%\.txt:(\d+):(\d+): (\w+) (RX\d+) [a-z0-9-]+: `).FindAllStringSubmatch(printed(t, report.Text, files...), -1)
	annotations := strings.Split(strings.TrimSuffix(printed(t, report.GitHub, files...), "\n"), "\n")
	var objects []wire.Finding
	for line := range strings.Lines(printed(t, report.JSON, files...)) {
		var w wire.Findings
		if err := json.Unmarshal([]byte(line), &w); err != nil {
			t.Fatal(err)
		}
		objects = append(objects, w.Findings...)
	}
	var log report.SARIFLog
	if err := json.Unmarshal([]byte(printed(t, report.SARIF, files...)), &log); err != nil {
		t.Fatal(err)
	}
	results := log.Runs[0].Results
	if n := len(found); n == 0 || len(heads) != n || len(annotations) != n || len(objects) != n || len(results) != n {
		t.Fatalf("%d findings: %d in text, %d annotations, %d objects, %d results", n, len(heads), len(annotations), len(objects), len(results))
	}
	if log.Runs[0].Invocations[0].ExecutionSuccessful {
		t.Error("the log says that all files were checked")
	}
	for i, f := range found {
		place := []string{fmt.Sprint(f.Line), fmt.Sprint(f.Column), f.Severity.String(), string(f.Code)}
		if got := heads[i][1:]; strings.Join(got, " ") != strings.Join(place, " ") {
			t.Errorf("text has %q, want %q", got, place)
		}
		level := map[lint.Severity]string{lint.Error: "error", lint.Warning: "warning", lint.Info: "notice"}[f.Severity]
		if a := annotations[i]; !strings.HasPrefix(a, "::"+level+" file=a b/") || !strings.Contains(a, fmt.Sprintf("%%3A%%25.txt,line=%d,", f.Line)) ||
			!strings.Contains(a, ",title="+string(f.Code)+" ") {
			t.Errorf("%s on line %d is annotated as %q", f.Code, f.Line, a)
		}
		if o := objects[i]; o.Code != string(f.Code) || o.Start != f.Start || o.End != f.End || o.Message != f.Message {
			t.Errorf("%s is the object %+v", f.Code, o)
		}
		if results[i].RuleID != f.Code {
			t.Errorf("%s is the result %+v", f.Code, results[i])
		}
	}
}

// FuzzSafe: whatever files contain, findings and changes are safe to print, an
// annotation is one line, and the text of a comparison says whether all is equal.
func FuzzSafe(f *testing.F) {
	f.Add("User-agent: a\nDisallow: /x\x1b[31m\n", "User-agent: a\nDisallow: x\x1b\nAllow\n")
	f.Add("User-agent: *\nDisallow: /\u202e\nSitemap: ::error::\n", "::error::\nUser-agent: ::error::\r\nDisallow: /::")
	f.Add("User-agent: MJ12bot%0A##[x]\nDisallow: /a%0A::b\n", "\xffUser-agent: *\nDisallow: /\xff ##vso[x]\n")
	f.Fuzz(func(t *testing.T, before, after string) {
		file := &report.File{Name: "-", Body: []byte(after), Report: lint.Inspect([]byte(after), lint.Config{})}
		checkSafe(t, printed(t, report.Text, file))
		checkSafe(t, printed(t, report.JSON, file))
		checkSafe(t, printed(t, report.SARIF, file))
		checkAnnotations(t, printed(t, report.GitHub, file), len(file.Findings))

		sides := [2]*report.Side{side("old"+before, before, robotstxt.Google), side("new"+after, after, robotstxt.RFC9309)}
		r, err := compare.Run(t.Context(), compare.Question{
			Old: sides[0].File.Text, New: sides[1].File.Text,
			Dialects: &[2]robotstxt.Dialect{robotstxt.Google, robotstxt.RFC9309}, Steps: 1e5,
		})
		if err != nil {
			t.Fatal(err)
		}
		r.Judge("/x")
		var text, github strings.Builder
		c := &report.Comparison{Out: bufio.NewWriter(&text), Sides: sides, List: after}
		if err := errors.Join(c.Text(r), c.Out.Flush()); err != nil {
			t.Fatal(err)
		}
		c.Out.Reset(&github)
		if err := errors.Join(c.GitHub(r), c.Out.Flush()); err != nil {
			t.Fatal(err)
		}
		checkSafe(t, text.String())
		if strings.Contains(text.String(), "\nequal: it is proved") != r.Equal {
			t.Errorf("equal is %v, but the text is\n%s", r.Equal, text.String())
		}
		annotations := len(r.Changes) + min(len(r.Other), 21)
		if r.Undecided {
			annotations++
		}
		checkAnnotations(t, github.String(), annotations)
	})
}

// TestCut: what is said of files that were not read to their end is said of the bytes that were read, in each format.
func TestCut(t *testing.T) {
	const body = "User-agent: *\nDisallow: /a\n"
	for _, after := range []string{body, "User-agent: *\nDisallow: /b\n"} {
		for _, isCut := range []bool{true, false} {
			sides := [2]*report.Side{side("old.txt", body, robotstxt.Google), side("new.txt", after, robotstxt.Google)}
			sides[1].File.Truncated = isCut
			r, err := compare.Run(t.Context(), compare.Question{Old: sides[0].File.Text, New: sides[1].File.Text})
			if err != nil {
				t.Fatal(err)
			}
			var text strings.Builder
			c := &report.Comparison{Out: bufio.NewWriter(&text), Sides: sides}
			for _, print := range []func(*compare.Result) error{c.Text, c.GitHub, c.Markdown} {
				text.Reset()
				if err := errors.Join(print(r), c.Out.Flush()); err != nil {
					t.Fatal(err)
				}
				if strings.Contains(text.String(), "only the first 27 bytes of new.txt were compared") != isCut || strings.Contains(text.String(), "of old.txt") {
					t.Errorf("cut is %v, equal %v:\n%s", isCut, r.Equal, text.String())
				}
			}
		}
	}
}

func side(name, body string, d robotstxt.Dialect) *report.Side {
	return &report.Side{Name: name, File: answer.NewFile([]byte(body)), Robots: d.Parse([]byte(body))}
}

// checkSafe checks that text has no other unprintable character than line ends, and
// no command of a CI server.
func checkSafe(t *testing.T, text string) {
	t.Helper()
	if !utf8.ValidString(text) ||
		strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }) {
		t.Errorf("unprintable: %q", text)
	}
	if strings.HasPrefix(text, "::") || strings.Contains(text, "\n::") || strings.Contains(text, "##[") || strings.Contains(text, "##vso[") {
		t.Errorf("a command: %q", text)
	}
}

// checkAnnotations checks that text is so many commands of a GitHub workflow.
func checkAnnotations(t *testing.T, text string, want int) {
	t.Helper()
	n := 0
	for line := range strings.Lines(text) {
		n++
		if !regexp.MustCompile(`^::(error|warning|notice) (file=[^,:]+,(line=\d+,(endLine=\d+,(col=\d+,endColumn=\d+,)?)?)?)?title=[^,:]+::[^:].*\n$`).MatchString(line) {
			t.Errorf("no annotation: %q", line)
		}
		checkSafe(t, strings.TrimPrefix(line, "::"))
	}
	if n != want {
		t.Errorf("%d annotations, want %d:\n%s", n, want, text)
	}
}

// TestCatalogue: a kind of finding is a line in the list, and its text has the reason
// and, if it is about a file's content, both examples.
func TestCatalogue(t *testing.T) {
	for _, e := range lint.Catalogue() {
		var line, text strings.Builder
		if err := errors.Join(report.EntryLine(&line, term.Palette{}, e),
			report.Entry(&text, term.Palette{}, e)); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(line.String(), string(e.Code)+"  ") || strings.Count(line.String(), "\n") != 1 ||
			!strings.Contains(line.String(), e.Title) {
			t.Errorf("%s in the list is %q", e.Code, line.String())
		}
		words := strings.Join(strings.Fields(text.String()), " ")
		if !strings.Contains(words, strings.Join(strings.Fields(e.Why), " ")) ||
			strings.Contains(words, "Instead of:") != (e.Bad != e.Good) {
			t.Errorf("%s: %s", e.Code, text.String())
		}
		checkSafe(t, line.String()+text.String())
	}
}

// TestMorePlaces: the number of places that are not shown is true even if a finding lists only the first ones.
func TestMorePlaces(t *testing.T) {
	for n, want := range map[int]string{
		5:  "",
		6:  "and 1 more place; --format json lists all",
		20: "and at least 15 more places; --format json lists the first 20",
		30: "and at least 15 more places; --format json lists the first 20",
	} {
		body := "User-agent: *\n"
		for i := range n {
			body += fmt.Sprintf("Disallow: /part%d/\n", i)
		}
		body += "\nUser-agent: bingbot\nCrawl-delay: 5\n"
		in := &report.File{Name: "robots.txt", Body: []byte(body), Report: lint.Inspect([]byte(body), lint.Config{})}
		_, after, _ := strings.Cut(printed(t, report.Text, in), "    and ")
		got, _, _ := strings.Cut(after, "\n")
		if got != strings.TrimPrefix(want, "and ") {
			t.Errorf("%d places: %q, want %q", n, got, want)
		}
	}
}
