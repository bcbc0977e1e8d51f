package ascii

// HexDigit returns the value of a hex digit of either case.
func HexDigit(c byte) (value byte, ok bool) {
	switch {
	case IsDigit(c):
		return c - '0', true
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10, true
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10, true
	}
	return 0, false
}

// Unhex returns the octet of a percent code if s is the text after its '%': the value of
// the two hex digits that s begins with. It is not ok if s does not begin with two hex
// digits.
func Unhex[S ~string | ~[]byte](s S) (octet byte, ok bool) {
	if len(s) < 2 {
		return 0, false
	}
	high, ok1 := HexDigit(s[0])
	low, ok2 := HexDigit(s[1])
	return high<<4 | low, ok1 && ok2
}

// AppendDecoded appends s to dst with octets in place of its percent codes. It keeps a '%' that two hex digits do not
// follow.
func AppendDecoded[S ~string | ~[]byte](dst []byte, s S) []byte {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '%' {
			if octet, ok := Unhex(s[i+1:]); ok {
				c = octet
				i += 2
			}
		}
		dst = append(dst, c)
	}
	return dst
}

const upperHex = "0123456789ABCDEF"

// AppendPercent appends the percent code of c to dst, with hex digits in upper case
// [RFC 3986 2.1].
func AppendPercent(dst []byte, c byte) []byte {
	return append(dst, '%', upperHex[c>>4], upperHex[c&15])
}

// Percent returns the percent code of c.
func Percent(c byte) string { return string(AppendPercent(nil, c)) }
