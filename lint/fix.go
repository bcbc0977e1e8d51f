package lint

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// Fix is a set of edits that fixes a finding.
type Fix struct {
	Title string `json:"title"` // what it does, such as "write the token alone"
	Edits []Edit `json:"edits"` // in the order of the body, not overlapping
	// Meaning is true if the fix changes verdicts, or may. Otherwise no verdict
	// changes in google, in rfc9309 and in the profile's dialect.
	Meaning bool `json:"meaning"`
}

// Edit replaces the bytes from Start to End, End excluded, with New.
type Edit struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	New   string `json:"new"`
}

// ErrEdits means that edits overlap or reach beyond the body. Errors of Apply
// wrap it.
var ErrEdits = errors.New("edits do not fit")

// Apply returns a copy of body with the edits made; body does not change. The edits
// may be in any order. Equal edits are made once. If an edit overlaps another one
// or reaches beyond the body, the error wraps ErrEdits.
func Apply(body []byte, edits []Edit) ([]byte, error) {
	edits = slices.Clone(edits)
	slices.SortFunc(edits, func(a, b Edit) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End), cmp.Compare(a.New, b.New))
	})
	edits = slices.Compact(edits)
	var out []byte
	done := 0
	for _, e := range edits {
		if e.Start < done || e.End < e.Start || e.End > len(body) {
			return nil, fmt.Errorf("%w: bytes %d to %d, after %d of %d: apply the fixes one by one", ErrEdits, e.Start, e.End, done, len(body))
		}
		out = append(out, body[done:e.Start]...)
		out = append(out, e.New...)
		done = e.End
	}
	return append(out, body[done:]...), nil
}
