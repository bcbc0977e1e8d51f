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
// plus one leasePoll at most. Waiting processes poll, because a store can report
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

// acquireLease waits for the right to fetch, or until another process has stored an answer,
// which is then known. It waits at most Limits.Timeout and then proceeds without a lease:
// leases save fetches, but correct answers do not depend on them.
func (f *flight) acquireLease() {
	c := f.client
	leaser, ok := c.config.Store.(cache.Leaser)
	if !ok || !c.hasStore() {
		return
	}
	ctx, cancel := context.WithTimeout(c.background, c.config.Limits.Timeout)
	defer cancel()
	var remaining time.Duration // of the lease of another process, as the store reports it
	giveUp := time.Now().Add(leaseTime + leasePoll)
	for wait := firstPoll; ; wait = min(2*wait, leasePoll) {
		lease, err := callStore(c, storeWrite, f.origin, func(ctx context.Context) (cache.Lease, error) {
			return leaser.Acquire(ctx, f.origin.String(), leaseTime)
		})
		if err == nil {
			f.lease = c.renewUntilEnd(f.origin, lease)
			f.recall() // the previous holder could have stored its answer a moment ago
			return
		}
		if !errors.Is(err, cache.ErrLeased) {
			return
		}
		var held *cache.LeasedError
		if errors.As(err, &held) {
			if held.Remaining > remaining {
				giveUp = time.Now().Add(leaseTime + leasePoll)
			}
			remaining = held.Remaining
		}
		if time.Now().After(giveUp) {
			return
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return
		}
		f.recall()
		if f.isAnswered() {
			return
		}
	}
}

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
			if _, err := callStore(c, storeWrite, o, func(ctx context.Context) (struct{}, error) {
				return struct{}{}, lease.Renew(ctx, leaseTime)
			}); errors.Is(err, cache.ErrLeased) {
				return
			}
		}
	}()
	return originLease{c, o, lease, stop}
}

// put replaces the entry that was fetched at seen. If the lease can do both at once,
// this ends the lease.
func (l *originLease) put(c *Client, o origin.Origin, seen time.Time, e cache.Entry) (stored bool, err error) {
	both, ok := l.held.(cache.PutReleaser)
	if !ok {
		return callStore(c, storeWrite, o, func(ctx context.Context) (bool, error) {
			return c.config.Store.PutIfUnchanged(ctx, o.String(), seen, e)
		})
	}
	stored, err = callStore(c, storeWrite, o,
		func(ctx context.Context) (bool, error) { return both.PutAndRelease(ctx, seen, e) })
	if err == nil {
		l.stop()
		*l = originLease{}
	}
	return stored, err
}

func (l *originLease) end() {
	if l.held == nil {
		return
	}
	l.stop()
	// This is done even after Close, which ends the fetch: other processes must not wait
	// until the lease ends.
	ctx := context.WithoutCancel(l.client.background)
	_, _ = callStoreIn(ctx, l.client, storeWrite, l.origin, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, l.held.Release(ctx)
	})
}
