package serve

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/maypok86/otter/v2"
	"golang.org/x/sync/errgroup"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/sites"
	"github.com/kosterhq/robotstxt/cmd/internal/frontends/calls"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/panics"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/origin"
)

// readFiles has the data derived from the files of sites, so that a query about a known site
// need not parse its file again.
type readFiles = *otter.Cache[*robotstxt.Robots, *answer.Ruling]

// readBytes bounds the memory for readFiles, apart from the files.
const readBytes = 64 << 20

func newReadFiles() readFiles {
	return otter.Must(&otter.Options[*robotstxt.Robots, *answer.Ruling]{
		MaximumWeight: readBytes,
		// Each rule has an entry in two tables of the ruling. The ruling can also contain
		// the file in another dialect.
		Weigher: func(_ *robotstxt.Robots, r *answer.Ruling) uint32 {
			return uint32(min(1<<30, 1<<10+24*len(r.File.Text)))
		},
		Executor: func(housekeeping func()) { housekeeping() },
		Logger:   &otter.NoopLogger{},
	})
}

func (s *Server) ruleSite(result *fetch.Result, began time.Time, dialect *robotstxt.Dialect,
	crawlers []answer.Crawler) *answer.Ruling {
	if result.Robots() == nil {
		r := sites.RuleSite(result, began, dialect, crawlers)
		r.Site.Source = wire.Source(result.Source)
		return r
	}
	read, known := s.read.GetIfPresent(result.Robots())
	if !known {
		read = sites.RuleSite(result, began, nil, nil)
		s.read.Set(result.Robots(), read)
	}
	r := read.For(dialect, crawlers)
	r.Site = sites.SiteOf(result, began)
	r.Site.Source = wire.Source(result.Source)
	r.Site.Body = r.File.Kind
	r.Began = began
	return r
}

// shortFile is the size up to which a file is read without a turn for long computations.
// Reading it takes a millisecond.
const shortFile = 64 << 10

// sitesAtOnce is the number of sites that are fetched at the same time for one request.
const sitesAtOnce = 16

// rulings returns, for each URL of a question, the ruling of its site. URLs of the same
// site have the same ruling.
func (s *Server) rulings(ctx context.Context, c *call, q *calls.Question) ([]*answer.Ruling, error) {
	began := sites.Now()
	origins, of, err := s.originsOf(q.URLs)
	if err != nil {
		return nil, err
	}
	timeout := s.config.FetchTimeout + slotWait
	robots := s.fetcher.RobotsOf
	if len(origins) > 1 { // more than a client may cause at once
		timeout = max(timeout, s.config.AnswerTimeout)
		robots = s.paidRobots(c.client)
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	look := func(ctx context.Context, o origin.Origin) (*answer.Ruling, error) {
		result, err := robots(ctx, o)
		if err != nil {
			return nil, fetchError(err)
		}
		if err := c.memory.take(rulingCost(result) + crawlerCost*int64(len(q.Crawlers))); err != nil {
			return nil, err
		}
		if _, isRead := s.read.GetIfPresent(result.Robots()); len(result.Body()) > shortFile && !isRead {
			site := turn{loan: s.work.lend(c.client)} // several of a request at the same time
			defer site.end()
			if err := site.begin(ctx, turnWait); err != nil {
				return nil, err
			}
		}
		return s.ruleSite(result, began, q.Dialect, q.Crawlers), nil
	}
	found := make([]*answer.Ruling, len(origins))
	fetches, ctx := errgroup.WithContext(ctx)
	fetches.SetLimit(sitesAtOnce)
	for i, o := range origins {
		fetches.Go(func() error { // net/http does not recover it
			return panics.Contain(o.String(), nil, func() (err error) { found[i], err = look(ctx, o); return err })
		})
	}
	if err := fetches.Wait(); err != nil {
		return nil, err
	}
	rulings := make([]*answer.Ruling, len(of))
	for i, site := range of {
		rulings[i] = found[site]
	}
	return rulings, nil
}

// rulingCost returns the memory for the ruling of a site: its file, which the client might
// drop meanwhile, and the data derived from it.
func rulingCost(result *fetch.Result) int64 { return 4<<10 + fileCost*int64(len(result.Body())) }

// originsOf returns the sites of URLs, each once. of contains for each URL the index of
// its site.
func (s *Server) originsOf(urls []string) (origins []origin.Origin, of []int, err error) {
	index := make(map[origin.Origin]int, 1)
	of = make([]int, len(urls))
	for i, url := range urls {
		o, err := siteOf("urls/"+strconv.Itoa(i), url)
		if invalid, ok := err.(*calls.Error); ok {
			invalid.Hint = cmp.Or(invalid.Hint, "give URLs with a host, or the robots.txt in the field body")
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
		return nil, nil, &calls.Error{Code: calls.CodeLimit, Field: "urls", Limit: "MaxOrigins",
			Message: "the URLs are from " + strconv.Itoa(len(origins)) + " sites; the limit is " + strconv.Itoa(s.config.MaxOrigins),
			Hint:    "send them as a stream, with the Content-Type " + typeLines}
	}
	return origins, of, nil
}

// siteOf returns the site of a URL in a field, to fetch from it. A URL with a user name or
// password is an error: the client does not want an answer without them, and with them other
// clients would get the answer too.
func siteOf(field, url string) (origin.Origin, error) {
	u := origin.Text(url)
	o, err := u.Origin()
	if err != nil {
		return o, calls.Invalid(field, err)
	}
	if wrong := refuseUserinfo(field, u); wrong != nil {
		return o, wrong
	}
	return o, nil
}

// refuseUserinfo returns the error for a URL with a user name or password, nil without them.
func refuseUserinfo(field string, u origin.URL) *calls.Error {
	if !u.Has(origin.ChangeUserinfo) {
		return nil
	}
	return &calls.Error{Code: calls.CodeInvalid, Field: field,
		Message: strconv.Quote(u.Given()) + " contains a user name or password, which a service must not see",
		Hint:    "remove them; the robots command can send them to the site from your own machine"}
}

func fetchError(err error) error {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, fetch.ErrClosed) {
		return busy(http.StatusServiceUnavailable, "fetch-queue", "too many sites are being fetched from at once", 5*time.Second)
	}
	return err
}
