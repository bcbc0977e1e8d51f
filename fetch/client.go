package fetch

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/origin"
	"github.com/maypok86/otter/v2"
	"golang.org/x/sync/singleflight"
)

// Client gets, judges and keeps robots.txt files. It is safe for concurrent
// use, and meant to be shared by all of a program.
type Client struct {
	config     Config
	transport  http.RoundTripper
	memory     *otter.Cache[origin.Origin, *state]
	storeCalls chan struct{} // one for each call of the store that is under way
	flights    singleflight.Group

	// Fetches outlive the questions that began them, but not the client.
	background context.Context
	stop       context.CancelFunc
}

// New returns a client. A mistake in the configuration is a *ConfigError.
func New(config Config) (*Client, error) {
	config, err := config.withDefaults()
	if err != nil {
		return nil, err
	}
	c := &Client{config: config, transport: config.Transport, storeCalls: make(chan struct{}, maxStoreCalls)}
	if c.transport == nil {
		c.transport = newTransport(config)
	}
	if c.memory, err = newMemory(config.MaxMemory); err != nil {
		return nil, err
	}
	c.background, c.stop = context.WithCancel(context.Background())
	return c, nil
}

// Close ends fetches that are under way; questions that wait for them, and all
// later ones that would have to fetch, return ErrClosed. The Store is the
// caller's to close.
func (c *Client) Close() { c.stop() }

// Agents returns the product tokens that the client obeys: Config.Agents, or
// the one from the User-Agent.
func (c *Client) Agents() []string { return slices.Clone(c.config.Agents) }

// Allowed reports whether the crawler that asks for agents, Config.Agents if
// none, may fetch url, and fetches its robots.txt first if need be (RFC 9309
// 2.2.2). An error is a URL without an origin (*origin.Error), a context that
// ended, or ErrClosed.
func (c *Client) Allowed(ctx context.Context, url string, agents ...string) (bool, error) {
	k, err := c.know(ctx, url)
	if err != nil {
		return false, err
	}
	verdict, _ := k.state.judge(c.config.Policy, k.at, c.config.SiteAnswers)
	switch verdict.outcome() {
	case OutcomeAllowAll:
		return true, nil
	case OutcomeRules:
		return k.state.robots.Rules(c.asked(agents)...).Allowed(robotstxt.EncodeURL(url)), nil
	default:
		return false, nil
	}
}

// Decide is Allowed with all grounds: the deciding line, and the Result that it
// comes from.
func (c *Client) Decide(ctx context.Context, url string, agents ...string) (Decision, error) {
	r, err := c.Robots(ctx, url)
	if err != nil {
		return Decision{}, err
	}
	encoded := robotstxt.EncodeURL(url)
	return Decision{r.Rules(c.asked(agents)...).Explain(encoded), encoded, r}, nil
}

func (c *Client) asked(agents []string) []string {
	if len(agents) == 0 {
		return c.config.Agents
	}
	return agents
}

// Robots returns what is known about the robots.txt that governs url, and
// fetches it first if need be (RFC 9309 2.3). If the context ends before, its
// error is returned, and the fetch goes on for whoever asks next.
func (c *Client) Robots(ctx context.Context, url string) (*Result, error) {
	k, err := c.know(ctx, url)
	if err != nil {
		return nil, err
	}
	r := k.state.result(c.config.Policy, k.at, k.source, c.config.SiteAnswers)
	r.Header = k.header
	return r, nil
}

// knowledge is a state, with where and when it was found.
type knowledge struct {
	state  *state
	source Source
	at     time.Time
	header http.Header // with SourceNetwork
}

// know finds out about the origin of url, without a flight if there is an
// answer in memory that holds, or if it is too early to ask a failing site.
func (c *Client) know(ctx context.Context, url string) (knowledge, error) {
	o, err := origin.Of(url)
	if err != nil {
		return knowledge{}, err
	}
	if err := ctx.Err(); err != nil {
		return knowledge{}, err
	}
	now := wallClock()
	if s := c.remembered(o); s != nil {
		if fresh := s.fresh(c.config.Policy, now); fresh || s.backingOff(now) {
			c.observe(Event{Kind: EventHit, Origin: o})
			if fresh && s.refreshDue(c.config.Policy, now) && s.refreshing.CompareAndSwap(false, true) {
				c.observe(Event{Kind: EventRefresh, Origin: o})
				c.flight(o)
			}
			return knowledge{state: s, source: SourceMemory, at: now}, nil
		}
	}
	c.observe(Event{Kind: EventMiss, Origin: o})
	select {
	case landed := <-c.flight(o):
		if landed.Err != nil {
			return knowledge{}, landed.Err
		}
		k := landed.Val.(knowledge)
		k.at = wallClock()
		return k, nil
	case <-ctx.Done():
		return knowledge{}, ctx.Err()
	}
}

func (c *Client) observe(e Event) { c.config.Observe(e) }

// wallClock is the time without its monotonic reading, which stands still while
// a machine sleeps: a day is a day.
func wallClock() time.Time { return time.Now().UTC().Round(0) }
