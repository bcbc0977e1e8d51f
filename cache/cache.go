// Package cache keeps what was fetched: bytes under a key, with two times.
//
// [Store] is the contract that every place to keep entries honours, in this
// process, on a disk that several processes share, or on a server that a fleet
// shares. [Memory] is the one in this process. Package cachetest tests any of
// them against the contract.
//
// A store is never needed for a right answer. It may lose an entry at any time,
// and it may be away: both cost a fetch, nothing else. So nothing here promises
// durability; what is promised is that what comes back is what was put, whole,
// and that an older entry never takes the place of a newer one.
package cache

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Store keeps entries by key, for use by many goroutines at once, and by
// several processes where the store is shared. Its methods keep these rules:
//
//   - Keys are strings of 1 to [MaxKey] bytes, of any bytes: two keys are the
//     same only if their bytes are. Data may be empty, holds any bytes, and up
//     to 1 MiB always fits, unless the whole store is configured to be too
//     small for that. A key or an entry outside the rules is an error that
//     wraps [ErrInvalid] (see [CheckKey] and [Entry.Check]), and changes
//     nothing.
//   - Times come back as the same instant to the nanosecond, in any time zone,
//     and without a reading of the monotonic clock: entries of two processes,
//     or of one before and after a suspend, are compared by the wall clock.
//   - An entry whose Expires is not after now is absent, for all methods,
//     whether or not it still takes up room.
//   - A store may drop any entry at any time, to stay within its size or
//     because its server forgot. Dropped is absent.
//   - [ErrNotFound] says that the key is absent. Any other error says that the
//     store could not answer, and nothing about the key.
//   - A call whose context is done already changes nothing and returns the
//     error of the context. If the context ends during the call, the call
//     returns soon, with that error if it was not completed; it may have taken
//     effect nevertheless.
//
// Closing is not part of it: who opened a store closes it.
type Store interface {
	// Get returns the entry of a key. Its Data is for reading only: the store
	// and other callers may hold the same bytes. Nobody writes to them any
	// more, so they stay valid and unchanged after the entry is replaced. To
	// append to Data is safe.
	//
	// Get never returns an entry older than one that was there before the call
	// began, unless that one was deleted or dropped.
	Get(ctx context.Context, key string) (Entry, error)

	// PutIfNewer keeps e under key if the key is absent, or if its entry was
	// fetched before e was. Of two entries fetched at the same instant the
	// first stays, so that all who race agree on one. It is one atomic step
	// for each key, among goroutines and among processes: whatever the order of
	// the calls, the newest of their entries remains.
	//
	// stored reports whether e took the place. It is false without an error if
	// there is an entry as new or newer, if e has expired already, or if e is
	// bigger than the store wants. In the last case an entry older than e is
	// removed, so that nobody takes it for the newest.
	//
	// The store copies what it keeps: the caller may write to e.Data after the
	// call.
	PutIfNewer(ctx context.Context, key string, e Entry) (stored bool, err error)

	// Delete makes a key absent; that it was absent is no error. After it, an
	// entry older than the deleted one may be put. That is also how to get rid
	// of an entry that a fast clock has dated into the future, which would
	// keep all others out until then.
	Delete(ctx context.Context, key string) error
}

// Entry is what a [Store] keeps under a key. The Data means nothing to the
// store; the times decide which entry of a key stays, and for how long.
type Entry struct {
	// FetchedAt orders the entries of a key: the newer one wins.
	FetchedAt time.Time

	// Expires is when nobody wants the entry any more, not even as a stale
	// copy; from then on it is absent. It is not when the entry ceases to be
	// fresh, which only its Data knows.
	Expires time.Time

	// Data is what was fetched, in a form that the caller knows.
	Data []byte
}

// MaxKey is the length of the longest key in bytes. It leaves room for a host
// name of the greatest length, and for the prefix that a shared store may add.
const MaxKey = 1024

// ErrNotFound says that a key is absent: never put, deleted, expired or
// dropped. It is an answer, where every other error of a store is the lack of
// one.
var ErrNotFound = errors.New("cache: not found")

// ErrInvalid says that a key or an entry breaks the rules of [Store]. It is a
// mistake of the caller that no repetition mends, and it says nothing about
// the state of the store.
var ErrInvalid = errors.New("cache: invalid")

// CheckKey returns an error that wraps [ErrInvalid] unless key is fit for any
// [Store]. Stores call it in each method, so that a key that one of them
// accepts is accepted by all.
func CheckKey(key string) error {
	switch {
	case key == "":
		return fmt.Errorf("%w: empty key", ErrInvalid)
	case len(key) > MaxKey:
		return fmt.Errorf("%w: key of %d bytes, at most %d are allowed", ErrInvalid, len(key), MaxKey)
	}
	return nil
}

// Check returns an error that wraps [ErrInvalid] unless the times of e lie
// between 1970 and 2262, where a store can write them as nanoseconds since 1970
// in 64 bits. The zero time lies outside: there is no entry without an end.
func (e Entry) Check() error {
	if !fits(e.FetchedAt) {
		return fmt.Errorf("%w: FetchedAt %v", ErrInvalid, e.FetchedAt)
	}
	if !fits(e.Expires) {
		return fmt.Errorf("%w: Expires %v", ErrInvalid, e.Expires)
	}
	return nil
}

// fits reports whether t.UnixNano says what t says, and is not negative, so
// that digits of equal number sort like the times they stand for.
func fits(t time.Time) bool {
	return !t.Before(earliest) && !t.After(latest)
}

var (
	earliest = time.Unix(0, 0)
	latest   = time.Unix(0, 1<<63-1)
)
