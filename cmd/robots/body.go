package main

import (
	"errors"
	"io"
	"strconv"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
)

// readBody reads the named robots.txt, "-" being standard input. Whatever it is
// gets read, as a crawler would; but if it hardly is a robots.txt, that is said.
func readBody(t *term.Terminal, name string, limit byteLimit) (*answer.File, error) {
	in, err := openInput(t, name, noteOfRobots)
	if err != nil {
		return nil, err
	}
	defer in.close()
	head := &headWriter{}
	text, truncated, err := robotstxt.ReadBody(io.TeeReader(in, head), int(limit))
	if err != nil {
		return nil, term.Errorf("", "cannot read %s: %v", in.shown, term.Cause(err))
	}
	comment(t, in.shown, head.start, text, truncated, limit)
	return answer.NewFile(text), nil
}

// comment tells what is odd about a body.
func comment(t *term.Terminal, shown string, head, text []byte, truncated bool, limit byteLimit) {
	switch kind := wire.BodyOf(head); {
	case kind == wire.BodyEmpty:
		t.Note("%s is empty: everything is allowed", shown)
	case kind == wire.BodyBinary:
		t.Warn("%s is no text; it is read all the same, as a crawler would", shown)
	case kind == wire.BodyHTML:
		t.Warn("%s looks like a web page; it is read all the same, as a crawler would", shown)
	}
	switch {
	case truncated && len(text) == 0:
		t.Warn("%s has no complete line within its first %s bytes: everything is allowed; --limit sets how many are read", shown, limit)
	case truncated:
		t.Warn("%s was read up to the last line within its first %s bytes; --limit sets how many are read", shown, limit)
	}
}

// headWriter keeps the first bytes of what is written to it, as the limit may
// leave nothing of a body to look at.
type headWriter struct{ start []byte }

func (h *headWriter) Write(p []byte) (int, error) {
	if room := wire.BodyHead - len(h.start); room > 0 {
		h.start = append(h.start, p[:min(room, len(p))]...)
	}
	return len(p), nil
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
