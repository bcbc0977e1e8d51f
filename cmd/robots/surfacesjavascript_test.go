package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"iter"
	"os"
	"os/exec"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/test/surfaces"
)

// askScript puts the questions about files to a program in another language: JSON lines on
// its standard input, of which the first has all files. It yields each with the line that answers it.
func (v *verify) askScript(script *exec.Cmd) iter.Seq2[*surfaces.Question, []byte] {
	v.t.Helper()
	var asked []*surfaces.Question
	var lines bytes.Buffer
	out := json.NewEncoder(&lines)
	files := make(map[string][]byte) // by the name of the case
	for _, c := range surfaces.Cases() {
		files[c.Name] = c.Body
	}
	if err := out.Encode(files); err != nil {
		v.t.Fatal(err)
	}
	for _, q := range surfaces.Questions(3) {
		switch {
		case !hasFile(q.Case):
			v.leave(1, noStatus)
			continue
		case !long && len(asked) == 8000:
			v.leave(1, tooSlow)
			continue
		}
		asked = append(asked, q)
		if err := out.Encode(q); err != nil {
			v.t.Fatal(err)
		}
	}
	script.Stdin, script.Stderr = &lines, os.Stderr
	answers, err := script.Output()
	if err != nil {
		v.t.Fatal(err)
	}
	return func(yield func(*surfaces.Question, []byte) bool) {
		scanner := bufio.NewScanner(bytes.NewReader(answers))
		for _, q := range asked {
			if !scanner.Scan() {
				v.t.Fatal("answers are missing")
			}
			if !yield(q, scanner.Bytes()) {
				return
			}
		}
	}
}

// TestJavaScript puts the questions to the npm package in Node: to its engine and its core, and to the
// calls of robots-parser, which have strings for files and one token for a crawler, no
// dialects, no documented fallbacks, and no limit of a file.
func TestJavaScript(t *testing.T) {
	npm := os.Getenv("ROBOTSTXT_NPM")
	if npm == "" {
		t.Skip("set ROBOTSTXT_NPM to the folder npm, once it is built")
	}
	engine, parser := &verify{t: t, name: "engine"}, &verify{t: t, name: "robots-parser"}
	script := exec.Command("node", "test/surfaces.mjs")
	script.Dir = npm
	for q, line := range engine.askScript(script) {
		got := decode[struct{ Engine, Core, Check, Parser *surfaces.Answer }](t, line)
		want := q.Text()
		engine.is(q, *got.Engine, want)
		engine.is(q, *got.Core, want)
		engine.is(q, *got.Check, want)
		if reason := notParser(q); reason != "" {
			parser.leave(1, reason)
			continue
		}
		if want.Verdict == "unknown" { // as its README says, the groups for "*" apply
			star := *q
			star.Agent = "*"
			want = star.Text()
		}
		parser.is(q, *got.Parser, want)
	}
	engine.log()
	parser.log()
	if engine.n < atLeast || parser.n < 1000 {
		t.Error("too few questions")
	}
}

// notParser returns why the calls of robots-parser cannot put a question, or "".
func notParser(q *surfaces.Question) string {
	reading, ok := crawlers.ReadingOf(q.Tokens()...)
	switch {
	case q.Dialect != nil:
		return "there are no dialects"
	case !utf8.Valid(q.Body):
		return "a file is a string"
	case !strings.Contains(q.URL, "://"):
		return "a URL without two slashes after the scheme is relative, as for robots-parser"
	case q.Name == "truncated":
		return "there is no limit of a file"
	case ok && (len(reading.Tokens) > 1 || reading.NamedOnly), len(q.Tokens()) > 1:
		return "a crawler is one token, without documented fallbacks"
	default:
		return ""
	}
}
