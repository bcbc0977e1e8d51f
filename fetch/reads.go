package fetch

import (
	"context"
	"sync"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/origin"
)

// Reads of a store that implements cache.ManyGetter are joined: while readsAtOnce are
// under way, further ones wait, and are then made together, in one round trip. No read
// waits only to be joined. Ahead and Prefetch, whose flights read at the same time, need
// a fraction of the round trips.
const (
	readsAtOnce = 4
	// maxKeys bounds the keys of one read. So their entries arrive within
	// Limits.StoreTimeout, and a failure makes the client fetch from few origins again.
	maxKeys = 100
)

type reads struct {
	store manyStore // nil if the store does not implement it

	mu      sync.Mutex
	running int
	waiting []*read
}

type manyStore interface {
	cache.Store
	cache.ManyGetter
}

// read is the read of one entry. entry and err are set when done is closed.
type read struct {
	ctx   context.Context
	key   string
	entry cache.Entry
	err   error
	done  chan struct{}
}

func (c *Client) readEntry(o origin.Origin) (cache.Entry, error) {
	read := c.config.Store.Get
	if c.reads.store != nil {
		read = c.reads.get
	}
	return callStore(c, storeRead, o, func(ctx context.Context) (cache.Entry, error) { return read(ctx, o.String()) })
}

func (r *reads) get(ctx context.Context, key string) (cache.Entry, error) {
	own := r.begin(ctx, key)
	if own == nil {
		e, err := r.store.Get(ctx, key)
		if batch := r.next(); batch != nil {
			go r.run(batch)
		}
		return e, err
	}
	select {
	case <-own.done:
		return own.entry, own.err
	case <-ctx.Done():
		return cache.Entry{}, ctx.Err()
	}
}

// begin returns nil if it is the caller's turn to read; the caller then calls next.
// Otherwise it returns a read that another caller will make.
func (r *reads) begin(ctx context.Context, key string) *read {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.running < readsAtOnce {
		r.running++
		return nil
	}
	own := &read{ctx: ctx, key: key, done: make(chan struct{})}
	r.waiting = append(r.waiting, own)
	return own
}

func (r *reads) run(batch []*read) {
	for ; batch != nil; batch = r.next() {
		keys := make([]string, len(batch))
		for i, one := range batch {
			keys[i] = one.key
		}
		entries, err := r.store.GetMany(batch[len(batch)-1].ctx, keys) // which ends last
		if err == nil {
			err = cache.ErrNotFound
		}
		for _, one := range batch {
			var found bool
			one.entry, found = entries[one.key]
			if !found {
				one.err = err
			}
			close(one.done)
		}
	}
}

func (r *reads) next() []*read {
	r.mu.Lock()
	defer r.mu.Unlock()
	var batch []*read
	for len(r.waiting) > 0 && len(batch) < maxKeys {
		if one := r.waiting[0]; one.ctx.Err() == nil { // otherwise its caller has given up
			batch = append(batch, one)
		}
		r.waiting[0] = nil
		r.waiting = r.waiting[1:]
	}
	if batch == nil {
		r.running-- // the caller ends
	}
	return batch
}
