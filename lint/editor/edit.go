package editor

import (
	"bytes"
	"strings"

	"github.com/kosterhq/robotstxt/internal/places"
	"github.com/kosterhq/robotstxt/lint"
)

// Edit replaces the text of a range.
type Edit struct {
	Range Range  `json:"range"`
	New   string `json:"newText"`
}

// Replace returns the edit that replaces the body, from the first character that differs
// to the last one. It returns nil if no character differs.
func (d *Document) Replace(body []byte) []Edit {
	if bytes.Equal(body, d.body) {
		return nil
	}
	shorter := min(len(body), len(d.body))
	start := 0
	same := 0
	for start < shorter && body[start] == d.body[start] {
		start++
	}
	for same < shorter-start && body[len(body)-1-same] == d.body[len(d.body)-1-same] {
		same++
	}
	return d.edits([]lint.Edit{{Start: start, End: len(d.body) - same, New: string(body[start : len(body)-same])}})
}

// Apply returns a copy of a body with edits, each of which is made in the result of those
// before it, as editors report changes. A range outside of the text means the nearest one
// inside.
func Apply(body []byte, encoding Encoding, edits []Edit) []byte {
	for len(edits) > 0 {
		d := &Document{body: body, encoding: encoding, places: places.Of(body)}
		located := d.locate(edits)
		edits = edits[len(located):]
		body, _ = lint.Apply(body, located) // they do not overlap
	}
	return body
}

// locate returns the first of some edits, at least one, as edits of the body: those that are
// at the same place in it as in the result of the edits before them. Such are edits before
// all others, and edits within a line of their own, if the others are within lines too.
// Editors report many edits in either order.
func (d *Document) locate(edits []Edit) (located []lint.Edit) {
	first := len(d.body)
	lines := make(map[int]bool)
	within := true
	for _, e := range edits {
		start, end := d.Offset(e.Range.Start), d.Offset(e.Range.End)
		end = max(start, end)
		line := e.Range.Start.Line
		inLine := line >= 0 && line < d.places.Lines() && line == e.Range.End.Line && !strings.ContainsAny(e.New, "\r\n")
		if len(located) > 0 && !(within && inLine && !lines[line]) {
			before := d.Position(first)
			if end >= first || !e.Range.Start.before(before) || !e.Range.End.before(before) {
				break
			}
		}
		located = append(located, lint.Edit{Start: start, End: end, New: e.New})
		first = min(first, start)
		within = within && inLine
		lines[line] = true
	}
	return located
}

func (p Position) before(other Position) bool {
	return p.Line < other.Line || p.Line == other.Line && p.Character < other.Character
}
