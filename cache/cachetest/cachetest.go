// Package cachetest tests whether a [cache.Store] obeys the rules in its
// documentation.
//
//	func TestContract(t *testing.T) {
//		cachetest.TestStore(t, func(t *testing.T) cache.Store {
//			s := mystore.New()
//			t.Cleanup(func() { s.Close() })
//			return s
//		})
//	}
//
// Each rule has a check. The tests of this package ensure that each check fails for
// a store that breaks its rule.
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

// TestStore runs one subtest for each rule. Each subtest calls open, which must
// return a new, empty store with space for at least 16 MiB, and should register its
// cleanup with t.Cleanup. The subtests sleep for a tenth of a second in total, until
// entries expire.
func TestStore(t *testing.T, open func(t *testing.T) cache.Store) {
	t.Helper()
	runAll(t, contract, open)
}

// checkOf tests a rule with an empty store. It returns an error instead of failing a
// test, so that the tests of this package can run it on stores that must fail.
type checkOf[S cache.Store] struct {
	name string
	run  func(ctx context.Context, s S) error
}

type check = checkOf[cache.Store]

func runAll[S cache.Store](t *testing.T, checks []checkOf[S], open func(t *testing.T) S) {
	t.Helper()
	for _, c := range checks {
		t.Run(c.name, func(t *testing.T) {
			if err := c.run(t.Context(), open(t)); err != nil {
				t.Error(err)
			}
		})
	}
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
	{"Unchanged", checkUnchanged},
	{"Changed", checkChanged},
	{"UnchangedOlder", checkUnchangedOlder},
	{"UnchangedExpired", checkUnchangedExpired},
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
	{"ConcurrentUnchanged", checkConcurrentUnchanged},
	{"ConcurrentKeys", checkConcurrentKeys},
}

const key = "https://example.com:443"

// entryAt returns an entry that was fetched at offset after one hour ago, rounded to
// a second, and that expires a day later.
func entryAt(offset time.Duration, text string) cache.Entry {
	fetched := time.Now().Truncate(time.Second).Add(offset - time.Hour)
	return cache.Entry{FetchedAt: fetched, Expires: fetched.Add(24 * time.Hour), Data: []byte(text)}
}

// put puts e, and returns an error unless the result equals stored.
func put(ctx context.Context, s cache.Store, key string, e cache.Entry, stored bool) error {
	got, err := s.PutIfNewer(ctx, key, e)
	return wantStored("PutIfNewer", key, got, err, stored)
}

// putOver puts e onto the entry that was fetched at seen, and returns an error unless
// the result equals stored.
func putOver(ctx context.Context, s cache.Store, key string, seen time.Time, e cache.Entry, stored bool) error {
	got, err := s.PutIfUnchanged(ctx, key, seen, e)
	return wantStored("PutIfUnchanged", key, got, err, stored)
}

func wantStored(method, key string, got bool, err error, want bool) error {
	if err != nil {
		return fmt.Errorf("%s(%.60q): %w", method, key, err)
	}
	if got != want {
		return fmt.Errorf("%s(%.60q): stored = %v, want %v", method, key, got, want)
	}
	return nil
}

// wantError returns an error unless err, from a call that must fail, is the expected error.
func wantError(call string, err, want error) error {
	if errors.Is(err, want) {
		return nil
	}
	return fmt.Errorf("%s: err = %v, want %w", call, err, want)
}

func wait(until time.Time) {
	for time.Now().Before(until) {
		time.Sleep(time.Until(until))
	}
}

// want returns an error unless the entry of key equals want.
func want(ctx context.Context, s cache.Store, key string, want cache.Entry) error {
	got, err := s.Get(ctx, key)
	if err != nil {
		return fmt.Errorf("Get(%.60q): %w", key, err)
	}
	return same(key, got, want)
}

func same(key string, got, want cache.Entry) error {
	switch {
	case !got.FetchedAt.Equal(want.FetchedAt):
		return fmt.Errorf("Get(%.60q): FetchedAt = %v, want %v", key, got.FetchedAt, want.FetchedAt)
	case !got.Expires.Equal(want.Expires):
		return fmt.Errorf("Get(%.60q): Expires = %v, want %v", key, got.Expires, want.Expires)
	case !bytes.Equal(got.Data, want.Data):
		return fmt.Errorf("Get(%.60q): %d bytes %.40q, want %d bytes %.40q", key, len(got.Data), got.Data, len(want.Data), want.Data)
	}
	return nil
}

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
