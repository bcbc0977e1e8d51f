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

// slowQuestions keeps a stream open with a short question each 8 s.
func slowQuestions(a *attacker) error { return a.questions(8*time.Second, 1<<20) }

// shortStream asks ten times.
func shortStream(a *attacker) error { return a.questions(time.Second, 10) }

// questions sends a stream of short questions.
func (a *attacker) questions(every time.Duration, count int) error {
	go func() { _ = readAll(a.conn) }() // ends with the connection
	_, err := fmt.Fprintf(a.conn, post+"%sTransfer-Encoding: chunked\r\n\r\n%s", "check", "application/x-ndjson", a.headers, chunk(`{"body":""}`+"\n"))
	for ; err == nil && count > 0; count-- {
		_, err = io.WriteString(a.conn, chunk("\"/\"\n"))
		time.Sleep(every)
	}
	return err
}

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
