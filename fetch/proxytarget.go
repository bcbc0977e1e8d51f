package fetch

import (
	"context"
	"fmt"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/kosterhq/robotstxt/internal/safedial"
	"github.com/kosterhq/robotstxt/origin"
)

// The guard checks the addresses of a target before a request through a proxy. In networks whose
// only way out is a proxy, the name servers often know internal names only, or drop the queries
// for others. There, the look-ups would take many times as long as the requests. So if the first
// names of a client have no addresses, it no longer waits for look-ups of public names: they go
// on beside the requests, and end those whose target has a refused address.

const (
	targetLookup = 2 * time.Second        // bounds the look-up of a target
	slowLookup   = 500 * time.Millisecond // a look-up that takes longer counts as failed
	briefLookup  = 25 * time.Millisecond  // the wait for a look-up after blindAfter failures
	blindAfter   = 8
)

type targetLookups struct {
	succeeded atomic.Bool // one has found addresses: the name servers know public names
	failed    atomic.Int64
}

// areBlind reports whether no look-up has succeeded, and enough have failed. A success ends it
// for good, so that strangers cannot bring it about with names that do not exist.
func (l *targetLookups) areBlind() bool {
	return !l.succeeded.Load() && l.failed.Load() >= blindAfter
}

type targetFound struct {
	resolved bool
	err      error // of the guard
}

// checkTarget returns an error if the guard refuses an address of the target. The proxy resolves
// the host again, so it must refuse such addresses as well. If the refusal comes after
// checkTarget has returned, it is the cause with which cancel is called.
func (c *Client) checkTarget(ctx context.Context, cancel context.CancelCauseFunc, target *url.URL) error {
	if c.config.Network.AllowPrivate && c.config.Network.Guard.Ports == nil {
		return nil // a lookup could refuse nothing
	}
	o, err := origin.Of(target.String())
	if err != nil || safedial.IsTrusted(ctx, o.Host(), o.Port()) {
		return err
	}
	l := &c.targets
	areBlind := l.areBlind() && isPublicName(o.Host())
	found := make(chan targetFound, 1)
	go func() {
		f := c.findTarget(ctx, o.Addr())
		if f.resolved && f.err == nil {
			l.succeeded.Store(true)
		}
		found <- f
		if f.err != nil {
			cancel(f.err)
		}
	}()
	if areBlind {
		f, _ := await(ctx, found, briefLookup)
		return f.err
	}
	f, ended := await(ctx, found, slowLookup)
	if f.err != nil || f.resolved {
		return f.err
	}
	l.failed.Add(1)
	if ended || l.areBlind() && isPublicName(o.Host()) {
		return nil
	}
	f, _ = await(ctx, found, targetLookup)
	return f.err
}

func await(ctx context.Context, found <-chan targetFound, atMost time.Duration) (_ targetFound, ended bool) {
	select {
	case f := <-found:
		return f, true
	case <-ctx.Done():
		return targetFound{err: ctx.Err()}, true
	case <-time.After(atMost):
		return targetFound{}, false
	}
}

func (c *Client) findTarget(ctx context.Context, target string) (f targetFound) {
	defer func() {
		if p := recover(); p != nil { // in Network.Resolver
			f.err = panicError{fmt.Sprint(p)}
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, targetLookup)
	defer cancel()
	f.resolved, f.err = c.dialer.CheckAll(ctx, target)
	return f
}

// isPublicName reports whether a host is a name that servers on the internet can know. The
// others are addresses, or of this machine or network, for which it is always worth waiting.
func isPublicName(host string) bool {
	host = strings.TrimSuffix(host, ".")
	if _, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return false
	}
	dot := strings.LastIndexByte(host, '.')
	return dot >= 0 && host[dot+1:] != "localhost"
}
