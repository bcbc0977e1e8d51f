package fetch_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/cache/cachetest"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/origin"
)

var errBroken = errors.New("broken")

type brokenStore struct{ cache.Store }

func (brokenStore) Get(context.Context, string) (cache.Entry, error) { return cache.Entry{}, errBroken }

// TestPurgeStore checks that clients which share a store forget what was purged,
// within a short time, and nothing else, also if the store loses its log.
func TestPurgeStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(cachetest.Memory)
		site := new(slowSite)
		clients := []*fetch.Client{
			newClient(t, fetch.Config{Store: store, Network: fetch.Network{Transport: site}}),
			newClient(t, fetch.Config{Store: store, Network: fetch.Network{Transport: site}}),
		}
		urls := []string{"https://a.example/", "https://b.example/", "https://c.example/"}
		ask := func(want int64, when string) {
			t.Helper()
			for range 2 { // the first round makes the clients look for purges
				for _, c := range clients {
					for _, url := range urls {
						fetch.ExpectAllowed(t, c, url, true)
					}
				}
				synctest.Wait()
			}
			if n := site.fetches.Swap(0); n != want {
				t.Errorf("%s: %d fetches, want %d", when, n, want)
			}
		}
		purge := func(urls ...string) {
			t.Helper()
			var origins []origin.Origin
			for _, url := range urls {
				o, err := origin.Of(url)
				if err != nil {
					t.Fatal(err)
				}
				origins = append(origins, o)
			}
			if err := fetch.PurgeStore(t.Context(), store, origins...); err != nil {
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
			o, _ := origin.Of(url)
			_ = store.Delete(t.Context(), o.String())
		}
		purge()
		time.Sleep(10 * time.Second)
		ask(3, "after a purge of all")
		for range 2 { // an emptied store has lost its log, too
			for _, url := range urls {
				o, _ := origin.Of(url)
				_ = store.Delete(t.Context(), o.String())
			}
			_ = store.Delete(t.Context(), fetch.PurgeKey)
			purge()
			time.Sleep(10 * time.Second)
			ask(3, "after an emptied store")
		}
	})
}

// TestManyPurges checks that a log of many origins becomes a purge of all.
func TestManyPurges(t *testing.T) {
	store := new(cachetest.Memory)
	o, err := origin.Of("https://a.example")
	if err != nil {
		t.Fatal(err)
	}
	many := make([]origin.Origin, 4000)
	for i := range many {
		many[i] = o
	}
	for range 10 {
		if err := fetch.PurgeStore(t.Context(), store, many...); err != nil {
			t.Fatal(err)
		}
		if e, err := store.Get(t.Context(), "purges"); err != nil || len(e.Data) > 400_000 {
			t.Fatalf("%d bytes, %v", len(e.Data), err)
		}
	}
}

// TestPurgeError checks that a store that fails is an error.
func TestPurgeError(t *testing.T) {
	if err := fetch.PurgeStore(t.Context(), brokenStore{}); !errors.Is(err, errBroken) {
		t.Error(err)
	}
}
