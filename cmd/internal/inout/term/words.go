package term

import (
	"strings"
	"unicode"

	"github.com/kosterhq/robotstxt/internal/sentence"
)

// Source returns the name of a source, escaped: "-" is standard input.
func Source(name string) string {
	if name == "-" {
		return "standard input"
	}
	return Escape(name)
}

// Count returns a number with its noun.
func Count(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return Thousands(n) + " " + more
}

// List returns texts as a sentence has them: "a, b and c".
func List(texts []string) string { return sentence.List(texts) }

// Thousands returns a number with commas.
func Thousands(n int) string { return sentence.Thousands(n) }

// First joins the first few of escaped texts.
func First(texts []string, few int) string { return FirstOf(texts, few, len(texts)) }

// FirstOf is First for the first texts of all.
func FirstOf(texts []string, few, all int) string {
	return sentence.English.FirstOf(texts, few, all)
}

// IsBlank reports whether a text has nothing but white space, quotes, and characters that cannot be seen.
func IsBlank(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool {
		return r != '"' && r != '\'' && !unicode.IsSpace(r) && !unicode.In(r, unicode.Cc, unicode.Cf)
	})
}
