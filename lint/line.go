package lint

import (
	"bytes"

	"github.com/kosterhq/robotstxt"
)

// roomy reports whether a line may be edited without any thought of the cap
// beyond which nothing is read: no byte crosses it (G9).
func (l *line) roomy() bool {
	const roomy = 16_000
	return len(l.Raw) < roomy
}

// content returns a line without comment and terminator.
func (l *line) content() []byte {
	if l.Comment != nil {
		return l.Raw[:l.CommentOffset-l.Offset]
	}
	return l.Raw[:len(l.Raw)-len(l.terminator())]
}

// terminator returns what ends a line: LF, CR, CRLF, or nothing for the last one
// (G6).
func (l *line) terminator() string {
	n := len(l.Raw)
	switch {
	case n > 1 && l.Raw[n-2] == '\r' && l.Raw[n-1] == '\n':
		return "\r\n"
	case n > 0 && l.Raw[n-1] == '\n':
		return "\n"
	case n > 0 && l.Raw[n-1] == '\r':
		return "\r"
	}
	return ""
}

// newline returns the terminator of the first line, for lines that a fix adds.
func (d *document) newline() string {
	if t := d.lines[0].terminator(); t != "" {
		return t
	}
	return "\n"
}

// insertAfter is the edit that puts more lines behind a line. Each ends as that
// line does: a CR must not meet an LF that follows.
func (d *document) insertAfter(l *line, more ...string) []Edit {
	end, newline := l.Offset+len(l.Raw), l.terminator()
	text := ""
	if newline == "" {
		newline = d.newline()
		text = newline
	}
	for _, m := range more {
		text += m + newline
	}
	return []Edit{{end, end, text}}
}

// remove is the edit that takes a line out, with its terminator.
func (l *line) remove() []Edit {
	return []Edit{{l.Offset, l.Offset + len(l.Raw), ""}}
}

// removal is the edits that take a line out which decides nothing. A comment on
// it stays. It is nil where neighbours would be read otherwise without it: a
// bare CR and an LF that meet are one line end instead of two, which matters to
// who counts empty lines (Koster 3.2), and a byte order mark is passed over in
// the first line only (G3).
func (d *document) removal(l *line) []Edit {
	if l.Comment != nil {
		return []Edit{{l.KeyOffset, l.CommentOffset, ""}}
	}
	if l.Number == 1 {
		if bytes.IndexByte(d.body[len(l.Raw):], 0xEF) >= 0 {
			return nil
		}
		return l.remove()
	}
	before := d.lines[l.Number-2].Raw
	if before[len(before)-1] == '\r' {
		return nil
	}
	return l.remove()
}

// lineAlone returns what a text would be as a line of its own, the first one.
func lineAlone(text []byte) robotstxt.Line {
	for l := range robotstxt.Lines(text) {
		return l
	}
	return robotstxt.Line{}
}
