//go:build unix

package fetch_test

import (
	"net"
	"syscall"
	"testing"
	"time"
)

// fullServer listens, but its queue is full of connections that are never
// accepted. A dial is neither answered nor refused.
func fullServer(t testing.TB) (address string) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ln.Close() })
	raw, err := ln.(*net.TCPListener).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	// Listening again shortens the queue.
	if err := raw.Control(func(fd uintptr) { err = syscall.Listen(int(fd), 0) }); err != nil {
		t.Fatal(err)
	}
	for range 8 {
		conn, err := net.DialTimeout("tcp", ln.Addr().String(), 50*time.Millisecond)
		if err != nil {
			return ln.Addr().String()
		}
		t.Cleanup(func() { conn.Close() })
	}
	t.Skip("this system queues more connections than the backlog allows")
	return ""
}
