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

// readBody reads the named robots.txt; "-" is standard input. It reads any content, as
// crawlers do, but warns if the file does not look like a robots.txt.
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
	file := answer.NewFile(text)
	file.Truncated = truncated
	return file, nil
}

// comment prints notes and warnings about an unusual body.
func comment(t *term.Terminal, shown string, head, text []byte, truncated bool, limit byteLimit) {
	switch kind := wire.BodyOf(head); {
	case kind == wire.BodyEmpty:
		t.Note("%s is empty: everything is allowed", shown)
	case kind == wire.BodyBinary:
		t.Warn("%s is not text; it is read anyway, as crawlers do", shown)
	case kind == wire.BodyHTML:
		t.Warn("%s looks like a web page; it is read anyway, as crawlers do", shown)
	}
	switch {
	case truncated && len(text) == 0:
		t.Warn("%s has no complete line within its first %s bytes: everything is allowed; --limit sets the number of bytes", shown, limit)
	case truncated:
		t.Warn("%s was read up to the last line within its first %s bytes; --limit sets the number of bytes", shown, limit)
	}
}

// headWriter keeps the first bytes that are written to it. They show the kind of a body
// even if the limit leaves nothing of it.
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
