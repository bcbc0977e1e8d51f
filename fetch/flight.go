package fetch

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/kosterhq/robotstxt/origin"
	"golang.org/x/sync/singleflight"
)

// flight looks an origin up in the store or fetches its robots.txt. All calls that need
// the origin meanwhile wait for the same flight.
type flight struct {
	client  *Client
	by      *requester // for the call that caused it
	origin  origin.Origin
	known   lookup // what memory and store know
	inStore seen   // what the last read of the store found
	slot    slot
	lease   originLease

	forgotten atomic.Bool // forget was called meanwhile
}

// join returns the result of the flight for o, which it starts if none is under way. A
// flight runs in its own goroutine, so that it continues if the caller that started it, with
// ctx, is cancelled. isOwn is set before the result arrives if this call has started it.
func (c *Client) join(ctx context.Context, o origin.Origin, isOwn *bool) <-chan singleflight.Result {
	return c.flights.DoChan(o.String(), func() (_ any, err error) {
		defer c.endPanic(o, &err)
		*isOwn = true
		f := &flight{client: c, by: c.requester(context.WithoutCancel(ctx), false), origin: o,
			slot: slot{limits: &c.limits}}
		c.underWay.Store(o, f)
		var k lookup
		k, err = f.run()
		if err == nil && c.mustCheckSite(k.state, c.now()) {
			k.state = c.checkSite(k.state)
		}
		c.underWay.Delete(o)
		isNew := k.source == SourceNetwork && err == nil && k.state.fault == nil && k.state.trouble == nil
		if f.forgotten.Load() && !isNew { // the flight could have put back the state it began with
			if err := c.invalidate(o); err != nil {
				c.storeTrouble(o, err)
			}
		}
		return k, err
	})
}

// endPanic is deferred by a flight, which runs in a goroutine of its own: a panic there, at the
// file of one site or in a function of Config, must not end the program.
func (c *Client) endPanic(o origin.Origin, err *error) {
	if p := recover(); p != nil {
		c.underWay.Delete(o)
		c.config.Logger.Error("internal error", "origin", o.String(), "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
		*err = fmt.Errorf("fetch: internal error at %s", o.RobotsURL())
		if _, isGo := p.(runtime.Error); !isGo { // whose words only a programmer understands
			*err = fmt.Errorf("%w: %v", *err, p)
		}
	}
}

// run returns the state at the end. It returns ErrClosed if the client is closed, errAbandoned
// if all callers are gone when the flight's turn comes (see Limits.MaxFetches), or a
// *refusalError.
func (f *flight) run() (lookup, error) {
	if f.client.background.Err() != nil {
		return lookup{}, ErrClosed
	}
	f.recall()
	if f.isAnswered() {
		return f.known, nil
	}
	f.slot.retry = f.known.state.trouble != nil
	if err := f.slot.enter(f.client.background, f.isWanted); err == errAbandoned {
		return lookup{}, err
	} else if err != nil {
		return lookup{}, ErrClosed
	}
	defer f.slot.leave()
	defer f.lease.end()
	if f.slot.waited >= longQueue {
		f.recall()
	}
	if !f.isAnswered() {
		f.acquireLease()
	}
	if f.isAnswered() {
		return f.known, nil
	}
	if err := f.by.ask(origin.Origin{}, f.origin); err != nil {
		return lookup{}, f.refuse(err)
	}
	f.by.unsent = f.origin
	meet := f.client.takeDemand(f.origin)
	fetched, err := f.attempt()
	f.slot.leave() // the store can be slow
	if err == nil {
		fetched = f.keep(fetched)
		meet(fetched)
	}
	return fetched, err
}

// recall sets known to the state in memory, which an earlier flight might have updated a
// moment ago, or if that does not suffice, to the state in the store.
func (f *flight) recall() {
	c := f.client
	now := f.client.now()
	f.known = lookup{state: &state{origin: f.origin}, source: SourceMemory}
	f.inStore = seen{}
	if s := c.inMemory(f.origin); s != nil {
		f.known.state = s
	}
	if c.mustTry(f.known.state, now) || c.isIncomplete(f.known.state) {
		f.readStore(now)
	}
}

func (f *flight) isAnswered() bool { return !f.client.mustTry(f.known.state, f.client.now()) }

func (f *flight) readStore(now time.Time) {
	c := f.client
	before := f.known.state
	var stored *state
	stored, f.inStore = c.load(f.origin, now)
	if stored == nil {
		return
	}
	joined := stored
	if !before.checkedAt.After(now.Add(clockSkew)) { // otherwise the clock was set back
		joined = stored.joined(before)
	}
	if joined != before {
		c.keep(joined)
		c.reportChange(before, joined)
		f.known.state, f.known.source = joined, SourceStore
	}
	f.known.state = c.completed(f.known.state, stored)
}

func (c *Client) mustTry(s *state, now time.Time) bool {
	return c.config.Freshness.NoCache || s.needsTry(c.config.Policy, now) || c.isDemanded(s.origin) ||
		c.isIncomplete(s) && !s.backingOff(now)
}

// errAbandoned ends a flight whose callers have all given up while it waited for its
// turn. If such flights fetched, they would delay the flights of later calls: with slow
// sites and short deadlines, for hours.
var errAbandoned = errors.New("fetch: no caller waits for this fetch any more")

// refusalError ends a flight whose first request Network.Request refuses. It is an answer to
// the call that has started the flight alone: the others try again, each for itself.
type refusalError struct{ error }

func (e *refusalError) Unwrap() error { return e.error }

func (f *flight) refuse(err error) error {
	if s := f.client.inMemory(f.origin); s != nil {
		s.refreshing.Store(false) // another call can refresh it
	}
	kept := f.client.newKeptError(err)
	return &refusalError{&FaultError{kept.kind, kept.text, err}}
}

// isWanted reports whether the result is of use: a caller waits for it, a Refresh has
// requested it, or it refreshes an answer in the background.
func (f *flight) isWanted() bool {
	c := f.client
	if c.callers.any(f.origin) || c.isDemanded(f.origin) {
		return true
	}
	s := c.inMemory(f.origin)
	return s != nil && s.refreshing.Load()
}

// attempt makes one attempt to fetch robots.txt, and returns the resulting state with
// the headers of the response and the proxy. The error is ErrClosed.
func (f *flight) attempt() (lookup, error) {
	c := f.client
	known := f.known.state
	var copied validators
	if g := known.lastAnswer; g != nil && known.hasCopy() && !c.isIncomplete(known) {
		copied = validators{known.expandURL(g.URL), g.ETag, g.Modified}
	}
	var began time.Time
	visit := c.visit()
	a, err := visit.tryWhenFree(f.by.in(c.background), &f.slot, func(ctx context.Context) attempt {
		began = time.Now()
		return c.try(ctx, f.origin, copied)
	})
	visit.end()
	if err != nil || a.err != nil && c.background.Err() != nil {
		return lookup{}, ErrClosed // the client was closed; the site did not fail
	}
	now := c.now()
	next := known.after(a, now)
	c.parse(next)
	f.report(a, next, now, time.Since(began))
	c.keepTarget(a, next)
	if c.config.Network.HideAddresses {
		a.proxy = ""
	}
	return lookup{state: next, source: SourceNetwork, header: a.header, edge: a.edge, proxy: a.proxy}, nil
}

func (f *flight) report(a attempt, next *state, now time.Time, took time.Duration) {
	c := f.client
	kind := eventFetched
	switch a.Class {
	case classFile, classEmpty:
		c.digestBody(next.lastAnswer)
	case classLocal:
		kind = eventLocal
		c.config.Logger.WarnContext(f.by.caller, "robots.txt could not be requested from this machine", "origin", f.origin.String(), "error", wholeText(a.err))
	case classUnreachable:
		kind = eventFailed
		c.config.Logger.InfoContext(f.by.caller, "robots.txt unreachable", "origin", f.origin.String(), "error", wholeText(next.fault.err), "tries", next.fault.Tries)
	case classRefused:
		kind = eventRefused
		c.config.Logger.WarnContext(f.by.caller, "robots.txt refused by the address guard", "origin", f.origin.String(), "error", wholeText(next.fault.err))
	}
	c.observe(kind, f.origin, a.err)
	if c.config.OnFetch != nil {
		s := f.stored(a, next, now)
		s.Kind, s.Took = kind, took
		c.config.OnFetch(s)
	}
}

// keep puts the result of an attempt into memory and the store, and returns the state
// afterwards. It can end the lease.
func (f *flight) keep(fetched lookup) lookup {
	c := f.client
	next := fetched.state
	if next.trouble != nil {
		c.keepUnlessNewer(next)
		return fetched
	}
	if c.mustCheckSite(next, c.now()) {
		next = c.checkSite(next)
	}
	c.keep(next)
	fetched.state = c.save(next, f.inStore, &f.lease)
	c.reportChange(f.known.state, fetched.state)
	if fetched.state != next {
		c.keep(fetched.state)
		return lookup{state: fetched.state, source: SourceStore}
	}
	return fetched
}

// keepTarget caches a file that was reached through redirects for the origin that
// served it, if its URL is that origin's RobotsURL. It ignores faults: they say
// nothing about the other origin's own robots.txt.
func (c *Client) keepTarget(a attempt, requested *state) {
	if a.Class != classFile || a.notModified || a.fromMemory || len(a.Hops) == 0 || c.config.Freshness.NoCache {
		return
	}
	u, target, err := origin.ParseRequest(a.URL)
	if err != nil || target == requested.origin || c.credentials(target) != nil || !target.IsRobotsURL(u) {
		return
	}
	a.Hops = nil
	s := (&state{origin: target}).after(a, requested.checkedAt)
	s.forms = requested.forms
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
