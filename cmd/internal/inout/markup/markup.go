// Package markup writes HTML and XML in which every value is escaped. It is used instead of
// html/template, because that makes the linker keep every exported method of the program.
package markup

import (
	"fmt"
	"html"
	"strings"
	"unicode/utf8"
)

// HTML is markup whose values are already escaped.
type HTML string

// Text returns a text as markup. It is also safe in quoted attributes.
func Text(text string) HTML { return HTML(html.EscapeString(text)) }

// Writer collects markup. The zero value is empty.
type Writer struct{ text strings.Builder }

// Print appends markup. The format is a constant of package fmt; attributes in it are quoted.
// Every value is text, which is escaped.
func (w *Writer) Print(format string, values ...string) {
	escaped := make([]any, len(values))
	for i, value := range values {
		escaped[i] = Text(value)
	}
	fmt.Fprintf(&w.text, format, escaped...)
}

// Add appends markup.
func (w *Writer) Add(markup HTML) { w.text.WriteString(string(markup)) }

// HTML returns what was appended.
func (w *Writer) HTML() HTML { return HTML(w.text.String()) }

// String returns what was appended.
func (w *Writer) String() string { return w.text.String() }

// ForXML returns a text with U+FFFD in place of each character that XML cannot have, even
// escaped, and each byte that is not UTF-8. [XML 1.0, 2.2]
func ForXML(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xfffe || r == 0xffff {
			return utf8.RuneError
		}
		return r // even for a byte that is not UTF-8
	}, text)
}
