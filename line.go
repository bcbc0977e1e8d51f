package robotstxt

import "iter"

// Line is one line of a body: where it stands, what it is, and what had to be
// forgiven to read it. Its slices point into the body and are only valid as
// long as the body is not changed.
//
// Offsets count bytes from the start of the body. Key, Value and Comment are
// nil where the line has none; Value is empty, not nil, after a bare "Key:".
type Line struct {
	Number int  // from 1 (G8)
	Kind   Kind // what the line is

	Raw     []byte // the whole line, its terminator and a leading BOM included
	Key     []byte // as spelt, trimmed (G12)
	Value   []byte // as spelt, trimmed, not normalised (G12)
	Comment []byte // from the '#' on, without the terminator (G11)

	Offset        int // of Raw
	KeyOffset     int // of Key; 0 without one
	ValueOffset   int // of Value; 0 without one
	CommentOffset int // of Comment; 0 without one

	Typo         bool // the key is one of the accepted misspellings (G21)
	MissingColon bool // blanks separate key and value (G15, G64)
	TooLong      bool // the line goes on behind its first 16,663 bytes, unread (G9)
	NULCut       bool // a NUL byte hides the rest of the line (G10)
}

// Lines yields every line of body in order, without allocating. Nothing is
// lost: the Raw slices joined are the body, byte for byte. A body of N
// terminated lines yields N+1 lines, the last one possibly empty (G8).
func Lines(body []byte) iter.Seq[Line] {
	return func(yield func(Line) bool) { yieldLines(body, yield) }
}

func yieldLines(body []byte, yield func(Line) bool) {
	s := newScanner(view(body))
	for s.next() {
		l := Line{
			Number:       s.number,
			Kind:         s.kind,
			Raw:          body[s.start:s.pos:s.pos],
			Offset:       s.start,
			Typo:         s.typo,
			MissingColon: s.missingColon,
			TooLong:      s.tooLong,
			NULCut:       s.nulCut,
		}
		if s.kind >= KindUserAgent {
			l.Key, l.KeyOffset = part(body, s.key), s.key.start
			l.Value, l.ValueOffset = part(body, s.value), s.value.start
		}
		if s.comment.end > s.comment.start {
			l.Comment, l.CommentOffset = part(body, s.comment), s.comment.start
		}
		if !yield(l) {
			return
		}
	}
}

// part returns a part of body that an append cannot write beyond.
func part(body []byte, p span) []byte { return body[p.start:p.end:p.end] }
