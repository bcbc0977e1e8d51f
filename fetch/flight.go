package fetch

import (
	"net/http"
	"time"

	"github.com/kosterhq/robotstxt/origin"
	"golang.org/x/sync/singleflight"
)

// flight finds out about o, from the store or the site, unless a flight for o
// is under way: then it joins that one. It runs on its own, so that it survives
// the question that began it.
func (c *Client) flight(o origin.Origin) <-chan singleflight.Result {
	return c.flights.DoChan(o.String(), func() (any, error) { return c.fly(o) })
}

func (c *Client) fly(o origin.Origin) (knowledge, error) {
	if c.background.Err() != nil {
		return knowledge{}, ErrClosed
	}
	k, sound := c.recall(o)
	if !c.mustTry(k.state, wallClock()) {
		return k, nil
	}
	turn, answered := c.takeTurn(o, func() bool {
		k, sound = c.recall(o)
		return !c.mustTry(k.state, wallClock())
	})
	if answered {
		return k, nil
	}
	defer turn.end()
	next, header, err := c.ask(o, k.state)
	if err != nil {
		return knowledge{}, err
	}
	c.keep(next)
	if next.settled != nil || sound { // a fault must not take the place of a copy that may be there
		c.save(next)
	}
	return knowledge{state: next, source: SourceNetwork, header: header}, nil
}

// recall returns what is known about o without asking the site: from memory,
// where a flight that landed just now may have left what we need, or else from
// the store. sound is false if the store may hold an answer all the same.
func (c *Client) recall(o origin.Origin) (k knowledge, sound bool) {
	k = knowledge{state: &state{origin: o}, source: SourceMemory}
	if s := c.remembered(o); s != nil {
		k.state = s
	}
	now := wallClock()
	if !c.mustTry(k.state, now) {
		return k, true
	}
	stored, sound := c.load(o, now)
	if stored != nil {
		if joined := stored.joined(k.state); joined != k.state {
			k.state, k.source = joined, SourceStore
			c.keep(joined)
		}
	}
	return k, sound
}

func (c *Client) mustTry(s *state, now time.Time) bool {
	return c.config.NoCache || s.needsTry(c.config.Policy, now)
}

// ask tries the site, and returns what is known then, and the headers of the
// answer.
func (c *Client) ask(o origin.Origin, known *state) (*state, http.Header, error) {
	var copied validators
	if g := known.settled; g != nil && known.robots != nil {
		copied = validators{known.full(g.URL), g.ETag, g.Modified}
	}
	began := time.Now()
	a := c.try(c.background, o, copied)
	if a.err != nil && c.background.Err() != nil {
		return nil, nil, ErrClosed // it tells about the client, not about the site
	}
	now := wallClock()
	next := known.after(a, now)
	next.parse(c.config.Dialect)
	event := Event{Kind: EventFetched, Origin: o, Duration: time.Since(began), Bytes: len(a.body), Err: a.err}
	switch a.class {
	case classUnreachable:
		event.Kind = EventFailed
		c.config.Logger.Info("robots.txt unreachable", "origin", o.String(), "error", next.fault.Text, "tries", next.fault.Tries)
	case classRefused:
		event.Kind = EventRefused
		c.config.Logger.Warn("robots.txt refused by the address guard", "origin", o.String(), "error", next.fault.Text)
	}
	c.observe(event)
	c.keepTarget(a, next)
	return next, a.header, nil
}

// keepTarget keeps a file that was reached through redirects for the origin
// that it stands at, if it is that origin's own robots.txt to the letter. Faults
// and refusals met on the way say nothing about an origin that was not asked
// itself.
func (c *Client) keepTarget(a attempt, asked *state) {
	if a.class != classFile || a.notModified || len(a.hops) == 0 || c.config.NoCache {
		return
	}
	target, err := origin.Of(a.url)
	if err != nil || target == asked.origin || !target.IsRobotsURL(a.url) {
		return
	}
	a.hops = nil
	s := (&state{origin: target}).after(a, asked.checkedAt)
	s.robots = asked.robots
	if c.keepNewer(s) {
		c.save(s)
	}
}
