package main

import (
	"io"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

// typedOnce is a terminal: after the end of the text it can be read on.
type typedOnce struct {
	text  io.Reader
	ended bool
	t     *testing.T
}

func (o *typedOnce) Read(to []byte) (int, error) {
	if o.ended {
		o.t.Error("the terminal is read after its end")
	}
	n, err := o.text.Read(to)
	o.ended = err == io.EOF
	return n, err
}

// TestTypedBody: one Ctrl-D ends a file that is typed.
func TestTypedBody(t *testing.T) {
	const text = "User-agent: *\nDisallow: /x\n"
	in := &typedOnce{text: strings.NewReader(text), t: t}
	terminal := &term.Terminal{In: in, Out: io.Discard, Err: io.Discard, Getenv: func(string) string { return "" }}
	file, err := readBody(terminal, "-", 1<<20)
	if err != nil || string(file.Text) != text {
		t.Errorf("got %v, %v", file, err)
	}
}
