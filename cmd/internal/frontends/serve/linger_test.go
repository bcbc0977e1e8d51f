package serve_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/frontends/serve"
)

// TestTooLargeIsRead: a client that sends all of a body that is too large, and reads only
// then, gets the answer.
func TestTooLargeIsRead(t *testing.T) {
	t.Parallel()
	s := start(t, nil, func(c *serve.Config) { c.MaxRequestBytes = 16 << 20 })
	const size = 40 << 20 // more than the buffers of both systems have
	part := strings.Repeat("x", 64<<10)
	for _, test := range []struct{ name, header, mediaType string }{
		{"Content-Length", fmt.Sprintf("Content-Length: %d", size), "application/json"},
		{"chunked", "Transfer-Encoding: chunked", "application/json"},
		{"the first line of a stream", "Transfer-Encoding: chunked", "application/x-ndjson"},
	} {
		conn := s.dial(t)
		head := "POST /v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Type: " + test.mediaType + "\r\n" + test.header + "\r\n\r\n"
		_, err := io.WriteString(conn, head)
		chunked := strings.HasPrefix(test.header, "T")
		for sent := 0; sent < size && err == nil; sent += len(part) {
			if chunked {
				_, err = fmt.Fprintf(conn, "%x\r\n%s\r\n", len(part), part)
			} else {
				_, err = io.WriteString(conn, part)
			}
		}
		if err == nil && chunked {
			_, err = io.WriteString(conn, "0\r\n\r\n")
		}
		if err != nil {
			t.Errorf("%s: the body cannot be sent: %v", test.name, err)
			continue
		}
		text := bufio.NewReader(conn)
		response, body := readAnswer(t, text)
		if response.StatusCode != http.StatusRequestEntityTooLarge || !strings.Contains(body, `"code":"request-bytes"`) || !response.Close {
			t.Errorf("%s: %d %s", test.name, response.StatusCode, body)
		}
		if _, err := text.ReadByte(); err != io.EOF {
			t.Errorf("%s: after the answer: %v, want the end of the connection", test.name, err)
		}
	}
}

// TestTooLargeIsBounded: the service does not read a refused body for ever. It ends its side
// of the connection first, so that a client that reads while it sends gets the answer.
func TestTooLargeIsBounded(t *testing.T) {
	t.Parallel()
	s := start(t, nil, func(c *serve.Config) { c.MaxRequestBytes = 64 << 10 })
	conn := s.dial(t)
	if _, err := io.WriteString(conn, "POST /v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000000000\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	ended := make(chan int64)
	go func() {
		n, _ := io.Copy(conn, io.LimitReader(zeros{}, 1e9))
		ended <- n
	}()
	if response, body := readAnswer(t, bufio.NewReader(conn)); response.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("%d %s", response.StatusCode, body)
	}
	if n := <-ended; n >= 1e9 {
		t.Errorf("%d bytes of a refused body were sent", n)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }
