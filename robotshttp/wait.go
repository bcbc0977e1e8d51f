package robotshttp

import (
	"container/list"
	"context"
	"sync"
	"time"
)

// queues contains the queues in which requests wait for their start, by name. The
// zero value is ready for use.
//
// A queue exists only while it has requests under way, a delay or a block. Each new
// queue removes up to two expired ones from the end of a list ordered by last use, so
// that no background goroutine is needed.
type queues struct {
	mu     sync.Mutex
	limits limits
	byName map[string]*list.Element // of *queue
	byUse  list.List                // of *queue, most recently used first
}

// limits are the bounds of a Transport. Those of one Transport do not change.
type limits struct {
	queues int              // how many are kept
	atOnce int              // requests of one queue under way, 0 for any number
	clock  func() time.Time // nil for the system's
}

// clockPoll is how often a clock other than the system's is read while requests wait
// for it: no timer runs by such a clock, which can be fast, slow or set by hand.
const clockPoll = 10 * time.Millisecond

func timeBy(clock func() time.Time) time.Time {
	if clock == nil {
		return time.Now()
	}
	return clock()
}

func (qs *queues) now() time.Time { return timeBy(qs.limits.clock) }

// queue is one queue. queues.mu guards its fields.
//
// Only the first waiter has a start time, the queue's next. A waiter that leaves
// therefore does not delay the others, whether it was first, last or between
// them.
type queue struct {
	name    string
	active  int           // requests under way, not counted if limits.atOnce is 0
	unsent  int           // requests with a delay that have started and are not written yet
	next    time.Time     // earliest start of the next request
	waiters list.List     // of *waiter, in the order of their arrival
	ahead   time.Duration // sum of the waiters' delays, each at most longestCounted
	timer   *time.Timer   // calls advance when the first waiter can start
}

// waiter is a request that waits for its start.
type waiter struct {
	delay time.Duration // between its start and the next one
	start chan *turn    // receives the turn when the request can start
	again *turn         // of a request that net/http makes again, otherwise nil
}

// longestCounted limits a delay in queue.ahead, so that the sum of 100,000 waiters
// does not overflow.
const longestCounted = 24 * time.Hour

// wait blocks until the caller may start a request of a queue, and keeps the next
// start at least delay away from this one. The caller ends the turn after the
// request. waited reports whether it had to wait. wait returns the error of ctx if
// that ends, or a *WaitError immediately if the wait would exceed the deadline.
// With a clock other than the system's, wait cannot know that.
func (qs *queues) wait(ctx context.Context, name string, delay time.Duration,
	l limits) (_ *turn, waited bool, err error) {
	t, q, place, err := qs.enter(ctx, name, delay, l)
	if err != nil || place == nil {
		return t, false, err
	}
	select {
	case t := <-place.Value.(*waiter).start:
		return t, true, nil
	case <-ctx.Done():
		t, err := qs.giveUp(ctx, q, place)
		return t, true, err
	}
}

func (qs *queues) enter(ctx context.Context, name string, delay time.Duration,
	l limits) (_ *turn, q *queue, place *list.Element, err error) {
	at := timeBy(l.clock) // a hook, which can panic: before anything changes
	qs.mu.Lock()
	defer qs.mu.Unlock()
	qs.limits = l
	q = qs.find(name)
	if q == nil {
		if delay <= 0 && l.atOnce <= 0 {
			return nil, nil, nil, nil
		}
		q = qs.add(name)
	}
	pause := q.free(at).Sub(at)
	if pause <= 0 && q.waiters.Len() == 0 && q.unsent == 0 && !qs.isFull(q) {
		return qs.begin(q, at, delay), q, nil, nil
	}
	if deadline, ok := ctx.Deadline(); ok && l.clock == nil && deadline.Before(at.Add(pause)) {
		return nil, nil, nil, &WaitError{name, pause, at.Add(pause)}
	}
	place = q.enter(&waiter{delay: delay, start: make(chan *turn, 1)})
	qs.advance(q, at)
	return nil, q, place, nil
}

func (q *queue) free(now time.Time) time.Time { return later(q.next, now).Add(q.ahead) }

// next returns when a request can start, the zero time if that is now.
func (qs *queues) next(name string, l limits) time.Time {
	at := timeBy(l.clock)
	qs.mu.Lock()
	defer qs.mu.Unlock()
	if element := qs.byName[name]; element != nil {
		if free := element.Value.(*queue).free(at); free.After(at) {
			return free
		}
	}
	return time.Time{}
}

// giveUp removes the waiter at place after its context has ended. It returns a turn if
// the waiter has started in the meantime, or can start now: a deadline that equals the
// start is not a reason to refuse.
func (qs *queues) giveUp(ctx context.Context, q *queue, place *list.Element) (*turn, error) {
	qs.mu.Lock()
	defer qs.mu.Unlock()
	qs.advance(q, qs.now())
	select {
	case t := <-place.Value.(*waiter).start:
		return t, nil
	default:
		q.leave(place)
		qs.advance(q, qs.now()) // stops the timer if this was the last waiter
		return nil, ctx.Err()
	}
}

// advance starts the waiters whose time has come at now, and sets the timer for the next
// one.
func (qs *queues) advance(q *queue, now time.Time) {
	for first := q.waiters.Front(); first != nil; first = q.waiters.Front() {
		again := first.Value.(*waiter).again
		if q.unsent > 0 || again == nil && qs.isFull(q) {
			break // the end of a turn calls advance, and so does a request that is written
		}
		if pause := q.next.Sub(now); pause > 0 {
			qs.wake(q, pause)
			return
		}
		w := q.leave(first)
		if again == nil {
			again = qs.begin(q, now, w.delay)
		} else {
			again.begin(now)
		}
		w.start <- again
	}
	if q.timer != nil {
		q.timer.Stop()
	}
}

func (qs *queues) wake(q *queue, after time.Duration) {
	if qs.limits.clock != nil {
		after = min(after, clockPoll)
	}
	if q.timer != nil {
		q.timer.Reset(after)
		return
	}
	q.timer = time.AfterFunc(after, func() {
		qs.mu.Lock()
		defer qs.mu.Unlock()
		qs.advance(q, qs.now())
	})
}

func (q *queue) enter(w *waiter) *list.Element {
	q.ahead += min(w.delay, longestCounted)
	return q.waiters.PushBack(w)
}

func (q *queue) leave(place *list.Element) *waiter {
	w := q.waiters.Remove(place).(*waiter)
	q.ahead -= min(w.delay, longestCounted)
	return w
}

func (qs *queues) isFull(q *queue) bool { return qs.limits.atOnce > 0 && q.active >= qs.limits.atOnce }

func (qs *queues) begin(q *queue, now time.Time, delay time.Duration) *turn {
	t := &turn{queues: qs, queue: q, counted: qs.limits.atOnce > 0, delay: delay, clock: qs.limits.clock}
	if t.counted {
		q.active++
	}
	t.begin(now)
	return t
}

// block prevents requests of a queue until the given time. If there are several
// blocks, the longest applies.
func (qs *queues) block(name string, until time.Time, l limits) {
	qs.mu.Lock()
	defer qs.mu.Unlock()
	qs.limits = l
	q := qs.find(name)
	if q == nil {
		q = qs.add(name)
	}
	q.next = later(q.next, until)
}

func (qs *queues) find(name string) *queue {
	element := qs.byName[name]
	if element == nil {
		return nil
	}
	qs.byUse.MoveToFront(element)
	return element.Value.(*queue)
}

func (qs *queues) add(name string) *queue {
	if qs.byName == nil {
		qs.byName = make(map[string]*list.Element)
	}
	// Up to two are removed for each new one, so expired ones do not accumulate.
	for range 2 {
		qs.dropLast(qs.limits.queues - 1)
	}
	q := &queue{name: name}
	qs.byName[name] = qs.byUse.PushFront(q)
	return q
}

// dropLast removes the least recently used queue if it has expired or if there are
// more than limit. It keeps a queue with waiters or with requests under way.
func (qs *queues) dropLast(limit int) {
	last := qs.byUse.Back()
	if last == nil {
		return
	}
	q := last.Value.(*queue)
	switch {
	case q.waiters.Len() > 0 || q.active > 0 || q.unsent > 0:
		qs.byUse.MoveToFront(last)
	case len(qs.byName) > limit || !qs.now().Before(q.next):
		qs.byUse.Remove(last)
		delete(qs.byName, q.name)
	}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
