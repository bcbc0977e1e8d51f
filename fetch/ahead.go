package fetch

import (
	"cmp"
	"container/list"
	"context"
	"errors"
	"iter"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/kosterhq/robotstxt/origin"
)

// The limits on the items that are read ahead of the caller's item.
const (
	sitesAhead   = 256     // sites of items that were read ahead, or AtOnce if that is more
	bytesAhead   = 8 << 20 // bytes of items that were read ahead
	bytesPerItem = 2 << 10 // the least that an item counts as, which limits their number
)

// maxIdleAge is how long a site is kept for later items. It is so short that the answer
// about the site cannot expire meanwhile. After it, the client decides whether to fetch
// again.
const maxIdleAge = time.Minute

// Ahead looks up the sites of items, such as URLs: each site once, several at the same
// time, and yields the items in their order. Items are read ahead, so that a slow site
// delays the items after it, but not the look-ups of their sites. Memory is bounded,
// however many items and sites there are.
//
//	ahead := fetch.Ahead[string, *fetch.Result]{
//		Origin: func(url string) (origin.Origin, bool) { o, err := origin.Of(url); return o, err == nil },
//		LookUp: func(ctx context.Context, o origin.Origin) (*fetch.Result, error) { return client.RobotsOf(ctx, o) },
//	}
//	for url, err := range ahead.Visits(ctx, urls) { … }
type Ahead[Item, Site any] struct {
	// Origin is required. It returns the origin of an item. An item without one is yielded with the zero
	// Site. It is called by one goroutine at a time.
	Origin func(Item) (origin.Origin, bool)
	// LookUp is required. It looks up a site, usually with [Client.RobotsOf]. It is called concurrently.
	// Its error ends the sequence, so for an unreachable site it should return no error.
	LookUp func(context.Context, origin.Origin) (Site, error)
	// AtOnce is how many sites are looked up at the same time. Default 64.
	AtOnce int
	// ItemBytes returns how much memory an item takes. If it is nil, only the number of
	// items is limited.
	ItemBytes func(Item) int
	// SiteBytes returns how much memory a site takes. The latest sites, up to KeptBytes of
	// them, are kept for a minute for later items. If SiteBytes is nil, no site is kept.
	SiteBytes func(Site) int
	// KeptBytes bounds the memory for the sites that are kept although no item in the queue
	// needs them. Default 64 MiB. Items that are read ahead can take as much again, but not
	// more than 8 MiB. Ahead assumes at least 2 KiB for each of them.
	KeptBytes int
	// Drop is called for each site that is no longer needed before the end, by one goroutine
	// at a time. It can be nil.
	Drop func(Site)
	// Idle is called before a wait, for example to flush output. It can be nil.
	Idle func()
}

const lookUpsAtOnce = 64

// Visit is an item with its site.
type Visit[Item, Site any] struct {
	Item Item
	Site Site // the zero value if the item has no origin
}

var errIncomplete = errors.New("fetch: Ahead requires Origin, LookUp and items: none of them can be nil")

// Visits yields the items in their order, each once its site is known. It ends after an
// error: LookUp's, ctx's, or one because Origin, LookUp or items is nil. When it has ended,
// no look-up is running.
func (a Ahead[Item, Site]) Visits(ctx context.Context, items iter.Seq[Item]) iter.Seq2[Visit[Item, Site], error] {
	return func(yield func(Visit[Item, Site], error) bool) {
		if a.Origin == nil || a.LookUp == nil || items == nil {
			yield(Visit[Item, Site]{}, errIncomplete)
			return
		}
		newLookups(a).all(ctx, items, yield)
	}
}

type lookups[Item, Site any] struct {
	Ahead[Item, Site]
	running *semaphore.Weighted // one for each site that is being looked up
	ahead   *semaphore.Weighted // one for each site with items that were read ahead
	most    int                 // bytes for items that are read ahead
	room    *semaphore.Weighted // of them

	mu       sync.Mutex
	known    map[origin.Origin]*lookedUp[Site]
	idle     *list.List // of *lookedUp, without items that were read ahead, the latest in front
	idleSize int
	closed   bool // no further look-up starts
	group    sync.WaitGroup
}

type lookedUp[Site any] struct {
	origin  origin.Origin
	since   time.Time
	waiting int           // items that were read ahead; guarded by lookups.mu
	idle    *list.Element // nil if waiting is not 0; guarded by lookups.mu

	known chan struct{} // closed once value, size and err are set
	value Site
	size  int
	err   error
}

func (s *lookedUp[Site]) isOld() bool { return time.Since(s.since) >= maxIdleAge }

type errand[Item, Site any] struct {
	item Item
	site *lookedUp[Site] // nil if the item has no origin
	size int64
}

func newLookups[Item, Site any](a Ahead[Item, Site]) *lookups[Item, Site] {
	a.AtOnce = cmp.Or(max(a.AtOnce, 0), lookUpsAtOnce)
	a.KeptBytes = cmp.Or(a.KeptBytes, 64<<20)
	if a.Drop == nil {
		a.Drop = func(Site) {}
	}
	if a.Idle == nil {
		a.Idle = func() {}
	}
	most := max(min(a.KeptBytes, bytesAhead), bytesPerItem)
	return &lookups[Item, Site]{
		Ahead: a, running: semaphore.NewWeighted(int64(a.AtOnce)),
		ahead: semaphore.NewWeighted(int64(max(sitesAhead, a.AtOnce))),
		most:  most, room: semaphore.NewWeighted(int64(most)), known: make(map[origin.Origin]*lookedUp[Site]),
		idle: list.New(),
	}
}

func (l *lookups[Item, Site]) all(ctx context.Context, items iter.Seq[Item],
	yield func(Visit[Item, Site], error) bool) {
	ctx, cancel := context.WithCancel(ctx)
	defer l.close()
	defer cancel()
	queue := make(chan errand[Item, Site], l.most/bytesPerItem)
	ended := make(chan error, 1)
	go func() { // ends with the context, or when items return
		ended <- l.read(ctx, items, queue)
		close(queue)
	}()
	for {
		e, ok := l.next(ctx, queue)
		if !ok {
			break
		}
		v := Visit[Item, Site]{Item: e.item}
		if e.site != nil {
			if e.site.err != nil {
				yield(Visit[Item, Site]{}, e.site.err)
				return
			}
			v.Site = e.site.value
		}
		if !yield(v, nil) {
			return
		}
		l.leave(e)
	}
	err := ctx.Err()
	if err == nil {
		err = <-ended
	}
	if err != nil {
		yield(Visit[Item, Site]{}, err)
	}
}

// next returns the next item once its site is known. ok is false at the end of the queue
// or of the context.
func (l *lookups[Item, Site]) next(ctx context.Context,
	queue <-chan errand[Item, Site]) (e errand[Item, Site], ok bool) {
	e, ok = receive(ctx, queue, l.Idle)
	if ok && e.site != nil {
		receive(ctx, e.site.known, l.Idle)
	}
	return e, ok && ctx.Err() == nil
}

// receive receives from a channel, and calls idle before a wait. ok is false if the channel is
// closed, or if ctx has ended.
func receive[T any](ctx context.Context, from <-chan T, idle func()) (v T, ok bool) {
	select {
	case v, ok = <-from:
		return v, ok
	default:
		idle()
	}
	select {
	case v, ok = <-from:
	case <-ctx.Done():
	}
	return v, ok
}

func (l *lookups[Item, Site]) read(ctx context.Context, items iter.Seq[Item], queue chan<- errand[Item, Site]) error {
	for item := range items {
		e := errand[Item, Site]{item: item, size: bytesPerItem}
		if l.ItemBytes != nil {
			// An item that is larger than the limit is read ahead alone.
			e.size = min(bytesPerItem+int64(l.ItemBytes(item)), int64(l.most))
		}
		if err := l.room.Acquire(ctx, e.size); err != nil {
			return err
		}
		if o, ok := l.Origin(item); ok {
			e.site = l.enter(ctx, o)
			if e.site == nil {
				return ctx.Err()
			}
		}
		queue <- e // does not block: each item has acquired bytesPerItem
	}
	return nil
}

// enter adds an item to its site, and starts a look-up unless the site is known. It
// returns nil if the context has ended.
func (l *lookups[Item, Site]) enter(ctx context.Context, o origin.Origin) *lookedUp[Site] {
	if known := l.join(o); known != nil {
		return known
	}
	if l.ahead.Acquire(ctx, 1) != nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if kept := l.known[o]; kept != nil && kept.idle != nil {
		if l.wake(kept); !kept.isOld() {
			return kept
		}
		l.Drop(kept.value)
	}
	if l.closed {
		return nil
	}
	fresh := &lookedUp[Site]{origin: o, since: time.Now(), waiting: 1, known: make(chan struct{})}
	l.known[o] = fresh
	l.group.Go(func() { l.lookUp(ctx, fresh) })
	return fresh
}

// join adds an item to a site that has other items in the queue, nil if there is none.
func (l *lookups[Item, Site]) join(o origin.Origin) *lookedUp[Site] {
	l.mu.Lock()
	defer l.mu.Unlock()
	known := l.known[o]
	if known == nil || known.waiting == 0 || known.isOld() {
		return nil
	}
	known.waiting++
	return known
}

func (l *lookups[Item, Site]) lookUp(ctx context.Context, to *lookedUp[Site]) {
	defer close(to.known)
	to.err = l.running.Acquire(ctx, 1)
	if to.err != nil {
		return
	}
	defer l.running.Release(1)
	to.value, to.err = l.LookUp(ctx, to.origin)
	if to.err == nil && l.SiteBytes != nil {
		to.size = l.SiteBytes(to.value)
	}
}

func (l *lookups[Item, Site]) leave(e errand[Item, Site]) {
	l.room.Release(e.size)
	if e.site == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	e.site.waiting--
	if e.site.waiting > 0 {
		return
	}
	l.ahead.Release(1)
	if l.SiteBytes == nil || l.known[e.site.origin] != e.site { // it was too old, and a later item has replaced it
		l.forget(e.site)
		return
	}
	e.site.idle = l.idle.PushFront(e.site)
	l.idleSize += e.site.size
	for l.idleSize > l.KeptBytes {
		oldest := l.idle.Back().Value.(*lookedUp[Site])
		l.wake(oldest)
		l.forget(oldest)
	}
}

// forget drops a site. The caller holds the lock.
func (l *lookups[Item, Site]) forget(site *lookedUp[Site]) {
	if l.known[site.origin] == site {
		delete(l.known, site.origin)
	}
	l.Drop(site.value)
}

// wake adds a first item to an idle site. The caller holds the lock.
func (l *lookups[Item, Site]) wake(kept *lookedUp[Site]) {
	l.idle.Remove(kept.idle)
	l.idleSize -= kept.size
	kept.idle = nil
	kept.waiting = 1
}

// close waits until no look-up is running. The context has ended.
func (l *lookups[Item, Site]) close() {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.group.Wait()
}
