package cache_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/kosterhq/robotstxt/cache"
)

// Whoever fetched last wins, in whatever order the entries arrive.
func ExampleStore() {
	var store cache.Store = cache.NewMemory(cache.MemoryConfig{MaxBytes: 16 << 20})
	ctx, key := context.Background(), "https://example.com:443"

	fetched := time.Now()
	newer := cache.Entry{FetchedAt: fetched, Expires: fetched.Add(30 * 24 * time.Hour), Data: []byte("newer")}
	older := cache.Entry{FetchedAt: fetched.Add(-time.Hour), Expires: newer.Expires, Data: []byte("older")}
	for _, e := range []cache.Entry{newer, older} {
		stored, err := store.PutIfNewer(ctx, key, e)
		fmt.Printf("%s: stored %v, error %v\n", e.Data, stored, err)
	}

	got, err := store.Get(ctx, key)
	fmt.Printf("%s, error %v\n", got.Data, err)

	if _, err := store.Get(ctx, "https://example.org:443"); errors.Is(err, cache.ErrNotFound) {
		fmt.Println("the other is absent")
	}
	// Output:
	// newer: stored true, error <nil>
	// older: stored false, error <nil>
	// newer, error <nil>
	// the other is absent
}
