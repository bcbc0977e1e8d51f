package audit_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/audit"
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
	parts, err := audit.OpenParts(filepath.Join(dir, "parts"), audit.PartsConfig{})
	if err != nil {
		t.Fatal(err)
	}
	options := audit.Options{Questions: audit.Questions{Crawlers: crawlersOf(t, "GPTBot"), Exact: true}}
	if _, err := audit.Run(t.Context(), sources, parts, options); err != nil {
		t.Fatal(err)
	}
	if err := parts.WriteCrawlers(table); err != nil {
		t.Fatal(err)
	}
}

// pythonExample is the program in docs/audit.md.
var pythonExample = regexp.MustCompile("(?s)```python\n(.*?)```")

// TestPandas runs the example of the documentation, where Python has pandas.
func TestPandas(t *testing.T) {
	python := ""
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(name, "-c", "import pandas").Run() == nil {
			python = name
			break
		}
	}
	if python == "" {
		t.Skip("NOT TESTED: there is no Python with pandas (Debian: python3-pandas)")
	}
	text, err := os.ReadFile("../../../docs/audit.md")
	if err != nil {
		t.Fatal(err)
	}
	program := pythonExample.FindSubmatch(text)
	if program == nil {
		t.Fatal("docs/audit.md has no example for Python")
	}
	dir := t.TempDir()
	writeCrawlers(t, filepath.Join(dir, "crawlers.csv"), exampleLines)
	run := exec.Command(python, "-c", string(program[1]))
	run.Dir = dir
	out, err := run.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("GPTBot    0.5")) {
		t.Errorf("%v\n%s", err, out)
	}
}

// sqlExample is a query in docs/audit.md.
var sqlExample = regexp.MustCompile("(?s)```sql\n(.*?)```")

// queries runs the SQL statements of its arguments and prints the rows of each.
const queries = `
import { DuckDBInstance } from '@duckdb/node-api';
const connection = await (await DuckDBInstance.create()).connect();
for (const sql of process.argv.slice(1)) {
  const result = await connection.runAndReadAll(sql);
  for (const row of result.getRows()) console.log(row.join(' '));
}`

// TestDuckDB runs the queries of the documentation on the tables of two shards. It needs
// Node, and the package @duckdb/node-api in the folder of ROBOTSTXT_DUCKDB.
func TestDuckDB(t *testing.T) {
	folder := os.Getenv("ROBOTSTXT_DUCKDB")
	if folder == "" {
		t.Skip("NOT TESTED: ROBOTSTXT_DUCKDB is not set (a folder with npm's @duckdb/node-api)")
	}
	text, err := os.ReadFile("../../../docs/audit.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(filepath.Join(folder, "node_modules"), filepath.Join(dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
	writeCrawlers(t, filepath.Join(dir, "crawlers-1.parquet"), exampleLines)
	writeCrawlers(t, filepath.Join(dir, "crawlers-2.parquet"), `{"host": "c.example", "body": "User-agent: *\nDisallow: /\n"}`+"\n")
	arguments := []string{"--input-type=module", "-e", queries}
	for _, example := range sqlExample.FindAllSubmatch(text, -1) {
		arguments = append(arguments, string(example[1]))
	}
	node := exec.Command("node", arguments...)
	node.Dir = dir
	out, err := node.CombinedOutput()
	if want := " GPTBot 1 1 3 █████████████▎      \n3\n"; err != nil || string(out) != want {
		t.Errorf("%v\n%s\nwant %q", err, out, want)
	}
	rows := 0
	if err := audit.ReadTable(filepath.Join(dir, "crawlers.parquet"), func(*audit.Crawler) error { rows++; return nil }); err != nil || rows != 3 {
		t.Errorf("%d rows in the joined table, want 3 (%v)", rows, err)
	}
}
