package valkey

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"

	valkeygo "github.com/valkey-io/valkey-go"

	"github.com/kosterhq/robotstxt/cache"
)

// acquireScript takes a lease, or returns for how many milliseconds another caller
// has it. It treats a lease without an end as ended, because only another program
// can have made it.
var acquireScript = valkeygo.NewLuaScript(`
local left = redis.call('PTTL', KEYS[1])
if left >= 0 then
	return left
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return -1`)

var renewScript = valkeygo.NewLuaScript(`
if redis.call('GET', KEYS[1]) == ARGV[1] then
	return redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return 0`)

// lease is valid while its token is the value of its key. Each lease has its own
// token, so that a late Release cannot end the lease of another caller.
type lease struct {
	store      *Store
	key, token string
}

// Acquire implements [cache.Leaser]. A lease ends to the millisecond, because the
// server compares its clock with the expiry in every command. It does not matter
// when the server deletes the expired key.
func (s *Store) Acquire(ctx context.Context, key string, ttl time.Duration) (cache.Lease, error) {
	if err := checkLease(ctx, key, ttl); err != nil {
		return nil, err
	}
	l := &lease{store: s, key: key, token: rand.Text()}
	_, err := call(ctx, s, command[int64]{
		op: "acquire", key: key,
		do: script(acquireScript, l.keys(), []string{l.token, milliseconds(ttl)}, func(left int64) error {
			if left < 0 {
				return nil
			}
			return fmt.Errorf("valkey: %w", &cache.LeasedError{Remaining: time.Duration(left) * time.Millisecond})
		}),
		// If the caller is gone, the lease would only delay others until it ends.
		undo: l.remove(),
	})
	if err != nil {
		return nil, err
	}
	return l, nil
}

// Renew implements [cache.Lease].
func (l *lease) Renew(ctx context.Context, ttl time.Duration) error {
	if err := checkLease(ctx, l.key, ttl); err != nil {
		return err
	}
	renew := script(renewScript, l.keys(), []string{l.token, milliseconds(ttl)}, func(n int64) error {
		if n == 0 {
			return fmt.Errorf("valkey: the lease was lost: %w", cache.ErrLeased)
		}
		return nil
	})
	_, err := call(ctx, l.store, command[int64]{op: "renew", key: l.key, do: renew})
	return err
}

// Release implements [cache.Lease].
func (l *lease) Release(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	_, err := call(ctx, l.store, command[int64]{op: "release", key: l.key, do: l.remove()})
	return err
}

// PutAndRelease implements [cache.PutReleaser] with one command.
func (l *lease) PutAndRelease(ctx context.Context, seen time.Time, e cache.Entry) (stored bool, err error) {
	return l.store.putOnto(ctx, l.key, seen, e, l)
}

func (l *lease) keys() []string { return []string{l.store.leaseKey(l.key)} }

// remove returns an action that ends the lease.
func (l *lease) remove() action[int64] {
	return script(removeScript, l.keys(), []string{l.token}, nil)
}

func checkLease(ctx context.Context, key string, ttl time.Duration) error {
	if err := check(ctx, key); err != nil {
		return err
	}
	if ttl <= 0 {
		return fmt.Errorf("valkey: a lease of %v is too short: %w", ttl, cache.ErrInvalid)
	}
	return nil
}
