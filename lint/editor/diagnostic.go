package editor

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt/lint"
)

// Diagnostic is a finding of package lint.
type Diagnostic struct {
	Range    Range
	Severity lint.Severity
	Code     lint.Code
	Message  string // with the crawlers that are affected
	Related  []Related
	Fix      *Fix // nil if there is none
}

// Related is another line that contributes to a problem.
type Related struct {
	Range   Range // of the line, without its terminator
	Message string
}

// Fix is a set of edits that fixes a finding.
type Fix struct {
	Title string
	Edits []Edit // in the order of the body, not overlapping
	// Meaning is true if the fix changes verdicts, or might. An editor should not make
	// such a fix without a person's decision, for example on saving.
	Meaning bool
}

// Diagnostics returns the findings of the document, in the order of their positions.
// A finding about the whole file has an empty range at the start.
func (d *Document) Diagnostics() []Diagnostic {
	findings := d.check().Findings
	all := make([]Diagnostic, 0, len(findings))
	for i := range findings {
		f := &findings[i]
		diagnostic := Diagnostic{Range: d.Range(f.Start, f.End), Severity: f.Severity,
			Code: f.Code, Message: messageOf(f)}
		for _, related := range f.Related {
			diagnostic.Related = append(diagnostic.Related, Related{d.content(related.Line), plain(related.Message)})
		}
		if f.Fix != nil {
			diagnostic.Fix = &Fix{Title: plain(f.Fix.Title), Edits: d.edits(f.Fix.Edits), Meaning: f.Fix.Meaning}
		}
		all = append(all, diagnostic)
	}
	return all
}

// PlainFixes returns how many findings have a fix that changes no verdict. Some of them are not among
// Diagnostics: of what generators write many times, one is shown, see lint.Config.MaxPerCode.
func (d *Document) PlainFixes() (n int) {
	for _, count := range d.check().Counts {
		n += count.Plain
	}
	return n
}

// maxNames is the number of crawlers in a message.
const maxNames = 5

// messageOf returns the message of a finding with the crawlers that are affected, unless it begins with the only one.
func messageOf(f *lint.Finding) string {
	if len(f.For) == 0 || len(f.For) == 1 && strings.HasPrefix(f.Message, f.For[0]+" ") {
		return plain(f.Message)
	}
	names := f.For[:min(len(f.For), maxNames)]
	text := plain(f.Message) + " For: " + name(strings.Join(names, ", "))
	if len(f.For) > maxNames {
		return text + ", …"
	}
	return text + "."
}

// edits returns edits as an editor takes them. Edits that begin or end where there is no
// position, such as between CR and LF, are widened to the next ones.
func (d *Document) edits(edits []lint.Edit) []Edit {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b lint.Edit) int { return cmp.Compare(a.Start, b.Start) })
	edits = slices.Compact(edits)
	all := make([]Edit, 0, len(edits))
	for i := 0; i < len(edits); {
		start, end := d.boundary(edits[i].Start), d.boundaryAfter(edits[i].End)
		next := i + 1
		for next < len(edits) && d.boundary(edits[next].Start) < end {
			end = max(end, d.boundaryAfter(edits[next].End))
			next++
		}
		all = append(all, d.edit(start, end, edits[i:next]))
		i = next
	}
	return all
}

// edit returns one edit of a range that makes some edits in it.
func (d *Document) edit(start, end int, edits []lint.Edit) Edit {
	moved := slices.Clone(edits)
	for i := range moved {
		moved[i].Start -= start
		moved[i].End -= start
	}
	text, err := lint.Apply(d.body[start:end], moved)
	if err != nil {
		text = d.body[start:end] // edits of a finding always fit
	}
	return Edit{d.Range(start, end), string(text)}
}

// Format returns the edit that formats the document as lint.Format does, as Replace does.
// Line ends are kept.
func (d *Document) Format() []Edit {
	return d.Replace(lint.Format(d.body, d.lint.Profile, lint.KeepEnds))
}
