package fix

import (
	"bytes"
	"context"
	"slices"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/lint"
	"github.com/kosterhq/robotstxt/semdiff"
)

// layoutDialects returns the dialects in which the layout of a file changes no verdict. Koster's draft of
// 1996, in which an empty line ends a group, is one of them only in its own profile.
func layoutDialects(profile lint.Profile) []robotstxt.Dialect {
	dialects := []robotstxt.Dialect{robotstxt.Google, robotstxt.RFC9309}
	if d := profile.Dialect(); !slices.Contains(dialects, d) {
		dialects = append(dialects, d)
	}
	return dialects
}

// Budgets of a comparison. Nearly all comparisons that differ in one fix need less
// than the small budget; comparisons that differ in many fixes can need any amount.
const (
	smallBudget = 20_000
	largeBudget = 1_000_000
)

// prover proves that two files give the same verdicts, with one budget for all proofs.
type prover struct {
	ctx      context.Context
	dialects []robotstxt.Dialect
	left     int // steps
}

// usedUp is why nothing more is decided.
const usedUp = "the budget of steps is used up"

// bytesPerStep is how many bytes of a file are read in the time of a step.
const bytesPerStep = 16

// change returns how the verdicts of two files differ in the dialects of the proof, or for
// strict readers; nil if it is proved that they do not.
func (p *prover) change(before, after []byte, steps int) (*Change, error) {
	for _, d := range p.dialects {
		if change, err := p.compare(d, before, after, steps); change != nil || err != nil {
			return change, err
		}
	}
	return p.compareStrict(before, after, steps)
}

// changes lists how the verdicts of two files differ, one change for each dialect.
func (p *prover) changes(before, after []byte) (changes []Change, err error) {
	for _, d := range robotstxt.Dialects() {
		p.left = max(p.left, smallBudget)
		change, err := p.compare(d, before, after, largeBudget)
		if err != nil {
			return nil, err
		}
		if change != nil {
			changes = append(changes, *change)
		}
	}
	return changes, nil
}

// compare returns how the verdicts of two files differ in a dialect, nil if it is
// proved that they do not. It prefers a proved change to an undecided one.
func (p *prover) compare(d robotstxt.Dialect, before, after []byte, steps int) (*Change, error) {
	if err := p.ctx.Err(); err != nil || bytes.Equal(before, after) {
		return nil, err
	}
	p.left -= (len(before) + len(after)) / bytesPerStep
	steps = min(steps, p.left)
	if steps <= 0 {
		return &Change{Dialect: d, Undecided: usedUp}, nil
	}
	report, err := semdiff.Compare(p.ctx, d.Parse(before), d.Parse(after), semdiff.Config{Steps: steps})
	if err != nil {
		return nil, err
	}
	p.left -= report.Steps
	if report.Equal() {
		return nil, nil
	}
	var found *Change
	more := -1
	for _, row := range report.Rows {
		switch {
		case len(row.Changes) > 0:
			if found == nil || found.Undecided != "" {
				found = &Change{Dialect: d, Crawlers: row.Crawlers, First: row.Changes[0]}
			}
			more += len(row.Changes)
		case row.Effect == semdiff.Undecided && found == nil:
			found = &Change{Dialect: d, Crawlers: row.Crawlers, Undecided: row.Tried}
		}
	}
	found.More = max(0, more)
	return found, nil
}
