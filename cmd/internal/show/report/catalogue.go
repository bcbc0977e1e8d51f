package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/lint"
)

// WireEntry returns the JSON form of a kind of finding.
func WireEntry(e lint.Entry) wire.CatalogueEntry {
	return wire.CatalogueEntry{
		Code: string(e.Code), Name: e.Name, Severity: e.Severity.String(), Pedantic: e.Pedantic, Title: e.Title,
		Why:     e.Why,
		Profile: e.Example.Profile.String(), Bad: e.Bad, Good: e.Good,
	}
}

// EntryLine prints a kind of finding on one line. The severity of a pedantic one is in
// brackets.
func EntryLine(out io.Writer, p term.Palette, e lint.Entry) error {
	severity := e.Severity.String()
	if e.Pedantic {
		severity = "(" + severity + ")"
	}
	_, err := fmt.Fprintf(out, "%s  %-7s  %s\n", p.Paint(term.Bold, string(e.Code)), severity, e.Title)
	return err
}

// Entry prints everything about a kind of finding.
func Entry(out io.Writer, p term.Palette, e lint.Entry) error {
	severity := e.Severity.String()
	switch {
	case e.Severity == lint.Off:
		severity = "off, except in some profiles"
	case e.Pedantic:
		severity += ", only with --pedantic"
	}
	text := fmt.Sprintf("%s %s (%s)\n\n%s\n\n%s\n", p.Paint(term.Bold, string(e.Code)), e.Name, severity, wrap(e.Title), wrap(e.Why))
	eachExample(e, func(name string, lines []string) {
		text += fmt.Sprintf("\n%s:\n\n", name)
		for _, line := range lines {
			text += fmt.Sprintf("    %s\n", line)
		}
	})
	_, err := io.WriteString(out, text)
	return err
}

// eachExample yields the examples of an entry. There are none if the entry is about
// how a file is served.
func eachExample(e lint.Entry, do func(name string, lines []string)) {
	if e.Bad == e.Good {
		return
	}
	do("Instead of", exampleLines(e.Bad))
	do("write", exampleLines(e.Good))
}

// maxExampleLines is the number of lines shown of an example. Some examples have
// thousands.
const maxExampleLines = 12

func exampleLines(body string) (lines []string) {
	for line := range robotstxt.Lines([]byte(body)) {
		if len(lines) == maxExampleLines {
			return append(lines, "…")
		}
		if !answer.IsEnd(line) {
			lines = append(lines, term.Excerpt(string(bytes.TrimRight(line.Raw, "\r\n"))))
		}
	}
	return lines
}

// wrap breaks a text into lines of 80 columns.
func wrap(text string) string { return strings.Join(term.Wrap(text, 80, ""), "\n") }

// markdown returns an entry with its examples in Markdown, in which lines that begin with four
// spaces are code.
func markdown(e lint.Entry) string {
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
