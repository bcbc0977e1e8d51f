package serve

import (
	"cmp"
	"context"
	"net/netip"
	"slices"
	"sync"
	"time"
)

// Requests that wait for a budget. Each client has a queue, and the clients take turns, as
// their networks do: a client that sends a hundred requests delays another client's request by
// one of them, and so does a network with a hundred clients.
//
// Requests that wait for their first turn to compute have precedence over those that have
// computed, because most requests are short: a hundred long ones would delay each short one by
// a hundred turns. A client without any turn gets one at once, as long as the turns are fewer
// than twice the limit, because other clients' turns can last for seconds. The system then
// shares the processors among them.

func newTurns(limit int) *budget {
	b := newBudget(int64(limit), 0, false, noTurn)
	b.lends = true
	b.spare = int64(limit)
	return b
}

// maxAhead is the number of first turns after which a later one is granted: new requests
// of many clients must not keep out those that have begun.
const maxAhead = 8

type waiter struct {
	*loan
	n       int64
	ready   chan struct{}
	granted bool // guarded by the lock of the budget
}

// holder is a client or a network. The first client of a network has the address of the network.
type holder struct {
	at        netip.Addr
	isNetwork bool
}

func (w *waiter) byClient() holder  { return holder{w.client, false} }
func (w *waiter) byNetwork() holder { return holder{networkOf(w.client), true} }

func (b *budget) push(in *[]*waiter, w *waiter) {
	if len(b.first)+len(b.later) == 0 || len(b.turns) > maxEntries {
		clear(b.turns)
	}
	for _, key := range []holder{w.byClient(), w.byNetwork()} {
		if b.turns[key] == 0 {
			b.turns[key] = b.turn // requests that wait already come first
		}
	}
	*in = append(*in, w)
}

// The longest waits of a request: for a fetch, while others occupy the fetches, and for
// its first turn. They are long, because a late answer is better than none; the other
// budgets bound what waiting requests occupy.
const (
	slotWait     = time.Second
	turnWait     = 5 * time.Second
	relieveEvery = 100 * time.Millisecond // meanwhile, see budget
)

// await is take for a request that waits: for at most the time wait, or until the context ends
// if wait is 0. A client that has its share does not wait, unless others will soon return
// enough. The loan takes nothing else meanwhile.
func (l *loan) await(ctx context.Context, n int64, isFirst bool, wait time.Duration) error {
	b := l.of
	w := &waiter{loan: l, n: n, ready: make(chan struct{})}
	b.mu.Lock()
	err := b.grant(l, n)
	if err == nil || !b.mayWait(err) {
		b.mu.Unlock()
		return err
	}
	in := &b.later
	if isFirst {
		in = &b.first
	}
	b.push(in, w)
	if b.relieve != nil {
		b.relieve()
	}
	b.mu.Unlock()

	var late, again <-chan time.Time
	if wait > 0 {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		late = timer.C
	}
	if b.relieve != nil {
		ticker := time.NewTicker(relieveEvery)
		defer ticker.Stop()
		again = ticker.C
	}
	for {
		select {
		case <-w.ready:
			return nil
		case <-ctx.Done():
			return b.giveUp(in, w, ctx.Err())
		case <-late:
			return b.giveUp(in, w, nil)
		case <-again:
			b.mu.Lock()
			b.relieve()
			// Meanwhile other requests of the client might have got its share.
			isOver := !w.granted && !b.mayWait(b.refusal(l, n))
			b.mu.Unlock()
			if isOver {
				return b.giveUp(in, w, nil)
			}
		}
	}
}

func (b *budget) mayWait(refusal error) bool {
	return b.lends || refusal == error(b.allUsed) || refusal == error(b.networkShare)
}

// giveUp ends the wait of a request. The error is nil if the request got what it waits for
// meanwhile. Otherwise the error is cause, or the refusal if cause is nil.
func (b *budget) giveUp(in *[]*waiter, w *waiter, cause error) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if w.granted {
		if cause != nil {
			b.remove(w.loan, w.n)
		}
		return cause
	}
	*in = slices.DeleteFunc(*in, func(other *waiter) bool { return other == w })
	if cause == nil {
		cause = b.grant(w.loan, w.n)
	}
	return cause
}

func (b *budget) dispatch() {
	for b.ahead >= maxAhead && b.grantNext(&b.later) || b.grantNext(&b.first) || b.grantNext(&b.later) {
	}
}

// grantNext serves one of the waiting requests, if any may have its amount. It takes the network
// whose turn is first, in it the client whose turn is first, and that client's first request.
func (b *budget) grantNext(in *[]*waiter) bool {
	var next *waiter
	for _, w := range *in {
		if b.refusal(w.loan, w.n) == nil && (next == nil || b.isBefore(w, next)) {
			next = w
		}
	}
	if next == nil {
		return false
	}
	b.ahead++
	if in == &b.later {
		b.ahead = 0
	}
	b.turn++
	b.turns[next.byClient()], b.turns[next.byNetwork()] = b.turn, b.turn
	*in = slices.DeleteFunc(*in, func(w *waiter) bool { return w == next })
	b.add(next.loan, next.n)
	next.granted = true
	close(next.ready)
	return true
}

func (b *budget) isBefore(w, other *waiter) bool {
	networks := cmp.Compare(b.turns[w.byNetwork()], b.turns[other.byNetwork()])
	return cmp.Or(networks, cmp.Compare(b.turns[w.byClient()], b.turns[other.byClient()])) < 0
}

// turn is the permission of a request to compute. Its methods must not be called
// concurrently.
type turn struct {
	loan
	has   bool
	began time.Time
	spent time.Duration // the computing time in turns that have ended
	most  time.Duration // bounds the computing time of the request; 0: no bound
	late  error         // the error after that time
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
	if err := t.await(ctx, 1, t.began.IsZero(), wait); err != nil {
		return err
	}
	t.has = true
	t.began = time.Now()
	return nil
}

// pass passes the turn to another request if it has lasted for turnTime and others wait,
// and then waits for the next one. It returns late, or ctx's error if ctx ends.
func (t *turn) pass(ctx context.Context) error {
	if !t.has {
		return t.begin(ctx, 0)
	}
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

func (t *turn) end() {
	if t.has {
		t.has = false
		t.spent += time.Since(t.began)
		t.loan.end()
	}
}

// passing is the context of an operation that cannot pass its turn in another way:
// whenever the operation calls Err, the turn can pass.
type passing struct {
	context.Context
	mu   sync.Mutex
	turn *turn
}

func (p *passing) Err() error {
	if err := p.Context.Err(); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.turn.pass(p.Context)
}
