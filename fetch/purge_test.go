package fetch

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kosterhq/robotstxt/cache/cachetest"
	"github.com/kosterhq/robotstxt/origin"
)

// TestPurgeStore checks that clients which share a store forget what was purged,
// within a short time, and nothing else, also if the store loses its log.
func TestPurgeStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(cachetest.Memory)
		site := &oneSite{status: 404}
		clients := []*Client{
			newTestClient(t, Config{Store: store, Network: Network{Transport: site}}),
			newTestClient(t, Config{Store: store, Network: Network{Transport: site}}),
		}
		urls := []string{"https://a.example/", "https://b.example/", "https://c.example/"}
		ask := func(want int, when string) {
			t.Helper()
			for range 2 { // the first round makes the clients look for purges
				for _, c := range clients {
					for _, url := range urls {
						ExpectAllowed(t, c, url, true)
					}
				}
				synctest.Wait()
			}
			if site.fetches != want {
				t.Errorf("%s: %d fetches, want %d", when, site.fetches, want)
			}
			site.fetches = 0
		}
		purge := func(urls ...string) {
			t.Helper()
			var origins []origin.Origin
			for _, url := range urls {
				origins = append(origins, mustOrigin(t, url))
			}
			if err := PurgeStore(t.Context(), store, origins...); err != nil {
				t.Fatal(err)
			}
		}
		ask(3, "at first")
		time.Sleep(time.Minute)
		ask(0, "without a purge")
		purge(urls[0])
		purge(urls[1])
		ask(0, "before the clients look")
		time.Sleep(10 * time.Second)
		ask(2, "after the purge of two")
		time.Sleep(10 * time.Second)
		ask(0, "after that")
		_ = store.Delete(t.Context(), "purges")
		purge(urls[2])
		time.Sleep(10 * time.Second)
		ask(1, "after the log was lost")
		for _, url := range urls {
			_ = store.Delete(t.Context(), mustOrigin(t, url).String())
		}
		purge()
		time.Sleep(10 * time.Second)
		ask(3, "after a purge of all")
		for range 2 { // an emptied store has lost its log, too
			for _, url := range urls {
				_ = store.Delete(t.Context(), mustOrigin(t, url).String())
			}
			_ = store.Delete(t.Context(), PurgeKey)
			purge()
			time.Sleep(10 * time.Second)
			ask(3, "after an emptied store")
		}
	})
}

// TestManyPurges checks that a log of many origins becomes a purge of all.
func TestManyPurges(t *testing.T) {
	store := new(cachetest.Memory)
	many := slices.Repeat([]origin.Origin{mustOrigin(t, "https://a.example")}, 4000)
	for range 10 {
		if err := PurgeStore(t.Context(), store, many...); err != nil {
			t.Fatal(err)
		}
		if e, err := store.Get(t.Context(), "purges"); err != nil || len(e.Data) > 400_000 {
			t.Fatalf("%d bytes, %v", len(e.Data), err)
		}
	}
}

// TestPurgeError checks that a store that fails is an error.
func TestPurgeError(t *testing.T) {
	store := &testStore{trouble: func(context.Context) error { return errDown }}
	if err := PurgeStore(t.Context(), store); !errors.Is(err, errDown) {
		t.Error(err)
	}
}
