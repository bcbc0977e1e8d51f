package audit_test

import (
	"path/filepath"
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

// TestPandas runs the example of the documentation, where Python has pandas.
func TestPandas(t *testing.T) {
	program := examplestest.Blocks(t, "audit.md", "python")[0]
	out := examplestest.Pandas(t, program, func(dir string) { writeCrawlers(t, filepath.Join(dir, "crawlers.csv"), exampleLines) })
	if !strings.Contains(out, "GPTBot    0.5") {
		t.Error(out)
	}
}

// TestDuckDB runs the queries of the documentation on the tables of two shards.
func TestDuckDB(t *testing.T) {
	got, dir := examplestest.DuckDB(t, examplestest.Blocks(t, "audit.md", "sql"), func(dir string) {
		writeCrawlers(t, filepath.Join(dir, "crawlers-1.parquet"), exampleLines)
		writeCrawlers(t, filepath.Join(dir, "crawlers-2.parquet"), `{"host": "c.example", "body": "User-agent: *\nDisallow: /\n"}`+"\n")
	})
	if want := " GPTBot 1 1 3 █████████████▎      \n3\n"; got != want {
		t.Errorf("%s\nwant %q", got, want)
	}
	rows := 0
	if err := audit.ReadTable(filepath.Join(dir, "crawlers.parquet"), func(*audit.Crawler) error { rows++; return nil }); err != nil ||
		rows != 3 {
		t.Errorf("%d rows in the joined table, want 3 (%v)", rows, err)
	}
}
