package lint

// Bytes are compared as parsers do, in ASCII: Unicode's letters, digits and white
// space would let in what no parser takes for any.

// whiteSpace is that of C, which is trimmed (G12).
const whiteSpace = " \t\n\v\f\r"

// equalFold reports whether a and b are equal but for the case of ASCII letters,
// as tokens and keys are compared (G18, G26). Unicode's folding would let the
// Kelvin sign count as a k.
func equalFold[A, B ~string | ~[]byte](a A, b B) bool {
	return len(a) == len(b) && orderFold(a, b) == 0
}

// hasPrefixFold reports whether s begins with prefix but for the case of ASCII
// letters.
func hasPrefixFold[A, B ~string | ~[]byte](s A, prefix B) bool {
	return len(s) >= len(prefix) && orderFold(s[:len(prefix)], prefix) == 0
}

// orderFold orders a and b as if their ASCII letters were in lower case.
func orderFold[A, B ~string | ~[]byte](a A, b B) int {
	for i := range min(len(a), len(b)) {
		if x, y := lower(a[i]), lower(b[i]); x != y {
			return int(x) - int(y)
		}
	}
	return len(a) - len(b)
}

// lower folds ASCII letters only.
func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c | 0x20
	}
	return c
}

// inWord reports whether product tokens and keys have such bytes: letters, '-' and
// '_' (RFC 9309 2.2.1).
func inWord(c byte) bool { return isLetter(c) || c == '-' || c == '_' }

// isBlank reports whether c separates words: a space or a tab (G15).
func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// isLetter reports whether c is a letter of ASCII, to which schemes, parameters
// and keys are bound.
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLower(c byte) bool { return 'a' <= c && c <= 'z' }

func isWord(c byte) bool { return isLetter(c) || isDigit(c) }

func isHex(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

func isLowerHex(c byte) bool { return isDigit(c) || 'a' <= c && c <= 'f' }

// unhex is the value of a digit of isLowerHex.
func unhex(c byte) byte {
	if isDigit(c) {
		return c - '0'
	}
	return c - 'a' + 10
}

// allDigits reports whether text holds nothing but digits; an empty one does.
func allDigits(text []byte) bool {
	for _, c := range text {
		if !isDigit(c) {
			return false
		}
	}
	return true
}
