package valkey

import (
	"context"
	"crypto/tls"
	"net"
	"sync"
)

// connections are the open connections of a store. valkey-go loses the one that it is
// opening while it is closed (v1.0.79, mux.Close against mux._pipe), so the store
// closes what is left itself.
type connections struct {
	mu     sync.Mutex
	open   map[*keptConn]struct{}
	closed bool
}

// keptConn is a connection that leaves the set when it is closed.
type keptConn struct {
	net.Conn
	set *connections
}

func (c *keptConn) Close() error {
	c.set.mu.Lock()
	delete(c.set.open, c)
	c.set.mu.Unlock()
	return c.Conn.Close()
}

// dial opens a connection of the set. It returns errClosed after close.
func (s *connections) dial(ctx context.Context, address string, dialer *net.Dialer, config *tls.Config) (net.Conn, error) {
	conn, err := dial(ctx, address, dialer, config)
	if err != nil {
		return nil, err
	}
	kept := &keptConn{conn, s}
	s.mu.Lock()
	if !s.closed {
		if s.open == nil {
			s.open = make(map[*keptConn]struct{})
		}
		s.open[kept] = struct{}{}
	}
	closed := s.closed
	s.mu.Unlock()
	if closed {
		conn.Close()
		return nil, errClosed
	}
	return kept, nil
}

// close closes all connections, and those that are being opened.
func (s *connections) close() {
	s.mu.Lock()
	s.closed = true
	open := s.open
	s.open = nil
	s.mu.Unlock()
	for conn := range open {
		conn.Conn.Close()
	}
}
