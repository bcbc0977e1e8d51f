package sarif

import (
	"encoding/base64"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kosterhq/robotstxt/cmd/internal/baseline"
	"github.com/kosterhq/robotstxt/internal/places"
	"github.com/kosterhq/robotstxt/lint"
)

// levels are the levels of results (3.27.10).
var levels = map[lint.Severity]string{lint.Error: "error", lint.Warning: "warning", lint.Info: "note", lint.Off: "none"}

// Gatherer converts findings to results, file by file, and makes a log of them.
type Gatherer struct {
	Tool Driver
	// Escape makes text from a file safe to show. Default: the text is unchanged.
	Escape func(string) string

	results []Result
	notes   []Notification
}

// RuleOf returns the rule for an entry of the catalogue. The caller adds the address of
// its documentation.
func RuleOf(e lint.Entry) Rule {
	return Rule{
		ID: e.Code, Name: e.Name,
		ShortDescription: Message{e.Title}, FullDescription: Message{e.Title + " " + e.Why},
		Help: Help{Text: e.Title + " " + e.Why},
		// Findings that only some profiles report are disabled by default here.
		Configuration: Configuration{Enabled: e.Severity != lint.Off, Level: levels[e.Severity]},
	}
}

// fingerprint is the name and the version of the fingerprints (3.27.17).
const fingerprint = "lineDigest/v1"

// Add adds the findings of a file with the given URI and content.
func (g *Gatherer) Add(uri string, body []byte, findings []lint.Finding) {
	if len(findings) == 0 {
		return
	}
	file := &artifact{g, ArtifactLocation{uri}, body, places.Of(body), utf8.Valid(body)}
	rules := make(map[lint.Code]int)
	for i, rule := range g.Tool.Rules {
		rules[rule.ID] = i
	}
	digests := baseline.Digests(body, findings)
	for i := range findings {
		result := file.result(&findings[i], rules)
		result.PartialFingerprints = map[string]string{fingerprint: digests[i].String()}
		g.results = append(g.results, result)
	}
}

// Note adds a note about the run.
func (g *Gatherer) Note(text string) {
	g.notes = append(g.notes, Notification{Level: "note", Message: Message{g.escape(text)}})
}

// Log returns the log of all added findings. complete is true if everything could be
// checked; trouble has the errors.
func (g *Gatherer) Log(complete bool, trouble []string) Log {
	how := Invocation{ExecutionSuccessful: complete, Notifications: slices.Clone(g.notes)}
	for _, text := range trouble {
		how.Notifications = append(how.Notifications, Notification{Level: "error", Message: Message{text}})
	}
	return Log{
		Schema:  "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		Version: "2.1.0",
		Runs: []Run{{
			Tool:            Tool{g.Tool},
			Invocations:     []Invocation{how},
			ColumnKind:      "utf16CodeUnits",
			DefaultEncoding: "UTF-8",
			// A CR without an LF ends a line too. [G6]
			NewlineSequences: []string{"\r\n", "\n", "\r"},
			Results:          append([]Result{}, g.results...),
		}},
	}
}

func (g *Gatherer) escape(text string) string {
	if g.Escape == nil {
		return text
	}
	return g.Escape(text)
}

// artifact is a file with its findings.
type artifact struct {
	*Gatherer
	at     ArtifactLocation
	body   []byte
	places *places.Places
	text   bool // the body is UTF-8
}

func (a *artifact) result(f *lint.Finding, rules map[lint.Code]int) Result {
	result := Result{
		RuleID: f.Code, RuleIndex: rules[f.Code], Level: levels[f.Severity],
		Message:   Message{a.message(f)},
		Locations: []Location{{PhysicalLocation: PhysicalLocation{a.at, a.finding(f)}}},
	}
	for i, related := range f.Related {
		line := a.places.Start(related.Line)
		result.RelatedLocations = append(result.RelatedLocations, Location{
			ID: i + 1, Message: &Message{a.escape(related.Message)},
			PhysicalLocation: PhysicalLocation{a.at, a.region(line, line+len(a.places.Text(related.Line)))},
		})
	}
	if f.Fix != nil {
		result.Fixes = []Fix{{Message{a.escape(f.Fix.Title)}, []ArtifactChange{{a.at, a.replacements(f.Fix)}}}}
	}
	return result
}

// message returns the message of a finding with the crawlers that it affects.
func (a *artifact) message(f *lint.Finding) string {
	text := a.escape(f.Message)
	if len(f.For) > 0 {
		text += " (for " + a.escape(strings.Join(f.For, ", ")) + ")"
	}
	return text
}

// region returns the region of the bytes from start to end. The text region and the
// byte range must be equal. A byte order mark is not part of the text, so if the range
// contains one, there is only the text region, which most programs show. [SARIF 3.30]
func (a *artifact) region(start, end int) *Region {
	from, to := a.places.Position(start), a.places.Position(end)
	region := &Region{StartLine: from.Line, StartColumn: from.Column, EndLine: to.Line, EndColumn: to.Column}
	region.CharOffset = a.places.Units(start)
	region.CharLength = a.places.Units(end) - region.CharOffset
	if !a.places.InMark(start) {
		region.ByteOffset, region.ByteLength = &start, end-start
	}
	return region
}

// mostSnippet is the limit of a text that is repeated in the log, in bytes.
const mostSnippet = 1024

// finding returns the region of a finding with its content.
func (a *artifact) finding(f *lint.Finding) *Region {
	region := a.region(f.Start, f.End)
	if f.End > f.Start && f.End-f.Start <= mostSnippet && !a.places.InMark(f.Start) {
		region.Snippet = a.content(a.body[f.Start:f.End])
	}
	return region
}

// content returns a part of a file, as text if it is UTF-8, else as bytes. [SARIF 3.3]
func (a *artifact) content(piece []byte) *Content {
	if utf8.Valid(piece) {
		return &Content{Text: string(piece)}
	}
	return &Content{Binary: base64.StdEncoding.EncodeToString(piece), Rendered: &Message{a.escape(string(piece))}}
}

// replacements returns the edits of a fix, with text regions if the whole file is UTF-8,
// since a byte order mark does not matter then, else with byte ranges. [SARIF 3.57]
func (a *artifact) replacements(fix *lint.Fix) (all []Replacement) {
	for _, e := range fix.Edits {
		replacement := Replacement{}
		if a.text && utf8.ValidString(e.New) && !a.places.InMark(e.Start) {
			replacement.DeletedRegion = a.region(e.Start, e.End)
			replacement.DeletedRegion.ByteOffset, replacement.DeletedRegion.ByteLength = nil, 0
			if e.New != "" {
				replacement.InsertedContent = &Content{Text: e.New}
			}
		} else {
			replacement.DeletedRegion = &Region{CharOffset: -1, ByteOffset: &e.Start, ByteLength: e.End - e.Start}
			if e.New != "" {
				replacement.InsertedContent = &Content{Binary: base64.StdEncoding.EncodeToString([]byte(e.New))}
			}
		}
		all = append(all, replacement)
	}
	return all
}
