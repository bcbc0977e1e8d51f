package serve_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/frontends/serve"
)

// TestDrainConnections: during the delay an idle connection stays open, its next answer says
// that it ends, and it ends. A proxy that sends a POST on an idle connection gets its answer.
func TestDrainConnections(t *testing.T) {
	t.Parallel()
	s := start(t, nil, func(c *serve.Config) { c.DrainDelay = 3 * time.Second })
	conn := s.dial(t)
	text := bufio.NewReader(conn)
	exchange := func() *http.Response {
		t.Helper()
		if _, err := io.WriteString(conn, postCheck); err != nil {
			t.Fatal(err)
		}
		response, _ := readAnswer(t, text)
		if response.StatusCode != http.StatusOK {
			t.Fatalf("status %d", response.StatusCode)
		}
		return response
	}
	if exchange().Close {
		t.Error("the connection ends before the service does")
	}
	stopped := make(chan error, 1)
	go func() { stopped <- s.stop() }()
	for status := 0; status != http.StatusServiceUnavailable; {
		status, _, _ = send(t, http.MethodGet, s.admin+"/readyz", "")
	}
	if !exchange().Close {
		t.Error("the answer does not say that the connection ends")
	}
	if _, err := text.ReadByte(); err != io.EOF {
		t.Errorf("after the answer: %v, want the end of the connection", err)
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
}

// TestDrainNewConnections: a connection that is open when the service ends listening gets the
// answer to its first request.
func TestDrainNewConnections(t *testing.T) {
	t.Parallel()
	s := start(t, nil, nil)
	address := strings.TrimPrefix(s.url, "http://")
	var open []net.Conn
	for range 10 {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		open = append(open, conn)
	}
	stopped := make(chan error, 1)
	go func() { stopped <- s.stop() }()
	for {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			break
		}
		conn.Close()
	}
	for _, conn := range open {
		if _, err := io.WriteString(conn, postCheck); err != nil {
			t.Fatal(err)
		}
		response, _ := readAnswer(t, bufio.NewReader(conn))
		if response.StatusCode != http.StatusOK || !response.Close {
			t.Errorf("status %d, close %v", response.StatusCode, response.Close)
		}
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
}

// postCheck is a request as it is sent.
var postCheck = "POST /v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: " +
	strconv.Itoa(len(checkBody)) + "\r\n\r\n" + checkBody
