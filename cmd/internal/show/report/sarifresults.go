package report

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/internal/places"
	"github.com/kosterhq/robotstxt/lint"
)

// sarifArtifact is a file with findings, which it converts to results.
type sarifArtifact struct {
	at     sarifArtifactLocation
	body   []byte
	places *places.Places
	text   bool // the body is UTF-8
}

// result returns the result of a finding, without the fields that depend on other findings.
func (a *sarifArtifact) result(f *lint.Finding) sarifResult {
	result := sarifResult{
		RuleID: f.Code, Level: sarifLevels[f.Severity], Message: sarifMessageOf(sarifText(f)),
		Locations: []sarifLocation{{PhysicalLocation: sarifPhysicalLocation{a.at, a.finding(f)}}},
	}
	for i, related := range f.Related {
		line := a.places.Start(related.Line)
		result.RelatedLocations = append(result.RelatedLocations, sarifLocation{
			ID: i + 1, Message: new(sarifMessageOf(related.Message)),
			PhysicalLocation: sarifPhysicalLocation{a.at, a.region(line, line+len(a.places.Text(related.Line)))},
		})
	}
	if f.Fix != nil {
		result.Fixes = []sarifFix{{sarifMessageOf(f.Fix.Title), []sarifArtifactChange{{a.at, a.replacements(f.Fix)}}}}
	}
	return result
}

// sarifMessageOf returns a message with a text that quotes a file. Such a text has no links:
// [text](address) would be one. [SARIF 3.11.6]
func sarifMessageOf(text string) sarifMessage {
	return sarifMessage{term.Unlinked(term.Escape(text))}
}

func sarifText(f *lint.Finding) string {
	text := f.Message
	if len(f.For) > 0 {
		text += " For: " + strings.Join(f.For, ", ") + "."
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

// maxSARIFSnippet is the limit of a text that is repeated in the log, in bytes.
const maxSARIFSnippet = 1024

// finding returns the region of a finding with its content.
func (a *sarifArtifact) finding(f *lint.Finding) *sarifRegion {
	region := a.region(f.Start, f.End)
	if f.End > f.Start && f.End-f.Start <= maxSARIFSnippet && !a.places.InMark(f.Start) {
		region.Snippet = sarifContentOf(a.body[f.Start:f.End])
	}
	return region
}

// sarifContentOf returns a part of a file, as text if it is UTF-8, else as bytes. [SARIF 3.3]
func sarifContentOf(piece []byte) *sarifContent {
	if utf8.Valid(piece) {
		return &sarifContent{Text: string(piece)}
	}
	return &sarifContent{Binary: base64.StdEncoding.EncodeToString(piece), Rendered: new(sarifMessageOf(string(piece)))}
}

// replacements returns the edits of a fix: with text regions if the whole file is UTF-8, else
// with byte ranges. A byte order mark does not matter in text regions. [SARIF 3.57]
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
