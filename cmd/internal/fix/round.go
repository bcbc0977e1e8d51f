package fix

import (
	"cmp"
	"slices"

	"github.com/kosterhq/robotstxt/lint"
)

// round fixes a body once. It makes only one of several fixes that overlap.
type round struct {
	*maker
	rest     []lint.Finding // findings whose wanted fix was not tried yet
	file     *file
	open     openBounds
	graver   map[int]*lint.Finding // by line: the most severe finding about it that stays
	accepted []lint.Finding
	refused  []Refusal
}

func newRound(m *maker, wanted func(*file, *lint.Finding) bool) *round {
	findings := m.find()
	r := &round{maker: m, file: newFile(m.Body, m.config.Lint.Profile.Dialect())}
	for i := range findings {
		if f := &findings[i]; f.Fix != nil && len(f.Fix.Edits) > 0 && wanted(r.file, f) {
			r.rest = append(r.rest, *f)
		}
	}
	r.open = r.file.openBounds(findings)
	r.readGraver(findings, wanted)
	// Of two fixes at one place that of the graver finding is made.
	slices.SortStableFunc(r.rest, func(a, b lint.Finding) int { return cmp.Compare(b.Severity, a.Severity) })
	return r
}

// readGraver notes the lines that findings are about whose fix is not wanted. A fix of a
// finding that is less severe must not remove what they report.
func (r *round) readGraver(findings []lint.Finding, wanted func(*file, *lint.Finding) bool) {
	r.graver = make(map[int]*lint.Finding)
	for i := range findings {
		f := &findings[i]
		if f.Start == f.End || f.Fix != nil && wanted(r.file, f) {
			continue
		}
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
}

// run tries all fixes, those that do not overlap together. If a fix is refused, the
// next one that overlaps it is tried.
func (r *round) run(try func(*round, []lint.Finding) error) error {
	r.rest = slices.DeleteFunc(r.rest, func(f lint.Finding) bool {
		refusal := r.precheck(&f)
		if refusal != nil {
			r.refused = append(r.refused, *refusal)
		}
		return refusal != nil
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
		if err := try(r, chosen); err != nil {
			return err
		}
		r.rest = left
	}
	slices.SortStableFunc(r.refused, func(a, b Refusal) int { return a.Finding.Start - b.Finding.Start })
	return nil
}

// precheck refuses a fix because of the lines that it edits, even if it changes no
// verdict.
func (r *round) precheck(f *lint.Finding) *Refusal {
	if open := r.file.touched(f, r.open); open != nil {
		return &Refusal{Finding: *f, Bounds: open}
	}
	for _, e := range f.Fix.Edits {
		if other := r.graver[r.file.lineAt(e.Start)]; other != nil && other.Severity > f.Severity && other.Code != f.Code {
			return &Refusal{Finding: *f, Graver: other}
		}
	}
	if line := r.file.merges(f.Fix); line > 0 && !r.config.All {
		return &Refusal{Finding: *f, Merges: line}
	}
	return nil
}

func (r *round) accept(findings []lint.Finding) { r.accepted = append(r.accepted, findings...) }

// mostDoubts limits how many comparisons of a file may exhaust the large budget.
const mostDoubts = 12

// prove accepts the fixes that change no verdict. It compares the file with all of
// them first, and with the halves if that fails. Then it tries those for which
// the small budget did not suffice.
func (r *round) prove(set []lint.Finding) error {
	doubtful, err := r.halve(set)
	for _, f := range doubtful {
		if err != nil {
			return err
		}
		err = r.proveOne(f)
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
		r.accept(set)
		return nil, nil
	case len(set) > 1:
		half := len(set) / 2
		if doubtful, err = r.halve(set[:half]); err != nil {
			return nil, err
		}
		more, err := r.halve(set[half:])
		return append(doubtful, more...), err
	case change.Undecided != "":
		return set, nil
	}
	r.refused = append(r.refused, Refusal{Finding: set[0], Change: change})
	return nil, nil
}

// proveOne decides about one fix with the large budget.
func (r *round) proveOne(f lint.Finding) error {
	budget := largeBudget
	if r.doubts >= mostDoubts {
		budget = smallBudget
	}
	change, err := r.changed([]lint.Finding{f}, budget)
	switch {
	case err != nil:
		return err
	case change == nil:
		r.accept([]lint.Finding{f})
		return nil
	case change.Undecided != "":
		r.doubts++
	}
	r.refused = append(r.refused, Refusal{Finding: f, Change: change})
	return nil
}

// changed returns the verdicts that fixes change, in addition to those accepted before; nil
// if it is proved that they change none.
func (r *round) changed(set []lint.Finding, steps int) (*Change, error) {
	if r.left <= 0 {
		return &Change{Undecided: usedUp}, nil
	}
	before, err := lint.Apply(r.Body, editsOf(r.accepted))
	if err != nil {
		return nil, err
	}
	after, err := lint.Apply(r.Body, editsOf(slices.Concat(r.accepted, set)))
	if err != nil {
		return nil, err
	}
	return r.change(before, after, steps)
}

func editsOf(findings []lint.Finding) (edits []lint.Edit) {
	for i := range findings {
		edits = append(edits, findings[i].Fix.Edits...)
	}
	return edits
}
