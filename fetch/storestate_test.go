package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/cache/cachetest"
)

// fullStore is a store whose disk may be full: it can be read, and not written.
type fullStore struct {
	cachetest.Memory
	full, down atomic.Bool
}

var errFull = errors.New("no space left on device")

func (s *fullStore) Get(ctx context.Context, key string) (cache.Entry, error) {
	if s.down.Load() {
		return cache.Entry{}, errDown
	}
	return s.Memory.Get(ctx, key)
}

func (s *fullStore) PutIfUnchanged(ctx context.Context, key string, seen time.Time, e cache.Entry) (bool, error) {
	if s.full.Load() {
		return false, errFull
	}
	return s.Memory.PutIfUnchanged(ctx, key, seen, e)
}

func (s *fullStore) Acquire(ctx context.Context, key string, ttl time.Duration) (cache.Lease, error) {
	if s.full.Load() {
		return nil, errFull
	}
	return leaseOf{}, nil
}

type leaseOf struct{}

func (leaseOf) Renew(context.Context, time.Duration) error { return nil }
func (leaseOf) Release(context.Context) error              { return nil }

// TestStoreErr: the state of a store is that of its last calls, writes too, and a store that
// fails is one line of the log a minute.
func TestStoreErr(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, log := &fullStore{}, &lockedBuffer{}
		observe, count := counting()
		client := newTestClient(t,
			Config{Store: store, Observe: observe, Logger: slog.New(slog.NewTextHandler(log, nil)),
				Network: Network{Transport: answering(200, "")}})
		want := func(read, write error) {
			t.Helper()
			if gotRead, gotWrite := client.StoreErr(); gotRead != read || gotWrite != write {
				t.Errorf("read: %v, write: %v; want %v, %v", gotRead, gotWrite, read, write)
			}
		}
		want(nil, nil)
		store.full.Store(true)
		for n := range 273 {
			Expect(t, client, fmt.Sprintf("https://shop%d.example/", n), "network")
		}
		want(nil, errFull)
		time.Sleep(2 * time.Minute)
		if n := count(eventStoreError); n != 2*273 {
			t.Errorf("%d events, want 546", n)
		}
		if lines := strings.Count(log.String(), "the store failed"); lines != 2 || !strings.Contains(log.String(), "times=545") {
			t.Errorf("%d lines, want one, and one that counts 545 more:\n%s", lines, log)
		}
		want(nil, errFull) // the state is asked for again
		store.full.Store(false)
		time.Sleep(time.Second)
		want(nil, nil) // without a fetch meanwhile
		store.down.Store(true)
		time.Sleep(time.Second)
		want(errDown, nil)
		store.down.Store(false)
		time.Sleep(time.Second)
		want(nil, nil)
		client.Close()
		want(ErrClosed, ErrClosed)
	})
}

// TestStoreErrOfAnswers: an entry of a newer version, an unreadable log of purges and a missing
// store are no faults of a store.
func TestStoreErrOfAnswers(t *testing.T) {
	store := newTestStore()
	store.entries[PurgeKey] = cache.Entry{FetchedAt: time.Now(), Expires: time.Now().Add(time.Hour), Data: []byte("{")}
	store.trouble = func(context.Context) error { return fmt.Errorf("wrapped: %w", cache.ErrNewer) }
	client := newTestClient(t, Config{Store: store, Network: Network{Transport: answering(200, "")}})
	Expect(t, client, fooKey+"/", "network")
	if read, write := client.StoreErr(); read != nil || write != nil {
		t.Errorf("%v, %v", read, write)
	}
	store.trouble = nil
	client.applyPurges()
	if read, write := client.StoreErr(); read != nil || write != nil {
		t.Errorf("%v, %v", read, write)
	}
	if read, write := newTestClient(t, Config{}).StoreErr(); read != nil || write != nil {
		t.Errorf("without a store: %v, %v", read, write)
	}
}

type lockedBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.String()
}
