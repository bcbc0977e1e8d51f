package lint

import (
	"bytes"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

// inspectLineBytes looks for bytes that hide others of their line, and for ends of
// lines that not all parsers see.
func (d *document) inspectLineBytes() {
	var bare *line
	for i := range d.lines {
		l := &d.lines[i]
		if l.tooLong {
			d.inspectLongLine(l)
		}
		if l.nulCut {
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
	if l.commented() || l.kind == robotstxt.KindNoDirective || l.kind == robotstxt.KindUnknown {
		return
	}
	start := l.offset + readBytes
	d.find("RX408", l, start, l.offset+len(l.raw)-len(l.terminator()), "Google reads %d bytes of a line; this one has %d", readBytes, len(l.raw)-len(l.terminator()))
}

// inspectNUL looks at what stands behind a NUL byte, which no one reads. In a
// comment no one would anyway.
func (d *document) inspectNUL(l *line) {
	end := len(l.raw) - len(l.terminator())
	at := bytes.IndexByte(l.raw[:end], 0)
	if l.commented() || at < 0 {
		return
	}
	hidden := bytes.Trim(l.raw[at:end], ascii.Space+"\x00")
	start := l.offset + at
	if len(hidden) == 0 {
		f := d.find("RX419", l, start, l.offset+end, "%s at the end of the line; some parsers take them for a part of its value", number(end-at, "NUL byte"))
		// Without them a CR before the line would meet the LF behind it.
		if at > 0 || l.offset == 0 || d.body[l.offset-1] != '\r' {
			f.Fix = &Fix{Title: "remove them", Edits: []Edit{{start, l.offset + end, ""}}}
		}
		return
	}
	l.told = true
	f := d.find("RX409", l, start, l.offset+end, "a NUL byte hides the rest of the line, %s", quote(hidden))
	var edits []Edit
	for i := at; i < end; i++ {
		if l.raw[i] == 0 {
			edits = append(edits, Edit{l.offset + i, l.offset + i + 1, ""})
		}
	}
	f.Fix = &Fix{Title: "remove the NUL bytes", Edits: edits, Meaning: true}
}

// findBareCR reports lines that end with CR alone, once for the file.
func (d *document) findBareCR(first *line) {
	// Each is worth an edit, and there may be millions.
	edits := make([]Edit, 0, bytes.Count(d.body, []byte("\r"))-bytes.Count(d.body, []byte("\r\n")))
	for i := first.number - 1; i < len(d.lines); i++ {
		if l := &d.lines[i]; l.terminator() == "\r" {
			end := l.offset + len(l.raw)
			edits = append(edits, Edit{end - 1, end, "\n"})
		}
	}
	end := first.offset + len(first.raw)
	f := d.find("RX414", first, end-1, end, "%s with CR alone, which parsers that split at LF do not see", lineEnds(len(edits)))
	f.Fix = &Fix{Title: "end them with LF", Edits: edits}
}
