package lint_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/internal/test/golden"
	"github.com/kosterhq/robotstxt/internal/test/witness"
	"github.com/kosterhq/robotstxt/lint"
)

//go:generate go test -run "TestPrevalence|TestCatalogueInDocs" -update .

var update = flag.Bool("update", false, "rewrite testdata/prevalence.txt and docs/lint.md")

const prevalenceFile = "testdata/prevalence.txt"

// prevalence is how many of a number of real files each code is found in, in
// profile Google; pedantic codes if they are requested.
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

// TestPrevalence counts how many real files have each finding, and compares the stored
// counts. No error and no warning may be in over half of the files: what most people do is
// hardly a mistake.
func TestPrevalence(t *testing.T) {
	t.Parallel()
	p := prevalence{with: map[lint.Code]int{}}
	bodies, _ := witness.Corpus(t)
	for _, body := range bodies {
		p.files++
		seen := map[lint.Code]bool{}
		for _, pedantic := range []bool{false, true} {
			for _, f := range lint.Check(body, lint.Config{Pedantic: pedantic}) {
				if e, _ := lint.About(f.Code); e.Pedantic == pedantic {
					seen[f.Code] = true
				}
			}
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
	golden.Check(t, *update, prevalenceFile, []byte(p.String()), "go generate ./lint with ROBOTSTXT_CORPUS set")
}

// TestCatalogueInDocs compares docs/lint.md with the catalogue.
func TestCatalogueInDocs(t *testing.T) {
	golden.Check(t, *update, "../docs/lint.md", []byte(catalogueText(readPrevalence(t))), "go generate ./lint")
}

func catalogueText(p prevalence) string {
	var b strings.Builder
	fmt.Fprintf(&b, `# What robots lint finds

robots lint has %d kinds of findings. %s writes this page from the linter's catalogue. A test checks that the page is up to
date, that each bad example has its finding, and that no good example does.

| severity | meaning |
|---|---|
| error | a line does not do what it says |
| warning | some crawlers do not read the file as it looks, or it probably does not do what its author wants |
| info | worth knowing; the file can be right |
| pedantic | an info that only --pedantic reports: the file is right, but unusual |

The severity is for profile google. If only another profile reports a finding, the table names that profile. The share is the
percentage of %d real files that have the finding in profile google.

The profiles are %s. Use production for a site that search engines should find: a closed site or home page is then an error,
blocked resources are a warning, and a missing Sitemap line is reported. Use staging for a site that they should not find: it
reports an open site.

Codes such as G26 are clauses of Google's parser, and Page is Google's documentation; [spec.md](spec.md) lists them. Koster is
Martijn Koster's 1996 draft. You need none of them to understand a finding.

[tool.md](tool.md#lint) describes the command: folders, settings, baselines, output formats and fixes.
[library.md](library.md#the-linter-for-editors) describes the packages.

A comment %s hides a finding on its line, or on the next line if the comment is alone on its line. You can write the name instead
of the code. %s hides the finding in the whole file.

`, len(lint.Catalogue()), "`go generate ./lint`", p.files, profileNames(), "`# robots-lint: ignore RX208`", "`# robots-lint: ignore-file RX208`")
	b.WriteString("| code | name | severity | share | problem |\n|---|---|---|---|---|\n")
	for _, e := range lint.Catalogue() {
		fmt.Fprintf(&b, "| [%s](#%s) | %s | %s | %s | %s |\n", e.Code, strings.ToLower(string(e.Code)), e.Name, severityText(e), share(p, e.Code), e.Title)
	}
	b.WriteString("\n## What hides what\n\nNo check knows another one. This table decides which findings are not reported because of others. Each code lists only the\nnarrow rows.\n\n| these | hide these | where | because |\n|---|---|---|---|\n")
	for _, e := range lint.Exceptions() {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", listOf(e.By), listOf(e.Hides), e.Place, e.Why)
	}
	for _, e := range lint.Catalogue() {
		fmt.Fprintf(&b, "\n## %s\n\n**%s** (%s, %s)\n\n%s %s\n", e.Code, e.Name, severityText(e), share(p, e.Code), e.Title, e.Why)
		b.WriteString(hiddenBy(e.Code))
		writeExample(&b, "Bad", e.Bad, e.Example)
		writeExample(&b, "Good", e.Good, goodConfig(e))
	}
	return b.String()
}

// many codes are hidden in a body that is not a robots.txt, and on the lines of a template.
const many = 45

// listOf returns codes in words; many of them by their first digit.
func listOf(codes []lint.Code) string {
	if len(codes) < many {
		return joined(codes)
	}
	var kinds []string
	for _, code := range codes {
		if kind := string(code[:3]) + "xx"; !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	return strings.Join(kinds, ", ")
}

func joined(codes []lint.Code) string {
	words := make([]string, len(codes))
	for i, code := range codes {
		words[i] = string(code)
	}
	return strings.Join(words, ", ")
}

// hiddenBy is a paragraph about the findings that hide those of a code, empty if none does.
func hiddenBy(code lint.Code) string {
	var parts []string
	for _, e := range lint.Exceptions() {
		others := slices.DeleteFunc(slices.Clone(e.By), func(by lint.Code) bool { return by == code })
		if slices.Contains(e.Hides, code) && len(others) > 0 && len(e.Hides) < many {
			parts = append(parts, joined(others)+" "+e.Place)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "\nHidden by " + strings.Join(parts, "; by ") + ".\n"
}

func profileNames() string {
	var names []string
	for _, profile := range lint.Profiles() {
		names = append(names, profile.String())
	}
	return strings.Join(names, ", ")
}

func severityText(e lint.Entry) string {
	switch {
	case e.Severity == lint.Off:
		return "in profile " + e.Example.Profile.String()
	case e.Pedantic:
		return "pedantic"
	}
	return e.Severity.String()
}

func share(p prevalence, code lint.Code) string {
	percent := 100 * float64(p.with[code]) / float64(p.files)
	switch {
	case percent == 0:
		return "none"
	case percent < 0.1:
		return "under 0.1%"
	}
	return fmt.Sprintf("%.1f%%", percent)
}

// writeExample shows an example, in Go's notation if it has bytes that a page cannot show.
func writeExample(b *strings.Builder, heading, body string, config lint.Config) {
	where := ""
	if config.URL != "" {
		where = ", at " + config.URL
	}
	if config.Served != nil {
		where += servedText(config.Served)
	}
	unwritable := func(r rune) bool { return r < ' ' && r != '\n' || r == '\uFEFF' || r == '\uFFFD' }
	if len(body) > 1000 || strings.ContainsFunc(body, unwritable) {
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

// servedText returns how the file of an example is served.
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
		text += fmt.Sprintf(", with %q at %s", v.Body, v.URL)
	}
	return text
}
