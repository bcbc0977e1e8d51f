package robotstxt

import (
	"iter"

	"github.com/kosterhq/robotstxt/internal/ascii"
)

// Kind is the kind of a line, as Google's parser reads it.
type Kind uint8

// The kinds of lines. Every line has exactly one.
const (
	KindNoDirective Kind = iota // text without a key and a value [G15, G17]
	KindEmpty                   // at most white space [G13]
	KindComment                 // at most white space and a comment [G13]
	KindUserAgent               // starts or continues a run of agent lines [G19]
	KindAllow                   // a rule [G19]
	KindDisallow                // a rule [G19]
	KindSitemap                 // the URL of a sitemap [G19]
	KindUnused                  // a known key without effect, such as Crawl-delay [G65]
	KindUnknown                 // any other key [G20]
)

var kindNames = [...]string{
	KindNoDirective: "no directive",
	KindEmpty:       "empty",
	KindComment:     "comment",
	KindUserAgent:   "user-agent",
	KindAllow:       "allow",
	KindDisallow:    "disallow",
	KindSitemap:     "sitemap",
	KindUnused:      "unused",
	KindUnknown:     "unknown",
}

// String returns the name of the kind in lower case, such as "user-agent". For other
// values it returns "no directive".
func (k Kind) String() string {
	if int(k) >= len(kindNames) {
		k = KindNoDirective
	}
	return kindNames[k]
}

// Line is one line of a body: its position, its kind, its key and value, and the
// mistakes in it that the parser accepts. Its slices point into the body; they are
// valid until the body is changed.
//
// Offsets count bytes from the start of the body. Key, Value and Comment are nil if
// the line lacks them. After a bare "Key:" Value is empty, but not nil.
type Line struct {
	Number int // from 1 [G8]
	Kind   Kind

	Raw     []byte // the whole line, with its terminator and a leading BOM
	Key     []byte // as written, trimmed [G12]
	Value   []byte // as written, trimmed, not normalised [G12]
	Comment []byte // from the '#', without the terminator [G11]

	Offset        int // of Raw
	KeyOffset     int // of Key, 0 if there is none
	ValueOffset   int // of Value, 0 if there is none
	CommentOffset int // of Comment, 0 if there is none

	Typo         bool // the key is an accepted misspelling [G21]
	MissingColon bool // spaces or tabs separate key and value, instead of a colon [G15, G64]
	TooLong      bool // the line is longer than 16,663 bytes; the rest is ignored [G9]
	NULCut       bool // the line contains a NUL byte; the rest is ignored [G10]
}

// Lines yields every line of body in order, without allocating. The Raw slices,
// joined, equal the body. The text after the last terminator is a line too, even if
// it is empty, so a body with N terminators yields N+1 lines [G8].
func Lines(body []byte) iter.Seq[Line] {
	return func(yield func(Line) bool) { yieldLines(body, yield) }
}

func yieldLines(body []byte, yield func(Line) bool) {
	var s scanner
	s.open(ascii.View(body))
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

// part returns the bytes of body in p, with a capacity that keeps append from
// writing into the body.
func part(body []byte, p span) []byte { return body[p.start:p.end:p.end] }
