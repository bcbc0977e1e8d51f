package fetch

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/origin"
)

// How a question is answered. The first step that knows enough is the last;
// docs/design.md has a diagram.
//
//	ask                  URL and agents: an origin, and how the crawler reads files
//	  lookUp             the state of the origin
//	    hit              memory: it is fresh, or the back-off after a fault has not ended
//	    wait             otherwise a flight, which all callers for the origin share
//	      flight.run
//	        recall       memory and store: another call or process might have been faster
//	        slot.enter   waits for a turn
//	        acquireLease waits for another process, if the store has leases
//	        attempt      one fetch: the state after it, and events
//	        keep         memory and store have it: changes
//	  state.judge        the policy's effect of the state at this time

type question struct {
	url     origin.URL
	reading crawlers.Reading
	found   lookup
}

func (c *Client) ask(ctx context.Context, url string, agents []string) (q question, err error) {
	if err = c.usable(); err != nil {
		return q, err
	}
	q.reading, err = c.reading(agents)
	if err != nil {
		return q, err
	}
	var o origin.Origin
	q.url, o, err = origin.ParseRequest(url)
	if err == nil {
		q.found, err = c.lookUp(ctx, o, q.reading.Dialect)
	}
	return q, err
}

type lookup struct {
	state  *state
	source Source
	at     time.Time
	header http.Header // set only with SourceNetwork
	edge   string      // likewise
	proxy  string      // likewise
}

func (c *Client) resultOf(k lookup, d robotstxt.Dialect) *Result {
	r := k.state.result(c.config.Policy, k.at, k.source)
	r.Credentials = c.credentials(r.Origin) != nil
	r.Header = k.header
	r.Edge = k.edge
	r.Proxy = k.proxy
	r.dialect = c.config.Dialect
	r.read = d
	return r
}

// lookUp returns the state of an origin, for a question in a dialect: from memory if
// that suffices, or from a flight.
func (c *Client) lookUp(ctx context.Context, o origin.Origin, d robotstxt.Dialect) (lookup, error) {
	if err := ctx.Err(); err != nil {
		return lookup{}, err
	}
	now := c.now()
	if s := c.hit(ctx, o, now, d); s != nil {
		return lookup{state: s, source: SourceMemory, at: now}, nil
	}
	c.observe(eventMiss, o, nil)
	k, err := c.wait(ctx, o)
	if err == nil && k.state.lacks(d) { // the flight had parsed the file before this call
		k.state = c.completed(k.state, nil)
	}
	if err == nil && k.state.lacks(d) {
		k, err = c.wait(ctx, o)
	}
	return k, err
}

// hit returns the state of o in memory if no fetch is needed for a call at now in a
// dialect, and nil otherwise.
func (c *Client) hit(ctx context.Context, o origin.Origin, now time.Time, d robotstxt.Dialect) *state {
	c.checkPurges(now)
	s := c.inMemory(o)
	fresh := s != nil && s.isFresh(c.config.Policy, now)
	suffices := s != nil && (fresh || s.backingOff(now)) && !c.mustCheckSite(s, now)
	if suffices && s.lacks(d) {
		s = c.completed(s, nil)
	}
	if !suffices || s.lacks(d) {
		return nil
	}
	c.observe(eventHit, o, nil)
	if fresh && s.refreshDue(c.config.Policy, now) && s.refreshing.CompareAndSwap(false, true) {
		c.refresh(ctx, o)
	}
	return s
}

// refresh fetches o in the background, even if the observer panics: otherwise no later
// call would fetch o, because a refresh counts as under way.
func (c *Client) refresh(ctx context.Context, o origin.Origin) {
	defer c.join(ctx, o, new(bool))
	c.observe(eventRefresh, o, nil)
}

func (c *Client) wait(ctx context.Context, o origin.Origin) (lookup, error) {
	c.callers.enter(o)
	defer c.callers.leave(o)
	for ctx.Err() == nil {
		isOwn := new(bool)
		select {
		case result := <-c.join(ctx, o, isOwn):
			if result.Err == errAbandoned { // as this call began
				continue
			}
			if refusal, ok := result.Err.(*refusalError); ok {
				if !*isOwn {
					continue
				}
				return lookup{}, refusal.error
			}
			k, _ := result.Val.(lookup)
			k.at = c.now()
			return k, result.Err
		case <-ctx.Done():
		}
	}
	return lookup{}, ctx.Err()
}

type callers struct {
	mu       sync.Mutex
	byOrigin map[origin.Origin]int
}

func (c *callers) enter(o origin.Origin) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.byOrigin[o]++
}

func (c *callers) leave(o origin.Origin) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.byOrigin[o]--
	if c.byOrigin[o] == 0 {
		delete(c.byOrigin, o)
	}
}

func (c *callers) any(o origin.Origin) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.byOrigin[o] > 0
}
