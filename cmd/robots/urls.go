package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"iter"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/ask"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
)

// maxURL is where a line of a list is given up as no URL, so that an endless
// one cannot fill the memory.
const maxURL = 16 << 20

// urlSource is the URLs that are asked about, in the order given.
type urlSource struct {
	ask.URLs
	close func()
}

// openURLs yields the URLs among the arguments, then those of the named list,
// "" being none and "-" standard input. They are read as they are asked for;
// idle is called before a read that may have to wait.
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
		return float64(list.read) / float64(size)
	}
	source.All = func(yield func(string, error) bool) {
		for url := range yieldArgs(args, &read) {
			if !yield(url, nil) {
				return
			}
		}
		list.yield(yield)
	}
	return source, nil
}

// openList opens a list, which the source closes. Its size is 0 if that cannot be
// known.
func (s *urlSource) openList(t *term.Terminal, name string, idle func()) (list *urlList, size int64, err error) {
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
	return &urlList{r: bufio.NewReaderSize(idlingReader{in, idle}, 1<<16), shown: in.shown}, size, nil
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

// idlingReader says so before each read.
type idlingReader struct {
	io.Reader
	idle func()
}

func (r idlingReader) Read(p []byte) (int, error) {
	r.idle()
	return r.Reader.Read(p)
}

// urlList reads a URL from each line that is not empty. A '#' starts no
// comment, for "#top" is a URL too.
type urlList struct {
	r     *bufio.Reader
	shown string
	line  int
	read  int64  // bytes of the lines so far
	long  []byte // a line that does not fit the reader's buffer
}

func (l *urlList) yield(yield func(string, error) bool) {
	for {
		line, err := l.next()
		if l.line == 1 {
			line = strings.TrimPrefix(line, "\ufeff") // editors write it
		}
		if line != "" && !yield(line, nil) {
			return
		}
		if err == io.EOF {
			return
		}
		if err != nil {
			yield("", err)
			return
		}
	}
}

// next returns the next line without its terminator. At the end of the list the
// last line comes with io.EOF; any other error comes alone.
func (l *urlList) next() (string, error) {
	l.line++
	part, err := l.r.ReadSlice('\n')
	for l.long = l.long[:0]; errors.Is(err, bufio.ErrBufferFull); part, err = l.r.ReadSlice('\n') {
		if l.long = append(l.long, part...); len(l.long) > maxURL {
			return "", term.Errorf("the list must hold one URL a line", "line %d of %s is over %d MiB long", l.line, l.shown, maxURL>>20)
		}
	}
	if err != nil && err != io.EOF {
		return "", term.Errorf("", "cannot read %s: %v", l.shown, term.Cause(err))
	}
	if len(l.long) > 0 {
		part = append(l.long, part...)
	}
	l.read += int64(len(part))
	return string(bytes.TrimSuffix(bytes.TrimSuffix(part, []byte("\n")), []byte("\r"))), err
}
