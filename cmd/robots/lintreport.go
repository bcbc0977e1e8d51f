package main

import (
	"bufio"
	"errors"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/findings"
	"github.com/kosterhq/robotstxt/cmd/internal/report"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/lint"
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

// reporter returns the reporter in the format of the flags. With a diff or a fixed
// standard input, standard output contains nothing else.
func (l *linting) reporter(t *term.Terminal, out *bufio.Writer, args []string) report.Reporter {
	config := report.Config{Format: report.Format(l.format), Out: out, Palette: t.Palette(), Version: build().version}
	switch {
	case l.quiet, l.write:
		return noReport{}
	case l.counts:
		return report.NewStatistics(config)
	case l.diff, l.fixes() && slices.Contains(args, "-"):
		return countReport{t}
	default:
		return report.New(config)
	}
}

// noReport prints nothing.
type noReport struct{}

func (noReport) File(*report.File) error { return nil }
func (noReport) End(bool, []error) error { return nil }

// countReport prints the number of findings as a note.
type countReport struct{ t *term.Terminal }

func (r countReport) File(in *report.File) error {
	n := 0
	for _, c := range in.Counts {
		n += c.Found
	}
	if n > 0 {
		r.t.Note("%s: %s", term.Source(in.Name), term.Count(n, "finding", "findings"))
	}
	return nil
}

func (countReport) End(bool, []error) error { return nil }

// about adds a file's name to an error about it.
func about(name string, err error) error {
	if f := (*term.Error)(nil); errors.As(err, &f) {
		return &term.Error{Message: term.Source(name) + ": " + f.Message, Hint: f.Hint}
	}
	return err
}

// catalogue lists all kinds of findings, or describes one.
func (l *linting) catalogue(t *term.Terminal, args []string) error {
	switch {
	case len(args) > 0:
		return term.Errorf("leave out the files, or the flag", "--list and --explain check no files, so %q has no effect", args[0])
	case l.list && l.explain != "":
		return term.Errorf("leave one of them out", "--list prints all kinds of findings, --explain one")
	case l.format != "" && report.Format(l.format) != report.Text && report.Format(l.format) != report.JSON:
		return term.Errorf("use text or json", "--list and --explain print no findings, so --format %s is not possible", l.format)
	}
	entries := lint.Catalogue()
	if l.explain != "" {
		code, err := findings.CodeNamed(l.explain)
		if err != nil {
			return term.Errorf("", "--explain: %v", err)
		}
		entry, _ := lint.About(code)
		entries = []lint.Entry{entry}
	}
	out, p := bufio.NewWriter(t.Out), t.Palette()
	var err error
	for _, e := range entries {
		switch {
		case report.Format(l.format) == report.JSON:
			err = term.PrintJSON(out, report.WireEntry(e))
		case l.list:
			err = report.EntryLine(out, p, e)
		default:
			err = report.Entry(out, p, e)
		}
		if err != nil {
			return term.WriteError(err)
		}
	}
	return term.WriteError(out.Flush())
}
