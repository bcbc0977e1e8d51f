package lint

import (
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt/internal/ascii"
)

const marks = "*\"'`+^$<>[](){}.,;: \t" + "\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb"

// expressionMarks begin expressions: the edge of a word, and a group with flags or without a number.
var expressionMarks = [...]string{`\b`, "?:", "?i)", "?i:"}

// bare returns a text without marks around it, and without marks of expressions.
func bare(text string) string {
	for {
		text = strings.Trim(text, marks)
		if before, cut := strings.CutSuffix(text, `\b`); cut {
			text = before
			continue
		}
		at := slices.IndexFunc(expressionMarks[:], func(mark string) bool { return strings.HasPrefix(text, mark) })
		if at < 0 {
			return text
		}
		text = text[len(expressionMarks[at]):]
	}
}

// withoutVersion returns a text without the version at its end, and whether it has one. The version
// is after a slash, or after white space and has no letter but v.
func withoutVersion(text string) (string, bool) {
	i := strings.LastIndexByte(text, '/')
	if blank := strings.LastIndexAny(text, " \t"); i < 0 && strings.Trim(text[blank+1:], "vV.0123456789") == "" {
		i = blank
	}
	if i <= 0 || !isVersion(text[i+1:]) && i+1 < len(text) || strings.ContainsAny(text[i+1:], " \t") {
		return text, false
	}
	return strings.TrimRight(text[:i], " \t"), true
}

// isVersion reports whether a text is a version, or a star for any.
func isVersion(text string) bool {
	digits := strings.TrimLeft(text, "vV")
	return digits == "*" || digits != "" && ascii.IsDigit(digits[0])
}

// split returns the parts between separators, without marks around them, but not empty ones and
// versions. A star alone is a part.
func split(text, separators string) (parts []string) {
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(separators, r) }) {
		switch plain := bare(part); {
		case strings.Trim(part, " \t\"'()[]{}<>^$") == "*":
			parts = append(parts, part)
		case plain != "" && !isVersion(plain):
			parts = append(parts, plain)
		}
	}
	return parts
}

func isConjunction(word string) bool {
	return ascii.EqualFold(word, "and") || ascii.EqualFold(word, "or")
}

func withoutConjunction(text string) string {
	if i := strings.IndexAny(text, " \t"); i > 0 && isConjunction(text[:i]) {
		return bare(text[i:])
	}
	return text
}

var unescaped = strings.NewReplacer(`\ `, " ", `\.`, ".", `\-`, "-").Replace
