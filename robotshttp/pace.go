package robotshttp

import (
	"container/list"
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/kosterhq/robotstxt/origin"
	"golang.org/x/time/rate"
)

// paces tracks the origins whose next request must wait. The zero value is ready
// for use.
//
// paces keeps an origin only while a delay or a block applies to it. Each new
// origin removes up to two expired ones from the end of a list ordered by last
// use, so that no background goroutine is needed.
type paces struct {
	mu       sync.Mutex
	byOrigin map[origin.Origin]*list.Element // of *pace
	byUse    list.List                       // of *pace, most recently used first
}

// pace is the state of one origin. paces.mu guards its fields.
type pace struct {
	origin       origin.Origin
	delay        time.Duration // the delay of limiter
	limiter      *rate.Limiter
	waiting      int       // number of requests that wait
	blockedUntil time.Time // no request starts before; set by Retry-After
	floor        time.Time // the limiter's clock never returns less
	until        time.Time // end of the last delay and block
}

// clock returns the limiter's time. While the origin is blocked it is the end of
// the block, so that new reservations start after that.
func (p *pace) clock() time.Time { return later(time.Now(), p.floor) }

// setDelay starts a new limiter if the delay has changed. The new limiter starts
// where the reservations of the old one end; otherwise the requests of both
// together would be too frequent.
func (p *pace) setDelay(delay time.Duration) {
	if p.limiter == nil || p.delay != delay {
		p.delay, p.limiter = delay, rate.NewLimiter(rate.Every(delay), 1)
		p.floor = later(p.floor, p.until)
	}
}

// wait blocks until the caller may start a request to o, at least delay after the
// previous one. waited reports whether it had to wait. It returns the error of ctx
// if that ends, or DeadlineExceeded immediately if the wait would exceed the
// deadline.
func (ps *paces) wait(ctx context.Context, o origin.Origin, delay time.Duration, limit int) (waited bool, err error) {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	p := ps.find(o)
	if p == nil {
		if delay <= 0 {
			return false, nil
		}
		p = ps.add(o, limit)
	}
	p.waiting++
	defer func() { p.waiting-- }()
	for {
		p.setDelay(delay)
		pause, err := ps.pause(ctx, p)
		if err != nil || pause <= 0 {
			return waited, err
		}
		waited = true
		if !time.Now().Before(p.blockedUntil) {
			return true, nil
		}
		// A Retry-After arrived during the wait: reserve again after its end.
	}
}

// pause reserves the next start and sleeps until then. It releases the lock while
// it sleeps.
func (ps *paces) pause(ctx context.Context, p *pace) (time.Duration, error) {
	reservation := p.limiter.ReserveN(p.clock(), 1)
	pause := reservation.DelayFrom(time.Now())
	deadline, ok := ctx.Deadline()
	if ok && pause > 0 && deadline.Before(time.Now().Add(pause)) {
		reservation.CancelAt(p.clock())
		return pause, fmt.Errorf("robotshttp: the next request to %v must wait %v, longer than the request's deadline: %w",
			p.origin, pause.Round(time.Millisecond), context.DeadlineExceeded)
	}
	p.until = later(p.until, time.Now().Add(pause).Add(p.delay))
	if pause <= 0 {
		return 0, nil
	}
	ps.mu.Unlock()
	err := sleep(ctx, pause)
	ps.mu.Lock()
	if err != nil {
		reservation.CancelAt(p.clock())
	}
	return pause, err
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// block prevents requests to o until the given time. Of several blocks the longest
// applies.
func (ps *paces) block(o origin.Origin, until time.Time, limit int) {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	p := ps.find(o)
	if p == nil {
		p = ps.add(o, limit)
	}
	p.blockedUntil = later(p.blockedUntil, until)
	p.floor = later(p.floor, until)
	p.until = later(p.until, until)
}

// find returns the pace of o, or nil if there is none.
func (ps *paces) find(o origin.Origin) *pace {
	element := ps.byOrigin[o]
	if element == nil {
		return nil
	}
	ps.byUse.MoveToFront(element)
	return element.Value.(*pace)
}

// add adds a pace for o, and removes others if there are too many.
func (ps *paces) add(o origin.Origin, limit int) *pace {
	if ps.byOrigin == nil {
		ps.byOrigin = make(map[origin.Origin]*list.Element)
	}
	// Up to two are removed for each new one, so expired ones do not accumulate.
	for range 2 {
		ps.dropLast(limit - 1)
	}
	p := &pace{origin: o}
	ps.byOrigin[o] = ps.byUse.PushFront(p)
	return p
}

// dropLast removes the least recently used pace if it has expired or if there are
// more than limit. It keeps a pace that requests wait for.
func (ps *paces) dropLast(limit int) {
	last := ps.byUse.Back()
	if last == nil {
		return
	}
	p := last.Value.(*pace)
	switch {
	case p.waiting > 0:
		ps.byUse.MoveToFront(last)
	case len(ps.byOrigin) > limit || !time.Now().Before(p.until):
		ps.byUse.Remove(last)
		delete(ps.byOrigin, p.origin)
	}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
