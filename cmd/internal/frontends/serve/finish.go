package serve

import (
	"net"
	"net/http"
	"time"
)

// http.Server.Shutdown loses requests: the system resets connections that it has
// established and that were not accepted, and net/http drops a request that has arrived
// on a new connection. A proxy that cannot connect uses another replica, but it does not
// repeat a POST that it has sent. So before Shutdown the service stops listening, accepts
// the connections that the system has established, and waits for their first requests.

// accept returns the next connection. At the end these are connections that finish has
// accepted.
func (l *conns) accept() (net.Conn, error) {
	accepted, err := l.Listener.Accept()
	if err == nil {
		return accepted, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.last) == 0 {
		return nil, err
	}
	accepted, l.last = l.last[0], l.last[1:]
	return accepted, nil
}

// finish stops listening. Accept then returns the connections that the system has
// established, and after them an error.
func (l *conns) finish() {
	l.mu.Lock() // accept waits for the result
	defer l.mu.Unlock()
	l.last = append(l.last, endListening(l.Listener)...)
	_ = l.Listener.Close() // it is an error if Serve has failed
}

// awaitRequests waits until a request has arrived on each connection, but at most for the
// time limit.
func (l *conns) awaitRequests(limit time.Duration) {
	for end := time.Now().Add(limit); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		l.mu.Lock()
		fresh := l.fresh
		l.mu.Unlock()
		if fresh == 0 {
			return
		}
	}
}

// begin records that a request of the connection has arrived. The caller holds the lock.
func (c *conn) begin() {
	if c.fresh {
		c.fresh = false
		c.of.fresh--
	}
}

func begin(r *http.Request) {
	if c, ok := r.Context().Value(connKey{}).(*conn); ok {
		c.of.mu.Lock()
		defer c.of.mu.Unlock()
		c.begin()
	}
}
