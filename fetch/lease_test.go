package fetch_test

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/cache/cachetest"
	"github.com/kosterhq/robotstxt/fetch"
)

type leasing struct {
	cache.Store
	mu      sync.Mutex
	holders map[string]*heldLease
	trouble error // the error of lease calls; store calls succeed
}

func newLeasing() *leasing {
	return &leasing{Store: new(cachetest.Memory), holders: map[string]*heldLease{}}
}

type heldLease struct {
	store *leasing
	key   string
	until time.Time
}

func (l *leasing) Acquire(_ context.Context, key string, ttl time.Duration) (cache.Lease, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.trouble != nil {
		return nil, l.trouble
	}
	if h := l.holders[key]; h != nil && time.Now().Before(h.until) {
		return nil, &cache.LeasedError{Remaining: time.Until(h.until)}
	}
	h := &heldLease{l, key, time.Now().Add(ttl)}
	l.holders[key] = h
	return h, nil
}

func (h *heldLease) Renew(_ context.Context, ttl time.Duration) error {
	h.store.mu.Lock()
	defer h.store.mu.Unlock()
	if h.store.holders[h.key] != h {
		return cache.ErrLeased
	}
	h.until = time.Now().Add(ttl)
	return nil
}

func (h *heldLease) Release(context.Context) error {
	h.store.mu.Lock()
	defer h.store.mu.Unlock()
	if h.store.holders[h.key] == h {
		delete(h.store.holders, h.key)
	}
	return nil
}

type slowSite struct {
	takes   time.Duration
	fetches atomic.Int64
}

func (s *slowSite) RoundTrip(r *http.Request) (*http.Response, error) {
	s.fetches.Add(1)
	select {
	case <-time.After(s.takes):
		return &http.Response{StatusCode: 404, Body: http.NoBody, Request: r, Header: http.Header{}}, nil
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
}

// TestFleet checks that eight clients with one store fetch a site once, even if
// the fetch takes longer than a lease without renewal.
func TestFleet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, site := newLeasing(), &slowSite{takes: 12 * time.Second}
		var wg sync.WaitGroup
		for range 8 {
			client := newClient(t, fetch.Config{Store: store, Network: fetch.Network{Transport: site}})
			for range 10 {
				wg.Go(func() {
					fetch.ExpectAllowed(t, client, "http://site.example/x", true)
				})
			}
		}
		wg.Wait()
		if n := site.fetches.Load(); n != 1 {
			t.Errorf("%d fetches, want 1", n)
		}
		if len(store.holders) != 0 {
			t.Error("the lease was not released")
		}
	})
}

// TestLeaseTroubles checks how long a client waits for a lease: of a crashed holder until it
// expires, of one that never ends for its own time, whether the store says how long it lasts or
// not, and not at all if leases fail.
func TestLeaseTroubles(t *testing.T) {
	for name, test := range map[string]struct {
		held    bool
		trouble error
		wait    time.Duration
	}{
		"the holder has died":             {true, nil, 5 * time.Second},
		"the store does not say how long": {false, cache.ErrLeased, 5 * time.Second},
		"nothing remains":                 {false, &cache.LeasedError{}, 5 * time.Second},
		"the lease never ends":            {false, &cache.LeasedError{Remaining: 1000 * time.Hour}, 5 * time.Second},
		"leases fail":                     {false, errors.New("away"), 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			store, site := newLeasing(), new(slowSite)
			if test.held {
				if _, err := store.Acquire(t.Context(), "http://site.example", 5*time.Second); err != nil {
					t.Fatal(err)
				}
			}
			store.trouble = test.trouble
			client := newClient(t, fetch.Config{Store: store, Network: fetch.Network{Transport: site}})
			began := time.Now()
			fetch.ExpectAllowed(t, client, "http://site.example/", true)
			if waited := time.Since(began); waited < test.wait || waited > test.wait*26/25 {
				t.Errorf("%s: waited %v, want %v and 4%% at most", name, waited, test.wait)
			}
		})
	}
}

// TestCloseReleases checks that a client that is closed during a fetch releases
// the lease, so that the next run does not wait for it.
func TestCloseReleases(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, site := newLeasing(), &slowSite{takes: time.Hour}
		client := newClient(t, fetch.Config{Store: store, Network: fetch.Network{Transport: site}})
		go func() {
			time.Sleep(time.Second)
			client.Close()
		}()
		if _, err := client.Allowed(t.Context(), "http://site.example/"); !errors.Is(err, fetch.ErrClosed) {
			t.Error(err)
		}
		synctest.Wait()
		if len(store.holders) != 0 {
			t.Error("the lease was not released")
		}
	})
}

type bothLease struct {
	*heldLease
	puts *atomic.Int64
}

func (l bothLease) PutAndRelease(ctx context.Context, seen time.Time, e cache.Entry) (bool, error) {
	l.puts.Add(1)
	_ = l.heldLease.Release(ctx)
	return l.store.Store.PutIfUnchanged(ctx, l.key, seen, e)
}

func (bothLease) Release(context.Context) error { panic("released twice") }

type bothLeasing struct {
	*leasing
	puts atomic.Int64
}

func (s *bothLeasing) Acquire(ctx context.Context, key string, ttl time.Duration) (cache.Lease, error) {
	l, err := s.leasing.Acquire(ctx, key, ttl)
	if err != nil {
		return nil, err
	}
	return bothLease{l.(*heldLease), &s.puts}, nil
}

func (*bothLeasing) PutIfUnchanged(context.Context, string, time.Time, cache.Entry) (bool, error) {
	panic("the lease saves this call")
}

// TestPutAndRelease checks that a client puts its answer and releases its lease in
// one call, if the store can.
func TestPutAndRelease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, site := &bothLeasing{leasing: newLeasing()}, &slowSite{takes: 12 * time.Second}
		client := newClient(t, fetch.Config{Store: store, Network: fetch.Network{Transport: site}})
		fetch.ExpectAllowed(t, client, "http://site.example/", true)
		if n := store.puts.Load(); n != 1 || len(store.holders) != 0 {
			t.Errorf("%d puts, %d leases left", n, len(store.holders))
		}
		if _, err := store.Get(t.Context(), "http://site.example"); err != nil {
			t.Error(err)
		}
	})
}
