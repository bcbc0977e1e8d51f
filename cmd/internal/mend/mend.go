// Package mend makes the fixes of findings in a robots.txt, and holds those that
// promise to change no verdict to it.
package mend

import (
	"bytes"
	"fmt"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/verdicts"
	"github.com/kosterhq/robotstxt/lint"
)

// mostRounds bounds how often a file is fixed and looked at again. A round takes
// out what does not touch each other, so a few are enough for any file; the
// bound is there for two fixes that undo each other.
const mostRounds = 50

// Mending is a file while fixes are made in it.
type Mending struct {
	// Find returns the findings of a body, whose fixes are made.
	Find func(body []byte) []lint.Finding
	// Dialect is the one in which no verdict may change.
	Dialect robotstxt.Dialect
	// Body is the file, with all fixes made so far.
	Body []byte

	Fixes    int  // made
	Compared int  // verdicts
	Cut      bool // not all verdicts that could change were compared
	Left     bool // there were fixes left when the rounds ran out
}

// UnsafeError says that a fix does not keep what it promises. It has not been made.
type UnsafeError struct {
	Finding lint.Finding
	Change  verdicts.Change // that it makes, if Err is nil
	Err     error           // its edits do not fit the file
}

func (e *UnsafeError) Error() string {
	why := "it changes a verdict"
	if e.Err != nil {
		why = e.Err.Error()
	}
	return fmt.Sprintf("the fix of %s on line %d is not safe: %s", e.Finding.Code, e.Finding.Line, why)
}

func (e *UnsafeError) Unwrap() error { return e.Err }

// Plain makes the fixes that promise to change no verdict. One that changes some
// is an *UnsafeError, and those made before it stay made.
func (m *Mending) Plain() error {
	return m.rounds(false, func(chosen []lint.Finding) error {
		// Fixes that are right one by one can be wrong together: of two equal
		// rules, each may be called the one too many. So fewer are tried.
		for n := len(chosen); n > 0; n /= 2 {
			after, err := lint.Apply(m.Body, editsOf(chosen[:n]))
			if err != nil {
				return &UnsafeError{Finding: chosen[0], Err: err}
			}
			c := verdicts.Compare(m.Body, after, m.Dialect)
			m.Compared, m.Cut = m.Compared+c.Compared, m.Cut || c.Cut
			if c.Changed == 0 {
				m.Body, m.Fixes = after, m.Fixes+n
				return nil
			}
			if n == 1 {
				return &UnsafeError{Finding: chosen[0], Change: c.Examples[0]}
			}
		}
		return nil
	})
}

// Meant makes the fixes that are meant to change verdicts.
func (m *Mending) Meant() error {
	return m.rounds(true, func(chosen []lint.Finding) error {
		after, err := lint.Apply(m.Body, editsOf(chosen))
		if err != nil {
			return &UnsafeError{Finding: chosen[0], Err: err}
		}
		m.Body, m.Fixes = after, m.Fixes+len(chosen)
		return nil
	})
}

// rounds finds and fixes until there is nothing to fix of a kind.
func (m *Mending) rounds(meaning bool, apply func(chosen []lint.Finding) error) error {
	for range mostRounds {
		chosen := compatible(m.Find(m.Body), meaning)
		if len(chosen) == 0 {
			return nil
		}
		before := m.Body
		if err := apply(chosen); err != nil {
			return err
		}
		if bytes.Equal(before, m.Body) {
			return nil
		}
	}
	m.Left = m.Left || len(compatible(m.Find(m.Body), meaning)) > 0
	return nil
}

// compatible returns the findings whose fixes are of a kind and can be made
// together, the first ones where they cannot.
func compatible(findings []lint.Finding, meaning bool) (chosen []lint.Finding) {
	var taken claims
	for _, f := range findings {
		if f.Fix != nil && len(f.Fix.Edits) > 0 && f.Fix.Meaning == meaning && taken.add(f.Fix.Edits) {
			chosen = append(chosen, f)
		}
	}
	return chosen
}

func editsOf(findings []lint.Finding) (edits []lint.Edit) {
	for i := range findings {
		edits = append(edits, findings[i].Fix.Edits...)
	}
	return edits
}
