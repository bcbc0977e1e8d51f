package fix

import (
	"slices"

	"github.com/kosterhq/robotstxt/lint"
)

// round fixes a body once. It makes only one of several fixes that overlap.
type round struct {
	*maker
	rest     []lint.Finding // findings whose wanted fix was not tried yet
	file     *file
	open     openBounds
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
	return r
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
	if line := r.file.merges(f.Fix); line > 0 && !r.config.All {
		return &Refusal{Finding: *f, Merges: line}
	}
	return nil
}

func (r *round) accept(findings []lint.Finding) { r.accepted = append(r.accepted, findings...) }

// Budgets of a comparison. Nearly all comparisons that differ in one fix need less
// than the small budget; comparisons that differ in many fixes may need any amount.
const (
	smallBudget = 20_000
	largeBudget = 1_000_000
)

// mostDoubts limits how many comparisons of a file may exhaust the large budget.
const mostDoubts = 12

// prove accepts the fixes that change no verdict. It compares the file with all of
// them first, and with the halves if that fails. Then it tries those for which
// the small budget did not suffice.
func (r *round) prove(set []lint.Finding, removals bool) error {
	doubtful, err := r.halve(set, removals)
	for _, f := range doubtful {
		if err != nil {
			return err
		}
		err = r.proveOne(f, removals)
	}
	return err
}

// halve accepts and refuses fixes with the small budget, and returns those that remain
// undecided.
func (r *round) halve(set []lint.Finding, removals bool) (doubtful []lint.Finding, err error) {
	if len(set) == 0 {
		return nil, nil
	}
	change, err := r.change(set, removals, min(smallBudget, r.config.steps()))
	switch {
	case err != nil:
		return nil, err
	case change == nil:
		r.accept(set)
		return nil, nil
	case len(set) > 1:
		half := len(set) / 2
		if doubtful, err = r.halve(set[:half], removals); err != nil {
			return nil, err
		}
		more, err := r.halve(set[half:], removals)
		return append(doubtful, more...), err
	case change.Undecided != "":
		return set, nil
	}
	r.refused = append(r.refused, Refusal{Finding: set[0], Change: change})
	return nil, nil
}

// proveOne decides about one fix with the large budget.
func (r *round) proveOne(f lint.Finding, removals bool) error {
	budget := r.config.steps()
	if r.doubts >= mostDoubts {
		budget = min(smallBudget, budget)
	}
	change, err := r.change([]lint.Finding{f}, removals, budget)
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

// change returns the verdicts that fixes change, in addition to those accepted before;
// nil if it is proved that they change none. Removals must also change nothing for a
// parser that compares whole user-agent lines.
func (r *round) change(set []lint.Finding, removals bool, steps int) (*Change, error) {
	before, err := lint.Apply(r.Body, editsOf(r.accepted))
	if err != nil {
		return nil, err
	}
	after, err := lint.Apply(r.Body, editsOf(slices.Concat(r.accepted, set)))
	if err != nil {
		return nil, err
	}
	for _, d := range r.dialects {
		if change, err := compare(r.ctx, d, before, after, steps); change != nil || err != nil {
			return change, err
		}
	}
	if !removals {
		return nil, nil
	}
	return compareWritten(r.ctx, before, after, steps)
}

// split separates the fixes that remove directives from the others.
func (r *round) split(findings []lint.Finding) (removals, others []lint.Finding) {
	for _, f := range findings {
		if r.file.removes(f.Fix) {
			removals = append(removals, f)
		} else {
			others = append(others, f)
		}
	}
	return removals, others
}

func editsOf(findings []lint.Finding) (edits []lint.Edit) {
	for i := range findings {
		edits = append(edits, findings[i].Fix.Edits...)
	}
	return edits
}
