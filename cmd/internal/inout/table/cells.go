package table

import (
	"slices"
	"strings"
)

// appendSeparated appends a cell of CSV, or of TSV, which has no quoting: an escaped
// text has neither tabs nor line ends.
func appendSeparated(to []byte, text string, quoting bool) []byte {
	formula := isFormula(text)
	quoted := quoting && needsQuotes(text)
	if quoted {
		to = append(to, '"')
	}
	if formula {
		to = append(to, '\'')
	}
	if !quoted {
		return append(to, text...)
	}
	for {
		before, after, found := strings.Cut(text, `"`)
		to = append(to, before...)
		if !found {
			return append(to, '"')
		}
		to = append(to, `""`...)
		text = after
	}
}

func needsQuotes(text string) bool {
	if strings.HasPrefix(text, " ") || strings.HasSuffix(text, " ") {
		return true
	}
	for i := range len(text) {
		if text[i] == ',' || text[i] == '"' {
			return true
		}
	}
	return false
}

// formulaStarts begin a formula in a spreadsheet, which can send the other cells to a
// site. The wide forms do so where Japanese is the language of the program. (Tab and CR
// are escaped before.)
var formulaStarts = []string{"=", "+", "-", "@", "＝", "＋", "－", "＠"}

// isFormula reports whether a spreadsheet might read a text as a formula.
func isFormula(text string) bool {
	if text == "" || text[0] > '@' && text[0] < 0x80 {
		return false
	}
	return slices.ContainsFunc(formulaStarts, func(start string) bool { return strings.HasPrefix(text, start) })
}

// EscapeMarkdown returns a text as a paragraph, a heading or a list of Markdown has it. If it could begin another
// block, its first character is escaped.
func EscapeMarkdown(text string) string {
	var to []byte
	if text != "" && (text[0] == '-' || text[0] == '+') {
		to = append(to, '\\')
	}
	return string(appendMarkdown(to, text, false))
}

// appendMarkdown appends a cell of a table of GitHub Flavored Markdown. In a table the
// bar must be escaped even within code, but a backslash there cannot be escaped. So a
// text with a backslash is not shown as code.
func appendMarkdown(to []byte, text string, code bool) []byte {
	if text == "" {
		return to
	}
	if code && !strings.Contains(text, `\`) {
		fence := strings.Repeat("`", longestRun(text, '`')+1)
		to = append(to, fence...)
		if len(fence) > 1 {
			to = append(to, ' ')
		}
		to = append(to, strings.ReplaceAll(text, "|", `\|`)...)
		if len(fence) > 1 {
			to = append(to, ' ')
		}
		return append(to, fence...)
	}
	for i := range len(text) {
		if strings.IndexByte("\\|`*_<>[]~&!$#@", text[i]) >= 0 && !(text[i] == '_' && isWithinWord(text, i)) {
			to = append(to, '\\')
		}
		to = append(to, text[i])
	}
	return to
}

// isWithinWord reports whether a letter or digit is on either side. An underscore there
// does not begin emphasis.
func isWithinWord(text string, i int) bool {
	return i > 0 && i+1 < len(text) && isWord(text[i-1]) && isWord(text[i+1])
}

func isWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

func longestRun(text string, c byte) (longest int) {
	run := 0
	for i := range len(text) {
		if text[i] != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}
