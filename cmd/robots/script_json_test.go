package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

// Every line of JSON that the tool prints in a script is validated against the
// schema of package wire. The tool runs in a process of its own there, which writes
// the lines to a file for the test.

// checkedLinesVar is the variable that names the file.
const checkedLinesVar = "ROBOTS_TEST_LINES"

// longestRun is how long a scenario waits for the tool: a process that runs longer ends itself.
const longestRun = time.Minute

// checkedMain is main with a copy of standard output, if there is a file for its lines. A
// terminal is not copied, because the tool must recognise it as one.
func checkedMain() {
	if os.Getenv(checkedLinesVar) != "" {
		time.AfterFunc(longestRun, func() {
			fmt.Fprintf(os.Stderr, "robots: this process of a test has run for %s: it waits for what does not come\n", longestRun)
			os.Exit(3)
		})
	}
	var out io.Writer = os.Stdout
	checker := &lineChecker{out: os.Stdout}
	file := os.Getenv(checkedLinesVar)
	if file != "" && !term.IsTerminal(os.Stdout) {
		out = checker
	}
	code := run(context.Background(), os.Args[1:], os.Getenv, os.Stdin, out, os.Stderr)
	checker.save(file)
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

// save adds a line to a file for each JSON object. SARIF logs have a schema of their own, which
// other tests check, and messages of the language server are those of its protocol.
func (c *lineChecker) save(file string) {
	var lines strings.Builder
	for line := range bytes.Lines(c.text.Bytes()) {
		if !bytes.HasPrefix(line, []byte(`{"`)) || bytes.HasPrefix(line, []byte(`{"$schema":`)) || bytes.Contains(line, []byte(`"jsonrpc":`)) ||
			!bytes.HasSuffix(line, []byte("\n")) {
			continue
		}
		lines.Write(line)
	}
	if lines.Len() == 0 {
		return
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.WriteString(lines.String()) // in one call, as other processes write too
	}
	if err != nil {
		panic(err)
	}
}

// invalid compares JSON values with a schema, and returns what is wrong, by the index of a value.
func invalid(t *testing.T, schema string, values ...string) map[int]string {
	t.Helper()
	if len(values) == 0 {
		return nil
	}
	var lines, stderr bytes.Buffer
	for _, value := range values {
		if err := json.Compact(&lines, []byte(value)); err != nil {
			t.Fatalf("%v: %s", err, value)
		}
		lines.WriteByte('\n')
	}
	validate := exec.Command("go", "run", "./testdata/validate", schema)
	validate.Stdin, validate.Stderr = &lines, &stderr
	out, err := validate.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	wrong := make(map[int]string)
	for line := range strings.Lines(string(out)) {
		var index int
		var reason string
		if _, err := fmt.Sscanf(line, "%d\t%q", &index, &reason); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		wrong[index] = reason
	}
	return wrong
}

// reportCheckedLines reports invalid lines, and objects that no script has
// printed.
func reportCheckedLines(t *testing.T, file string) {
	text, err := os.ReadFile(file)
	// A field that only this object has.
	objects := map[string]string{
		`"group_line":`: "Answer", `"other_dialects":`: "Explanation", `"final_url":`: "Site", `"want_allowed":`: "Check",
		`"findings":`: "Findings", `"good":`: "CatalogueEntry", `"fixable":`: "Statistic", `"operator":`: "Crawler", `"event":`: "Event", `"expires":`: "CacheEntry", `"quarantined":`: "CacheStats",
		`"answers":`: "GridRow", `"agents":["`: "LineCount", `"unknown":`: "CrawlerCount", `,"site":"http`: "SiteCount", `"preferences":`: "AIView", `"missed":`: "Generated", `"differing":`: "Permit",
	}
	var values []string
	for line := range strings.Lines(string(text)) {
		values = append(values, line)
		for field := range objects {
			if strings.Contains(line, field) {
				delete(objects, field)
			}
		}
	}
	for i, reason := range invalid(t, filepath.Join("..", "internal", "inout", "wire", "schema.json"), values...) {
		t.Errorf("%s: %s", reason, values[i])
	}
	if all := flag.Lookup("test.run").Value.String()+flag.Lookup("test.skip").Value.String() == ""; all && (err != nil || len(objects) > 0) {
		t.Errorf("no script has printed these objects: %v (%v)", objects, err)
	}
	t.Logf("%d lines of JSON", strings.Count(string(text), "\n"))
}
