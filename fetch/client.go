package fetch

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/safedial"
	"github.com/kosterhq/robotstxt/origin"
	"github.com/maypok86/otter/v2"
	"golang.org/x/sync/singleflight"
)

// Client fetches and caches robots.txt files and decides what they allow. It is
// safe for concurrent use; a program should share one.
type Client struct {
	config     Config
	dialer     *safedial.Dialer
	transport  http.RoundTripper
	memory     *otter.Cache[origin.Origin, *state]
	rejected   atomic.Pointer[state] // the last state that memory did not accept
	storeCalls chan struct{}         // a semaphore with one element per store call under way
	reads      reads
	flights    singleflight.Group
	demands    sync.Map // origin.Origin to *demand
	underWay   sync.Map // origin.Origin of each flight to *atomic.Bool: whether forget was called
	callers    callers
	limits     limits
	purges     purges
	reached    atomic.Int64 // when a site last answered, in nanoseconds since 1970

	// background is the context of fetches, which outlive the call that started
	// them. stop cancels it when the client is closed.
	background context.Context
	stop       context.CancelFunc
}

// New returns a client. If config is invalid, the error is a *ConfigError.
func New(config Config) (*Client, error) {
	config, err := config.withDefaults()
	if err != nil {
		return nil, err
	}
	limits := newLimits(config)
	c := &Client{config: config, dialer: newDialer(config, limits.addresses), transport: config.Transport, limits: limits, storeCalls: make(chan struct{}, maxStoreCalls)}
	if c.transport == nil {
		c.transport = newTransport(config, c.dialer)
	}
	if c.memory, err = newMemory(config.MaxMemory); err != nil {
		return nil, err
	}
	c.reads.store, _ = config.Store.(manyStore)
	c.background, c.stop = context.WithCancel(context.Background())
	return c, nil
}

// Close cancels all fetches under way. Calls that wait for one return ErrClosed,
// as do later calls that would need one; answers in memory are still returned.
// Close does not close Config.Store.
func (c *Client) Close() { c.stop() }

// Agents returns the product tokens whose rules the client obeys: Config.Agents,
// or if that is empty the token in Config.UserAgent.
func (c *Client) Agents() []string { return slices.Clone(c.config.Agents) }

// Clock returns Config.Clock, nil if it is not set, for programs that compare their own
// times with the client's.
func (c *Client) Clock() func() time.Time { return c.config.Clock }

// Allowed reports whether a crawler with the product tokens agents may request
// url. Without agents it uses Config.Agents. It fetches the site's robots.txt
// first if no fresh copy is cached. The error is an *origin.Error if url has no
// origin, the context's error if ctx ends first, ErrClosed, or a *FaultError whose
// Local is true if the request failed on this machine. [RFC 9309 2.2.2]
func (c *Client) Allowed(ctx context.Context, url string, agents ...string) (bool, error) {
	k, err := c.lookUp(ctx, url)
	if err != nil {
		return false, err
	}
	effect, _ := k.state.judge(c.config.Policy, k.at)
	switch effect.outcome() {
	case OutcomeAllowAll:
		return true, nil
	case OutcomeRules:
		return k.state.robots.Rules(c.agentsOrDefault(agents)...).Allowed(robotstxt.EncodeURL(url)), nil
	case OutcomeLocal:
		return false, k.state.trouble.error()
	default:
		return false, nil
	}
}

// Decide is like Allowed, but returns the deciding line and the Result as well,
// also with a *FaultError.
func (c *Client) Decide(ctx context.Context, url string, agents ...string) (Decision, error) {
	r, err := c.Robots(ctx, url)
	if err != nil {
		return Decision{}, err
	}
	return c.decide(r, url, agents)
}

// decide returns the decision about a URL that r governs.
func (c *Client) decide(r *Result, url string, agents []string) (Decision, error) {
	encoded := robotstxt.EncodeURL(url)
	d := Decision{r.Rules(c.agentsOrDefault(agents)...).Explain(encoded), encoded, r}
	if r.Outcome == OutcomeLocal {
		return d, r.Err
	}
	return d, nil
}

func (c *Client) agentsOrDefault(agents []string) []string {
	if len(agents) == 0 {
		return c.config.Agents
	}
	return agents
}

// Robots returns the state of the robots.txt that governs url, and fetches it
// first if no fresh copy is cached. If ctx ends first, Robots returns its error,
// but a fetch that has begun continues and later calls use its answer. Local trouble is no
// error of Robots: it is in the Outcome of the Result. [RFC 9309 2.3]
func (c *Client) Robots(ctx context.Context, url string) (*Result, error) {
	k, err := c.lookUp(ctx, url)
	if err != nil {
		return nil, err
	}
	return c.resultOf(k), nil
}

// resultOf returns the Result of a lookup.
func (c *Client) resultOf(k lookup) *Result {
	r := k.state.result(c.config.Policy, k.at, k.source)
	r.Header, r.Proxy = k.header, k.proxy
	return r
}

// lookup is the state found for an origin, with its source and the time at which
// it was found.
type lookup struct {
	state  *state
	source Source
	at     time.Time
	header http.Header // set only with SourceNetwork
	proxy  string      // likewise
}

// lookUp returns the state of url's origin. It starts no flight if memory has a
// fresh answer or if the back-off after a fault has not ended.
func (c *Client) lookUp(ctx context.Context, url string) (lookup, error) {
	o, err := origin.Of(url)
	if err != nil {
		return lookup{}, err
	}
	if err := ctx.Err(); err != nil {
		return lookup{}, err
	}
	now := c.now()
	if s := c.hit(o, now); s != nil {
		return lookup{state: s, source: SourceMemory, at: now}, nil
	}
	c.observeStep(EventMiss, o)
	return c.wait(ctx, o)
}

// hit returns the state of o in memory if no fetch is needed for a call at now, and
// nil otherwise.
func (c *Client) hit(o origin.Origin, now time.Time) *state {
	c.checkPurges(now)
	s := c.inMemory(o)
	if s == nil || c.mustCheckSite(s, now) {
		return nil
	}
	fresh := s.isFresh(c.config.Policy, now)
	if !fresh && !s.backingOff(now) {
		return nil
	}
	c.observeStep(EventHit, o)
	if fresh && s.refreshDue(c.config.Policy, now) && s.refreshing.CompareAndSwap(false, true) {
		c.observeStep(EventRefresh, o)
		c.flight(o)
	}
	return s
}

// wait returns the result of a flight for o.
func (c *Client) wait(ctx context.Context, o origin.Origin) (lookup, error) {
	c.callers.enter(o)
	defer c.callers.leave(o)
	for ctx.Err() == nil {
		select {
		case result := <-c.flight(o):
			if result.Err == errAbandoned { // as this call began
				continue
			}
			if result.Err != nil {
				return lookup{}, result.Err
			}
			k := result.Val.(lookup)
			k.at = c.now()
			return k, nil
		case <-ctx.Done():
		}
	}
	return lookup{}, ctx.Err()
}

// now returns the time of Config.Clock without a monotonic reading. The monotonic
// clock stops while a machine sleeps, and a day must include that time.
func (c *Client) now() time.Time {
	if c.config.Clock == nil {
		return time.Now().UTC().Round(0)
	}
	return c.config.Clock().UTC().Round(0)
}
