// Package places converts offsets in a file to lines and columns as other programs
// count them, and back: columns are UTF-16 units. Lines end as in a robots.txt, which
// is also where they end in the Language Server Protocol and in SARIF.
package places

import (
	"bytes"
	"sort"
	"unicode/utf8"

	"github.com/kosterhq/robotstxt"
)

// Places converts the offsets of a body. Each conversion is fast, even if the body has
// long lines. Places must not be used concurrently.
type Places struct {
	body   []byte
	starts []int // the offset of each line

	marks []mark // about one for each stride of bytes; nil until they are needed
}

// mark is an offset between two characters, with the number of units before it.
type mark struct{ offset, units int }

// stride is the number of bytes between two marks.
const stride = 1024

// Of returns the places of a body, which must not be modified while they are in use.
func Of(body []byte) *Places {
	p := &Places{body: body, starts: make([]int, 0, len(body)/32+1)}
	for line := range robotstxt.Lines(body) {
		p.starts = append(p.starts, line.Offset)
	}
	return p
}

// Start returns the offset of a line, counted from 1. If there is no such line, it
// returns the offset of the nearest line.
func (p *Places) Start(line int) int { return p.starts[min(max(line, 1), len(p.starts))-1] }

// Text returns a line without its terminator.
func (p *Places) Text(line int) []byte {
	end := len(p.body)
	if line < len(p.starts) {
		end = p.starts[line]
	}
	return bytes.TrimRight(p.body[p.Start(line):end], "\r\n")
}

// Lines returns the number of lines.
func (p *Places) Lines() int { return len(p.starts) }

// Line returns the line of an offset, counted from 1. An offset in a terminator is on
// the line that it ends.
func (p *Places) Line(offset int) int {
	return max(1, sort.Search(len(p.starts), func(i int) bool { return p.starts[i] > offset }))
}

const byteOrderMark = "\ufeff"

func (p *Places) hasMark() bool { return bytes.HasPrefix(p.body, []byte(byteOrderMark)) }

// InMark reports whether an offset is in the byte order mark at the start of the body,
// which is not part of the text.
func (p *Places) InMark(offset int) bool { return offset < len(byteOrderMark) && p.hasMark() }

// Units returns the number of UTF-16 units before an offset, as SARIF and most editors
// count columns. A byte that is not UTF-8 counts as one, and a character that the
// offset cuts counts in full. A byte order mark at the start of the body does not
// count. [SARIF 3.30.2]
func (p *Places) Units(offset int) int {
	if p.marks == nil {
		p.makeMarks()
	}
	next := sort.Search(len(p.marks), func(i int) bool { return p.marks[i].offset > offset })
	at := p.marks[next-1]
	// No character has more units than bytes, so equal numbers mean one of each for all.
	if next < len(p.marks) && p.marks[next].offset-at.offset == p.marks[next].units-at.units {
		return at.units + offset - at.offset
	}
	for at.offset < offset {
		at = p.after(at)
	}
	return at.units
}

// After returns the offset of the character that is a number of UTF-16 units after an
// offset, at most the end of the body. It is the inverse of Units: in the middle of a
// character of two units it returns the start of that character.
func (p *Places) After(offset, units int) int {
	units += p.Units(offset)
	first := sort.Search(len(p.marks), func(i int) bool { return p.marks[i].units > units })
	at := p.marks[max(first-1, 0)]
	if at.offset < offset {
		at = mark{offset, p.Units(offset)}
	}
	for at.offset < len(p.body) && at.units < units {
		next := p.after(at)
		if next.units > units {
			break
		}
		at = next
	}
	return at.offset
}

func (p *Places) makeMarks() {
	at := mark{}
	p.marks = append(p.marks, at)
	for at.offset < len(p.body) {
		at = p.after(at)
		last := p.marks[len(p.marks)-1]
		if at.offset >= last.offset+stride || at.offset == len(p.body) && at.units > last.units {
			p.marks = append(p.marks, at)
		}
	}
}

func (p *Places) after(at mark) mark {
	if at.offset == 0 && p.hasMark() {
		return mark{len(byteOrderMark), 0}
	}
	if p.body[at.offset] < utf8.RuneSelf {
		return mark{at.offset + 1, at.units + 1}
	}
	r, size := utf8.DecodeRune(p.body[at.offset:])
	units := 1
	if r > 0xffff {
		units = 2
	}
	return mark{at.offset + size, at.units + units}
}

// Position is a place in text, as other programs count.
type Position struct{ Line, Column int } // from 1, the column in UTF-16 units

// Position returns the line and column of an offset. If the body ends with a
// terminator, its end is on the last line, after the terminator, because no line
// follows. [SARIF 3.30.2]
func (p *Places) Position(offset int) Position {
	line := p.Line(offset)
	if line > 1 && p.starts[line-1] == len(p.body) {
		line--
	}
	return Position{line, p.Units(offset) - p.Units(p.starts[line-1]) + 1}
}
