package cache_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/cache/cachetest"
)

// A caller looks for an entry first, and fetches only if the key is absent or the
// store fails.
func Example() {
	store := new(cachetest.Memory)
	ctx := context.Background()

	load := func(key string) ([]byte, error) {
		if e, err := store.Get(ctx, key); err == nil {
			return e.Data, nil
		}
		fmt.Println("fetching", key)
		now := time.Now()
		e := cache.Entry{FetchedAt: now, Expires: now.Add(24 * time.Hour), Data: []byte("User-agent: *\n")}
		_, err := store.PutIfNewer(ctx, key, e)
		return e.Data, err
	}
	for range 2 {
		data, err := load("https://example.com")
		fmt.Printf("%q %v\n", data, err)
	}
	// Output:
	// fetching https://example.com
	// "User-agent: *\n" <nil>
	// "User-agent: *\n" <nil>
}

// The entry that was fetched last remains, whatever the order of the calls.
func ExampleStore() {
	var store cache.Store = new(cachetest.Memory)
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
		fmt.Println("the other key is absent")
	}
	// Output:
	// newer: stored true, error <nil>
	// older: stored false, error <nil>
	// newer, error <nil>
	// the other key is absent
}

// CheckKey returns the error that every Store returns for an invalid key.
func ExampleCheckKey() {
	fmt.Println(cache.CheckKey("https://example.com"))
	err := cache.CheckKey(strings.Repeat("x", 2000))
	fmt.Println(errors.Is(err, cache.ErrInvalid), err)
	// Output:
	// <nil>
	// true cache: invalid: a key of 2000 bytes is over the limit of 1024
}
