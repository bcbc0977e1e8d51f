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

// paces knows which origins have to be waited for. Its zero value is ready.
//
// An origin is in here only while its pause or hold lasts; after that, having
// forgotten it makes no difference. What is over is found from the cold end of
// a list by last use, a few entries with each new one, so there is nothing that
// runs on its own.
type paces struct {
	mu       sync.Mutex
	byOrigin map[origin.Origin]*list.Element // of *pace
	byUse    list.List                       // of *pace, the last used in front
}

// pace is what one origin is owed. Its fields belong to paces.mu.
type pace struct {
	origin  origin.Origin
	delay   time.Duration // that the limiter keeps
	limiter *rate.Limiter
	waiting int       // requests that wait now
	held    time.Time // by Retry-After: nobody goes before
	floor   time.Time // the limiter's clock never reads less
	until   time.Time // when the last pause and hold are over
}

// clock is the limiter's time. While the origin is held it stands at the end of
// the hold, so that reservations made meanwhile queue up behind that.
func (p *pace) clock() time.Time { return later(time.Now(), p.floor) }

// setDelay starts a new limiter if the delay has changed. It begins where the
// old one's reservations end, or both together would be too fast.
func (p *pace) setDelay(delay time.Duration) {
	if p.limiter == nil || p.delay != delay {
		p.delay, p.limiter = delay, rate.NewLimiter(rate.Every(delay), 1)
		p.floor = later(p.floor, p.until)
	}
}

// wait returns when the caller may start a request to o, delay after the one
// before, and whether that took any time. It fails with the error of ctx when
// ctx ends, and with DeadlineExceeded as soon as it is clear that it will.
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
		if !time.Now().Before(p.held) {
			return true, nil
		}
		// A Retry-After has come while we slept: queue up again behind it.
	}
}

// pause reserves the next start and sleeps until then, without the lock.
func (ps *paces) pause(ctx context.Context, p *pace) (time.Duration, error) {
	reservation := p.limiter.ReserveN(p.clock(), 1)
	pause := reservation.DelayFrom(time.Now())
	deadline, ok := ctx.Deadline()
	if ok && pause > 0 && deadline.Before(time.Now().Add(pause)) {
		reservation.CancelAt(p.clock())
		return pause, fmt.Errorf("robotshttp: %v is not to be asked for another %v, past the request's deadline: %w",
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

// hold keeps everybody from o until then. Of several holds the longest counts.
func (ps *paces) hold(o origin.Origin, until time.Time, limit int) {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	p := ps.find(o)
	if p == nil {
		p = ps.add(o, limit)
	}
	p.held = later(p.held, until)
	p.floor = later(p.floor, until)
	p.until = later(p.until, until)
}

// find returns the pace of o, nil if there is none.
func (ps *paces) find(o origin.Origin) *pace {
	element := ps.byOrigin[o]
	if element == nil {
		return nil
	}
	ps.byUse.MoveToFront(element)
	return element.Value.(*pace)
}

// add makes a pace for o, and room for it.
func (ps *paces) add(o origin.Origin, limit int) *pace {
	if ps.byOrigin == nil {
		ps.byOrigin = make(map[origin.Origin]*list.Element)
	}
	// Two out for one in: what is over does not pile up.
	for range 2 {
		ps.dropLast(limit - 1)
	}
	p := &pace{origin: o}
	ps.byOrigin[o] = ps.byUse.PushFront(p)
	return p
}

// dropLast drops the pace that was used longest ago, if it is over or there are
// more than limit, unless somebody waits: that one is in use.
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
