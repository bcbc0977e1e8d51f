package serve

import (
	"cmp"
	"math"
	"net/http"
	"net/netip"
	"sync"
	"time"
)

// budget is an amount of something that all work in flight shares: connections, requests,
// bytes of memory, streams, turns to compute. It knows how much each client has. The part that
// one piece of work has is a [loan], whose methods lock the budget. The callers of the other
// methods hold the lock.
//
// A request keeps its loan until it ends, so a client that had everything would keep out all
// others. Therefore a client may have at most shareOfRest times the amount that is left after
// its request. One client gets at most four fifths. n greedy clients get 4/(4n+1) each, and
// some is left for the next one (Choudhury and Hahne, Dynamic Queue Length Thresholds for
// Shared-Memory Packet Switches, 1998).
//
// One subscriber can have many clients, so a network has a bound too, if it has several
// requests: a single one can need more than that. The largest request counts for at most half
// of the bound, so that small requests of its network do not keep it out.
type budget struct {
	limit   int64
	most    int64  // for one client; 0 or less: only its share bounds it
	network int64  // for one network; 0: no bound
	lends   bool   // requests return their loans soon, so one client may have everything
	spare   int64  // an amount above the limit, for clients that have nothing
	relieve func() // called from time to time while a request waits, with the lock; nil: nothing
	refusals

	mu       sync.Mutex
	used     int64
	clients  map[netip.Addr]int64 // clients that have something
	networks map[netip.Addr]int64 // networks that have something

	// The requests that wait, in the order of their arrival: first are those that have had
	// nothing yet, later are the others. ahead is the number of grants to first since the last
	// one to later.
	first, later []*waiter
	ahead        int
	turns        map[holder]int // the last turn of each client and network that waits
	turn         int
}

// shareOfRest is the largest ratio of one client's part to the free part.
const shareOfRest = 4

type refusals struct {
	clientShare  *Problem // the client or its network has its share
	networkShare *Problem // the network has its share, and the request can wait for it; nil: clientShare
	allUsed      *Problem // other clients have used up the budget
	tooLarge     *Problem // no client gets as much; can be nil
}

var (
	noMemory = refusals{
		clientShare:  busy(http.StatusTooManyRequests, "client-memory", "this client's requests already use its share of the memory", busyTime),
		networkShare: busy(http.StatusTooManyRequests, "client-memory", "this network's requests already use its share of the memory", busyTime),
		allUsed:      busy(http.StatusServiceUnavailable, "memory", "requests already use all of the service's memory", busyTime),
		tooLarge: problem(http.StatusRequestEntityTooLarge, "request-memory", "the request needs more memory than a client can use",
			"send fewer URLs and crawlers, or a smaller file"),
	}
	noTurn = refusals{
		clientShare: busy(http.StatusTooManyRequests, "client-busy", "this client has too many long computations under way", busyTime),
		allUsed:     busy(http.StatusServiceUnavailable, "busy", "the service is too busy", busyTime),
	}
	noStream = refusals{
		clientShare: busy(http.StatusTooManyRequests, "client-streams", "this client or its network has too many streams", busyTime),
		allUsed:     busy(http.StatusServiceUnavailable, "streams", "there are too many streams", busyTime),
	}
	noRequest = refusals{
		clientShare: busy(http.StatusTooManyRequests, "client-requests", "this client or its network has too many requests at the same time", busyTime),
		allUsed:     busy(http.StatusServiceUnavailable, "requests", "there are too many requests at the same time", busyTime),
	}
)

// newBudget returns a budget, of which a network has a quarter if the service is public.
func newBudget(limit, most int64, isPublic bool, no refusals) *budget {
	b := &budget{limit: limit, most: most, refusals: no, clients: make(map[netip.Addr]int64),
		networks: make(map[netip.Addr]int64), turns: make(map[holder]int)}
	if isPublic {
		b.network = limit / 4
	}
	return b
}

// loan is one piece of work's part of a budget. It is safe for concurrent use.
type loan struct {
	of     *budget
	client netip.Addr
	taken  int64 // guarded by the lock of the budget
}

func (b *budget) lend(client netip.Addr) loan { return loan{of: b, client: client} }

// take takes n more, until end returns them. The error is a *Problem: with status 413 if no
// client gets so much, 429 if the client has more than an equal share, and 503 otherwise.
func (l *loan) take(n int64) error {
	l.of.mu.Lock()
	defer l.of.mu.Unlock()
	return l.of.grant(l, n)
}

func (l *loan) give(n int64) {
	l.of.mu.Lock()
	defer l.of.mu.Unlock()
	l.of.remove(l, n)
}

func (l *loan) end() { l.give(math.MaxInt64) }

func (b *budget) grant(l *loan, n int64) error {
	err := b.refusal(l, n)
	if err == nil {
		b.add(l, n)
	}
	return err
}

// refusal returns the reason why a loan may not have n more, or nil if it may.
func (b *budget) refusal(l *loan, n int64) error {
	has, others := b.clients[l.client], b.networks[networkOf(l.client)]-l.taken
	left := b.limit - b.used - n
	switch {
	case b.tooLarge != nil && n > max(1, b.limit*shareOfRest/(shareOfRest+1)):
		return b.tooLarge
	case b.most > 0 && has+n > b.most:
		return b.clientShare
	case b.network > 0 && others+min(l.taken+n, (b.network+1)/2) > b.network:
		return cmp.Or(b.networkShare, b.clientShare)
	case left < 0 && has == 0 && left+b.spare >= 0:
		return nil
	case left >= 0 && (b.lends || has+n <= shareOfRest*left || has+n == 1): // one, even if the limit is below five
		return nil
	case has > 0 && has+n > b.limit/int64(len(b.clients)+1): // the clients that have something, and one more
		return b.clientShare
	}
	return b.allUsed
}

func (b *budget) add(l *loan, n int64) {
	b.used += n
	b.clients[l.client] += n
	b.networks[networkOf(l.client)] += n
	l.taken += n
}

// busyTime is the time after which a client should try again.
const busyTime = 2 * time.Second

// remove returns n, or the whole loan if it is less, for requests that wait.
func (b *budget) remove(l *loan, n int64) {
	n = min(n, l.taken)
	l.taken -= n
	b.used -= n
	reduce(b.clients, l.client, n)
	reduce(b.networks, networkOf(l.client), n)
	b.dispatch()
}

func reduce(of map[netip.Addr]int64, key netip.Addr, n int64) {
	of[key] -= n
	if of[key] <= 0 {
		delete(of, key)
	}
}
