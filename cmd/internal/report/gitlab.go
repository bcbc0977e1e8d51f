package report

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"

	"github.com/kosterhq/robotstxt/cmd/internal/baseline"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
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
		path = term.Escape(in.Name) // GitLab shows it, but cannot link to it
	}
	digests := baseline.Digests(in.Body, in.Findings)
	for i := range in.Findings {
		f := &in.Findings[i]
		sum := sha256.Sum256([]byte(path + "\x00" + string(f.Code) + "\x00" + digests[i].String()))
		issue := gitLabIssue{
			Description: entryOf(f.Code).Name + ": " + term.Escape(f.Message),
			CheckName:   string(f.Code), Fingerprint: hex.EncodeToString(sum[:16]), Severity: gitLabSeverities[f.Severity],
			Location: gitLabLocation{path, gitLabLines{f.Line}},
		}
		if err := r.next(); err != nil {
			return err
		}
		if err := term.PrintJSON(r.out, issue); err != nil {
			return err
		}
	}
	return nil
}

// next prints what precedes an element.
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
