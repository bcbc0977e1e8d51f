package cache

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Leaser is an optional interface of a [Store] that several processes share. With
// a lease, one process fetches a file while the others wait for the entry that it
// will put. Leases only save fetches: if Acquire fails, the caller fetches without
// a lease.
type Leaser interface {
	// Acquire takes the lease of a key for ttl. If another caller has the lease, it returns an error
	// that wraps [ErrLeased], and that can be a *[LeasedError]; the caller should then call Acquire
	// again after a short wait. An invalid key, or a ttl of 0 or less, is an error that wraps
	// [ErrInvalid]. Any other error means that the store failed. After Acquire succeeds, the caller
	// should call Store.Get again, because the previous holder can have put an entry.
	Acquire(ctx context.Context, key string, ttl time.Duration) (Lease, error)
}

// Lease is valid until it is released, or until ttl has passed since it was
// acquired or last renewed. Losing it does no harm, because PutIfNewer decides
// which entry remains.
type Lease interface {
	// Renew extends the lease to ttl from now. It returns an error that wraps
	// ErrLeased if the lease has been lost.
	Renew(ctx context.Context, ttl time.Duration) error

	// Release ends the lease. It returns no error if the lease has already been
	// lost.
	Release(ctx context.Context) error
}

// PutReleaser is an optional interface that a [Lease] can implement to save a round trip.
type PutReleaser interface {
	// PutAndRelease calls Store.PutIfUnchanged for the key of the lease, and
	// then Release. Unless there is an error, the lease ends, even if e was not
	// stored.
	PutAndRelease(ctx context.Context, seen time.Time, e Entry) (stored bool, err error)
}

// ErrLeased means that another caller has the lease.
var ErrLeased = errors.New("cache: leased to another caller")

// LeasedError is an error that wraps [ErrLeased]. A store that returns it lets
// callers see whether the holder renews its lease.
type LeasedError struct {
	Remaining time.Duration // until the lease ends, if its holder does not renew it
}

// Error returns the remaining time in one line.
func (e *LeasedError) Error() string {
	return fmt.Sprintf("%v for %v more", ErrLeased, e.Remaining)
}

// Unwrap returns [ErrLeased].
func (*LeasedError) Unwrap() error { return ErrLeased }
