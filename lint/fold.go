package lint

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
func inWord(c byte) bool {
	c = lower(c)
	return 'a' <= c && c <= 'z' || c == '-' || c == '_'
}

// isBlank reports whether c separates words: a space or a tab (G15).
func isBlank(c byte) bool { return c == ' ' || c == '\t' }
