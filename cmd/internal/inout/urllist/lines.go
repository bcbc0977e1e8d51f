package urllist

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/bounds"
)

// maxLine is the limit of bytes in a line, a CSV record and an XML token. Browsers and
// servers accept only much shorter URLs.
const maxLine = 1 << 20

// what a list is, in the errors for one without an end.
const what = "a list of URLs"

// errTooLong is the error for a line over maxLine. The next line can still be read.
var errTooLong = errors.New("over 1 MiB long")

type lines struct {
	r      *bufio.Reader
	number int    // of the latest line, from 1
	long   []byte // a line that does not fit the reader's buffer
	unread bool   // the latest line is read again

	line []byte
	err  error
}

// next returns the next line without its terminator, valid until the next call. At the
// end it returns io.EOF without a line. With errTooLong it returns the beginning.
func (l *lines) next() ([]byte, error) {
	if l.unread {
		l.unread = false
		return l.line, l.err
	}
	l.number++
	l.line, l.err = l.read()
	if l.err == io.EOF && len(l.line) > 0 {
		l.err = nil // the next call returns it again
	}
	return l.line, l.err
}

func (l *lines) read() ([]byte, error) {
	part, err := l.r.ReadSlice('\n')
	tooLong, skipped := false, 0
	for l.long = l.long[:0]; errors.Is(err, bufio.ErrBufferFull); part, err = l.r.ReadSlice('\n') {
		tooLong = tooLong || len(l.long)+len(part) > maxLine
		if !tooLong {
			l.long = append(l.long, part...)
			continue
		}
		skipped += len(part)
		if skipped > bounds.MaxSkipped {
			return nil, bounds.Endless(what)
		}
	}
	switch {
	case tooLong && (err == nil || err == io.EOF):
		return l.long, errTooLong
	case err != nil && err != io.EOF:
		return nil, err
	case len(l.long) > 0:
		l.long = append(l.long, part...)
		part = l.long
	}
	return bytes.TrimSuffix(bytes.TrimSuffix(part, []byte("\n")), []byte("\r")), err
}

// again makes next return the latest line again.
func (l *lines) again() { l.unread = true }

func blank(line []byte) bool { return len(bytes.TrimSpace(line)) == 0 }

func isComment(line []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(line), []byte("#")) }
