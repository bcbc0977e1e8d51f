package report

import (
	"bufio"
	"cmp"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/internal/places"
	"github.com/kosterhq/robotstxt/lint"
)

// sarifReport collects findings and prints them at the end as one SARIF log.
type sarifReport struct {
	out     *bufio.Writer
	tool    sarifDriver
	results []sarifResult
	notes   []sarifNotification
}

const docsURL = "https://github.com/kosterhq/robotstxt"

// sarifLevels are the levels of results (3.27.10).
var sarifLevels = map[lint.Severity]string{lint.Error: "error", lint.Warning: "warning", lint.Info: "note", lint.Off: "none"}

func newSARIF(config Config) *sarifReport {
	tool := sarifDriver{Name: "robots", Version: config.Version, InformationURI: docsURL}
	for _, e := range lint.Catalogue() {
		text := e.Title + " " + e.Why
		tool.Rules = append(tool.Rules, sarifRule{
			ID: e.Code, Name: e.Name, ShortDescription: sarifMessage{e.Title}, FullDescription: sarifMessage{text},
			HelpURI: docsURL + "/blob/main/docs/lint.md#" + strings.ToLower(string(e.Code)), Help: sarifHelp{text, markdown(e)},
			// Findings that only some profiles report are disabled by default here.
			Configuration: sarifConfiguration{Enabled: e.Severity != lint.Off, Level: sarifLevels[e.Severity]},
		})
	}
	return &sarifReport{out: config.Out, tool: tool, results: []sarifResult{}}
}

// sarifFingerprint is the name and the version of the fingerprints (3.27.17).
const sarifFingerprint = "lineDigest/v1"

func (r *sarifReport) File(in *File) error {
	file := &sarifArtifact{sarifArtifactLocation{sarifURI(in.Name)}, in.Body, places.Of(in.Body), utf8.Valid(in.Body)}
	digests := lineDigests(in.Body, in.Findings)
	for i := range in.Findings {
		result := file.result(&in.Findings[i])
		result.RuleIndex, _ = slices.BinarySearchFunc(r.tool.Rules, result.RuleID,
			func(rule sarifRule, code lint.Code) int { return cmp.Compare(rule.ID, code) })
		result.PartialFingerprints = map[string]string{sarifFingerprint: digests[i].String()}
		r.results = append(r.results, result)
	}
	for _, c := range in.Counts {
		if c.Omitted > 0 {
			r.note("note", term.Escape(fmt.Sprintf("%s: %s %s: %s", term.Source(in.Name), c.Code, entryOf(c.Code).Name, omitted(c))))
		}
	}
	return nil
}

func (r *sarifReport) note(level, text string) {
	r.notes = append(r.notes, sarifNotification{Level: level, Message: sarifMessage{term.Unlinked(text)}})
}

func (r *sarifReport) End(complete bool, trouble []error) error {
	for _, err := range trouble {
		text := term.Printable(err)
		if hint := term.HintOf(err); hint != "" {
			text += " (" + term.Escape(hint) + ")"
		}
		r.note("error", text)
	}
	return term.PrintJSON(r.out, SARIFLog{
		Schema:  "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		Version: "2.1.0",
		Runs: []sarifRun{{
			Tool:            sarifTool{r.tool},
			Invocations:     []sarifInvocation{{ExecutionSuccessful: complete, Notifications: r.notes}},
			ColumnKind:      "utf16CodeUnits",
			DefaultEncoding: "UTF-8",
			// A CR without an LF ends a line too. [G6]
			NewlineSequences: []string{"\r\n", "\n", "\r"},
			Results:          r.results,
		}},
	})
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
