// Package report prints findings and comparisons as text, JSON, SARIF, JUnit and GitHub
// annotations, to the caller's writer. It recognises findings of earlier runs, even after
// their lines have moved.
package report

import (
	"bufio"
	"path/filepath"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/lint"
)

// File is a checked robots.txt.
type File struct {
	Name    string // the path as given, "-" for standard input, or the URL of the robots.txt
	Body    []byte
	Profile lint.Profile
	lint.Report
	Known int // findings of a baseline, which are not in Findings
	// reports whether a finding of a severity fails the run; nil means that each one does
	Fails func(lint.Severity) bool

	Fixed    int             // fixes made
	Mended   []wire.Mended   // mending fixes that were made
	NotFixed []wire.NotFixed // plain fixes that were not made
	Changes  []wire.Change   // changes of verdicts by the fixes
}

// Reporter prints findings file by file.
type Reporter interface {
	File(*File) error
	// End is called once. complete is true if every file could be checked; trouble has
	// the errors of those that could not.
	End(complete bool, trouble []error) error
}

// Format is an output format of findings.
type Format string

// The formats.
const (
	Text   Format = "text"   // for terminals
	JSON   Format = "json"   // an object of package wire for each file
	SARIF  Format = "sarif"  // one log at the end
	GitHub Format = "github" // the annotations of a workflow
	GitLab Format = "gitlab" // a Code Quality report
	JUnit  Format = "junit"  // one report at the end
)

// Formats returns the names of all formats, the default first.
func Formats() []string {
	return []string{string(Text), string(JSON), string(SARIF), string(GitHub), string(GitLab), string(JUnit)}
}

// Config configures the output.
type Config struct {
	Format  Format        // default: Text
	Out     *bufio.Writer // the caller flushes it
	Palette term.Palette  // of Text
	Version string        // the tool's version, in SARIF
	Screen  int           // the columns of NewSummary; 0 means any number
}

// New returns a reporter.
func New(config Config) Reporter {
	switch config.Format {
	case JSON:
		return jsonReport{config.Out}
	case SARIF:
		return newSARIF(config)
	case GitHub:
		return gitHubReport{config.Out}
	case GitLab:
		return &gitLabReport{out: config.Out}
	case JUnit:
		return newJUnit(config.Out)
	default:
		return &textReport{out: config.Out, palette: config.Palette}
	}
}

type jsonReport struct{ out *bufio.Writer }

func (r jsonReport) File(in *File) error {
	w := WireFindings(in.Name, in.Profile, in.Report)
	w.Known, w.Fixed, w.Mended, w.NotFixed, w.Changes = in.Known, in.Fixed, in.Mended, in.NotFixed, in.Changes
	return term.PrintJSON(r.out, w)
}

func (jsonReport) End(bool, []error) error { return nil }

// omitted returns a text about the findings of a code that are counted but not
// reported, such as "and 12 more; --all shows them".
func omitted(c lint.Count) string { return omittedCount(c) + "; --all shows them" }

// omittedCount counts the findings of a code that are not reported. They are more only if others are.
func omittedCount(c lint.Count) string {
	if c.Omitted == c.Found {
		return term.Count(c.Omitted, "finding", "findings")
	}
	return "and " + term.Thousands(c.Omitted) + " more"
}

func entryOf(code lint.Code) lint.Entry {
	entry, _ := lint.About(code)
	return entry
}

// repositoryPath returns a file's name for programs that show findings in files:
// relative to the current folder if it is inside, with slashes. ok is false if the name
// is not a file name.
func repositoryPath(name string) (path string, ok bool) {
	if !isPath(name) {
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
