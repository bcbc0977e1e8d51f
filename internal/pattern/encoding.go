package pattern

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt/internal/ascii"
)

// Encoding is the canonical form of a dialect for paths and patterns, in which
// equal texts are equal octet by octet. For each octet it specifies whether the
// form contains the octet itself or %HH. There is one set for octets that are plain
// in the source, one for those after the first plain '?', and one for octets that are
// percent-encoded.
type Encoding struct {
	literal *forms // of plain octets
	query   *forms // of plain octets after the first '?', nil if they are the same
	coded   *forms // of encoded octets
}

// forms has, for each octet, the octet itself or %HH: its bytes, the first one lowest,
// and above them their number. So an octet is written without a branch, which the
// processor could not predict in a text of both kinds.
type forms [256]uint32

// formsOf returns the forms in which the octets for which coded is true are %HH.
func formsOf(coded func(c byte) bool) (f forms) {
	for i := range f {
		f[i] = uint32(i) | 1<<24
		if coded(byte(i)) {
			// It does not allocate: every program makes the tables.
			code := ascii.AppendPercent(make([]byte, 0, 3), byte(i))
			f[i] = uint32(code[0]) | uint32(code[1])<<8 | uint32(code[2])<<16 | 3<<24
		}
	}
	return f
}

func (f *forms) codes(c byte) bool { return f[c]>>24 == 3 }

// The encodings, and their forms of octets.
var (
	// AsIs changes nothing [G48].
	AsIs = Encoding{}

	// Google is the form of rules in Google's parser. It decodes nothing and
	// leaves stray percent signs alone [G22, G23].
	Google = Encoding{literal: &nonASCII, coded: &allOctets}

	// RFC9309Rule and RFC9309URL decode unreserved octets and encode all others,
	// except the delimiters that the table of RFC 9309 2.2.2 leaves alone: '?', '&',
	// '=' and, in the path, '/'. A slash after the first '?' becomes %2F, as in the
	// table. Codes of delimiters stay as they are. A star or dollar that is not a
	// wildcard is encoded, so that it cannot act as one [RFC 9309 2.2.2, 2.2.3].
	RFC9309Rule = Encoding{literal: &rfcRuleLiteral, query: &rfcRuleQuery, coded: &rfcCoded}
	RFC9309URL  = Encoding{literal: &rfcURLLiteral, query: &rfcURLQuery, coded: &rfcCoded}

	// Koster1996 decodes each %hh once, except %2F, which differs from a slash.
	// A percent sign, encoded or not, becomes %25, so that %252F does not become
	// %2F [Koster 3.2.2].
	Koster1996 = Encoding{literal: &kosterLiteral, coded: &kosterCoded}

	allOctets = formsOf(func(byte) bool { return true })
	nonASCII  = formsOf(func(c byte) bool { return c >= 0x80 })

	rfcCoded       = formsOf(func(c byte) bool { return !unreserved(c) })
	rfcURLQuery    = formsOf(func(c byte) bool { return rfcCoded.codes(c) && c != '?' && c != '&' && c != '=' })
	rfcURLLiteral  = formsOf(func(c byte) bool { return rfcURLQuery.codes(c) && c != '/' })
	rfcRuleQuery   = formsOf(func(c byte) bool { return rfcURLQuery.codes(c) && c != '*' })
	rfcRuleLiteral = formsOf(func(c byte) bool { return rfcURLLiteral.codes(c) && c != '*' })

	kosterLiteral = formsOf(func(c byte) bool { return c == '%' })
	kosterCoded   = formsOf(func(c byte) bool { return c == '%' || c == '/' })
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
		// bytes at a time. The last eight can overlap the ones before.
		for i := 0; i+8 < len(s); i += 8 {
			if notPlain(ascii.Load8(s[i : i+8])) {
				return true
			}
		}
		return notPlain(ascii.Load8(s[len(s)-8:]))
	}
	literal := e.literal
	for i := 0; i < len(s); i++ {
		if s[i] == '%' || literal.codes(s[i]) {
			return true
		}
		if s[i] == '?' && e.query != nil {
			literal = e.query
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
	start := len(dst)
	n := 0
	dst = slices.Grow(dst, 3*len(s)+1) // four bytes are written for each form
	out := dst[start:cap(dst)]
	literal := e.literal
	for i := 0; i < len(s); i++ {
		form := literal[s[i]]
		switch {
		case s[i] == '%':
			if octet, ok := ascii.Unhex(s[i+1:]); ok {
				form = e.coded[octet]
				i += 2
			}
		case s[i] == '?' && e.query != nil:
			literal = e.query
		}
		binary.LittleEndian.PutUint32(out[n:], form)
		n += int(form >> 24)
	}
	return dst[:start+n]
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
// its folder matches the path. If it returns false, the rule might or might not match.
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
			return e.literal == nil || !e.literal.codes(c) && !e.codesInQuery(value, i)
		}
	}
	return false
}

// codesInQuery reports whether the octet at an offset is encoded because it is after the
// first '?'.
func (e *Encoding) codesInQuery(value string, at int) bool {
	return e.query != nil && e.query.codes(value[at]) && strings.IndexByte(value[:at], '?') >= 0
}
