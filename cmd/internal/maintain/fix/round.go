package fix

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/kosterhq/robotstxt/internal/places"
	"github.com/kosterhq/robotstxt/lint"
)

// round makes the plain fixes of a body once. It makes only one of several fixes that overlap.
type round struct {
	*maker
	rest     []lint.Finding // findings whose fix was not tried yet
	lines    *places.Places
	graver   map[int]*lint.Finding // by line: the most severe finding about it that stays
	accepted []lint.Finding
	refused  []Refusal
}

func newRound(m *maker) (*round, error) {
	findings, err := m.find()
	r := &round{maker: m, lines: places.Of(m.Body), graver: make(map[int]*lint.Finding)}
	for i := range findings {
		if f := &findings[i]; isPlain(f) {
			r.rest = append(r.rest, *f)
		} else if f.Start < f.End {
			r.noteGraver(f)
		}
	}
	// If two fixes are at one place, the fix for the more severe finding is made.
	slices.SortStableFunc(r.rest, func(a, b lint.Finding) int { return cmp.Compare(b.Severity, a.Severity) })
	return r, err
}

func isPlain(f *lint.Finding) bool { return f.Fix != nil && len(f.Fix.Edits) > 0 && !f.Fix.Meaning }

// noteGraver notes the lines that a finding without a plain fix is about. A fix of a finding that is less
// severe must not remove what it reports.
func (r *round) noteGraver(f *lint.Finding) {
	note := func(line int) {
		if other := r.graver[line]; other == nil || other.Severity < f.Severity {
			r.graver[line] = f
		}
	}
	note(f.Line)
	for _, related := range f.Related {
		note(related.Line)
	}
}

// run tries all fixes, those that do not overlap together. If a fix is refused, the
// next one that overlaps it is tried.
func (r *round) run() error {
	r.rest = slices.DeleteFunc(r.rest, func(f lint.Finding) bool {
		other := r.graverThan(&f)
		if other != nil {
			r.refuse(f, fmt.Sprintf("%s on line %d is more severe and about the same lines; fix that first", other.Code, r.origin.line(other.Line)))
		}
		return other != nil
	})
	for len(r.rest) > 0 {
		var taken claims
		taken.add(editsOf(r.accepted))
		var chosen, left []lint.Finding
		for _, f := range r.rest {
			if taken.add(f.Fix.Edits) {
				chosen = append(chosen, f)
			} else {
				left = append(left, f)
			}
		}
		if len(chosen) == 0 {
			break
		}
		if err := r.prove(chosen); err != nil {
			return err
		}
		r.rest = left
	}
	slices.SortStableFunc(r.refused, func(a, b Refusal) int { return a.Finding.Start - b.Finding.Start })
	return nil
}

// graverThan returns a more severe finding about a line that a fix edits, nil if there is none.
func (r *round) graverThan(f *lint.Finding) *lint.Finding {
	for _, e := range f.Fix.Edits {
		if other := r.graver[r.lines.Line(e.Start)]; other != nil && other.Severity > f.Severity &&
			other.Code != f.Code {
			return other
		}
	}
	return nil
}

func (r *round) refuse(f lint.Finding, reason string) {
	r.refused = append(r.refused, Refusal{Finding: f, Line: r.origin.line(f.Line), Reason: reason})
}

// maxDoubts limits how many comparisons of a file can exhaust the large budget.
const maxDoubts = 12

// prove accepts the fixes that change no verdict. It compares the file with all of
// them first, and with the halves if that fails. Then it tries those for which
// the small budget did not suffice.
func (r *round) prove(set []lint.Finding) error {
	doubtful, err := r.halve(set)
	for i := 0; i < len(doubtful) && err == nil; i++ {
		err = r.proveOne(doubtful[i])
	}
	return err
}

// halve accepts and refuses fixes with the small budget, and returns those that remain
// undecided.
func (r *round) halve(set []lint.Finding) (doubtful []lint.Finding, err error) {
	if len(set) == 0 {
		return nil, nil
	}
	change, err := r.changed(set, smallBudget)
	switch {
	case err != nil:
		return nil, err
	case change == nil:
		r.accepted = append(r.accepted, set...)
		return nil, nil
	case len(set) > 1:
		half := len(set) / 2
		doubtful, err = r.halve(set[:half])
		if err != nil {
			return nil, err
		}
		more, err := r.halve(set[half:])
		return append(doubtful, more...), err
	case change.Undecided != "":
		return set, nil
	}
	r.refuse(set[0], change.String())
	return nil, nil
}

func (r *round) proveOne(f lint.Finding) error {
	budget := largeBudget
	if r.doubts >= maxDoubts {
		budget = smallBudget
	}
	change, err := r.changed([]lint.Finding{f}, budget)
	switch {
	case err != nil:
		return err
	case change == nil:
		r.accepted = append(r.accepted, f)
		return nil
	case change.Undecided != "":
		r.doubts++
	}
	r.refuse(f, change.String())
	return nil
}

// changed returns the verdicts that fixes change, in addition to those accepted before; nil
// if it is proved that they change none.
func (r *round) changed(set []lint.Finding, steps int) (*Change, error) {
	if r.left <= 0 {
		return &Change{Undecided: usedUp}, nil
	}
	accepted, edits := editsOf(r.accepted), editsOf(slices.Concat(r.accepted, set))
	before, err := lint.Apply(r.Body, accepted)
	if err != nil {
		return nil, err
	}
	after, err := lint.Apply(r.Body, edits)
	if err != nil {
		return nil, err
	}
	change, err := r.change(before, after, steps)
	if change != nil && change.Undecided == "" {
		change.First.OldLine = r.origin.after(r.Body, before, accepted).line(change.First.OldLine)
		change.First.NewLine = r.origin.after(r.Body, after, edits).line(change.First.NewLine)
	}
	return change, err
}

func editsOf(findings []lint.Finding) (edits []lint.Edit) {
	for i := range findings {
		edits = append(edits, findings[i].Fix.Edits...)
	}
	return edits
}
