package report

import (
	"encoding/base64"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kosterhq/robotstxt/internal/places"
	"github.com/kosterhq/robotstxt/lint"
)

// sarifLevels are the levels of results (3.27.10).
var sarifLevels = map[lint.Severity]string{lint.Error: "error", lint.Warning: "warning", lint.Info: "note", lint.Off: "none"}

// sarifGatherer converts findings to results, file by file, and makes a log of them.
type sarifGatherer struct {
	Tool sarifDriver
	// Escape makes text from a file safe to show. Default: the text is unchanged.
	Escape func(string) string

	results []sarifResult
	notes   []sarifNotification
}

// sarifRuleOf returns the rule for an entry of the catalogue. The caller adds the address of
// its documentation.
func sarifRuleOf(e lint.Entry) sarifRule {
	return sarifRule{
		ID: e.Code, Name: e.Name,
		ShortDescription: sarifMessage{e.Title}, FullDescription: sarifMessage{e.Title + " " + e.Why},
		Help: sarifHelp{Text: e.Title + " " + e.Why},
		// Findings that only some profiles report are disabled by default here.
		Configuration: sarifConfiguration{Enabled: e.Severity != lint.Off, Level: sarifLevels[e.Severity]},
	}
}

// sarifFingerprint is the name and the version of the fingerprints (3.27.17).
const sarifFingerprint = "lineDigest/v1"

// Add adds the findings of a file with the given URI and content.
func (g *sarifGatherer) Add(uri string, body []byte, findings []lint.Finding) {
	if len(findings) == 0 {
		return
	}
	file := &sarifArtifact{g, sarifArtifactLocation{uri}, body, places.Of(body), utf8.Valid(body)}
	rules := make(map[lint.Code]int)
	for i, rule := range g.Tool.Rules {
		rules[rule.ID] = i
	}
	digests := lineDigests(body, findings)
	for i := range findings {
		result := file.result(&findings[i], rules)
		result.PartialFingerprints = map[string]string{sarifFingerprint: digests[i].String()}
		g.results = append(g.results, result)
	}
}

// Note adds a note about the run.
func (g *sarifGatherer) Note(text string) {
	g.notes = append(g.notes, sarifNotification{Level: "note", Message: sarifMessage{g.escape(text)}})
}

// SARIFLog returns the log of all added findings. complete is true if everything could be
// checked; trouble has the errors.
func (g *sarifGatherer) Log(complete bool, trouble []string) SARIFLog {
	how := sarifInvocation{ExecutionSuccessful: complete, Notifications: slices.Clone(g.notes)}
	for _, text := range trouble {
		how.Notifications = append(how.Notifications, sarifNotification{Level: "error", Message: sarifMessage{text}})
	}
	return SARIFLog{
		Schema:  "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		Version: "2.1.0",
		Runs: []sarifRun{{
			Tool:            sarifTool{g.Tool},
			Invocations:     []sarifInvocation{how},
			ColumnKind:      "utf16CodeUnits",
			DefaultEncoding: "UTF-8",
			// A CR without an LF ends a line too. [G6]
			NewlineSequences: []string{"\r\n", "\n", "\r"},
			Results:          append([]sarifResult{}, g.results...),
		}},
	}
}

func (g *sarifGatherer) escape(text string) string {
	if g.Escape == nil {
		return text
	}
	return g.Escape(text)
}

// sarifArtifact is a file with its findings.
type sarifArtifact struct {
	*sarifGatherer
	at     sarifArtifactLocation
	body   []byte
	places *places.Places
	text   bool // the body is UTF-8
}

func (a *sarifArtifact) result(f *lint.Finding, rules map[lint.Code]int) sarifResult {
	result := sarifResult{
		RuleID: f.Code, RuleIndex: rules[f.Code], Level: sarifLevels[f.Severity],
		Message:   sarifMessage{a.message(f)},
		Locations: []sarifLocation{{PhysicalLocation: sarifPhysicalLocation{a.at, a.finding(f)}}},
	}
	for i, related := range f.Related {
		line := a.places.Start(related.Line)
		result.RelatedLocations = append(result.RelatedLocations, sarifLocation{
			ID: i + 1, Message: &sarifMessage{a.escape(related.Message)},
			PhysicalLocation: sarifPhysicalLocation{a.at, a.region(line, line+len(a.places.Text(related.Line)))},
		})
	}
	if f.Fix != nil {
		result.Fixes = []sarifFix{{sarifMessage{a.escape(f.Fix.Title)}, []sarifArtifactChange{{a.at, a.replacements(f.Fix)}}}}
	}
	return result
}

// message returns the message of a finding with the crawlers that it affects.
func (a *sarifArtifact) message(f *lint.Finding) string {
	text := a.escape(f.Message)
	if len(f.For) > 0 {
		text += " (for " + a.escape(strings.Join(f.For, ", ")) + ")"
	}
	return text
}

// region returns the region of the bytes from start to end. The text region and the
// byte range must be equal. A byte order mark is not part of the text, so if the range
// contains one, there is only the text region, which most programs show. [SARIF 3.30]
func (a *sarifArtifact) region(start, end int) *sarifRegion {
	from, to := a.places.Position(start), a.places.Position(end)
	region := &sarifRegion{StartLine: from.Line, StartColumn: from.Column, EndLine: to.Line, EndColumn: to.Column}
	region.CharOffset = a.places.Units(start)
	region.CharLength = a.places.Units(end) - region.CharOffset
	if !a.places.InMark(start) {
		region.ByteOffset, region.ByteLength = &start, end-start
	}
	return region
}

// mostSARIFSnippet is the limit of a text that is repeated in the log, in bytes.
const mostSARIFSnippet = 1024

// finding returns the region of a finding with its content.
func (a *sarifArtifact) finding(f *lint.Finding) *sarifRegion {
	region := a.region(f.Start, f.End)
	if f.End > f.Start && f.End-f.Start <= mostSARIFSnippet && !a.places.InMark(f.Start) {
		region.Snippet = a.content(a.body[f.Start:f.End])
	}
	return region
}

// content returns a part of a file, as text if it is UTF-8, else as bytes. [SARIF 3.3]
func (a *sarifArtifact) content(piece []byte) *sarifContent {
	if utf8.Valid(piece) {
		return &sarifContent{Text: string(piece)}
	}
	return &sarifContent{Binary: base64.StdEncoding.EncodeToString(piece), Rendered: &sarifMessage{a.escape(string(piece))}}
}

// replacements returns the edits of a fix, with text regions if the whole file is UTF-8,
// since a byte order mark does not matter then, else with byte ranges. [SARIF 3.57]
func (a *sarifArtifact) replacements(fix *lint.Fix) (all []sarifReplacement) {
	for _, e := range fix.Edits {
		replacement := sarifReplacement{}
		if a.text && utf8.ValidString(e.New) && !a.places.InMark(e.Start) {
			replacement.DeletedRegion = a.region(e.Start, e.End)
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
