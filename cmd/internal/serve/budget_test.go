package serve

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
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
		b := newBudget(test.limit, test.most, noMemory)
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

// FuzzBudget: no sequence of requests exceeds the limit, nothing is left at the end, and n
// clients that take what they can get have at least one part in n+1 each.
func FuzzBudget(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 250, 17}, uint8(3))
	f.Fuzz(func(t *testing.T, orders []byte, n uint8) {
		clients := int(n%8) + 1
		const limit = 1000
		b := newBudget(limit, 0, noMemory)
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
				sum += loans[j].bytes
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
			if least := int64(limit / (clients + 1)); loans[i].bytes < least {
				t.Errorf("one of %d clients has %d, less than %d", clients, loans[i].bytes, least)
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
		for _, p := range []*Problem{no.own, no.full} {
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
				turns.leave(ClientN(client))
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
		turns.leave(ClientN(9))
		turns.leave(ClientN(8))
		time.Sleep(time.Minute)
		synctest.Wait()
		// Two at a time, because clients without a turn need not wait for the others' ends.
		for i := range 3 {
			if first := slices.Index(order, i+1); first >= 4 {
				t.Errorf("client %d waited for %d requests: %v", i+1, first, order)
			}
		}
		if len(order) != 7 || turns.used != 0 || len(turns.first.of)+len(turns.later.of) != 0 || len(turns.first.order) != 0 {
			t.Errorf("%d of 7 requests, %d used, %d queues", len(order), turns.used, len(turns.first.of)+len(turns.later.of))
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
		turns.leave(ClientN(0))
		turns.leave(ClientN(1))
		if turns.used != 0 || len(turns.first.of)+len(turns.later.of) != 0 || len(turns.first.order) != 0 || len(turns.clients) != 0 {
			t.Errorf("%d turns and %d queues are left", turns.used, len(turns.first.of)+len(turns.later.of))
		}
	})
}

// TestTurnPasses: a request that computes for long lets others compute, and not for ever.
func TestTurnPasses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := newTurns(1)
		long := turn{of: turns, client: ClientN(1), most: time.Minute, late: noTurn.full}
		if err := long.begin(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
		defer long.end()
		for _, client := range []int{2, 1} { // the second one must wait
			go func() {
				if turns.enter(t.Context(), ClientN(client), true, 0) == nil {
					time.Sleep(time.Second)
					turns.leave(ClientN(client))
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
				long := turn{of: turns, client: ClientN(i)}
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
			short := turn{of: turns, client: ClientN(200)}
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
					short := turn{of: turns, client: ClientN(201 + i)}
					if short.begin(ctx, 0) == nil {
						time.Sleep(turnTime)
						short.end()
					}
				}
			}()
		}
		time.Sleep(time.Second)
		if all := int64(2 * time.Second / turnTime); passed.Load() < all/(mostAhead+2) {
			t.Errorf("those that have computed got %d of %d turns", passed.Load(), all)
		}
		cancel()
		time.Sleep(time.Second) // for those that sleep
	})
}

// TestMemoryReturned: a request that computes waits for memory that others have, without a turn.
func TestMemoryReturned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &Server{work: newTurns(1), memory: newBudget(100, 0, noMemory)}
		for i := range 3 {
			for s.memory.take(ClientN(i), 1) == nil {
			}
		}
		began := time.Now()
		c := &call{client: ClientN(9), memory: loan{of: s.memory, client: ClientN(9)}}
		if _, err := s.turnWith(t.Context(), c, 10); statusOf(err) != http.StatusServiceUnavailable || time.Since(began) != turnWait {
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
		turn, err := s.turnWith(t.Context(), c, 10)
		if err != nil || time.Since(began) != time.Second || c.memory.bytes != 10 {
			t.Fatalf("%v after %v, %d bytes", err, time.Since(began), c.memory.bytes)
		}
		turn.end()
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
		s := &Server{work: newTurns(1), memory: newBudget(1<<30, 0, noMemory)}
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
				s.work.leave(ClientN(3))
			}
		}()
		synctest.Wait()
		c := &call{client: ClientN(4)}
		c.memory = loan{of: s.memory, client: c.client}
		s.work.leave(ClientN(0))
		found, err := s.sitemapURLs(slowContext{ctx}, c, &bomb)
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
		s, err := New(Config{UserAgent: "test (+https://shop.example)", OriginInterval: interval})
		if err != nil {
			t.Fatal(err)
		}
		s.fetcher.Close()
		if burst := s.contacts.burst; burst != 3 {
			t.Errorf("every %v: %d at once", interval, burst)
		}
	}
}
