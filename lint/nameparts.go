package lint

import (
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt/internal/ascii"
)

// span is a part of a value.
type span struct{ start, end int }

func (s span) in(text string) string { return text[s.start:s.end] }

// marks are what people put around names: quotes, brackets, and signs of wildcards and
// expressions.
const marks = "*\"'`+^$<>[](){}.,;: \t" + "\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb"

// expressionMarks begin expressions: the edge of a word, and a group with flags or without a number.
var expressionMarks = [...]string{`\b`, "?:", "?i)", "?i:"}

// bare returns a part without marks around it, and without marks of expressions.
func (s span) bare(text string) span {
	for {
		part := strings.TrimLeft(s.in(text), marks)
		s.start = s.end - len(part)
		s.end = s.start + len(strings.TrimRight(part, marks))
		part = s.in(text)
		if cut := strings.TrimSuffix(part, `\b`); len(cut) < len(part) {
			s.end -= len(`\b`)
			continue
		}
		at := slices.IndexFunc(expressionMarks[:], func(mark string) bool { return strings.HasPrefix(part, mark) })
		if at < 0 {
			return s
		}
		s.start += len(expressionMarks[at])
	}
}

// withoutVersion returns a part without the version at its end, and whether it has one. The version
// is after a slash, or after white space and has no letter but v.
func (s span) withoutVersion(text string) (span, bool) {
	i := strings.LastIndexByte(s.in(text), '/')
	if blank := strings.LastIndexAny(s.in(text), " \t"); i < 0 && strings.Trim(s.in(text)[blank+1:], "vV.0123456789") == "" {
		i = blank
	}
	if i <= 0 || !isVersion(s.in(text)[i+1:]) && i+1 < s.end-s.start || strings.ContainsAny(s.in(text)[i+1:], " \t") {
		return s, false
	}
	return span{s.start, s.start + len(strings.TrimRight(text[s.start:s.start+i], " \t"))}, true
}

// isVersion reports whether a text is a version, or a star for any.
func isVersion(text string) bool {
	digits := strings.TrimLeft(text, "vV")
	return digits == "*" || digits != "" && ascii.IsDigit(digits[0])
}

// split returns the parts between separators, without marks around them, but not empty ones and
// versions. A star alone is a part.
func (s span) split(text, separators string) (parts []span) {
	for i := s.start; i <= s.end; i++ {
		start := i
		for i < s.end && strings.IndexByte(separators, text[i]) < 0 {
			i++
		}
		switch part := (span{start, i}).bare(text); {
		case strings.Trim(text[start:i], " \t\"'()[]{}<>^$") == "*":
			parts = append(parts, span{start, i})
		case part.start < part.end && !isVersion(part.in(text)):
			parts = append(parts, part)
		}
	}
	return parts
}

// isConjunction reports whether a word is between the names of a list, or before the last one.
func isConjunction(word string) bool {
	return ascii.EqualFold(word, "and") || ascii.EqualFold(word, "or")
}

// withoutConjunction returns a part without a conjunction at its start.
func (s span) withoutConjunction(text string) span {
	if i := strings.IndexAny(s.in(text), " \t"); i > 0 && isConjunction(text[s.start:s.start+i]) {
		return span{s.start + i, s.end}.bare(text)
	}
	return s
}

// unescaped returns a text without backslashes before white space and signs.
func unescaped(text string) string {
	if strings.IndexByte(text, '\\') < 0 {
		return text
	}
	return strings.NewReplacer(`\ `, " ", `\.`, ".", `\-`, "-").Replace(text)
}
