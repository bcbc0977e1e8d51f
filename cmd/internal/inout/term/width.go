//go:build !wasip1

package term

import "github.com/mattn/go-runewidth"

// widths treats characters of ambiguous width as one column wide. The library's
// default condition depends on the locale, so equal runs would print different tables.
var widths = &runewidth.Condition{}

// Width returns the number of columns of escaped text on a terminal.
func Width(s string) int {
	if isPlain(s) {
		return len(s)
	}
	return widths.StringWidth(s)
}

// Clip returns escaped text cut to at most width columns, with an ellipsis as the
// last column of text that was cut.
func Clip(s string, width int) string {
	if Width(s) <= width {
		return s
	}
	return widths.Truncate(s, width, "…")
}

// ClipMiddle is Clip, but cuts a third of the way from the end, so that the end of the text
// remains.
func ClipMiddle(s string, width int) string {
	all := Width(s)
	if all <= width || width < 8 {
		return Clip(s, width)
	}
	end := widths.TruncateLeft(s, all-width/3, "")
	return widths.Truncate(s, width-1-Width(end), "") + "…" + end
}
