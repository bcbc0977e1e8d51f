package robotshttp

import (
	"container/list"
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/kosterhq/robotstxt/origin"
)

// queues tracks the origins whose next request must wait. The zero value is ready
// for use.
//
// A queue exists only while a delay or a block applies to its origin. Each new queue
// removes up to two expired ones from the end of a list ordered by last use, so that
// no background goroutine is needed.
type queues struct {
	mu       sync.Mutex
	byOrigin map[origin.Origin]*list.Element // of *queue
	byUse    list.List                       // of *queue, most recently used first
}

// queue is the state of one origin. queues.mu guards its fields.
//
// Only the first waiter has a start time, the queue's next. A waiter that leaves
// therefore costs the others nothing, whether it was first, last or between them.
type queue struct {
	origin  origin.Origin
	next    time.Time     // earliest start of the next request
	waiters list.List     // of *waiter, in the order of their arrival
	ahead   time.Duration // sum of the waiters' delays, each at most longestCounted
	timer   *time.Timer   // calls advance when the first waiter may start
}

// waiter is a request that waits for its start.
type waiter struct {
	delay time.Duration // between its start and the next one
	start chan struct{} // closed when the request may start
}

// longestCounted limits a delay in queue.ahead, so that the sum of 100,000 waiters
// does not overflow.
const longestCounted = 24 * time.Hour

// wait blocks until the caller may start a request to o, and keeps the next start at
// least delay away from this one. waited reports whether it had to wait. It returns
// the error of ctx if that ends, or DeadlineExceeded immediately if the wait would
// exceed the deadline.
func (qs *queues) wait(ctx context.Context, o origin.Origin, delay time.Duration, limit int) (waited bool, err error) {
	qs.mu.Lock()
	q := qs.find(o)
	if q == nil {
		if delay <= 0 {
			qs.mu.Unlock()
			return false, nil
		}
		q = qs.add(o, limit)
	}
	now := time.Now()
	pause := later(q.next, now).Add(q.ahead).Sub(now)
	if pause <= 0 && q.waiters.Len() == 0 {
		q.begin(delay)
		qs.mu.Unlock()
		return false, nil
	}
	if deadline, ok := ctx.Deadline(); ok && deadline.Before(now.Add(pause)) {
		qs.mu.Unlock()
		return false, fmt.Errorf("robotshttp: the next request to %v must wait %v, longer than the request's deadline: %w",
			o, pause.Round(time.Millisecond), context.DeadlineExceeded)
	}
	w := &waiter{delay: delay, start: make(chan struct{})}
	place := q.enter(w)
	qs.advance(q)
	qs.mu.Unlock()
	select {
	case <-w.start:
		return true, nil
	case <-ctx.Done():
		return true, qs.giveUp(ctx, q, place)
	}
}

// giveUp removes the waiter at place after its context has ended. It returns nil if
// the waiter has started in the meantime, or may start now: a deadline that equals
// the start is no reason to refuse.
func (qs *queues) giveUp(ctx context.Context, q *queue, place *list.Element) error {
	qs.mu.Lock()
	defer qs.mu.Unlock()
	qs.advance(q)
	select {
	case <-place.Value.(*waiter).start:
		return nil
	default:
		q.leave(place)
		qs.advance(q) // stops the timer if this was the last waiter
		return ctx.Err()
	}
}

// advance starts the waiters that may start now, and sets the timer for the next one.
func (qs *queues) advance(q *queue) {
	for first := q.waiters.Front(); first != nil; first = q.waiters.Front() {
		if pause := time.Until(q.next); pause > 0 {
			qs.wake(q, pause)
			return
		}
		w := q.leave(first)
		q.begin(w.delay)
		close(w.start)
	}
	if q.timer != nil {
		q.timer.Stop()
	}
}

// wake sets the timer that calls advance.
func (qs *queues) wake(q *queue, after time.Duration) {
	if q.timer != nil {
		q.timer.Reset(after)
		return
	}
	q.timer = time.AfterFunc(after, func() {
		qs.mu.Lock()
		defer qs.mu.Unlock()
		qs.advance(q)
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

// begin records the start of a request.
func (q *queue) begin(delay time.Duration) { q.next = later(q.next, time.Now().Add(delay)) }

// block prevents requests to o until the given time. Of several blocks the longest
// applies.
func (qs *queues) block(o origin.Origin, until time.Time, limit int) {
	qs.mu.Lock()
	defer qs.mu.Unlock()
	q := qs.find(o)
	if q == nil {
		q = qs.add(o, limit)
	}
	q.next = later(q.next, until)
}

// find returns the queue of o, or nil if there is none.
func (qs *queues) find(o origin.Origin) *queue {
	element := qs.byOrigin[o]
	if element == nil {
		return nil
	}
	qs.byUse.MoveToFront(element)
	return element.Value.(*queue)
}

// add adds a queue for o, and removes others if there are too many.
func (qs *queues) add(o origin.Origin, limit int) *queue {
	if qs.byOrigin == nil {
		qs.byOrigin = make(map[origin.Origin]*list.Element)
	}
	// Up to two are removed for each new one, so expired ones do not accumulate.
	for range 2 {
		qs.dropLast(limit - 1)
	}
	q := &queue{origin: o}
	qs.byOrigin[o] = qs.byUse.PushFront(q)
	return q
}

// dropLast removes the least recently used queue if it has expired or if there are
// more than limit. It keeps a queue with waiters.
func (qs *queues) dropLast(limit int) {
	last := qs.byUse.Back()
	if last == nil {
		return
	}
	q := last.Value.(*queue)
	switch {
	case q.waiters.Len() > 0:
		qs.byUse.MoveToFront(last)
	case len(qs.byOrigin) > limit || !time.Now().Before(q.next):
		qs.byUse.Remove(last)
		delete(qs.byOrigin, q.origin)
	}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
