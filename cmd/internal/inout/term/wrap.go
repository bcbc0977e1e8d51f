package term

import "strings"

// Wrap breaks escaped text at spaces into lines of at most width columns; 0 means any number.
// All lines except the first begin with an indent. A longer word has its own line.
func Wrap(text string, width int, indent string) (lines []string) {
	if width <= 0 {
		return []string{text}
	}
	line, room := "", width
	for word := range strings.FieldsSeq(text) {
		if line != "" && strings.TrimLeft(line, " ") != "" && Width(line)+1+Width(word) > room {
			lines = append(lines, line)
			line = indent + word
			continue
		}
		if strings.TrimLeft(line, " ") != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}

// Pad returns the spaces that fill text up to a width, in columns.
func Pad(text string, width int) string {
	return strings.Repeat(" ", max(0, width-Width(text)))
}
