package valkey

import (
	"errors"
	"io"
	"net"
	"testing"
)

// A connection that is opened while the store is closed does not stay open.
func TestConnectionsClose(t *testing.T) {
	server, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	var set connections
	var conns []net.Conn
	for range 3 {
		conn, err := set.dial(t.Context(), server.Addr().String(), &net.Dialer{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		conns = append(conns, conn)
	}
	if err := conns[0].Close(); err != nil {
		t.Error(err)
	}
	if len(set.open) != 2 {
		t.Errorf("%d connections are open, want 2", len(set.open))
	}
	set.close()
	for _, conn := range conns[1:] {
		if _, err := conn.Read(make([]byte, 1)); err == nil || err == io.EOF {
			t.Errorf("a connection is open after close: %v", err)
		}
	}
	if _, err := set.dial(t.Context(), server.Addr().String(), &net.Dialer{}, nil); !errors.Is(err, errClosed) {
		t.Errorf("dial after close: %v", err)
	}
}
