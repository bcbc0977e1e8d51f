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
	parts := audited(t, audit.Options{Questions: audit.Questions{Crawlers: crawlersOf(t, "GPTBot"), Exact: true}}, 0, sources)
	writeTables(t, parts, filepath.Dir(table), filepath.Base(table))
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
	program := pythonExample.FindStringSubmatch(readFile(t, "../../../docs/audit.md"))
	if program == nil {
		t.Fatal("docs/audit.md has no example for Python")
	}
	dir := t.TempDir()
	writeCrawlers(t, filepath.Join(dir, "crawlers.csv"), exampleLines)
	run := exec.Command(python, "-c", program[1])
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
	dir := t.TempDir()
	if err := os.Symlink(filepath.Join(folder, "node_modules"), filepath.Join(dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
	writeCrawlers(t, filepath.Join(dir, "crawlers-1.parquet"), exampleLines)
	writeCrawlers(t, filepath.Join(dir, "crawlers-2.parquet"), `{"host": "c.example", "body": "User-agent: *\nDisallow: /\n"}`+"\n")
	arguments := []string{"--input-type=module", "-e", queries}
	for _, example := range sqlExample.FindAllStringSubmatch(readFile(t, "../../../docs/audit.md"), -1) {
		arguments = append(arguments, example[1])
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
