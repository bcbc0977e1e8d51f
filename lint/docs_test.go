package lint_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/lint"
)

//go:generate go test -run "TestPrevalence|TestCatalogueInDocs" -update .

var update = flag.Bool("update", false, "write testdata/prevalence.txt and docs/lint.md anew")

// corpus returns the real robots.txt files in the folder that ROBOTSTXT_CORPUS
// names, and skips the test without it.
func corpus(t testing.TB) [][]byte {
	folder := os.Getenv("ROBOTSTXT_CORPUS")
	if folder == "" {
		t.Skip("ROBOTSTXT_CORPUS names no folder of real robots.txt files")
	}
	names, err := filepath.Glob(filepath.Join(folder, "*.txt"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no *.txt in ROBOTSTXT_CORPUS=%s (%v)", folder, err)
	}
	bodies := make([][]byte, len(names))
	for i, name := range names {
		if bodies[i], err = os.ReadFile(name); err != nil {
			t.Fatal(err)
		}
	}
	return bodies
}

const prevalenceFile = "testdata/prevalence.txt"

// prevalence is how many of a number of real files each code is found in, in
// profile Google.
type prevalence struct {
	files int
	with  map[lint.Code]int
}

func (p prevalence) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "files %d\n", p.files)
	for _, e := range lint.Catalogue() {
		fmt.Fprintf(&b, "%s %d\n", e.Code, p.with[e.Code])
	}
	return b.String()
}

func readPrevalence(t *testing.T) prevalence {
	t.Helper()
	text, err := os.ReadFile(prevalenceFile)
	if err != nil {
		t.Fatal(err)
	}
	p := prevalence{with: map[lint.Code]int{}}
	for l := range strings.Lines(string(text)) {
		name, count, _ := strings.Cut(strings.TrimSpace(l), " ")
		n, err := strconv.Atoi(count)
		if err != nil {
			t.Fatalf("%s: %q: want a code and a number", prevalenceFile, l)
		}
		if name == "files" {
			p.files = n
		} else {
			p.with[lint.Code(name)] = n
		}
	}
	return p
}

// TestPrevalence counts how many real files have each finding, and holds the
// stored counts to it. No finding of more than information may be in over half
// of the files: what most people do is no mistake of theirs.
func TestPrevalence(t *testing.T) {
	p := prevalence{with: map[lint.Code]int{}}
	for _, body := range corpus(t) {
		p.files++
		seen := map[lint.Code]bool{}
		for _, f := range lint.Check(body, lint.Config{}) {
			seen[f.Code] = true
		}
		for code := range seen {
			p.with[code]++
		}
	}
	for code, n := range p.with {
		if e, _ := lint.About(code); 2*n > p.files && e.Severity > lint.Info {
			t.Errorf("%s: a %s in %d of %d files", code, e.Severity, n, p.files)
		}
	}
	if *update {
		if err := os.WriteFile(prevalenceFile, []byte(p.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	stored, err := os.ReadFile(prevalenceFile)
	if err != nil {
		t.Fatal(err)
	}
	if string(stored) != p.String() {
		t.Errorf("%s is not what is found: run go generate ./lint with ROBOTSTXT_CORPUS set", prevalenceFile)
	}
}

// TestCatalogueInDocs holds docs/lint.md to the catalogue.
func TestCatalogueInDocs(t *testing.T) {
	const name = "../docs/lint.md"
	want := []byte(catalogueText(readPrevalence(t)))
	if *update {
		if err := os.WriteFile(name, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what the catalogue says: run go generate ./lint", name)
	}
}

func catalogueText(p prevalence) string {
	var b strings.Builder
	fmt.Fprintf(&b, `# What robots lint finds

%d kinds of findings. %s writes this page from the table that the linter uses. A test checks that the page is up to date, that each bad
example has its finding, and that each good example does not.

The severity is that of profile google; if only another profile reports a finding, the profile is named instead. An error means that a
line does not have the effect that it seems to have. A warning means that some crawlers may read the file differently than its author
expects. An info may be intended. The share is the percentage of %d real files that have the finding.

The profiles are %s. Profile production reports a closed site as an error, and profile staging an open site.

Clauses such as G26, of Google's parser, and Page, Google's documentation, are listed in [spec.md](spec.md). Koster is the first draft of
the protocol, of 1996.

A comment %s hides a finding on its line, or on the next line if the comment is alone on its line; %s hides it in the whole file.

`, len(lint.Catalogue()), "`go generate ./lint`", p.files, profileNames(), "`# robots-lint: ignore RX201`", "`# robots-lint: ignore-file RX201`")
	b.WriteString("| code | name | severity | share | what is wrong |\n|---|---|---|---|---|\n")
	for _, e := range lint.Catalogue() {
		fmt.Fprintf(&b, "| [%s](#%s) | %s | %s | %s | %s |\n", e.Code, strings.ToLower(string(e.Code)), e.Name, severityText(e), share(p, e.Code), e.Title)
	}
	for _, e := range lint.Catalogue() {
		fmt.Fprintf(&b, "\n## %s\n\n**%s** (%s, %s)\n\n%s %s\n", e.Code, e.Name, severityText(e), share(p, e.Code), e.Title, e.Why)
		writeExample(&b, "Bad", e.Bad, e.Example)
		mended := e.Example
		if e.GoodExample != nil {
			mended = *e.GoodExample
		}
		writeExample(&b, "Good", e.Good, mended)
	}
	return b.String()
}

func profileNames() string {
	var names []string
	for _, profile := range lint.Profiles() {
		names = append(names, profile.String())
	}
	return strings.Join(names, ", ")
}

func severityText(e lint.Entry) string {
	if e.Severity == lint.Off {
		return "in profile " + e.Example.Profile.String()
	}
	return e.Severity.String()
}

func share(p prevalence, code lint.Code) string {
	percent := 100 * float64(p.with[code]) / float64(p.files)
	switch {
	case percent == 0:
		return "none"
	case percent < 0.1:
		return "under 0.1 %"
	}
	return fmt.Sprintf("%.1f %%", percent)
}

// writeExample quotes what a page cannot show.
func writeExample(b *strings.Builder, heading, body string, config lint.Config) {
	where := ""
	if config.URL != "" {
		where = ", at " + config.URL
	}
	if config.Served != nil {
		where += servedText(config.Served)
	}
	if len(body) > 1000 || strings.ContainsFunc(body, func(r rune) bool { return r < ' ' && r != '\n' || r == '\uFEFF' || r == '\uFFFD' }) {
		if len(body) > 300 {
			body = body[:300]
			where += ", in Go's notation, the beginning"
		} else {
			where += ", in Go's notation"
		}
		body = fmt.Sprintf("%q", body)
	}
	if body == "" {
		fmt.Fprintf(b, "\n%s%s: an empty file.\n", heading, where)
		return
	}
	fmt.Fprintf(b, "\n%s%s:\n\n```text\n%s\n```\n", heading, where, strings.TrimSuffix(body, "\n"))
}

// servedText says how the file of an example is served.
func servedText(s *lint.Served) string {
	if s.Status == 0 {
		return fmt.Sprintf(", not served (%s)", s.Fault)
	}
	text := fmt.Sprintf(", served with status %d as %s", s.Status, s.ContentType)
	if s.URL != "" {
		text += " from " + s.URL
	}
	if s.Truncated {
		text += ", and read in part"
	}
	for _, v := range s.Variants {
		text += fmt.Sprintf(", beside %q at %s", v.Body, v.URL)
	}
	return text
}
