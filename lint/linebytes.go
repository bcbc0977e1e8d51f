package lint

import (
	"bytes"
	"fmt"

	"github.com/kosterhq/robotstxt"
)

// inspectLineBytes looks for bytes that hide others of their line, and for ends of
// lines that not all parsers see.
func (d *document) inspectLineBytes() {
	var bare *line
	for i := range d.lines {
		l := &d.lines[i]
		if l.TooLong {
			d.inspectLongLine(l)
		}
		if l.NULCut {
			d.inspectNUL(l)
		}
		if bare == nil && l.terminator() == "\r" {
			bare = l
		}
	}
	if bare != nil {
		d.findBareCR(bare)
	}
}

// inspectLongLine reports a line of which the end is not read, unless that is the
// end of a comment or of a line that does not count.
func (d *document) inspectLongLine(l *line) {
	const limit = 2083*8 - 1 // G9
	if l.Comment != nil || l.Kind == robotstxt.KindNoDirective || l.Kind == robotstxt.KindUnknown {
		return
	}
	start := l.Offset + limit
	d.find("RX408", l, start, l.Offset+len(l.Raw)-len(l.terminator()), "Google reads %d bytes of a line; this one has %d", limit, len(l.Raw)-len(l.terminator()))
}

// inspectNUL looks at what stands behind a NUL byte, which no one reads. In a
// comment no one would anyway.
func (d *document) inspectNUL(l *line) {
	end := len(l.Raw) - len(l.terminator())
	at := bytes.IndexByte(l.Raw[:end], 0)
	if l.Comment != nil || at < 0 {
		return
	}
	hidden := bytes.Trim(l.Raw[at:end], whiteSpace+"\x00")
	start := l.Offset + at
	if len(hidden) == 0 {
		f := d.find("RX419", l, start, l.Offset+end, "%s at the end of the line; some parsers take them for a part of its value", number(end-at, "NUL byte"))
		// Without them a CR before the line would meet the LF behind it.
		if at > 0 || l.Offset == 0 || d.body[l.Offset-1] != '\r' {
			f.Fix = &Fix{Title: "remove them", Edits: []Edit{{start, l.Offset + end, ""}}}
		}
		return
	}
	l.told = true
	f := d.find("RX409", l, start, l.Offset+end, "a NUL byte hides the rest of the line, %s", quote(hidden))
	var edits []Edit
	for i := at; i < end; i++ {
		if l.Raw[i] == 0 {
			edits = append(edits, Edit{l.Offset + i, l.Offset + i + 1, ""})
		}
	}
	f.Fix = &Fix{Title: "remove the NUL bytes", Edits: edits, Meaning: true}
}

// findBareCR reports lines that end with CR alone, once for the file.
func (d *document) findBareCR(first *line) {
	var edits []Edit
	for i := first.Number - 1; i < len(d.lines); i++ {
		if l := &d.lines[i]; l.terminator() == "\r" {
			end := l.Offset + len(l.Raw)
			edits = append(edits, Edit{end - 1, end, "\n"})
		}
	}
	end := first.Offset + len(first.Raw)
	f := d.find("RX414", first, end-1, end, "%s with CR alone, which parsers that split at LF do not see", lineEnds(len(edits)))
	f.Fix = &Fix{Title: "end them with LF", Edits: edits}
}

// lineEnds says that a number of lines end in some way.
func lineEnds(n int) string {
	if n == 1 {
		return "a line ends"
	}
	return fmt.Sprintf("%d lines end", n)
}
