package cachetest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/cache"
)

// steps are differences in age between two entries of a key. A store that compares
// floats loses the difference of one nanosecond.
var steps = []time.Duration{1, time.Microsecond, time.Second, 10 * time.Minute}

// forSteps calls check for each step, with its own key.
func forSteps(check func(k string, step time.Duration) error) error {
	var errs []error
	for _, step := range steps {
		errs = append(errs, check("by "+step.String(), step))
	}
	return errors.Join(errs...)
}

func checkNewerWins(ctx context.Context, s cache.Store) error {
	return forSteps(func(k string, step time.Duration) error {
		older, newer := entryAt(0, "the older one"), entryAt(0, "newer")
		newer.FetchedAt = older.FetchedAt.Add(step)
		newer.Expires = older.Expires.Add(-time.Hour) // Expires must not matter
		return errors.Join(put(ctx, s, k, older, true), putAndWant(ctx, s, k, newer))
	})
}

func checkOlderIgnored(ctx context.Context, s cache.Store) error {
	return forSteps(func(k string, step time.Duration) error {
		newer, older := entryAt(0, "the newer one"), entryAt(0, "older")
		older.FetchedAt = newer.FetchedAt.Add(-step)
		older.Expires = newer.Expires.Add(time.Hour)
		return errors.Join(put(ctx, s, k, newer, true), put(ctx, s, k, older, false), want(ctx, s, k, newer))
	})
}

func checkEqualIgnored(ctx context.Context, s cache.Store) error {
	first := entryAt(0, "first")
	second := first
	second.Data, second.Expires = []byte("second"), first.Expires.Add(time.Hour)
	return errors.Join(
		put(ctx, s, key, first, true),
		put(ctx, s, key, second, false),
		put(ctx, s, key, first, false),
		want(ctx, s, key, first),
	)
}

func checkDelete(ctx context.Context, s cache.Store) error {
	newer, older := entryAt(0, "newer"), entryAt(-time.Minute, "older")
	neighbour := key + "3"
	return errors.Join(
		s.Delete(ctx, key), // the key is absent
		put(ctx, s, key, newer, true),
		put(ctx, s, neighbour, newer, true),
		s.Delete(ctx, key),
		wantAbsent(ctx, s, key),
		s.Delete(ctx, key),
		want(ctx, s, neighbour, newer),
		putAndWant(ctx, s, key, older),
	)
}

// checkExpires waits until an entry expires, and then puts an older one.
func checkExpires(ctx context.Context, s cache.Store) error {
	// If the store takes longer than the lifetime, a longer one is tried.
	for life := 50 * time.Millisecond; life < time.Minute; life *= 5 {
		k := "for " + life.String()
		e := entryAt(0, "short")
		e.Expires = time.Now().Truncate(time.Millisecond).Add(life)
		stored, err := s.PutIfNewer(ctx, k, e)
		if err != nil {
			return err
		}
		unseen := k + ", unseen" // a Get can remove an expired entry, so this key is not read
		if _, err := s.PutIfNewer(ctx, unseen, e); err != nil {
			return err
		}
		got, err := s.Get(ctx, k)
		if time.Now().Before(e.Expires) {
			if !stored || err != nil {
				return fmt.Errorf("the entry is absent %v before it expires: stored = %v, err = %v", time.Until(e.Expires), stored, err)
			}
			if err := same(k, got, e); err != nil {
				return err
			}
			wait(e.Expires)
			older := entryAt(-time.Minute, "older")
			return errors.Join(
				putAndWant(ctx, s, unseen, older),
				wantAbsent(ctx, s, k),
				putAndWant(ctx, s, k, older),
			)
		}
	}
	return errors.New("the store takes half a minute for a PutIfNewer and a Get")
}

func checkExpiredPut(ctx context.Context, s cache.Store) error {
	e := entryAt(0, "too late")
	e.Expires = time.Now().Add(-time.Millisecond)
	longAgo := entryAt(time.Minute, "far too late")
	longAgo.Expires = time.Unix(0, 0)
	kept := entryAt(-time.Minute, "kept")
	return errors.Join(
		put(ctx, s, key, e, false),
		wantAbsent(ctx, s, key),
		put(ctx, s, key, longAgo, false),
		wantAbsent(ctx, s, key),
		put(ctx, s, key, kept, true),
		put(ctx, s, key, e, false),
		want(ctx, s, key, kept),
	)
}

// calls calls each method of a store for a key, and returns the errors by method.
func calls(ctx context.Context, s cache.Store, key string, seen time.Time, e cache.Entry) map[string]error {
	_, get := s.Get(ctx, key)
	_, newer := s.PutIfNewer(ctx, key, e)
	_, unchanged := s.PutIfUnchanged(ctx, key, seen, e)
	return map[string]error{"Get": get, "PutIfNewer": newer, "PutIfUnchanged": unchanged, "Delete": s.Delete(ctx, key)}
}

func checkInvalid(ctx context.Context, s cache.Store) error {
	var errs []error
	expect := func(call string, err error) { errs = append(errs, wantError(call, err, cache.ErrInvalid)) }
	good := entryAt(0, "good")
	for _, k := range []string{"", strings.Repeat("k", cache.MaxKey+1), strings.Repeat("k", 1<<20)} {
		for method, err := range calls(ctx, s, k, absent, good) {
			expect(fmt.Sprintf("%s with a key of %d bytes", method, len(k)), err)
		}
	}
	if err := put(ctx, s, key, good, true); err != nil {
		return err
	}
	newer := good.FetchedAt.Add(time.Minute)
	for _, bad := range []cache.Entry{
		{},
		{FetchedAt: newer},
		{Expires: good.Expires},
		{FetchedAt: time.Unix(-1, 0), Expires: good.Expires},
		{FetchedAt: newer, Expires: time.Unix(1<<40, 0)},
	} {
		_, err := s.PutIfNewer(ctx, key, bad)
		expect(fmt.Sprintf("PutIfNewer of FetchedAt %v, Expires %v", bad.FetchedAt, bad.Expires), err)
		_, err = s.PutIfUnchanged(ctx, key, good.FetchedAt, bad)
		expect(fmt.Sprintf("PutIfUnchanged of FetchedAt %v, Expires %v", bad.FetchedAt, bad.Expires), err)
	}
	return errors.Join(append(errs, want(ctx, s, key, good))...)
}

func checkDoneContext(ctx context.Context, s cache.Store) error {
	e := entryAt(0, "there before")
	if err := put(ctx, s, key, e, true); err != nil {
		return err
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	late, cancel := context.WithDeadline(ctx, time.Now().Add(-time.Second))
	defer cancel()
	var errs []error
	for _, done := range []context.Context{cancelled, late} {
		_, err := s.Get(done, "absent")
		errs = append(errs, wantError("Get of an absent key", err, done.Err()))
		for method, err := range calls(done, s, key, e.FetchedAt, entryAt(time.Minute, "too late")) {
			errs = append(errs, wantError(method, err, done.Err()))
		}
	}
	return errors.Join(append(errs, want(ctx, s, key, e))...)
}
