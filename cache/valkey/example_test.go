package valkey_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/cache/valkey"
)

// A process that finds no entry acquires the lease before it fetches.
func Example() {
	cfg, err := valkey.ParseURL("valkey://crawler:password@10.0.0.1:6379,10.0.0.2:6379?timeout=20ms")
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	store, err := valkey.Open(ctx, cfg)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer store.Close()

	const key = "https://example.com:443"
	_, err = store.Get(ctx, key)
	if !errors.Is(err, cache.ErrNotFound) {
		return // an entry was found; or the server failed, and this process fetches without it
	}
	lease, err := store.Acquire(ctx, key, 30*time.Second)
	if err != nil {
		return // another process fetches, or the server failed
	}
	defer lease.Release(ctx)
	// Call Get again, then fetch, and call PutIfNewer.
}
