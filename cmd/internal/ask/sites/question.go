// Package sites fetches the robots.txt of sites for the commands and the service. A Question
// asks about many URLs and crawlers: the robots.txt of each URL's site is fetched once,
// several sites at the same time and with bounded memory, and the URLs are yielded in their
// order. Prefetch fetches for the linter. OpenStore opens the caches by their names, and
// ReadStored reads what they contain. Permit finds what crawlers may do with URLs, and
// fetches the sources for that. The package prints nothing; package answer makes the answers.
package sites

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/panics"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/urllist"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/origin"
)

// Question is a query for many URLs: may these crawlers fetch them?
type Question struct {
	Dialect  *robotstxt.Dialect // nil means that each crawler has its own
	Crawlers []answer.Crawler

	// Files decide about all URLs: there is a visit for each URL and file. If there are
	// none, Client fetches the robots.txt of each URL's site. Site is the site of the files;
	// if it is not zero, verdicts about URLs of other sites are unknown.
	Files  []*answer.File
	Site   origin.Origin
	Client *fetch.Client

	// Refetch fetches a site again if the result of Client is older than the run and
	// Usable returns false for it. Both can be nil.
	Refetch *fetch.Client
	Usable  func(*fetch.Result) bool

	// Retry reports whether to fetch a site again instead of using the result of an earlier
	// run. If that fails, a copy of its file applies. If Retry is nil, all earlier results
	// are used.
	Retry func(*fetch.Result) bool

	// Concurrency is the number of sites that are fetched at the same time. 0 means the
	// default of fetch.Ahead.
	Concurrency int

	// KeptBytes bounds the memory for files that are kept for later URLs of their sites, and,
	// up to 8 MiB, the memory for URLs that are read ahead. 0 means 64 MiB.
	KeptBytes int

	// Take is called with the memory of each site whose file was fetched or found, and Give
	// when it is no longer needed before the end. The run ends with an error of Take. Both
	// can be nil; they are called concurrently.
	Take func(bytes int64) error
	Give func(bytes int64)

	// RobotsOf replaces Client.RobotsOf if it is not nil. The run ends with its error. It is
	// called concurrently.
	RobotsOf func(context.Context, origin.Origin, ...string) (*fetch.Result, error)

	// AsSent compares URLs as they are, see origin.Sent. The default is to read them as typed.
	AsSent bool

	// AssumePolicy makes the policy's decision the verdict for sites that did not answer. The
	// default is wire.VerdictUnknown.
	AssumePolicy bool

	Idle     func()   // called before a wait, for example to flush output; can be nil
	Progress Progress // can be nil
}

// URLs are the URLs of a query. They are read while earlier ones are answered.
type URLs struct {
	All iter.Seq2[string, error] // the iteration ends after an error other than a *urllist.LineError
	// Share returns the share that was read, from 0 to 1, or a negative number if unknown. It can be nil.
	Share func() float64
}

// Progress counts what a run has done. Started and Finished can be called
// concurrently.
type Progress interface {
	Started() // a site is looked up
	// Finished says that a site is known, whether it was fetched and not found in a cache, and whether it answered.
	Finished(fetched, reached bool)
	Answered(share float64) // a URL is answered: the share of all URLs up to it, negative if unknown
}

type noProgress struct{}

func (noProgress) Started()           {}
func (noProgress) Finished(_, _ bool) {}
func (noProgress) Answered(_ float64) {}

// Visits yields the URLs in their order, each once its robots.txt is known. URLs are read
// ahead, so that a slow site delays the answers for the URLs after it, but not the fetches of
// their sites. It ends after an error: the URLs could not be read, or the context has ended.
// A URL without a valid host, or a line that is not a URL, has an Err and does not end the
// iteration.
func (q *Question) Visits(ctx context.Context, urls URLs) iter.Seq2[*answer.Visit, error] {
	if len(q.Files) == 0 {
		return q.visitSites(ctx, urls)
	}
	return func(yield func(*answer.Visit, error) bool) {
		var rulings []*answer.Ruling
		for _, file := range q.Files {
			err := panics.Contain(file.Name, &file.Text, func() error {
				rulings = append(rulings, answer.RuleFile(file, q.Dialect, q.Crawlers).Of(q.Site))
				return nil
			})
			if err != nil && !yield(&answer.Visit{Err: err}, nil) {
				return
			}
		}
		for url, err := range urls.All {
			if isLine(err) {
				if !yield(&answer.Visit{Err: err}, nil) {
					return
				}
				continue
			}
			read := answer.ReadURL(url, q.AsSent)
			for _, ruling := range rulings {
				if err == nil {
					err = ctx.Err()
				}
				if v := answer.VisitURL(read, ruling); !yield(&v, err) || err != nil {
					return
				}
			}
		}
	}
}

func (q *Question) visitSites(ctx context.Context, urls URLs) iter.Seq2[*answer.Visit, error] {
	return func(yield func(*answer.Visit, error) bool) {
		look := &looking{Question: q, began: Now(), progress: q.Progress}
		if look.progress == nil {
			look.progress = noProgress{}
		}
		ahead := fetch.Ahead[line, *site]{
			Origin: func(l line) (origin.Origin, bool) { return l.origin, l.err == nil },
			LookUp: look.up, AtOnce: q.Concurrency, Idle: q.Idle, KeptBytes: q.KeptBytes,
			ItemBytes: func(l line) int { return len(l.url.Given()) }, SiteBytes: (*site).bytes,
		}
		if q.Give != nil {
			ahead.Drop = func(s *site) { q.Give(int64(s.bytes())) }
		}
		for e, err := range ahead.Visits(ctx, lines(urls, q.AsSent)) {
			if err = cmp.Or(err, e.Item.fatal); err != nil {
				yield(nil, err)
				return
			}
			v := look.visit(e.Item, e.Site)
			if !yield(&v, nil) {
				return
			}
			look.progress.Answered(e.Item.share)
		}
	}
}

func isLine(err error) bool {
	_, ok := errors.AsType[*urllist.LineError](err)
	return ok
}

// Now returns the time in UTC without its monotonic reading, as package fetch
// returns times.
func Now() time.Time { return time.Now().UTC().Round(0) }
