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

// TestCrawlersInDocs holds docs/crawlers.md against the data. "go generate
// ./crawlers" writes it anew.
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
		t.Errorf("%s is not what the data say: run go generate ./crawlers", name)
	}
}

// crawlersPage writes the data as two tables: what a text of the operator says,
// and what is generally known.
func crawlersPage() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Crawlers\n\n"+
		"What package `crawlers` knows, version %s. `go generate ./crawlers` writes this file from `crawlers/crawlers.json`,\n"+
		"and a test fails if it is stale. Correct the data there; `robots crawlers NAME` shows all of an entry.\n\n"+
		"**obeys**: *all*: the groups that name it, else those for `*`; *named*: only groups that name it; *none*: robots.txt\n"+
		"does not apply, or need not; empty: no source tells. **falls back to**: whose groups it obeys if none names it.\n"+
		"**other lines**: which it obeys, and which it does not; of others no source tells.\n", crawlers.Version())
	b.WriteString("\n## As their operators say\n\n| token | operator | purpose | obeys | falls back to | other lines | source |\n|---|---|---|---|---|---|---|\n")
	for c := range crawlers.All() {
		if c.Verified {
			fmt.Fprintf(&b, "| `%s`%s | %s | %s | %s | %s | %s | [%s](%s) |\n", c.Token, remark(c), c.Operator, c.Purpose, c.Obeys,
				strings.Join(c.Fallbacks, ", "), otherLines(c), cmp.Or(c.Sources[0].Date, "undated"), c.Sources[0].URL)
		}
	}
	b.WriteString("\n## Generally known, not verified\n\n| token | operator | purpose | obeys | falls back to |\n|---|---|---|---|---|\n")
	for c := range crawlers.All() {
		if !c.Verified {
			fmt.Fprintf(&b, "| `%s`%s | %s | %s | %s | %s |\n", c.Token, remark(c), c.Operator, c.Purpose, c.Obeys, strings.Join(c.Fallbacks, ", "))
		}
	}
	return b.String()
}

// remark says what is special about a token.
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
