package report

import (
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/lint"
)

// WireFindings returns the JSON form of a file's findings.
func WireFindings(file string, profile lint.Profile, report lint.Report) wire.Findings {
	w := wire.Findings{File: file, Profile: profile.String(), Findings: []wire.Finding{}, Counts: []wire.FindingCount{}}
	for i := range report.Findings {
		w.Findings = append(w.Findings, wireFinding(&report.Findings[i]))
	}
	for _, c := range report.Counts {
		w.Counts = append(w.Counts, wire.FindingCount{Code: string(c.Code), Severity: c.Severity.String(),
			Found: c.Found, Omitted: c.Omitted, Plain: c.Plain, Meant: c.Meant})
	}
	return w
}

func wireFinding(f *lint.Finding) wire.Finding {
	w := wire.Finding{
		Code: string(f.Code), Severity: f.Severity.String(), Start: f.Start, End: f.End,
		Line: f.Line, Column: f.Column, Message: f.Message, For: f.For,
	}
	for _, r := range f.Related {
		w.Related = append(w.Related, wire.Related(r))
	}
	if f.Fix != nil {
		w.Fix = &wire.Fix{Title: f.Fix.Title, Edits: []wire.Edit{}, Meaning: f.Fix.Meaning}
		for _, e := range f.Fix.Edits {
			w.Fix.Edits = append(w.Fix.Edits, wire.Edit(e))
		}
	}
	return w
}
