package lint

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// Fix is a set of edits that mends a finding.
type Fix struct {
	Title string `json:"title"` // what it does, "write the token alone"
	Edits []Edit `json:"edits"` // in the order of the body, not overlapping
	// Meaning says that it changes verdicts, or may. Otherwise no verdict changes
	// in google, in rfc9309 and in the profile's dialect.
	Meaning bool `json:"meaning"`
}

// Edit replaces the bytes from Start to End, End excluded, by New.
type Edit struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	New   string `json:"new"`
}

// ErrEdits is what Apply returns, wrapped, for edits that do not fit the body or
// each other.
var ErrEdits = errors.New("edits do not fit")

// Apply returns body with the edits made. Body is left as it is. The edits may
// come in any order; one that overlaps another, or reaches beyond the body, is
// an error. Of edits that are equal one is made.
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
