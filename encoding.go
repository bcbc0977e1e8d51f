package robotstxt

// encoding is one way to write paths and patterns so that equal ones are equal
// octet by octet. It says for each octet whether it is written as itself or as
// %HH, once for octets that stand in the text as themselves and once for those
// that stand there as %hh already.
type encoding struct {
	literal *octets // the octets standing for themselves that become %HH
	coded   *octets // the octets standing as %hh that stay %HH, in upper case
}

// octets is a set of octets.
type octets [256]bool

// The sets, and the encodings made of them.
var (
	allOctets = octetsOf(func(byte) bool { return true })
	nonASCII  = octetsOf(func(c byte) bool { return c >= 0x80 })

	// encodeNothing compares a URL as it was handed over (G48).
	encodeNothing = encoding{}

	// encodeGoogle is G22 and G23: nothing is decoded, a stray percent stays.
	encodeGoogle = encoding{literal: &nonASCII, coded: &allOctets}

	// encodeRFCRule and encodeRFCURL write each octet in one way, wherever it is
	// in the text, so that a pattern with stars compares like the URL it was made
	// from. Unreserved octets are decoded, all others are coded, as RFC 9309 2.2.2
	// has it, except for the delimiters that its table leaves as they are: a
	// slash, coded or not, is a slash, because the table equates both spellings
	// in a query and what follows a star may be one; '?', '&' and '=' stay what
	// they are, and so do their codes. A star or dollar that is no wildcard is
	// coded, so that it never acts as one (RFC 9309 2.2.3).
	encodeRFCRule = encoding{literal: &rfcRuleLiteral, coded: &rfcCoded}
	encodeRFCURL  = encoding{literal: &rfcURLLiteral, coded: &rfcCoded}

	rfcCoded       = octetsOf(func(c byte) bool { return !unreserved(c) && c != '/' })
	rfcURLLiteral  = octetsOf(func(c byte) bool { return rfcCoded[c] && c != '?' && c != '&' && c != '=' })
	rfcRuleLiteral = octetsOf(func(c byte) bool { return rfcURLLiteral[c] && c != '*' })

	// encodeKoster decodes each %hh once and compares octets, but a coded
	// slash is a symbol of its own (Koster 3.2.2). A percent sign, coded or
	// not, is written %25, so that %252F does not become that symbol.
	encodeKoster  = encoding{literal: &kosterLiteral, coded: &kosterCoded}
	kosterLiteral = octetsOf(func(c byte) bool { return c == '%' })
	kosterCoded   = octetsOf(func(c byte) bool { return c == '%' || c == '/' })
)

// unreserved reports whether c means the same coded and not (RFC 3986 2.3).
func unreserved(c byte) bool {
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		return true
	}
	return c == '-' || c == '.' || c == '_' || c == '~'
}

func octetsOf(has func(byte) bool) (set octets) {
	for i := range set {
		set[i] = has(byte(i))
	}
	return set
}

// changes reports whether appendTo could write anything but s itself.
func (e *encoding) changes(s string) bool {
	if e.literal == nil {
		return false
	}
	if e.literal == &nonASCII && len(s) >= 8 {
		// The encoding of nearly all files, eight bytes at a time, the last
		// eight whatever was seen of them.
		for i := 0; i+8 < len(s); i += 8 {
			if notPlain(load8(s[i : i+8])) {
				return true
			}
		}
		return notPlain(load8(s[len(s)-8:]))
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

// load8 returns the first eight bytes of s as an integer, the first one lowest.
// The compiler makes it a single load.
func load8(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// appendTo appends s to dst in this encoding. What it appends is at most three
// times as long as s.
func (e *encoding) appendTo(dst []byte, s string) []byte {
	if e.literal == nil {
		return append(dst, s...)
	}
	for i := 0; i < len(s); {
		c, coded, width := e.octet(s[i:])
		if coded {
			dst = append(dst, '%', upperHex[c>>4], upperHex[c&15])
		} else {
			dst = append(dst, c)
		}
		i += width
	}
	return dst
}

// length returns how many bytes appendTo appends.
func (e *encoding) length(s string) int {
	if e.literal == nil {
		return len(s)
	}
	n := 0
	for i := 0; i < len(s); {
		_, coded, width := e.octet(s[i:])
		if n++; coded {
			n += len("%HH") - 1
		}
		i += width
	}
	return n
}

// octet returns the octet that s begins with, whether it is written %HH, and how
// many bytes it takes in s.
func (e *encoding) octet(s string) (c byte, coded bool, width int) {
	c, set, width := s[0], e.literal, 1
	if c == '%' {
		if octet, ok := unhex(s[1:]); ok {
			c, set, width = octet, e.coded, 3
		}
	}
	return c, set[c], width
}

const upperHex = "0123456789ABCDEF"

// unhex reads the two hex digits that s begins with.
func unhex(s string) (octet byte, ok bool) {
	if len(s) < 2 {
		return 0, false
	}
	high, ok1 := hexDigit(s[0])
	low, ok2 := hexDigit(s[1])
	return high<<4 | low, ok1 && ok2
}

func hexDigit(c byte) (value byte, ok bool) {
	switch {
	case '0' <= c && c <= '9':
		return c - '0', true
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10, true
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10, true
	}
	return 0, false
}

// EncodeURL prepares a URL for a decision where it may not be encoded yet:
// bytes of 0x80 and above become %HH and the hex digits of each %hh are written
// in upper case, as in the rules it will be compared with (G22, G48). Nothing
// else changes; a URL that needs none of it is returned as it is.
func EncodeURL(url string) string {
	if !encodeGoogle.changes(url) {
		return url
	}
	return string(encodeGoogle.appendTo(make([]byte, 0, len(url)+16), url))
}
