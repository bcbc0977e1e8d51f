package valkey

import (
	"context"
	"crypto/rand"
	"fmt"
	"strconv"
	"time"

	valkeygo "github.com/valkey-io/valkey-go"

	"github.com/kosterhq/robotstxt/cache"
)

// acquireScript takes a lease, or returns for how many milliseconds another caller
// has it. A lease without an end, which only another program can have made, counts
// as ended.
var acquireScript = valkeygo.NewLuaScript(`
local left = redis.call('PTTL', KEYS[1])
if left >= 0 then
	return left
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return -1`)

// renewScript extends a lease if its token is still the value of the key.
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
	_, err := call(ctx, s, command[struct{}]{
		op: "acquire", key: key,
		do: func(ctx context.Context, client valkeygo.Client) (struct{}, error) {
			left, err := acquireScript.Exec(ctx, client, []string{s.leaseKey(key)}, []string{l.token, strconv.FormatInt(ceil(ttl), 10)}).AsInt64()
			if err == nil && left >= 0 {
				err = fmt.Errorf("valkey: %w", &cache.LeasedError{Remaining: time.Duration(left) * time.Millisecond})
			}
			return struct{}{}, err
		},
		// If the caller is gone, the lease would only delay others until it ends.
		undo: l.remove,
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
	_, err := call(ctx, l.store, command[struct{}]{op: "renew", key: l.key, do: func(ctx context.Context, client valkeygo.Client) (struct{}, error) {
		n, err := renewScript.Exec(ctx, client, []string{l.store.leaseKey(l.key)}, []string{l.token, strconv.FormatInt(ceil(ttl), 10)}).AsInt64()
		if err == nil && n == 0 {
			err = fmt.Errorf("valkey: the lease was lost: %w", cache.ErrLeased)
		}
		return struct{}{}, err
	}})
	return err
}

// Release implements [cache.Lease].
func (l *lease) Release(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	_, err := call(ctx, l.store, command[struct{}]{op: "release", key: l.key, do: func(ctx context.Context, client valkeygo.Client) (struct{}, error) {
		return struct{}{}, l.remove(ctx, client)
	}})
	return err
}

// PutAndRelease implements [cache.PutReleaser] with one command.
func (l *lease) PutAndRelease(ctx context.Context, seen time.Time, e cache.Entry) (stored bool, err error) {
	if err := cache.CheckSeen(seen); err != nil {
		return false, err
	}
	args, err := l.store.putArguments(ctx, l.key, e)
	if err != nil {
		return false, err
	}
	if args == nil {
		return false, l.Release(ctx)
	}
	keys := []string{l.store.entryKey(l.key), l.store.leaseKey(l.key)}
	return l.store.callPut(ctx, l.key, putReleaseScript, keys, append(args, seenDigits(seen), l.token))
}

func (l *lease) remove(ctx context.Context, client valkeygo.Client) error {
	return removeScript.Exec(ctx, client, []string{l.store.leaseKey(l.key)}, []string{l.token}).Error()
}

func checkLease(ctx context.Context, key string, ttl time.Duration) error {
	if err := check(ctx, key); err != nil {
		return err
	}
	if ttl <= 0 {
		return fmt.Errorf("valkey: a lease for %v: %w", ttl, cache.ErrInvalid)
	}
	return nil
}

// ceil returns d in milliseconds, rounded up, since a server requires at least one.
func ceil(d time.Duration) int64 {
	return int64((d + time.Millisecond - 1) / time.Millisecond)
}
