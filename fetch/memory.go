package fetch

import (
	"math"
	"unsafe"

	"github.com/kosterhq/robotstxt/origin"
	"github.com/maypok86/otter/v2"
)

// newMemory returns the map of states in front of everything else: bounded by
// weight, and otherwise just a map. Freshness is not its business.
func newMemory(maxBytes int64) (*otter.Cache[origin.Origin, *state], error) {
	return otter.New(&otter.Options[origin.Origin, *state]{
		MaximumWeight: uint64(maxBytes),
		Weigher:       func(_ origin.Origin, s *state) uint32 { return s.weight() },
		// The caller does the housekeeping, a little with each call. Goroutines
		// would do it later, and let the map grow beyond its bound until then.
		Executor: func(housekeeping func()) { housekeeping() },
		Logger:   &otter.NoopLogger{},
	})
}

// remembered returns what is in memory about o, nil if nothing.
func (c *Client) remembered(o origin.Origin) *state {
	if c.config.NoCache {
		return nil
	}
	s, _ := c.memory.GetIfPresent(o)
	return s
}

// keep puts s into the memory.
func (c *Client) keep(s *state) {
	if !c.config.NoCache {
		c.memory.Set(s.origin, c.slim(s))
	}
}

// keepNewer puts s into the memory unless what is there is as new. Only a
// flight for the origin itself knows better.
func (c *Client) keepNewer(s *state) (kept bool) {
	slim := c.slim(s)
	c.memory.Compute(s.origin, func(old *state, found bool) (*state, otter.ComputeOp) {
		if kept = !found || old.checkedAt.Before(s.checkedAt); !kept {
			return nil, otter.CancelOp
		}
		return slim, otter.WriteOp
	})
	return kept
}

// slim returns s without what answers do not need: the body has been parsed,
// validators serve revalidation, and errors can hold whole chains of
// certificates that nobody could weigh.
func (c *Client) slim(s *state) *state {
	slim := &state{origin: s.origin, checkedAt: s.checkedAt, settled: s.settled, fault: s.fault, robots: s.robots}
	if g := s.settled; g != nil {
		settled := *g
		if !c.config.KeepBodies {
			settled.body = nil
		}
		if !c.config.Revalidate {
			settled.ETag, settled.Modified = "", ""
		}
		slim.settled = &settled
	}
	if s.fault != nil {
		fault := *s.fault
		fault.err = nil
		slim.fault = &fault
	}
	return slim
}

// weight is what s takes up in memory, in bytes, with its place in the map.
// TestMillionOrigins holds it against what the heap says.
func (s *state) weight() uint32 {
	const mapEntry = 160 // the map's node, its share of the table and of the sketch
	n := mapEntry + int(unsafe.Sizeof(*s)) + len(s.origin.String())
	if g := s.settled; g != nil {
		n += int(unsafe.Sizeof(*g)) + len(g.URL) + len(g.ETag) + len(g.Modified) + cap(g.body) + hopsSize(g.Hops)
	}
	if f := s.fault; f != nil {
		n += int(unsafe.Sizeof(*f)) + len(f.URL) + len(f.Text) + hopsSize(f.Hops)
	}
	if s.robots != nil {
		n += s.robots.Size()
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
