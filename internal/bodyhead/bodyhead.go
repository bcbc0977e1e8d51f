// Package bodyhead recognises what a body begins with: byte order marks, and the markup of
// a web page in place of a robots.txt.
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

// MarkLen returns how many bytes of a byte order mark begin a text: a part of it counts
// too.
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
