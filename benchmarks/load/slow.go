package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

var (
	// slowHeaders sends headers slowly and without end.
	slowHeaders = dripping(startOf("application/json"), "X-Slow: slow\r\n")
	// slowBody announces a large body and sends it slowly.
	slowBody = dripping(startOf("application/json")+"Content-Length: 4000000\r\n\r\n", `{"agents":["Googlebot"]}`)
	// idle sends nothing.
	idle = dripping("", "")
	// slowReader sends a stream and reads nothing.
	slowReader = flooding(streamOf(`{"agents":["Googlebot"],"body":"User-agent: *\nDisallow: /p"}`+"\n"),
		chunk(strings.Repeat("\"/path\"\n", 1000)))
	// headerFlood sends headers as fast as it can.
	headerFlood = flooding(startOf("application/json"), strings.Repeat("X-Flood: "+strings.Repeat("flood", 100)+"\r\n", 20))
)

// startOf begins a request.
func startOf(contentType string) string { return fmt.Sprintf(post, "check", contentType) }

// streamOf begins a stream with its first line.
func streamOf(line string) string {
	return startOf("application/x-ndjson") + "Transfer-Encoding: chunked\r\n\r\n" + chunk(line)
}

// chunk is a text as a chunk of HTTP/1.1.
func chunk(text string) string { return fmt.Sprintf("%x\r\n%s\r\n", len(text), text) }

// busyStream sends the same stream and reads all answers.
func busyStream(a *attacker) error {
	go func() { _ = readAll(a.conn) }() // ends with the connection
	return slowReader(a)
}

// flooding returns a client that sends a text, and then another again and again, as fast as
// the service takes it.
func flooding(first, then string) func(*attacker) error {
	return func(a *attacker) error {
		_, err := io.WriteString(a.conn, first)
		for err == nil {
			_, err = io.WriteString(a.conn, then)
		}
		return err
	}
}

// dripping returns a client that sends a text, and then another again and again, a byte a
// second. It ends when the service has closed the connection.
func dripping(first, then string) func(*attacker) error {
	return func(a *attacker) error {
		_, err := io.WriteString(a.conn, first)
		for i := 0; err == nil; i++ {
			if then != "" {
				if _, err := io.WriteString(a.conn, then[i%len(then):i%len(then)+1]); err != nil {
					return err
				}
			}
			if err := a.conn.SetReadDeadline(time.Now().Add(time.Second)); err != nil {
				return err
			}
			if err := readAll(a.conn); !errors.Is(err, os.ErrDeadlineExceeded) {
				return err
			}
		}
		return err
	}
}
