package robotshttp

import (
	"context"
	"net/http/httptrace"
	"time"
)

// turn is a request whose turn it is. A nil turn belongs to a request that does not
// delay others.
//
// The next request of the queue starts no earlier than its delay after this request is
// written: a connection can take long to open, and the site must not see less than the delay.
// So no request starts before this one is written.
type turn struct {
	queues  *queues
	queue   *queue
	counted bool // in queue.active
	delay   time.Duration
	clock   func() time.Time // as in limits

	unsent  bool // in queue.unsent; guarded by queues.mu
	written bool // since the request was last started; guarded by queues.mu
}

// begin records the start of the turn's request, which can be made again. The caller holds the lock.
func (t *turn) begin(now time.Time) {
	t.written = false
	t.queue.next = later(t.queue.next, now.Add(t.delay))
	if t.delay > 0 {
		t.unsent = true
		t.queue.unsent++
	}
}

func (t *turn) end() {
	if t == nil {
		return
	}
	t.queues.mu.Lock()
	defer t.queues.mu.Unlock()
	t.sent()
	if t.counted {
		t.queue.active--
	}
	t.queues.advance(t.queue, t.queues.now())
}

// sent records that the request is written. The caller holds the lock.
func (t *turn) sent() {
	if t.unsent {
		t.unsent = false
		t.queue.unsent--
	}
}

// watch returns a context that records when the request is written. If net/http makes it again
// because its connection failed, the repetition waits for its own start. An upload counts as
// written after its headers: its body can take long, or come from another request to the host.
func (t *turn) watch(ctx context.Context, upload bool) context.Context {
	if t == nil || t.delay <= 0 {
		return ctx
	}
	wrote := func() {
		defer func() { _ = recover() }() // of the clock, in a goroutine of net/http; returned calls it again
		t.wrote()
	}
	trace := &httptrace.ClientTrace{GetConn: func(string) { t.again(ctx) }}
	if upload {
		trace.WroteHeaders = wrote
	} else {
		trace.WroteRequest = func(httptrace.WroteRequestInfo) { wrote() }
	}
	return httptrace.WithClientTrace(ctx, trace)
}

// returned records that RoundTrip has returned. With a Base that has no trace, the request was
// written before that.
func (t *turn) returned() {
	if t == nil {
		return
	}
	t.queues.mu.Lock()
	unsent := t.unsent
	t.queues.mu.Unlock()
	if unsent {
		t.wrote()
	}
}

func (t *turn) wrote() {
	at := timeBy(t.clock)
	t.queues.mu.Lock()
	defer t.queues.mu.Unlock()
	t.sent()
	t.written = true
	t.queue.next = later(t.queue.next, at.Add(t.delay))
	t.queues.advance(t.queue, at)
}

// again waits for the next start of the queue, before all others, if the request has been
// written and is made again. It returns when ctx ends, with which the request fails.
func (t *turn) again(ctx context.Context) {
	at := timeBy(t.clock)
	t.queues.mu.Lock()
	if !t.written {
		t.queues.mu.Unlock()
		return
	}
	w := &waiter{delay: t.delay, start: make(chan *turn, 1), again: t}
	t.queue.ahead += min(w.delay, longestCounted)
	place := t.queue.waiters.PushFront(w)
	t.queues.advance(t.queue, at)
	t.queues.mu.Unlock()
	select {
	case <-w.start:
	case <-ctx.Done():
		_, _ = t.queues.giveUp(ctx, t.queue, place)
	}
}
