package cachetest

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cache"
)

var leaseFlaws = []flawed{
	{correct, ""},
	{"gives a lease to everyone", "Exclusive Release Ends Renew Lost Entries DoneLease ConcurrentLease PutAndRelease"},
	{"has one lease for all keys", "Exclusive Release PutAndRelease"},
	{"never releases", "Release ConcurrentLease PutAndRelease"},
	{"never ends a lease", "Ends Lost PutAndRelease"},
	{"does not renew", "Renew"},
	{"renews what was lost", "Lost"},
	{"releases what another has", "Lost PutAndRelease"},
	{"releases with a put", "Entries"},
	{"deletes the entry with the lease", "Entries PutAndRelease"},
	{"takes any key and any time", "InvalidLease"},
	{"ignores the context", "DoneLease"},
	{"ends with the context, but acts", "DoneLease"},
	{"says that more remains than the lease had", "Exclusive Release Ends Renew Lost Entries DoneLease PutAndRelease"},
	{"checks, then acts", "ConcurrentLease"},
	{"puts unseen and releases", "PutAndRelease"},
	{"releases only what it has put", "PutAndRelease"},
}

func TestLeaseFlaws(t *testing.T) {
	testFlaws(t, leaseContract, leaseFlaws, func(f flaw) LeasingStore {
		return &flawedLeaser{flawedStore: newFlawed(correct), flaw: f, held: map[string]*flawedLease{}}
	})
}

// flawedLeaser is a plain store with leases that have one flaw.
type flawedLeaser struct {
	*flawedStore
	flaw flaw
	mu   sync.Mutex
	held map[string]*flawedLease
}

type flawedLease struct {
	store *flawedLeaser
	key   string
	until time.Time
}

func (s *flawedLeaser) has(f flaw) bool { return s.flaw == f }

func (s *flawedLeaser) check(ctx context.Context, key string, ttl time.Duration) error {
	if !s.has("ignores the context") && !s.has("ends with the context, but acts") && ctx.Err() != nil {
		return ctx.Err()
	}
	if s.has("takes any key and any time") {
		return nil
	}
	if ttl <= 0 {
		return cache.ErrInvalid
	}
	return cache.CheckKey(key)
}

func (s *flawedLeaser) done(ctx context.Context) error {
	if s.has("ends with the context, but acts") {
		return ctx.Err()
	}
	return nil
}

func (s *flawedLeaser) Acquire(ctx context.Context, key string, ttl time.Duration) (cache.Lease, error) {
	if err := s.check(ctx, key, ttl); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.has("has one lease for all keys") {
		key = ""
	}
	if l := s.held[key]; l != nil && (l.until.After(time.Now()) || s.has("never ends a lease")) && !s.has("gives a lease to everyone") {
		remaining := time.Until(l.until)
		if s.has("says that more remains than the lease had") {
			remaining += time.Hour
		}
		return nil, &cache.LeasedError{Remaining: max(remaining, 0)}
	}
	if s.has("checks, then acts") {
		s.mu.Unlock()
		time.Sleep(time.Millisecond)
		s.mu.Lock()
	}
	l := &flawedLease{s, key, time.Now().Add(ttl)}
	s.held[key] = l
	return l, s.done(ctx)
}

func (s *flawedLeaser) PutIfNewer(ctx context.Context, key string, e cache.Entry) (bool, error) {
	if s.has("releases with a put") {
		s.mu.Lock()
		delete(s.held, key)
		s.mu.Unlock()
	}
	return s.flawedStore.PutIfNewer(ctx, key, e)
}

func (l *flawedLease) Renew(ctx context.Context, ttl time.Duration) error {
	s := l.store
	if err := s.check(ctx, "key", ttl); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.has("renews what was lost") && (s.held[l.key] != l || !l.until.After(time.Now())) {
		return cache.ErrLeased
	}
	if !s.has("does not renew") {
		l.until = time.Now().Add(ttl)
	}
	return s.done(ctx)
}

func (l *flawedLease) PutAndRelease(ctx context.Context, seen time.Time, e cache.Entry) (bool, error) {
	s := l.store
	if s.has("puts unseen and releases") {
		seen = time.Time{}
		if old, err := s.Get(ctx, l.key); err == nil {
			seen = old.FetchedAt
		}
	}
	stored, err := s.PutIfUnchanged(ctx, l.key, seen, e)
	if err != nil || !stored && s.has("releases only what it has put") {
		return stored, err
	}
	return stored, l.Release(ctx)
}

func (l *flawedLease) Release(ctx context.Context) error {
	s := l.store
	if err := s.check(ctx, "key", 1); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.has("deletes the entry with the lease") {
		_ = s.Delete(ctx, l.key)
	}
	if s.held[l.key] == l && !s.has("never releases") || s.has("releases what another has") {
		delete(s.held, l.key)
	}
	return s.done(ctx)
}
