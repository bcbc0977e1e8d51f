package main

import (
	"errors"
	"fmt"
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
	file, remarks, err := readRemarked(t, name, limit)
	for _, r := range remarks {
		r.print(t)
	}
	return file, err
}

// readRemarked is readBody, but returns the remarks instead of printing them.
func readRemarked(t *term.Terminal, name string, limit byteLimit) (*answer.File, []remark, error) {
	in, err := openInput(t, name, noteOfRobots)
	if err != nil {
		return nil, nil, err
	}
	defer in.close()
	head := &headWriter{}
	text, truncated, err := robotstxt.ReadBody(io.TeeReader(in, head), int(limit))
	if err != nil {
		return nil, nil, term.Errorf("", "cannot read %s: %v", in.shown, term.Cause(err))
	}
	file := answer.NewFile(text)
	file.Name, file.Truncated = name, truncated
	return file, remarksOn(in.shown, head.start, text, truncated, limit), nil
}

// remark is a note or a warning about an unusual body.
type remark struct {
	warning bool
	text    string
}

func (r remark) print(t *term.Terminal) {
	if r.warning {
		t.Warn("%s", r.text)
	} else {
		t.Note("%s", r.text)
	}
}

// remarksOn returns notes and warnings about a body.
func remarksOn(shown string, head, text []byte, truncated bool, limit byteLimit) (remarks []remark) {
	switch wire.BodyOf(head) {
	case wire.BodyEmpty:
		remarks = append(remarks, remark{false, shown + " is empty: everything is allowed"})
	case wire.BodyBinary:
		remarks = append(remarks, remark{true, shown + " is not text; it is read anyway, as crawlers do"})
	case wire.BodyHTML:
		remarks = append(remarks, remark{true, shown + " looks like a web page; it is read anyway, as crawlers do"})
	}
	switch {
	case truncated && len(text) == 0:
		remarks = append(remarks, remark{true, fmt.Sprintf("%s has no complete line within its first %s bytes: everything is allowed; --limit sets the number of bytes", shown, limit)})
	case truncated:
		remarks = append(remarks, remark{true, fmt.Sprintf("%s was read up to the last line within its first %s bytes; --limit sets the number of bytes", shown, limit)})
	}
	return remarks
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
