// Package examplestest runs the programs and queries in docs/ that read tables.
package examplestest

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// Blocks returns the code blocks of a language in a page of docs/. The test that calls it is
// in a folder of cmd/internal/many.
func Blocks(t *testing.T, page, language string) (blocks []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../../../docs", page))
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		blocks = append(blocks, block[1])
	}
	if blocks == nil {
		t.Fatalf("docs/%s has no example in %s", page, language)
	}
	return blocks
}

// Pandas returns the output of a program in Python with pandas, run in a folder that write
// fills. It skips the test where no Python has pandas.
func Pandas(t *testing.T, program string, write func(dir string)) string {
	t.Helper()
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
	dir := t.TempDir()
	write(dir)
	return output(t, dir, exec.Command(python, "-c", program))
}

// queries runs the SQL statements of its arguments and prints the rows of each.
const queries = `
import { DuckDBInstance } from '@duckdb/node-api';
const connection = await (await DuckDBInstance.create()).connect();
for (const sql of process.argv.slice(1)) {
  const result = await connection.runAndReadAll(sql);
  for (const row of result.getRows()) console.log(row.join(' '));
}`

// DuckDB returns the rows of SQL statements, run in a folder that write fills, and the folder.
// It needs Node, and the package @duckdb/node-api in the folder of ROBOTSTXT_DUCKDB, and skips
// the test without that variable.
func DuckDB(t *testing.T, statements []string, write func(dir string)) (rows, dir string) {
	t.Helper()
	folder := os.Getenv("ROBOTSTXT_DUCKDB")
	if folder == "" {
		t.Skip("NOT TESTED: ROBOTSTXT_DUCKDB is not set (a folder with npm's @duckdb/node-api)")
	}
	dir = t.TempDir()
	if err := os.Symlink(filepath.Join(folder, "node_modules"), filepath.Join(dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
	write(dir)
	return output(t, dir, exec.Command("node", append([]string{"--input-type=module", "-e", queries}, statements...)...)), dir
}

func output(t *testing.T, dir string, run *exec.Cmd) string {
	t.Helper()
	run.Dir = dir
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}
