package fetch

import (
	"context"
	"errors"
	"time"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/origin"
)

// Where a fleet shares a store that leases, one process asks a site and the
// others wait for what it stores. A lease is short and renewed, so that a holder
// that dies holds up the rest for leaseTime and one leasePoll at most; who waits
// goes by a clock of its own, since a store may tell of an expiry minutes late.
const (
	leaseTime = 5 * time.Second
	leasePoll = 50 * time.Millisecond // the longest wait between two looks
	firstPoll = 5 * time.Millisecond  // most fetches take little longer
)

// turn is the right to ask a site. Its zero value is that of a process which
// shares nothing, or whose store is in trouble.
type turn struct {
	client *Client
	origin origin.Origin
	lease  cache.Lease
	stop   context.CancelFunc // ends the renewal
}

// takeTurn waits for the right to ask o, unless answered, which looks again,
// reports that there is an answer meanwhile. Nobody waits longer than a fetch
// may take: a lease saves fetches, it is not needed for a right answer.
func (c *Client) takeTurn(o origin.Origin, answered func() bool) (t turn, done bool) {
	leaser, ok := c.config.Store.(cache.Leaser)
	if !ok || !c.hasStore() {
		return turn{}, false
	}
	patience := time.NewTimer(c.config.Timeout)
	defer patience.Stop()
	for wait := firstPoll; ; wait = min(2*wait, leasePoll) {
		lease, err := callStore(c, func(ctx context.Context) (cache.Lease, error) {
			return leaser.Acquire(ctx, o.String(), leaseTime)
		})
		if err == nil {
			// The holder before may have been done just now.
			if t = c.hold(o, lease); answered() {
				t.end()
				return turn{}, true
			}
			return t, false
		}
		if !errors.Is(err, cache.ErrLeased) {
			c.storeTrouble(o, err)
			return turn{}, false
		}
		select {
		case <-time.After(wait):
		case <-patience.C:
			return turn{}, false
		case <-c.background.Done():
			return turn{}, false
		}
		if answered() {
			return turn{}, true
		}
	}
}

// hold renews a lease until the turn ends.
func (c *Client) hold(o origin.Origin, lease cache.Lease) turn {
	ctx, stop := context.WithCancel(c.background)
	go func() {
		ticker := time.NewTicker(leaseTime / 3)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
			// A lease that was lost is somebody's by now; to fetch beside them
			// costs one fetch.
			if _, err := callStore(c, func(ctx context.Context) (struct{}, error) {
				return struct{}{}, lease.Renew(ctx, leaseTime)
			}); errors.Is(err, cache.ErrLeased) {
				return
			}
		}
	}()
	return turn{c, o, lease, stop}
}

// end gives the turn back.
func (t turn) end() {
	if t.lease == nil {
		return
	}
	t.stop()
	_, err := callStore(t.client, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, t.lease.Release(ctx)
	})
	if err != nil {
		t.client.storeTrouble(t.origin, err)
	}
}
