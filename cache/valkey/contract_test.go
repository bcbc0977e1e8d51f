package valkey_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/cache/cachetest"
	"github.com/kosterhq/robotstxt/cache/valkey"
	"github.com/kosterhq/robotstxt/internal/test/valkeytest"
)

// TestContract checks that stores with separate connections behave as one store.
func TestContract(t *testing.T) {
	server := valkeytest.Start(t)
	openSeveral := func(t *testing.T) *alternating {
		a := &alternating{}
		prefix := newPrefix()
		for i := range a.stores {
			a.stores[i] = open(t, valkey.Config{Addresses: []string{server.Addr()}, Timeout: patient, Prefix: prefix})
		}
		return a
	}
	t.Run("Store", func(t *testing.T) {
		cachetest.TestStore(t, func(t *testing.T) cache.Store { return openSeveral(t) })
	})
	t.Run("Leaser", func(t *testing.T) {
		cachetest.TestLeaser(t, func(t *testing.T) cachetest.LeasingStore { return openSeveral(t) })
	})
	t.Run("ManyGetter", func(t *testing.T) {
		cachetest.TestManyGetter(t, func(t *testing.T) cachetest.ManyStore { return openSeveral(t) })
	})
}

// TestManyOdd reads foreign, damaged and newer values, which are missing, and counts
// the calls.
func TestManyOdd(t *testing.T) {
	server, s := start(t, "p:")
	for _, key := range []string{"good", "newer", "damaged"} {
		put(t, s, key, entry(0, key))
	}
	value := func(key string) string { return server.Do("GET", "p:{"+key+"}:e").(string) }
	server.Do("SET", "p:{newer}:e", valkey.Newer("newer", value("newer"), ""))
	server.Do("SET", "p:{damaged}:e", value("damaged")+"x")
	server.Do("SET", "p:{foreign}:e", "something")
	server.Do("HSET", "p:{hash}:e", "a", "b")
	keys := []string{"hash", "newer", "good", "damaged", "foreign", "absent"}
	got, err := s.GetMany(t.Context(), keys)
	if err != nil || len(got) != 1 || string(got["good"].Data) != "good" {
		t.Errorf("GetMany = %v, %v", got, err)
	}
	eventually(t, aWhile, func() error {
		if server.Do("GET", "p:{damaged}:e") != nil {
			return errors.New("the damaged value is still there")
		}
		return nil
	})
	before := s.Stats().Calls // the removal is one, in the background
	if got, err := s.GetMany(t.Context(), keys); err != nil || len(got) != 1 || s.Stats().Calls != before+1 {
		t.Errorf("GetMany = %v, %v in %d calls", got, err, s.Stats().Calls-before)
	}
	server.Kill()
	if got, err := s.GetMany(t.Context(), []string{"good"}); !errors.Is(err, valkey.ErrUnavailable) || len(got) != 0 {
		t.Errorf("without a server: %v, %v", got, err)
	}
}

// TestEndlessLease checks that callers need not wait for a lease without an end.
func TestEndlessLease(t *testing.T) {
	server, s := start(t, "p:")
	acquire(t, s, origin, time.Minute)
	server.Do("PERSIST", "p:{"+origin+"}:l")
	acquire(t, s, origin, time.Minute)
	wantLeased(t, s, origin)
}

// alternating uses another one of its stores in each call.
type alternating struct {
	stores [3]*valkey.Store
	calls  atomic.Uint32
}

func (a *alternating) next() *valkey.Store { return a.stores[a.calls.Add(1)%uint32(len(a.stores))] }

func (a *alternating) Get(ctx context.Context, key string) (cache.Entry, error) {
	return a.next().Get(ctx, key)
}

func (a *alternating) PutIfNewer(ctx context.Context, key string, e cache.Entry) (bool, error) {
	return a.next().PutIfNewer(ctx, key, e)
}

func (a *alternating) PutIfUnchanged(ctx context.Context, key string, seen time.Time, e cache.Entry) (bool, error) {
	return a.next().PutIfUnchanged(ctx, key, seen, e)
}

func (a *alternating) Delete(ctx context.Context, key string) error {
	return a.next().Delete(ctx, key)
}

func (a *alternating) Acquire(ctx context.Context, key string, ttl time.Duration) (cache.Lease, error) {
	return a.next().Acquire(ctx, key, ttl)
}

func (a *alternating) GetMany(ctx context.Context, keys []string) (map[string]cache.Entry, error) {
	return a.next().GetMany(ctx, keys)
}

// TestForeignValues puts values that are not entries under an entry's key. They
// must be absent, and a new entry must replace them, whatever time they
// contain.
func TestForeignValues(t *testing.T) {
	server, s := start(t, "p:")
	const name = "p:{" + origin + "}:e"
	put(t, s, origin, entry(time.Minute, "newest"))
	value := server.Do("GET", name).(string)
	future := value[:1] + "9" + value[2:]
	for _, set := range [][]string{
		{"SET", name, ""},
		{"SET", name, "something"},
		{"SET", name, "0" + value[1:]},
		{"SET", name, ":" + value[1:]},
		{"SET", name, "2" + value[1:19]},
		{"SET", name, value[:10]},
		{"SET", name, "1" + strings.Repeat("x", 60)},
		{"HSET", name, "a", "b"},
		{"RPUSH", name, "a"},
	} {
		server.Flush()
		server.Do(set...)
		wantAbsent(t, s, origin)
		put(t, s, origin, entry(0, "newer"))
		wantText(t, s, origin, "newer")
		server.Flush()
		server.Do(set...)
		put(t, s, origin, entry(0, "without a look"))
		wantText(t, s, origin, "without a look")
	}

	// A value that the script takes for an entry is deleted after a Get.
	server.Do("SET", name, future)
	if stored, err := s.PutIfNewer(t.Context(), origin, entry(0, "newer")); err != nil || stored {
		t.Errorf("PutIfNewer = %v, %v; this test needs a value that prevents newer entries", stored, err)
	}
	damaged := s.Stats().Damaged
	wantAbsent(t, s, origin)
	eventually(t, aWhile, func() error {
		if stored, err := s.PutIfNewer(t.Context(), origin, entry(0, "newer")); err != nil || !stored {
			return fmt.Errorf("PutIfNewer = %v, %v", stored, err)
		}
		return nil
	})
	wantText(t, s, origin, "newer")
	if n := s.Stats().Damaged - damaged; n != 1 {
		t.Errorf("%d damaged values counted, want 1", n)
	}

	// A value that was moved to another key is absent.
	put(t, s, origin+"3", entry(0, "of another"))
	server.Do("RENAME", "p:{"+origin+"3}:e", name)
	wantAbsent(t, s, origin)
}

// TestNewerValues puts values of a newer version. They are an error of their own,
// and neither put replaces them, whatever their time, until they expire or are
// deleted: old and new processes share a server during an upgrade.
func TestNewerValues(t *testing.T) {
	server, s := start(t, "p:")
	const name = "p:{" + origin + "}:e"
	put(t, s, origin, entry(time.Minute, "text"))
	value := server.Do("GET", name).(string)
	for _, newer := range []string{valkey.Newer(origin, value, ""), valkey.Newer(origin, value, "in another form")} {
		server.Do("SET", name, newer)
		e := entry(time.Hour, "later")
		_, get := s.Get(t.Context(), origin)
		stored, put := s.PutIfNewer(t.Context(), origin, e)
		storedOver, over := s.PutIfUnchanged(t.Context(), origin, time.Time{}, e)
		for i, err := range []error{get, put, over} {
			if !errors.Is(err, cache.ErrNewer) || errors.Is(err, valkey.ErrUnavailable) ||
				errors.Is(err, cache.ErrNotFound) {
				t.Errorf("%.50q, call %d: %v, want ErrNewer", newer, i, err)
			}
		}
		if stored || storedOver || server.Do("GET", name) != newer {
			t.Errorf("%.50q was replaced", newer)
		}
	}
	if stats := s.Stats(); stats.Failures != 0 || stats.Damaged != 0 {
		t.Errorf("%+v, want no failure", stats)
	}
	expired := valkey.Newer(origin, value[:20]+"0000000000000000001"+value[39:], "")
	server.Do("SET", name, expired)
	wantAbsent(t, s, origin)
	put(t, s, origin, entry(0, "after it"))
	server.Do("SET", name, valkey.Newer(origin, value, ""))
	if err := s.Delete(t.Context(), origin); err != nil {
		t.Error(err)
	}
	put(t, s, origin, entry(0, "after deletion"))
}

func TestTooBig(t *testing.T) {
	_, s := start(t, "")
	big := entry(0, strings.Repeat("a", 2<<20+1))
	put(t, s, origin, entry(time.Minute, "newer"))
	if stored, err := s.PutIfNewer(t.Context(), origin, big); stored || err != nil {
		t.Errorf("PutIfNewer of a big entry = %v, %v; want false", stored, err)
	}
	wantText(t, s, origin, "newer")
	put(t, s, "older", entry(-time.Minute, "older"))
	if stored, err := s.PutIfNewer(t.Context(), "older", big); stored || err != nil {
		t.Errorf("PutIfNewer of a big entry = %v, %v; want false", stored, err)
	}
	wantAbsent(t, s, "older")
}

// TestKeysOnServer checks the names of keys, because other versions of this
// package and the documented permissions depend on them. It also checks that
// the server deletes both keys by itself: an entry when it expires, rounded up
// to a millisecond, and a lease when it ends.
func TestKeysOnServer(t *testing.T) {
	server, s := start(t, "robotstxt:")
	name := "robotstxt:{" + origin + "}"
	e := entry(0, "text")
	whole := e.Expires.Truncate(time.Millisecond)
	for i, past := range []time.Duration{0, 1, 999_999} {
		e.FetchedAt = e.FetchedAt.Add(time.Nanosecond) // newer than the entry before
		e.Expires = whole.Add(past)
		put(t, s, origin, e)
		want := whole.UnixMilli() + int64(min(i, 1))
		if end := server.Do("PEXPIRETIME", name+":e").(int64); end != want {
			t.Errorf("an entry until %d ns is kept until %d ms, want %d", e.Expires.UnixNano(), end, want)
		}
	}
	acquire(t, s, origin, time.Minute)
	if ttl := server.Do("PTTL", name+":l").(int64); ttl <= 0 || ttl > time.Minute.Milliseconds() {
		t.Errorf("a lease of a minute is kept for %d ms", ttl)
	}
	if n := server.Do("DBSIZE"); n != int64(2) {
		t.Errorf("%v keys, want 2", n)
	}
}

func TestObserve(t *testing.T) {
	server := valkeytest.Start(t)
	var mu sync.Mutex
	var events []string
	s := open(t, valkey.Config{Addresses: []string{server.Addr()}, Timeout: patient, Observe: func(e valkey.Event) {
		mu.Lock()
		defer mu.Unlock()
		events = append(events, fmt.Sprint(e.Op, " ", e.Err == nil))
	}})
	wantAbsent(t, s, origin)
	put(t, s, origin, entry(0, "text"))
	l := acquire(t, s, origin, time.Minute)
	wantLeased(t, s, origin)
	_ = l.Renew(t.Context(), time.Minute)
	_ = l.Release(t.Context())
	_ = s.Delete(t.Context(), origin)
	want := "get false, put true, acquire true, acquire false, renew true, release true, delete true"
	if got := strings.Join(events, ", "); got != want {
		t.Errorf("observed %s; want %s", got, want)
	}
	if stats := s.Stats(); stats != (valkey.Stats{Calls: 7}) {
		t.Errorf("Stats = %+v, want 7 calls and nothing else", stats)
	}
}
