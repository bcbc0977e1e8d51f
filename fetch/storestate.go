package fetch

import (
	"context"
	"errors"
	"time"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/origin"
)

// storeCallKind is whether a call reads the store or changes it. A full disk can be read.
type storeCallKind int

const (
	storeRead storeCallKind = iota
	storeWrite
)

type storeCall struct {
	at  time.Time
	err error // nil if the store has answered
}

func (c *Client) noteStoreCall(kind storeCallKind, o origin.Origin, err error) {
	if errors.Is(err, cache.ErrNotFound) || errors.Is(err, cache.ErrLeased) {
		err = nil
	}
	last := &storeCall{at: time.Now()}
	if !errors.Is(err, cache.ErrNewer) && !errors.Is(err, cache.ErrInvalid) { // of a store that works
		last.err = err
	}
	c.storeLast[kind].Store(last)
	if err != nil {
		c.storeTrouble(o, err)
	}
}

const storeStateAge = time.Second

// StoreErr returns why the last read and the last write of Config.Store failed, each nil if it
// succeeded. For example, a full disk can be read but not written. Both are nil without a
// store, and ErrClosed after Close.
//
// StoreErr is for health checks, which can call it as often as they like. If the last call of
// the store is older than a second, StoreErr makes a new one, which takes at most
// Limits.StoreTimeout: it reads the log of [PurgeStore], and, if the store is a
// [cache.Leaser], takes and returns a lease. If the store is not a Leaser, write is about the
// client's own writes only.
func (c *Client) StoreErr() (read, write error) {
	if err := c.usable(); err != nil {
		return err, err
	}
	if !c.hasStore() {
		return nil, nil
	}
	if c.isStoreCallDue(storeRead) {
		_, _ = callStore(c, storeRead, origin.Origin{}, func(ctx context.Context) (cache.Entry, error) {
			return c.config.Store.Get(ctx, PurgeKey)
		})
	}
	if leaser, ok := c.config.Store.(cache.Leaser); ok && c.isStoreCallDue(storeWrite) {
		_, _ = callStore(c, storeWrite, origin.Origin{}, func(ctx context.Context) (struct{}, error) {
			lease, err := leaser.Acquire(ctx, PurgeKey, storeStateAge)
			if err == nil {
				err = lease.Release(ctx)
			}
			return struct{}{}, err
		})
	}
	return c.lastStoreErr(storeRead), c.lastStoreErr(storeWrite)
}

func (c *Client) isStoreCallDue(kind storeCallKind) bool {
	last := c.storeLast[kind].Load()
	return last == nil || time.Since(last.at) >= storeStateAge
}

func (c *Client) lastStoreErr(kind storeCallKind) error {
	if last := c.storeLast[kind].Load(); last != nil {
		return last.err
	}
	return nil
}
