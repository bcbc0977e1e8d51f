package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/term"
)

// input is a file that is read, or standard input.
type input struct {
	io.Reader
	shown string   // as errors call it
	file  *os.File // nil for standard input
}

// noteOfRobots is for openInput.
const noteOfRobots = "reading the robots.txt from the terminal; Ctrl-D ends it"

// openInput opens a file, or standard input for "-". Who is waited for to type it
// reads the note first. The caller closes it.
func openInput(t *term.Terminal, name, note string) (*input, error) {
	if name != "-" {
		return openFileInput(name)
	}
	if term.IsTerminal(t.In) {
		t.Note("%s", note)
	}
	return &input{t.In, "standard input", nil}, nil
}

// openFileInput is openInput where "-" is a name like any other.
func openFileInput(name string) (*input, error) {
	file, err := openFile(name)
	if err != nil {
		return nil, err
	}
	return &input{file, fmt.Sprintf("%q", name), file}, nil
}

func (in *input) close() {
	if in.file != nil {
		in.file.Close()
	}
}

// whole reads the input to its end, which must come before so many MiB: some
// inputs never end. The hint is for those.
func (in *input) whole(mostMiB int64, hint string) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(in, mostMiB<<20+1))
	switch {
	case err != nil:
		return nil, term.Errorf("", "cannot read %s: %v", in.shown, term.Cause(err))
	case int64(len(text)) > mostMiB<<20:
		return nil, term.Errorf(hint, "%s is over %d MiB long", in.shown, mostMiB)
	}
	return text, nil
}

// openFile opens a file for reading and says, if it cannot, what to do.
func openFile(name string) (*os.File, error) {
	info, err := os.Stat(name)
	switch {
	case strings.Contains(name, "://"):
		return nil, term.Errorf("without --file, the robots.txt of each URL's own site is fetched", "%q is a URL, not a file", name)
	case errors.Is(err, fs.ErrNotExist):
		return nil, term.Errorf(`check the name; "-" is standard input`, "there is no file %q", name)
	case err == nil && info.IsDir():
		hint := "give a file in it"
		if inside := filepath.Join(name, "robots.txt"); isFile(inside) {
			hint = "did you mean " + term.Escape(inside) + "?"
		}
		return nil, term.Errorf(hint, "%q is a directory", name)
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, term.Errorf("", "cannot read %q: %v", name, term.Cause(err))
	}
	return file, nil
}
