package main

// The rules for all output, which hold for every command:
//
//  1. Answers go to standard output, and nothing else does. Notes, warnings,
//     errors and hints go to standard error, one line each, and start with
//     "robots:".
//  2. Nothing is printed twice. An error travels up to run, which alone prints
//     it.
//  3. What comes from a file, a URL or an argument is never printed as it is.
//     Text goes through escape, JSON through printJSON, quotations in errors
//     through %q. A robots.txt is written by strangers, and must not be able
//     to move the cursor, change a colour or reverse a line, nor to command a
//     server that runs pipelines, which reads its orders from our output.
//     Only what asks for a whole file, or a diff of one, prints bytes as they
//     are, and not to a terminal.
//  4. Colour is used on a terminal only, never with NO_COLOR, and never
//     carries a meaning alone.
//  5. What moves is on standard error, on a terminal only, and leaves no trace.

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"
)

// terminal is where a command reads and prints, be it one or not.
type terminal struct {
	in       io.Reader
	out, err io.Writer
	getenv   func(string) string
	noNotes  bool // keep notes to oneself, as --quiet asks
}

// note tells something that is good to know and changes no answer.
func (t *terminal) note(format string, args ...any) {
	if !t.noNotes {
		t.tell("note", format, args...)
	}
}

// warn tells that the answer may not be the one that was meant.
func (t *terminal) warn(format string, args ...any) { t.tell("warning", format, args...) }

// hint tells what to do about the line before.
func (t *terminal) hint(hint string) { t.tell("hint", "%s", hint) }

func (t *terminal) tell(what, format string, args ...any) {
	fmt.Fprintf(t.err, "robots: %s: %s\n", what, withoutOrders(fmt.Sprintf(format, args...)))
}

// printFile prints a file byte for byte; on a terminal, what could command it is
// escaped.
func (t *terminal) printFile(out io.Writer, text []byte) error {
	if !isTerminal(t.out) {
		_, err := out.Write(text)
		return err
	}
	for line := range bytes.Lines(text) {
		if _, err := io.WriteString(out, escape(string(bytes.TrimRight(line, "\r\n")))+"\n"); err != nil {
			return err
		}
	}
	return nil
}

// isTerminal reports whether a reader or writer is an interactive terminal.
func isTerminal(stream any) bool {
	if beside, ok := stream.(*besideProgress); ok {
		stream = beside.w
	}
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// palette paints text, or leaves it as it is.
type palette struct{ colour bool }

// A style is the parameter of the terminal's "select graphic rendition".
type style string

const (
	bold   style = "1"
	faint  style = "2"
	red    style = "31"
	green  style = "32"
	yellow style = "33"
)

// palette returns the palette for standard output.
func (t *terminal) palette() palette {
	return palette{t.getenv("NO_COLOR") == "" && t.getenv("TERM") != "dumb" && isTerminal(t.out)}
}

func (p palette) paint(s style, text string) string {
	if !p.colour || text == "" {
		return text
	}
	return "\x1b[" + string(s) + "m" + text + "\x1b[0m"
}

// verdict returns "allowed" or "disallowed", padded to one width.
func (p palette) verdict(allowed bool, width int) string {
	if allowed {
		return p.paint(green, "allowed") + pad("allowed", width)
	}
	return p.paint(red, "disallowed") + pad("disallowed", width)
}

// pad returns the blanks that fill text up to a width.
func pad(text string, width int) string {
	return strings.Repeat(" ", max(0, width-columns(text)))
}

// escape makes foreign text fit to be shown: what is not printable, such as
// control characters, marks of direction and bytes that are no UTF-8, is
// written as \x1b or \u202e, and printable text stays as it is. A backslash is
// not doubled, because here patterns shall look as they are spelt; JSON is the
// output for those who must tell the two apart.
//
// Two colons in front are escaped too: GitHub takes a line that begins so for an
// order, as well as what withoutOrders is about.
func escape(s string) string {
	if rest := strings.TrimLeft(s, " "); strings.HasPrefix(rest, "::") {
		return s[:len(s)-len(rest)] + `\x3a` + escape(rest[1:])
	}
	if isPlain(s) {
		return withoutOrders(s)
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1, r < 0x20, r == 0x7f:
			writeControl(&b, s[i])
		case unicode.IsPrint(r):
			b.WriteString(s[i : i+size])
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		i += size
	}
	return withoutOrders(b.String())
}

// withoutOrders breaks up what servers that run pipelines take for an order in
// the middle of a line: GitHub, Azure, and TeamCity.
func withoutOrders(s string) string {
	if !strings.Contains(s, "##") {
		return s
	}
	return orders.Replace(s)
}

var orders = strings.NewReplacer("##[", `#\x23[`, "##vso[", `#\x23vso[`, "##teamcity[", `#\x23teamcity[`)

func writeControl(b *strings.Builder, c byte) {
	switch c {
	case '\t':
		b.WriteString(`\t`)
	case '\n':
		b.WriteString(`\n`)
	case '\r':
		b.WriteString(`\r`)
	default:
		fmt.Fprintf(b, `\x%02x`, c)
	}
}

// isPlain reports whether s is printable ASCII, as nearly all text here is.
func isPlain(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < 0x20 || s[i] >= 0x7f {
			return false
		}
	}
	return true
}

// columns returns how many columns of a terminal escaped text takes.
func columns(s string) int {
	if isPlain(s) {
		return len(s)
	}
	n := 0
	for _, r := range s {
		n += runeColumns(r)
	}
	return n
}

// runeColumns is exact for the scripts that URLs and paths are written in, and
// a guess for the rest; a wrong guess only shifts a caret.
func runeColumns(r rune) int {
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul),
		0xff01 <= r && r <= 0xff60, 0x1f300 <= r && r <= 0x1faff:
		return 2
	default:
		return 1
	}
}

// clip cuts escaped text to a number of columns.
func clip(s string, width int) string {
	if columns(s) <= width {
		return s
	}
	n := 0
	for i, r := range s {
		if n += runeColumns(r); n >= width {
			return s[:i] + "…"
		}
	}
	return s
}
