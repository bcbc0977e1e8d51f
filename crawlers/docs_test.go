package crawlers_test

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/crawlers"
)

// TestCrawlersInDocs checks that docs/crawlers.md is up to date. "go generate
// ./crawlers" writes it.
func TestCrawlersInDocs(t *testing.T) {
	const name = "../docs/crawlers.md"
	want := crawlersPage()
	if *update {
		if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is out of date: run go generate ./crawlers", name)
	}
}

// crawlersPage returns the data as two tables: verified entries and others.
func crawlersPage() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Crawlers\n\n"+
		"The known crawlers, version %s of the data. `robots crawlers NAME` shows everything about one of them. To correct\n"+
		"an entry, edit `crawlers/crawlers.json` and run `go generate ./crawlers`, which writes this file; a test fails if it\n"+
		"is out of date.\n\n"+
		"| column | meaning |\n|---|---|\n"+
		"| obeys | *all*: the groups with its token, or else those for `*`. *named*: only the groups with its token. *none*: it need not obey robots.txt. Empty: no source says |\n"+
		"| falls back to | the tokens whose groups it obeys if no group has its own |\n"+
		"| other lines | the lines that it obeys, and those that it does not obey. No source says anything about other lines |\n", crawlers.Version())
	b.WriteString("\n## Verified with the operator's documentation\n\n| token | operator | purposes | obeys | falls back to | other lines | source |\n|---|---|---|---|---|---|---|\n")
	for c := range crawlers.All() {
		if c.Verified {
			fmt.Fprintf(&b, "| `%s`%s | %s | %s | %s | %s | %s | [%s](%s) |\n", c.Token, remark(c), c.Operator, purposesOf(c), c.Obeys,
				strings.Join(c.Fallbacks, ", "), otherLines(c), cmp.Or(c.Sources[0].Date, "undated"), c.Sources[0].URL)
		}
	}
	b.WriteString("\n## Not verified\n\n| token | operator | purposes | obeys | falls back to |\n|---|---|---|---|---|\n")
	for c := range crawlers.All() {
		if !c.Verified {
			fmt.Fprintf(&b, "| `%s`%s | %s | %s | %s | %s |\n", c.Token, remark(c), c.Operator, purposesOf(c), c.Obeys, strings.Join(c.Fallbacks, ", "))
		}
	}
	return b.String()
}

func purposesOf(c crawlers.Crawler) string {
	var names []string
	for _, purpose := range c.Purposes {
		names = append(names, string(purpose))
	}
	return strings.Join(names, ", ")
}

// remark returns special properties of a token.
func remark(c crawlers.Crawler) string {
	switch {
	case c.Control:
		return ", a control token"
	case len(c.Replacements) > 0:
		return ", retired, now " + strings.Join(c.Replacements, ", ")
	case c.Retired:
		return ", retired"
	default:
		return ""
	}
}

func otherLines(c crawlers.Crawler) string {
	var lines []string
	for _, key := range slices.Sorted(maps.Keys(c.Extensions)) {
		if c.Extensions[key] == crawlers.Yes {
			lines = append(lines, key)
		} else {
			lines = append(lines, "not "+key)
		}
	}
	return strings.Join(lines, ", ")
}
