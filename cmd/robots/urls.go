package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
)

// maxURL is where a line of a list is given up as no URL, so that an endless
// one cannot fill the memory.
const maxURL = 16 << 20

// openURLs yields the URLs among the arguments, then those of the named list,
// "" being none and "-" standard input. They are read as they are asked for, and
// what was answered is flushed before a read that may have to wait.
func openURLs(t *terminal, args []string, name string, out *bufio.Writer) (urls iter.Seq2[string, error], done func(), err error) {
	if name == "" {
		return yieldArgs(args), func() {}, nil
	}
	r, shown := t.in, "standard input"
	done = func() {}
	if name != "-" {
		file, err := openFile(name)
		if err != nil {
			return nil, nil, err
		}
		r, shown = file, fmt.Sprintf("%q", name)
		done = func() { file.Close() }
	} else if isTerminal(t.in) {
		t.note("reading URLs from the terminal, one a line; Ctrl-D ends them")
	}
	list := &urlList{r: bufio.NewReaderSize(flushingReader{r, out}, 1<<16), shown: shown}
	return func(yield func(string, error) bool) {
		for url := range yieldArgs(args) {
			if !yield(url, nil) {
				return
			}
		}
		list.yield(yield)
	}, done, nil
}

func yieldArgs(args []string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, arg := range args {
			if !yield(arg, nil) {
				return
			}
		}
	}
}

// flushingReader flushes the answers before each read.
type flushingReader struct {
	io.Reader
	out *bufio.Writer
}

func (f flushingReader) Read(p []byte) (int, error) {
	// An error stays with the writer, where the next answer finds it.
	_ = f.out.Flush()
	return f.Reader.Read(p)
}

// urlList reads a URL from each line that is not empty. A '#' starts no
// comment, for "#top" is a URL too.
type urlList struct {
	r     *bufio.Reader
	shown string
	line  int
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
			return "", fail("the list must hold one URL a line", "line %d of %s is over %d MiB long", l.line, l.shown, maxURL>>20)
		}
	}
	if err != nil && err != io.EOF {
		return "", fail("", "cannot read %s: %v", l.shown, cause(err))
	}
	if len(l.long) > 0 {
		part = append(l.long, part...)
	}
	return string(bytes.TrimSuffix(bytes.TrimSuffix(part, []byte("\n")), []byte("\r"))), err
}
