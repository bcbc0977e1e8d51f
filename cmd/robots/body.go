package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/kosterhq/robotstxt"
)

// body is a robots.txt as it was read.
type body struct {
	text  []byte
	lines int          // how many
	spans map[int]span // of each Allow and Disallow line in text, as spelt
}

// span is where a rule is spelt, from its key to its value, which leaves out a
// comment.
type span struct {
	start, end int32
	empty      bool // it has no path
}

func newBody(text []byte) *body {
	b := &body{text: text, spans: make(map[int]span)}
	for line := range robotstxt.Lines(text) {
		b.lines = line.Number
		if line.Kind == robotstxt.KindAllow || line.Kind == robotstxt.KindDisallow {
			b.spans[line.Number] = span{int32(line.KeyOffset), int32(line.ValueOffset + len(line.Value)), len(line.Value) == 0}
		}
	}
	return b
}

// rule returns the text of a line that is a rule, "" of any other.
func (b *body) rule(line int) string {
	s := b.spans[line]
	return strings.TrimRight(string(b.text[s.start:s.end]), " \t\v\f\r\n")
}

// readBody reads the named robots.txt, "-" being standard input. Whatever it is
// gets read, as a crawler would; but if it hardly is a robots.txt, that is said.
func readBody(t *terminal, name string, limit byteLimit) (*body, error) {
	r, shown := t.in, "standard input"
	if name != "-" {
		file, err := openFile(name)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		r, shown = file, fmt.Sprintf("%q", name)
	} else if isTerminal(t.in) {
		t.note("reading the robots.txt from the terminal; Ctrl-D ends it")
	}
	head := &headWriter{}
	text, truncated, err := robotstxt.ReadBody(io.TeeReader(r, head), int(limit))
	if err != nil {
		return nil, fail("", "cannot read %s: %v", shown, cause(err))
	}
	comment(t, shown, head.start, text, truncated, limit)
	return newBody(text), nil
}

// comment tells what is odd about a body.
func comment(t *terminal, shown string, head, text []byte, truncated bool, limit byteLimit) {
	switch {
	case len(head) == 0:
		t.note("%s is empty: everything is allowed", shown)
	case bytes.IndexByte(head, 0) >= 0:
		t.warn("%s is no text; it is read all the same, as a crawler would", shown)
	case isPage(head):
		t.warn("%s looks like a web page; it is read all the same, as a crawler would", shown)
	}
	switch {
	case truncated && len(text) == 0:
		t.warn("%s has no complete line within its first %s bytes: everything is allowed; --limit sets how many are read", shown, limit)
	case truncated:
		t.warn("%s was read up to the last line within its first %s bytes; --limit sets how many are read", shown, limit)
	}
}

// isPage reports whether a body starts as a web page does.
func isPage(head []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\ufeff"))), []byte("<"))
}

// headWriter keeps the first bytes of what is written to it, as the limit may
// leave nothing of a body to look at.
type headWriter struct{ start []byte }

func (h *headWriter) Write(p []byte) (int, error) {
	if room := 1024 - len(h.start); room > 0 {
		h.start = append(h.start, p[:min(room, len(p))]...)
	}
	return len(p), nil
}

// openFile opens a file for reading and says, if it cannot, what to do.
func openFile(name string) (*os.File, error) {
	info, err := os.Stat(name)
	switch {
	case strings.Contains(name, "://"):
		return nil, fail("without --file, the robots.txt of each URL's own site is fetched", "%q is a URL, not a file", name)
	case errors.Is(err, fs.ErrNotExist):
		return nil, fail(`check the name; "-" is standard input`, "there is no file %q", name)
	case err == nil && info.IsDir():
		hint := "give a file in it"
		if inside := filepath.Join(name, "robots.txt"); isFile(inside) {
			hint = "did you mean " + escape(inside) + "?"
		}
		return nil, fail(hint, "%q is a directory", name)
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, fail("", "cannot read %q: %v", name, cause(err))
	}
	return file, nil
}

// cause strips an error of the path that stands in the message already.
func cause(err error) error {
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return path.Err
	}
	return err
}

// byteLimit is the value of --limit, as ReadBody takes it.
type byteLimit int

func (l byteLimit) String() string {
	if l < 0 {
		return "none"
	}
	return strconv.Itoa(int(l))
}

func (l byteLimit) Type() string { return "bytes" }

func (l *byteLimit) Set(text string) error {
	n, err := strconv.Atoi(text)
	switch {
	case text == "none" || err == nil && n == -1:
		*l = -1
	case err == nil && n > 0:
		*l = byteLimit(n)
	default:
		return errors.New(`want a number of bytes above 0, or "none"`)
	}
	return nil
}
