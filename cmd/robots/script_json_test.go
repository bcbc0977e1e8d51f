package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

// Every line of JSON that the tool prints in a script is validated against the
// schema of package wire. The tool runs in a process of its own there, and writes
// the results to a file for the test.

// The variables that name the file and the schema.
const (
	checkedLinesVar = "ROBOTS_TEST_LINES"
	schemaVar       = "ROBOTS_TEST_SCHEMA"
)

// checked returns the variables for a process whose lines are written to a file.
func checked(t *testing.T, lines string) []string {
	t.Helper()
	schema, err := filepath.Abs(filepath.Join("..", "internal", "inout", "wire", "schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	return []string{schemaVar + "=" + schema, checkedLinesVar + "=" + lines}
}

// checkedMain is main with a copy of standard output, unless that is a terminal,
// which the tool must recognise as one.
func checkedMain() {
	var out io.Writer = os.Stdout
	checker := &lineChecker{out: os.Stdout}
	if !term.IsTerminal(os.Stdout) {
		out = checker
	}
	code := run(context.Background(), os.Args[1:], os.Getenv, os.Stdin, out, os.Stderr)
	checker.report(os.Getenv(checkedLinesVar))
	exit(code)
}

// lineChecker copies what is written to it.
type lineChecker struct {
	out  io.Writer
	text bytes.Buffer
}

func (c *lineChecker) Write(text []byte) (int, error) {
	c.text.Write(text)
	return c.out.Write(text)
}

// report adds a line to a file for each JSON object: "ok" or an error, and the
// object. SARIF logs have a schema of their own, which other tests check, and messages of the
// language server are those of its protocol.
func (c *lineChecker) report(file string) {
	var verdicts strings.Builder
	var schema *jsonschema.Schema
	for line := range bytes.Lines(c.text.Bytes()) {
		if !bytes.HasPrefix(line, []byte(`{"`)) || bytes.HasPrefix(line, []byte(`{"$schema":`)) || bytes.Contains(line, []byte(`"jsonrpc":`)) ||
			!bytes.HasSuffix(line, []byte("\n")) {
			continue
		}
		if schema == nil {
			schema = lineSchema()
		}
		verdict := "ok"
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
		if err == nil {
			err = schema.Validate(value)
		}
		if err != nil {
			verdict = fmt.Sprintf("%q: %q", os.Args, err.Error())
		}
		fmt.Fprintf(&verdicts, "%s\t%s", verdict, line)
	}
	if verdicts.Len() == 0 || file == "" {
		return
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.WriteString(verdicts.String()) // in one call, as other processes write too
	}
	if err != nil {
		panic(err)
	}
}

// lineSchema returns the schema of package wire.
func lineSchema() *jsonschema.Schema {
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	return compiler.MustCompile(os.Getenv(schemaVar))
}

// reportCheckedLines reports invalid lines, and objects that no script has
// printed.
func reportCheckedLines(t *testing.T, file string) {
	text, err := os.ReadFile(file)
	// A field that only this object has.
	objects := map[string]string{
		`"group_line":`: "Answer", `"other_dialects":`: "Explanation", `"final_url":`: "Site", `"want_allowed":`: "Check",
		`"findings":`: "Findings", `"good":`: "CatalogueEntry", `"fixable":`: "Statistic", `"operator":`: "Crawler", `"event":`: "Event", `"expires":`: "CacheEntry", `"quarantined":`: "CacheStats",
		`"answers":`: "GridRow", `"agents":["`: "LineCount", `"unknown":`: "CrawlerCount", `"preferences":`: "AIView", `"missed":`: "Generated", `"differing":`: "Permit",
	}
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "ok\t") {
			t.Error(line)
		}
		for field := range objects {
			if strings.Contains(line, field) {
				delete(objects, field)
			}
		}
	}
	if all := flag.Lookup("test.run").Value.String()+flag.Lookup("test.skip").Value.String() == ""; all && (err != nil || len(objects) > 0) {
		t.Errorf("no script has printed these objects: %v (%v)", objects, err)
	}
	t.Logf("%d lines of JSON", strings.Count(string(text), "\n"))
}
