package bodyhead

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

// Form is a form of Unicode in which crawlers read no rules.
type Form struct {
	Name string // UTF-16 or UTF-32

	unit  int // bytes of a code unit
	order binary.ByteOrder
	bom   string  // the byte order mark
	nul   [4]bool // without a mark, which of the first bytes of a body are NUL; the others are ASCII
	mark  int     // bytes of the byte order mark of a body
}

var forms = [...]Form{
	{Name: "UTF-32", unit: 4, order: binary.LittleEndian, bom: "\xFF\xFE\x00\x00", nul: [4]bool{false, true, true, true}},
	{Name: "UTF-32", unit: 4, order: binary.BigEndian, bom: "\x00\x00\xFE\xFF", nul: [4]bool{true, true, true, false}},
	{Name: "UTF-16", unit: 2, order: binary.LittleEndian, bom: "\xFF\xFE", nul: [4]bool{false, true, false, true}},
	{Name: "UTF-16", unit: 2, order: binary.BigEndian, bom: "\xFE\xFF", nul: [4]bool{true, false, true, false}},
}

// UnicodeForm recognises UTF-16 and UTF-32 by their mark, or without one by the NUL bytes of
// the first character, which is ASCII in a robots.txt: a letter, '#' or white space. The
// beginning of a body is enough.
func UnicodeForm(body []byte) (f Form, ok bool) {
	for _, f := range forms {
		if bytes.HasPrefix(body, []byte(f.bom)) {
			f.mark = len(f.bom)
			return f, true
		}
	}
	for _, f := range forms {
		if len(body) >= len(f.nul) && f.begins([4]byte(body)) {
			return f, true
		}
	}
	return Form{}, false
}

func (f Form) begins(first [4]byte) bool {
	for i, c := range first {
		if (c == 0) != f.nul[i] || c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// Text returns a body in UTF-8. whole is false if some of its bytes are not a character of
// the form; they become U+FFFD, or are missing at the end.
func (f Form) Text(body []byte) (text string, whole bool) {
	body = body[f.mark:]
	whole = len(body)%f.unit == 0
	runes := make([]rune, 0, len(body)/f.unit)
	for ; len(body) >= f.unit; body = body[f.unit:] {
		if f.unit == 2 {
			runes = append(runes, rune(f.order.Uint16(body)))
		} else {
			runes = append(runes, rune(f.order.Uint32(body)))
		}
	}
	if f.unit == 2 {
		runes = joinSurrogates(runes)
	}
	for _, r := range runes {
		whole = whole && utf8.ValidRune(r)
	}
	return string(runes), whole
}

// joinSurrogates makes one character of each pair of surrogates, in place.
func joinSurrogates(units []rune) []rune {
	joined := units[:0]
	for i := 0; i < len(units); i++ {
		r := units[i]
		if i+1 < len(units) {
			if pair := utf16.DecodeRune(r, units[i+1]); pair != utf8.RuneError {
				r = pair
				i++
			}
		}
		joined = append(joined, r)
	}
	return joined
}
