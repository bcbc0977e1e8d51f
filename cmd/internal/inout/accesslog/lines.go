package accesslog

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/bounds"
)

// Lines returns a log with a line for each request: the objects of a list in JSON, which can be in one
// line or in many, and other logs as they are.
func Lines(r io.Reader) io.Reader {
	text := bufio.NewReader(r)
	for n := 1; n <= 64; n++ { // a person might type the rest later
		begin, err := text.Peek(n)
		if err != nil || begin[0] != '[' {
			return text
		}
		switch begin[n-1] {
		case '{':
			bounded := &bounds.Reader{From: text, Over: errLongElement}
			return &listReader{from: json.NewDecoder(bounded), bounded: bounded}
		case '[', ' ', '\t', '\r', '\n':
		default:
			return text
		}
	}
	return text
}

// listReader reads the elements of a list as lines.
type listReader struct {
	from    *json.Decoder
	bounded *bounds.Reader
	line    bytes.Buffer
	begun   bool
}

// maxElement is the limit of bytes in an element of a list, which is in memory as a whole.
const maxElement = 64 << 20

var errLongElement = errors.New("an element of the list is over 64 MiB long")

func (l *listReader) Read(p []byte) (int, error) {
	for l.line.Len() == 0 {
		l.bounded.Left = maxElement
		if !l.begun {
			l.begun = true
			if _, err := l.from.Token(); err != nil {
				return 0, err
			}
		}
		if !l.from.More() {
			if _, err := l.from.Token(); err != nil {
				return 0, io.ErrUnexpectedEOF
			}
			return 0, io.EOF
		}
		var element json.RawMessage
		if err := l.from.Decode(&element); err != nil {
			return 0, err
		}
		if err := json.Compact(&l.line, element); err != nil {
			return 0, err
		}
		l.line.WriteByte('\n')
	}
	return l.line.Read(p)
}
