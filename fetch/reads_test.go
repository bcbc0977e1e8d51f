package fetch

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/cache/cachetest"
)

// slowStore is a store with a round trip of a millisecond, which counts the reads.
type slowStore struct {
	cache.Store
	mu      sync.Mutex
	calls   int
	most    int // keys of one call
	atOnce  int
	now     int
	trouble error
	hangs   chan struct{} // if set, GetMany waits for its end and ignores the context
}

func (s *slowStore) Get(ctx context.Context, key string) (cache.Entry, error) {
	entries, err := s.GetMany(ctx, []string{key})
	if e, ok := entries[key]; ok || err != nil {
		return e, err
	}
	return cache.Entry{}, cache.ErrNotFound
}

func (s *slowStore) GetMany(ctx context.Context, keys []string) (map[string]cache.Entry, error) {
	s.mu.Lock()
	s.calls++
	s.now++
	s.most, s.atOnce = max(s.most, len(keys)), max(s.atOnce, s.now)
	s.mu.Unlock()
	time.Sleep(time.Millisecond)
	if s.hangs != nil {
		<-s.hangs
	}
	s.mu.Lock()
	s.now--
	s.mu.Unlock()
	if s.trouble != nil {
		return nil, s.trouble
	}
	entries := make(map[string]cache.Entry)
	for _, key := range keys {
		if e, err := s.Store.Get(ctx, key); err == nil {
			entries[key] = e
		}
	}
	return entries, nil
}

func stored(t *testing.T, store cache.Store) (urls []string) {
	for i := range 1000 {
		key := fmt.Sprintf("https://host%d.example", i)
		s := permissive(t, key, wallClock())
		if ok, err := store.PutIfNewer(t.Context(), key, entryOf(t, s)); !ok || err != nil {
			t.Fatal(ok, err)
		}
		urls = append(urls, key+"/private")
	}
	return urls
}

// TestReadsAreJoined counts the reads of a store for 1,000 origins. The bound is that
// of their rounds: 256 flights begin at once, and are read by some reads of one key
// and the rest in batches.
func TestReadsAreJoined(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, look := range map[string]func(*Client, []string){
			"Prefetch": func(c *Client, urls []string) {
				if err := c.Prefetch(t.Context(), slices.Values(urls)); err != nil {
					t.Error(err)
				}
			},
			"Ahead": func(c *Client, urls []string) {
				n := 0
				ahead := ofClient(c)
				ahead.AtOnce = c.ahead()
				for v, err := range ahead.Visits(t.Context(), listed(urls...)) {
					n++
					if err != nil || v.Site.Source != SourceStore {
						t.Errorf("%+v, %v", v, err)
					}
				}
				if n != 1000 {
					t.Errorf("%d visits", n)
				}
			},
		} {
			store := &slowStore{Store: new(cachetest.Memory)}
			client := newTestClient(t, Config{Store: store, Network: Network{Transport: answering(500, "")}})
			look(client, stored(t, store.Store))
			t.Logf("%s: %d reads for 1,000 origins, at most %d keys in one", name, store.calls, store.most)
			if store.calls > 60 || store.most > maxKeys || store.atOnce > readsAtOnce {
				t.Errorf("%s: %d reads, %d at once, %d keys in one", name, store.calls, store.atOnce, store.most)
			}
			client.Close()
		}
	})
}

// TestReadsFail lets joined reads fail, hang and recover. Each origin is then fetched:
// its flight reads once before, and up to three times for its put. No read is left.
func TestReadsFail(t *testing.T) {
	for _, hangs := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			store := &slowStore{Store: new(cachetest.Memory), trouble: errDown}
			if hangs {
				store.hangs = make(chan struct{})
			}
			observe, count := counting()
			client := newTestClient(t,
				Config{Store: store, Network: Network{Transport: answering(404, "")}, Limits: Limits{MaxFetches: -1},
					Observe: observe})
			urls := stored(t, store.Store)
			began := time.Now()
			var callers sync.WaitGroup
			for _, url := range urls[:500] {
				callers.Go(func() {
					Expect(t, client, url, "network")
				})
			}
			callers.Wait()
			if took := time.Since(began); count(eventFetched) != 500 || took > 4*client.config.Limits.StoreTimeout {
				t.Errorf("hangs %v: %d fetches in %v", hangs, count(eventFetched), took)
			}
			store.trouble = nil
			if hangs {
				close(store.hangs)
				synctest.Wait()
			}
			Expect(t, client, urls[900], "store")
			if _, err := client.readEntry(mustOrigin(t, "https://absent.example")); !errors.Is(err, cache.ErrNotFound) {
				t.Error(err)
			}
			synctest.Wait()
			if client.reads.running != 0 || len(client.reads.waiting) != 0 {
				t.Errorf("%d reads run, %d wait", client.reads.running, len(client.reads.waiting))
			}
			client.Close()
		})
	}
}
