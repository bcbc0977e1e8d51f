package fetch

import (
	"context"
	"errors"
	"time"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/origin"
)

// If processes share a store that implements cache.Leaser, one of them fetches
// from a site and the others wait for the entry it stores. A lease is short and
// the holder renews it, so a holder that crashes delays the others by leaseTime
// plus one leasePoll at most. Waiting processes poll, because a store may report
// an expiry minutes late. They wait for longer only if they see that the holder
// renews its lease: a store must not delay them by a lease that never ends.
const (
	leaseTime = 5 * time.Second
	leasePoll = 50 * time.Millisecond // the longest wait between two polls
	firstPoll = 5 * time.Millisecond  // most fetches take little longer
)

// originLease is the lease of an origin while a flight fetches from it. The zero value
// holds none: the store does not lease, or it failed.
type originLease struct {
	client *Client
	origin origin.Origin
	held   cache.Lease
	stop   context.CancelFunc // ends the renewal
}

// acquireLease waits for the right to fetch o. It returns done if answered reports
// that another process has stored an answer. It waits at most Config.Timeout and
// then proceeds without a lease: leases save fetches, but correct answers do not
// depend on them.
func (c *Client) acquireLease(o origin.Origin, answered func() bool) (own originLease, done bool) {
	leaser, ok := c.config.Store.(cache.Leaser)
	if !ok || !c.hasStore() {
		return originLease{}, false
	}
	timeout := time.NewTimer(c.config.Timeout)
	defer timeout.Stop()
	var remaining time.Duration // of another's lease, as far as the store says
	giveUp := time.Now().Add(leaseTime + leasePoll)
	for wait := firstPoll; ; wait = min(2*wait, leasePoll) {
		lease, err := callStore(c, func(ctx context.Context) (cache.Lease, error) {
			return leaser.Acquire(ctx, o.String(), leaseTime)
		})
		if err == nil {
			// The previous holder may have stored its answer a moment ago.
			if own = c.renewUntilEnd(o, lease); answered() {
				own.end()
				return originLease{}, true
			}
			return own, false
		}
		if !errors.Is(err, cache.ErrLeased) {
			c.storeTrouble(o, err)
			return originLease{}, false
		}
		var held *cache.LeasedError
		if errors.As(err, &held) {
			if held.Remaining > remaining {
				giveUp = time.Now().Add(leaseTime + leasePoll)
			}
			remaining = held.Remaining
		}
		if time.Now().After(giveUp) {
			return originLease{}, false
		}
		select {
		case <-time.After(wait):
		case <-timeout.C:
			return originLease{}, false
		case <-c.background.Done():
			return originLease{}, false
		}
		if answered() {
			return originLease{}, true
		}
	}
}

// renewUntilEnd renews lease until its end.
func (c *Client) renewUntilEnd(o origin.Origin, lease cache.Lease) originLease {
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
			// A lost lease belongs to another process by now. Continuing without
			// it causes at most one extra fetch.
			if _, err := callStore(c, func(ctx context.Context) (struct{}, error) {
				return struct{}{}, lease.Renew(ctx, leaseTime)
			}); errors.Is(err, cache.ErrLeased) {
				return
			}
		}
	}()
	return originLease{c, o, lease, stop}
}

// put puts an entry onto the one that was fetched at seen. If the lease can do both at
// once, this ends the lease.
func (l *originLease) put(c *Client, key string, seen time.Time, e cache.Entry) (stored bool, err error) {
	both, ok := l.held.(cache.PutReleaser)
	if !ok {
		return callStore(c, func(ctx context.Context) (bool, error) {
			return c.config.Store.PutIfUnchanged(ctx, key, seen, e)
		})
	}
	stored, err = callStore(c, func(ctx context.Context) (bool, error) { return both.PutAndRelease(ctx, seen, e) })
	if err == nil {
		l.stop()
		*l = originLease{}
	}
	return stored, err
}

// end stops the renewal and releases the lease.
func (l originLease) end() {
	if l.held == nil {
		return
	}
	l.stop()
	// Also after Close, which ends the fetch: otherwise others wait for nothing.
	ctx := context.WithoutCancel(l.client.background)
	_, err := callStoreIn(ctx, l.client, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, l.held.Release(ctx)
	})
	if err != nil {
		l.client.storeTrouble(l.origin, err)
	}
}
