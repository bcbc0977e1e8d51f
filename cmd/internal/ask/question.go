// Package ask answers questions about many URLs and crawlers. It fetches the
// robots.txt of each URL's site once, many sites at the same time and within bounds
// of memory, and yields the URLs in their order. It prints nothing; package answer
// makes the answers.
package ask

import (
	"context"
	"iter"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/answer"
	"github.com/kosterhq/robotstxt/fetch"
)

// Question is what is asked about URLs: may these crawlers fetch them?
type Question struct {
	Dialect  robotstxt.Dialect
	Crawlers []answer.Crawler

	// File governs all URLs. If it is nil, the robots.txt of each URL's site
	// does, which Client fetches.
	File   *answer.File
	Client *fetch.Client

	// Refetch fetches a site if its result is older than the run and Usable
	// reports false for it. It may be nil; Usable may be nil then too.
	Refetch *fetch.Client
	Usable  func(*fetch.Result) bool

	Idle     func()   // called before a wait, to flush output for instance; may be nil
	Progress Progress // may be nil
}

// URLs are read while earlier ones are answered.
type URLs struct {
	All   iter.Seq2[string, error] // an error is the last
	Share func() float64           // of them that was read, from 0 to 1, negative if unknown; may be nil
}

// Progress counts what a run has done. Started and Finished may be called
// concurrently.
type Progress interface {
	Started()                       // the fetch of a site
	Finished(fetched, reached bool) // it: whether the site was fetched rather than found in a cache, and has answered
	Answered(share float64)         // a URL: the share of all URLs up to it, negative if unknown
}

type noProgress struct{}

func (noProgress) Started()           {}
func (noProgress) Finished(_, _ bool) {}
func (noProgress) Answered(_ float64) {}

// Visits yields the URLs in their order, each once its robots.txt is known. URLs
// are read ahead, so that a slow site holds up the URLs after it, and not their
// sites. An error ends it: the URLs could not be read, or the context has ended.
// A URL without a site has an Err, and does not end it.
func (q *Question) Visits(ctx context.Context, urls URLs) iter.Seq2[*answer.Visit, error] {
	if q.File == nil {
		return q.visitSites(ctx, urls)
	}
	return func(yield func(*answer.Visit, error) bool) {
		ruling := answer.RuleFile(q.File, q.Dialect, q.Crawlers)
		for url, err := range urls.All {
			if err == nil {
				err = ctx.Err()
			}
			if !yield(&answer.Visit{URL: url, Compared: robotstxt.EncodeURL(url), Ruling: ruling}, err) || err != nil {
				return
			}
		}
	}
}

func (q *Question) visitSites(ctx context.Context, urls URLs) iter.Seq2[*answer.Visit, error] {
	return func(yield func(*answer.Visit, error) bool) {
		began := Now()
		for e, err := range newSites(q).ask(ctx, urls) {
			if err != nil {
				yield(nil, err)
				return
			}
			v := &answer.Visit{URL: e.url, Err: e.err}
			if e.site != nil {
				if e.site.ruling == nil {
					e.site.ruling = RuleSite(e.site.result, began, q.Dialect, q.Crawlers)
				}
				v.Compared, v.Ruling = robotstxt.EncodeURL(e.url), e.site.ruling
			}
			if !yield(v, nil) {
				return
			}
		}
	}
}

// Now returns the time in UTC without its monotonic reading, as package fetch
// returns times.
func Now() time.Time { return time.Now().UTC().Round(0) }
