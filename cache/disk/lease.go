package disk

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/internal/sqlitefile"
)

var (
	_ cache.Leaser     = (*Store)(nil)
	_ cache.ManyGetter = (*Store)(nil)
)

// A lease from the future has expired too: the clock was set back, and the lease
// would last as long as the clock was wrong.
const (
	sqlLeased  = "SELECT until FROM leases WHERE hash = ?1 AND until > ?2 AND since <= ?2"
	sqlAcquire = `INSERT INTO leases (hash, token, since, until) VALUES (?1, ?2, ?3, ?4)
ON CONFLICT (hash) DO UPDATE SET token = excluded.token, since = excluded.since, until = excluded.until
WHERE until <= ?3 OR since > ?3`
	sqlRenew   = "UPDATE leases SET since = ?3, until = ?4 WHERE hash = ?1 AND token = ?2 AND until > ?3"
	sqlRelease = "DELETE FROM leases WHERE hash = ? AND token = ?"

	sqlDeleteEnded = "DELETE FROM leases WHERE until <= ?"
)

// lease is a row of the table leases with its own token, so that a late Release
// cannot end the lease of another caller.
type lease struct {
	store       *Store
	hash, token int64
}

// Acquire implements [cache.Leaser] for the processes that share the database. If a
// holder crashes, its lease lasts until its ttl has passed.
func (s *Store) Acquire(ctx context.Context, key string, ttl time.Duration) (cache.Lease, error) {
	if err := checkLease(ctx, key, ttl); err != nil {
		return nil, err
	}
	if s.db.ReadOnly {
		return nil, s.db.ErrReadOnly()
	}
	l := &lease{store: s, hash: hash(key), token: newToken()}
	// Waiting processes poll, and a read does not disturb those that write.
	if err := s.leased(ctx, l.hash); err != nil {
		return nil, err
	}
	n, err := s.queue.Submit(ctx, l.job(func(c *sqlitefile.Conn) (int64, error) {
		now := time.Now()
		return c.Exec(sqlAcquire, l.hash, l.token, now.UnixNano(), now.Add(ttl).UnixNano())
	}))
	switch {
	case err != nil && ctx.Err() != nil:
		// The job can still be done. Its lease would delay others until it ends.
		s.queue.SubmitLater(l.job(l.remove))
		return nil, err
	case err != nil:
		return nil, err
	case n == 0:
		if err := s.leased(ctx, l.hash); err != nil {
			return nil, err
		}
		return nil, &cache.LeasedError{} // it has ended meanwhile
	}
	return l, nil
}

// leased returns a *cache.LeasedError if there is a lease of a key.
func (s *Store) leased(ctx context.Context, hash int64) error {
	var remaining time.Duration
	err := s.db.Read(ctx, func(c *sqlitefile.Conn) error {
		now := time.Now()
		until, err := c.Number(sqlLeased, hash, now.UnixNano())
		remaining = instant(until).Sub(now)
		return err
	})
	if err == nil && remaining > 0 {
		err = &cache.LeasedError{Remaining: remaining}
	}
	return err
}

// Renew implements [cache.Lease].
func (l *lease) Renew(ctx context.Context, ttl time.Duration) error {
	if err := checkTTL(ttl); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	n, err := l.store.queue.Submit(ctx, l.job(func(c *sqlitefile.Conn) (int64, error) {
		now := time.Now()
		return c.Exec(sqlRenew, l.hash, l.token, now.UnixNano(), now.Add(ttl).UnixNano())
	}))
	if err == nil && n == 0 {
		err = fmt.Errorf("cache/disk: the lease was lost: %w", cache.ErrLeased)
	}
	return err
}

// Release implements [cache.Lease].
func (l *lease) Release(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	_, err := l.store.queue.Submit(ctx, l.job(l.remove))
	return err
}

func (l *lease) remove(c *sqlitefile.Conn) (int64, error) {
	return c.Exec(sqlRelease, l.hash, l.token)
}

func (l *lease) job(do func(*sqlitefile.Conn) (int64, error)) *sqlitefile.Job {
	return &sqlitefile.Job{Key: l.hash, Do: do}
}

func newToken() int64 {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return int64(binary.BigEndian.Uint64(b[:]))
}

func checkLease(ctx context.Context, key string, ttl time.Duration) error {
	if err := check(ctx, key); err != nil {
		return err
	}
	return checkTTL(ttl)
}

func checkTTL(ttl time.Duration) error {
	if ttl <= 0 {
		return fmt.Errorf("cache/disk: a lease of %v is too short: %w", ttl, cache.ErrInvalid)
	}
	return nil
}
