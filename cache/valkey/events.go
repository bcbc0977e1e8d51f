package valkey

import (
	"sync"
	"sync/atomic"
	"time"
)

// Event describes one call, for [Config.Observe].
type Event struct {
	// Op is get, put, delete, acquire, renew or release.
	Op string

	Took time.Duration

	// Err is the error of the call. With cache.ErrNotFound and cache.ErrLeased
	// the server has answered; with ErrUnavailable it has not.
	Err error
}

// Stats contains counts since [Open].
type Stats struct {
	Calls    uint64 // calls that sent a command to the server
	Failures uint64 // calls of these without an answer
	Refused  uint64 // calls that failed immediately, because of earlier failures
	Damaged  uint64 // damaged values that were found and deleted
	Troubles uint64 // number of times that the store stopped using the server
	Trouble  bool   // whether the store does not use the server, or a part of it, now
}

type counters struct {
	calls, failures, refused, damaged, troubles atomic.Uint64
}

// Stats returns the counts.
func (s *Store) Stats() Stats {
	return Stats{
		Calls:    s.calls.Load(),
		Failures: s.failures.Load(),
		Refused:  s.refused.Load(),
		Damaged:  s.damaged.Load(),
		Troubles: s.troubles.Load(),
		Trouble:  s.inTrouble(),
	}
}

// trouble counts the reasons for which commands are not sent: each open breaker, and a
// missing client. The store logs one line when the first reason appears and one when
// the last disappears.
type trouble struct {
	mu      sync.Mutex
	reasons int
	since   time.Time
}

func (t *trouble) inTrouble() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.reasons > 0
}

func (s *Store) enterTrouble(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.reasons++; s.reasons == 1 {
		s.since = time.Now()
		s.troubles.Add(1)
		s.config.Logger.Warn("the shared store is unavailable; continuing without it", "addresses", s.config.Addresses, "error", err)
	}
}

func (s *Store) leaveTrouble() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.reasons--; s.reasons == 0 {
		s.config.Logger.Info("the shared store is available again", "addresses", s.config.Addresses,
			"after", time.Since(s.since).Round(time.Millisecond), "refused", s.refused.Load())
	}
}
