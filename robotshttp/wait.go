package robotshttp

import (
	"container/list"
	"context"
	"fmt"
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
// for it: no timer runs by such a clock, which may be fast, slow or set by hand.
const clockPoll = 10 * time.Millisecond

// timeBy returns the time of a clock.
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
// therefore costs the others nothing, whether it was first, last or between them.
type queue struct {
	name    string
	active  int           // requests under way, not counted if limits.atOnce is 0
	next    time.Time     // earliest start of the next request
	waiters list.List     // of *waiter, in the order of their arrival
	ahead   time.Duration // sum of the waiters' delays, each at most longestCounted
	timer   *time.Timer   // calls advance when the first waiter may start
}

// waiter is a request that waits for its start.
type waiter struct {
	delay time.Duration // between its start and the next one
	start chan turn     // receives the turn when the request may start
}

// longestCounted limits a delay in queue.ahead, so that the sum of 100,000 waiters
// does not overflow.
const longestCounted = 24 * time.Hour

// turn is a request that may be sent. The zero turn is not counted.
type turn struct {
	queues *queues
	queue  *queue
}

// wait blocks until the caller may start a request of a queue, and keeps the next
// start at least delay away from this one. The caller ends the turn after the
// request. waited reports whether it had to wait. wait returns the error of ctx if
// that ends, or DeadlineExceeded immediately if the wait would exceed the deadline. The
// latter is not known with another clock than the system's.
func (qs *queues) wait(ctx context.Context, name string, delay time.Duration, l limits) (_ turn, waited bool, err error) {
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

// enter returns a turn if the caller may start now, and otherwise its place among the
// waiters of the queue.
func (qs *queues) enter(ctx context.Context, name string, delay time.Duration, l limits) (_ turn, q *queue, place *list.Element, err error) {
	at := timeBy(l.clock) // a hook, which may panic: before anything changes
	qs.mu.Lock()
	defer qs.mu.Unlock()
	qs.limits = l
	if q = qs.find(name); q == nil {
		if delay <= 0 && l.atOnce <= 0 {
			return turn{}, nil, nil, nil
		}
		q = qs.add(name)
	}
	pause := later(q.next, at).Add(q.ahead).Sub(at)
	if pause <= 0 && q.waiters.Len() == 0 && !qs.isFull(q) {
		return qs.begin(q, at, delay), q, nil, nil
	}
	if deadline, ok := ctx.Deadline(); ok && l.clock == nil && deadline.Before(at.Add(pause)) {
		return turn{}, nil, nil, fmt.Errorf("robotshttp: the next request to %s must wait %v, longer than the request's deadline: %w",
			name, pause.Round(time.Millisecond), context.DeadlineExceeded)
	}
	place = q.enter(&waiter{delay: delay, start: make(chan turn, 1)})
	qs.advance(q, at)
	return turn{}, q, place, nil
}

// giveUp removes the waiter at place after its context has ended. It returns a turn if
// the waiter has started in the meantime, or may start now: a deadline that equals
// the start is no reason to refuse.
func (qs *queues) giveUp(ctx context.Context, q *queue, place *list.Element) (turn, error) {
	qs.mu.Lock()
	defer qs.mu.Unlock()
	qs.advance(q, qs.now())
	select {
	case t := <-place.Value.(*waiter).start:
		return t, nil
	default:
		q.leave(place)
		qs.advance(q, qs.now()) // stops the timer if this was the last waiter
		return turn{}, ctx.Err()
	}
}

// advance starts the waiters that may start at now, and sets the timer for the next one.
func (qs *queues) advance(q *queue, now time.Time) {
	for first := q.waiters.Front(); first != nil; first = q.waiters.Front() {
		if qs.isFull(q) {
			break // the end of a turn calls advance
		}
		if pause := q.next.Sub(now); pause > 0 {
			qs.wake(q, pause)
			return
		}
		w := q.leave(first)
		w.start <- qs.begin(q, now, w.delay)
	}
	if q.timer != nil {
		q.timer.Stop()
	}
}

// wake sets the timer that calls advance.
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

// begin records the start of a request at now.
func (qs *queues) begin(q *queue, now time.Time, delay time.Duration) turn {
	q.next = later(q.next, now.Add(delay))
	if qs.limits.atOnce <= 0 {
		return turn{}
	}
	q.active++
	return turn{qs, q}
}

// end records the end of a request.
func (t turn) end() {
	if t.queue == nil {
		return
	}
	t.queues.mu.Lock()
	defer t.queues.mu.Unlock()
	t.queue.active--
	t.queues.advance(t.queue, t.queues.now())
}

// block prevents requests of a queue until the given time. Of several blocks the
// longest applies.
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

// find returns the queue with a name, or nil if there is none.
func (qs *queues) find(name string) *queue {
	element := qs.byName[name]
	if element == nil {
		return nil
	}
	qs.byUse.MoveToFront(element)
	return element.Value.(*queue)
}

// add adds a queue, and removes others if there are too many.
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
	case q.waiters.Len() > 0 || q.active > 0:
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
