package main

import (
	"bufio"
	"encoding/base64"
	"errors"
	"net/url"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/kosterhq/robotstxt/lint"
)

// sarifReport gathers findings and prints them at the end as one SARIF 2.1.0 log.
// The numbers in comments are sections of that standard.
type sarifReport struct {
	out     *bufio.Writer
	results []sarifResult
}

// docsURL is where the findings are described.
const docsURL = "https://github.com/kosterhq/robotstxt"

// sarifLevels are the levels of results (3.27.10).
var sarifLevels = map[lint.Severity]string{lint.Error: "error", lint.Warning: "warning", lint.Info: "note", lint.Off: "none"}

func (r *sarifReport) file(in *linted) error {
	if len(in.Findings) == 0 {
		return nil
	}
	regions := sarifRegions{newPlaces(in.body), utf8.Valid(in.body)}
	at := sarifArtifactLocation{URI: sarifURI(in.File)}
	rules := make(map[lint.Code]int)
	for i, e := range lint.Catalogue() {
		rules[e.Code] = i
	}
	for i := range in.Findings {
		f := &in.Findings[i]
		result := sarifResult{
			RuleID: f.Code, RuleIndex: rules[f.Code], Level: sarifLevels[f.Severity],
			Message:   sarifMessage{sarifText(f)},
			Locations: []sarifLocation{{PhysicalLocation: sarifPhysicalLocation{at, regions.finding(f)}}},
		}
		for i, related := range f.Related {
			line := regions.places.start(related.Line)
			result.RelatedLocations = append(result.RelatedLocations, sarifLocation{
				ID: i + 1, Message: &sarifMessage{escape(related.Message)},
				PhysicalLocation: sarifPhysicalLocation{at, regions.region(line, line+len(regions.places.text(related.Line)))},
			})
		}
		if f.Fix != nil {
			result.Fixes = []sarifFix{{sarifMessage{escape(f.Fix.Title)}, []sarifArtifactChange{{at, regions.replacements(f.Fix)}}}}
		}
		r.results = append(r.results, result)
	}
	return nil
}

// sarifText is the message of a finding, with whom it concerns.
func sarifText(f *lint.Finding) string {
	text := escape(f.Message)
	if len(f.For) > 0 {
		text += " (for " + escape(strings.Join(f.For, ", ")) + ")"
	}
	return text
}

func (r *sarifReport) end(trouble []error) error {
	run := sarifRun{
		Tool:            sarifTool{sarifDriver{Name: "robots", Version: version(), InformationURI: docsURL, Rules: sarifRules()}},
		Invocations:     []sarifInvocation{{ExecutionSuccessful: len(trouble) == 0}},
		ColumnKind:      "utf16CodeUnits",
		DefaultEncoding: "UTF-8",
		// A lone CR ends a line as well (G7).
		NewlineSequences: []string{"\r\n", "\n", "\r"},
		Results:          append([]sarifResult{}, r.results...),
	}
	for _, err := range trouble {
		if errors.Is(err, errShown) {
			continue // it was told with another file
		}
		text := escape(err.Error())
		if f := (*failure)(nil); errors.As(err, &f) && f.hint != "" {
			text += " (" + escape(f.hint) + ")"
		}
		run.Invocations[0].Notifications = append(run.Invocations[0].Notifications,
			sarifNotification{Level: "error", Message: sarifMessage{text}})
	}
	return printJSON(r.out, sarifLog{
		Schema:  "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		Version: "2.1.0", Runs: []sarifRun{run},
	})
}

func sarifRules() []sarifRule {
	var rules []sarifRule
	for _, e := range lint.Catalogue() {
		rules = append(rules, sarifRule{
			ID: e.Code, Name: e.Name,
			ShortDescription: sarifMessage{e.Title}, FullDescription: sarifMessage{e.Title + " " + e.Why},
			HelpURI: docsURL + "/blob/main/docs/lint.md#" + strings.ToLower(string(e.Code)),
			Help:    sarifHelp{Text: e.Title + " " + e.Why, Markdown: sarifMarkdown(e)},
			// What only some profiles report is reported by them all the same.
			Configuration: sarifConfiguration{Enabled: e.Severity != lint.Off, Level: sarifLevels[e.Severity]},
		})
	}
	return rules
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

// sarifURI is the place of a file: relative where that is possible, so that a log
// holds on other machines too (3.4.3).
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

// sarifSite is the URL of a site, made into one that any program can read.
func sarifSite(name string) string {
	if u, err := url.Parse(name); err == nil {
		u.User = nil // no log needs a password
		return u.String()
	}
	return "site:" + url.QueryEscape(name)
}

// sarifRegions makes regions of byte ranges (3.30).
type sarifRegions struct {
	places *places
	text   bool // the body is UTF-8
}

// region describes the bytes from start to end. Text and bytes must be the same
// range, so where a byte order mark is in it, which is none of the text, only the
// text is given: that is what most programs show.
func (r sarifRegions) region(start, end int) *sarifRegion {
	from, to := r.places.position(start), r.places.position(end)
	region := &sarifRegion{StartLine: from.line, StartColumn: from.column, EndLine: to.line, EndColumn: to.column}
	region.CharOffset = r.places.units(start)
	region.CharLength = r.places.units(end) - region.CharOffset
	if !r.inMark(start) {
		region.ByteOffset, region.ByteLength = &start, end-start
	}
	return region
}

// inMark reports whether an offset stands in the byte order mark.
func (r sarifRegions) inMark(offset int) bool {
	return offset < len(byteOrderMark) && strings.HasPrefix(string(r.places.body[:min(3, len(r.places.body))]), string(byteOrderMark))
}

// mostSnippet is how long a text may be to be repeated in the log, in bytes.
const mostSnippet = 1024

// finding is the region of a finding, with what stands there.
func (r sarifRegions) finding(f *lint.Finding) *sarifRegion {
	region := r.region(f.Start, f.End)
	if f.End > f.Start && f.End-f.Start <= mostSnippet && !r.inMark(f.Start) {
		region.Snippet = sarifContentOf(r.places.body[f.Start:f.End])
	}
	return region
}

// sarifContentOf is text as text, and anything else as bytes (3.3).
func sarifContentOf(content []byte) *sarifContent {
	if utf8.Valid(content) {
		return &sarifContent{Text: string(content)}
	}
	return &sarifContent{Binary: base64.StdEncoding.EncodeToString(content), Rendered: &sarifMessage{escape(string(content))}}
}

// replacements are the edits of a fix (3.57), of text where all of it is, for
// then a byte order mark does not matter, and of bytes elsewhere.
func (r sarifRegions) replacements(fix *lint.Fix) (all []sarifReplacement) {
	for _, e := range fix.Edits {
		replacement := sarifReplacement{}
		if r.text && utf8.ValidString(e.New) && !r.inMark(e.Start) {
			replacement.DeletedRegion = r.region(e.Start, e.End)
			replacement.DeletedRegion.ByteOffset, replacement.DeletedRegion.ByteLength = nil, 0
			if e.New != "" {
				replacement.InsertedContent = &sarifContent{Text: e.New}
			}
		} else {
			replacement.DeletedRegion = &sarifRegion{CharOffset: -1, ByteOffset: &e.Start, ByteLength: e.End - e.Start}
			if e.New != "" {
				replacement.InsertedContent = &sarifContent{Binary: base64.StdEncoding.EncodeToString([]byte(e.New))}
			}
		}
		all = append(all, replacement)
	}
	return all
}
