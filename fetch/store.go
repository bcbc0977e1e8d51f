package fetch

import (
	"context"
	"errors"
	"time"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/origin"
)

const (
	// keepStale is for how long a store keeps a file that nobody refreshed.
	keepStale = 90 * day

	// maxStoreCalls bounds the calls of the store that are under way. One that
	// does not mind its context is left behind, and those must not pile up.
	maxStoreCalls = 1024
)

// hasStore reports whether there is a store to use.
func (c *Client) hasStore() bool { return c.config.Store != nil && !c.config.NoCache }

// load returns what the store knows about o, nil if nothing that can be used.
// sound is false if the store may hold an answer all the same.
func (c *Client) load(o origin.Origin, now time.Time) (s *state, sound bool) {
	if !c.hasStore() {
		return nil, true
	}
	entry, err := callStore(c, func(ctx context.Context) (cache.Entry, error) {
		return c.config.Store.Get(ctx, o.String())
	})
	if err != nil {
		if errors.Is(err, cache.ErrNotFound) {
			return nil, true
		}
		c.storeTrouble(o, err)
		return nil, false
	}
	s, err = readRecord(entry.Data, o, now)
	if err != nil {
		c.storeTrouble(o, err)
		if entry.FetchedAt.After(now) {
			c.drop(o) // it would keep all others out
		}
		return nil, !errors.Is(err, errOtherVersion)
	}
	s.parse(c.config.Dialect)
	c.observe(Event{Kind: EventStoreHit, Origin: o})
	return s, true
}

// save gives s to the store, unless its body is gone: others are better off
// with an older record than with one that lacks the copy.
func (c *Client) save(s *state) {
	if !c.hasStore() || s.settled != nil && !s.settled.valid() {
		return
	}
	data, err := s.record()
	if err == nil {
		_, err = callStore(c, func(ctx context.Context) (bool, error) {
			return c.config.Store.PutIfNewer(ctx, s.origin.String(), cache.Entry{FetchedAt: s.checkedAt, Expires: s.checkedAt.Add(keepStale), Data: data})
		})
	}
	if err != nil {
		c.storeTrouble(s.origin, err)
	}
}

// drop removes what the store has about o.
func (c *Client) drop(o origin.Origin) {
	_, err := callStore(c, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, c.config.Store.Delete(ctx, o.String())
	})
	if err != nil {
		c.storeTrouble(o, err)
	}
}

// storeTrouble says that the store could not be used, which nobody else learns:
// it costs a fetch.
func (c *Client) storeTrouble(o origin.Origin, err error) {
	c.observe(Event{Kind: EventStoreError, Origin: o, Err: err})
	c.config.Logger.Info("the store is of no use", "origin", o.String(), "error", err)
}

// callStore calls the store, and waits for Config.StoreTimeout at most, even if
// the store does not.
func callStore[T any](c *Client, call func(context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeout(c.background, c.config.StoreTimeout)
	defer cancel()
	type reply struct {
		value T
		err   error
	}
	replies := make(chan reply, 1)
	select {
	case c.storeCalls <- struct{}{}:
	case <-ctx.Done():
		return reply{}.value, ctx.Err()
	}
	go func() {
		defer func() { <-c.storeCalls }()
		value, err := call(ctx)
		replies <- reply{value, err}
	}()
	select {
	case r := <-replies:
		return r.value, r.err
	case <-ctx.Done():
		return reply{}.value, ctx.Err()
	}
}
