package fetch

import (
	"context"
	"errors"
	"time"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/origin"
)

const (
	// keepStale is how long a store keeps an entry after its last update.
	keepStale = 90 * day

	// maxStoreCalls bounds the store calls under way. The client stops waiting
	// for a call that ignores its context, and such calls must not accumulate.
	maxStoreCalls = 1024
)

// hasStore reports whether the client uses a store.
func (c *Client) hasStore() bool { return c.config.Store != nil && !c.config.NoCache }

// load returns the state that the store contains for o, or nil if there is no
// usable one. storeRead is false if the store could not be read, so that it may
// still contain an answer.
func (c *Client) load(o origin.Origin, now time.Time) (s *state, storeRead bool) {
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
			c.drop(o) // PutIfNewer would reject every later entry
		}
		return nil, !errors.Is(err, errOtherVersion)
	}
	s.parse(c.config.Dialect)
	c.observe(Event{Kind: EventStoreHit, Origin: o})
	return s, true
}

// save writes s to the store, unless its body is no longer in memory: an older
// record with a copy is more useful than a newer one without.
func (c *Client) save(s *state) {
	if !c.hasStore() || s.lastAnswer != nil && !s.lastAnswer.valid() {
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

// drop deletes the store's entry for o.
func (c *Client) drop(o origin.Origin) {
	_, err := callStore(c, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, c.config.Store.Delete(ctx, o.String())
	})
	if err != nil {
		c.storeTrouble(o, err)
	}
}

// storeTrouble reports a failure of the store, which no method returns.
func (c *Client) storeTrouble(o origin.Origin, err error) {
	c.observe(Event{Kind: EventStoreError, Origin: o, Err: err})
	c.config.Logger.Info("the store failed; continuing without it", "origin", o.String(), "error", err)
}

// callStore calls the store and waits at most Config.StoreTimeout, even if the
// store ignores its context.
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
