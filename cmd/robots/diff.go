package main

import (
	"bytes"
	"io"
	"path/filepath"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/kosterhq/robotstxt/cmd/internal/term"
)

// printDiff prints how two versions of a file differ, as patch understands it.
// Elsewhere than on a terminal it is printed byte for byte, or a patch made of it
// would write escapes into the file.
//
// Its lines are those of patch, which end at LF alone.
func printDiff(t *term.Terminal, out io.Writer, name string, before, after []byte) error {
	old, changed := "a/"+patchName(name), "b/"+patchName(name)
	text := diff.Diff(old, before, changed, after)
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

// patchName is a file's name as the head of a diff can hold it: no name may end
// that line.
func patchName(name string) string {
	if name == "-" {
		return "standard-input"
	}
	if filepath.IsAbs(name) {
		name = name[len(filepath.VolumeName(name))+1:]
	}
	return term.Escape(filepath.ToSlash(filepath.Clean(name)))
}
