package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/files"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/origin"
)

// input is an open file, or standard input.
type input struct {
	io.Reader
	shown string   // its name in errors
	file  *os.File // nil for standard input

	closer io.Closer // nil for standard input
}

// noteOfRobots is the note of openInput for a robots.txt.
const noteOfRobots = "reading the robots.txt from the terminal; Ctrl-D ends it"

// openInput opens a file, or standard input for "-". If that is a terminal, it prints
// the note first. The caller closes the input.
func openInput(t *term.Terminal, name, note string) (*input, error) {
	if name != "-" {
		return openFileInput(name)
	}
	if term.IsTerminal(t.In) {
		t.Note("%s", note)
	}
	return &input{Reader: t.In, shown: "standard input"}, nil
}

// openFileInput is openInput, but "-" is an ordinary name.
func openFileInput(name string) (*input, error) {
	file, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	return &input{file, fmt.Sprintf("%q", name), file, file}, nil
}

func (in *input) close() {
	if in.closer != nil {
		in.closer.Close()
	}
}

// whole reads the input to its end. It returns an error with the hint if the input has
// more than so many MiB, because some inputs never end.
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

// mostWhole is the limit of a file that is read whole, in MiB. Crawlers read only a
// small part of such a file.
const mostWhole = 64

// readWhole reads a robots.txt to its end, because lines after the limit of crawlers
// matter when the file is edited.
func readWhole(t *term.Terminal, name string) ([]byte, error) {
	in, err := openRobots(t, name)
	if err != nil {
		return nil, err
	}
	defer in.close()
	return in.whole(mostWhole, "it is not a robots.txt: crawlers read only the first 500 KiB")
}

// longestLine is how much of a line Google's parser reads, and its end [G9].
const longestLine = 16_663 + len("\r\n")

// readHead reads so many bytes of a robots.txt and, if it is longer, about a line more.
// truncated is true if the file continues.
func readHead(t *term.Terminal, name string, limit int) (head []byte, truncated bool, err error) {
	in, err := openRobots(t, name)
	if err != nil {
		return nil, false, err
	}
	defer in.close()
	head, err = io.ReadAll(io.LimitReader(in, int64(limit+longestLine)+1))
	if err != nil {
		return nil, false, term.Errorf("", "cannot read %s: %v", in.shown, term.Cause(err))
	}
	if truncated = len(head) > limit+longestLine; truncated {
		head = head[:limit+longestLine]
	}
	return head, truncated, nil
}

// openRobots opens a robots.txt. The caller closes it.
func openRobots(t *term.Terminal, name string) (*input, error) {
	if isHost(name) {
		return nil, term.Errorf("did you mean "+term.Escape("https://"+name)+"?", "there is no file %q", name)
	}
	return openInput(t, name, noteOfRobots)
}

// isHost reports whether a name is not a file but may be the host of a site.
func isHost(name string) bool {
	_, err := os.Lstat(name)
	_, wrong := origin.Of("https://" + name)
	return errors.Is(err, fs.ErrNotExist) && wrong == nil && hasHostForm(name) && !strings.ContainsAny(name, `/\*?[`) &&
		filepath.Ext(name) != ".txt"
}

// hasHostForm reports whether a name has a dot or a port, or is that of this machine.
func hasHostForm(name string) bool {
	_, port, hasPort := strings.Cut(name, ":")
	return strings.Contains(name, ".") || name == "localhost" || hasPort && port != "" && strings.Trim(port, "0123456789") == "" ||
		strings.HasPrefix(name, "[")
}
