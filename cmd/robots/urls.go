package main

import (
	"iter"

	"github.com/kosterhq/robotstxt/cmd/internal/ask"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
)

// urlSource yields the given URLs, in their order.
type urlSource struct {
	ask.URLs
	close func()
}

// openURLs returns the URLs of the arguments, then those of the named list: "" for
// none, "-" for standard input. The list is read while earlier URLs are answered; idle
// is called before a read, which may wait.
func openURLs(t *term.Terminal, args []string, name string, idle func()) (*urlSource, error) {
	read := 0
	source := &urlSource{
		URLs: ask.URLs{
			All:   yieldArgs(args, &read),
			Share: func() float64 { return float64(read) / float64(len(args)) },
		},
		close: func() {},
	}
	if name == "" {
		return source, nil
	}
	list, size, err := source.openList(t, name, idle)
	if err != nil {
		return nil, err
	}
	source.Share = func() float64 {
		if size == 0 {
			return -1
		}
		return float64(list.Read()) / float64(size)
	}
	source.All = func(yield func(string, error) bool) {
		for url := range yieldArgs(args, &read) {
			if !yield(url, nil) {
				return
			}
		}
		list.All(yield)
	}
	return source, nil
}

// openList opens a list, which the source closes. Its size is 0 if it is unknown.
func (s *urlSource) openList(t *term.Terminal, name string, idle func()) (list *ask.List, size int64, err error) {
	in, err := openInput(t, name, "reading URLs from the terminal, one a line; Ctrl-D ends them")
	if err != nil {
		return nil, 0, err
	}
	s.close = in.close
	if in.file != nil {
		if info, err := in.file.Stat(); err == nil && info.Mode().IsRegular() {
			size = info.Size()
		}
	}
	return ask.NewList(in, in.shown, idle), size, nil
}

func yieldArgs(args []string, read *int) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, arg := range args {
			if *read++; !yield(arg, nil) {
				return
			}
		}
	}
}
