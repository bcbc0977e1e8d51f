package soak_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/kosterhq/robotstxt/fetch"
)

// rate is how much faster the clock of the soak is than the system's.
const rate = 60

// clock is the clock of sites and clients. It may jump.
type clock struct {
	base, began time.Time
	offset      atomic.Int64
	jumps       atomic.Int64 // odd during a jump
	jumped      atomic.Int64 // time of the last jump, by the system's clock since began
	stalled     atomic.Int64 // end of the last stall, likewise
}

func newClock() *clock {
	now := time.Now()
	return &clock{base: now.Round(0), began: now}
}

func (c *clock) now() time.Time {
	return c.base.Add(rate*time.Since(c.began) + time.Duration(c.offset.Load()))
}

func (c *clock) jump(by time.Duration) {
	c.jumps.Add(1)
	c.offset.Add(int64(by))
	c.jumped.Store(int64(time.Since(c.began)))
	c.jumps.Add(1)
}

// A stall is a time in which this process did not run, because the machine was busy.
// Afterwards timeouts end before healthy sites can answer.
const (
	shortestStall = 5 * time.Second
	stallEffects  = 4 * patience // how long faults may follow
)

// watch records stalls until ctx ends.
func (c *clock) watch(ctx context.Context) {
	for began := time.Now(); ctx.Err() == nil; began = time.Now() {
		time.Sleep(time.Second)
		if time.Since(began) > shortestStall {
			c.stalled.Store(int64(time.Since(c.began)))
		}
	}
}

// isStalled reports whether a stall may have caused what was seen a moment ago.
func (c *clock) isStalled() bool {
	time.Sleep(3 * time.Second) // watch may not have run since
	at := time.Duration(c.stalled.Load())
	return at > 0 && time.Since(c.began)-at < stallEffects
}

// span is the time of a call, in the clock of the soak.
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

// wordsOnOutage returns what applies when robots.txt has been unreachable for the
// given time and no answer is fresh. It is written from the texts, like the model of
// package fetch.
func wordsOnOutage(p fetch.Policy, age time.Duration, copied bool) (fetch.Outcome, fetch.Source) {
	long := age > 30*24*time.Hour
	switch {
	case copied && (p == fetch.RFC9309Policy || long):
		return fetch.OutcomeRules, fetch.SourceStale
	case long:
		return fetch.OutcomeAllowAll, fetch.SourceAssumed
	}
	return fetch.OutcomeDisallowAll, fetch.SourceAssumed
}

const (
	// skew is the difference between clocks that the client tolerates.
	skew = 5 * time.Minute
	// saving is how long a flight may take after its answer has arrived, in which
	// callers still join it: some calls of a store that does not answer.
	saving = rate * 20 * time.Second
)

// problem compares a result with the model. It returns "" if the result is right.
func (o *siteOrigin) problem(p fetch.Policy, r *fetch.Result, during span) string {
	if r.Err != nil && o.bad.Load() == 0 {
		return "a fault of a site that has not failed"
	}
	if r.Err != nil && r.FreshUntil.IsZero() {
		return o.outageProblem(p, r, during)
	}
	if r.Outcome != o.kind.outcome {
		return fmt.Sprintf("want %v", o.kind.outcome)
	}
	if lifetime := r.FreshUntil.Sub(r.FetchedAt); lifetime != o.kind.lifetime {
		return fmt.Sprintf("fresh for %v, want %v", lifetime, o.kind.lifetime)
	}
	// A result from elsewhere may be that of a flight that began before a jump.
	timed := during.steady && (during.calm || r.Source == fetch.SourceMemory)
	if timed && r.FreshUntil.Before(during.from.Add(-saving)) {
		return fmt.Sprintf("an answer that expired at %v, at %v", r.FreshUntil, during.from)
	}
	if timed && r.FetchedAt.After(during.to.Add(skew)) {
		return fmt.Sprintf("an answer of %v, at %v", r.FetchedAt, during.to)
	}
	return o.rulesProblem(r)
}

// outageProblem checks a result that depends on the duration of an outage.
func (o *siteOrigin) outageProblem(p fetch.Policy, r *fetch.Result, during span) string {
	if r.Outcome == fetch.OutcomeRules {
		if problem := o.rulesProblem(r); problem != "" {
			return problem
		}
	}
	if !during.steady {
		return ""
	}
	for _, age := range []time.Duration{during.from.Sub(r.FailingSince), during.to.Sub(r.FailingSince)} {
		for _, copied := range []bool{false, true} {
			outcome, source := wordsOnOutage(p, age, copied)
			if copied && o.kind.outcome != fetch.OutcomeRules {
				continue
			}
			if r.Outcome == outcome && r.Source == source {
				return ""
			}
		}
	}
	return fmt.Sprintf("%v from %v after an outage since %v, at %v", r.Outcome, r.Source, r.FailingSince, during.to)
}

// rulesProblem checks that the rules are those of this origin.
func (o *siteOrigin) rulesProblem(r *fetch.Result) string {
	if r.Origin.String() != o.url {
		return "the result of another origin"
	}
	rules := r.Rules("SoakBot")
	if !rules.Allowed(o.page()) || rules.Allowed(o.otherPage()) != o.kind.allowsAll {
		return "the rules of another site"
	}
	return ""
}
