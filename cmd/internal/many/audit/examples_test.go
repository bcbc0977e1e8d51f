package audit_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
	"github.com/kosterhq/robotstxt/cmd/internal/many/examplestest"
)

// exampleLines are two sites, of which one keeps out GPTBot by name.
const exampleLines = `{"host": "a.example", "body": "User-agent: GPTBot\nDisallow: /\n"}
{"host": "b.example", "body": ""}
`

// writeCrawlers audits NDJSON for GPTBot and writes the table of crawlers.
func writeCrawlers(t *testing.T, table, lines string) {
	t.Helper()
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "a.ndjson"), []byte(lines))
	sources, _ := openSources([]string{filepath.Join(dir, "a.ndjson")}, nil, audit.Config{})
	parts := audited(t, audit.Options{Questions: audit.Questions{Crawlers: crawlersOf(t, "GPTBot"), Exact: true}}, 0, sources)
	writeTables(t, parts, filepath.Dir(table), filepath.Base(table))
}

// writeSites audits inputs for GPTBot and writes the table of sites.
func writeSites(t *testing.T, table string, inputs ...string) *audit.Census {
	t.Helper()
	census := countedFor(t, audit.ByHost, "GPTBot", inputs...)
	if err := census.WriteSites([]string{table}, nil, nil); err != nil {
		t.Fatal(err)
	}
	return census
}

// TestPandas runs the example of the documentation, where Python has pandas.
func TestPandas(t *testing.T) {
	program := examplestest.Blocks(t, "audit.md", "python")[0]
	out := examplestest.Pandas(t, program, func(dir string) {
		writeFile(t, filepath.Join(dir, "a.ndjson"), []byte(exampleLines))
		writeFile(t, filepath.Join(dir, "b.ndjson"), []byte(strings.Split(exampleLines, "\n")[0]))
		writeSites(t, filepath.Join(dir, "sites.csv"), "old="+filepath.Join(dir, "a.ndjson"), "new="+filepath.Join(dir, "b.ndjson"))
	})
	for _, crawl := range []string{`new +GPTBot +1\.0`, `old +GPTBot +0\.5`} {
		if !regexp.MustCompile(crawl).MatchString(out) {
			t.Errorf("%s does not match\n%s", crawl, out)
		}
	}
}

// TestDuckDB runs the queries of the documentation: on the table of sites of a crawl with several captures of sites,
// with the counts of the crawl, and on the tables of two shards.
func TestDuckDB(t *testing.T) {
	const lines = exampleLines + `{"url": "https://c.example/robots.txt", "body": "User-agent: *\nDisallow: /\n"}
{"url": "http://c.example/robots.txt", "body": ""}
{"url": "https://d.example/robots.txt", "status": 301, "location": "https://a.example/robots.txt"}
{"url": "https://a.example/robots.txt", "body": "User-agent: GPTBot\nDisallow: /\n"}
{"url": "https://e.example/robots.txt", "status": 503}
{"url": "https://f.example/robots.txt", "status": 404}
`
	var c *audit.CrawlerCount
	got, dir := examplestest.DuckDB(t, examplestest.Blocks(t, "audit.md", "sql"), func(dir string) {
		writeCrawlers(t, filepath.Join(dir, "crawlers-1.parquet"), exampleLines)
		writeCrawlers(t, filepath.Join(dir, "crawlers-2.parquet"), `{"host": "c.example", "body": "User-agent: *\nDisallow: /\n"}`+"\n")
		input := filepath.Join(dir, "a.ndjson")
		writeFile(t, input, []byte(lines))
		c = writeSites(t, filepath.Join(dir, "sites.parquet"), input).Crawls()[0].Count(audit.CountConfig{}).Crawlers["GPTBot"]
	})
	want := fmt.Sprintf(" GPTBot %d %d %d %d ", c.Treatments[audit.ClosedByName],
		c.Treatments[audit.ClosedByFallback], c.Treatments[audit.ClosedByStar], c.WithRules())
	if !strings.Contains(got, want) || !strings.HasSuffix(got, "\n3\n") || want != " GPTBot 2 0 1 5 " {
		t.Errorf("%s\nwant %q", got, want)
	}
	rows := 0
	if err := audit.ReadTable(filepath.Join(dir, "crawlers.parquet"), func(*audit.Crawler) error { rows++; return nil }); err != nil ||
		rows != 3 {
		t.Errorf("%d rows in the joined table, want 3 (%v)", rows, err)
	}
}
