package fix

import (
	"fmt"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
	"github.com/kosterhq/robotstxt/lint"
)

// mostRefusals is the number of refused fixes in the notes.
const mostRefusals = 5

// Notes returns sentences, escaped: how many fixes were made, what they change, and
// which were not made. all is true if fixes that change verdicts were requested too.
func (r *Result) Notes(profile lint.Profile, all bool) (notes []string) {
	made := term.Count(r.Made, "fix", "fixes")
	switch {
	case r.Made > 0 && all:
		notes = append(notes, made)
	case r.Made > 0:
		notes = append(notes, made+", proved to change no verdict in "+DialectsText(profile))
	}
	notes = append(notes, r.ChangeNotes()...)
	for i := range r.Refused {
		refusal := &r.Refused[i]
		if i == mostRefusals {
			notes = append(notes, term.Count(len(r.Refused)-i, "fix is", "fixes are")+" more not made; --format json lists them")
			break
		}
		notes = append(notes, fmt.Sprintf("%s on line %d is not fixed: %s", refusal.Finding.Code, refusal.Finding.Line, refusal.Reason()))
	}
	if r.More {
		notes = append(notes, "there are more fixes, which another run can make")
	}
	return notes
}

// ChangeNotes returns a sentence about the changed verdicts in each dialect, escaped.
func (r *Result) ChangeNotes() (notes []string) {
	for i := range r.Changes {
		more := ""
		if n := r.Changes[i].More; n > 0 {
			more = "; so do " + term.Count(n, "other pair of lines", "other pairs of lines")
			if n == 1 {
				more = "; so does 1 other pair of lines"
			}
		}
		notes = append(notes, r.Changes[i].String()+more)
	}
	return notes
}

// DialectsText lists the dialects of the proof for a profile.
func DialectsText(profile lint.Profile) string {
	var names []string
	for _, d := range Dialects(profile) {
		names = append(names, d.String())
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// WireChanges returns the changes of verdicts as JSON output has them.
func (r *Result) WireChanges() (all []wire.Change) {
	for i := range r.Changes {
		all = append(all, r.Changes[i].Wire())
	}
	return all
}

// WireRefused returns the fixes that were not made as JSON output has them.
func (r *Result) WireRefused() (all []wire.NotFixed) {
	for i := range r.Refused {
		f := &r.Refused[i].Finding
		all = append(all, wire.NotFixed{Code: string(f.Code), Line: f.Line, Reason: r.Refused[i].Reason()})
	}
	return all
}
