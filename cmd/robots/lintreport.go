package main

import (
	"bufio"
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
	"github.com/kosterhq/robotstxt/lint"
)

// reporter prints what was found, file by file.
type reporter interface {
	file(*linted) error
	// end is called once, with what could not be checked.
	end(trouble []error) error
}

// reportFormat is the value of --format.
type reportFormat string

const (
	reportAsText   reportFormat = "text"
	reportAsJSON   reportFormat = "json"
	reportAsSARIF  reportFormat = "sarif"
	reportAsGitHub reportFormat = "github"
)

var reportFormats = []string{string(reportAsText), string(reportAsJSON), string(reportAsSARIF), string(reportAsGitHub)}

// String returns the format's name; the zero value is text.
func (f reportFormat) String() string {
	if f == "" {
		return string(reportAsText)
	}
	return string(f)
}

func (reportFormat) Type() string { return "string" }

func (f *reportFormat) Set(text string) error {
	if !slices.Contains(reportFormats, text) {
		return errors.New("want " + strings.Join(reportFormats, ", "))
	}
	*f = reportFormat(text)
	return nil
}

// reporter returns what reports as the flags say. A diff and a fixed standard
// input have standard output for themselves.
func (l *linting) reporter(t *term.Terminal, out *bufio.Writer, args []string) reporter {
	switch {
	case l.quiet:
		return noReport{}
	case l.diff, l.mends() && slices.Contains(args, "-"):
		return countReport{t}
	case l.format == reportAsJSON:
		return jsonReport{out}
	case l.format == reportAsSARIF:
		return newSARIFReport(out)
	case l.format == reportAsGitHub:
		return gitHubReport{out}
	default:
		return &textReport{out: out, palette: t.Palette()}
	}
}

// noReport prints nothing.
type noReport struct{}

func (noReport) file(*linted) error { return nil }
func (noReport) end([]error) error  { return nil }

// countReport tells beside the output how much was found.
type countReport struct{ t *term.Terminal }

func (r countReport) file(in *linted) error {
	if n := len(in.Findings); n > 0 {
		r.t.Note("%s: %s", shownName(in.File), count(n, "finding", "findings"))
	}
	return nil
}

func (countReport) end([]error) error { return nil }

// jsonReport prints an object for each file.
type jsonReport struct{ out *bufio.Writer }

func (r jsonReport) file(in *linted) error { return term.PrintJSON(r.out, wire.Line{Object: in}) }
func (jsonReport) end([]error) error       { return nil }

// shownName is the name of what is checked as people shall read it.
func shownName(name string) string {
	if name == "-" {
		return "standard input"
	}
	return term.Escape(name)
}

// about puts a file's name before an error about it.
func about(name string, err error) error {
	if f := (*term.Error)(nil); errors.As(err, &f) {
		return &term.Error{Message: shownName(name) + ": " + f.Message, Hint: f.Hint}
	}
	return err
}

// count writes a number with its noun.
func count(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return thousands(n) + " " + more
}

// thousands writes a number with commas.
func thousands(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// entryOf returns what the catalogue has about a code.
func entryOf(code lint.Code) lint.Entry {
	entry, _ := lint.About(code)
	return entry
}

// repositoryPath is a file's name as programs that show findings beside files
// know it: relative to the current folder where it is inside, with slashes. ok is
// false for what is no file.
func repositoryPath(name string) (path string, ok bool) {
	if name == "-" || isSiteURL(name) {
		return "", false
	}
	if filepath.IsAbs(name) {
		if here, err := filepath.Abs("."); err == nil {
			if inside, err := filepath.Rel(here, name); err == nil && filepath.IsLocal(inside) {
				name = inside
			}
		}
	}
	return filepath.ToSlash(filepath.Clean(name)), true
}
