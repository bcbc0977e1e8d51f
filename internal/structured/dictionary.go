// Package structured reads Dictionaries of Structured Fields (RFC 9651), the form of
// Content-Usage in robots.txt files and in responses.
package structured

import (
	"strings"
	"unicode/utf8"

	"github.com/kosterhq/robotstxt/internal/ascii"
)

// Member is a key of a Dictionary with its value (RFC 9651 3.2). Offsets count from the
// start of the text that was read.
type Member struct {
	Key     string
	KeyAt   int
	Value   string // as written, without parameters; empty for a key alone, which means true
	ValueAt int

	Parameter   string // the key of the first one, empty if there is none
	ParameterAt int
}

// dictionary reads a Dictionary of Structured Fields (RFC 9651 4.2.2). It is
// strict, as the RFC requires: with one wrong byte the text is not a Dictionary. The read
// methods follow the algorithms of RFC 9651 4.2 for what they are named after.
type dictionary struct {
	text string
	at   int // how far it was read
}

// ReadDictionary returns the members of a Dictionary in the order of the text, repeated keys
// included: RFC 9651 3.2 keeps the last of them. If the text is not a Dictionary, expected says
// in words what is missing at the offset at. It takes time linear in the text.
func ReadDictionary(text string) (members []Member, at int, expected string) {
	d := dictionary{text: text}
	for d.skip(" "); d.at < len(text); {
		m := Member{KeyAt: d.at}
		expected = d.readKey()
		if expected != "" {
			return nil, d.at, expected
		}
		m.Key = text[m.KeyAt:d.at]
		if d.take('=') {
			m.ValueAt = d.at
			expected = d.readValue()
			if expected != "" {
				return nil, d.at, expected
			}
			m.Value = text[m.ValueAt:d.at]
		}
		expected = d.readParameters(&m)
		if expected != "" {
			return nil, d.at, expected
		}
		members = append(members, m)
		d.skip(" \t")
		if d.at == len(text) {
			break
		}
		if !d.take(',') {
			return nil, d.at, "a comma"
		}
		d.skip(" \t")
		if d.at == len(text) {
			return nil, d.at, "a key after the last comma, or no comma"
		}
	}
	return members, d.at, ""
}

// peek returns 0 at the end.
func (d *dictionary) peek() byte {
	if d.at < len(d.text) {
		return d.text[d.at]
	}
	return 0
}

func (d *dictionary) take(c byte) bool {
	if d.peek() != c || d.at == len(d.text) {
		return false
	}
	d.at++
	return true
}

// skip skips blanks. RFC 9651 allows tabs only around commas.
func (d *dictionary) skip(blanks string) {
	for d.at < len(d.text) && strings.IndexByte(blanks, d.text[d.at]) >= 0 {
		d.at++
	}
}

func (d *dictionary) skipAll(set func(byte) bool) (n int) {
	start := d.at
	for d.at < len(d.text) && set(d.text[d.at]) {
		d.at++
	}
	return d.at - start
}

func (d *dictionary) readKey() (expected string) {
	if c := d.peek(); !isLower(c) && c != '*' {
		return "a key in lower case"
	}
	d.skipAll(isKeyByte)
	return ""
}

func (d *dictionary) readValue() (expected string) {
	if !d.take('(') {
		return d.readBareItem()
	}
	for {
		d.skip(" ")
		if d.take(')') {
			return ""
		}
		expected = d.readBareItem()
		if expected != "" {
			return expected
		}
		expected = d.readParameters(&Member{})
		if expected != "" {
			return expected
		}
		if c := d.peek(); c != ' ' && c != ')' {
			return "a blank or a closing bracket"
		}
	}
}

func (d *dictionary) readParameters(m *Member) (expected string) {
	for d.take(';') {
		d.skip(" ")
		at := d.at
		expected = d.readKey()
		if expected != "" {
			return expected
		}
		if m.Parameter == "" {
			m.Parameter, m.ParameterAt = d.text[at:d.at], at
		}
		if d.take('=') {
			expected = d.readBareItem()
			if expected != "" {
				return expected
			}
		}
	}
	return ""
}

func (d *dictionary) readBareItem() (expected string) {
	switch c := d.peek(); {
	case c == '-' || ascii.IsDigit(c):
		return d.readNumber(true)
	case c == '*' || ascii.IsLetter(c):
		d.skipAll(isTokenByte)
		return ""
	case d.take('"'):
		return d.readString()
	case d.take('?'):
		if d.take('0') || d.take('1') {
			return ""
		}
		return "0 or 1"
	case d.take('@'):
		return d.readNumber(false)
	case d.take(':'):
		return d.readBytes()
	case d.take('%'):
		return d.readDisplayString()
	}
	return "a value such as y or n"
}

// readNumber reads a number (RFC 9651 4.2.4): at most 15 digits, or 12 before a point and 3
// after it.
func (d *dictionary) readNumber(decimals bool) (expected string) {
	d.take('-')
	whole := d.skipAll(ascii.IsDigit)
	if whole == 0 || whole > 15 {
		return "a number of at most 15 digits"
	}
	if decimals && d.take('.') {
		if n := d.skipAll(ascii.IsDigit); whole > 12 || n == 0 || n > 3 {
			return "a number of at most 12 digits, a point and 3 digits"
		}
	}
	return ""
}

// readString reads a string after its first quote (RFC 9651 4.2.5).
func (d *dictionary) readString() (expected string) {
	for d.at < len(d.text) {
		if d.take('"') {
			return ""
		}
		if d.take('\\') && d.peek() != '"' && d.peek() != '\\' || d.peek() < ' ' || d.peek() > '~' {
			break
		}
		d.at++
	}
	return "a string of ASCII with a closing quote"
}

// readBytes reads a byte sequence after its first colon (RFC 9651 4.2.7).
func (d *dictionary) readBytes() (expected string) {
	d.skipAll(isBase64)
	if !d.take(':') {
		return "a colon after Base64"
	}
	return ""
}

// readDisplayString reads a display string after its percent sign (RFC 9651 4.2.10).
func (d *dictionary) readDisplayString() (expected string) {
	const wanted = "a display string: quotes, ASCII, and %hh in lower case for UTF-8"
	if !d.take('"') {
		return wanted
	}
	var decoded []byte
	for d.at < len(d.text) {
		c := d.peek()
		d.at++
		switch {
		case c == '"' && utf8.Valid(decoded):
			return ""
		case c < ' ' || c > '~' || c == '"':
			return wanted
		case c == '%':
			if len(d.text)-d.at < 2 || !isLowerHex(d.text[d.at]) || !isLowerHex(d.text[d.at+1]) {
				return wanted
			}
			c, _ = ascii.Unhex(d.text[d.at:])
			d.at += 2
		}
		decoded = append(decoded, c)
	}
	return wanted
}

// isKeyByte reports whether a key can contain c after its first byte (RFC 9651 3.1.2).
func isKeyByte(c byte) bool {
	return isLower(c) || ascii.IsDigit(c) || c == '_' || c == '-' || c == '.' || c == '*'
}

// isTokenByte reports whether a token can contain c: tchar of RFC 9110 5.6.2, a colon
// and a slash (RFC 9651 3.3.4).
func isTokenByte(c byte) bool {
	return isWord(c) || c != 0 && strings.IndexByte("!#$%&'*+-.^_`|~:/", c) >= 0
}

// isBase64 reports whether c is in the alphabet. Padding is not checked, because parsers should
// accept wrong padding (RFC 9651 4.2.7).
func isBase64(c byte) bool {
	return isWord(c) || c == '+' || c == '/' || c == '='
}

func isLower(c byte) bool { return 'a' <= c && c <= 'z' }

func isWord(c byte) bool { return ascii.IsLetter(c) || ascii.IsDigit(c) }

func isLowerHex(c byte) bool { return ascii.IsDigit(c) || 'a' <= c && c <= 'f' }
