// Package valkey is a cache.Store on a Valkey or Redis server, from version
// 6.2: alone, under Sentinel, or as a Cluster. It lets a fleet of processes
// share what each of them fetched, and as a cache.Leaser it lets one of them
// fetch while the others wait.
//
// The server is never needed for a right answer. Where it is away, slow or
// wiped, calls end in an error within [Config.Timeout], and soon at once,
// without a try: see [ErrUnavailable]. The store then tries again by itself.
//
// A failover may lose the latest writes, as replication is not waited for, so
// an entry may be followed by an older one. What is lost is fetched again.
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

// Store is a [cache.Store] and a [cache.Leaser] on a server. [Open] makes one.
type Store struct {
	config   Config
	patience time.Duration // how long a command may go on without its caller
	underWay chan struct{} // holds one element for each command that does

	stop     chan struct{}
	once     sync.Once // closes stop
	client   atomic.Pointer[valkeygo.Client]
	breakers [ranges]*breaker // without a Cluster the first one only
	trouble
	counters
}

var (
	_ cache.Store  = (*Store)(nil)
	_ cache.Leaser = (*Store)(nil)
)

// putScript keeps the newest entry. It compares texts of digits: the numbers of
// Lua are floats, to which entries 100 ns apart are equal. What is not an entry
// of this version is overwritten, whatever its type.
//
// KEYS: the entry. ARGV: its fetched-at, and now, both as in a value; its end
// in milliseconds; the value, or nothing if it is too big to keep.
var putScript = valkeygo.NewLuaScript(`
local old = redis.pcall('GETRANGE', KEYS[1], 0, 38)
if type(old) == 'string' and #old == 39 and string.find(old, '^1%d+$')
	and string.sub(old, 21) > ARGV[2] and string.sub(old, 2, 20) >= ARGV[1] then
	return 0
end
if ARGV[4] == '' then
	redis.call('DEL', KEYS[1])
	return 0
end
redis.call('SET', KEYS[1], ARGV[4], 'PXAT', ARGV[3])
return 1`)

// removeScript removes a key while it has the value that was seen there. It
// releases leases too.
var removeScript = valkeygo.NewLuaScript(`
if redis.call('GET', KEYS[1]) == ARGV[1] then
	return redis.call('DEL', KEYS[1])
end
return 0`)

// entryKey is where the entry of key is. The braces make key the part that
// places it in a Cluster, so that entry and lease are on the same node.
func (s *Store) entryKey(key string) string { return s.config.Prefix + "{" + key + "}:e" }

func (s *Store) leaseKey(key string) string { return s.config.Prefix + "{" + key + "}:l" }

// Get implements [cache.Store]. A value that was damaged, or that another
// version of this package has written, is absent.
func (s *Store) Get(ctx context.Context, key string) (cache.Entry, error) {
	if err := check(ctx, key); err != nil {
		return cache.Entry{}, err
	}
	value, err := ask(ctx, s, command[string]{op: "get", key: key, do: func(ctx context.Context, client valkeygo.Client) (string, error) {
		value, err := client.Do(ctx, client.B().Get().Key(s.entryKey(key)).Build()).ToString()
		if valkeygo.IsValkeyNil(err) || isWrongType(err) {
			err = cache.ErrNotFound
		}
		return value, err
	}})
	if err != nil {
		return cache.Entry{}, err
	}
	entry, err := decode(key, value)
	if errors.Is(err, errDamaged) {
		s.damaged.Add(1)
		go s.removeDamaged(key, value)
	}
	if err != nil || !entry.Expires.After(time.Now()) {
		return cache.Entry{}, cache.ErrNotFound
	}
	return entry, nil
}

// removeDamaged removes a value in which even the time may be wrong, and so lie
// in the future and keep others out. If that fails, the next one who looks at it
// tries again.
func (s *Store) removeDamaged(key, value string) {
	_, _ = ask(context.Background(), s, command[struct{}]{op: "delete", key: key, do: func(ctx context.Context, client valkeygo.Client) (struct{}, error) {
		return struct{}{}, removeScript.Exec(ctx, client, []string{s.entryKey(key)}, []string{value}).Error()
	}})
}

// PutIfNewer implements [cache.Store]. It wants no entries whose data is
// bigger than 2 MiB.
func (s *Store) PutIfNewer(ctx context.Context, key string, e cache.Entry) (stored bool, err error) {
	if err := check(ctx, key); err != nil {
		return false, err
	}
	if err := e.Check(); err != nil {
		return false, err
	}
	now := time.Now()
	if !e.Expires.After(now) {
		return false, nil
	}
	value := ""
	if len(e.Data) <= maxData {
		value = encode(key, e)
	}
	keys := []string{s.entryKey(key)}
	args := []string{digits(e.FetchedAt), digits(now), strconv.FormatInt(millisecondsUp(e.Expires), 10), value}
	return ask(ctx, s, command[bool]{op: "put", key: key, do: func(ctx context.Context, client valkeygo.Client) (bool, error) {
		n, err := putScript.Exec(ctx, client, keys, args).AsInt64()
		return n == 1, err
	}})
}

// millisecondsUp rounds up: the server must not drop an entry before its end.
// Who reads the entry compares the nanoseconds.
func millisecondsUp(t time.Time) int64 {
	ms := t.UnixMilli()
	if t.After(time.UnixMilli(ms)) {
		ms++
	}
	return ms
}

// Delete implements [cache.Store].
func (s *Store) Delete(ctx context.Context, key string) error {
	if err := check(ctx, key); err != nil {
		return err
	}
	_, err := ask(ctx, s, command[struct{}]{op: "delete", key: key, do: func(ctx context.Context, client valkeygo.Client) (struct{}, error) {
		return struct{}{}, client.Do(ctx, client.B().Del().Key(s.entryKey(key)).Build()).Error()
	}})
	return err
}

// check is what every method starts with.
func check(ctx context.Context, key string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return cache.CheckKey(key)
}
