// Package term writes to terminals: notes and errors on standard error, colour,
// column widths, a progress line, and escaped text from untrusted sources. It opens no
// streams; the caller passes readers and writers.
//
// The rules for all output, which every command follows:
//
//  1. Answers go to standard output, and nothing else does. Notes, warnings,
//     errors and hints go to standard error, one line each, and start with
//     "robots:".
//  2. Nothing is printed twice. An error is returned up to main, and only main
//     prints it.
//  3. Text from a file, a URL or an argument is never printed raw. Text is
//     printed through Escape, JSON through PrintJSON, quotations in errors
//     through %q. A robots.txt is untrusted: it must not move the cursor, change
//     a colour, reverse a line, or run a command on a CI server that parses our
//     output. Only whole files are printed unchanged, and never to a terminal, and
//     diffs of them if the output is a regular file.
//  4. Colour is used on a terminal only, unless --color or CLICOLOR_FORCE requests
//     it; NO_COLOR disables it. No meaning depends on it alone.
//  5. A moving line is printed to standard error only, on a terminal only, and
//     is erased at the end.
package term

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"

	"golang.org/x/term"

	"github.com/kosterhq/robotstxt/origin"
)

// Terminal is the streams and the environment of one run. The streams can be
// files, pipes or terminals.
type Terminal struct {
	In       io.Reader
	Out, Err io.Writer
	Getenv   func(string) string // as os.Getenv
	Quiet    bool                // omit notes; warnings and errors are still printed
	Colour   Colour              // when answers are coloured; default: ColourAuto

	// Log receives notes, warnings, hints and errors, if it is set, and nothing is printed to
	// Err, because a service's log has one format. kind is "note", "warning", "hint" or "error".
	Log func(kind, text, hint string)
}

// Note prints a useful fact that does not change the answers.
func (t *Terminal) Note(format string, args ...any) {
	if !t.Quiet {
		t.printLine("note", format, args...)
	}
}

// Warn prints a reason why the answers might not be the intended ones.
func (t *Terminal) Warn(format string, args ...any) { t.printLine("warning", format, args...) }

// Hint prints what the user can do about the previous line.
func (t *Terminal) Hint(hint string) { t.printLine("hint", "%s", hint) }

func (t *Terminal) printLine(kind, format string, args ...any) {
	text := origin.WithoutPasswords(fmt.Sprintf(format, args...))
	if t.Log != nil {
		t.Log(kind, text, "")
		return
	}
	fmt.Fprintf(t.Err, "robots: %s: %s\n", kind, withoutOrders(text))
}

// PrintFile writes text to out, which must end at t.Out: byte for byte, unless
// t.Out is a terminal; then each line is escaped.
func (t *Terminal) PrintFile(out io.Writer, text []byte) error {
	if !IsTerminal(t.Out) {
		_, err := out.Write(text)
		return err
	}
	for line := range bytes.Lines(text) {
		if _, err := io.WriteString(out, Escape(string(bytes.TrimRight(line, "\r\n")))+"\n"); err != nil {
			return err
		}
	}
	return nil
}

// Print calls a function that prints answers, through a buffer. It returns the WriteError of the
// function's error, or of the output's.
func (t *Terminal) Print(print func(out *bufio.Writer) error) error {
	out := bufio.NewWriterSize(t.Out, 1<<16)
	return WriteError(cmp.Or(print(out), out.Flush()))
}

// IsRegularFile reports whether a writer is a regular file, as after "> FILE" in a shell.
func IsRegularFile(stream any) bool {
	if beside, ok := stream.(*besideProgress); ok {
		stream = beside.w
	}
	file, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode().IsRegular()
}

// IsTerminal reports whether a reader or writer is an interactive terminal.
func IsTerminal(stream any) bool {
	if beside, ok := stream.(*besideProgress); ok {
		stream = beside.w
	}
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}
