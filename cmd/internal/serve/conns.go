package serve

import (
	"container/list"
	"context"
	"net"
	"net/http"
	"net/netip"
	"sync"
)

// conns is a listener that bounds the number of open connections. A connection that waits
// for the client, for a request's headers or its body, is closed if there are too many and
// it has waited longest: so slow clients can occupy all connections, but cannot keep others
// out. A connection whose request is being answered is not closed.
type conns struct {
	net.Listener
	max       int
	perClient int                   // 0 or less for no limit
	trusted   func(netip.Addr) bool // addresses without that limit
	refused   func()                // counts connections that were closed

	mu      sync.Mutex
	open    int
	clients map[netip.Addr]int // open connections; only with a limit
	waiting *list.List         // of *conn, the one that has waited longest first
}

// conn is an accepted connection.
type conn struct {
	net.Conn
	of     *conns
	client netip.Addr
	// trusted is whether the peer is a trusted proxy. Its address decides, not its client,
	// which is a whole network in IPv6.
	trusted bool
	place   *list.Element // in waiting; nil while its request is being answered
	closed  bool
}

func newConns(l net.Listener, c *Config, trusted func(netip.Addr) bool, refused func()) *conns {
	return &conns{Listener: l, max: c.MaxConns, perClient: c.ClientConns, trusted: trusted, refused: refused, clients: make(map[netip.Addr]int), waiting: list.New()}
}

// Accept returns the next connection that may stay.
func (l *conns) Accept() (net.Conn, error) {
	for {
		accepted, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		ip := addrOf(accepted.RemoteAddr().String())
		c := &conn{Conn: accepted, of: l, client: clientOf(ip), trusted: l.trusted(ip)}
		victim := l.admit(c)
		if victim != nil {
			l.refused()
			_ = victim.Close()
		}
		if victim != c {
			return c, nil
		}
	}
}

// admit counts a connection. It returns the connection to close instead, which may be the
// same one, and nil for none.
func (l *conns) admit(c *conn) (victim *conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	limited := l.perClient > 0 && !c.trusted
	if limited && l.clients[c.client] >= l.perClient {
		c.closed = true
		defer c.Conn.Close()
		return c
	}
	if l.open >= l.max {
		oldest := l.waiting.Front()
		if oldest == nil {
			c.closed = true
			defer c.Conn.Close()
			return c
		}
		victim = oldest.Value.(*conn)
		l.leave(victim)
	}
	l.open++
	if l.perClient > 0 {
		l.clients[c.client]++
	}
	c.place = l.waiting.PushBack(c)
	return victim
}

// leave forgets a connection. The caller holds the lock.
func (l *conns) leave(c *conn) {
	if c.closed {
		return
	}
	c.closed = true
	l.open--
	if l.perClient > 0 {
		if l.clients[c.client]--; l.clients[c.client] == 0 {
			delete(l.clients, c.client)
		}
	}
	if c.place != nil {
		l.waiting.Remove(c.place)
		c.place = nil
	}
}

// Close closes the connection.
func (c *conn) Close() error {
	c.of.mu.Lock()
	c.of.leave(c)
	c.of.mu.Unlock()
	return c.Conn.Close()
}

// hold marks a connection whose request has arrived and is being answered.
func (c *conn) hold() {
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	if c.place != nil {
		c.of.waiting.Remove(c.place)
		c.place = nil
	}
}

// wait marks a connection that waits for its next request.
func (c *conn) wait() {
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	if c.place == nil && !c.closed {
		c.place = c.of.waiting.PushBack(c)
	}
}

// connKey is the key of the connection in the context of its requests.
type connKey struct{}

// withConn is the ConnContext of a server.
func withConn(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}

// connState is the ConnState of a server.
func connState(c net.Conn, state http.ConnState) {
	if c, ok := c.(*conn); ok && state == http.StateIdle {
		c.wait()
	}
}

// hold marks the connection of a request as busy, see [conn.hold].
func hold(r *http.Request) {
	if c, ok := r.Context().Value(connKey{}).(*conn); ok {
		c.hold()
	}
}

// boundArrived limits how much of a stream the kernel keeps until it is read. Without a
// limit it keeps up to 32 MB of each, which clients could fill at once, and which are
// answered although the client has stopped.
func boundArrived(r *http.Request) {
	if c, ok := r.Context().Value(connKey{}).(*conn); ok {
		if tcp, ok := c.Conn.(*net.TCPConn); ok {
			_ = tcp.SetReadBuffer(streamArrived) // a larger buffer has no other effect
		}
	}
}

// streamArrived suffices for 200,000 URLs in a second from a client that is 50 ms away.
const streamArrived = 512 << 10
