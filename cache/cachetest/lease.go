package cachetest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cache"
)

// LeasingStore is a store with leases.
type LeasingStore interface {
	cache.Store
	cache.Leaser
}

// TestLeaser runs one subtest for each rule of [cache.Leaser]. open is as in
// [TestStore]. The subtests sleep for a fifth of a second in total, until leases end.
func TestLeaser(t *testing.T, open func(t *testing.T) LeasingStore) {
	t.Helper()
	runAll(t, leaseContract, open)
}

var leaseContract = []checkOf[LeasingStore]{
	{"Exclusive", checkExclusive},
	{"Release", checkRelease},
	{"Ends", checkEnds},
	{"Renew", checkRenew},
	{"Lost", checkLost},
	{"Entries", checkEntries},
	{"PutAndRelease", checkPutAndRelease},
	{"InvalidLease", checkInvalidLease},
	{"DoneLease", checkDoneLease},
	{"ConcurrentLease", checkConcurrentLease},
}

func wantLeased(ctx context.Context, s LeasingStore, key string) error {
	l, err := s.Acquire(ctx, key, time.Minute)
	if l != nil || !errors.Is(err, cache.ErrLeased) {
		return fmt.Errorf("Acquire(%.60q) = %v, %v; want ErrLeased", key, l, err)
	}
	var held *cache.LeasedError
	if errors.As(err, &held) && (held.Remaining < 0 || held.Remaining > time.Minute) {
		return fmt.Errorf("Acquire(%.60q): %v remain of a lease for a minute", key, held.Remaining)
	}
	return nil
}

func checkExclusive(ctx context.Context, s LeasingStore) error {
	_, err1 := s.Acquire(ctx, key, time.Minute)
	_, err2 := s.Acquire(ctx, key+"3", time.Minute)
	return errors.Join(err1, err2, wantLeased(ctx, s, key), wantLeased(ctx, s, key+"3"))
}

func checkRelease(ctx context.Context, s LeasingStore) error {
	l, err := s.Acquire(ctx, key, time.Minute)
	if err != nil {
		return err
	}
	other, err := s.Acquire(ctx, key+"3", time.Minute)
	if err != nil {
		return err
	}
	if err := errors.Join(l.Release(ctx), wantLeased(ctx, s, key+"3"), other.Release(ctx), l.Release(ctx)); err != nil {
		return err
	}
	_, err = s.Acquire(ctx, key, time.Minute)
	return err
}

// ended acquires a lease and waits until it has ended.
func ended(ctx context.Context, s LeasingStore) (cache.Lease, error) {
	const ttl = 20 * time.Millisecond
	l, err := s.Acquire(ctx, key, ttl)
	if err == nil {
		time.Sleep(ttl + 5*time.Millisecond) // servers count whole milliseconds
	}
	return l, err
}

// checkEnds acquires a lease that another caller has not released.
func checkEnds(ctx context.Context, s LeasingStore) error {
	if _, err := ended(ctx, s); err != nil {
		return err
	}
	_, err := s.Acquire(ctx, key, time.Minute)
	return errors.Join(err, wantLeased(ctx, s, key))
}

func checkRenew(ctx context.Context, s LeasingStore) error {
	// If the store takes longer than the lease, a longer one is tried.
	for ttl := 50 * time.Millisecond; ttl < time.Minute; ttl *= 5 {
		k := "for " + ttl.String()
		began := time.Now()
		l, err := s.Acquire(ctx, k, ttl)
		if err != nil {
			return err
		}
		err = l.Renew(ctx, time.Minute)
		if time.Since(began) >= ttl {
			continue
		}
		time.Sleep(ttl - time.Since(began) + 5*time.Millisecond)
		return errors.Join(err, wantLeased(ctx, s, k), l.Release(ctx))
	}
	return errors.New("the store takes half a minute for an Acquire and a Renew")
}

// checkLost uses a lease after another caller has acquired it.
func checkLost(ctx context.Context, s LeasingStore) error {
	lost, err := ended(ctx, s)
	if err != nil {
		return err
	}
	if err := wantError("Renew after the end", lost.Renew(ctx, time.Minute), cache.ErrLeased); err != nil {
		return err
	}
	if _, err := s.Acquire(ctx, key, time.Minute); err != nil {
		return err
	}
	return errors.Join(
		wantError("Renew of a lease that another caller has", lost.Renew(ctx, time.Minute), cache.ErrLeased),
		lost.Release(ctx),
		wantLeased(ctx, s, key),
	)
}

// checkEntries checks that leases and entries of a key do not affect each other.
func checkEntries(ctx context.Context, s LeasingStore) error {
	l, err := s.Acquire(ctx, key, time.Minute)
	if err != nil {
		return err
	}
	e := entryAt(0, "entry")
	return errors.Join(
		wantAbsent(ctx, s, key),
		putAndWant(ctx, s, key, e),
		wantLeased(ctx, s, key),
		l.Release(ctx),
		want(ctx, s, key, e),
	)
}

// checkPutAndRelease tests [cache.PutReleaser], if leases implement it: each call ends
// the lease, and puts like PutIfUnchanged. A lost lease releases no other one.
func checkPutAndRelease(ctx context.Context, s LeasingStore) error {
	first, second := entryAt(0, "first"), entryAt(time.Minute, "second")
	late := entryAt(time.Hour, "late")
	late.Expires = time.Now().Add(-time.Minute)
	for i, step := range []struct {
		seen   time.Time
		e      cache.Entry
		stored bool
		after  cache.Entry
	}{
		{absent, first, true, first},
		{absent, second, false, first},
		{first.FetchedAt, second, true, second},
		{second.FetchedAt, late, false, second},
	} {
		l, err := s.Acquire(ctx, key, time.Minute)
		if err != nil {
			return fmt.Errorf("step %d: the call before has not released the lease: %w", i, err)
		}
		both, ok := l.(cache.PutReleaser)
		if !ok {
			return nil
		}
		stored, err := both.PutAndRelease(ctx, step.seen, step.e)
		if err != nil || stored != step.stored {
			return fmt.Errorf("step %d: PutAndRelease = %v, %w; want %v", i, stored, err, step.stored)
		}
		if err := want(ctx, s, key, step.after); err != nil {
			return err
		}
	}
	lost, err := ended(ctx, s)
	if err != nil {
		return err
	}
	if _, err := s.Acquire(ctx, key, time.Minute); err != nil {
		return err
	}
	third := entryAt(2*time.Minute, "third")
	stored, err := lost.(cache.PutReleaser).PutAndRelease(ctx, second.FetchedAt, third)
	if err != nil || !stored {
		return fmt.Errorf("of a lost lease, PutAndRelease = %v, %w; want true", stored, err)
	}
	return errors.Join(wantLeased(ctx, s, key), want(ctx, s, key, third))
}

func checkInvalidLease(ctx context.Context, s LeasingStore) error {
	var errs []error
	for _, wrong := range []struct {
		key string
		ttl time.Duration
	}{{"", time.Minute}, {strings.Repeat("k", cache.MaxKey+1), time.Minute}, {key, 0}, {key, -time.Minute}} {
		_, err := s.Acquire(ctx, wrong.key, wrong.ttl)
		errs = append(errs, wantError(fmt.Sprintf("Acquire with a key of %d bytes for %v", len(wrong.key), wrong.ttl), err, cache.ErrInvalid))
	}
	l, err := s.Acquire(ctx, key, time.Minute)
	if err != nil {
		return err
	}
	return errors.Join(append(errs, wantError("Renew for 0", l.Renew(ctx, 0), cache.ErrInvalid))...)
}

func checkDoneLease(ctx context.Context, s LeasingStore) error {
	done, cancel := context.WithCancel(ctx)
	cancel()
	_, acquired := s.Acquire(done, key, time.Minute)
	l, err := s.Acquire(ctx, key, time.Minute)
	if err != nil {
		return fmt.Errorf("a call whose context had ended took the lease: %w", err)
	}
	return errors.Join(
		wantError("Acquire", acquired, context.Canceled),
		wantError("Renew", l.Renew(done, time.Minute), context.Canceled),
		wantError("Release", l.Release(done), context.Canceled),
		wantLeased(ctx, s, key),
	)
}

// checkConcurrentLease lets all goroutines acquire one lease, in several rounds.
func checkConcurrentLease(ctx context.Context, s LeasingStore) error {
	for range 4 {
		leases := make([]cache.Lease, goroutines)
		winner, err := oneSucceeds(func(i int) (acquired bool, err error) {
			leases[i], err = s.Acquire(ctx, key, time.Minute)
			if errors.Is(err, cache.ErrLeased) {
				return false, nil
			}
			return err == nil, err
		})
		if err != nil {
			return err
		}
		if err := leases[winner].Release(ctx); err != nil {
			return err
		}
	}
	return nil
}
