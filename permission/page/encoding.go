package page

import (
	"bytes"
	"mime"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/kosterhq/robotstxt/internal/ascii"
)

// encoding is the label of an encoding, in lower case. In all encodings that browsers know,
// except the ones listed here, tags have the same bytes as in ASCII, so a page is read without
// decoding.
type encoding string

const (
	utf16LE encoding = "utf-16le"
	utf16BE encoding = "utf-16be"
)

// unreadable are the labels of encodings in which ASCII bytes can be parts of other
// characters, or that browsers refuse.
var unreadable = []string{
	"iso-2022-jp", "csiso2022jp", "iso-2022-kr", "csiso2022kr", "iso-2022-cn", "iso-2022-cn-ext", "hz-gb-2312", "replacement", "utf-7", "utf-32", "utf-32le", "utf-32be",
}

func isUnreadable(label string) bool {
	return slices.Contains(unreadable, ascii.ToLower(strings.TrimSpace(label)))
}

func (e encoding) isUTF16() bool { return e == utf16LE || e == utf16BE }

// encodingOf returns the encoding of a page: by its byte order mark, the response, or how a
// declaration of XML begins, in this order [HTML 13.2.3.2].
func encodingOf(text []byte, contentType string) encoding {
	switch {
	case bytes.HasPrefix(text, []byte("\xff\xfe")):
		return utf16LE
	case bytes.HasPrefix(text, []byte("\xfe\xff")):
		return utf16BE
	case bytes.HasPrefix(text, []byte("\xef\xbb\xbf")):
		return "utf-8"
	}
	switch of := charsetOf(contentType); {
	case of == "utf-16" || of == "unicode" || of == "ucs-2" || of == "iso-10646-ucs-2" || of == "csunicode" || of == "unicodefeff":
		return utf16LE
	case of == "unicodefffe":
		return utf16BE
	case of != "":
		return of
	}
	switch {
	case bytes.HasPrefix(text, []byte("<\x00?\x00x\x00")):
		return utf16LE
	case bytes.HasPrefix(text, []byte("\x00<\x00?\x00x")):
		return utf16BE
	}
	return ""
}

func charsetOf(mediaType string) encoding {
	_, parameters, _ := mime.ParseMediaType(mediaType)
	return encoding(ascii.ToLower(strings.TrimSpace(parameters["charset"])))
}

// decode returns a text in UTF-16 as UTF-8.
func (e encoding) decode(text []byte) []byte {
	decoded := make([]byte, 0, len(text))
	for i := 0; i+1 < len(text); i += 2 {
		r := e.unit(text[i:])
		if utf16.IsSurrogate(r) {
			r = utf8.RuneError
			if i+3 < len(text) {
				r = utf16.DecodeRune(e.unit(text[i:]), e.unit(text[i+2:]))
			}
			if r != utf8.RuneError {
				i += 2
			}
		}
		decoded = utf8.AppendRune(decoded, r)
	}
	return decoded
}

func (e encoding) unit(text []byte) rune {
	if e == utf16BE {
		return rune(text[0])<<8 | rune(text[1])
	}
	return rune(text[1])<<8 | rune(text[0])
}

// wide finds offsets in a text in UTF-16.
type wide struct {
	decoded, offset int // a place in the decoded text, and in the source
}

// offsetOf returns the offset in the source after a part of the decoded text, in bytes. Each
// call has a longer part than the call before.
func (w *wide) offsetOf(decoded []byte) int {
	for w.decoded < len(decoded) {
		r, size := utf8.DecodeRune(decoded[w.decoded:])
		w.decoded += size
		w.offset += 2 * utf16.RuneLen(r)
	}
	return w.offset
}
