package fetch

import (
	"context"
	"crypto/x509"
	"errors"
	"net"
	"net/http/httptrace"
	"slices"
	"sync/atomic"
	"syscall"
	"time"
)

// Local trouble is a failed attempt whose cause is this machine or its network: no
// free descriptor, no route, no resolver. It says nothing about the site, so it is
// not stored, begins no outage, and changes neither a copy nor an earlier fault.
// The client only remembers in memory when to try again.

const kindLocal = "local"

// The wait for the next attempt after local trouble is short at first, because such
// trouble often ends quickly. It doubles from localWait to lastLocalWait, because an
// attempt with a silent resolver takes all of Limits.Timeout. It stays short compared
// with that after faults: the attempts burden no site, and this machine should
// recover soon after its network. See also retryShare.
const (
	localWait     = 5 * time.Second
	lastLocalWait = 5 * time.Minute
)

func (s *state) afterLocal(a attempt, now time.Time) *state {
	f := s.newFault(a, now, s.trouble)
	f.NextTry = now.Add(doubled(localWait, lastLocalWait, f.Tries))
	next := s.clone()
	next.trouble = f
	return next
}

// keepUnlessNewer puts s into memory unless the state there is newer. Memory can contain
// the attempt of s already.
func (c *Client) keepUnlessNewer(s *state) {
	c.replace(s.origin, func(old *state) *state {
		if old != nil && old.checkedAt.After(s.checkedAt) {
			return nil
		}
		return s
	})
}

// isLocal reports whether err certainly has its cause on this machine or in its
// network. A timeout of the resolver is local: this machine's own resolver did not
// answer, because if the name servers of the site are silent, it answers with an error.
// Errors of connection attempts that a distant router can cause are local only if this
// machine has no route; try decides about the others.
func isLocal(err error) bool {
	var dns *net.DNSError
	switch {
	case errors.Is(err, errNoResolver), errors.As(err, new(*busyError)), errors.As(err, new(*notRequestedError)),
		isProxyTrouble(err): // even if the name of the proxy is unknown
		return true
	case errors.As(err, &dns):
		return isResolverTrouble(dns)
	case errors.As(err, new(x509.SystemRootsError)), isAnyOf(err, localErrors):
		return true
	case isAnyOf(err, routeErrors):
		op := dialError(err)
		return op != nil && !hasRoute(op.Addr)
	}
	return false
}

func isAnyOf(err error, targets []error) bool {
	return slices.ContainsFunc(targets, func(target error) bool { return errors.Is(err, target) })
}

func dialError(err error) *net.OpError {
	var op *net.OpError
	if errors.As(err, &op) && op.Op == "dial" {
		return op
	}
	return nil
}

// reachedLately is how recently a site must have answered to show that the network of
// this machine works.
const reachedLately = 10 * time.Second

func (c *Client) noteReached() { c.reached.Store(time.Now().UnixNano()) }

// isOnline reports whether a site has answered lately. If none has, an error that a
// router has sent says nothing about the site: the router can belong to this
// machine's network.
func (c *Client) isOnline() bool {
	return time.Since(time.Unix(0, c.reached.Load())) <= reachedLately
}

// isResolverTrouble reports whether a name could not be resolved because the
// resolver did not answer. A server failure is an answer: it usually means that the
// name servers of the site are broken.
func isResolverTrouble(err *net.DNSError) bool {
	const serverFailure = "server misbehaving" // as package net words it
	return !err.IsNotFound && (err.IsTimeout || err.IsTemporary && err.Err != serverFailure)
}

// errNoResolver is the error of a fetch whose time ended while it waited for the
// resolver. net/http reports only that the time ended.
var errNoResolver = errors.New("this machine's resolver does not respond")

func isResolving(err error) bool {
	return errors.Is(err, errNoResolver) || errors.As(err, new(*net.DNSError))
}

// watchResolver returns a context that records whether a lookup of a name is under
// way. A lookup that ended with the context is treated as under way.
func watchResolver(ctx context.Context) (context.Context, *atomic.Bool) {
	resolving := new(atomic.Bool)
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		DNSStart: func(httptrace.DNSStartInfo) { resolving.Store(true) },
		DNSDone: func(done httptrace.DNSDoneInfo) {
			if done.Err == nil || ctx.Err() == nil {
				resolving.Store(false)
			}
		},
	}), resolving
}

// hasRoute reports whether this machine has a route to addr. The error of the connection
// attempt does not tell: the system reports the same code if it has no route and if a
// router on the way sends an ICMP message. Connecting a UDP socket looks up the route
// and sends nothing.
func hasRoute(addr net.Addr) bool {
	if addr == nil {
		return true
	}
	if tcp, ok := addr.(*net.TCPAddr); ok && (tcp.IP.IsMulticast() || tcp.IP.Equal(net.IPv4bcast)) {
		return false // only UDP has one
	}
	conn, err := net.Dial("udp", addr.String())
	if err != nil {
		return !errors.As(err, new(syscall.Errno))
	}
	_ = conn.Close() // nothing was sent
	return true
}
