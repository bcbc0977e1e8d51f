// Package ask answers queries about many URLs and crawlers. It fetches the robots.txt
// of each URL's site once, several sites at the same time and with bounded memory, and
// yields the URLs in their order. It prints nothing; package answer makes the answers.
package ask

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/urllist"
	"github.com/kosterhq/robotstxt/fetch"
)

// Question is a query for many URLs: may these crawlers fetch them?
type Question struct {
	Dialect  robotstxt.Dialect
	Crawlers []answer.Crawler

	// Files govern all URLs: there is a visit for each URL and file. If there are
	// none, Client fetches the robots.txt of each URL's site.
	Files  []*answer.File
	Client *fetch.Client

	// Refetch fetches a site again if the result of Client is older than the run and
	// Usable returns false for it. Both may be nil.
	Refetch *fetch.Client
	Usable  func(*fetch.Result) bool

	// Retry reports whether a result of an earlier run is not used, and its site fetched
	// again. If that fails, a copy of its file applies. nil means that all are used.
	Retry func(*fetch.Result) bool

	// Concurrency is the number of sites that are fetched at the same time. 0 means
	// DefaultConcurrency.
	Concurrency int

	// KeptBytes bounds the memory for files that are kept for later URLs of their sites.
	// 0 means 64 MiB.
	KeptBytes int

	// AssumePolicy makes the policy's word the verdict for sites that have given
	// no answer. The default is wire.VerdictUnknown.
	AssumePolicy bool

	Idle     func()   // called before a wait, for example to flush output; may be nil
	Progress Progress // may be nil
}

// DefaultConcurrency is the default of Question.Concurrency.
const DefaultConcurrency = 64

// URLs are the URLs of a query. They are read while earlier ones are answered.
type URLs struct {
	All   iter.Seq2[string, error] // an error is the last, except a *urllist.LineError
	Share func() float64           // the share that was read, from 0 to 1, negative if unknown; may be nil
}

// Progress counts what a run has done. Started and Finished may be called
// concurrently.
type Progress interface {
	Started()                       // a site is looked up
	Finished(fetched, reached bool) // a site is known: fetched instead of found in a cache, and did it answer
	Answered(share float64)         // a URL is answered: the share of all URLs up to it, negative if unknown
}

type noProgress struct{}

func (noProgress) Started()           {}
func (noProgress) Finished(_, _ bool) {}
func (noProgress) Answered(_ float64) {}

// Visits yields the URLs in their order, each once its robots.txt is known. URLs are
// read ahead, so that a slow site delays the answers for the URLs after it, but not the
// fetches of their sites. It ends after an error: the URLs could not be read, or the
// context has ended. A URL without a valid host, or a line that is no URL, has an Err and
// does not end it.
func (q *Question) Visits(ctx context.Context, urls URLs) iter.Seq2[*answer.Visit, error] {
	if len(q.Files) == 0 {
		return q.visitSites(ctx, urls)
	}
	return func(yield func(*answer.Visit, error) bool) {
		rulings := make([]*answer.Ruling, len(q.Files))
		for i, file := range q.Files {
			rulings[i] = answer.RuleFile(file, q.Dialect, q.Crawlers)
		}
		for url, err := range urls.All {
			if isLine(err) {
				if !yield(&answer.Visit{Err: err}, nil) {
					return
				}
				continue
			}
			compared := answer.Compared(url)
			for _, ruling := range rulings {
				if err == nil {
					err = ctx.Err()
				}
				if !yield(&answer.Visit{URL: url, Compared: compared, Ruling: ruling}, err) || err != nil {
					return
				}
			}
		}
	}
}

func (q *Question) visitSites(ctx context.Context, urls URLs) iter.Seq2[*answer.Visit, error] {
	return func(yield func(*answer.Visit, error) bool) {
		began := Now()
		for e, err := range newSites(q).all(ctx, urls) {
			if err != nil {
				yield(nil, err)
				return
			}
			v := &answer.Visit{URL: e.url, Err: e.err}
			if e.site != nil {
				if e.site.ruling == nil {
					e.site.ruling = RuleSite(e.site.result, began, q.Dialect, q.Crawlers)
					e.site.ruling.AssumePolicy = q.AssumePolicy
				}
				v.Compared, v.Ruling = answer.Compared(e.url), e.site.ruling
			}
			if !yield(v, nil) {
				return
			}
		}
	}
}

// isLine reports whether an error is about one line of a list.
func isLine(err error) bool {
	_, ok := errors.AsType[*urllist.LineError](err)
	return ok
}

// Now returns the time in UTC without its monotonic reading, as package fetch
// returns times.
func Now() time.Time { return time.Now().UTC().Round(0) }
