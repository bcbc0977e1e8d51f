package serve

import (
	"container/list"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"
)

// conns is a listener that bounds the number of open connections. If there are too many,
// one is closed. The first kind that exists is chosen:
//
//   - of the client with the most waiting connections, the one that has waited longest.
//     A connection waits if it is idle or if a request is arriving on it. Connections on
//     which a request is arriving are exempt for the time that headers may take, unless
//     the client has more than its share: otherwise a request that arrives at usual
//     speed would be lost, because connections of slow clients rarely wait;
//   - of the client with the most requests that are being answered, if it has more than
//     its share, the one that has been answered for longest: a client that reads slowly,
//     or whose requests wait for slow sites, cannot keep others out;
//   - the connection of a trusted proxy that has waited longest for a request. It is the
//     last choice, because a proxy might be about to send a request, which would be lost.
//
// If there is none of these, the new connection is closed.
type conns struct {
	net.Listener
	config  *Config
	trusted func(netip.Addr) bool
	refused func() // counts connections that were closed

	mu     sync.Mutex
	last   []net.Conn // accepted by finish
	fresh  int        // connections whose first request has not arrived
	open   int        // connections
	homes  *budget    // connections by client, without trusted proxies' connections
	groups map[netip.Addr]*group
}

// group contains the connections of a client, by state, the oldest in its state first.
// The group of the zero address contains the connections of trusted proxies between
// requests; during a request, they are in the group of the request's client.
type group [states]list.List

type state int

const (
	arriving  state = iota // it is new, or a request has begun and not arrived
	idle                   // it waits for another request
	answering              // a request has arrived
	states
)

func (g *group) len() int { return g[arriving].Len() + g[idle].Len() + g[answering].Len() }

type conn struct {
	net.Conn
	of   *conns
	held loan // of homes, for the client of the peer: the zero Addr for a trusted proxy

	// The following fields are guarded by the lock of conns.
	in    netip.Addr    // the group
	state state         // in which list of the group
	since time.Time     // of the state
	place *list.Element // in that list; nil after the end
	fresh bool          // its first request has not arrived
}

func newConns(l net.Listener, c *Config, trusted func(netip.Addr) bool, refused func()) *conns {
	homes := newBudget(int64(c.MaxConns), int64(c.ClientConns), c.isPublic(), noRequest)
	// The new connection is counted before another one is closed for it.
	homes.limit = int64(c.MaxConns) + 1
	homes.lends = true
	return &conns{Listener: l, config: c, trusted: trusted, refused: refused, homes: homes,
		groups: make(map[netip.Addr]*group)}
}

// Accept returns the next connection that may stay.
func (l *conns) Accept() (net.Conn, error) {
	for {
		accepted, err := l.accept()
		if err != nil {
			return nil, err
		}
		c := &conn{Conn: accepted, of: l, held: l.homes.lend(netip.Addr{})}
		// Trust depends on the peer's own address, not on the client, which is a whole
		// network in IPv6.
		if ip := addrOf(accepted.RemoteAddr().String()); !l.trusted(ip) {
			c.held.client = clientOf(ip)
		}
		boundBuffers(accepted)
		victim := l.admit(c)
		if victim != nil {
			l.refused()
			_ = victim.Conn.Close()
		}
		if victim != c {
			return c, nil
		}
	}
}

// admit counts a new connection. It returns the connection to close for it, which can be
// the new one, or nil.
func (l *conns) admit(c *conn) (victim *conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c.held.client.IsValid() && c.held.take(1) != nil {
		return c
	}
	if l.open >= l.config.MaxConns {
		victim = l.victim()
		if victim == nil {
			c.held.end()
			return c
		}
		l.leave(victim)
	}
	l.fresh++
	c.fresh = true
	l.open++
	l.enter(c, c.held.client, arriving)
	return victim
}

// victim returns the connection to close for another one, nil if there is none. The
// caller holds the lock.
func (l *conns) victim() *conn {
	share := l.config.MaxConns / (len(l.groups) + 1)
	now := time.Now()
	most, slow := 0, 0
	var waiting, slowest *conn
	for client, g := range l.groups {
		if c := front(&g[answering]); c != nil && isNext(g[answering].Len(), c, slow, slowest) {
			slow, slowest = g[answering].Len(), c
		}
		if !client.IsValid() {
			continue
		}
		n := g[arriving].Len() + g[idle].Len()
		if c := l.waiting(g, share, now); c != nil && isNext(n, c, most, waiting) {
			most, waiting = n, c
		}
	}
	switch {
	case waiting != nil:
		return waiting
	case slow > max(share, fewRequests):
		return slowest
	}
	if proxies := l.groups[netip.Addr{}]; proxies != nil {
		return l.waiting(proxies, proxies.len(), now)
	}
	return nil
}

// isNext reports whether connection c of a client with n connections is closed before
// connection before of a client with most.
func isNext(n int, c *conn, most int, before *conn) bool {
	return n > most || n == most && before != nil && c.since.Before(before.since)
}

// waiting returns the waiting connection of a client that is closed first, nil if there
// is none.
func (l *conns) waiting(g *group, share int, now time.Time) *conn {
	if c := front(&g[idle]); c != nil {
		return c
	}
	if c := front(&g[arriving]); c != nil && (g.len() > share || now.Sub(c.since) > l.config.HeaderTimeout) {
		return c
	}
	return nil
}

func front(of *list.List) *conn {
	if first := of.Front(); first != nil {
		return first.Value.(*conn)
	}
	return nil
}

// fewRequests is the number of a client's requests that are always answered completely.
const fewRequests = 4

// enter puts a connection into a group. The caller holds the lock.
func (l *conns) enter(c *conn, client netip.Addr, to state) {
	g := l.groups[client]
	if g == nil {
		g = new(group)
		l.groups[client] = g
	}
	c.in = client
	c.state = to
	c.since = time.Now()
	c.place = g[to].PushBack(c)
}

// exit takes a connection out of its group. The caller holds the lock.
func (l *conns) exit(c *conn) {
	g := l.groups[c.in]
	g[c.state].Remove(c.place)
	c.place = nil
	if g.len() == 0 {
		delete(l.groups, c.in)
	}
}

// leave forgets a connection. The caller holds the lock.
func (l *conns) leave(c *conn) {
	c.begin()
	if c.place != nil {
		l.exit(c)
		l.open--
		c.held.end()
	}
}

func (c *conn) Close() error {
	c.of.mu.Lock()
	c.of.leave(c)
	c.of.mu.Unlock()
	return c.Conn.Close()
}

// CloseWrite ends the response. net/http calls it before it closes a connection on which
// a body is arriving, so that the client can read the answer.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}

func (c *conn) move(client netip.Addr, to state) {
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	if c.place != nil && (c.in != client || c.state != to) {
		c.of.exit(c)
		c.of.enter(c, client, to)
	}
}

type connKey struct{}

func connState(accepted net.Conn, state http.ConnState) {
	c, ok := accepted.(*conn)
	switch {
	case ok && state == http.StateIdle:
		c.move(c.held.client, idle)
	case ok && state == http.StateActive: // the first byte of a request
		c.move(c.held.client, arriving)
	}
}

func connOf(c *call) *conn {
	found, _ := c.r.Context().Value(connKey{}).(*conn)
	return found
}

// mark counts the connection of a request for its client: the request is arriving, or has
// arrived and is being answered.
func mark(c *call, s state) {
	if conn := connOf(c); conn != nil {
		conn.move(c.client, s)
	}
}

// boundBuffers limits the kernel's buffers of a connection. Without a limit, the kernel
// keeps up to 6 MB that have arrived and 4 MB that the client has not read. These buffers
// count towards the memory of the systemd unit, and many connections could fill them at
// once. The kernel doubles the given sizes; they suffice for 2.5 MB per second to a
// client that is 50 ms away.
func boundBuffers(c net.Conn) {
	if tcp, ok := c.(*net.TCPConn); ok {
		_ = tcp.SetReadBuffer(kernelBuffer) // larger buffers have no other effect
		_ = tcp.SetWriteBuffer(kernelBuffer)
	}
}

const kernelBuffer = 128 << 10

// allowArrived enlarges the receive buffer of a stream, whose client sends while it reads
// answers: enough for 200,000 URLs per second from a client that is 50 ms away.
func allowArrived(c *call) {
	if conn := connOf(c); conn != nil {
		if tcp, ok := conn.Conn.(*net.TCPConn); ok {
			_ = tcp.SetReadBuffer(streamArrived) // a larger buffer has no other effect
		}
	}
}

const streamArrived = 512 << 10
