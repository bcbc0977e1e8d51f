package ask

import (
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
	"github.com/kosterhq/robotstxt/fetch"
)

// RuleSite returns the ruling of a site. The source of a result that is older than the
// run is a cache, even if the client has it in memory.
func RuleSite(result *fetch.Result, began time.Time, dialect robotstxt.Dialect, crawlers []answer.Crawler) *answer.Ruling {
	r := answer.RuleSite(SiteOf(result, began), result.Body(), result.Robots(), dialect, crawlers)
	r.Began = began
	return r
}

// SiteOf returns the JSON form of a result, for a run that began at the given time.
func SiteOf(r *fetch.Result, began time.Time) *wire.Site {
	s := &wire.Site{
		Provenance: wire.Provenance{
			RobotsURL: r.Origin.RobotsURL(), FetchReason: r.Detail,
			Status: r.Status, Source: sourceOf(r, began), FetchedAt: r.FetchedAt, Policy: r.Policy.String(),
			Age: int(max(began.Sub(r.FetchedAt), 0) / time.Second),
		},
		Outcome: wire.Outcome(r.Outcome.String()), Origin: r.Origin.String(), FinalURL: r.URL, Hops: []wire.Hop{}, Proxy: r.Proxy,
		Bytes: r.Bytes, Truncated: r.Truncated, Delimited: r.Delimited,
		FreshUntil: r.FreshUntil, NextTry: r.NextTry, FailingSince: r.FailingSince,
	}
	for _, hop := range r.Hops {
		s.Hops = append(s.Hops, wire.Hop{URL: hop.URL, Status: hop.Status})
	}
	for name, value := range r.HeaderLines() {
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
		return wire.Source(r.Source.String())
	case r.FetchedAt.Before(began):
		return wire.SourceStore
	default:
		return wire.SourceNetwork
	}
}

// EventOf returns the JSON form of an event of the client.
func EventOf(e fetch.Event) wire.Event {
	event := wire.Event{Event: e.Kind.String(), Origin: e.Origin.String(), Duration: e.Duration.Seconds(), Bytes: e.Bytes}
	if e.Err != nil {
		event.Error = e.Err.Error()
	}
	return event
}
