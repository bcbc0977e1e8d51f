package report_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/show/report"
	"github.com/kosterhq/robotstxt/lint"
)

// findLine returns a finding of a code for each line of a body that contains a text.
func findLine(body, text string, code lint.Code) (findings []lint.Finding) {
	offset := 0
	for i, line := range strings.SplitAfter(body, "\n") {
		if strings.Contains(line, text) {
			findings = append(findings, lint.Finding{Code: code, Start: offset, End: offset + len(text), Line: i + 1,
				Column: 1})
		}
		offset += len(line)
	}
	return findings
}

// rereadBaseline returns a baseline after writing and reading it.
func rereadBaseline(t *testing.T, name string, b *report.Baseline) *report.Baseline {
	t.Helper()
	text, err := b.Text()
	if err != nil {
		t.Fatal(err)
	}
	b, err = report.ParseBaseline(name, text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestBaselineUnknown(t *testing.T) {
	t.Chdir(t.TempDir())
	const before = "a: x\nb\nb\nc\n"
	b, err := report.NewBaseline("base.json")
	if err != nil {
		t.Fatal(err)
	}
	whole := lint.Finding{Code: "RX901", Line: 1, Column: 1}
	b.Set("sub/robots.txt", []byte(before), append(findLine(before, "b", "RX900"), findLine(before, "a", "RX900")[0], whole))
	if got := b.Len(); got != 4 {
		t.Errorf("%d findings, want 4", got)
	}
	b = rereadBaseline(t, "base.json", b)
	for _, tt := range []struct {
		what, file, body, text string
		code                   lint.Code
		unknown, known         int
	}{
		{"moved and indented", "sub/robots.txt", "new\n\n  b\t\nb\n", "b", "RX900", 0, 2},
		{"one more of equal lines", "sub/robots.txt", "b\nb\nb\n", "b", "RX900", 1, 2},
		{"the line has changed", "sub/robots.txt", "a: y\n", "a", "RX900", 1, 0},
		{"another code", "sub/robots.txt", before, "b", "RX901", 2, 0},
		{"another file", "robots.txt", before, "b", "RX900", 2, 0},
		{"the same file by another name", "./sub/../sub/robots.txt", before, "b", "RX900", 0, 2},
	} {
		unknown, known := b.Unknown(tt.file, []byte(tt.body), findLine(tt.body, tt.text, tt.code))
		if len(unknown) != tt.unknown || known != tt.known {
			t.Errorf("%s: %d unknown, %d known: want %d, %d", tt.what, len(unknown), known, tt.unknown, tt.known)
		}
	}
	if unknown, _ := b.Unknown("sub/robots.txt", []byte("other\n"), []lint.Finding{whole}); len(unknown) != 0 {
		t.Error("a finding about the whole file depends on the first line")
	}
}

// TestBaselineGone counts the known findings that are fixed.
func TestBaselineGone(t *testing.T) {
	const body = "a\na\nb\n"
	b, err := report.NewBaseline(filepath.Join(t.TempDir(), "base.json"))
	if err != nil {
		t.Fatal(err)
	}
	b.Set("-", []byte(body), append(findLine(body, "a", "RX900"), findLine(body, "b", "RX900")...))
	b.Unknown("-", []byte("a\n"), findLine("a\n", "a", "RX900"))
	if b.Gone != 2 {
		t.Errorf("%d are gone, want 2", b.Gone)
	}
	b.Set("-", nil, nil)
	if b.Len() != 0 {
		t.Errorf("%d findings are left", b.Len())
	}
}

// TestBaselinePrune: files that were removed are dropped, sites are not.
func TestBaselinePrune(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "robots.txt"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	b, err := report.NewBaseline(filepath.Join(folder, "base.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{filepath.Join(folder, "robots.txt"), filepath.Join(folder, "gone.txt"), "https://shop.example/robots.txt", "-"} {
		b.Set(name, nil, []lint.Finding{{Code: "RX900"}})
	}
	b.Prune()
	if b.Len() != 3 {
		t.Errorf("%d findings, want 3", b.Len())
	}
}

// TestBaselineText: a baseline has an order and names that do not depend on the system.
func TestBaselineText(t *testing.T) {
	folder := t.TempDir()
	b, err := report.NewBaseline(filepath.Join(folder, "ci", "base.json"))
	if err != nil {
		t.Fatal(err)
	}
	b.Set(filepath.Join(folder, "public", "robots.txt"), []byte("a\n"), findLine("a\n", "a", "RX900"))
	text, err := b.Text()
	if err != nil {
		t.Fatal(err)
	}
	want := `{
  "schema": 1,
  "files": {
    "../public/robots.txt": {
      "RX900": {
        "ca978112ca1bbdca": 1
      }
    }
  }
}
`
	if string(text) != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
}

func TestBaselineParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                          "is not a baseline: it ends too early",
		"[]":                        "is not a baseline: ",
		`{"schema":2,"files":{}}`:   "is a baseline of another version: 2",
		`{"schema":1,"file":{}}`:    `unknown field "file"`,
		`{"schema":1,"files":{}} x`: "there is text after it",
	} {
		if _, err := report.ParseBaseline("base.json", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	if b, err := report.ParseBaseline("base.json", []byte(`{"schema":1,"files":null}`)); err != nil {
		t.Error(err)
	} else {
		b.Set("-", nil, []lint.Finding{{Code: "RX900"}})
	}
}
