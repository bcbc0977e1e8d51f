package report

import (
	"bytes"
	"io"
	"path/filepath"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

// Patch prints the difference of two versions of a file in the format of the patch
// command. The bytes of the file are unchanged, unless t.Out is a terminal; then each
// line is escaped. out must write to t.Out. Lines end at LF only, as in patch.
func Patch(t *term.Terminal, out io.Writer, name string, before, after []byte) error {
	text := diff.Diff("a/"+patchName(name), before, "b/"+patchName(name), after)
	if !term.IsTerminal(t.Out) {
		_, err := out.Write(text)
		return err
	}
	for line := range bytes.Lines(text) {
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
