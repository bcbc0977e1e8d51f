package crawlers_test

import (
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
	all := slices.Collect(crawlers.All())
	verified := slices.DeleteFunc(slices.Clone(all), func(c crawlers.Crawler) bool { return !c.Verified })
	others := slices.DeleteFunc(slices.Clone(all), func(c crawlers.Crawler) bool { return c.Verified })
	var b strings.Builder
	fmt.Fprintf(&b, pageHead, crawlers.Version(), len(all), len(verified), count(all, func(c crawlers.Crawler) bool { return len(crawlers.Claims(c.Token)) > 0 }), unknowns(all))
	b.WriteString("\n## Verified with the operator's documentation\n\n")
	table(&b, verified)
	b.WriteString("\n## Not verified\n\n")
	table(&b, others)
	return b.String()
}

const pageHead = `# Crawlers

The known crawlers, version %s of the data: %d product tokens, %d of them verified with texts of the operator, %d with at
least one source. Unknown: %s.

- ` + "`robots crawlers NAME`" + ` shows everything about a crawler, with the sources and quotes.
- ` + "`robots crawlers --purpose ai-training`" + ` lists those with a purpose, ` + "`--format csv`" + ` as CSV, ` + "`--json`" + ` as JSON.
- ` + "`robots crawlers --purpose ai-training --robots`" + ` prints a group that blocks them, ` + "`--robots --allow`" + ` one that allows them.
- [crawlers.json](../crawlers/crawlers.json) has the data for programs,
  [crawlers.schema.json](../crawlers/crawlers.schema.json) their JSON Schema.

To correct an entry, edit ` + "`crawlers/crawlers.json`" + ` and run ` + "`go generate ./crawlers`" + `, which writes this file and
` + "`rows.go`" + `; tests fail if they are out of date. Write *unknown* where no source says. Give for each fact the address of the
text, its date, and the passage.

` + "`go run ./crawlers/compare CHECKOUT`" + ` compares the data with a checkout of ai-robots-txt/ai.robots.txt, and
` + "`go test ./crawlers -run TestStale -v`" + ` lists the entries that were not checked for 180 days.

| column | meaning |
|---|---|
| obeys | *all*: the groups with its token, or else those for ` + "`*`" + `. *named*: only the groups with its token. *none*: it need not obey robots.txt |
| falls back to | the tokens whose groups it obeys if no group has its own |
| other lines | the lines that it obeys, and those that it does not obey. No source says anything about other lines |
| seen | the date of the oldest text that names the crawler, such as its addition to a public list, and of the newest text of the operator, or such an addition, that describes it as in use |
| source | the first one, and when the entry was last compared with its sources |

## Open questions

- Whether GoogleOther-Image and GoogleOther-Video fall back to GoogleOther. Google writes that some of its crawlers have more
  than one token; the copies that were read do not say which tokens these two have.
- xAI documents no crawler. The tokens xAI-Bot and Grok-DeepSearch are from other sites; so are their purposes.
- ByteDance documents neither what Bytespider is for nor whether it obeys robots.txt.
- Many sources were read in copies, some of them by third parties. A date is that of the text, or else of the copy.
`

// table writes the crawlers as a table.
func table(b *strings.Builder, list []crawlers.Crawler) {
	b.WriteString("| token | operator | purposes | obeys | falls back to | other lines | seen | source |\n|---|---|---|---|---|---|---|---|\n")
	for _, c := range list {
		source := crawlers.Unknown
		if claims := crawlers.Claims(c.Token); len(claims) > 0 {
			source = fmt.Sprintf("[%s](%s), %s", claims[0].Date, claims[0].URL, c.Checked)
		}
		fmt.Fprintf(b, "| `%s`%s | %s | %s | %s | %s | %s | %s to %s | %s |\n", c.Token, remark(c), c.Operator, purposesOf(c), c.Obeys,
			strings.Join(c.Fallbacks, ", "), otherLines(c), c.FirstSeen, c.LastSeen, source)
	}
}

func count(list []crawlers.Crawler, has func(crawlers.Crawler) bool) (n int) {
	for _, c := range list {
		if has(c) {
			n++
		}
	}
	return n
}

// unknowns says how often each field is unknown.
func unknowns(all []crawlers.Crawler) string {
	var texts []string
	for _, field := range []struct {
		name  string
		value func(crawlers.Crawler) string
	}{
		{"operator", func(c crawlers.Crawler) string { return c.Operator }},
		{"purposes", func(c crawlers.Crawler) string { return string(c.Purposes[0]) }},
		{"obeys", func(c crawlers.Crawler) string { return string(c.Obeys) }},
		{"status", func(c crawlers.Crawler) string { return string(c.Status) }},
		{"Crawl-delay", func(c crawlers.Crawler) string { return string(c.Extension("Crawl-delay")) }},
		{"first seen", func(c crawlers.Crawler) string { return c.FirstSeen }},
		{"last seen", func(c crawlers.Crawler) string { return c.LastSeen }},
	} {
		n := count(all, func(c crawlers.Crawler) bool { return field.value(c) == crawlers.Unknown })
		texts = append(texts, fmt.Sprintf("%s %d", field.name, n))
	}
	return strings.Join(texts, ", ")
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
	case c.Status == crawlers.Retired:
		return ", retired"
	default:
		return ""
	}
}

func otherLines(c crawlers.Crawler) string {
	var lines []string
	for _, key := range slices.Sorted(maps.Keys(c.Extensions)) {
		switch c.Extensions[key] {
		case crawlers.Yes:
			lines = append(lines, key)
		case crawlers.No:
			lines = append(lines, "not "+key)
		}
	}
	return strings.Join(lines, ", ")
}
