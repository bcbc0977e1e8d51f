package report

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/lint"
)

// gitLabReport prints findings as a Code Quality report of GitLab: a JSON array, which
// is printed while files are checked.
type gitLabReport struct {
	out     *bufio.Writer
	started bool
}

// gitLabIssue is an element of the array. GitLab requires all of these fields.
type gitLabIssue struct {
	Description string         `json:"description"`
	CheckName   string         `json:"check_name"`
	Fingerprint string         `json:"fingerprint"` // unique in the report
	Severity    string         `json:"severity"`
	Location    gitLabLocation `json:"location"`
}

type gitLabLocation struct {
	Path  string      `json:"path"` // relative to the root of the repository
	Lines gitLabLines `json:"lines"`
}

type gitLabLines struct {
	Begin int `json:"begin"`
}

var gitLabSeverities = map[lint.Severity]string{lint.Error: "major", lint.Warning: "minor", lint.Info: "info"}

func (r *gitLabReport) File(in *File) error {
	path, ok := repositoryPath(in.Name)
	if !ok {
		path = in.Name // GitLab shows it, but cannot link to it
	}
	path = term.Escape(path)
	digests := lineDigests(in.Body, in.Findings)
	for i := range in.Findings {
		f := &in.Findings[i]
		if err := r.issue(path, f.Code, f.Severity, f.Line, f.Message, digests[i].String()); err != nil {
			return err
		}
	}
	for _, c := range in.Counts {
		if c.Omitted > 0 {
			if err := r.issue(path, c.Code, c.Severity, 1, omitted(c), "omitted "+c.Severity.String()); err != nil {
				return err
			}
		}
	}
	return nil
}

// issue prints an element. No other element has the same path, code and digest.
func (r *gitLabReport) issue(path string, code lint.Code, severity lint.Severity, line int, text, digest string) error {
	sum := sha256.Sum256([]byte(path + "\x00" + string(code) + "\x00" + digest))
	if err := r.next(); err != nil {
		return err
	}
	return term.PrintJSON(r.out, gitLabIssue{
		Description: entryOf(code).Name + ": " + term.Escape(text),
		CheckName:   string(code), Fingerprint: hex.EncodeToString(sum[:16]), Severity: gitLabSeverities[severity],
		Location: gitLabLocation{path, gitLabLines{line}},
	})
}

func (r *gitLabReport) next() error {
	separator := ","
	if !r.started {
		separator, r.started = "[", true
	}
	_, err := r.out.WriteString(separator)
	return err
}

func (r *gitLabReport) End(bool, []error) error {
	text := "]\n"
	if !r.started {
		text = "[]\n"
	}
	_, err := r.out.WriteString(text)
	return err
}
