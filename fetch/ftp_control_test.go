package fetch

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net"
	"net/textproto"
	"testing"
	"time"
)

// said is a connection whose server has already sent everything.
type said struct {
	net.Conn
	io.Reader
}

func (s said) Read(p []byte) (int, error)      { return s.Reader.Read(p) }
func (s said) SetReadDeadline(time.Time) error { return nil }

// FuzzControl checks that the library receives only single lines with a code,
// within the budget, and that the last code is recorded.
func FuzzControl(f *testing.F) {
	for _, s := range []string{"220 a\r\n", "220\n", "220-a\r\n220 b\r\n", "220-a\n 220 b\n221 c\n220 d\n", "22", "HTTP/1.1 200 OK\r\n", "220a\r\n", "220-\r\n\r\n\r\n", "999 \xff\x00\x1b\r\n", "000 \n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		c := newControlConn(said{Reader: bytes.NewReader(b)}, time.Second)
		replies := textproto.NewReader(bufio.NewReaderSize(c, 1024))
		for n := 0; ; n++ {
			code, text, err := replies.ReadCodeLine(-1)
			if err != nil {
				if c.code >= 100 && n == 0 && !errors.Is(err, io.ErrUnexpectedEOF) {
					t.Errorf("%q: code %d, but %v", b, c.code, err)
				}
				return
			}
			if code != c.code || len(text) > controlText || n > len(b)/4 {
				t.Fatalf("%q: reply %d is %d %q, last code %d", b, n, code, text, c.code)
			}
		}
	})
}
