package main

import (
	"bytes"
	"io"
	"path/filepath"

	"github.com/rogpeppe/go-internal/diff"
)

// printDiff prints how two versions of a file differ, as patch understands it.
// Elsewhere than on a terminal it is printed byte for byte, or a patch made of it
// would write escapes into the file.
//
// Its lines are those of patch, which end at LF alone.
func printDiff(t *terminal, out io.Writer, name string, before, after []byte) error {
	old, changed := "a/"+patchName(name), "b/"+patchName(name)
	text := diff.Diff(old, before, changed, after)
	if !isTerminal(t.out) {
		_, err := out.Write(text)
		return err
	}
	for line := range bytes.Lines(text) {
		shown := escape(string(bytes.TrimSuffix(line, []byte("\n"))))
		switch p := t.palette(); line[0] {
		case '-':
			shown = p.paint(red, shown)
		case '+':
			shown = p.paint(green, shown)
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
	return escape(filepath.ToSlash(filepath.Clean(name)))
}
