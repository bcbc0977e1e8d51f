package serve

import (
	"context"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"time"
)

// budget is an amount of something that clients share: bytes of memory, streams, turns to
// compute.
//
// What a request has taken is not taken back before it ends, so a client that had
// everything would keep out all others. Therefore a client may have at most shareOfRest
// times what is left after its request. One client gets at most four fifths. n clients
// that take what they can get 4/(4n+1) each, and some is left for the next one (Choudhury
// and Hahne, Dynamic Queue Length Thresholds for Shared-Memory Packet Switches, 1998).
type budget struct {
	limit int64
	most  int64 // for one client; 0 or less: only its share bounds it
	lends bool  // requests return what others need soon, so one client may have all
	refusals

	mu      sync.Mutex
	used    int64
	given   chan struct{}        // closed when something is returned; nil if no request waits for that
	clients map[netip.Addr]int64 // those that have something
}

// shareOfRest is the largest ratio of what one client has to what is left.
const shareOfRest = 4

// refusals are the problems of requests that get nothing: own if the client has its
// share, full if others have used up the budget, never if no client gets as much.
type refusals struct{ own, full, never *Problem }

var (
	noMemory = refusals{
		own:  busy(http.StatusTooManyRequests, "client-memory", "the requests of this client use its share of the memory", busyTime),
		full: busy(http.StatusServiceUnavailable, "memory", "the requests of all clients use the memory", busyTime),
		never: problem(http.StatusRequestEntityTooLarge, "request-memory", "the request needs more memory than a client gets",
			"send fewer URLs and crawlers, or a smaller file"),
	}
	noTurn = refusals{
		own:  busy(http.StatusTooManyRequests, "client-busy", "this client has too many requests that compute for long", busyTime),
		full: busy(http.StatusServiceUnavailable, "busy", "the service has too much to do", busyTime),
	}
	noStream = refusals{
		own:  busy(http.StatusTooManyRequests, "client-streams", "this client has too many streams", busyTime),
		full: busy(http.StatusServiceUnavailable, "streams", "there are too many streams", busyTime),
	}
	noRequest = refusals{
		own:  busy(http.StatusTooManyRequests, "client-requests", "this client has too many requests at the same time", busyTime),
		full: busy(http.StatusServiceUnavailable, "requests", "there are too many requests at the same time", busyTime),
	}
)

func newBudget(limit, most int64, no refusals) *budget {
	return &budget{limit: limit, most: most, refusals: no, clients: make(map[netip.Addr]int64)}
}

// take takes n for a client. The caller returns it with give. The error is a *Problem:
// with status 413 if no client gets so much, 429 if the client has more than an equal
// share, and 503 otherwise.
func (b *budget) take(client netip.Addr, n int64) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.grant(client, n)
}

// grant is take for a caller that holds the lock.
func (b *budget) grant(client netip.Addr, n int64) error {
	if !b.fits(client, n) {
		return b.refusal(client, n)
	}
	b.add(client, n)
	return nil
}

// fits reports whether a client may take n. The caller holds the lock.
func (b *budget) fits(client netip.Addr, n int64) bool {
	if b.isMost(client, n) || n > b.limit-b.used {
		return false
	}
	has := b.clients[client] + n
	// A client that has nothing may have one, even if the limit is below five.
	return b.lends || has <= shareOfRest*(b.limit-b.used-n) || has == 1
}

// isMost reports whether a client would have more than most with n more. The caller holds
// the lock.
func (b *budget) isMost(client netip.Addr, n int64) bool {
	return b.most > 0 && b.clients[client]+n > b.most
}

// add takes n. The caller holds the lock.
func (b *budget) add(client netip.Addr, n int64) {
	b.used += n
	b.clients[client] += n
}

// refusal returns the problem of a client that gets nothing. The caller holds the lock.
func (b *budget) refusal(client netip.Addr, n int64) error {
	has := b.clients[client]
	switch {
	case b.never != nil && n > max(1, b.limit*shareOfRest/(shareOfRest+1)):
		return b.never
	case b.isMost(client, n), has > 0 && has+n > b.limit/int64(len(b.clients)+1): // the clients that have something, and one more
		return b.own
	}
	return b.full
}

// busyTime is the time after which a client should try again.
const busyTime = 2 * time.Second

// give returns what was taken.
func (b *budget) give(client netip.Addr, n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.remove(client, n)
}

// remove returns what was taken. The caller holds the lock.
func (b *budget) remove(client netip.Addr, n int64) {
	b.used -= n
	if b.clients[client] -= n; b.clients[client] <= 0 {
		delete(b.clients, client)
	}
	if b.given != nil {
		close(b.given)
		b.given = nil
	}
}

// nextGiven returns a channel that is closed when something is returned.
func (b *budget) nextGiven() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.given == nil {
		b.given = make(chan struct{})
	}
	return b.given
}

// loan is what a request has taken from a budget of bytes. It is safe for concurrent use.
type loan struct {
	of     *budget
	client netip.Addr
	bytes  int64 // guarded by the lock of the budget
}

// take takes n bytes more.
func (l *loan) take(n int64) error {
	l.of.mu.Lock()
	defer l.of.mu.Unlock()
	err := l.of.grant(l.client, n)
	if err == nil {
		l.bytes += n
	}
	return err
}

// give returns n bytes.
func (l *loan) give(n int64) {
	l.of.mu.Lock()
	defer l.of.mu.Unlock()
	n = min(n, l.bytes)
	l.of.remove(l.client, n)
	l.bytes -= n
}

// end returns everything.
func (l *loan) end() {
	l.of.mu.Lock()
	defer l.of.mu.Unlock()
	if l.bytes > 0 {
		l.of.remove(l.client, l.bytes)
	}
	l.bytes = 0
}

// turns is a budget of computations at the same time. Each client has a queue of waiting
// requests, and the clients take turns: a client that sends a hundred requests delays
// another client's request by one of them.
//
// Requests that wait for their first turn have precedence over those that have computed,
// because most requests are short: a hundred long ones would delay each short one by a
// hundred turns. A client without any turn gets one at once, as long as the turns are
// fewer than twice the limit, because those of others may last for seconds. The system
// then shares the processors among them.
type turns struct {
	budget
	first, later queues // of requests that have not computed yet, and that have
	ahead        int    // first turns since the last later one
}

// mostAhead is the number of first turns after which a later one is granted: new requests
// of many clients must not keep out those that have begun.
const mostAhead = 8

// queues contains the waiting requests of each client, in the order of their arrival.
type queues struct {
	of    map[netip.Addr][]*waiter
	order []netip.Addr // clients with a queue, the next one first
}

type waiter struct {
	ready   chan struct{}
	granted bool // guarded by the lock of the budget
}

func newTurns(limit int) *turns {
	return &turns{
		budget: budget{limit: int64(limit), lends: true, refusals: noTurn, clients: make(map[netip.Addr]int64)},
		first:  queues{of: make(map[netip.Addr][]*waiter)}, later: queues{of: make(map[netip.Addr][]*waiter)},
	}
}

// push adds a request.
func (q *queues) push(client netip.Addr, w *waiter) {
	if len(q.of[client]) == 0 {
		q.order = append(q.order, client)
	}
	q.of[client] = append(q.of[client], w)
}

// pop removes the first request of the client at an index of order. The client goes to
// the end of order.
func (q *queues) pop(i int) *waiter {
	client := q.order[i]
	queue := q.of[client]
	q.order = slices.Delete(q.order, i, i+1)
	if len(queue) == 1 {
		delete(q.of, client)
	} else {
		q.of[client], q.order = queue[1:], append(q.order, client)
	}
	return queue[0]
}

// remove removes a request.
func (q *queues) remove(client netip.Addr, w *waiter) {
	queue := slices.DeleteFunc(q.of[client], func(other *waiter) bool { return other == w })
	if q.of[client] = queue; len(queue) == 0 {
		delete(q.of, client)
		q.order = slices.DeleteFunc(q.order, func(other netip.Addr) bool { return other == client })
	}
}

// free reports whether a client may have a turn now. No client that waits is free. The
// caller holds the lock.
func (t *turns) free(client netip.Addr) bool {
	return t.used < t.limit || t.clients[client] == 0 && t.used < 2*t.limit
}

// The longest waits of a request: for a fetch, while others occupy the fetches, and for
// its first turn. They are long, because a late answer is better than none; the other
// budgets bound what waiting requests occupy.
const (
	slotWait = time.Second
	turnWait = 5 * time.Second
)

// enter takes a turn, which the caller returns with leave. It waits for at most the time
// wait, or until the context ends if wait is 0.
func (t *turns) enter(ctx context.Context, client netip.Addr, isFirst bool, wait time.Duration) error {
	t.mu.Lock()
	if t.free(client) {
		t.add(client, 1)
		t.mu.Unlock()
		return nil
	}
	in := &t.later
	if isFirst {
		in = &t.first
	}
	w := &waiter{ready: make(chan struct{})}
	in.push(client, w)
	t.mu.Unlock()

	var late <-chan time.Time
	if wait > 0 {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		late = timer.C
	}
	select {
	case <-w.ready:
		return nil
	case <-ctx.Done():
		return t.giveUp(in, client, w, ctx.Err())
	case <-late:
		return t.giveUp(in, client, w, nil)
	}
}

// giveUp ends the wait of a request. The error is nil if the request got its turn
// meanwhile. Otherwise it is cause, or the refusal if cause is nil.
func (t *turns) giveUp(in *queues, client netip.Addr, w *waiter, cause error) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if w.granted {
		if cause == nil {
			return nil
		}
		t.remove(client, 1)
		t.dispatch()
		return cause
	}
	if cause == nil {
		cause = t.refusal(client, 1)
	}
	in.remove(client, w)
	return cause
}

// leave returns a turn.
func (t *turns) leave(client netip.Addr) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.remove(client, 1)
	t.dispatch()
}

// dispatch grants the free turns to requests that wait. The caller holds the lock.
func (t *turns) dispatch() {
	for {
		given := false
		if t.ahead >= mostAhead {
			given = t.grantNext(&t.later) || t.grantNext(&t.first)
		} else {
			given = t.grantNext(&t.first) || t.grantNext(&t.later)
		}
		if !given {
			return
		}
	}
}

// grantNext grants a turn to the next request that may have one. The caller holds the lock.
func (t *turns) grantNext(in *queues) bool {
	i := slices.IndexFunc(in.order, t.free)
	if i < 0 {
		return false
	}
	t.ahead++
	if in == &t.later {
		t.ahead = 0
	}
	t.add(in.order[i], 1)
	w := in.pop(i)
	w.granted = true
	close(w.ready)
	return true
}

// turn is the permission of a request to compute. Its methods must not be called
// concurrently.
type turn struct {
	of     *turns
	client netip.Addr
	has    bool
	began  time.Time
	spent  time.Duration // in turns that have ended
	most   time.Duration // bounds the computing time of the request; 0: no bound
	late   error         // the error after that time
}

// turnTime is the time after which a turn passes to a request that waits. Go's scheduler
// lets a goroutine run for the same time.
const turnTime = 10 * time.Millisecond

// begin waits for a turn unless the request has one: for at most the time wait, or until
// the context ends if wait is 0.
func (t *turn) begin(ctx context.Context, wait time.Duration) error {
	if t.has {
		return nil
	}
	if err := t.of.enter(ctx, t.client, t.began.IsZero(), wait); err != nil {
		return err
	}
	t.has, t.began = true, time.Now()
	return nil
}

// pass passes the turn to another request if it has lasted for turnTime and others wait,
// and then waits for the next one. The error is late, or that of ctx.
func (t *turn) pass(ctx context.Context) error {
	took := time.Since(t.began)
	if t.most > 0 && t.spent+took > t.most {
		return t.late
	}
	if took < turnTime {
		return nil
	}
	t.end()
	return t.begin(ctx, 0)
}

// end returns the turn, if the request has it.
func (t *turn) end() {
	if t.has {
		t.has = false
		t.spent += time.Since(t.began)
		t.of.leave(t.client)
	}
}

// passing is the context of an operation that cannot pass its turn in another way:
// whenever the operation calls Err, the turn may pass.
type passing struct {
	context.Context
	mu   sync.Mutex
	turn *turn
}

// Err returns the error of the context.
func (p *passing) Err() error {
	if err := p.Context.Err(); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.turn.pass(p.Context)
}
