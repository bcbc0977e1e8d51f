package cache

import (
	"context"
	"errors"
	"time"
)

// Leaser is what a [Store] may be beside, where many processes share it: it
// lets one of them fetch while the others wait for what it will put. It saves
// fetches and nothing more. Whoever cannot get an answer from it goes on as if
// there were none.
type Leaser interface {
	// Acquire takes the lease of a key for ttl, or returns an error that wraps
	// [ErrLeased] if somebody holds it. Any other error says that the store
	// could not answer. A holder that dies holds it for ttl at most: those who
	// wait ask again by a clock of their own, and look into the store again
	// once they hold the lease, because the holder before may have been done.
	Acquire(ctx context.Context, key string, ttl time.Duration) (Lease, error)
}

// Lease is held until it is released or ttl has passed since it was acquired or
// renewed last. To lose it is harmless: PutIfNewer decides what stays.
type Lease interface {
	// Renew holds the lease for another ttl. It returns an error that wraps
	// ErrLeased if it has been lost.
	Renew(ctx context.Context, ttl time.Duration) error

	// Release gives the lease back, if it is still held. That it is not is no
	// error.
	Release(ctx context.Context) error
}

// ErrLeased says that somebody else holds a lease.
var ErrLeased = errors.New("cache: leased to another")
