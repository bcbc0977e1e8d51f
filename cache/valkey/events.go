package valkey

import (
	"sync"
	"sync/atomic"
	"time"
)

// Event is how one call went, for [Config.Observe].
type Event struct {
	// Op is get, put, delete, acquire, renew or release.
	Op string

	Took time.Duration

	// Err is what the call returned. cache.ErrNotFound and cache.ErrLeased are
	// answers; ErrUnavailable is the lack of one.
	Err error
}

// Stats are counts since [Open].
type Stats struct {
	Calls    uint64 // that were sent to the server
	Failures uint64 // of these, those without an answer
	Refused  uint64 // calls that failed at once, because the server was in trouble
	Damaged  uint64 // values that were found damaged, and removed
	Troubles uint64 // how often the server got into trouble
	Trouble  bool   // whether it is, or a part of it
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

// trouble counts the reasons why commands are not sent: open breakers, and that
// there is no client yet. The log has one line when the first reason appears and
// one when the last is gone.
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
		s.config.Logger.Warn("the shared store is in trouble; going on without it", "addresses", s.config.Addresses, "error", err)
	}
}

func (s *Store) leaveTrouble() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.reasons--; s.reasons == 0 {
		s.config.Logger.Info("the shared store is back", "addresses", s.config.Addresses,
			"after", time.Since(s.since).Round(time.Millisecond), "refused", s.refused.Load())
	}
}
