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
	slots *semaphore.Weighted // nil without Config.MaxFetches
	rate  *fetchRate          // nil without Config.MaxFetchRate
}

func newLimits(c Config) limits {
	var l limits
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

// enter waits until a fetch may begin, and returns how long. It fails only if ctx
// ends, which is the end of the client.
func (l *limits) enter(ctx context.Context) (waited time.Duration, err error) {
	if l.slots != nil && !l.slots.TryAcquire(1) {
		began := time.Now()
		if err := l.slots.Acquire(ctx, 1); err != nil {
			return 0, err
		}
		waited = time.Since(began)
	}
	if l.rate == nil {
		return waited, nil
	}
	pause := l.rate.reserve(time.Now())
	if pause <= 0 {
		return waited, nil
	}
	select {
	case <-time.After(pause):
		return waited + pause, nil
	case <-ctx.Done():
		l.leave()
		return 0, ctx.Err()
	}
}

// leave ends what enter began.
func (l *limits) leave() {
	if l.slots != nil {
		l.slots.Release(1)
	}
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
