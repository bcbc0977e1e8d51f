package cachetest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/kosterhq/robotstxt/cache"
)

const goroutines = 64

// together runs f concurrently for each number below goroutines, and returns one of
// the errors.
func together(f func(i int) error) error {
	var (
		running sync.WaitGroup
		start   = make(chan struct{})
		errs    = make([]error, goroutines)
	)
	for i := range goroutines {
		running.Go(func() {
			<-start
			errs[i] = f(i)
		})
	}
	close(start)
	running.Wait()
	return cmp.Or(errs...)
}

// oneSucceeds calls try in all goroutines at once, with their numbers, and returns the
// number of the goroutine that succeeded. It is an error unless exactly one did.
func oneSucceeds(try func(i int) (ok bool, err error)) (winner int, err error) {
	var winners, last atomic.Int64
	err = together(func(i int) error {
		ok, err := try(i)
		if ok {
			winners.Add(1)
			last.Store(int64(i))
		}
		return err
	})
	if n := winners.Load(); err == nil && n != 1 {
		err = fmt.Errorf("%d calls stored their entry or acquired the lease, want 1", n)
	}
	return int(last.Load()), err
}

// checkConcurrentNewest puts entries of one key concurrently in random order. The
// newest must remain, and no goroutine must get an older entry after a newer one.
func checkConcurrentNewest(ctx context.Context, s cache.Store) error {
	const each = 8
	order := rand.Perm(goroutines * each)
	base := entryAt(0, "")
	entry := func(age int) cache.Entry {
		e := base
		e.FetchedAt, e.Data = base.FetchedAt.Add(time.Duration(age)), fmt.Append(nil, age)
		return e
	}
	newest := len(order) - 1
	// An entry that comes first is stored by a store that never replaces, too.
	if at := slices.Index(order, newest); at%each == 0 {
		order[at], order[at+1] = order[at+1], order[at]
	}
	err := together(func(i int) error {
		var seen time.Time
		for _, age := range order[i*each : (i+1)*each] {
			e := entry(age)
			stored, err := s.PutIfNewer(ctx, key, e)
			if err != nil {
				return err
			}
			if age == newest && !stored {
				return errors.New("the newest entry was not stored")
			}
			if seen.Before(e.FetchedAt) {
				seen = e.FetchedAt // from now on, no older entry must be present
			}
			got, err := s.Get(ctx, key)
			if err != nil {
				return err
			}
			if got.FetchedAt.Before(seen) {
				return fmt.Errorf("an entry from Get is %v older than an earlier one", seen.Sub(got.FetchedAt))
			}
			seen = got.FetchedAt
			if err := same(key, got, entry(int(got.FetchedAt.Sub(base.FetchedAt)))); err != nil {
				return err
			}
		}
		return nil
	})
	return errors.Join(err, want(ctx, s, key, entry(newest)))
}

// checkConcurrentEqual concurrently puts entries that were fetched at the same
// instant, in several rounds. Exactly one call must return stored, and its entry
// must be present.
func checkConcurrentEqual(ctx context.Context, s cache.Store) error {
	base := entryAt(0, "")
	for round := range 8 {
		k := fmt.Sprint("round ", round)
		entry := func(i int) cache.Entry {
			e := base
			e.Data = fmt.Append(nil, "goroutine ", i)
			return e
		}
		winner, err := oneSucceeds(func(i int) (bool, error) { return s.PutIfNewer(ctx, k, entry(i)) })
		if err != nil {
			return err
		}
		if err := want(ctx, s, k, entry(winner)); err != nil {
			return err
		}
	}
	return nil
}

// checkConcurrentKeys lets each goroutine use its own key. No goroutine must
// notice the others.
func checkConcurrentKeys(ctx context.Context, s cache.Store) error {
	return together(func(i int) error {
		k := fmt.Sprintf("https://%d.example:443", i)
		for round := range 8 {
			e := entryAt(time.Duration(round)*time.Second, fmt.Sprintf("round %d of goroutine %d", round, i))
			if err := putAndWant(ctx, s, k, e); err != nil {
				return err
			}
			if round%3 != 2 {
				continue
			}
			if err := errors.Join(s.Delete(ctx, k), wantAbsent(ctx, s, k)); err != nil {
				return err
			}
		}
		return nil
	})
}
