package main

import (
	"bufio"
	"errors"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/report"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
)

// reportFormat is the value of --format.
type reportFormat report.Format

// String returns the format's name; the zero value is text.
func (f reportFormat) String() string {
	if f == "" {
		return string(report.Text)
	}
	return string(f)
}

func (reportFormat) Type() string { return "string" }

func (f *reportFormat) Set(text string) error {
	if !slices.Contains(report.Formats(), text) {
		return errors.New("want " + strings.Join(report.Formats(), ", "))
	}
	*f = reportFormat(text)
	return nil
}

// reporter returns what reports as the flags say. A diff and a fixed standard
// input have standard output for themselves.
func (l *linting) reporter(t *term.Terminal, out *bufio.Writer, args []string) report.Reporter {
	switch {
	case l.quiet:
		return noReport{}
	case l.diff, l.mends() && slices.Contains(args, "-"):
		return countReport{t}
	default:
		return report.New(report.Config{
			Format: report.Format(l.format), Out: out, Palette: t.Palette(), Version: build().version, Markdown: sarifMarkdown,
		})
	}
}

// noReport prints nothing.
type noReport struct{}

func (noReport) File(*report.File) error { return nil }
func (noReport) End(bool, []error) error { return nil }

// countReport tells beside the output how much was found.
type countReport struct{ t *term.Terminal }

func (r countReport) File(in *report.File) error {
	if n := len(in.Findings); n > 0 {
		r.t.Note("%s: %s", term.Source(in.Name), term.Count(n, "finding", "findings"))
	}
	return nil
}

func (countReport) End(bool, []error) error { return nil }

// about puts a file's name before an error about it.
func about(name string, err error) error {
	if f := (*term.Error)(nil); errors.As(err, &f) {
		return &term.Error{Message: term.Source(name) + ": " + f.Message, Hint: f.Hint}
	}
	return err
}
