package cachetest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/kosterhq/robotstxt/cache"
)

// absent is the time that a caller of PutIfUnchanged passes if it has read no
// entry.
var absent time.Time

// checkUnchanged puts onto the present entry, and onto a key without an entry.
func checkUnchanged(ctx context.Context, s cache.Store) error {
	return forSteps(func(k string, step time.Duration) error {
		first, second := entryAt(0, "first"), entryAt(0, "second")
		second.FetchedAt = first.FetchedAt.Add(step)
		east := first.FetchedAt.In(time.FixedZone("east", 14*3600))
		data := append([]byte{}, second.Data...)
		err := errors.Join(
			putOver(ctx, s, k, absent, first, true),
			want(ctx, s, k, first),
			putOver(ctx, s, k, east, second, true))
		clear(second.Data) // the store has copied it
		second.Data = data
		return errors.Join(err, want(ctx, s, k, second))
	})
}

// checkChanged puts onto an entry that is not the present one. An error that was
// found meanwhile must not replace a good copy.
func checkChanged(ctx context.Context, s cache.Store) error {
	read, present, late := entryAt(0, "read"), entryAt(time.Minute, "present"), entryAt(time.Hour/2, "late")
	return errors.Join(
		putOver(ctx, s, key, read.FetchedAt, late, false), // the entry was deleted or dropped
		wantAbsent(ctx, s, key),
		put(ctx, s, key, present, true),
		putOver(ctx, s, key, absent, late, false),
		putOver(ctx, s, key, read.FetchedAt, late, false),
		putOver(ctx, s, key, late.FetchedAt, late, false),
		forSteps(func(_ string, step time.Duration) error {
			return errors.Join(
				putOver(ctx, s, key, present.FetchedAt.Add(step), late, false),
				putOver(ctx, s, key, present.FetchedAt.Add(-step), late, false))
		}),
		want(ctx, s, key, present),
	)
}

// checkUnchangedOlder puts an older entry onto the present one, as callers do if that
// one is from the future, and an equally old one, which must not replace it.
func checkUnchangedOlder(ctx context.Context, s cache.Store) error {
	return forSteps(func(k string, step time.Duration) error {
		present, older := entryAt(0, "present"), entryAt(0, "older")
		older.FetchedAt = present.FetchedAt.Add(-step)
		second := present
		second.Data = []byte("second")
		return errors.Join(
			put(ctx, s, k, present, true),
			putOver(ctx, s, k, present.FetchedAt, second, false),
			want(ctx, s, k, present),
			putOver(ctx, s, k, present.FetchedAt, older, true),
			want(ctx, s, k, older))
	})
}

// checkUnchangedExpired puts an expired entry, and waits until the present one
// expires: it is then absent, so it differs from the entry that was read.
func checkUnchangedExpired(ctx context.Context, s cache.Store) error {
	e, late := entryAt(0, "present"), entryAt(time.Minute, "late")
	late.Expires = time.Now().Add(-time.Millisecond)
	if err := errors.Join(
		putOver(ctx, s, "late", absent, late, false),
		wantAbsent(ctx, s, "late"),
	); err != nil {
		return err
	}
	e.Expires = time.Now().Add(20 * time.Millisecond)
	if _, err := s.PutIfNewer(ctx, key, e); err != nil {
		return err
	}
	wait(e.Expires)
	older := entryAt(-time.Minute, "older")
	return errors.Join(
		putOver(ctx, s, key, e.FetchedAt, entryAt(time.Minute, "newer"), false),
		putOver(ctx, s, key, absent, older, true),
		want(ctx, s, key, older),
	)
}

// checkConcurrentUnchanged lets all goroutines put onto the same entry, in several
// rounds. Exactly one call must return stored, and its entry must be present.
func checkConcurrentUnchanged(ctx context.Context, s cache.Store) error {
	base, seen := entryAt(0, ""), absent
	for round := range 8 {
		entry := func(i int) cache.Entry {
			e := base
			// The order differs from the order of the goroutines: otherwise
			// several would be newer than the one before.
			e.FetchedAt = base.FetchedAt.Add(time.Duration(round*goroutines + i*37%goroutines))
			e.Data = fmt.Append(nil, "goroutine ", i)
			return e
		}
		winner, err := oneSucceeds(func(i int) (bool, error) { return s.PutIfUnchanged(ctx, key, seen, entry(i)) })
		if err != nil {
			return err
		}
		last := entry(winner)
		if err := want(ctx, s, key, last); err != nil {
			return err
		}
		seen = last.FetchedAt
	}
	return nil
}
