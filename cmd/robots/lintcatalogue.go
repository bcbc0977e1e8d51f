package main

import (
	"bufio"
	"bytes"
	"fmt"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/lintconfig"
	"github.com/kosterhq/robotstxt/cmd/internal/report"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
	"github.com/kosterhq/robotstxt/lint"
)

// catalogue prints all kinds of findings, or all about one.
func (l *linting) catalogue(t *term.Terminal, args []string) error {
	switch {
	case len(args) > 0:
		return term.Errorf("leave out the files, or the flag", "with --list and --explain nothing is checked, so %q means nothing", args[0])
	case l.list && l.explain != "":
		return term.Errorf("leave one of them out", "--list prints all kinds of findings, --explain one")
	case report.Format(l.format) == report.SARIF || report.Format(l.format) == report.GitHub:
		return term.Errorf("it is printed as text or json", "--list and --explain find nothing, so --format %s has no place", l.format)
	}
	entries := lint.Catalogue()
	if l.explain != "" {
		code, err := lintconfig.CodeNamed(l.explain)
		if err != nil {
			return term.Errorf("", "--explain: %v", err)
		}
		entry, _ := lint.About(code)
		entries = []lint.Entry{entry}
	}
	out := bufio.NewWriter(t.Out)
	p := t.Palette()
	for _, e := range entries {
		switch {
		case report.Format(l.format) == report.JSON:
			if err := term.PrintJSON(out, wire.Line{Object: described(e)}); err != nil {
				return term.WriteError(err)
			}
		case l.list:
			fmt.Fprintf(out, "%s  %-7s  %s\n", p.Paint(term.Bold, string(e.Code)), e.Severity, e.Title)
		default:
			writeEntry(out, p, e)
		}
	}
	return term.WriteError(out.Flush())
}

// description is an entry of the catalogue in JSON.
type description struct {
	Code     lint.Code     `json:"code"`
	Name     string        `json:"name"`
	Severity lint.Severity `json:"severity"` // in profile google
	Title    string        `json:"title"`
	Why      string        `json:"why"`
	Profile  lint.Profile  `json:"profile"` // of the examples
	Bad      string        `json:"bad"`
	Good     string        `json:"good"`
}

func described(e lint.Entry) description {
	return description{e.Code, e.Name, e.Severity, e.Title, e.Why, e.Example.Profile, e.Bad, e.Good}
}

// writeEntry prints an entry for people.
func writeEntry(out *bufio.Writer, p term.Palette, e lint.Entry) {
	severity := e.Severity.String()
	if e.Severity == lint.Off {
		severity = "off, but for some profiles"
	}
	fmt.Fprintf(out, "%s %s (%s)\n\n%s\n\n%s\n", p.Paint(term.Bold, string(e.Code)), e.Name, severity, wrap(e.Title), wrap(e.Why))
	eachExample(e, func(name string, lines []string) {
		fmt.Fprintf(out, "\n%s:\n\n", name)
		for _, line := range lines {
			fmt.Fprintf(out, "    %s\n", line)
		}
	})
}

// eachExample yields the examples of an entry. Where they are equal, the entry is
// about how a file is served, and they would show nothing.
func eachExample(e lint.Entry, do func(name string, lines []string)) {
	if e.Bad == e.Good {
		return
	}
	do("Instead of", exampleLines(e.Bad))
	do("write", exampleLines(e.Good))
}

// mostExampleLines is how many lines of an example are shown. Some are about
// files of thousands.
const mostExampleLines = 12

// exampleLines returns the lines of an example as they can be shown.
func exampleLines(body string) (lines []string) {
	for line := range robotstxt.Lines([]byte(body)) {
		if len(lines) == mostExampleLines {
			return append(lines, "…")
		}
		if !answer.IsEnd(line) {
			lines = append(lines, term.Clip(term.Escape(head(bytes.TrimRight(line.Raw, "\r\n"))), widestExcerpt))
		}
	}
	return lines
}

// wrap breaks a text into lines of 80 columns.
func wrap(text string) string {
	const width = 80
	var b strings.Builder
	column := 0
	for i, word := range strings.Fields(text) {
		switch {
		case i == 0:
		case column+1+term.Width(word) > width:
			b.WriteByte('\n')
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += term.Width(word)
	}
	return b.String()
}

// sarifMarkdown is an entry with its examples. Lines that begin with blanks are
// code whatever they hold.
func sarifMarkdown(e lint.Entry) string {
	var b strings.Builder
	b.WriteString(e.Title + "\n\n" + e.Why + "\n")
	eachExample(e, func(name string, lines []string) {
		b.WriteString("\n" + name + ":\n\n")
		for _, line := range lines {
			b.WriteString("    " + line + "\n")
		}
	})
	return b.String()
}
