package fleet_test

import (
	"context"
	"sync/atomic"
	"time"
)

// clock is the clock of sites and clients. It may jump, and it knows when this process did not
// run because the machine was busy: after such a stall, timeouts end before healthy sites,
// which are in this process, can answer.
type clock struct {
	rate     time.Duration // how much faster it is than that of the system
	shortest time.Duration // of a stall
	effects  time.Duration // how long after a stall faults may follow

	base, began time.Time
	offset      atomic.Int64
	jumps       atomic.Int64 // odd during a jump
	jumped      atomic.Int64 // time of the last jump, by the system's clock since began
	stalled     atomic.Int64 // end of the last stall, likewise
}

func newClock(rate, shortest, effects time.Duration) *clock {
	now := time.Now()
	return &clock{rate: rate, shortest: shortest, effects: effects, base: now.Round(0), began: now}
}

func (c *clock) now() time.Time {
	return c.base.Add(c.rate*time.Since(c.began) + time.Duration(c.offset.Load()))
}

func (c *clock) jump(by time.Duration) {
	c.jumps.Add(1)
	c.offset.Add(int64(by))
	c.jumped.Store(int64(time.Since(c.began)))
	c.jumps.Add(1)
}

// watch records stalls until ctx ends.
func (c *clock) watch(ctx context.Context) {
	for began := time.Now(); ctx.Err() == nil; began = time.Now() {
		time.Sleep(c.shortest / 10)
		if time.Since(began) > c.shortest {
			c.stalled.Store(int64(time.Since(c.began)))
		}
	}
}

// isStalled reports whether a stall may have caused what was seen a moment ago.
func (c *clock) isStalled() bool {
	time.Sleep(3 * time.Second) // watch may not have run since
	at := time.Duration(c.stalled.Load())
	return at > 0 && time.Since(c.began)-at < c.effects
}

// span is the time of a call, in the clock.
type span struct {
	from, to time.Time
	steady   bool // the clock has not jumped
	calm     bool // nor for so long before that flights from before have ended
}

// during measures the time of f.
func (c *clock) during(f func()) span {
	jumps := c.jumps.Load()
	s := span{from: c.now(), calm: time.Since(c.began)-time.Duration(c.jumped.Load()) > 2*patience+time.Minute}
	f()
	s.to = c.now()
	s.steady = jumps%2 == 0 && c.jumps.Load() == jumps
	return s
}
