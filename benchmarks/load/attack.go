package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// attack is a crowd of clients that occupy connections.
type attack struct {
	name    string
	clients int
	one     func(ctx context.Context, a *attacked) error // one connection
}

// attacked is the service under attack, and what the attackers have seen.
type attacked struct {
	address string
	opened  atomic.Int64 // connections
	open    atomic.Int64
}

const post = "POST /v1/check HTTP/1.1\r\nHost: %s\r\nContent-Type: %s\r\n"

// attacks are the ways in which clients are slow, or send too much.
var attacks = []attack{
	{"headers, a byte a second", 10_000, slowHeaders},
	{"bodies, a byte a second", 10_000, slowBody},
	{"idle connections", 10_000, idle},
	{"readers of nothing, with streams", 2_000, slowReader},
	{"streams that are read, as fast as possible", 64, busyStream},
	{"header floods", 100, headerFlood},
	{"all of these", 10_000, func(ctx context.Context, a *attacked) error {
		return []func(context.Context, *attacked) error{slowHeaders, slowBody, idle, slowReader}[rand.IntN(4)](ctx, a)
	}},
}

// slowHeaders sends headers slowly and without end.
func slowHeaders(ctx context.Context, a *attacked) error {
	return a.with(func(conn net.Conn) error {
		if _, err := fmt.Fprintf(conn, post, a.address, "application/json"); err != nil {
			return err
		}
		return drip(ctx, conn, "X-Slow: slow\r\n")
	})
}

// slowBody announces a large body and sends it slowly.
func slowBody(ctx context.Context, a *attacked) error {
	return a.with(func(conn net.Conn) error {
		if _, err := fmt.Fprintf(conn, post+"Content-Length: 4000000\r\n\r\n", a.address, "application/json"); err != nil {
			return err
		}
		return drip(ctx, conn, `{"agents":["Googlebot"]}`)
	})
}

// idle sends nothing.
func idle(ctx context.Context, a *attacked) error {
	return a.with(func(conn net.Conn) error { return drip(ctx, conn, "") })
}

// slowReader sends a stream and reads nothing.
func slowReader(ctx context.Context, a *attacked) error {
	return a.with(func(conn net.Conn) error {
		// Attackers are elsewhere: the memory that this kernel has for their sides of the
		// connections must not be what the service lacks.
		tcp := conn.(*net.TCPConn)
		if err := errors.Join(tcp.SetReadBuffer(4<<10), tcp.SetWriteBuffer(4<<10)); err != nil {
			return err
		}
		return sendStream(ctx, conn, a.address)
	})
}

// busyStream sends a stream and reads all of it.
func busyStream(ctx context.Context, a *attacked) error {
	return a.with(func(conn net.Conn) error {
		go func() { _, _ = io.Copy(io.Discard, conn) }() // ends with the connection
		return sendStream(ctx, conn, a.address)
	})
}

// sendStream sends a stream as fast as the service takes it.
func sendStream(ctx context.Context, conn net.Conn, address string) error {
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	if _, err := fmt.Fprintf(conn, post+"Transfer-Encoding: chunked\r\n\r\n", address, "application/x-ndjson"); err != nil {
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
func headerFlood(ctx context.Context, a *attacked) error {
	header := strings.Repeat("X-Flood: "+strings.Repeat("flood", 100)+"\r\n", 20)
	return a.with(func(conn net.Conn) error {
		if _, err := fmt.Fprintf(conn, post, a.address, "application/json"); err != nil {
			return err
		}
		for ctx.Err() == nil {
			if _, err := io.WriteString(conn, header); err != nil {
				return err
			}
		}
		return nil
	})
}

// with opens a connection for a while.
func (a *attacked) with(use func(net.Conn) error) error {
	conn, err := net.DialTimeout("tcp", a.address, 5*time.Second)
	if err != nil {
		return err
	}
	a.opened.Add(1)
	a.open.Add(1)
	defer a.open.Add(-1)
	defer conn.Close()
	return use(conn)
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

// rampUp is the time in which the clients of an attack connect for the first time, and
// pause how long at most one waits after the service has closed its connection.
const (
	rampUp = 3 * time.Second
	pause  = 10 * time.Second
)

// run lets the clients of an attack connect, and again whenever the service has closed
// their connection, until ctx ends.
func (k *attack) run(ctx context.Context, a *attacked) {
	var running sync.WaitGroup
	for range k.clients {
		running.Go(func() {
			for wait := rampUp; ctx.Err() == nil; wait = pause {
				select {
				case <-time.After(time.Duration(rand.Int64N(int64(wait)))):
					_ = k.one(ctx, a) // that a connection ends is what is measured
				case <-ctx.Done():
				}
			}
		})
	}
	running.Wait()
}
