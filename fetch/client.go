package fetch

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/safedial"
	"github.com/kosterhq/robotstxt/internal/seldom"
	"github.com/kosterhq/robotstxt/origin"
	"github.com/maypok86/otter/v2"
	"golang.org/x/sync/semaphore"
	"golang.org/x/sync/singleflight"
)

// Client fetches and caches robots.txt files and decides what they allow. It is safe for
// concurrent use; a program should share one. Make it with New: on a zero Client, every
// method that can return an error does.
type Client struct {
	config     Config
	own        crawlers.Reading // of Config.Agents
	dialects   atomic.Uint32    // dialects of all questions so far, as bits: files are parsed in each
	dialer     *safedial.Dialer
	targets    targetLookups
	transport  http.RoundTripper
	memory     *otter.Cache[origin.Origin, *state]
	rejected   atomic.Pointer[state]        // the last state that memory did not accept
	storeCalls *semaphore.Weighted          // one for each store call under way
	parsing    chan struct{}                // a semaphore with one element per file that is being parsed
	storeLast  [2]atomic.Pointer[storeCall] // the last call of each kind
	storeLog   *slog.Logger                 // one line a minute about a store that fails
	reads      reads
	flights    singleflight.Group
	demands    sync.Map // origin.Origin to *demand
	underWay   sync.Map // origin.Origin to *flight
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
	c := &Client{config: config, dialer: newDialer(config, limits.addresses), transport: config.Network.Transport,
		limits: limits, storeCalls: semaphore.NewWeighted(maxStoreCalls)}
	c.storeLog = seldom.Logger(config.Logger)
	c.parsing = make(chan struct{}, runtime.GOMAXPROCS(0))
	c.callers.byOrigin = make(map[origin.Origin]int)
	if c.transport == nil {
		c.transport = newTransport(config, c.dialer)
	}
	c.memory, err = newMemory(config.Limits.MaxMemory)
	if err != nil {
		return nil, err
	}
	c.own, _ = crawlers.ReadingOf(config.Agents...) // findAgents has checked it
	c.own = c.own.In(config.Dialect)
	c.use(c.own.Dialect)
	c.reads.store, _ = config.Store.(manyStore)
	c.background, c.stop = context.WithCancel(context.Background())
	return c, nil
}

// Close cancels all fetches under way. Calls that wait for a fetch return ErrClosed. So do
// reads of files that Open returned, and all later calls that can return an error, even if
// the answer is in memory. None of them makes a request. Close does not close Config.Store.
func (c *Client) Close() {
	if c.usable() == nil {
		c.stop()
	}
}

var errNotNew = errors.New("fetch: this Client cannot be used: make it with fetch.New")

func (c *Client) usable() error {
	switch {
	case c == nil || c.background == nil:
		return errNotNew
	case c.background.Err() != nil:
		return ErrClosed
	}
	return nil
}

// Agents returns the product tokens whose rules the client obeys: Config.Agents,
// or if that is empty the token in Config.UserAgent.
func (c *Client) Agents() []string { return slices.Clone(c.config.Agents) }

// UserAgent returns Config.UserAgent, the User-Agent header of every request.
func (c *Client) UserAgent() string { return c.config.UserAgent }

// Clock returns Freshness.Clock, nil if it is not set, for programs that compare their own
// times with the client's.
func (c *Client) Clock() func() time.Time { return c.config.Freshness.Clock }

// Allowed reports whether a crawler with the product tokens agents may request url, as it
// reads the file: see [crawlers.ReadingOf] and Config.Dialect. Without agents it uses
// Config.Agents. It fetches the site's robots.txt first if no fresh copy is cached. It
// reads url as http.NewRequest does, and compares the path that net/http sends, see
// origin.Request.
//
// Allowed returns an *origin.Error if http.NewRequest refuses url or url has no origin;
// ctx's error if ctx ends first; ErrClosed after Close; a *FaultError whose Local is true
// if the request failed on this machine; and another error if no agent line can contain
// any of agents. [RFC 9309 2.2.2]
func (c *Client) Allowed(ctx context.Context, url string, agents ...string) (bool, error) {
	q, err := c.ask(ctx, url, agents)
	if err != nil {
		return false, err
	}
	s := q.found.state
	effect, _ := s.judge(c.config.Policy, q.found.at)
	switch outcome := effect.outcome(); outcome {
	case OutcomeRules:
		robots := *s.forms.in(q.reading.Dialect)
		return robots != nil && q.reading.Rules(robots).Allowed(q.url.Compared()), nil
	case OutcomeLocal:
		return false, s.trouble.error()
	default:
		return outcome == OutcomeAllowAll, nil
	}
}

// Decide is like Allowed, but also returns the deciding line and the Result. It
// returns them even with a *FaultError.
func (c *Client) Decide(ctx context.Context, url string, agents ...string) (Decision, error) {
	q, err := c.ask(ctx, url, agents)
	if err != nil {
		return Decision{}, err
	}
	r := c.resultOf(q.found, q.reading.Dialect)
	d := Decision{r.rules(q.reading).Explain(q.url.Compared()), q.url.Compared(), r}
	d.Dialect = q.reading.Dialect // even if there is no file
	if r.Outcome == OutcomeLocal {
		err = r.Err
	}
	return d, err
}

// Robots returns the state of the robots.txt that governs url, and fetches it first if no
// fresh copy is cached. It parses the file in the dialect in which agents read it, or
// Config.Agents if there are none. For the rules, pass the same agents to Result.Rules. If
// ctx ends first, Robots returns ctx's error, but a fetch that has begun continues, and
// later calls use its answer. If the request fails on this machine, Robots returns no
// error, but a Result with OutcomeLocal. The exception is a first request that
// Network.Request refuses: Robots then returns that error. [RFC 9309 2.3]
func (c *Client) Robots(ctx context.Context, url string, agents ...string) (*Result, error) {
	o, err := origin.Of(url)
	if err != nil {
		return nil, cmp.Or(c.usable(), err)
	}
	return c.RobotsOf(ctx, o, agents...)
}

var errNoOrigin = errors.New("fetch: the zero Origin has no robots.txt: make an Origin with origin.Of")

// RobotsOf is like Robots, but takes the origin of the site instead of a URL.
func (c *Client) RobotsOf(ctx context.Context, o origin.Origin, agents ...string) (*Result, error) {
	if err := c.usable(); err != nil {
		return nil, err
	}
	reading, err := c.reading(agents)
	if err != nil {
		return nil, err
	}
	if o == (origin.Origin{}) {
		return nil, errNoOrigin
	}
	k, err := c.lookUp(ctx, o, reading.Dialect)
	if err != nil {
		return nil, err
	}
	return c.resultOf(k, reading.Dialect), nil
}

// now returns the time of Freshness.Clock without a monotonic reading. The monotonic
// clock stops while a machine sleeps, and a day must include that time.
func (c *Client) now() time.Time {
	if c.config.Freshness.Clock == nil {
		return time.Now().UTC().Round(0)
	}
	return c.config.Freshness.Clock().UTC().Round(0)
}
