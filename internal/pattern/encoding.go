package pattern

import (
	"strings"

	"github.com/kosterhq/robotstxt/internal/ascii"
)

// Encoding is the canonical form of a dialect for paths and patterns, in which
// equal texts are equal octet by octet. For each octet it specifies whether the
// form contains the octet itself or %HH. There is one set for octets that are plain
// in the source and one for octets that are percent-encoded there.
type Encoding struct {
	literal *ascii.Octets // plain octets that become %HH
	coded   *ascii.Octets // encoded octets that stay encoded, as %HH in upper case
}

// The encodings, and their sets of octets.
var (
	// AsIs changes nothing [G48].
	AsIs = Encoding{}

	// Google is the form of rules in Google's parser. It decodes nothing and
	// leaves stray percent signs alone [G22, G23].
	Google = Encoding{literal: &nonASCII, coded: &allOctets}

	// RFC9309Rule and RFC9309URL write an octet in the same way wherever it is
	// in the text. So a URL in which a star replaces some octets is a pattern
	// that matches the URL.
	//
	// Unreserved octets are decoded and all others are encoded, except the
	// delimiters that the table of RFC 9309 2.2.2 leaves alone. A slash and %2F
	// both become a slash, because in a query the table equates them, and after
	// a star it is unknown whether the query has begun. '?', '&' and '=' stay as
	// they are, and so do their codes. A star or dollar that is not a wildcard is
	// encoded, so that it cannot act as one [RFC 9309 2.2.2, 2.2.3].
	RFC9309Rule = Encoding{literal: &rfcRuleLiteral, coded: &rfcCoded}
	RFC9309URL  = Encoding{literal: &rfcURLLiteral, coded: &rfcCoded}

	// Koster1996 decodes each %hh once, except %2F, which differs from a slash.
	// A percent sign, encoded or not, becomes %25, so that %252F does not become
	// %2F [Koster 3.2.2].
	Koster1996 = Encoding{literal: &kosterLiteral, coded: &kosterCoded}

	allOctets = ascii.OctetsOf(func(byte) bool { return true })
	nonASCII  = ascii.OctetsOf(func(c byte) bool { return c >= 0x80 })

	rfcCoded       = ascii.OctetsOf(func(c byte) bool { return !unreserved(c) && c != '/' })
	rfcURLLiteral  = ascii.OctetsOf(func(c byte) bool { return rfcCoded[c] && c != '?' && c != '&' && c != '=' })
	rfcRuleLiteral = ascii.OctetsOf(func(c byte) bool { return rfcURLLiteral[c] && c != '*' })

	kosterLiteral = ascii.OctetsOf(func(c byte) bool { return c == '%' })
	kosterCoded   = ascii.OctetsOf(func(c byte) bool { return c == '%' || c == '/' })
)

// unreserved reports whether c and its percent code are equivalent [RFC 3986 2.3].
func unreserved(c byte) bool {
	return ascii.IsLetter(c) || ascii.IsDigit(c) || c == '-' || c == '.' || c == '_' || c == '~'
}

// Changes reports whether AppendTo could append anything other than s.
func (e *Encoding) Changes(s string) bool { return e.literal != nil && e.changes(s) }

func (e *Encoding) changes(s string) bool {
	if e.literal == &nonASCII && len(s) >= 8 {
		// Google is the default dialect, so it has a fast path that tests eight
		// bytes at a time. The last eight may overlap the ones before.
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

// notPlain reports whether a byte of word is a percent sign or above 0x7F. A byte
// above 0x7F has its top bit set. A percent sign becomes zero by the exclusive or;
// subtracting one then sets its top bit.
func notPlain(word uint64) bool {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	percents := word ^ ones*'%'
	return (word|(percents-ones)&^percents)&tops != 0
}

// AppendTo appends s to dst in this encoding. It appends at most 3*len(s) bytes.
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

// AppendPattern appends the value of a rule to dst in this encoding. If wildcards
// is true, a final '$' stays as it is.
func (e *Encoding) AppendPattern(dst []byte, value string, wildcards bool) []byte {
	if wildcards && strings.HasSuffix(value, "$") {
		return append(e.AppendTo(dst, value[:len(value)-1]), '$')
	}
	return e.AppendTo(dst, value)
}

// CannotMatch is a fast test that saves encoding most rules. It compares the value
// of a rule, not yet in canonical form, with a canonical path, up to the first byte
// that an encoding or a wildcard could change or that could end the value. If the
// two differ before that byte, it returns true: neither the rule nor the pattern of
// its folder matches the path. If it returns false, the rule may or may not match.
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
