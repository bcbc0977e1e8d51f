package fetch

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"
)

// limits bounds the fetches of a client. A fetch enters, waits for its turn if
// necessary, and leaves. Those that wait are served in the order of their arrival.
// Only one fetch of an origin waits, because its callers share a flight, so no
// origin can fill the queue.
type limits struct {
	slots     *semaphore.Weighted // nil without Limits.MaxFetches
	retries   *semaphore.Weighted // the slots for attempts after local trouble; nil like slots
	rate      *fetchRate          // nil without Limits.MaxFetchRate
	addresses *addressLimit       // nil without Limits.MaxFetchesPerAddress
}

func newLimits(c Config) limits {
	l := limits{addresses: newAddressLimit(c)}
	if c.Limits.MaxFetches > 0 {
		l.slots = semaphore.NewWeighted(int64(c.Limits.MaxFetches))
		l.retries = semaphore.NewWeighted(max(int64(c.Limits.MaxFetches)/retryShare, 1))
	}
	if c.Limits.MaxFetchRate > 0 {
		l.rate = &fetchRate{first: semaphore.NewWeighted(1),
			every: time.Duration(float64(time.Second) / c.Limits.MaxFetchRate)}
	}
	return l
}

// retryShare is the part of the slots, one in four, for fetches whose last attempt failed
// on this machine. If the resolver does not answer, each of them takes all of
// Limits.Timeout, again and again; fetches of other origins must not wait for them.
const retryShare = 4

// longQueue is the wait after which a flight looks again whether another process has the
// answer. After a shorter wait, looking would cost more than it saves.
const longQueue = time.Second

type slot struct {
	limits *limits
	retry  bool // the last attempt failed on this machine
	held   []*semaphore.Weighted
	waited time.Duration // in all
}

// enter waits until the fetch may begin. It fails with errAbandoned if it had to wait and
// wanted then returns false. Otherwise it fails only if ctx ends, which is when the client
// is closed.
func (s *slot) enter(ctx context.Context, wanted func() bool) error {
	err := s.wait(ctx, wanted)
	if err != nil {
		s.leave()
	}
	return err
}

// wait is like enter, but keeps its slots after an error.
func (s *slot) wait(ctx context.Context, wanted func() bool) error {
	bounds := []*semaphore.Weighted{s.limits.retries, s.limits.slots} // in this order
	if !s.retry {
		bounds = bounds[1:]
	}
	for _, bound := range bounds {
		if bound == nil {
			continue
		}
		if err := s.acquire(ctx, bound, wanted); err != nil {
			return err
		}
		s.held = append(s.held, bound)
	}
	if s.limits.rate == nil {
		return nil
	}
	return s.waitForStart(ctx, s.limits.rate, wanted)
}

// acquire takes a slot of a bound, but not after an error.
func (s *slot) acquire(ctx context.Context, bound *semaphore.Weighted, wanted func() bool) error {
	if bound.TryAcquire(1) {
		return nil
	}
	began := time.Now()
	err := bound.Acquire(ctx, 1)
	s.waited += time.Since(began)
	if err != nil {
		return err
	}
	if !wanted() {
		bound.Release(1)
		return errAbandoned
	}
	return nil
}

// leave gives back what enter took, unless that has happened already.
func (s *slot) leave() {
	for _, bound := range s.held {
		bound.Release(1)
	}
	s.held = nil
}

// fetchRate spaces the starts of fetches. Only the first waiting fetch has
// reserved a start, so an abandoned fetch does not delay the others.
type fetchRate struct {
	every time.Duration
	first *semaphore.Weighted // held by the fetch that begins next

	mu   sync.Mutex
	next time.Time // when the next fetch would begin if all were spaced evenly
}

func (s *slot) waitForStart(ctx context.Context, r *fetchRate, wanted func() bool) error {
	if err := s.acquire(ctx, r.first, wanted); err != nil {
		return err
	}
	defer r.first.Release(1)
	pause := r.reserve(time.Now())
	if pause <= 0 {
		return nil
	}
	select {
	case <-time.After(pause):
		s.waited += pause
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// rateBurst is the time whose missed starts can be made up for at once.
const rateBurst = time.Second

func (r *fetchRate) reserve(now time.Time) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if earliest := now.Add(min(r.every-rateBurst, 0)); r.next.Before(earliest) {
		r.next = earliest
	}
	pause := r.next.Sub(now)
	r.next = r.next.Add(r.every)
	return pause
}
