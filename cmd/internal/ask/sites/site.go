package sites

import (
	"context"
	"iter"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/panics"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/origin"
)

type line struct {
	url    origin.URL
	origin origin.Origin
	err    error   // the URL has no valid host, or the line is not a URL
	fatal  error   // the list cannot be read further; err is the same
	share  float64 // of the URLs, see URLs.Share
}

// lines yields the URLs of a list with their origins.
func lines(urls URLs, asSent bool) iter.Seq[line] {
	return func(yield func(line) bool) {
		err := panics.Contain("the list of URLs", nil, func() error {
			for url, err := range urls.All {
				if err != nil && !isLine(err) {
					return err
				}
				if !yield(lineOf(url, asSent, err, urls.Share)) {
					break
				}
			}
			return nil
		})
		if err != nil {
			yield(line{err: err, fatal: err})
		}
	}
}

// lineOf returns the line of a list with a URL, or with an error instead of one.
func lineOf(url string, asSent bool, err error, share func() float64) line {
	l := line{err: err, share: -1}
	if share != nil {
		l.share = share()
	}
	if contained := panics.Contain(url, nil, func() (err error) {
		l.url = answer.ReadURL(url, asSent)
		if l.err == nil {
			l.origin, l.err = l.url.Origin()
		}
		return nil
	}); contained != nil {
		l.err = contained
	}
	return l
}

type looking struct {
	*Question
	began    time.Time
	progress Progress
}

type site struct {
	result *fetch.Result
	err    error          // of a panic; result is nil then
	ruling *answer.Ruling // made from the result for the first URL of the site, and kept for its next ones
}

// bytes returns about how much memory a site takes.
func (s *site) bytes() int {
	if s.result == nil {
		return 4 << 10
	}
	return 4<<10 + 4*len(s.result.Body())
}

// up calls find, and turns a panic into an error of that site only.
func (l *looking) up(ctx context.Context, o origin.Origin) (found *site, err error) {
	err = panics.Contain(o.String(), nil, func() (err error) { found, err = l.find(ctx, o); return err })
	if term.TraceOf(err) != "" {
		return &site{err: err}, nil
	}
	return found, err
}

// find fetches the robots.txt of a site, or takes it from a cache.
func (l *looking) find(ctx context.Context, o origin.Origin) (*site, error) {
	since, robots := Now(), l.RobotsOf
	l.progress.Started()
	if robots == nil {
		robots = l.Client.RobotsOf
	}
	result, err := robots(ctx, o)
	if err == nil && l.Refetch != nil && result.FetchedAt.Before(since) && !l.Usable(result) {
		result, err = l.Refetch.RobotsOf(ctx, o)
	}
	if err == nil && l.Retry != nil && result.FetchedAt.Before(l.began) && l.Retry(result) {
		result, err = l.Client.Refresh(ctx, o.RobotsURL())
	}
	if err != nil {
		return nil, err
	}
	l.progress.Finished(!result.FetchedAt.Before(since), result.Source != fetch.SourceAssumed)
	found := &site{result: result}
	if l.Take != nil {
		err = l.Take(int64(found.bytes()))
	}
	return found, err
}

// visit returns the visit of a line of a list. s is nil if it has no site.
func (l *looking) visit(of line, s *site) answer.Visit {
	v := answer.VisitURL(of.url, nil)
	v.Err = of.err
	if s == nil {
		return v
	}
	v.Err = s.err
	if v.Err == nil {
		body := s.result.Body()
		v.Err = panics.Contain(v.URL, &body, func() error { v.Ruling = l.ruling(s); return nil })
	}
	return v
}

func (l *looking) ruling(s *site) *answer.Ruling {
	if s.ruling == nil {
		s.ruling = RuleSite(s.result, l.began, l.Dialect, l.Crawlers)
		s.ruling.AssumePolicy = l.AssumePolicy
	}
	return s.ruling
}

// RuleSite returns the ruling of a site. The source of a result that is older than the
// run is a cache, even if the client has it in memory.
func RuleSite(result *fetch.Result, began time.Time, dialect *robotstxt.Dialect,
	crawlers []answer.Crawler) *answer.Ruling {
	r := answer.RuleSite(SiteOf(result, began), result.Body(), result.Robots(), dialect, crawlers)
	r.Began = began
	return r
}

// SiteOf returns the JSON form of a result, for a run that began at the given time.
func SiteOf(r *fetch.Result, began time.Time) *wire.Site {
	s := &wire.Site{
		Provenance: wire.Provenance{
			RobotsURL: r.Origin.RobotsURL(), FetchReason: r.Detail,
			Status: r.Status, Source: sourceOf(r, began), FetchedAt: r.FetchedAt, Cause: wire.Cause(r.Reason),
			Policy:      r.Policy.String(),
			Credentials: r.Credentials, Edge: r.Edge,
			Age: int(max(began.Sub(r.FetchedAt), 0) / time.Second),
		},
		Outcome: wire.Outcome(r.Outcome), Origin: r.Origin.String(), FinalURL: r.URL, Hops: []wire.Hop{},
		Proxy: r.Proxy,
		Bytes: r.Bytes, Truncated: r.Truncated, Delimited: r.Delimited,
		FreshUntil: r.FreshUntil, NextTry: r.NextTry, FailingSince: r.FailingSince,
	}
	for _, hop := range r.Hops {
		s.Hops = append(s.Hops, wire.Hop{URL: hop.URL, Status: hop.Status})
	}
	for name, value := range r.HeaderLines() {
		if name == "Location" {
			value = origin.Text(value).Given() // without a user name and password
		}
		s.Headers = append(s.Headers, wire.Header{Name: name, Value: value})
	}
	if r.Err != nil {
		s.Error, s.Fault = r.Err.Error(), "unknown"
		if fault, ok := r.Err.(*fetch.FaultError); ok {
			s.Fault = fault.Kind
		}
	}
	return s
}

// sourceOf returns the source of a result for a run. A client that was made for the run
// has in memory only what it fetched in that run or found in a store.
func sourceOf(r *fetch.Result, began time.Time) wire.Source {
	switch {
	case r.Source != fetch.SourceMemory:
		return wire.Source(r.Source)
	case r.FetchedAt.Before(began):
		return wire.SourceStore
	default:
		return wire.SourceNetwork
	}
}

// EventOf returns the JSON form of an event of the client. It returns false for the end
// of a fetch: use FetchEvent.
func EventOf(e fetch.Event) (wire.Event, bool) {
	event := wire.Event{Event: e.Kind, Origin: e.Origin.String()}
	if e.Err != nil {
		event.Error = e.Err.Error()
	}
	switch e.Kind {
	case "fetched", "failed", "refused", "local":
		return event, false
	}
	return event, true
}

// FetchEvent returns the JSON form of the end of a fetch.
func FetchEvent(s *fetch.Stored) wire.Event {
	event := wire.Event{Event: s.Kind, Origin: s.Origin.String(), Duration: s.Took.Seconds(), Bytes: s.Bytes}
	if s.Fault != nil {
		event.Error = s.Fault.Text
	}
	return event
}
