package fetch

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/kosterhq/robotstxt/origin"
	"golang.org/x/sync/singleflight"
)

// flight looks o up in the store or fetches it from the site. If a flight for o
// is under way, it joins that one. A flight runs in its own goroutine, so that it
// continues if the caller that started it is cancelled. It ends with errAbandoned if
// all callers are gone when its turn comes, see Config.MaxFetches.
func (c *Client) flight(o origin.Origin) <-chan singleflight.Result {
	return c.flights.DoChan(o.String(), func() (any, error) {
		forgotten := new(atomic.Bool)
		c.underWay.Store(o, forgotten)
		k, err := c.runFlight(o)
		if err == nil && c.mustCheckSite(k.state, c.now()) {
			k.state = c.checkSite(k.state)
		}
		c.underWay.Delete(o)
		isNew := k.source == SourceNetwork && err == nil && k.state.fault == nil && k.state.trouble == nil
		if forgotten.Load() && !isNew { // the flight may have put back what it began with
			if err := c.invalidate(o); err != nil {
				c.storeTrouble(o, err)
			}
		}
		return k, err
	})
}

// runFlight does the work of one flight.
func (c *Client) runFlight(o origin.Origin) (lookup, error) {
	if c.background.Err() != nil {
		return lookup{}, ErrClosed
	}
	k, inStore := c.lookUpCached(o)
	if !c.mustTry(k.state, c.now()) {
		return k, nil
	}
	slot := &slot{limits: &c.limits, retry: k.state.trouble != nil}
	switch err := slot.enter(c.background, func() bool { return c.isWanted(o) }); {
	case err == errAbandoned:
		return lookup{}, err
	case err != nil:
		return lookup{}, ErrClosed
	}
	defer slot.leave()
	if slot.waited >= longQueue { // memory and store may have an answer by now
		if k, inStore = c.lookUpCached(o); !c.mustTry(k.state, c.now()) {
			return k, nil
		}
	}
	lease, answered := c.acquireLease(o, func() bool {
		k, inStore = c.lookUpCached(o)
		return !c.mustTry(k.state, c.now())
	})
	if answered {
		return k, nil
	}
	defer func() { lease.end() }()
	meet := c.takeDemand(o)
	fetched, err := c.fetchOrigin(o, k.state, slot)
	slot.leave() // the store may be slow
	if err != nil {
		return lookup{}, err
	}
	fetched = c.keepFetched(fetched, k.state, inStore, &lease)
	meet(fetched)
	return fetched, nil
}

// keepFetched puts the result of an attempt into memory and the store, and returns
// what is known then. before is the state before the attempt. lease may end.
func (c *Client) keepFetched(fetched lookup, before *state, inStore seen, lease *originLease) lookup {
	next := fetched.state
	if next.trouble != nil {
		c.keepUnlessNewer(next)
		return fetched
	}
	if c.mustCheckSite(next, c.now()) {
		next = c.checkSite(next)
		fetched.state = next
	}
	c.keep(next)
	other := c.save(next, inStore, lease)
	c.reportChange(before, other)
	if other != next {
		c.keep(other)
		return lookup{state: other, source: SourceStore}
	}
	return fetched
}

// lookUpCached returns the cached state of o. It reads memory first, which an
// earlier flight may have updated a moment ago, and then the store. inStore is the
// result of that read.
func (c *Client) lookUpCached(o origin.Origin) (k lookup, inStore seen) {
	k = lookup{state: &state{origin: o}, source: SourceMemory}
	if s := c.inMemory(o); s != nil {
		k.state = s
	}
	now := c.now()
	if !c.mustTry(k.state, now) {
		return k, seen{}
	}
	stored, inStore := c.load(o, now)
	if stored != nil {
		joined := stored
		if !k.state.checkedAt.After(now.Add(clockSkew)) { // otherwise the clock was set back
			joined = stored.joined(k.state)
		}
		if joined != k.state {
			c.keep(joined)
			c.reportChange(k.state, joined)
			k.state, k.source = joined, SourceStore
		}
	}
	return k, inStore
}

// mustTry reports whether a fetch is needed.
func (c *Client) mustTry(s *state, now time.Time) bool {
	return c.config.NoCache || s.needsTry(c.config.Policy, now) || c.isDemanded(s.origin)
}

// fetchOrigin makes one attempt to fetch robots.txt, and returns the resulting
// state with the headers of the response and the proxy.
func (c *Client) fetchOrigin(o origin.Origin, known *state, slot *slot) (lookup, error) {
	var copied validators
	if g := known.lastAnswer; g != nil && known.robots != nil {
		copied = validators{known.expandURL(g.URL), g.ETag, g.Modified}
	}
	var began time.Time
	a, err := c.limits.addresses.tryWhenFree(c.background, slot, func(ctx context.Context) attempt {
		began = time.Now()
		return c.try(ctx, o, copied)
	})
	if err != nil || a.err != nil && c.background.Err() != nil {
		return lookup{}, ErrClosed // the client was closed; the site did not fail
	}
	now := c.now()
	next := known.after(a, now)
	next.parse(c.config.Dialect)
	event := Event{Kind: EventFetched, Origin: o, Duration: time.Since(began), Waited: slot.waited, Bytes: len(a.body), Err: a.err}
	switch a.class {
	case classLocal:
		event.Kind = EventLocal
		c.config.Logger.Warn("robots.txt could not be requested from this machine", "origin", o.String(), "error", a.err)
	case classUnreachable:
		event.Kind = EventFailed
		c.config.Logger.Info("robots.txt unreachable", "origin", o.String(), "error", next.fault.Text, "tries", next.fault.Tries)
	case classRefused:
		event.Kind = EventRefused
		c.config.Logger.Warn("robots.txt refused by the address guard", "origin", o.String(), "error", next.fault.Text)
	}
	if a.class == classFile || a.class == classEmpty {
		c.digestBody(next.lastAnswer)
		event.Digest = next.digestOf()
	}
	if c.config.Observe != nil {
		r := next.result(c.config.Policy, now, SourceNetwork)
		event.Status, event.Hops, event.Outcome, event.Reason = a.status, a.hops, r.Outcome, r.Reason
		c.config.Observe(event)
	}
	c.keepTarget(a, next)
	return lookup{state: next, source: SourceNetwork, header: a.header, proxy: a.proxy}, nil
}

// keepTarget caches a file that was reached through redirects for the origin that
// served it, if its URL is that origin's RobotsURL. It ignores faults: they say
// nothing about the other origin's own robots.txt.
func (c *Client) keepTarget(a attempt, requested *state) {
	if a.class != classFile || a.notModified || len(a.hops) == 0 || c.config.NoCache {
		return
	}
	target, err := origin.Of(a.url)
	if err != nil || target == requested.origin || !target.IsRobotsURL(a.url) {
		return
	}
	a.hops = nil
	s := (&state{origin: target}).after(a, requested.checkedAt)
	s.robots = requested.robots
	c.digestBody(s.lastAnswer)
	before, kept := c.keepNewer(s)
	if !kept {
		return
	}
	c.save(s, seen{}, &originLease{}) // most targets are not in the store yet
	if before != nil {
		c.reportChange(before, s)
	}
}

// errAbandoned ends a flight whose callers have all gone while it waited for its turn.
// Otherwise the fetches of cancelled calls would delay those of later ones: with slow
// sites and short deadlines, for hours.
var errAbandoned = errors.New("fetch: no caller waits for this fetch any more")

// callers counts the calls that wait for a flight. The zero value is ready for use.
type callers struct {
	mu       sync.Mutex
	byOrigin map[origin.Origin]int
}

func (c *callers) enter(o origin.Origin) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byOrigin == nil {
		c.byOrigin = make(map[origin.Origin]int)
	}
	c.byOrigin[o]++
}

func (c *callers) leave(o origin.Origin) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byOrigin[o]--; c.byOrigin[o] == 0 {
		delete(c.byOrigin, o)
	}
}

func (c *callers) any(o origin.Origin) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.byOrigin[o] > 0
}

// isWanted reports whether the result of a flight for o is of use: a caller waits for
// it, a Refresh has requested it, or it refreshes an answer in the background.
func (c *Client) isWanted(o origin.Origin) bool {
	if c.callers.any(o) || c.isDemanded(o) {
		return true
	}
	s := c.inMemory(o)
	return s != nil && s.refreshing.Load()
}
