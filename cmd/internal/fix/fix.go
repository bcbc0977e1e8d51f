// Package fix makes the fixes of findings in a robots.txt, and formats such files,
// if it can prove that no verdict changes.
//
// Package semdiff makes the proof, for every crawler and every URL: in google, in rfc9309,
// in the dialect of the profile, and for strict readers. A fix is not made if the proof
// fails or exceeds the budget; the result contains the reason.
package fix

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/lint"
	"github.com/kosterhq/robotstxt/semdiff"
)

// Config selects the fixes to make.
type Config struct {
	// Lint is the configuration of the linter. Its profile selects the third dialect
	// of the proof.
	Lint lint.Config

	// All also makes the fixes that change verdicts. Default: plain fixes only.
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

	// Codes has the number of fixes made, by the code of their finding.
	Codes map[lint.Code]int

	// Findings are all those of Body. A fix that was refused is not offered again as a
	// plain one.
	Findings []lint.Finding

	// Refused are the plain fixes that were not made, in the order of the file.
	// Their positions are those of Body.
	Refused []Refusal

	// Changes are the verdicts that the fixes change: those made because of
	// Config.All, one change for each dialect of the proof, and those in
	// koster1996 if that is not one of them.
	Changes []Change

	// Others are programs with rules of their own in which plain fixes, or the layout, may
	// change verdicts that the proof does not cover, such as temoto.
	Others []string

	// Steps were taken by the searches and proofs, without the last check, which finds
	// Findings.
	Steps int

	// More is true if there were still fixes to make after the last round.
	More bool
}

// mostRounds limits how often a file is fixed and checked again. A few rounds
// suffice; the limit ends a loop of two fixes that undo each other.
const mostRounds = 50

// Make checks and fixes a file until no finding has a fix to make. What crawlers of the
// profile do not read is not fixed, even if fixes move it into the part that they read. The
// error is that of ctx, or lint.ErrEdits if a fix does not fit the file; then the result is
// nil.
func Make(ctx context.Context, body []byte, config Config) (*Result, error) {
	head := config.Lint.Profile.Head(body)
	tail := body[len(head):]
	config.Lint.Truncated = config.Lint.Truncated || len(tail) > 0
	m := &maker{
		Result: Result{Body: head, Codes: make(map[lint.Code]int)},
		prover: prover{ctx, Dialects(config.Lint.Profile), cmp.Or(config.Steps, semdiff.DefaultSteps)},
		config: config,
	}
	if err := m.plain(); err != nil {
		return nil, err
	}
	plain := m.Body
	if config.All {
		if err := m.meant(); err != nil {
			return nil, err
		}
		if err := m.plain(); err != nil { // fixes that became possible
			return nil, err
		}
	}
	var err error
	if m.Changes, err = m.changes(head, plain, m.Body); err != nil { // the plain fixes are proved to change none
		return nil, err
	}
	m.Others = otherPrograms(head, m.Body, m.Changes)
	m.Steps = cmp.Or(config.Steps, semdiff.DefaultSteps) - m.left
	m.left = max(m.left, config.Lint.Steps, semdiff.DefaultSteps) // the findings are those of a check
	m.Findings = m.offered(m.find())
	if len(tail) > 0 {
		m.Body = slices.Concat(m.Body, tail)
	}
	return &m.Result, nil
}

// maker fixes one file.
type maker struct {
	Result
	prover
	config Config
	doubts int // comparisons that were undecided
}

// find returns all findings. The limits of a report do not limit fixes.
func (m *maker) find() []lint.Finding {
	config := m.config.Lint
	config.MaxFindings, config.MaxPerCode, config.Filter = -1, -1, nil
	config.Steps = max(1, min(m.left, cmp.Or(config.Steps, semdiff.DefaultSteps)))
	report := lint.Inspect(m.Body, config)
	m.left -= report.Steps
	return report.Findings
}

// plain makes plain fixes until there are none left.
func (m *maker) plain() error {
	return m.rounds(func(_ *file, f *lint.Finding) bool { return !f.Fix.Meaning }, (*round).prove)
}

// meant makes the fixes that change verdicts. It does not remove a line that was
// reported as redundant: if that changes a verdict, the finding is wrong.
func (m *maker) meant() error {
	wanted := func(file *file, f *lint.Finding) bool { return f.Fix.Meaning || !file.removes(f.Fix) }
	return m.rounds(wanted, func(r *round, chosen []lint.Finding) error {
		r.accept(chosen)
		return nil
	})
}

// rounds checks and fixes until no wanted fix is left.
func (m *maker) rounds(wanted func(*file, *lint.Finding) bool, try func(*round, []lint.Finding) error) error {
	m.More = false
	for range mostRounds {
		r := newRound(m, wanted)
		if err := r.run(try); err != nil {
			return err
		}
		m.Refused = r.refused
		if len(r.accepted) == 0 {
			return nil
		}
		after, err := lint.Apply(m.Body, editsOf(r.accepted))
		if err != nil {
			return err
		}
		if bytes.Equal(after, m.Body) {
			return nil
		}
		m.Body, m.Made = after, m.Made+len(r.accepted)
		for _, f := range r.accepted {
			m.Codes[f.Code]++
		}
	}
	m.More = true
	return nil
}

// offered returns the findings without the refused fixes. A refused fix that changes a
// verdict is offered as one with Meaning.
func (m *maker) offered(findings []lint.Finding) []lint.Finding {
	if len(m.Refused) == 0 {
		return findings
	}
	file := newFile(m.Body, m.config.Lint.Profile.Dialect())
	for i := range findings {
		f := &findings[i]
		refused := slices.ContainsFunc(m.Refused, func(r Refusal) bool {
			return r.Finding.Code == f.Code && r.Finding.Start == f.Start
		})
		switch {
		case !refused || f.Fix == nil:
		case file.removes(f.Fix):
			f.Fix = nil
		default:
			fix := *f.Fix
			fix.Meaning = true
			f.Fix = &fix
		}
	}
	return findings
}

// Format formats a file as lint.Format does. If a verdict changes in a dialect of
// the proof, the comparison is undecided, or the file is larger than what crawlers of the
// profile read, Body is the file as it was, and Refused says why; its Finding is the zero
// value. The error is that of ctx.
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
	p := prover{ctx, Dialects(profile), semdiff.DefaultSteps}
	change, err := p.change(body, result.Body, largeBudget)
	switch {
	case err != nil:
		return nil, err
	case change != nil:
		return &Result{Body: body, Refused: []Refusal{{Change: change}}}, nil
	}
	if result.Changes, err = p.changes(body, result.Body, result.Body); err != nil {
		return nil, err
	}
	result.Others = otherPrograms(body, result.Body, result.Changes)
	return result, nil
}

// tooLarge returns a file that is not formatted, because that would move lines into the
// part that crawlers read, or out of it.
func tooLarge(body []byte, what string, profile lint.Profile) *Result {
	reason := fmt.Sprintf("%s larger than the %s bytes that crawlers read", what, term.Thousands(profile.Bytes()))
	return &Result{Body: body, Refused: []Refusal{{TooLarge: reason}}}
}
