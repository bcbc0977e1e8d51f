package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"time"
)

// slowHeaders sends headers slowly and without end.
func slowHeaders(ctx context.Context, a *attacker) error {
	return a.with(ctx, func(conn *net.TCPConn) error {
		if err := a.begin(conn, "application/json", ""); err != nil {
			return err
		}
		return drip(ctx, conn, "X-Slow: slow\r\n")
	})
}

// slowBody announces a large body and sends it slowly.
func slowBody(ctx context.Context, a *attacker) error {
	return a.with(ctx, func(conn *net.TCPConn) error {
		if err := a.begin(conn, "application/json", "Content-Length: 4000000\r\n\r\n"); err != nil {
			return err
		}
		return drip(ctx, conn, `{"agents":["Googlebot"]}`)
	})
}

// begin sends the beginning of a request.
func (a *attacker) begin(conn net.Conn, contentType, end string) error {
	_, err := fmt.Fprintf(conn, post+"%s", "check", contentType, a.headers, end)
	return err
}

// idle sends nothing.
func idle(ctx context.Context, a *attacker) error {
	return a.with(ctx, func(conn *net.TCPConn) error { return drip(ctx, conn, "") })
}

// slowReader sends a stream and reads nothing.
func slowReader(ctx context.Context, a *attacker) error {
	return a.with(ctx, func(conn *net.TCPConn) error {
		if err := small(conn); err != nil {
			return err
		}
		return a.sendStream(conn)
	})
}

// busyStream sends a stream and reads all of it.
func busyStream(ctx context.Context, a *attacker) error {
	return a.with(ctx, func(conn *net.TCPConn) error {
		go func() { _ = all(conn) }() // ends with the connection
		return a.sendStream(conn)
	})
}

// sendStream sends a stream as fast as the service takes it.
func (a *attacker) sendStream(conn net.Conn) error {
	if err := a.begin(conn, "application/x-ndjson", "Transfer-Encoding: chunked\r\n\r\n"); err != nil {
		return err
	}
	lines := strings.Repeat("\"/path\"\n", 1000)
	for text := `{"agents":["Googlebot"],"body":"User-agent: *\nDisallow: /p"}` + "\n"; ; text = lines {
		if _, err := fmt.Fprintf(conn, "%x\r\n%s\r\n", len(text), text); err != nil {
			return err
		}
	}
}

// headerFlood sends headers as fast as it can.
func headerFlood(ctx context.Context, a *attacker) error {
	header := strings.Repeat("X-Flood: "+strings.Repeat("flood", 100)+"\r\n", 20)
	return a.with(ctx, func(conn *net.TCPConn) error {
		if err := a.begin(conn, "application/json", ""); err != nil {
			return err
		}
		for {
			if _, err := io.WriteString(conn, header); err != nil {
				return err
			}
		}
	})
}

// drip sends a text again and again, a byte a second, and ends when the service has closed
// the connection.
func drip(ctx context.Context, conn net.Conn, text string) error {
	one := make([]byte, 1)
	for i := 0; ctx.Err() == nil; i++ {
		if text != "" {
			if _, err := io.WriteString(conn, text[i%len(text):i%len(text)+1]); err != nil {
				return err
			}
		}
		if err := conn.SetReadDeadline(time.Now().Add(time.Second)); err != nil {
			return err
		}
		for {
			if _, err := conn.Read(one); err != nil {
				if timeout, ok := err.(net.Error); ok && timeout.Timeout() {
					break
				}
				return err
			}
		}
	}
	return nil
}
