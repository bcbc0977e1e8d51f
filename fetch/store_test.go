package fetch

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/cache/cachetest"
)

// failingStore is a store that must not be called, or not after its client is
// closed.
type failingStore struct {
	t              testing.TB
	onlyAfterClose bool
}

var errDown = errors.New("the store is down")

func (s failingStore) note(ctx context.Context, what string) error {
	if !s.onlyAfterClose || ctx.Err() != nil {
		s.t.Errorf("%s", what)
	}
	return errDown
}

func (s failingStore) Get(ctx context.Context, _ string) (cache.Entry, error) {
	return cache.Entry{}, s.note(ctx, "Get")
}

func (s failingStore) PutIfNewer(ctx context.Context, _ string, _ cache.Entry) (bool, error) {
	return false, s.note(ctx, "PutIfNewer")
}

func (s failingStore) PutIfUnchanged(ctx context.Context, _ string, _ time.Time, _ cache.Entry) (bool, error) {
	return false, s.note(ctx, "PutIfUnchanged")
}

func (s failingStore) Delete(ctx context.Context, _ string) error { return s.note(ctx, "Delete") }

// testStore is a map whose Get may fail or block. It never drops entries.
type testStore struct {
	mu      sync.Mutex
	entries map[string]cache.Entry
	trouble func(ctx context.Context) error // if set, called instead of Get
}

func newTestStore() *testStore { return &testStore{entries: map[string]cache.Entry{}} }

func (s *testStore) Get(ctx context.Context, key string) (cache.Entry, error) {
	if s.trouble != nil {
		return cache.Entry{}, s.trouble(ctx)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if e, ok := s.entries[key]; ok {
		return e, nil
	}
	return cache.Entry{}, cache.ErrNotFound
}

func (s *testStore) PutIfNewer(context.Context, string, cache.Entry) (bool, error) {
	panic("the client puts only onto what it has read")
}

func (s *testStore) PutIfUnchanged(ctx context.Context, key string, seen time.Time, e cache.Entry) (bool, error) {
	if s.trouble != nil {
		return false, s.trouble(ctx)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if old, ok := s.entries[key]; !old.FetchedAt.Equal(seen) || ok && old.FetchedAt.Equal(e.FetchedAt) {
		return false, nil
	}
	s.entries[key] = e
	return true, nil
}

func (s *testStore) Delete(_ context.Context, key string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.entries, key)
	return nil
}

const fooKey = "https://foo.example"

// put stores a state as a client with another clock would.
func (s *testStore) put(t testing.TB, key string, state *state) {
	s.entries[key] = entryOf(t, state)
}

func entryOf(t testing.TB, s *state) cache.Entry {
	return cache.Entry{FetchedAt: s.checkedAt, Expires: s.checkedAt.Add(keepStale), Data: mustRecord(t, s)}
}

func permissive(t testing.TB, o string, at time.Time) *state {
	const body = "User-agent: *\nAllow: /\n"
	return &state{origin: mustOrigin(t, o), checkedAt: at, lastAnswer: &siteAnswer{
		Class: classFile, Status: 200, At: at, Bytes: len(body), body: []byte(body),
	}}
}

func counting() (func(Event), func(string) int) {
	var mu sync.Mutex
	counts := map[string]int{}
	return func(e Event) { mu.Lock(); counts[e.Kind]++; mu.Unlock() },
		func(k string) int { mu.Lock(); defer mu.Unlock(); return counts[k] }
}

// TestStoreMisses checks that an entry which is not a valid record of this
// origin counts as a miss and causes an event, and that the client then uses
// the site's answer.
func TestStoreMisses(t *testing.T) {
	now := wallClock()
	good := permissive(t, fooKey, now.Add(-time.Minute))
	whole := mustRecord(t, good)
	for name, record := range map[string][]byte{
		"empty": nil, "junk": []byte("junk"), "cut": whole[:len(whole)/2], // TestRecordDamage has more
		"another origin's": mustRecord(t, permissive(t, "https://bar.example", now)),
	} {
		observe, count := counting()
		store := newTestStore()
		store.entries[fooKey] = cache.Entry{FetchedAt: good.checkedAt, Data: record}
		client := newTestClient(t,
			Config{Store: store, Limits: Limits{StoreTimeout: time.Minute},
				Network: Network{Transport: answering(200, theFile)}, Observe: observe})
		ExpectAllowed(t, client, fooKey+"/private/", false)
		if count(eventStoreError) != 1 || count(eventFetched) != 1 {
			t.Errorf("%s: %d events, %d fetches", name, count(eventStoreError), count(eventFetched))
		}
		if _, err := readRecord(store.entries[fooKey].Data, good.origin, wallClock()); err != nil {
			t.Errorf("%s: the new answer did not take its place: %v", name, err)
		}
		client.Close()
	}
}

// TestStoreInTrouble checks a store that fails or blocks, with or without
// regard to its context: a call takes two timeouts and one fetch.
func TestStoreInTrouble(t *testing.T) {
	for name, trouble := range map[string]func(release chan struct{}) func(context.Context) error{
		"fails": func(chan struct{}) func(context.Context) error { return func(context.Context) error { return errDown } },
		"hangs": func(chan struct{}) func(context.Context) error {
			return func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
		},
		"hangs for ever": func(release chan struct{}) func(context.Context) error {
			return func(context.Context) error { <-release; return errDown }
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			release := make(chan struct{})
			defer close(release)
			observe, count := counting()
			client := newTestClient(t,
				Config{Store: &testStore{trouble: trouble(release)},
					Network: Network{Transport: answering(200, theFile)}, Observe: observe})
			began := time.Now()
			const origins = 2000 // more than maxStoreCalls
			var wg sync.WaitGroup
			for i := range origins {
				wg.Go(func() {
					ExpectAllowed(t, client, fmt.Sprintf("https://foo%d.example/private/", i), false)
				})
			}
			wg.Wait()
			took := time.Since(began)
			if took > 100*time.Millisecond || count(eventStoreError) != 2*origins || count(eventFetched) != origins {
				t.Errorf("%s: %v, %d events, %d fetches", name, took, count(eventStoreError), count(eventFetched))
			}
		})
	}
}

// TestClockAtRestart checks that an entry from a clock that was a year ahead is
// a miss and is replaced, although it is newer. An entry from a clock that was a
// year late is ignored.
func TestClockAtRestart(t *testing.T) {
	for _, off := range []time.Duration{365 * day, -365 * day, clockSkew + time.Second, keepStale * -2} {
		for _, p := range Policies() {
			for _, up := range []bool{true, false} {
				synctest.Test(t, func(t *testing.T) {
					store := newTestStore()
					was := permissive(t, fooKey, wallClock().Add(off))
					was.fault = &fault{Class: classUnreachable, Since: was.checkedAt, Tries: 1,
						NextTry: was.checkedAt.Add(hour), Text: "x"}
					store.put(t, fooKey, was)
					status := map[bool]int{true: 200, false: 500}[up]
					observe, count := counting()
					client := newTestClient(t,
						Config{Policy: p, Store: store, Network: Network{Transport: answering(status, theFile)},
							Observe: observe})
					r := Expect(t, client, fooKey, map[bool]string{true: "rules", false: "disallow-all"}[up])
					if r.Rules("FooBot").Allowed(fooKey+"/private/") || count(eventStoreError) != 1 {
						t.Errorf("%v off, %v, up %v: %+v", off, p, up, r)
					}
					if at := store.entries[fooKey].FetchedAt; !at.Equal(wallClock()) {
						t.Errorf("%v off: the store has an entry of %v", off, at)
					}
				})
			}
		}
	}
}

// TestStoreKeepsCopies checks that a fault does not replace the last good copy
// in a store that cannot be read while the site is down. When the store works
// again, its copy is used.
func TestStoreKeepsCopies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newTestStore()
		store.put(t, fooKey, permissive(t, fooKey, wallClock().Add(-2*day)))
		client := newTestClient(t,
			Config{Policy: RFC9309Policy, Store: store, Network: Network{Transport: answering(500, "")}})
		store.trouble = func(context.Context) error { return errDown }
		Expect(t, client, fooKey, "disallow-all")
		time.Sleep(time.Minute)
		store.trouble = nil
		Expect(t, client, fooKey, "stale", "rules")
		s, err := readRecord(store.entries[fooKey].Data, mustOrigin(t, fooKey), wallClock())
		if err != nil || !s.hasCopy() || s.fault == nil || s.fault.Tries != 2 ||
			!s.fault.Since.Equal(wallClock().Add(-time.Minute)) {
			t.Errorf("%+v, %v", s, err)
		}
	})
}

// TestMemoryFromTheFuture checks that a client whose clock was set back uses the
// answer that another client has stored since, instead of a state of its own from
// the future, which would make it fetch.
func TestMemoryFromTheFuture(t *testing.T) {
	for _, status := range []int{200, 500} {
		store, now := newTestStore(), wallClock()
		clock := func() time.Time { return now }
		site := &oneSite{status: status, body: theFile}
		a := newTestClient(t, Config{Store: store, Network: Network{Transport: answering(200, theFile)},
			Freshness: Freshness{Clock: clock}})
		b := newTestClient(t,
			Config{Store: store, Network: Network{Transport: site}, Freshness: Freshness{Clock: clock}})
		for _, client := range []*Client{a, b, a} {
			if client == b {
				now = now.Add(-day) // a's state and its entry are from the future now
			}
			Expect(t, client, fooKey)
		}
		c := newTestClient(t,
			Config{Store: store, Network: Network{Transport: site}, Freshness: Freshness{Clock: clock}})
		for _, client := range []*Client{a, c} { // from memory, and from the store
			if r := Expect(t, client, fooKey); site.fetches != 1 || r.Status != status || !r.FetchedAt.Equal(now) {
				t.Errorf("%d: %d fetches, %+v", status, site.fetches, r)
			}
		}
	}
}

// TestStoreEmptied checks that a store that has lost everything receives the fault of
// a site whose copy is in memory without its body, so that other clients wait for
// its next try too.
func TestStoreEmptied(t *testing.T) {
	store, now, site := newTestStore(), wallClock(), &oneSite{body: theFile}
	config := Config{Store: store, Network: Network{Transport: site},
		Freshness: Freshness{Clock: func() time.Time { return now }}}
	a, b := newTestClient(t, config), newTestClient(t, config)
	for i, client := range []*Client{a, a, b} {
		if i == 1 {
			_ = store.Delete(t.Context(), fooKey)
			now, site.status = now.Add(2*day), 500
		}
		Expect(t, client, fooKey)
	}
	if s := a.inMemory(mustOrigin(t, fooKey)); site.fetches != 2 || !s.hasCopy() {
		t.Errorf("%d fetches, want 2; %+v", site.fetches, s)
	}
}

// TestBadRecordFromTheFuture checks that an unreadable entry dated in the
// future is replaced.
func TestBadRecordFromTheFuture(t *testing.T) {
	store := newTestStore()
	store.entries[fooKey] = cache.Entry{FetchedAt: wallClock().Add(hour), Data: []byte("junk")}
	client := newTestClient(t, Config{Store: store, Network: Network{Transport: answering(200, theFile)}})
	if _, err := client.Robots(t.Context(), fooKey); err != nil || len(store.entries[fooKey].Data) < 100 {
		t.Errorf("%v, %q", err, store.entries[fooKey].Data)
	}
}

// TestNewerVersion checks that neither a fault nor an answer replaces a record of a
// newer version, which other clients read: programs of both versions run during an
// upgrade. The record may be there before the fetch or arrive meanwhile.
func TestNewerVersion(t *testing.T) {
	record := mustRecord(t, permissive(t, fooKey, wallClock()))
	record[len(recordMagic)]++
	record = seal(record[:len(record)-sha256.Size])
	for _, status := range []int{200, 404, 500} {
		for _, meanwhile := range []bool{false, true} {
			store := newTestStore()
			put := func() { store.entries[fooKey] = cache.Entry{FetchedAt: wallClock().Add(-hour), Data: record} }
			if !meanwhile {
				put()
			}
			var trouble error
			client := newTestClient(t, Config{
				Store: store,
				Network: Network{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
					put()
					return answering(status, theFile).RoundTrip(r)
				})},
				Observe: func(e Event) {
					if e.Kind == eventStoreError {
						trouble = e.Err
					}
				},
			})
			r := Expect(t, client, fooKey)
			if r.Status != status || !bytes.Equal(store.entries[fooKey].Data, record) ||
				!errors.Is(trouble, cache.ErrNewer) {
				t.Errorf("%d, meanwhile %v: %+v, event %v, %q", status, meanwhile, r, trouble, store.entries[fooKey].Data)
			}
		}
	}
}

// TestLateFault checks that a connection that began before another process had
// the answer, and failed after it, does not destroy that answer: not in the store,
// and not for the callers of the process in which it failed.
func TestLateFault(t *testing.T) {
	for name, store := range map[string]cache.Store{"map": newTestStore(), "memory": new(cachetest.Memory)} {
		for _, earlier := range []time.Duration{0, 2 * day} { // the age of a copy that both have read
			if earlier > 0 {
				was := permissive(t, fooKey, wallClock().Add(-earlier))
				was.fault = &fault{Class: classUnreachable, Since: was.checkedAt.Add(hour), Tries: 7,
					NextTry: was.checkedAt.Add(2 * hour), Text: "x"}
				was.checkedAt = was.checkedAt.Add(hour)
				_ = store.Delete(t.Context(), fooKey)
				if stored, err := store.PutIfUnchanged(t.Context(), fooKey, time.Time{}, entryOf(t, was)); !stored ||
					err != nil {
					t.Fatal(stored, err)
				}
			}
			a := newTestClient(t, Config{Store: store, Network: Network{Transport: answering(200, theFile)}})
			b := newTestClient(t,
				Config{Store: store, Network: Network{Transport: roundTrip(func(*http.Request) (*http.Response, error) {
					Expect(t, a, fooKey, "network")
					return nil, errDown
				})}})
			c := newTestClient(t, Config{Store: store, Network: Network{Transport: answering(500, "")}})
			for i, client := range []*Client{b, b, c} {
				r := Expect(t, client, fooKey, "rules")
				if r.Rules("FooBot").Allowed(fooKey+"/private/") || !r.Rules("FooBot").Allowed(fooKey) {
					t.Errorf("%s, copy of %v, call %d: %+v", name, earlier, i, r)
				}
			}
			entry, err := store.Get(t.Context(), fooKey)
			if err != nil {
				t.Fatal(err)
			}
			if stored, err := ReadEntry(entry); err != nil || stored.Answer == nil || stored.Fault != nil ||
				string(stored.Answer.Body) != theFile {
				t.Errorf("%s: %+v, %v", name, stored, err)
			}
			if s := b.inMemory(mustOrigin(t, fooKey)); s.fault == nil || s.fault.Since.Before(s.lastAnswer.At) ||
				s.fault.Tries != 1 {
				t.Errorf("%s: the outage began before the answer: %+v", name, s.fault)
			}
		}
	}
}

// TestSharedStore checks that two clients with one store fetch once, and that
// the second one reads the entry of the first.
func TestSharedStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newTestStore()
		site := &site{from: time.Now().Add(1000 * day)}
		a := newTestClient(t, Config{Store: store, Network: Network{Transport: site}})
		b := newTestClient(t, Config{Store: store, Network: Network{Transport: site}, Policy: KosterPolicy,
			Freshness: Freshness{Revalidate: true}, KeepBodies: true})
		for i, want := range []Source{SourceNetwork, SourceStore, SourceMemory, SourceMemory} {
			Expect(t, []*Client{a, b}[i%2], fooKey, string(want), "rules")
		}
		time.Sleep(25 * hour)
		Expect(t, a, fooKey, "network")
		if len(site.log) != 2 {
			t.Errorf("%d fetches", len(site.log))
		}
	})
}
