package sites

import (
	"context"
	"maps"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/panics"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/lint"
	"github.com/kosterhq/robotstxt/origin"
)

// LintLimit is the number of bytes to fetch of a file: ten times as many as crawlers read,
// so that the linter finds lines after their limits.
const LintLimit = 10 * robotstxt.DefaultBodyLimit

const fetchesAtOnce = 8

// Prefetched are the robots.txt files of sites for the linter, with details of how they are
// served, which it checks too. They are fetched before they are checked.
type Prefetched struct {
	client   *fetch.Client
	variants bool

	cancel  context.CancelFunc
	running sync.WaitGroup
	answers map[string]*prefetch // by URL as given
}

// prefetch is what the site of a URL serves. The site is set when known is closed.
type prefetch struct {
	*servedSite
	at    origin.Origin
	known chan struct{}
}

type servedSite struct {
	origin   origin.Origin
	result   *fetch.Result
	variants []*fetch.Result // what its other names serve
	err      error
}

// Prefetch starts to fetch the robots.txt of each URL's site; with variants, it also
// fetches from the site's other names: http and https, with www and without. The caller
// calls Close.
func Prefetch(ctx context.Context, client *fetch.Client, urls []string, variants bool) *Prefetched {
	s := &Prefetched{client: client, variants: variants, answers: make(map[string]*prefetch)}
	ctx, s.cancel = context.WithCancel(ctx)
	var distinct []*prefetch
	for _, url := range urls {
		if s.answers[url] != nil {
			continue
		}
		a := &prefetch{known: make(chan struct{})}
		s.answers[url] = a
		// It is read here, because a panic in the goroutine below would end the process.
		if l := lineOf(url, false, nil, nil); l.err == nil {
			a.at, distinct = l.origin, append(distinct, a)
		} else {
			a.servedSite = &servedSite{err: term.NewError(term.Printable(l.err), term.HintOf(l.err),
				term.TraceOf(l.err))}
			close(a.known)
		}
	}
	ahead := fetch.Ahead[*prefetch, *servedSite]{
		Origin: func(a *prefetch) (origin.Origin, bool) { return a.at, true }, LookUp: s.lookUp, AtOnce: fetchesAtOnce,
	}
	s.running.Go(func() { // lookUp reads the site's data
		for v, err := range ahead.Visits(ctx, slices.Values(distinct)) {
			if err != nil {
				return // the context has ended
			}
			v.Item.servedSite = v.Site
			close(v.Item.known)
		}
	})
	return s
}

// Close stops the fetches that still run, and waits for their end.
func (s *Prefetched) Close() {
	s.cancel()
	s.running.Wait()
}

// lookUp fetches a site, and then its other names one after the other, because most of
// these names belong to one machine. It returns no error, because the other sites are
// fetched even if this one cannot be.
func (s *Prefetched) lookUp(ctx context.Context, o origin.Origin) (*servedSite, error) {
	to := &servedSite{origin: o}
	to.err = panics.Contain(o.String(), nil, func() (err error) {
		to.result, err = s.client.RobotsOf(ctx, o)
		if err != nil || !s.variants || to.result.Status == 0 {
			return err // if a site does not answer, its other names are not needed
		}
		for _, other := range otherNames(o) {
			result, err := s.client.RobotsOf(ctx, other)
			if err != nil {
				return err
			}
			to.variants = append(to.variants, result)
		}
		return nil
	})
	return to, nil
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

func hasPort(o origin.Origin) bool {
	return strings.Count(o.String(), ":") > 1 // the other one is the scheme's
}

// Result returns the answer of the site of a URL given to Prefetch. It waits for the fetch.
func (s *Prefetched) Result(ctx context.Context, url string) (*fetch.Result, error) {
	a := s.answers[url]
	select {
	case <-a.known:
		return a.result, a.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// File returns the file that the site of a URL given to Prefetch serves, nil if there is
// none, and sets in a configuration how it was served. It waits for the fetch.
func (s *Prefetched) File(ctx context.Context, url string, config *lint.Config) ([]byte, error) {
	if _, err := s.Result(ctx, url); err != nil {
		return nil, err
	}
	of := s.answers[url]
	r := of.result
	if fault, ok := r.Err.(*fetch.FaultError); ok && fault.Kind == wire.FaultRefused {
		return nil, term.Errorf("%s", term.Escape(fault.Text)).Hint(answer.AllowHint)
	}
	if r.Outcome == fetch.OutcomeLocal {
		return nil, term.Errorf("%s cannot be requested from here: %s", of.origin.RobotsURL(), term.Printable(r.Err))
	}
	config.URL, config.Served = of.origin.RobotsURL(), servedOf(r, of.variants)
	if r.Outcome == fetch.OutcomeRules && r.Header == nil && r.Source != fetch.SourceNetwork {
		// A copy has no Content-Type.
		severities := map[lint.Code]lint.Severity{}
		maps.Copy(severities, config.Severities)
		severities["RX602"] = lint.Off
		config.Severities = severities
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
		NotFoundPage: isNotFoundPage(r),
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
		served.Variants = append(served.Variants,
			lint.Variant{URL: other.Origin.RobotsURL(), Status: answered(other), Body: other.Body(),
				NotFoundPage: isNotFoundPage(other)})
	}
	return served
}

// answered returns the status of a site's answer, 0 without a usable one: a response that
// breaks off after a status 200 is not an answer. A part that is the whole file is as good as a 200.
func answered(r *fetch.Result) int {
	if r.Err == nil && r.Outcome == fetch.OutcomeRules && r.Status == http.StatusPartialContent {
		return http.StatusOK
	}
	if fault, ok := r.Err.(*fetch.FaultError); ok && r.Source == fetch.SourceAssumed && fault.Kind != wire.FaultStatus {
		return 0
	}
	return r.Status
}

func isNotFoundPage(r *fetch.Result) bool { return SiteOf(r, r.FetchedAt).IsNotFoundPage() }
