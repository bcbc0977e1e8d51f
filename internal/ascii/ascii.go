// Package ascii contains the byte operations of the protocol: comparing without the case of
// letters, reading and writing percent codes, and sets of octets. It is limited to ASCII, as
// parsers are: Unicode's folding would make the Kelvin sign equal to k [G18].
package ascii

// Space is the white space of C, which is trimmed from lines, keys and values. Unicode has
// more [G12].
const Space = " \t\n\v\f\r"

// IsSpace reports whether c is in Space.
func IsSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

// IsLetter reports whether c is a letter of either case.
func IsLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// IsDigit reports whether c is a decimal digit.
func IsDigit(c byte) bool { return '0' <= c && c <= '9' }

// Lower returns c in lower case if it is a letter, and c itself otherwise.
func Lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c | 0x20
	}
	return c
}

// ToLower returns s with its letters in lower case.
func ToLower(s string) string {
	for i := 0; i < len(s); i++ {
		if Lower(s[i]) != s[i] {
			lower := []byte(s)
			for ; i < len(lower); i++ {
				lower[i] = Lower(lower[i])
			}
			return string(lower)
		}
	}
	return s
}

// EqualFold reports whether a and b are equal except for the case of letters.
func EqualFold[A, B ~string | ~[]byte](a A, b B) bool {
	return len(a) == len(b) && CompareFold(a, b) == 0
}

// HasPrefixFold reports whether s begins with prefix, except for the case of
// letters.
func HasPrefixFold[A, B ~string | ~[]byte](s A, prefix B) bool {
	return len(s) >= len(prefix) && CompareFold(s[:len(prefix)], prefix) == 0
}

// CompareFold orders a and b as if their letters were in lower case. The result
// is negative if a sorts before b, 0 if they are equal, else positive.
func CompareFold[A, B ~string | ~[]byte](a A, b B) int {
	if string(a) == string(b) {
		return 0 // most tokens and keys have the usual spelling
	}
	i, n := 0, min(len(a), len(b))
	for i+8 <= n && Lower8(a[i:]) == Lower8(b[i:]) {
		i += 8
	}
	for ; i < n; i++ {
		if x, y := Lower(a[i]), Lower(b[i]); x != y {
			return int(x) - int(y)
		}
	}
	return len(a) - len(b)
}

// Lower8 returns the first eight bytes of s as an integer, letters in lower case. It
// has no branches: the processor cannot predict the case of letters in random case.
func Lower8[S ~string | ~[]byte](s S) uint64 {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	_ = s[7]
	word := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
	low := word &^ tops
	// The top bit of each byte is set if the byte is at least 'A' (in atLeastA) or more than
	// 'Z' (in aboveZ).
	atLeastA, aboveZ := low+ones*(0x80-'A'), low+ones*(0x7F-'Z')
	upper := (atLeastA &^ aboveZ) &^ word & tops
	return word | upper>>2
}
