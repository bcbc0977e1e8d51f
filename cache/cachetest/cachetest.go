// Package cachetest tests whether a [cache.Store] keeps the contract that its
// comment states. Each rule there has a check here, and each check is known to
// fail for a store that breaks its rule: the package's own tests break stores
// on purpose.
package cachetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cache"
)

// TestStore runs one subtest for each rule of the contract. Each calls open
// for an empty store that no other uses, with room for at least 16 MiB, and
// open registers with t.Cleanup what closes it. The subtests of one store sleep
// for a tenth of a second in all, to see entries expire.
func TestStore(t *testing.T, open func(t *testing.T) cache.Store) {
	t.Helper()
	for _, c := range contract {
		t.Run(c.name, func(t *testing.T) {
			if err := c.run(t.Context(), open(t)); err != nil {
				t.Error(err)
			}
		})
	}
}

// check holds an empty store against a rule. It returns an error, rather than
// to fail a test, so that tests can hold it against stores that must fail.
type check struct {
	name string
	run  func(ctx context.Context, s cache.Store) error
}

var contract = []check{
	{"RoundTrip", checkRoundTrip},
	{"NotFound", checkNotFound},
	{"Nanoseconds", checkNanoseconds},
	{"Zones", checkZones},
	{"WallClock", checkWallClock},
	{"NewerWins", checkNewerWins},
	{"OlderIgnored", checkOlderIgnored},
	{"EqualIgnored", checkEqualIgnored},
	{"Delete", checkDelete},
	{"Keys", checkKeys},
	{"EmptyData", checkEmptyData},
	{"BinaryData", checkBinaryData},
	{"BigData", checkBigData},
	{"PutCopies", checkPutCopies},
	{"GetStaysValid", checkGetStaysValid},
	{"Expires", checkExpires},
	{"ExpiredPut", checkExpiredPut},
	{"Invalid", checkInvalid},
	{"DoneContext", checkDoneContext},
	{"ConcurrentNewest", checkConcurrentNewest},
	{"ConcurrentEqual", checkConcurrentEqual},
	{"ConcurrentKeys", checkConcurrentKeys},
}

const key = "https://example.com:443"

// entryAt returns an entry that was fetched the given time after an hour ago,
// at a full second, and that stays for a day.
func entryAt(offset time.Duration, text string) cache.Entry {
	fetched := time.Now().Truncate(time.Second).Add(offset - time.Hour)
	return cache.Entry{FetchedAt: fetched, Expires: fetched.Add(24 * time.Hour), Data: []byte(text)}
}

// put puts e and returns an error unless the store says stored.
func put(ctx context.Context, s cache.Store, key string, e cache.Entry, stored bool) error {
	got, err := s.PutIfNewer(ctx, key, e)
	if err != nil {
		return fmt.Errorf("PutIfNewer(%.60q): %w", key, err)
	}
	if got != stored {
		return fmt.Errorf("PutIfNewer(%.60q) says stored = %v, want %v", key, got, stored)
	}
	return nil
}

// want returns an error unless the store holds want under key.
func want(ctx context.Context, s cache.Store, key string, want cache.Entry) error {
	got, err := s.Get(ctx, key)
	if err != nil {
		return fmt.Errorf("Get(%.60q): %w", key, err)
	}
	return same(key, got, want)
}

func same(key string, got, want cache.Entry) error {
	if !got.FetchedAt.Equal(want.FetchedAt) {
		return fmt.Errorf("Get(%.60q): FetchedAt = %v, want %v", key, got.FetchedAt, want.FetchedAt)
	}
	if !got.Expires.Equal(want.Expires) {
		return fmt.Errorf("Get(%.60q): Expires = %v, want %v", key, got.Expires, want.Expires)
	}
	if !bytes.Equal(got.Data, want.Data) {
		return fmt.Errorf("Get(%.60q): %d bytes %.40q, want %d bytes %.40q", key, len(got.Data), got.Data, len(want.Data), want.Data)
	}
	return nil
}

// wantAbsent returns an error unless the store says that key is absent.
func wantAbsent(ctx context.Context, s cache.Store, key string) error {
	got, err := s.Get(ctx, key)
	if !errors.Is(err, cache.ErrNotFound) {
		return fmt.Errorf("Get(%.60q) = entry of %v, error %v; want ErrNotFound", key, got.FetchedAt, err)
	}
	return nil
}

// putAndWant puts e, which must be stored, and gets it back.
func putAndWant(ctx context.Context, s cache.Store, key string, e cache.Entry) error {
	if err := put(ctx, s, key, e, true); err != nil {
		return err
	}
	return want(ctx, s, key, e)
}
