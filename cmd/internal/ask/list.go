package ask

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/term"
)

// maxURL is the limit of bytes in a line, so that an endless one cannot exhaust the
// memory.
const maxURL = 16 << 20

// List reads a URL from each line that is not empty. A '#' does not start a comment,
// because "#top" is a URL too.
type List struct {
	r    *bufio.Reader
	name string
	line int
	read int64  // bytes of the lines so far
	long []byte // a line that does not fit the reader's buffer
}

// NewList returns the list in r. Errors mention its name. idle is called before each
// read of r, which may wait.
func NewList(r io.Reader, name string, idle func()) *List {
	return &List{r: bufio.NewReaderSize(idlingReader{r, idle}, 1<<16), name: name}
}

// Read returns the number of bytes in the lines that were yielded.
func (l *List) Read() int64 { return l.read }

// All yields the URLs. It ends after an error.
func (l *List) All(yield func(string, error) bool) {
	for {
		line, err := l.next()
		if l.line == 1 {
			line = strings.TrimPrefix(line, "\ufeff") // some editors write it
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

// next returns the next line without its terminator. The last line is returned with
// io.EOF; with any other error the line is empty.
func (l *List) next() (string, error) {
	l.line++
	part, err := l.r.ReadSlice('\n')
	for l.long = l.long[:0]; errors.Is(err, bufio.ErrBufferFull); part, err = l.r.ReadSlice('\n') {
		if l.long = append(l.long, part...); len(l.long) > maxURL {
			return "", term.Errorf("the list must have one URL on each line", "line %d of %s is over %d MiB long", l.line, l.name, maxURL>>20)
		}
	}
	if err != nil && err != io.EOF {
		return "", term.Errorf("", "cannot read %s: %v", l.name, term.Cause(err))
	}
	if len(l.long) > 0 {
		part = append(l.long, part...)
	}
	l.read += int64(len(part))
	return string(bytes.TrimSuffix(bytes.TrimSuffix(part, []byte("\n")), []byte("\r"))), err
}

// idlingReader calls a function before each read.
type idlingReader struct {
	io.Reader
	idle func()
}

func (r idlingReader) Read(p []byte) (int, error) {
	r.idle()
	return r.Reader.Read(p)
}
