package serve

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/fetch"
)

// storeState reports whether the store answers, for /readyz and the metric. Whether the
// service is ready does not depend on it: without its store, the service fetches from
// sites.
type storeState struct {
	store   cache.Store
	running chan struct{} // has an element while a read is under way

	mu   sync.Mutex
	at   time.Time // of the last read
	isUp bool
}

const (
	// storeReadEvery is the shortest interval between two reads, however often the state
	// is requested.
	storeReadEvery = time.Second
	// storeReadTime is how long the store may take. It is longer than fetches wait,
	// because a slow store is not an unreachable one.
	storeReadTime = time.Second
)

func newStoreState(store cache.Store) *storeState {
	return &storeState{store: store, running: make(chan struct{}, 1)}
}

// up reports whether the store has answered a read in the last second.
func (s *storeState) up() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.at.IsZero() || time.Since(s.at) >= storeReadEvery {
		s.isUp, s.at = s.read(), time.Now()
	}
	return s.isUp
}

// read reads an entry that every store may have, and reports whether the store answered.
// It does not wait for a store that ignores its context.
func (s *storeState) read() bool {
	select {
	case s.running <- struct{}{}:
	default:
		return false // the read before has not ended
	}
	ctx, cancel := context.WithTimeout(context.Background(), storeReadTime)
	answered := make(chan error, 1)
	go func() {
		defer func() { <-s.running }()
		_, err := s.store.Get(ctx, fetch.PurgeKey)
		answered <- err
	}()
	defer cancel()
	select {
	case err := <-answered:
		return err == nil || errors.Is(err, cache.ErrNotFound) || errors.Is(err, cache.ErrNewer)
	case <-ctx.Done():
		return false
	}
}

// String returns the state in a word: ok, unreachable, or none without a store.
func (s *storeState) String() string {
	switch {
	case s == nil:
		return "none"
	case s.up():
		return "ok"
	default:
		return "unreachable"
	}
}
