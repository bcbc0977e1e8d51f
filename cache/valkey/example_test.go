package valkey_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/cache/valkey"
)

// One process of a fleet fetches what none of them has.
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
		return // here it is, or there is no answer: then this process fetches for itself
	}
	lease, err := store.Acquire(ctx, key, 30*time.Second)
	if err != nil {
		return // somebody else is at it, or again there is no answer
	}
	defer lease.Release(ctx)
	// Look again, fetch, and put.
}
