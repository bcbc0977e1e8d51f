package report

import (
	"bytes"
	"io"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

// Patch prints the difference of two versions of a file in the format of the patch
// command. If t.Out is a regular file, the bytes of the file are unchanged. Otherwise each line
// is escaped, because a CI server that prints the output might find commands in it; a tab and the
// CR of a CRLF stay, so that a pipe to patch works, except on a terminal. out must write to
// t.Out. Lines end at LF only, as in patch.
func Patch(t *term.Terminal, out io.Writer, name string, before, after []byte) error {
	text := diff.Diff("a/"+patchName(name), before, "b/"+patchName(name), after)
	if term.IsRegularFile(t.Out) {
		_, err := out.Write(text)
		return err
	}
	isTerminal := term.IsTerminal(t.Out)
	for line := range bytes.Lines(text) {
		if !isTerminal {
			if _, err := io.WriteString(out, escapedLine(line)); err != nil {
				return err
			}
			continue
		}
		shown := term.Escape(string(bytes.TrimSuffix(line, []byte("\n"))))
		switch p := t.Palette(); line[0] {
		case '-':
			shown = p.Paint(term.Red, shown)
		case '+':
			shown = p.Paint(term.Green, shown)
		}
		if _, err := io.WriteString(out, shown+"\n"); err != nil {
			return err
		}
	}
	return nil
}

// escapedLine returns a line for a pipe.
func escapedLine(line []byte) string {
	text := bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
	columns := strings.Split(string(text), "\t")
	for i := range columns {
		columns[i] = term.Escape(columns[i])
	}
	return strings.Join(columns, "\t") + string(line[len(text):])
}

// patchName returns a file's name for the head of a patch, without line ends.
func patchName(name string) string {
	if name == "-" {
		return "standard-input"
	}
	if filepath.IsAbs(name) {
		name = name[len(filepath.VolumeName(name))+1:]
	}
	return term.Escape(filepath.ToSlash(filepath.Clean(name)))
}
