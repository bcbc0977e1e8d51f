// Package fix makes the fixes of findings in a robots.txt, and formats such files,
// if it can prove that no verdict changes.
//
// Package semdiff makes the proof, for every crawler and every URL: in all dialects, and for strict
// readers. A plain fix is not made if the proof fails or exceeds the budget; the result contains the
// reason. The fixes that mend lines, which crawlers do not read as they are meant, are made once and
// together, before the plain ones. So a plain fix never removes what a mended line makes necessary.
package fix

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/lint"
	"github.com/kosterhq/robotstxt/semdiff"
)

// Config selects the fixes to make.
type Config struct {
	// Lint is the configuration of the linter.
	Lint lint.Config

	// All also makes the mending fixes, which change verdicts. Default: plain fixes only.
	All bool

	// Steps is the budget for all searches and proofs together, in steps of package
	// semdiff. What is not decided within it is not fixed. Default: semdiff.DefaultSteps, which
	// take about a second; real files need some ten thousand at most.
	Steps int
}

// Result is a fixed file.
type Result struct {
	Body []byte // with the fixes
	Made int    // fixes

	// Mended are the mending fixes that were made, in the order of the file.
	Mended []wire.Mended

	// Findings are all findings of Body. A fix that was refused is not offered again.
	Findings []lint.Finding

	// Refused are the plain fixes that were not made, in the order of the file.
	Refused []Refusal

	// Changes are the verdicts that the mending fixes change, one change for each dialect. For a
	// format, they are the changes in koster1996, if the proof does not include it.
	Changes []Change

	// Others are programs with their own rules, such as temoto, in which plain fixes or the
	// layout might change verdicts that the proof does not cover.
	Others []string

	// Steps were taken by the searches and proofs, without the last check, which finds
	// Findings.
	Steps int

	// More is true if there were still fixes to make after the last round.
	More bool
}

// maxRounds limits how often a file is fixed and checked again. A few rounds
// suffice; the limit ends a loop of two fixes that undo each other.
const maxRounds = 50

// Make fixes a file. If config.All is set, it first makes, once, the mending fixes that do not overlap.
// Then it makes plain fixes until no finding has one. Make does not fix what crawlers of the profile do
// not read, even if fixes move it into the part that they read. It returns ctx's error if ctx ends, or
// lint.ErrEdits if a fix does not fit the file; the result is then nil.
func Make(ctx context.Context, body []byte, config Config) (*Result, error) {
	head := config.Lint.Profile.Head(body)
	tail := body[len(head):]
	config.Lint.Truncated = config.Lint.Truncated || len(tail) > 0
	m := &maker{
		Result: Result{Body: head},
		prover: prover{ctx, robotstxt.Dialects(), cmp.Or(config.Steps, semdiff.DefaultSteps)},
		config: config,
	}
	if config.All {
		if err := m.mend(); err != nil {
			return nil, err
		}
	}
	if err := m.plain(); err != nil {
		return nil, err
	}
	if len(m.Mended) > 0 { // plain fixes are proved to change nothing
		var err error
		m.Changes, err = m.changes(head, m.Body)
		if err != nil {
			return nil, err
		}
	}
	m.Others = otherPrograms(head, m.Body, m.Changes)
	m.Steps = cmp.Or(config.Steps, semdiff.DefaultSteps) - m.left
	// a check has the same budget, so its findings are the same
	m.left = max(m.left, config.Lint.Steps, semdiff.DefaultSteps)
	findings, err := m.find()
	if err != nil {
		return nil, err
	}
	m.Findings = m.offered(findings)
	if len(tail) > 0 {
		m.Body = slices.Concat(m.Body, tail)
	}
	return &m.Result, nil
}

type maker struct {
	Result
	prover
	config Config
	origin origin // of the lines of Body
	doubts int    // comparisons that were undecided
}

func (m *maker) find() ([]lint.Finding, error) {
	if err := m.ctx.Err(); err != nil {
		return nil, err
	}
	config := m.config.Lint
	config.MaxFindings, config.MaxPerCode, config.Filter = -1, -1, nil
	config.Steps = max(1, min(m.left, cmp.Or(config.Steps, semdiff.DefaultSteps)))
	report := lint.Inspect(m.Body, config)
	m.left -= report.Steps
	return report.Findings, nil
}

// mend makes the mending fixes. If two are at one place, it makes the fix for the more severe
// finding.
func (m *maker) mend() error {
	findings, err := m.find()
	if err != nil {
		return err
	}
	findings = slices.DeleteFunc(findings, func(f lint.Finding) bool { return f.Fix == nil || !f.Fix.Meaning })
	slices.SortStableFunc(findings, func(a, b lint.Finding) int { return cmp.Compare(b.Severity, a.Severity) })
	var taken claims
	findings = slices.DeleteFunc(findings, func(f lint.Finding) bool { return !taken.add(f.Fix.Edits) })
	for _, f := range findings {
		m.Mended = append(m.Mended, wire.Mended{Code: string(f.Code), Line: f.Line})
	}
	slices.SortStableFunc(m.Mended,
		func(a, b wire.Mended) int { return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Code, b.Code)) })
	return m.apply(findings)
}

func (m *maker) apply(findings []lint.Finding) error {
	edits := editsOf(findings)
	after, err := lint.Apply(m.Body, edits)
	if err != nil {
		return err
	}
	m.origin = m.origin.after(m.Body, after, edits)
	m.Body, m.Made = after, m.Made+len(findings)
	return nil
}

func (m *maker) plain() error {
	for range maxRounds {
		r, err := newRound(m)
		if err == nil {
			err = r.run()
		}
		if err != nil {
			return err
		}
		m.Refused = r.refused
		if len(r.accepted) == 0 {
			return nil
		}
		before := m.Body
		if err := m.apply(r.accepted); err != nil {
			return err
		}
		if bytes.Equal(before, m.Body) {
			return nil
		}
	}
	m.More = true
	return nil
}

func (m *maker) offered(findings []lint.Finding) []lint.Finding {
	for i := range findings {
		f := &findings[i]
		if slices.ContainsFunc(m.Refused,
			func(r Refusal) bool { return r.Finding.Code == f.Code && r.Finding.Start == f.Start }) {
			f.Fix = nil
		}
	}
	return findings
}

// Format formats a file as lint.Format does. If a verdict changes in google, in rfc9309, in the dialect of
// the profile or for strict readers, the comparison is undecided, or the file is larger than what crawlers
// of the profile read, Body is the file as it was, and Refused says why; its Finding is the zero value. It
// returns the error of ctx if that ends.
func Format(ctx context.Context, body []byte, profile lint.Profile, ends lint.LineEnds) (*Result, error) {
	if len(body) > profile.Bytes() {
		return tooLarge(body, "the file is", profile), nil
	}
	result := &Result{Body: lint.Format(body, profile, ends)}
	if len(result.Body) > profile.Bytes() {
		return tooLarge(body, "the formatted file would be", profile), nil
	}
	if bytes.Equal(body, result.Body) {
		return result, nil
	}
	p := prover{ctx, layoutDialects(profile), semdiff.DefaultSteps}
	change, err := p.change(body, result.Body, largeBudget)
	switch {
	case err != nil:
		return nil, err
	case change != nil:
		return &Result{Body: body, Refused: []Refusal{{Reason: change.String()}}}, nil
	}
	result.Changes, err = p.changes(body, result.Body)
	if err != nil {
		return nil, err
	}
	result.Others = otherPrograms(body, result.Body, result.Changes)
	return result, nil
}

// tooLarge returns a file that is not formatted, because that would move lines into the
// part that crawlers read, or out of it.
func tooLarge(body []byte, what string, profile lint.Profile) *Result {
	reason := fmt.Sprintf("%s larger than the %s bytes that crawlers read", what, term.Thousands(profile.Bytes()))
	return &Result{Body: body, Refused: []Refusal{{Reason: reason, TooLarge: true}}}
}
