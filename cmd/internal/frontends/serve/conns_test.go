package serve_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/frontends/serve"
)

// from is a listener whose connections come from an address.
type from struct {
	net.Listener
	addr net.Addr
}

type connFrom struct {
	net.Conn
	addr net.Addr
}

func (c connFrom) RemoteAddr() net.Addr { return c.addr }

func (l from) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return connFrom{c, l.addr}, nil
}

// TestProxyConnections: the connections of a trusted proxy are those of many clients. In
// IPv6 its neighbours in the network are not trusted.
func TestProxyConnections(t *testing.T) {
	for peer, want := range map[string]int{"2001:db8::5": 6, "2001:db8::6": 3, "192.0.2.5": 6, "192.0.2.6": 3} {
		s, err := serve.New(serve.Config{
			Admin: serve.NoAdmin, UserAgent: "TestBot (+https://shop.example)", ClientConns: 3,
			TrustedProxies: []netip.Prefix{netip.MustParsePrefix("2001:db8::5/128"), netip.MustParsePrefix("192.0.2.5/32")},
		})
		if err != nil {
			t.Fatal(err)
		}
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		at := &net.TCPAddr{IP: net.ParseIP(peer), Port: 4711}
		go func() { ended <- s.Serve(ctx, serve.Listeners{Service: from{l, at}}) }()
		answered := 0
		for range 6 {
			conn, err := net.Dial("tcp", l.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			io.WriteString(conn, "GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n")
			conn.SetReadDeadline(time.Now().Add(serve.Patience))
			if _, err := bufio.NewReader(conn).ReadString('\n'); err == nil {
				answered++
			}
		}
		if answered != want {
			t.Errorf("%s: %d of 6 connections were answered, want %d", peer, answered, want)
		}
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}
