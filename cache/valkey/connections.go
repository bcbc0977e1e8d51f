package valkey

import (
	"context"
	"crypto/tls"
	"net"
	"sync"
)

// connections are the open connections of a store. If valkey-go is closed while it
// opens a connection, it loses that connection (v1.0.79, mux.Close against
// mux._pipe), so the store closes the connections that are left.
type connections struct {
	mu     sync.Mutex
	open   map[*checkedConn]struct{}
	closed bool
}

// dial opens a connection of the set. It returns errClosed after close.
func (s *connections) dial(ctx context.Context, address string, dialer *net.Dialer,
	config *tls.Config) (net.Conn, error) {
	var dialing interface {
		DialContext(ctx context.Context, network, address string) (net.Conn, error)
	} = dialer
	if config != nil {
		dialing = &tls.Dialer{NetDialer: dialer, Config: config}
	}
	conn, err := dialing.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		conn.Close()
		return nil, errClosed
	}
	if s.open == nil {
		s.open = make(map[*checkedConn]struct{})
	}
	checked := &checkedConn{Conn: conn, set: s}
	s.open[checked] = struct{}{}
	return checked, nil
}

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
