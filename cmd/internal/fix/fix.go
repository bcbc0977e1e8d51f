// Package fix makes the fixes of findings in a robots.txt, and formats such files,
// if it can prove that no verdict changes.
//
// Package semdiff makes the proof, for every crawler and every URL, in three dialects:
// google, rfc9309 and that of the profile. A fix is not made if the proof fails or
// exceeds the budget; the result contains the reason.
package fix

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/lint"
)

// Config selects the fixes to make.
type Config struct {
	// Lint is the configuration of the linter. Its profile selects the third dialect
	// of the proof.
	Lint lint.Config

	// All also makes the fixes that change verdicts. Default: plain fixes only.
	All bool

	// Steps is the budget of a comparison, as of semdiff.Config. 0 means a million,
	// about a fifth of a second.
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

	// More is true if there were still fixes to make after the last round.
	More bool
}

// mostRounds limits how often a file is fixed and checked again. A few rounds
// suffice; the limit ends a loop of two fixes that undo each other.
const mostRounds = 50

// Make checks and fixes a file until no finding has a fix to make. The error is that
// of ctx, or lint.ErrEdits if a fix does not fit the file; then the result is nil.
func Make(ctx context.Context, body []byte, config Config) (*Result, error) {
	m := &maker{
		Result: Result{Body: body, Codes: make(map[lint.Code]int)},
		ctx:    ctx, config: config, dialects: Dialects(config.Lint.Profile),
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
	if err := m.compare(body, plain); err != nil {
		return nil, err
	}
	m.Findings = m.offered(m.find())
	return &m.Result, nil
}

// Dialects returns the dialects of the proof: those in which a plain fix changes no
// verdict.
func Dialects(profile lint.Profile) []robotstxt.Dialect {
	dialects := []robotstxt.Dialect{robotstxt.Google, robotstxt.RFC9309}
	if d := profile.Dialect(); !slices.Contains(dialects, d) {
		dialects = append(dialects, d)
	}
	return dialects
}

// maker fixes one file.
type maker struct {
	Result
	ctx      context.Context
	config   Config
	dialects []robotstxt.Dialect
	doubts   int // comparisons that were undecided
}

// find returns all findings. The limits of a report do not limit fixes.
func (m *maker) find() []lint.Finding {
	config := m.config.Lint
	config.MaxFindings, config.MaxPerCode, config.Filter = -1, -1, nil
	return lint.Check(m.Body, config)
}

// plain makes plain fixes until there are none left.
func (m *maker) plain() error {
	return m.rounds(func(_ *file, f *lint.Finding) bool { return !f.Fix.Meaning }, func(r *round, chosen []lint.Finding) error {
		removals, rewrites := r.split(chosen)
		if err := r.prove(rewrites, false); err != nil {
			return err
		}
		return r.prove(removals, true)
	})
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

// compare lists the verdicts that changed. The plain fixes were proved to change
// none in the dialects of the proof.
func (m *maker) compare(body, plain []byte) error {
	for _, d := range robotstxt.Dialects() {
		before := body
		if slices.Contains(m.dialects, d) {
			before = plain
		}
		change, err := compare(m.ctx, d, before, m.Body, m.config.steps())
		if err != nil {
			return err
		}
		if change != nil {
			m.Changes = append(m.Changes, *change)
		}
	}
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
// the proof or the comparison is undecided, Body is the file as it was, and Refused
// says why; its Finding is the zero value. The error is that of ctx.
func Format(ctx context.Context, body []byte, profile lint.Profile, ends lint.LineEnds) (*Result, error) {
	result := &Result{Body: lint.Format(body, profile, ends)}
	if bytes.Equal(body, result.Body) {
		return result, nil
	}
	held := Dialects(profile)
	for _, d := range robotstxt.Dialects() {
		change, err := compare(ctx, d, body, result.Body, 0)
		switch {
		case err != nil:
			return nil, err
		case change == nil:
		case slices.Contains(held, d):
			return &Result{Body: body, Refused: []Refusal{{Change: change}}}, nil
		default:
			result.Changes = append(result.Changes, *change)
		}
	}
	return result, nil
}

func (c Config) steps() int { return cmp.Or(c.Steps, largeBudget) }
