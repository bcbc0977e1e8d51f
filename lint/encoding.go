package lint

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

// inspectEncoding looks at what the body is, and at the marks that show it.
func (d *document) inspectEncoding() {
	if e := detectUnicode(d.body); e.unit > 0 {
		d.findUnicode(e)
		return
	}
	if !d.inspectMarkup() {
		d.inspectLeadingMark()
		d.inspectForeignText()
	}
	if !d.foreign && !utf8.Valid(d.body) {
		d.findInvalid()
	}
}

// unicodeForm is a form of Unicode that no parser reads.
type unicodeForm struct {
	name  string
	unit  int // bytes of a code unit
	order binary.ByteOrder
	mark  int // bytes of the byte order mark
}

// detectUnicode tells UTF-16 and UTF-32 by their mark, or without one by the NUL
// bytes of the first letter. The unit of other bodies is 0.
func detectUnicode(body []byte) unicodeForm {
	little, big := binary.ByteOrder(binary.LittleEndian), binary.ByteOrder(binary.BigEndian)
	for _, e := range []struct {
		mark string
		unicodeForm
	}{
		{"\xFF\xFE\x00\x00", unicodeForm{"UTF-32", 4, little, 4}},
		{"\x00\x00\xFE\xFF", unicodeForm{"UTF-32", 4, big, 4}},
		{"\xFF\xFE", unicodeForm{"UTF-16", 2, little, 2}},
		{"\xFE\xFF", unicodeForm{"UTF-16", 2, big, 2}},
	} {
		if bytes.HasPrefix(body, []byte(e.mark)) {
			return e.unicodeForm
		}
	}
	if len(body) < 4 {
		return unicodeForm{}
	}
	ascii := func(i int) bool { return 0 < body[i] && body[i] < utf8.RuneSelf }
	nul := func(i int) bool { return body[i] == 0 }
	// A robots.txt begins with a letter or '#', if not with white space: all ASCII.
	switch {
	case ascii(0) && nul(1) && nul(2) && nul(3):
		return unicodeForm{"UTF-32", 4, little, 0}
	case nul(0) && nul(1) && nul(2) && ascii(3):
		return unicodeForm{"UTF-32", 4, big, 0}
	case ascii(0) && nul(1) && ascii(2) && nul(3):
		return unicodeForm{"UTF-16", 2, little, 0}
	case nul(0) && ascii(1) && nul(2) && ascii(3):
		return unicodeForm{"UTF-16", 2, big, 0}
	}
	return unicodeForm{}
}

// text returns the body in UTF-8. What is no character becomes U+FFFD.
func (e unicodeForm) text(body []byte) string {
	body = body[e.mark:]
	if e.unit == 2 {
		units := make([]uint16, 0, len(body)/2)
		for ; len(body) >= 2; body = body[2:] {
			units = append(units, e.order.Uint16(body))
		}
		return string(utf16.Decode(units))
	}
	runes := make([]rune, 0, len(body)/4)
	for ; len(body) >= 4; body = body[4:] {
		runes = append(runes, rune(e.order.Uint32(body)))
	}
	return string(runes)
}

// findUnicode reports a body in another form of Unicode. The whole body is the
// edit, which is why it is made only if someone hears of it.
func (d *document) findUnicode(e unicodeForm) {
	d.foreign = true
	f := d.findFile("RX403", "the file is %s, of which crawlers read no directive, since a NUL byte hides the rest of a line: everything is allowed", e.name)
	if d.wants("RX403") {
		f.Fix = &Fix{Title: "write the file in UTF-8", Edits: []Edit{{0, len(d.body), e.text(d.body)}}, Meaning: true}
	}
}

// findInvalid reports the first byte that is not UTF-8, outside of comments if
// there is one.
func (d *document) findInvalid() {
	var first *line
	at, where := 0, ""
	for i := range d.lines {
		l := &d.lines[i]
		start := 0
		if l.number == 1 {
			start = d.markLen() // a part of a mark is no UTF-8 and reported as what it is
		}
		if i := invalidAt(l.content(), start); i >= 0 {
			first, at, where = l, i, ""
			break
		}
		if i := invalidAt(l.raw, start); i >= 0 && first == nil {
			first, at, where = l, i, " in a comment"
		}
	}
	if first != nil {
		d.find("RX404", first, first.offset+at, first.offset+at+1,
			"byte 0x%02X%s is not UTF-8: crawlers may take it for another character, or for none", first.raw[at], where)
	}
}

// invalidAt returns where the first byte at or after start stands that is not
// UTF-8, -1 if there is none.
func invalidAt(text []byte, start int) int {
	for i := min(start, len(text)); i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}
