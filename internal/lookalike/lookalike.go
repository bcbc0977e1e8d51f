// Package lookalike reads names as they look to a person: with plain letters, hyphens and
// spaces instead of characters that resemble them.
package lookalike

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The letters that look like an ASCII letter, and in the same order that letter.
const (
	lookAlikes = "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧοκνυχ" + "АВЕЅІЈКМНОРСТХУаеосрухіјѕһԁԛԝ"
	looksLike  = "ABEZHIKMNOPTYXokvux" + "ABESIJKMHOPCTXYaeocpyxijshdqw"
)

// twin returns the letter that a character looks like, or 0.
func twin(r rune) byte {
	if at := strings.IndexRune(lookAlikes, r); at >= 0 {
		return looksLike[at/2] // each has two bytes
	}
	return 0
}

// Fold returns a name as it looks. It replaces letters that look like ASCII letters by those
// letters, every dash by a hyphen, every kind of space by a plain space, and typographic quotes by
// plain ones. It removes invisible characters. A text in ASCII stays as it is.
func Fold(name string) string {
	i := strings.IndexFunc(name, func(r rune) bool { return r >= utf8.RuneSelf })
	if i < 0 {
		return name
	}
	folded := make([]byte, i, len(name))
	copy(folded, name)
	for i < len(name) {
		r, size := utf8.DecodeRuneInString(name[i:])
		if r == utf8.RuneError && size == 1 {
			folded = appendWindows(folded, name[i])
		} else {
			folded = appendFolded(folded, r)
		}
		i += size
	}
	return string(folded)
}

// appendWindows appends a byte that is not UTF-8, as Windows-1252 has it.
func appendWindows(to []byte, c byte) []byte {
	switch c {
	case 0x96, 0x97: // dashes
		return append(to, '-')
	case 0xA0: // a no-break space
		return append(to, ' ')
	case 0xAD: // a soft hyphen
		return to
	}
	return append(to, c)
}

func appendFolded(to []byte, r rune) []byte {
	const wide = 0xFEE0 // from a letter to its full-width form
	switch {
	case r < utf8.RuneSelf:
		return append(to, byte(r))
	case twin(r) != 0:
		return append(to, twin(r))
	case unicode.Is(unicode.Pd, r), r == '\u2212', r == '\u2043':
		return append(to, '-')
	case unicode.Is(unicode.Zs, r):
		return append(to, ' ')
	case unicode.In(r, unicode.Cf, unicode.Mn, unicode.Cc):
		return to
	case r >= '!'+wide && r <= '~'+wide:
		return append(to, byte(r-wide))
	case strings.ContainsRune("\u201c\u201d\u201e\u201f\u00ab\u00bb", r):
		return append(to, '"')
	case strings.ContainsRune("\u2018\u2019\u201a\u201b\u2039\u203a", r):
		return append(to, '\'')
	}
	return utf8.AppendRune(to, r)
}
