package ask

import (
	"cmp"
	"container/list"
	"context"
	"iter"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/kosterhq/robotstxt/cmd/internal/answer"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/origin"
)

// The limits of concurrent work. URLs are read ahead of the one that is answered, so
// that a slow site does not delay the sites after it. The URLs that were read ahead
// and their files are in memory.
const (
	sitesAhead  = 256     // sites whose URLs were read ahead
	bytesAhead  = 8 << 20 // bytes of URLs that were read ahead
	bytesPerURL = 2 << 10 // the least that a URL counts, which limits their number
)

// A parsed robots.txt is kept for the next URL of its site, but not for so long that it
// could expire: then the client decides whether to fetch again.
const (
	maxIdleBytes = 64 << 20
	maxIdleAge   = time.Minute
)

// sites fetches the robots.txt of the sites of URLs, several at the same time and each
// one once, and yields the URLs in their order.
type sites struct {
	client   *fetch.Client
	refetch  *fetch.Client            // for results of earlier runs that are not usable; may be nil
	usable   func(*fetch.Result) bool // set if refetch is
	retry    func(*fetch.Result) bool // may be nil
	began    time.Time
	progress Progress
	idle     func() // called before a wait
	maxIdle  int    // bytes of idle sites

	fetching chan struct{}       // one for each site that is being fetched
	ahead    chan struct{}       // one for each site whose URLs were read ahead
	room     *semaphore.Weighted // bytes for URLs that are read ahead

	mu       sync.Mutex
	known    map[origin.Origin]*site
	idlers   *list.List // sites without URLs that were read ahead, the latest in front
	idleSize int
	closed   bool // no further fetch may start
	lookups  sync.WaitGroup
}

// site is an origin that URLs belong to.
type site struct {
	origin  origin.Origin
	since   time.Time
	waiting int           // URLs that were read ahead; guarded by sites.mu
	idler   *list.Element // nil if waiting is not 0; guarded by sites.mu

	known  chan struct{} // closed once result and err are set
	result *fetch.Result
	err    error

	ruling *answer.Ruling // made of the result for its first URL, and kept for the next ones
}

// isOld reports whether the client must decide again if the result is fresh.
func (s *site) isOld() bool { return Now().Sub(s.since) >= maxIdleAge }

// size returns about how much memory a kept site needs.
func (s *site) size() int { return 4<<10 + 4*len(s.result.Body()) }

// errand is a URL in the queue, with the site whose robots.txt governs it.
type errand struct {
	url   string
	site  *site   // nil if err is set
	err   error   // the URL has no valid host, or the line is no URL
	share float64 // of the URLs, see URLs.Share
}

func newSites(q *Question) *sites {
	s := &sites{
		client:   q.Client,
		refetch:  q.Refetch,
		usable:   q.Usable,
		retry:    q.Retry,
		began:    Now(),
		progress: q.Progress,
		idle:     q.Idle,
		maxIdle:  cmp.Or(q.KeptBytes, maxIdleBytes),
		fetching: make(chan struct{}, cmp.Or(q.Concurrency, DefaultConcurrency)),
		ahead:    make(chan struct{}, sitesAhead),
		room:     semaphore.NewWeighted(bytesAhead),
		known:    make(map[origin.Origin]*site),
		idlers:   list.New(),
	}
	if s.progress == nil {
		s.progress = noProgress{}
	}
	if s.idle == nil {
		s.idle = func() {}
	}
	return s
}

// all yields the URLs in their order, each once its robots.txt is known. It ends after
// an error: the URLs could not be read, or the context has ended. It must be called
// only once.
func (s *sites) all(ctx context.Context, urls URLs) iter.Seq2[errand, error] {
	return func(yield func(errand, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer s.close()
		defer cancel()
		queue := make(chan errand, bytesAhead/bytesPerURL)
		ended := make(chan error, 1)
		go func() { // ends with the context, or when a read returns
			ended <- s.read(ctx, urls, queue)
			close(queue)
		}()
		for {
			e, ok := s.next(ctx, queue)
			if !ok {
				break
			}
			if e.site != nil && e.site.err != nil {
				yield(errand{}, e.site.err)
				return
			}
			if !yield(e, nil) {
				return
			}
			s.leave(e)
		}
		err := ctx.Err()
		if err == nil {
			err = <-ended
		}
		if err != nil {
			yield(errand{}, err)
		}
	}
}

// next returns the next URL once its site is known. ok is false at the end of the queue
// or of the context.
func (s *sites) next(ctx context.Context, queue <-chan errand) (e errand, ok bool) {
	select {
	case e, ok = <-queue:
	default:
		s.idle()
		select {
		case e, ok = <-queue:
		case <-ctx.Done():
		}
	}
	if !ok || e.site == nil {
		return e, ok && ctx.Err() == nil
	}
	select {
	case <-e.site.known:
	default:
		s.idle()
		select {
		case <-e.site.known:
		case <-ctx.Done():
		}
	}
	return e, ctx.Err() == nil
}

// read queues the URLs and starts the fetches of their sites.
func (s *sites) read(ctx context.Context, urls URLs, queue chan<- errand) error {
	for url, err := range urls.All {
		if err != nil && !isLine(err) {
			return err
		}
		if err := s.room.Acquire(ctx, sizeOf(url)); err != nil {
			return err
		}
		e := errand{url: url, err: err, share: -1}
		if urls.Share != nil {
			e.share = urls.Share()
		}
		if e.err == nil {
			var o origin.Origin
			if o, e.err = origin.Of(url); e.err == nil {
				if e.site = s.enter(ctx, o); e.site == nil {
					return ctx.Err()
				}
			}
		}
		queue <- e // does not block: each URL has acquired bytesPerURL
	}
	return nil
}

// sizeOf returns how many bytes a URL counts. A URL that is larger than the limit is
// read ahead alone.
func sizeOf(url string) int64 { return min(bytesPerURL+int64(len(url)), bytesAhead) }

// enter adds a URL to its site, and starts a fetch unless the file is known. It returns
// nil if the context has ended.
func (s *sites) enter(ctx context.Context, o origin.Origin) *site {
	if known := s.join(o); known != nil {
		return known
	}
	select {
	case s.ahead <- struct{}{}:
	case <-ctx.Done():
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if idler := s.known[o]; idler != nil && idler.idler != nil {
		if s.wake(idler); !idler.isOld() {
			return idler
		}
	}
	if s.closed {
		return nil
	}
	fresh := &site{origin: o, since: Now(), waiting: 1, known: make(chan struct{})}
	s.known[o] = fresh
	s.progress.Started()
	s.lookups.Go(func() { s.lookUp(ctx, fresh) })
	return fresh
}

// join adds a URL to a site that has other URLs in the queue, nil if there is none.
func (s *sites) join(o origin.Origin) *site {
	s.mu.Lock()
	defer s.mu.Unlock()
	known := s.known[o]
	if known == nil || known.waiting == 0 || known.isOld() {
		return nil
	}
	known.waiting++
	return known
}

// lookUp fetches the robots.txt of a site, or takes it from a cache.
func (s *sites) lookUp(ctx context.Context, to *site) {
	defer close(to.known)
	select {
	case s.fetching <- struct{}{}:
		defer func() { <-s.fetching }()
	case <-ctx.Done():
		to.err = ctx.Err()
		return
	}
	to.result, to.err = s.client.Robots(ctx, to.origin.RobotsURL())
	if to.err == nil && s.refetch != nil && to.result.FetchedAt.Before(to.since) && !s.usable(to.result) {
		to.result, to.err = s.refetch.Robots(ctx, to.origin.RobotsURL())
	}
	if to.err == nil && s.retry != nil && to.result.FetchedAt.Before(s.began) && s.retry(to.result) {
		to.result, to.err = s.client.Refresh(ctx, to.origin.RobotsURL())
	}
	if to.err == nil {
		s.progress.Finished(!to.result.FetchedAt.Before(to.since), to.result.Source != fetch.SourceAssumed)
	}
}

// leave releases the room of a URL that is answered.
func (s *sites) leave(e errand) {
	s.room.Release(sizeOf(e.url))
	s.progress.Answered(e.share)
	if e.site == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if e.site.waiting--; e.site.waiting > 0 {
		return
	}
	<-s.ahead
	if s.known[e.site.origin] != e.site {
		return // it was too old, and a later URL has replaced it
	}
	e.site.idler = s.idlers.PushFront(e.site)
	s.idleSize += e.site.size()
	for s.idleSize > s.maxIdle {
		s.forget(s.idlers.Back().Value.(*site))
	}
}

// wake adds a first URL to an idle site. The caller holds the lock.
func (s *sites) wake(idler *site) {
	s.idlers.Remove(idler.idler)
	s.idleSize -= idler.size()
	idler.idler, idler.waiting = nil, 1
}

// forget drops an idle site, whose file stays in the client's memory. The caller holds
// the lock.
func (s *sites) forget(idler *site) {
	s.wake(idler)
	delete(s.known, idler.origin)
}

// close waits until no fetch is running. The context has ended.
func (s *sites) close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.lookups.Wait()
}
