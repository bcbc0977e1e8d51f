// Package bodyhead recognises what a body begins with: byte order marks, the markup of
// a web page in place of a robots.txt, and bytes that are not text.
package bodyhead

import (
	"bytes"

	"github.com/kosterhq/robotstxt/internal/ascii"
)

// Mark is the byte order mark of UTF-8.
const Mark = "\ufeff"

// Garbled is a byte order mark that a program has read as Windows-1252.
const Garbled = "ï»¿"

// replacement is what some programs write for bytes that they cannot decode.
const replacement = "\uFFFD"

// Size is the number of bytes of a body that are enough for IsMarkup and IsBinary.
const Size = 1024

// IsBinary reports whether the beginning of a body is not text: it is UTF-16 or UTF-32, or
// has a control character that the MIME Sniffing Standard calls a binary data byte, as
// compressed files do.
func IsBinary(head []byte) bool {
	for _, c := range head {
		if c < ' ' && c != '\t' && c != '\n' && c != '\f' && c != '\r' && c != 0x1B {
			return true
		}
	}
	_, unicode := UnicodeForm(head)
	return unicode
}

// Binary describes a body for which IsBinary is true, as the predicate of a sentence.
func Binary(head []byte) string {
	if f, ok := UnicodeForm(head); ok {
		return f.Name
	}
	if bytes.HasPrefix(head, []byte("\x1F\x8B")) {
		return "compressed with gzip"
	}
	return "not text"
}

// MarkLen returns the number of bytes with which a text begins like a byte order mark,
// even if the mark is incomplete.
func MarkLen[T string | []byte](text T) (n int) {
	for n < min(len(text), len(Mark)) && text[n] == Mark[n] {
		n++
	}
	return n
}

// TrimMarks returns a body without the white space and the byte order marks at its
// beginning, whole or in part, garbled or replaced.
func TrimMarks(body []byte) []byte {
	rest := body
	for {
		before := len(rest)
		// The first byte of the replacement character is a part of a mark too.
		rest = bytes.TrimPrefix(bytes.TrimPrefix(rest, []byte(Garbled)), []byte(replacement))
		rest = bytes.TrimLeft(rest[MarkLen(rest):], ascii.Space)
		if len(rest) == before {
			return rest
		}
	}
}

// IsMarkup reports whether a body begins as HTML and XML do, after white space and byte
// order marks. A robots.txt with a stray tag in its first line does too.
func IsMarkup(body []byte) bool {
	rest := TrimMarks(body)
	return len(rest) > 1 && rest[0] == '<' && (rest[1] == '!' || rest[1] == '?' || ascii.IsLetter(rest[1]))
}
