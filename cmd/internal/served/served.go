// Package served fetches the robots.txt files of sites for the linter, with what it
// checks about how they are served.
package served

import (
	"context"
	"maps"
	"net/netip"
	"strings"
	"sync"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/prose"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/lint"
	"github.com/kosterhq/robotstxt/origin"
)

// Limit is how many bytes of a file to fetch: ten times what crawlers read, to find
// what is after their limits.
const Limit = 10 * robotstxt.DefaultBodyLimit

// atOnce is how many sites are fetched at the same time.
const atOnce = 8

// Sites are fetched before they are checked.
type Sites struct {
	client   *fetch.Client
	variants bool

	cancel  context.CancelFunc
	turns   chan struct{} // one for each site that is being fetched
	running sync.WaitGroup
	lookups map[string]*lookup // by URL as given
}

// lookup is a site. Its fields are set when known is closed.
type lookup struct {
	origin   origin.Origin
	result   *fetch.Result
	variants []*fetch.Result // what its other names serve
	err      error
	known    chan struct{}
}

// Start starts to fetch the robots.txt of each URL's site; with variants also those
// of its other names: http and https, with www and without. The caller calls Close.
func Start(ctx context.Context, client *fetch.Client, urls []string, variants bool) *Sites {
	s := &Sites{client: client, variants: variants, turns: make(chan struct{}, atOnce), lookups: make(map[string]*lookup)}
	ctx, s.cancel = context.WithCancel(ctx)
	for _, url := range urls {
		if s.lookups[url] == nil {
			site := &lookup{known: make(chan struct{})}
			s.lookups[url] = site
			s.running.Go(func() { s.lookUp(ctx, url, site) })
		}
	}
	return s
}

// Close stops what is still running and waits for its end.
func (s *Sites) Close() {
	s.cancel()
	s.running.Wait()
}

// lookUp fetches a site, and then its other names one after the other, because they
// are mostly one machine.
func (s *Sites) lookUp(ctx context.Context, url string, to *lookup) {
	defer close(to.known)
	select {
	case s.turns <- struct{}{}:
		defer func() { <-s.turns }()
	case <-ctx.Done():
		to.err = ctx.Err()
		return
	}
	if to.origin, to.err = origin.Of(url); to.err != nil {
		to.err = term.Errorf("", "%s", term.Escape(to.err.Error()))
		return
	}
	if to.result, to.err = s.client.Robots(ctx, to.origin.RobotsURL()); to.err != nil || !s.variants || to.result.Status == 0 {
		return // of a site that does not answer, no other name is needed
	}
	for _, other := range otherNames(to.origin) {
		result, err := s.client.Robots(ctx, other.RobotsURL())
		if err != nil {
			to.err = err
			return
		}
		to.variants = append(to.variants, result)
	}
}

// otherNames returns the other origins of a site: http and https, with www and
// without. A site with a port or an address has none.
func otherNames(o origin.Origin) (others []origin.Origin) {
	_, err := netip.ParseAddr(o.Host())
	if isAddress := err == nil; isAddress || !strings.Contains(o.Host(), ".") || o.Scheme() == "ftp" || hasPort(o) {
		return nil
	}
	bare := strings.TrimPrefix(o.Host(), "www.")
	if !strings.Contains(bare, ".") {
		bare = o.Host() // the domain is called www
	}
	for _, scheme := range []string{"https", "http"} {
		for _, host := range []string{bare, "www." + bare} {
			other, err := origin.Of(scheme + "://" + host)
			if err == nil && other != o {
				others = append(others, other)
			}
		}
	}
	return others
}

// hasPort reports whether an origin has another port than its scheme's.
func hasPort(o origin.Origin) bool {
	return strings.Count(o.String(), ":") > 1 // one is the scheme's
}

// Result returns the answer of the site of a URL given to Start. It waits for the fetch.
func (s *Sites) Result(ctx context.Context, url string) (*fetch.Result, error) {
	lookup := s.lookups[url]
	select {
	case <-lookup.known:
		return lookup.result, lookup.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// File returns the file that the site of a URL given to Start serves, nil if there is
// none, and sets in a configuration how it was served. It waits for the fetch.
func (s *Sites) File(ctx context.Context, url string, config *lint.Config) ([]byte, error) {
	if _, err := s.Result(ctx, url); err != nil {
		return nil, err
	}
	lookup := s.lookups[url]
	r := lookup.result
	if fault, ok := r.Err.(*fetch.FaultError); ok && fault.Kind == wire.FaultRefused {
		return nil, term.Errorf(prose.AllowHint, "%s", term.Escape(fault.Text))
	}
	if r.Outcome == fetch.OutcomeLocal {
		return nil, term.Errorf("", "%s cannot be requested from here: %s", lookup.origin.RobotsURL(), term.Escape(r.Err.Error()))
	}
	config.URL, config.Served = lookup.origin.RobotsURL(), servedOf(r, lookup.variants)
	if r.Outcome == fetch.OutcomeRules && r.Header == nil && r.Source != fetch.SourceNetwork {
		// It is a copy without its Content-Type.
		config.Severities = maps.Clone(config.Severities)
		if config.Severities == nil {
			config.Severities = make(map[lint.Code]lint.Severity)
		}
		config.Severities["RX602"] = lint.Off
	}
	if r.Outcome == fetch.OutcomeRules {
		return append([]byte{}, r.Body()...), nil // an empty file is one
	}
	return nil, nil
}

// servedOf returns how a file was served.
func servedOf(r *fetch.Result, variants []*fetch.Result) *lint.Served {
	served := &lint.Served{
		URL: r.URL, Status: answered(r), ContentType: r.Header.Get("Content-Type"), Truncated: r.Truncated,
	}
	if r.Err != nil {
		served.Fault = r.Err.Error()
		if fault, ok := r.Err.(*fetch.FaultError); ok {
			served.Fault = fault.Kind
		}
	}
	for _, hop := range r.Hops {
		served.Redirects = append(served.Redirects, lint.Redirect{URL: hop.URL, Status: hop.Status})
	}
	for _, other := range variants {
		served.Variants = append(served.Variants, lint.Variant{URL: other.Origin.RobotsURL(), Status: answered(other), Body: other.Body()})
	}
	return served
}

// answered returns the status of a site's answer, 0 without a usable one: a response
// that breaks off after a status 200 is no answer.
func answered(r *fetch.Result) int {
	if fault, ok := r.Err.(*fetch.FaultError); ok && r.Source == fetch.SourceAssumed && fault.Kind != wire.FaultStatus {
		return 0
	}
	return r.Status
}
