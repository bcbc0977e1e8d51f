package serve

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"strconv"
	"sync"
	"time"

	"github.com/maypok86/otter/v2"
	"golang.org/x/sync/errgroup"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/api"
	"github.com/kosterhq/robotstxt/cmd/internal/ask"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/origin"
)

// sites answer for sites, whose files they fetch. What is derived from a file is kept, so
// that a query about a known site need not read the file again.
type sites struct {
	client *fetch.Client
	read   *otter.Cache[reading, *answer.Ruling]
}

// reading is a file in a dialect.
type reading struct {
	robots  *robotstxt.Robots
	dialect robotstxt.Dialect
}

// readBytes bounds the memory of what is kept, besides the files.
const readBytes = 64 << 20

func newSites(client *fetch.Client) (*sites, error) {
	read, err := otter.New(&otter.Options[reading, *answer.Ruling]{
		MaximumWeight: readBytes,
		// Each rule has an entry in two tables of the ruling.
		Weigher:  func(_ reading, r *answer.Ruling) uint32 { return uint32(min(1<<30, 1<<10+8*len(r.File.Text))) },
		Executor: func(housekeeping func()) { housekeeping() },
		Logger:   &otter.NoopLogger{},
	})
	return &sites{client, read}, err
}

// rule returns the ruling of a site for crawlers.
func (s *sites) rule(result *fetch.Result, began time.Time, dialect robotstxt.Dialect, crawlers []answer.Crawler) *answer.Ruling {
	if result.Robots() == nil {
		r := ask.RuleSite(result, began, dialect, crawlers)
		r.Site.Source = wire.Source(result.Source.String())
		return r
	}
	key := reading{result.Robots(), dialect}
	read, known := s.read.GetIfPresent(key)
	if !known {
		read = ask.RuleSite(result, began, dialect, nil)
		s.read.Set(key, read)
	}
	r := read.For(dialect, crawlers)
	r.Site = ask.SiteOf(result, began)
	r.Site.Source, r.Site.Body, r.Began = wire.Source(result.Source.String()), r.File.Kind, began
	return r
}

// sitesAtOnce is how many sites are fetched from at the same time for one request.
const sitesAtOnce = 16

// rulings returns the rulings that govern the URLs of a question, for each URL one. The
// same site has the same ruling.
func (s *Server) rulings(ctx context.Context, client netip.Addr, q *api.Question) ([]*answer.Ruling, error) {
	began := ask.Now()
	origins, of, err := s.originsOf(q.URLs)
	if err != nil {
		return nil, err
	}
	if err := s.mayFetch(client); err != nil {
		return nil, err
	}
	limited := &limitedContext{Context: ctx, limit: s.config.FetchTimeout + slotWait}
	defer limited.end()
	ctx = limited
	found := make([]*answer.Ruling, len(origins))
	look := func(i int) error {
		result, err := s.fetcher.Robots(ctx, origins[i].RobotsURL())
		if err != nil {
			return fetchError(err)
		}
		s.charge(client, result, began)
		found[i] = s.sites.rule(result, began, q.Dialect, q.Crawlers)
		return nil
	}
	if len(origins) == 1 {
		err = look(0)
	} else {
		var group errgroup.Group
		group.SetLimit(sitesAtOnce)
		for i := range origins {
			group.Go(func() error { return look(i) })
		}
		err = group.Wait()
	}
	if err != nil {
		return nil, err
	}
	rulings := make([]*answer.Ruling, len(of))
	for i, site := range of {
		rulings[i] = found[site]
	}
	return rulings, nil
}

// originsOf returns the sites of URLs, each once, and for each URL the index of its site.
func (s *Server) originsOf(urls []string) (origins []origin.Origin, of []int, err error) {
	index := make(map[origin.Origin]int, 1)
	of = make([]int, len(urls))
	for i, url := range urls {
		o, err := origin.Of(url)
		if err != nil {
			invalid := api.Invalid("urls/"+strconv.Itoa(i), err)
			invalid.Hint = "give URLs with a host, or the robots.txt in the field body"
			return nil, nil, invalid
		}
		at, known := index[o]
		if !known {
			at = len(origins)
			origins, index[o] = append(origins, o), at
		}
		of[i] = at
	}
	if len(origins) > s.config.MaxOrigins {
		return nil, nil, &api.Error{Code: api.CodeLimit, Field: "urls", Limit: "MaxOrigins",
			Message: "the URLs are of " + strconv.Itoa(len(origins)) + " sites; the limit is " + strconv.Itoa(s.config.MaxOrigins),
			Hint:    "send them as a stream, with the Content-Type " + typeLines}
	}
	return origins, of, nil
}

// limitedContext is a context that ends a while after its first use in a wait. Most
// requests are about known sites, and never wait: they need no timer.
type limitedContext struct {
	context.Context
	limit  time.Duration
	once   sync.Once
	mu     sync.Mutex
	inner  context.Context // nil until the first wait
	cancel context.CancelFunc
}

func (c *limitedContext) start() context.Context {
	c.once.Do(func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.inner, c.cancel = context.WithTimeout(c.Context, c.limit)
	})
	return c.inner
}

// Done starts the time.
func (c *limitedContext) Done() <-chan struct{} { return c.start().Done() }

// Err returns the error of the context.
func (c *limitedContext) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.inner != nil {
		return c.inner.Err()
	}
	return c.Context.Err()
}

// end releases the timer.
func (c *limitedContext) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cancel != nil {
		c.cancel()
	}
}

// fetchError returns the problem of a lookup that has no result.
func fetchError(err error) error {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, fetch.ErrClosed) {
		return busy(http.StatusServiceUnavailable, "fetch-queue", "too many sites are being fetched from", 5*time.Second)
	}
	return err
}

// mayFetch returns a problem while a client has used up its fetches.
func (s *Server) mayFetch(client netip.Addr) error {
	if s.config.ClientFetchRate <= 0 {
		return nil
	}
	if wait := debt(s.clients.of(client).fetches, time.Now()); wait > 0 {
		return busy(http.StatusTooManyRequests, "client-fetch-rate", "this client has caused too many fetches from sites", wait)
	}
	return nil
}

// charge counts a result that was fetched since a request began.
func (s *Server) charge(client netip.Addr, result *fetch.Result, began time.Time) {
	if s.config.ClientFetchRate > 0 && !result.FetchedAt.Before(began) {
		charge(s.clients.of(client).fetches, time.Now())
	}
}

// contact counts a request that the service sends to a site because a client wants it now.
func (s *Server) contact(client netip.Addr, o origin.Origin) error {
	if err := s.mayFetch(client); err != nil {
		return err
	}
	if wait := s.takeOrigin(o); wait > 0 {
		return busy(http.StatusTooManyRequests, "origin-rate", "this site has had enough requests for now", wait)
	}
	if s.config.ClientFetchRate > 0 {
		charge(s.clients.of(client).fetches, time.Now())
	}
	return nil
}

// takeOrigin counts a request to a site. If it is one too many, the result is the time
// until the next one.
func (s *Server) takeOrigin(o origin.Origin) time.Duration {
	if s.config.OriginInterval <= 0 {
		return 0
	}
	return take(s.origins.of(o).requests, time.Now())
}
