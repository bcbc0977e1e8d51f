package serve

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/origin"
)

func statusOf(err error) int {
	if p, ok := errors.AsType[*Problem](err); ok {
		return p.Status
	}
	return http.StatusOK
}

// TestBudget: who gets how much, and with which status the rest is refused.
func TestBudget(t *testing.T) {
	type step struct{ client, n, want int }
	for _, test := range []struct {
		name        string
		limit, most int64
		steps       []step
	}{
		{"one client has four fifths", 100, 0, []step{{1, 80, 200}, {1, 1, 429}}},
		{"more than that is too much for ever", 100, 0, []step{{1, 81, 413}, {1, 80, 200}}},
		{"another one gets four fifths of the rest", 100, 0, []step{{1, 80, 200}, {2, 16, 200}, {2, 1, 503}, {1, 1, 429}, {3, 3, 200}}},
		{"what is returned is for others first", 100, 0, []step{
			{1, 80, 200}, {2, 16, 200}, {1, -40, 200}, {2, 19, 200}, {1, 25, 429}, {2, 1, 200},
		}},
		{"most", 100, 4, []step{{1, 4, 200}, {1, 1, 429}, {2, 4, 200}}},
		{"few", 1, 0, []step{{1, 1, 200}, {2, 1, 503}, {1, -1, 200}, {2, 1, 200}}},
	} {
		b := newBudget(test.limit, test.most, false, noMemory)
		for i, s := range test.steps {
			if s.n < 0 {
				b.give(ClientN(s.client), int64(-s.n))
				continue
			}
			if got := statusOf(b.take(ClientN(s.client), int64(s.n))); got != s.want {
				t.Errorf("%s: step %d: status %d, want %d", test.name, i, got, s.want)
			}
		}
	}
}

// TestNetworks: what a client is, and its network.
func TestNetworks(t *testing.T) {
	for address, want := range map[string][2]string{
		"192.0.2.7":               {"192.0.2.7", "192.0.2.0"},
		"::ffff:192.0.2.7":        {"192.0.2.7", "192.0.2.0"},
		"2001:db8:1:2:3::4":       {"2001:db8:1:2::", "2001:db8:1::"},
		"fe80::1%eth0":            {"fe80::", "fe80::"},
		"2002:c000:207::1":        {"192.0.2.7", "192.0.2.0"}, // 6to4
		"2002:c000:207:ffff:9::1": {"192.0.2.7", "192.0.2.0"},
	} {
		client := clientOf(netip.MustParseAddr(address))
		if got := [2]string{client.String(), networkOf(client).String()}; got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
}

// TestNetworkShare: a network of many clients has a quarter of what a public service has, but a
// single request may have more, and a service for its own machine has no such bound.
func TestNetworkShare(t *testing.T) {
	for _, public := range []bool{true, false} {
		b := newBudget(400, 0, public, noMemory)
		of := func(n int) netip.Addr {
			return netip.AddrFrom16([16]byte{0x20, 1, 0xd, 0xb8, 0, byte(n >> 8), 0, byte(n)})
		}
		took := 0
		for i := range 256 { // clients of one network
			if b.take(of(i), 1) == nil {
				took++
			}
		}
		if public && took != 100 || !public && took != 256 {
			t.Errorf("public %v: one network has %d of 400", public, took)
		}
		if !public {
			continue
		}
		if err := b.take(of(255), 1); statusOf(err) != http.StatusTooManyRequests {
			t.Errorf("beyond its share: %v", err)
		}
		large := loan{of: b, client: of(256)}
		for i, want := range []int{200, 200, 200, 429} {
			if err := large.take([]int64{1, 99, 100, 100}[i]); statusOf(err) != want {
				t.Errorf("a single request of another network: step %d: %v", i, err)
			}
		}
		if err := b.take(of(257), 1); statusOf(err) != http.StatusTooManyRequests {
			t.Errorf("beside a large one: %v", err)
		}
		large.end()
		if err := b.take(of(257), 1); err != nil || b.networks[networkOf(of(257))] != 1 {
			t.Errorf("after it: %v", err)
		}
	}
}

// TestNetworksTakeTurns: a network of many clients delays the requests of another one by one turn.
func TestNetworksTakeTurns(t *testing.T) {
	b := newTurns(1)
	for i := range 2 {
		if err := b.take(ClientN(i), 1); err != nil {
			t.Fatal(err)
		}
	}
	var order []*waiter
	push := func(client netip.Addr) *waiter {
		w := b.waiting(client)
		b.push(&b.first, w)
		order = append(order, w)
		return w
	}
	for i := range 100 {
		push(netip.AddrFrom4([4]byte{198, 51, 100, byte(i)}))
		push(netip.AddrFrom4([4]byte{198, 51, 100, byte(i)}))
	}
	honest := push(netip.AddrFrom4([4]byte{203, 0, 113, 1}))
	b.give(ClientN(0), 1) // one is granted
	b.give(ClientN(1), 1)
	b.give(ClientN(1), 1)
	granted := 0
	for _, w := range order {
		if w.granted {
			granted++
		}
	}
	if !honest.granted || granted > 3 {
		t.Errorf("%d were granted, the honest one: %v", granted, honest.granted)
	}
}

// TestFirstOfNetworkTakesTurns: the client whose address is that of its network has its turns.
func TestFirstOfNetworkTakesTurns(t *testing.T) {
	for _, pair := range [][2]string{{"198.51.100.1", "198.51.100.0"}, {"2001:db8:0:1::", "2001:db8::"}} {
		b := newTurns(1)
		b.spare = 0
		if err := b.take(ClientN(0), 1); err != nil {
			t.Fatal(err)
		}
		many, first := netip.MustParseAddr(pair[0]), b.waiting(netip.MustParseAddr(pair[1]))
		for range 50 {
			b.push(&b.first, b.waiting(many))
		}
		b.push(&b.first, first)
		b.give(ClientN(0), 1)
		for range 2 {
			if !first.granted {
				b.give(many, 1)
			}
		}
		if !first.granted {
			t.Errorf("%s waits for the requests of %s", pair[1], pair[0])
		}
	}
}

// FuzzBudget: no sequence of requests exceeds the limit, nothing is left at the end, and n
// clients that take what they can get have at least one part in n+1 each.
func FuzzBudget(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 250, 17}, uint8(3))
	f.Fuzz(func(t *testing.T, orders []byte, n uint8) {
		clients := int(n%8) + 1
		const limit = 1000
		b := newBudget(limit, 0, false, noMemory)
		loans := make([]loan, clients)
		for i := range loans {
			loans[i] = loan{of: b, client: ClientN(i)}
		}
		for i, order := range orders {
			l := &loans[i%clients]
			if order%3 == 0 {
				l.give(int64(order))
			} else {
				_ = l.take(int64(order))
			}
			sum := int64(0)
			for j := range loans {
				sum += loans[j].taken
			}
			if sum != b.used || b.used > limit || b.used < 0 {
				t.Fatalf("%d are used, %d taken", b.used, sum)
			}
		}
		for i := range loans {
			loans[i].end()
		}
		if b.used != 0 || len(b.clients) != 0 {
			t.Fatalf("%d are used by %d clients at the end", b.used, len(b.clients))
		}
		for took := true; took; {
			took = false
			for i := range loans {
				took = loans[i].take(1) == nil || took
			}
		}
		for i := range loans {
			if least := int64(limit / (clients + 1)); loans[i].taken < least {
				t.Errorf("one of %d clients has %d, less than %d", clients, loans[i].taken, least)
			}
		}
		if (&loan{of: b, client: ClientN(clients)}).take(1) != nil {
			t.Errorf("nothing is left after %d clients", clients)
		}
	})
}

// TestRetryAfter: each refusal says when to try again.
func TestRetryAfter(t *testing.T) {
	for _, no := range []refusals{noMemory, noTurn, noStream, noRequest} {
		for _, p := range []*Problem{no.clientShare, no.allUsed} {
			w := httptest.NewRecorder()
			p.write(w)
			if w.Header().Get("Retry-After") == "" || w.Code != http.StatusTooManyRequests && w.Code != http.StatusServiceUnavailable {
				t.Errorf("%s: status %d, Retry-After %q", p.Code, w.Code, w.Header().Get("Retry-After"))
			}
		}
	}
}

// TestTurns: the clients take turns, whatever the number of their requests.
func TestTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := newTurns(1)
		var mu sync.Mutex
		var order []int
		ask := func(client int) {
			go func() {
				if err := turns.enter(t.Context(), ClientN(client), true, 0); err != nil {
					t.Error(err)
				}
				mu.Lock()
				order = append(order, client)
				mu.Unlock()
				time.Sleep(time.Second) // with one turn, no other client runs
				turns.give(ClientN(client), 1)
			}()
			synctest.Wait()
		}
		if err := turns.enter(t.Context(), ClientN(9), true, 0); err != nil {
			t.Fatal(err)
		}
		if err := turns.enter(t.Context(), ClientN(8), true, 0); err != nil {
			t.Fatal("a client without a turn waits:", err)
		}
		for _, client := range []int{1, 1, 1, 1, 2, 3, 3} {
			ask(client)
		}
		turns.give(ClientN(9), 1)
		turns.give(ClientN(8), 1)
		time.Sleep(time.Minute)
		synctest.Wait()
		// Two at a time, because clients without a turn need not wait for the others' ends.
		for i := range 3 {
			if first := slices.Index(order, i+1); first >= 4 {
				t.Errorf("client %d waited for %d requests: %v", i+1, first, order)
			}
		}
		if len(order) != 7 || turns.used != 0 || len(turns.first)+len(turns.later) != 0 {
			t.Errorf("%d of 7 requests, %d used, %d queues", len(order), turns.used, len(turns.first)+len(turns.later))
		}
	})
}

// TestTurnsEnd: a request that gives up leaves its queue, and takes no turn with it.
func TestTurnsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := newTurns(1)
		for i := range 2 {
			if err := turns.enter(t.Context(), ClientN(i), true, 0); err != nil {
				t.Fatal(err)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		results := make(chan string, 3)
		for i, wait := range []time.Duration{0, time.Second, time.Hour} {
			go func() {
				err := turns.enter(ctx, ClientN(i), true, wait)
				results <- fmt.Sprint(i, " ", statusOf(err), " ", err == nil)
			}()
		}
		time.Sleep(2 * time.Second)
		if got := <-results; got != "1 429 false" && got != "1 503 false" {
			t.Errorf("after a second: %s", got)
		}
		cancel()
		<-results
		<-results
		turns.give(ClientN(0), 1)
		turns.give(ClientN(1), 1)
		if turns.used != 0 || len(turns.first)+len(turns.later) != 0 || len(turns.clients) != 0 {
			t.Errorf("%d turns and %d queues are left", turns.used, len(turns.first)+len(turns.later))
		}
	})
}

// TestTurnPasses: a request that computes for long lets others compute, and not for ever.
func TestTurnPasses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := newTurns(1)
		long := turn{loan: loan{of: turns, client: ClientN(1)}, most: time.Minute, late: noTurn.allUsed}
		if err := long.begin(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
		defer long.end()
		for _, client := range []int{2, 1} { // the second one must wait
			go func() {
				if turns.enter(t.Context(), ClientN(client), true, 0) == nil {
					time.Sleep(time.Second)
					turns.give(ClientN(client), 1)
				}
			}()
		}
		synctest.Wait()
		began := time.Now()
		if err := long.pass(t.Context()); err != nil || !time.Now().Equal(began) {
			t.Errorf("a turn is passed at once: %v", err)
		}
		time.Sleep(turnTime)
		if err := long.pass(t.Context()); err != nil || time.Since(began) < time.Second {
			t.Errorf("a long turn is not passed: %v after %v", err, time.Since(began))
		}
		time.Sleep(time.Minute)
		if err := long.pass(t.Context()); statusOf(err) != http.StatusServiceUnavailable {
			t.Errorf("a request computes for ever: %v", err)
		}
	})
}

// TestFirstTurns: requests that wait for their first turn go before those that have computed,
// and do not keep them out.
func TestFirstTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		turns := newTurns(1)
		var passed atomic.Int64
		for i := range 100 {
			go func() {
				long := turn{loan: loan{of: turns, client: ClientN(i)}}
				defer long.end()
				for err := long.begin(ctx, 0); err == nil; err = long.pass(ctx) {
					time.Sleep(turnTime)
					passed.Add(1)
				}
			}()
		}
		time.Sleep(time.Minute)
		for range 20 {
			began := time.Now()
			short := turn{loan: loan{of: turns, client: ClientN(200)}}
			if err := short.begin(ctx, turnWait); err != nil || time.Since(began) > turnTime {
				t.Errorf("a first turn after %v: %v", time.Since(began), err)
			}
			short.end()
			time.Sleep(time.Second / 3)
		}
		passed.Store(0)
		for i := range 20 { // many first ones at the same time
			go func() {
				for ctx.Err() == nil {
					short := turn{loan: loan{of: turns, client: ClientN(201 + i)}}
					if short.begin(ctx, 0) == nil {
						time.Sleep(turnTime)
						short.end()
					}
				}
			}()
		}
		time.Sleep(time.Second)
		if all := int64(2 * time.Second / turnTime); passed.Load() < all/(maxAhead+2) {
			t.Errorf("those that have computed got %d of %d turns", passed.Load(), all)
		}
		cancel()
		time.Sleep(time.Second) // for those that sleep
	})
}

// TestMemoryReturned: a request that computes waits for memory that others have, without a turn.
func TestMemoryReturned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &Server{work: newTurns(1), memory: newBudget(100, 0, false, noMemory)}
		for i := range 3 {
			for s.memory.take(ClientN(i), 1) == nil {
			}
		}
		began := time.Now()
		c := &call{client: ClientN(9), memory: loan{of: s.memory, client: ClientN(9)}}
		if err := s.beginTurnWith(t.Context(), c, 10); statusOf(err) != http.StatusServiceUnavailable ||
			time.Since(began) != turnWait {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		time.AfterFunc(time.Second, func() {
			s.work.mu.Lock()
			turns := s.work.clients[ClientN(9)]
			s.work.mu.Unlock()
			if turns > 0 {
				t.Error("the request waits with its turn")
			}
			s.memory.give(ClientN(0), 70)
		})
		began = time.Now()
		err := s.beginTurnWith(t.Context(), c, 10)
		if err != nil || time.Since(began) != time.Second || c.memory.taken != 10 {
			t.Fatalf("%v after %v, %d bytes", err, time.Since(began), c.memory.taken)
		}
		c.turn.end()
	})
}

// TestNetworkMemoryReturned: a request may have the largest amount beside small ones of its network,
// and waits for a large one.
func TestNetworkMemoryReturned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &Server{work: newTurns(4), memory: newBudget(4*listCost, 0, true, noMemory)}
		request := func(client int) *call {
			return &call{client: ClientN(client), memory: loan{of: s.memory, client: ClientN(client)}}
		}
		stream, list, next := request(1), request(2), request(3)
		if err := stream.memory.take(streamBytes); err != nil {
			t.Fatal(err)
		}
		for _, c := range []*call{list, next} {
			if err := c.memory.take(1000); err != nil { // what has arrived
				t.Fatal(err)
			}
		}
		began := time.Now()
		err := s.beginTurnWith(t.Context(), list, listCost)
		if err != nil || time.Since(began) > 0 {
			t.Fatalf("a list beside a stream: %v after %v", err, time.Since(began))
		}
		list.turn.end()
		if err := s.beginTurnWith(t.Context(), next, listCost); statusOf(err) != http.StatusTooManyRequests ||
			time.Since(began) != turnWait {
			t.Errorf("a list beside another one: %v after %v", err, time.Since(began))
		}
		if err := stream.memory.take(1); statusOf(err) != http.StatusTooManyRequests {
			t.Errorf("the network has more than its share: %v", err)
		}
		time.AfterFunc(time.Second, list.memory.end)
		began = time.Now()
		if err = s.beginTurnWith(t.Context(), next, listCost); err != nil || time.Since(began) != time.Second {
			t.Fatalf("a list after another one: %v after %v", err, time.Since(began))
		}
		next.turn.end()
	})
}

// TestWaitersGiveWay: streams give way only to requests that get their places. Those of a client
// that has its share are refused soon, and end no stream.
func TestWaitersGiveWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStreams(&Config{Bounds: Bounds{MaxStreams: 64, ClientStreams: 4}, Hosts: []string{"robots.example"}})
		var gave, entered, refused atomic.Int64
		open := func(client netip.Addr) error {
			place := &loan{of: s.budget, client: client}
			err := place.await(t.Context(), 1, true, turnWait)
			if err == nil {
				s.begin(&lineReader{c: &call{client: client}, began: time.Now(), before: count{at: time.Now()},
					mark: count{at: time.Now()}, cancel: func(error) { gave.Add(1) }}, place)
			}
			return err
		}
		for i := range 64 {
			if err := open(netip.AddrFrom4([4]byte{198, 51, byte(i), 1})); err != nil {
				t.Fatal(err)
			}
		}
		began := time.Now() // no stream need give way yet
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				if err := open(ClientN(1)); err == nil {
					entered.Add(1)
				} else if statusOf(err) == http.StatusTooManyRequests {
					refused.Add(1)
				}
			})
		}
		all.Wait()
		if gave.Load() != 1 || entered.Load() != 1 || refused.Load() != 19 ||
			time.Since(began) > streamGrace+2*relieveEvery {
			t.Errorf("%d streams gave way to %d; %d were refused after %v", gave.Load(), entered.Load(), refused.Load(), time.Since(began))
		}
		time.Sleep(time.Minute)
		if err := open(netip.AddrFrom4([4]byte{203, 0, 113, 1})); err != nil || gave.Load() != 2 {
			t.Errorf("another client: %v; %d streams gave way", err, gave.Load())
		}
	})
}

// slowContext is a context whose error takes a time.
type slowContext struct{ context.Context }

func (c slowContext) Err() error {
	time.Sleep(turnTime)
	return c.Context.Err()
}

// TestSitemapPasses: the turn of a sitemap is passed by its text, not by what arrives: a
// megabyte of gzip may be a gigabyte.
func TestSitemapPasses(t *testing.T) {
	var bomb bytes.Buffer
	w := gzip.NewWriter(&bomb)
	fmt.Fprint(w, "<urlset>", strings.Repeat("<a></a>\n", 1<<20/8), "<url><loc>http://shop.example/</loc></url></urlset>")
	w.Close()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		s := &Server{work: newTurns(1), memory: newBudget(1<<30, 0, false, noMemory)}
		for i := range 2 { // so that there are two waits for each turn
			if err := s.work.enter(ctx, ClientN(i), true, 0); err != nil {
				t.Fatal(err)
			}
		}
		var others atomic.Int64
		go func() {
			for ctx.Err() == nil && s.work.enter(ctx, ClientN(3), true, 0) == nil {
				others.Add(1)
				time.Sleep(turnTime)
				s.work.give(ClientN(3), 1)
			}
		}()
		synctest.Wait()
		c := &call{client: ClientN(4)}
		c.memory = s.memory.lend(c.client)
		s.work.give(ClientN(0), 1)
		found, err := s.sitemapURLs(slowContext{ctx}, c, &bomb)
		c.turn.end()
		if err != nil || len(found.URLs) != 1 {
			t.Errorf("%v, %v", found, err)
		}
		if least := int64(1 << 20 / (64 << 10)); others.Load() < least {
			t.Errorf("others had %d turns during a megabyte, want %d", others.Load(), least)
		}
		cancel()
		time.Sleep(time.Second) // for the one that sleeps
	})
}

// TestPace: a transfer must be as fast as the least rate, after the grace.
func TestPace(t *testing.T) {
	began := time.Now()
	p := pace{began, 5 * time.Second, 1000}
	for n, want := range map[int64]time.Duration{0: 5 * time.Second, 1000: 6 * time.Second, 60_000: 65 * time.Second} {
		if got := p.deadline(n).Sub(began); got != want {
			t.Errorf("after %d bytes: %v, want %v", n, got, want)
		}
	}
}

// TestContacts: three requests to a site may come at once, whatever the interval.
func TestContacts(t *testing.T) {
	for _, interval := range []time.Duration{100 * time.Millisecond, 10 * time.Second, 49 * time.Second} {
		s, err := New(Config{UserAgent: "TestBot (+https://shop.example)", OriginInterval: interval})
		if err != nil {
			t.Fatal(err)
		}
		s.fetcher.Close()
		if burst := s.contacts.burst; burst != 3 {
			t.Errorf("every %v: %d at once", interval, burst)
		}
	}
}

// TestContactsAtOnce: a site gets no more than its rate permits, however many requests come at the
// same time. Those that are not made cost their client nothing.
func TestContactsAtOnce(t *testing.T) {
	const sites = 5000
	s := &Server{contacts: newRates[origin.Origin](1e-9, 3)}
	s.SetFetches(10 * sites)
	ctx := context.WithValue(t.Context(), callKey{}, &call{client: ClientN(1)})
	for i := range sites {
		to, err := origin.Of(fmt.Sprintf("http://shop%d.example/", i))
		if err != nil {
			t.Fatal(err)
		}
		var made atomic.Int64
		var burst sync.WaitGroup
		for range 8 {
			burst.Go(func() {
				if s.outgoing(ctx, fetch.Request{Origin: to, IsFile: true}) == nil {
					made.Add(1)
				}
			})
		}
		burst.Wait()
		if made.Load() != 3 {
			t.Fatalf("%d requests to site %d", made.Load(), i)
		}
	}
	if n := s.Charged(1); n != 3*sites {
		t.Errorf("the client has caused %d requests, and %d are counted", 3*sites, n)
	}
}
