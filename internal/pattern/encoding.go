package pattern

import (
	"strings"

	"github.com/kosterhq/robotstxt/internal/ascii"
)

// Encoding is one way to write paths and patterns so that equal ones are equal
// octet by octet: the canonical form of a dialect. It says for each octet
// whether it is written as itself or as %HH, once for octets that are in the
// text as themselves and once for those that are there as %hh.
type Encoding struct {
	literal *ascii.Octets // octets in the text as themselves that become %HH
	coded   *ascii.Octets // octets in the text as %hh that stay %HH, in upper case
}

// The encodings, and the sets that they are made of.
var (
	// AsIs changes nothing (G48).
	AsIs = Encoding{}

	// Google is that of rules in Google's parser: nothing is decoded, a stray
	// percent sign stays (G22, G23).
	Google = Encoding{literal: &nonASCII, coded: &allOctets}

	// RFC9309Rule and RFC9309URL write each octet in one way, wherever it is in
	// the text, so that a pattern with stars compares like the URL it was made
	// from. Unreserved octets are decoded, all others are coded, as RFC 9309 2.2.2
	// has it, except for the delimiters that its table leaves as they are: a
	// slash, coded or not, is a slash, because the table equates both spellings
	// in a query and what follows a star may be one; '?', '&' and '=' stay what
	// they are, and so do their codes. A star or dollar that is no wildcard is
	// coded, so that it never acts as one (RFC 9309 2.2.3).
	RFC9309Rule = Encoding{literal: &rfcRuleLiteral, coded: &rfcCoded}
	RFC9309URL  = Encoding{literal: &rfcURLLiteral, coded: &rfcCoded}

	// Koster1996 decodes each %hh once, except that a coded slash is a symbol of
	// its own (Koster 3.2.2). A percent sign, coded or not, is written %25, so
	// that %252F does not become that symbol.
	Koster1996 = Encoding{literal: &kosterLiteral, coded: &kosterCoded}

	allOctets = ascii.OctetsOf(func(byte) bool { return true })
	nonASCII  = ascii.OctetsOf(func(c byte) bool { return c >= 0x80 })

	rfcCoded       = ascii.OctetsOf(func(c byte) bool { return !unreserved(c) && c != '/' })
	rfcURLLiteral  = ascii.OctetsOf(func(c byte) bool { return rfcCoded[c] && c != '?' && c != '&' && c != '=' })
	rfcRuleLiteral = ascii.OctetsOf(func(c byte) bool { return rfcURLLiteral[c] && c != '*' })

	kosterLiteral = ascii.OctetsOf(func(c byte) bool { return c == '%' })
	kosterCoded   = ascii.OctetsOf(func(c byte) bool { return c == '%' || c == '/' })
)

// unreserved reports whether c means the same coded and not (RFC 3986 2.3).
func unreserved(c byte) bool {
	return ascii.IsLetter(c) || ascii.IsDigit(c) || c == '-' || c == '.' || c == '_' || c == '~'
}

// Changes reports whether AppendTo could write anything but s itself.
func (e *Encoding) Changes(s string) bool { return e.literal != nil && e.changes(s) }

func (e *Encoding) changes(s string) bool {
	if e.literal == &nonASCII && len(s) >= 8 {
		// The encoding of nearly all files, eight bytes at a time. The last
		// eight may overlap those before.
		for i := 0; i+8 < len(s); i += 8 {
			if notPlain(ascii.Load8(s[i : i+8])) {
				return true
			}
		}
		return notPlain(ascii.Load8(s[len(s)-8:]))
	}
	for i := 0; i < len(s); i++ {
		if s[i] == '%' || e.literal[s[i]] {
			return true
		}
	}
	return false
}

// notPlain reports whether a byte of word is a percent sign or above 0x7F. The
// latter shows by its top bit, the former as a zero byte once it is subtracted
// out.
func notPlain(word uint64) bool {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	percents := word ^ ones*'%'
	return (word|(percents-ones)&^percents)&tops != 0
}

// AppendTo appends s to dst in this encoding. What it appends is at most three
// times as long as s.
func (e *Encoding) AppendTo(dst []byte, s string) []byte {
	if e.literal == nil {
		return append(dst, s...)
	}
	for i := 0; i < len(s); i++ {
		c, set := s[i], e.literal
		if c == '%' {
			if octet, ok := ascii.Unhex(s[i+1:]); ok {
				c, set = octet, e.coded
				i += 2
			}
		}
		if set[c] {
			dst = ascii.AppendPercent(dst, c)
		} else {
			dst = append(dst, c)
		}
	}
	return dst
}

// AppendPattern appends the value of a rule to dst in this encoding. With
// wildcards a final '$' is kept as it is.
func (e *Encoding) AppendPattern(dst []byte, value string, wildcards bool) []byte {
	if wildcards && strings.HasSuffix(value, "$") {
		return append(e.AppendTo(dst, value[:len(value)-1]), '$')
	}
	return e.AppendTo(dst, value)
}

// CannotMatch reports whether the value of a rule, not in canonical form yet,
// and a canonical path differ before the first byte that an encoding or a
// wildcard could change, or that could end the value. Then the rule does not match the path, by its folder
// neither: most rules need neither be encoded nor weighed. If the result is
// false, nothing is known.
func (e *Encoding) CannotMatch(value, path string) bool {
	for i := 0; i < len(value); i++ {
		c := value[i]
		if c <= ' ' || c == '#' || c == '*' || c == '$' || c == '%' || c >= 0x80 {
			return false
		}
		if i == len(path) {
			return !strings.HasPrefix(value[i:], indexPage)
		}
		if c != path[i] {
			return e.literal == nil || !e.literal[c]
		}
	}
	return false
}
