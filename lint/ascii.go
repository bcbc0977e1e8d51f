package lint

import "github.com/kosterhq/robotstxt/internal/ascii"

// inWord reports whether product tokens and keys have such bytes: letters, '-' and
// '_' (RFC 9309 2.2.1).
func inWord(c byte) bool { return ascii.IsLetter(c) || c == '-' || c == '_' }

// isBlank reports whether c separates words: a space or a tab (G15).
func isBlank(c byte) bool { return c == ' ' || c == '\t' }

func isLower(c byte) bool { return 'a' <= c && c <= 'z' }

func isWord(c byte) bool { return ascii.IsLetter(c) || ascii.IsDigit(c) }

func isLowerHex(c byte) bool { return ascii.IsDigit(c) || 'a' <= c && c <= 'f' }

// allDigits reports whether text holds nothing but digits; an empty one does.
func allDigits(text []byte) bool {
	for _, c := range text {
		if !ascii.IsDigit(c) {
			return false
		}
	}
	return true
}
