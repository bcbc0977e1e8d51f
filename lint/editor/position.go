package editor

// Encoding is the unit in which positions count the characters of a line.
type Encoding uint8

// The encodings. UTF16 is the default of the Language Server Protocol.
const (
	UTF16 Encoding = iota // UTF-16 units
	UTF8                  // bytes
)

// Position is a place between two characters.
type Position struct {
	Line      int `json:"line"`      // from 0
	Character int `json:"character"` // from 0, in the units of the Encoding
}

// Range is the text between two positions.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"` // excluded
}

// Position returns the position of an offset in the body. An offset within a character
// has the position of the character's start, and one between CR and LF the position
// before the CR.
func (d *Document) Position(offset int) Position {
	offset = d.boundary(offset)
	line := d.places.Line(offset)
	start := d.places.Start(line)
	if d.encoding == UTF8 {
		return Position{line - 1, offset - start}
	}
	character := d.places.Units(offset) - d.places.Units(start)
	if start == 0 && offset > 0 && d.places.InMark(0) {
		character++ // the byte order mark, which places does not count
	}
	return Position{line - 1, character}
}

// Offset returns the offset of a position in the body. A position after the end of a
// line means the end of its text, and one within a character the character's start.
func (d *Document) Offset(p Position) int {
	switch {
	case p.Line < 0:
		return 0
	case p.Line >= d.places.Lines():
		return len(d.body)
	}
	start := d.places.Start(p.Line + 1)
	end := start + len(d.places.Text(p.Line+1))
	character := max(p.Character, 0)
	switch {
	case character >= end-start:
		return end // no character is shorter than a byte
	case d.encoding == UTF8:
		return d.boundary(start + character)
	case start == 0 && d.places.InMark(0):
		if character == 0 {
			return 0
		}
		start, character = markLength, character-1
	}
	return min(end, d.places.After(start, character))
}

// Range returns the range between two offsets in the body.
func (d *Document) Range(start, end int) Range { return Range{d.Position(start), d.Position(end)} }

const markLength = len("\ufeff")
