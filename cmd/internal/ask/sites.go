package ask

import (
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

// The bounds of what goes on at the same time. URLs are read ahead of the one
// that is answered, so that a slow site does not hold up those behind it; what
// is read ahead lies in memory.
const (
	sitesAtOnce = 64      // are asked
	sitesAhead  = 256     // have URLs read ahead; each holds its robots.txt
	bytesAhead  = 8 << 20 // of URLs
	bytesPerURL = 2 << 10 // that each counts for at least, which bounds their number
)

// What is made of a robots.txt is kept for the next URL of its site, though not
// for so long that it could expire: the client knows when to ask again.
const (
	bytesAtHand = 64 << 20
	timeAtHand  = time.Minute
)

// sites asks the sites of URLs for their robots.txt, many at once and each
// once, and hands them out in the order of the URLs.
type sites struct {
	client   *fetch.Client
	refetch  *fetch.Client            // for results of earlier runs that are not usable; may be nil
	usable   func(*fetch.Result) bool // not nil if refetch is not
	progress Progress
	idle     func() // called before a wait

	asking chan struct{}       // one for each site that is being asked
	places chan struct{}       // one for each site that URLs read ahead belong to
	room   *semaphore.Weighted // bytes of URLs read ahead

	mu       sync.Mutex
	atHand   map[origin.Origin]*site
	idlers   *list.List // those that no URL read ahead belongs to, the latest in front
	idleSize int
	closed   bool // nobody waits any more
	lookups  sync.WaitGroup
}

// site is an origin that URLs belong to.
type site struct {
	origin  origin.Origin
	since   time.Time
	waiting int           // URLs read ahead; guarded by sites.mu
	idler   *list.Element // nil if there are any; guarded by sites.mu

	known  chan struct{} // closed once result and err are set
	result *fetch.Result
	err    error

	ruling *answer.Ruling // made of the result by who answers, for the URLs to come
}

// isOld reports whether the client should be asked again.
func (s *site) isOld() bool { return Now().Sub(s.since) >= timeAtHand }

// size is about what a site at hand takes up in memory.
func (s *site) size() int { return 4<<10 + 4*len(s.result.Body()) }

// errand is a URL on its way through, with the site that governs it.
type errand struct {
	url   string
	site  *site   // nil if err is not
	err   error   // the URL belongs to no site
	share float64 // of the URLs, see URLs.Share
}

func newSites(q *Question) *sites {
	s := &sites{
		client:   q.Client,
		refetch:  q.Refetch,
		usable:   q.Usable,
		progress: q.Progress,
		idle:     q.Idle,
		asking:   make(chan struct{}, sitesAtOnce),
		places:   make(chan struct{}, sitesAhead),
		room:     semaphore.NewWeighted(bytesAhead),
		atHand:   make(map[origin.Origin]*site),
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

// ask yields the URLs in their order, once the robots.txt of each is known. An
// error ends it: the URLs could not be read, or the context has ended. It must
// be called once.
func (s *sites) ask(ctx context.Context, urls URLs) iter.Seq2[errand, error] {
	return func(yield func(errand, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer s.close()
		defer cancel()
		queue := make(chan errand, bytesAhead/bytesPerURL)
		ended := make(chan error, 1)
		go func() { // which ends with the context, or else when a read returns
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

// next returns the next URL whose site is known, and no other; ok is false at
// the end of the queue or the context.
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

// read queues the URLs and has their sites asked.
func (s *sites) read(ctx context.Context, urls URLs, queue chan<- errand) error {
	for url, err := range urls.All {
		if err != nil {
			return err
		}
		if err := s.room.Acquire(ctx, sizeOf(url)); err != nil {
			return err
		}
		e := errand{url: url, share: -1}
		if urls.Share != nil {
			e.share = urls.Share()
		}
		o, err := origin.Of(url)
		if err != nil {
			e.err = err
		} else if e.site = s.enter(ctx, o); e.site == nil {
			return ctx.Err()
		}
		queue <- e // has room, as each URL took bytesPerURL of it
	}
	return nil
}

// sizeOf is what a URL takes of the room; one that is larger than all of it gets
// in alone.
func sizeOf(url string) int64 { return min(bytesPerURL+int64(len(url)), bytesAhead) }

// enter counts a URL in at its site, and has the site asked unless what it says
// is at hand. It returns nil if the context ended first.
func (s *sites) enter(ctx context.Context, o origin.Origin) *site {
	if known := s.join(o); known != nil {
		return known
	}
	select {
	case s.places <- struct{}{}:
	case <-ctx.Done():
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if idler := s.atHand[o]; idler != nil && idler.idler != nil {
		if s.wake(idler); !idler.isOld() {
			return idler
		}
	}
	if s.closed {
		return nil
	}
	fresh := &site{origin: o, since: Now(), waiting: 1, known: make(chan struct{})}
	s.atHand[o] = fresh
	s.progress.Started()
	s.lookups.Go(func() { s.lookUp(ctx, fresh) })
	return fresh
}

// join counts a URL in at a site that others read ahead belong to as well.
func (s *sites) join(o origin.Origin) *site {
	s.mu.Lock()
	defer s.mu.Unlock()
	known := s.atHand[o]
	if known == nil || known.waiting == 0 || known.isOld() {
		return nil
	}
	known.waiting++
	return known
}

// lookUp finds out about a site.
func (s *sites) lookUp(ctx context.Context, of *site) {
	defer close(of.known)
	select {
	case s.asking <- struct{}{}:
		defer func() { <-s.asking }()
	case <-ctx.Done():
		of.err = ctx.Err()
		return
	}
	of.result, of.err = s.client.Robots(ctx, of.origin.RobotsURL())
	if of.err == nil && s.refetch != nil && of.result.FetchedAt.Before(of.since) && !s.usable(of.result) {
		of.result, of.err = s.refetch.Robots(ctx, of.origin.RobotsURL())
	}
	if of.err == nil {
		s.progress.Finished(!of.result.FetchedAt.Before(of.since), of.result.Source != fetch.SourceAssumed)
	}
}

// leave makes room again for a URL that is answered.
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
	<-s.places
	if s.atHand[e.site.origin] != e.site {
		return // it was too old for the URLs behind
	}
	e.site.idler = s.idlers.PushFront(e.site)
	s.idleSize += e.site.size()
	for s.idleSize > bytesAtHand {
		s.forget(s.idlers.Back().Value.(*site))
	}
}

// wake counts the first URL in at an idler. The lock is held.
func (s *sites) wake(idler *site) {
	s.idlers.Remove(idler.idler)
	s.idleSize -= idler.size()
	idler.idler, idler.waiting = nil, 1
}

// forget gives up an idler, whose file stays in the client's memory. The lock is
// held.
func (s *sites) forget(idler *site) {
	s.wake(idler)
	delete(s.atHand, idler.origin)
}

// close waits until no site is being asked for us. The context has ended.
func (s *sites) close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.lookups.Wait()
}
