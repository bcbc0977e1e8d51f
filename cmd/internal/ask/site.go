package ask

import (
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

// The kinds of faults, see [fetch.FaultError], that need other words than the
// rest.
const (
	FaultRefused = "refused address"
	FaultStatus  = "status"
	FaultTimeout = "timeout"
)

// newSite returns what a result says to a run that began at some time.
func newSite(r *fetch.Result, began time.Time) *wire.Site {
	s := &wire.Site{
		Provenance: wire.Provenance{
			RobotsURL: r.Origin.RobotsURL(), FetchReason: r.Reason,
			Status: r.Status, Source: sourceOf(r, began), Policy: r.Policy.String(),
		},
		Outcome: wire.Outcome(r.Outcome.String()), Origin: r.Origin.String(), FinalURL: r.URL, Hops: []wire.Hop{},
		Bytes: r.Bytes, Truncated: r.Truncated, Delimited: r.Delimited,
		FetchedAt: r.FetchedAt, FreshUntil: r.FreshUntil, NextTry: r.NextTry, FailingSince: r.FailingSince,
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

// sourceOf returns where a result comes from for a run. A client that was made
// for the run remembers only what it has fetched in it, or found in a store.
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

// Outline returns the content of a ruling's file in short, nil if there is no file.
func (r *Ruling) Outline() *wire.Outline {
	if r.Robots == nil {
		return nil
	}
	o := &wire.Outline{Agents: []string{}, Sitemaps: []string{}, Extensions: []wire.Extension{}}
	for line := range robotstxt.Lines(r.File.Text) {
		if !IsEnd(line) {
			o.Lines = line.Number
		}
	}
	seen := make(map[string]bool)
	for group := range r.Robots.Groups() {
		o.Groups++
		for agent := range group.Agents() {
			if key := ascii.ToLower(agent.Token); !seen[key] {
				seen[key] = true
				o.Agents = append(o.Agents, agent.Token)
			}
		}
		for rule := range group.Rules() {
			if rule.Allow {
				o.Allow++
			} else {
				o.Disallow++
			}
		}
	}
	for sitemap := range r.Robots.Sitemaps() {
		o.Sitemaps = append(o.Sitemaps, sitemap.URL)
	}
	for e := range r.Robots.Extensions() {
		o.Extensions = append(o.Extensions, wire.Extension{Line: e.Line, Name: e.Name, Value: e.Value})
	}
	return o
}
