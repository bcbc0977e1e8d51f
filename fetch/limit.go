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
	slots     *semaphore.Weighted // nil without Config.MaxFetches
	rate      *fetchRate          // nil without Config.MaxFetchRate
	addresses *addressLimit       // nil without Config.MaxFetchesPerAddress
}

func newLimits(c Config) limits {
	l := limits{addresses: newAddressLimit(c)}
	if c.MaxFetches > 0 {
		l.slots = semaphore.NewWeighted(int64(c.MaxFetches))
	}
	if c.MaxFetchRate > 0 {
		l.rate = &fetchRate{every: time.Duration(float64(time.Second) / c.MaxFetchRate)}
	}
	return l
}

// longQueue is the wait after which the answer of another process is looked for
// again. After a shorter one that would cost more than it saves.
const longQueue = time.Second

// slot is the right to fetch.
type slot struct {
	limits *limits
	held   bool
	waited time.Duration // in all
}

// enter waits until the fetch may begin. It fails only if ctx ends, which is the end
// of the client.
func (s *slot) enter(ctx context.Context) error {
	if slots := s.limits.slots; slots != nil && !slots.TryAcquire(1) {
		began := time.Now()
		if err := slots.Acquire(ctx, 1); err != nil {
			return err
		}
		s.waited += time.Since(began)
	}
	s.held = true
	if s.limits.rate == nil {
		return nil
	}
	pause := s.limits.rate.reserve(time.Now())
	if pause <= 0 {
		return nil
	}
	s.waited += pause
	select {
	case <-time.After(pause):
		return nil
	case <-ctx.Done():
		s.leave()
		return ctx.Err()
	}
}

// leave ends what enter began, if it has not ended.
func (s *slot) leave() {
	if s.held && s.limits.slots != nil {
		s.limits.slots.Release(1)
	}
	s.held = false
}

// fetchRate spaces the starts of fetches. A start that was reserved is never given
// back, because only the end of the client cancels a fetch.
type fetchRate struct {
	every time.Duration

	mu   sync.Mutex
	next time.Time // when the next fetch would begin if all were spaced evenly
}

// rateBurst is the time whose starts may be made up for at once.
const rateBurst = time.Second

// reserve returns how long the next fetch must wait.
func (r *fetchRate) reserve(now time.Time) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if earliest := now.Add(-rateBurst + r.every); r.next.Before(earliest) {
		r.next = earliest
	}
	if r.every > rateBurst && r.next.Before(now) {
		r.next = now
	}
	pause := r.next.Sub(now)
	r.next = r.next.Add(r.every)
	return pause
}
