package fix

import (
	"cmp"
	"slices"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/places"
	"github.com/kosterhq/robotstxt/lint"
)

// origin has, for each line of a file, the number of the line that it comes from in the file before all
// fixes. It is nil before the first fix.
type origin []int

func (o origin) line(number int) int {
	if number <= 0 || number > len(o) {
		return number
	}
	return o[number-1]
}

// after returns the origin of the lines of a file after edits. A line that an edit writes comes from the
// line at the beginning of the edit.
func (o origin) after(before, after []byte, edits []lint.Edit) (next origin) {
	edits = slices.Clone(edits)
	slices.SortFunc(edits, func(a, b lint.Edit) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End), cmp.Compare(a.New, b.New))
	})
	edits = slices.Compact(edits)
	lines := places.Of(before)
	grown := 0 // by the edits before the current line
	for line := range robotstxt.Lines(after) {
		for len(edits) > 0 && edits[0].Start+grown+len(edits[0].New) <= line.Offset {
			grown += len(edits[0].New) - (edits[0].End - edits[0].Start)
			edits = edits[1:]
		}
		offset := line.Offset - grown
		if len(edits) > 0 {
			offset = min(offset, edits[0].Start)
		}
		next = append(next, o.line(lines.Line(offset)))
	}
	return next
}
