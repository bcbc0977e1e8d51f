// Package valkey provides a [cache.Store] on a Valkey or Redis server of version 6.2
// or later: a single server, one under Sentinel, or a Cluster. Processes on several
// machines can share it. It also implements [cache.Leaser], so that one process
// fetches a file while the others wait for it.
//
//	cfg, err := valkey.ParseURL("valkey://crawler:password@cache.example:6379")
//	if err != nil {
//		return err
//	}
//	store, err := valkey.Open(ctx, cfg)
//	if err != nil {
//		return err
//	}
//	defer store.Close()
//	client, err := fetch.New(fetch.Config{UserAgent: userAgent, Store: store})
//
// Correct answers do not depend on the server. If it is down, slow or empty, calls
// return an error within [Config.Timeout]. After several failures they return
// [ErrUnavailable] immediately, and the store tries the server again by itself.
//
// Writes do not wait for replication. A failover can therefore lose the last writes,
// and an older entry can reappear. Lost entries are fetched again.
package valkey

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	valkeygo "github.com/valkey-io/valkey-go"

	"github.com/kosterhq/robotstxt/cache"
)

// Store is a [cache.Store] and a [cache.Leaser] on a server. [Open] makes one; a zero
// Store panics.
type Store struct {
	config         Config
	commandTimeout time.Duration // how long a command can take, even if its caller is gone
	underWay       chan struct{} // a semaphore with one element per command under way

	stop        chan struct{}
	once        sync.Once // closes stop
	client      atomic.Pointer[valkeygo.Client]
	connections connections
	breakers    [ranges]*breaker // only the first is used without a Cluster
	trouble
	counters
}

var (
	_ cache.Store  = (*Store)(nil)
	_ cache.Leaser = (*Store)(nil)

	_ cache.ManyGetter = (*Store)(nil)
)

// putScript stores an entry if it is newer, or if the present one is unchanged. It compares times as strings of
// digits, because numbers in Lua are floats, in which times 100 ns apart are equal. It overwrites values of any
// type that are not entries, but not the entries of a newer version, which begin with a greater digit.
//
// KEYS[1] is the key of the entry. ARGV[1] is its FetchedAt and ARGV[2] the current
// time, both as in a value. ARGV[3] is Expires in milliseconds. ARGV[4] is the value,
// or empty if it is too large to store. ARGV[5] is the FetchedAt that the present entry
// must have, empty if there must be no entry, or "any". With KEYS[2] it first deletes
// the lease with that key if its token is ARGV[6].
var putScript = valkeygo.NewLuaScript(`
if KEYS[2] and redis.call('GET', KEYS[2]) == ARGV[6] then
	redis.call('DEL', KEYS[2])
end
local old = redis.pcall('GETRANGE', KEYS[1], 0, 38)
local at = ''
if type(old) == 'string' and #old == 39 and string.find(old, '^[1-9]%d+$') and string.sub(old, 21) > ARGV[2] then
	if string.sub(old, 1, 1) ~= '1' then
		return -1
	end
	at = string.sub(old, 2, 20)
end
if ARGV[5] == 'any' and at >= ARGV[1] or ARGV[5] ~= 'any' and (at ~= ARGV[5] or at == ARGV[1]) then
	return 0
end
if ARGV[4] == '' then
	redis.call('DEL', KEYS[1])
	return 0
end
redis.call('SET', KEYS[1], ARGV[4], 'PXAT', ARGV[3])
return 1`)

// removeScript deletes a key if it still has the given value. It also releases
// leases.
var removeScript = valkeygo.NewLuaScript(`
if redis.call('GET', KEYS[1]) == ARGV[1] then
	return redis.call('DEL', KEYS[1])
end
return 0`)

// entryKey returns the server's key for an entry. The braces make a Cluster hash only
// key, so that entry and lease are on the same node.
func (s *Store) entryKey(key string) string { return s.config.Prefix + "{" + key + "}:e" }

func (s *Store) leaseKey(key string) string { return s.config.Prefix + "{" + key + "}:l" }

// Get implements [cache.Store]. A damaged value counts as absent. For a value that
// a newer version of this package has written, the error wraps [cache.ErrNewer].
func (s *Store) Get(ctx context.Context, key string) (cache.Entry, error) {
	if err := check(ctx, key); err != nil {
		return cache.Entry{}, err
	}
	value, err := call(ctx, s, command[string]{op: "get", key: key,
		do: func(ctx context.Context, client valkeygo.Client) (string, error) {
			value, err := client.Do(ctx, client.B().Get().Key(s.entryKey(key)).Build()).ToString()
			if valkeygo.IsValkeyNil(err) || isWrongType(err) {
				err = cache.ErrNotFound
			}
			return value, err
		}})
	if err != nil {
		return cache.Entry{}, err
	}
	return s.read(key, value)
}

// read decodes the value of a key, and removes it if it is damaged.
func (s *Store) read(key, value string) (cache.Entry, error) {
	entry, err := decode(key, value)
	if errors.Is(err, cache.ErrNewer) && entry.Expires.After(time.Now()) {
		return cache.Entry{}, err
	}
	if errors.Is(err, errDamaged) {
		s.damaged.Add(1)
		go s.removeDamaged(key, value)
	}
	if err != nil || !entry.Expires.After(time.Now()) {
		return cache.Entry{}, cache.ErrNotFound
	}
	return entry, nil
}

// removeDamaged deletes a damaged value. Its time can be wrong too: a time in the
// future would prevent newer entries. If the deletion fails, the next Get repeats
// it.
func (s *Store) removeDamaged(key, value string) {
	remove := script(removeScript, []string{s.entryKey(key)}, []string{value}, nil)
	_, _ = call(context.Background(), s, command[int64]{op: "delete", key: key, do: remove})
}

// PutIfNewer implements [cache.Store]. It does not store Data larger than 2 MiB.
func (s *Store) PutIfNewer(ctx context.Context, key string, e cache.Entry) (stored bool, err error) {
	return s.put(ctx, key, e, "any", nil)
}

// PutIfUnchanged implements [cache.Store], with the limits of PutIfNewer.
func (s *Store) PutIfUnchanged(ctx context.Context, key string, seen time.Time,
	e cache.Entry) (stored bool, err error) {
	return s.putOnto(ctx, key, seen, e, nil)
}

// putOnto is PutIfUnchanged, and releases held unless it is nil.
func (s *Store) putOnto(ctx context.Context, key string, seen time.Time, e cache.Entry,
	held *lease) (stored bool, err error) {
	if err := cache.CheckSeen(seen); err != nil {
		return false, err
	}
	present := ""
	if !seen.IsZero() {
		present = digits(seen)
	}
	return s.put(ctx, key, e, present, held)
}

// put calls putScript with present as its fifth argument, and releases held unless it is nil.
func (s *Store) put(ctx context.Context, key string, e cache.Entry, present string,
	held *lease) (stored bool, err error) {
	if err := check(ctx, key); err != nil {
		return false, err
	}
	if err := e.Check(); err != nil {
		return false, err
	}
	now := time.Now()
	if !e.Expires.After(now) {
		if held != nil {
			err = held.Release(ctx)
		}
		return false, err
	}
	value := ""
	if len(e.Data) <= maxData {
		value = encode(key, e)
	}
	// The server must not delete an entry too early. Get compares the nanoseconds.
	expires := milliseconds(e.Expires.Sub(time.Unix(0, 0)))
	keys, args := []string{s.entryKey(key)}, []string{digits(e.FetchedAt), digits(now), expires, value, present}
	if held != nil {
		keys, args = append(keys, s.leaseKey(key)), append(args, held.token)
	}
	n, err := call(ctx, s, command[int64]{op: "put", key: key, do: script(putScript, keys, args, func(n int64) error {
		if n < 0 {
			return errNewer
		}
		return nil
	})})
	return n == 1, err
}

// milliseconds formats d in milliseconds, rounded up.
func milliseconds(d time.Duration) string {
	ms := d.Milliseconds()
	if d%time.Millisecond > 0 {
		ms++
	}
	return strconv.FormatInt(ms, 10)
}

// Delete implements [cache.Store].
func (s *Store) Delete(ctx context.Context, key string) error {
	if err := check(ctx, key); err != nil {
		return err
	}
	remove := func(ctx context.Context, client valkeygo.Client) (int64, error) {
		return client.Do(ctx, client.B().Del().Key(s.entryKey(key)).Build()).AsInt64()
	}
	_, err := call(ctx, s, command[int64]{op: "delete", key: key, do: remove})
	return err
}

// check returns an error for a context that has ended or an invalid key. Every method
// calls it first.
func check(ctx context.Context, key string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return cache.CheckKey(key)
}
