package term

// A WebAssembly module prints no tables, and the library that knows the widths of
// characters would be a large part of the module. Here every character is one column wide.

import "unicode/utf8"

// Width returns the number of characters of escaped text.
func Width(s string) int { return utf8.RuneCountInString(s) }

// Clip returns escaped text cut to at most width characters, with an ellipsis as the
// last one of text that was cut.
func Clip(s string, width int) string {
	if Width(s) <= width {
		return s
	}
	return string([]rune(s)[:max(0, width-1)]) + "…"
}

// ClipMiddle is Clip. Only tables, which a module does not print, cut texts in the middle.
func ClipMiddle(s string, width int) string { return Clip(s, width) }
