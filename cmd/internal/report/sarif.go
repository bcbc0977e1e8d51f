package report

import (
	"bufio"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/lint"
)

// sarifReport collects findings and prints them at the end as one SARIF log.
type sarifReport struct {
	out *bufio.Writer
	sarifGatherer
}

// docsURL is the address of the documentation of findings.
const docsURL = "https://github.com/kosterhq/robotstxt"

func newSARIF(config Config) *sarifReport {
	tool := sarifDriver{Name: "robots", Version: config.Version, InformationURI: docsURL}
	for _, e := range lint.Catalogue() {
		rule := sarifRuleOf(e)
		rule.HelpURI = docsURL + "/blob/main/docs/lint.md#" + strings.ToLower(string(e.Code))
		rule.Help.Markdown = markdown(e)
		tool.Rules = append(tool.Rules, rule)
	}
	return &sarifReport{config.Out, sarifGatherer{Tool: tool, Escape: term.Escape}}
}

func (r *sarifReport) File(in *File) error {
	r.Add(sarifURI(in.Name), in.Body, in.Findings)
	for _, c := range in.Counts {
		if c.Omitted > 0 {
			r.Note(fmt.Sprintf("%s: %s %s: %s", term.Source(in.Name), c.Code, entryOf(c.Code).Name, omitted(c)))
		}
	}
	return nil
}

func (r *sarifReport) End(complete bool, trouble []error) error {
	var texts []string
	for _, err := range trouble {
		text := term.Escape(err.Error())
		if f := (*term.Error)(nil); errors.As(err, &f) && f.Hint != "" {
			text += " (" + term.Escape(f.Hint) + ")"
		}
		texts = append(texts, text)
	}
	return term.PrintJSON(r.out, r.Log(complete, texts))
}

// sarifURI returns the URI of a file: a relative one if possible, so that the log is
// valid on other machines too. [SARIF 3.4.3]
func sarifURI(name string) string {
	path, ok := repositoryPath(name)
	switch {
	case name == "-":
		return "stdin"
	case !ok:
		return sarifSite(name)
	case filepath.IsAbs(name) && path == filepath.ToSlash(filepath.Clean(name)):
		return (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(path, "/")}).String()
	}
	return (&url.URL{Path: path}).String()
}

// sarifSite returns the URL of a site, encoded so that any program can read it.
func sarifSite(name string) string {
	if u, err := url.Parse(name); err == nil {
		u.User = nil // logs must not contain passwords
		return u.String()
	}
	return "site:" + url.QueryEscape(name)
}
