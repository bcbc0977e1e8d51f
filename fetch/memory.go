package fetch

import (
	"math"
	"unsafe"

	"github.com/kosterhq/robotstxt/origin"
	"github.com/maypok86/otter/v2"
)

// newMemory returns the client's in-memory cache of states. It is bounded by
// weight; states do not expire in it, because freshness depends on the policy.
func newMemory(maxBytes int64) (*otter.Cache[origin.Origin, *state], error) {
	return otter.New(&otter.Options[origin.Origin, *state]{
		MaximumWeight: uint64(maxBytes),
		Weigher:       func(_ origin.Origin, s *state) uint32 { return s.weight() },
		// Evictions run in the calling goroutine. A goroutine of otter's would
		// run them later, so that the map could exceed its bound until then.
		Executor: func(housekeeping func()) { housekeeping() },
		Logger:   &otter.NoopLogger{},
	})
}

func (c *Client) inMemory(o origin.Origin) *state {
	if c.config.Freshness.NoCache {
		return nil
	}
	s, ok := c.memory.GetIfPresent(o)
	if rejected := c.rejected.Load(); !ok && rejected != nil && rejected.origin == o {
		return rejected
	}
	return s
}

// keepRejected keeps s, which was put into memory a moment ago, if memory did not accept
// it: memory prefers many small files in use to a large new one, and would reject that
// after every fetch. Only the last such state is kept, so that a call which follows a
// fetch finds its answer.
func (c *Client) keepRejected(s *state) {
	if _, ok := c.memory.GetIfPresent(s.origin); !ok {
		c.rejected.Store(s)
		return
	}
	c.dropRejected(s.origin)
}

func (c *Client) dropRejected(o origin.Origin) {
	if s := c.rejected.Load(); s != nil && s.origin == o {
		c.rejected.CompareAndSwap(s, nil)
	}
}

// keep puts s into memory. If s has a fault, it keeps a newer answer that another
// origin's flight has put there meanwhile, see keepTarget.
func (c *Client) keep(s *state) {
	kept := c.replace(s.origin, func(old *state) *state {
		if s.fault != nil && old != nil && !old.checkedAt.After(s.checkedAt) {
			return old.joined(s)
		}
		return s
	})
	if s.fault == nil && kept != nil {
		c.keepRejected(kept)
	}
}

// replace calls choose with the state of o in memory, puts the result in its place, without the
// fields that later answers do not need, and returns it. choose receives nil if there is none,
// and returns nil to leave memory as it is.
func (c *Client) replace(o origin.Origin, choose func(old *state) *state) (kept *state) {
	if c.config.Freshness.NoCache {
		return nil
	}
	c.memory.Compute(o, func(old *state, _ bool) (*state, otter.ComputeOp) {
		kept = choose(old)
		if kept == nil {
			return nil, otter.CancelOp
		}
		kept = c.slim(kept)
		return kept, otter.WriteOp
	})
	return kept
}

// keepNewer puts s into memory unless the state there is as new or newer. It is
// for states that do not come from a flight for their own origin. before is the state
// that was there, nil without one.
func (c *Client) keepNewer(s *state) (before *state, kept bool) {
	c.replace(s.origin, func(old *state) *state {
		before = old
		kept = old == nil || old.checkedAt.Before(s.checkedAt)
		if kept {
			return s
		}
		return nil
	})
	return before, kept
}

// slim returns s without the fields that later answers do not need: the body,
// which is parsed, the validators without Freshness.Revalidate, and the error,
// which can reference certificate chains of unknown size.
func (c *Client) slim(s *state) *state {
	slim := s.clone()
	if g := s.lastAnswer; g != nil {
		answer := *g
		if !c.config.KeepBodies {
			answer.body = nil
		}
		if !c.config.Freshness.Revalidate {
			answer.ETag, answer.Modified = "", ""
		}
		slim.lastAnswer = &answer
	}
	slim.fault, slim.trouble = s.fault.slim(), s.trouble.slim()
	return slim
}

func (f *fault) slim() *fault {
	if f == nil {
		return nil
	}
	slim := *f
	slim.err = nil
	return &slim
}

// weight returns the memory that s occupies, in bytes, including its share of the
// map. TestMillionOrigins compares it with the size of the heap.
func (s *state) weight() uint32 {
	const mapEntry = 160 // the map's node, and its share of the hash table and the frequency sketch
	n := mapEntry + int(unsafe.Sizeof(*s)) + len(s.origin.String())
	if g := s.lastAnswer; g != nil {
		n += int(unsafe.Sizeof(*g)) + len(g.URL) + len(g.Next) + len(g.ETag) + len(g.Modified) + cap(g.body) +
			hopsSize(g.Hops)
		if g.digest != nil {
			n += len(g.digest)
		}
	}
	for _, f := range []*fault{s.fault, s.trouble} {
		if f != nil {
			n += int(unsafe.Sizeof(*f)) + len(f.URL) + len(f.Next) + len(f.Text) + hopsSize(f.Hops)
		}
	}
	for _, form := range s.forms {
		if form != nil {
			n += form.Size()
		}
	}
	return uint32(min(n, math.MaxInt32))
}

func hopsSize(hops []Hop) int {
	n := cap(hops) * int(unsafe.Sizeof(Hop{}))
	for _, hop := range hops {
		n += len(hop.URL)
	}
	return n
}
