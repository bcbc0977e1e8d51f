// Package cache defines a store for fetched files.
//
//	store, err := disk.Open(ctx, disk.Config{Dir: "/var/cache/foobot"})
//	client, err := fetch.New(fetch.Config{
//		UserAgent: "FooBot/1.0 (+https://foobot.example/about)",
//		Store:     store,
//	})
//
// A [Store] keeps an [Entry] for each key: bytes, the time at which they were
// fetched, and the time at which they expire. There are two implementations. Package
// cache/disk keeps entries in a file that several processes share, and package
// cache/valkey on a server that several machines share. To write another one,
// implement Store and test it with package cachetest, which also has a store in
// memory for tests. A shared store can also implement [Leaser].
//
// A cache is not durable. It can lose an entry at any time, and it can fail. In
// both cases the caller fetches again. A store guarantees only that an entry it
// returns is complete and unchanged, and that an older entry replaces a newer
// entry only if its caller has read the newer one.
package cache

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Store keeps entries by key. It is safe for concurrent use by goroutines, and by
// processes if the store is shared. Every implementation obeys these rules:
//
//   - A key has 1 to [MaxKey] bytes of any value. Two keys are equal only if
//     their bytes are.
//   - Data can be empty and can contain any bytes. A store accepts at least 1 MiB
//     of Data, unless its configured size is too small for that.
//   - An invalid key or entry is an error that wraps [ErrInvalid], and changes
//     nothing. See [CheckKey] and [Entry.Check].
//   - A store returns times as the same instant to the nanosecond, in any time
//     zone, and without a reading of the monotonic clock. Entries of different
//     processes, or from before and after a suspend, are compared by wall clock.
//   - An entry whose Expires is not after the current time is absent for all
//     methods, even if it still occupies space.
//   - A store can drop an entry at any time, for example to limit its size. The
//     key is then absent.
//   - [ErrNotFound] means that the key is absent. Any other error means that the
//     store failed; the key can be present or absent.
//   - If the context has ended before a call, the call changes nothing and
//     returns the context's error. If it ends during a call, the call returns
//     soon. It returns the context's error if it was not completed, but it can
//     have taken effect.
//
// Store has no Close method. The code that opens a store closes it.
type Store interface {
	// Get returns the entry of a key. The caller must not write to its Data,
	// which it can share with the store and other callers. Data stays valid and
	// unchanged after the entry is replaced. Appending to it is safe.
	//
	// Get never returns an entry older than one that was present before the
	// call, unless that one was deleted, dropped or replaced by PutIfUnchanged.
	Get(ctx context.Context, key string) (Entry, error)

	// PutIfNewer stores e if the key is absent or if its entry was fetched
	// before e. If both were fetched at the same instant, the stored entry
	// stays. The operation is atomic for each key, among goroutines and
	// processes: after any sequence of calls the newest of their entries
	// remains.
	//
	// stored reports whether e was stored. It is false without an error in three
	// cases: the present entry is as new or newer, e has expired, or e is too
	// large for the store. In the last case the store removes an entry older
	// than e, so that callers do not use an outdated entry.
	//
	// The store copies e.Data. The caller can change it after the call.
	PutIfNewer(ctx context.Context, key string, e Entry) (stored bool, err error)

	// PutIfUnchanged stores e if the key still has the entry that the caller has
	// read: the entry that was fetched at seen, or no entry if seen is the zero
	// time. Callers use it if e must not replace an entry that they have not seen.
	// They also use it to replace an entry from the future, which a wrong clock
	// has made: unlike PutIfNewer, it replaces an entry that was fetched after e.
	// It does not replace an entry that was fetched at the same instant as e.
	PutIfUnchanged(ctx context.Context, key string, seen time.Time, e Entry) (stored bool, err error)

	// Delete makes a key absent. It returns no error if the key is absent
	// already. After Delete, callers can put an entry older than the deleted
	// one.
	Delete(ctx context.Context, key string) error
}

// Entry is the value that a [Store] keeps under a key. The store does not
// interpret Data.
type Entry struct {
	// FetchedAt orders the entries of a key: the newest one remains.
	FetchedAt time.Time

	// Expires is the time from which the entry is absent. It should be later
	// than the end of its freshness, so that the entry remains available as a
	// stale copy.
	Expires time.Time

	// Data is the content, in the caller's format.
	Data []byte
}

// MaxKey is the length of the longest key, in bytes. It is enough for the longest
// host name and for a prefix that a shared store can add.
const MaxKey = 1024

// ErrNotFound means that a key is absent: it was never put, or its entry was
// deleted, dropped or has expired. Every other error of a store means that the
// store failed.
var ErrNotFound = errors.New("cache: not found")

// ErrInvalid means that a key or an entry breaks the rules of [Store]. It is a
// mistake of the caller, so a repetition fails too. The store itself works.
var ErrInvalid = errors.New("cache: invalid")

// ErrNewer means that a newer version of the program has written the entry of a key,
// in a format that this version cannot read. Get returns an error that wraps it. So
// do PutIfNewer and PutIfUnchanged, which leave the entry as it is until it expires:
// programs of both versions use a store during an upgrade.
var ErrNewer = errors.New("cache: written by a newer version")

// CheckKey returns an error that wraps [ErrInvalid] if key is not a valid key of a
// [Store], and nil otherwise. Every store calls it in each method, so that all of
// them accept the same keys.
func CheckKey(key string) error {
	switch {
	case key == "":
		return fmt.Errorf("%w: empty key", ErrInvalid)
	case len(key) > MaxKey:
		return fmt.Errorf("%w: a key of %d bytes is over the limit of %d", ErrInvalid, len(key), MaxKey)
	}
	return nil
}

// CheckKeys returns the error of [CheckKey] for the first key that is not valid.
func CheckKeys(keys []string) error {
	for _, key := range keys {
		if err := CheckKey(key); err != nil {
			return err
		}
	}
	return nil
}

// Check returns an error that wraps [ErrInvalid] if a time of e is before 1970 or
// after 2262, and nil otherwise. Stores write times as nanoseconds since 1970 in 64
// bits. The zero time is invalid, so every entry needs an Expires.
func (e Entry) Check() error {
	if !fits(e.FetchedAt) {
		return fmt.Errorf("%w: FetchedAt %v is not from 1970 to 2262", ErrInvalid, e.FetchedAt)
	}
	if !fits(e.Expires) {
		return fmt.Errorf("%w: Expires %v is not from 1970 to 2262", ErrInvalid, e.Expires)
	}
	return nil
}

// CheckSeen returns an error that wraps [ErrInvalid] if seen cannot be the FetchedAt
// of an entry and is not the zero time, and nil otherwise. Every store calls it in
// PutIfUnchanged.
func CheckSeen(seen time.Time) error {
	if !seen.IsZero() && !fits(seen) {
		return fmt.Errorf("%w: seen %v is not from 1970 to 2262", ErrInvalid, seen)
	}
	return nil
}

// fits reports whether t.UnixNano is defined and not negative. Such numbers with
// equal numbers of digits sort like the times.
func fits(t time.Time) bool {
	return !t.Before(earliest) && !t.After(latest)
}

var (
	earliest = time.Unix(0, 0)
	latest   = time.Unix(0, 1<<63-1)
)
