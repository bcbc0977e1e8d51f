package main

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

// mostServed is how much of a site's file is fetched: ten times what crawlers
// read, to find what stands behind their limits.
const mostServed = 10 * robotstxt.DefaultBodyLimit

// sitesLinted is how many sites are asked at the same time.
const sitesLinted = 8

// lintSites fetches what sites serve, ahead of when it is checked.
type lintSites struct {
	clients  *askers
	variants bool

	cancel  context.CancelFunc
	asking  chan struct{} // one for each site that is being asked
	running sync.WaitGroup
	lookups map[string]*lintLookup // by URL as given
}

// lintLookup is a site, once known is closed.
type lintLookup struct {
	origin   origin.Origin
	result   *fetch.Result
	variants []*fetch.Result // what its other names serve
	err      error
	known    chan struct{}
}

// openLintSites starts to ask the sites among the arguments.
func (l *linting) openLintSites(ctx context.Context, t *term.Terminal, args []string) (*lintSites, error) {
	clients, err := l.fetchFlags.open(ctx, t, robotstxt.Google, mostServed, args...)
	if err != nil {
		return nil, err
	}
	s := &lintSites{clients: clients, variants: l.variants, asking: make(chan struct{}, sitesLinted), lookups: make(map[string]*lintLookup)}
	ctx, s.cancel = context.WithCancel(ctx)
	for _, arg := range args {
		if !isSiteURL(arg) || s.lookups[arg] != nil {
			continue
		}
		lookup := &lintLookup{known: make(chan struct{})}
		s.lookups[arg] = lookup
		s.running.Go(func() { s.lookUp(ctx, arg, lookup) })
	}
	return s, nil
}

// close ends what is under way.
func (s *lintSites) close() {
	s.cancel()
	s.running.Wait()
	s.clients.close()
}

// lookUp asks a site, and then its other names, one after the other: they are
// mostly one machine.
func (s *lintSites) lookUp(ctx context.Context, url string, to *lintLookup) {
	defer close(to.known)
	select {
	case s.asking <- struct{}{}:
		defer func() { <-s.asking }()
	case <-ctx.Done():
		to.err = ctx.Err()
		return
	}
	if to.origin, to.err = origin.Of(url); to.err != nil {
		to.err = term.Errorf("", "%s", term.Escape(to.err.Error()))
		return
	}
	if to.result, to.err = s.clients.Robots(ctx, to.origin.RobotsURL()); to.err != nil || !s.variants || to.result.Status == 0 {
		return // of a site that does not answer, no other name is needed
	}
	for _, other := range otherNames(to.origin) {
		result, err := s.clients.Robots(ctx, other.RobotsURL())
		if err != nil {
			to.err = err
			return
		}
		to.variants = append(to.variants, result)
	}
}

// otherNames returns the origins under which people reach a site as well: http
// and https, with www and without. A port or an address has no such names.
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

// serve returns the file that a site serves, nil if there is none, and enters
// into a configuration how it was served.
func (s *lintSites) serve(ctx context.Context, url string, config *lint.Config) ([]byte, error) {
	lookup := s.lookups[url]
	select {
	case <-lookup.known:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if lookup.err != nil {
		return nil, lookup.err
	}
	r := lookup.result
	if fault, ok := r.Err.(*fetch.FaultError); ok && fault.Kind == wire.FaultRefused {
		return nil, term.Errorf(prose.AllowHint, "%s", term.Escape(fault.Text))
	}
	config.URL, config.Served = lookup.origin.RobotsURL(), servedOf(r, lookup.variants)
	if r.Outcome == fetch.OutcomeRules && r.Header == nil && r.Source != fetch.SourceNetwork {
		// It is a copy, and nobody has kept its type.
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

// servedOf tells the linter how a file was served.
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

// answered is the status with which a site has answered, 0 if nothing usable came:
// what breaks off behind a status 200 is no answer.
func answered(r *fetch.Result) int {
	if fault, ok := r.Err.(*fetch.FaultError); ok && r.Source == fetch.SourceAssumed && fault.Kind != wire.FaultStatus {
		return 0
	}
	return r.Status
}
