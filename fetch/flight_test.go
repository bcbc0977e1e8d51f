package fetch

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// perOrigin counts fetches by origin, and answers after a short delay.
type perOrigin struct {
	counts sync.Map // host → *atomic.Int64
	delay  time.Duration
	answer func(r *http.Request) (*http.Response, error)
}

func (p *perOrigin) RoundTrip(r *http.Request) (*http.Response, error) {
	count, _ := p.counts.LoadOrStore(r.URL.Host, new(atomic.Int64))
	count.(*atomic.Int64).Add(1)
	time.Sleep(p.delay)
	if p.answer != nil {
		return p.answer(r)
	}
	return respond(r, 200, theFile), nil
}

func (p *perOrigin) total() (fetches int64, origins int) {
	p.counts.Range(func(_, count any) bool {
		fetches += count.(*atomic.Int64).Load()
		origins++
		return true
	})
	return fetches, origins
}

// TestCancelledFirst checks that a fetch continues if the caller that started
// it is cancelled, for the callers that joined and for later ones.
func TestCancelledFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &perOrigin{delay: time.Second}
		client := newTestClient(t, Config{Network: Network{Transport: site}})
		first, cancel := context.WithCancel(t.Context())
		began := time.Now()
		var wg sync.WaitGroup
		wg.Go(func() {
			if _, err := client.Robots(first, "https://foo.example/"); err != context.Canceled {
				t.Error(err)
			}
			if took := time.Since(began); took != 500*time.Millisecond {
				t.Errorf("the cancelled caller waited %v", took)
			}
		})
		synctest.Wait()
		wg.Go(func() {
			Expect(t, client, "https://foo.example/", "network")
			if took := time.Since(began); took != time.Second {
				t.Errorf("the caller that joined waited %v", took)
			}
		})
		time.Sleep(500 * time.Millisecond)
		cancel()
		wg.Wait()
		Expect(t, client, "https://foo.example/", "memory")
		if fetches, _ := site.total(); fetches != 1 {
			t.Errorf("%d fetches", fetches)
		}
	})
}

// TestRefreshAhead checks that an answer in use is fetched again in the last
// tenth of its lifetime, once and in the background. Before that, and without
// calls, nothing is fetched.
func TestRefreshAhead(t *testing.T) {
	for name, answer := range map[string]func(*http.Request) (*http.Response, error){
		"good": nil,
		"bad":  func(*http.Request) (*http.Response, error) { return nil, errors.New("down") },
	} {
		synctest.Test(t, func(t *testing.T) {
			site := &perOrigin{delay: 10 * time.Second}
			observe, count := counting()
			client := newTestClient(t, Config{Network: Network{Transport: site}, Observe: observe})
			call := func(times int) {
				began := time.Now()
				var wg sync.WaitGroup
				for range times {
					wg.Go(func() {
						Expect(t, client, "https://foo.example/", "memory", "rules")
					})
				}
				wg.Wait()
				if took := time.Since(began); took > 0 {
					t.Errorf("%s: waited for %v", name, took)
				}
			}
			fetches := func(want int64) {
				t.Helper()
				if got, _ := site.total(); got != want {
					t.Errorf("%s: %d fetches, want %d", name, got, want)
				}
			}
			Expect(t, client, "https://foo.example/")
			site.answer = answer
			time.Sleep(24*hour*9/10 - time.Second)
			call(100)
			synctest.Wait()
			fetches(1)
			time.Sleep(2 * time.Second)
			call(100) // one of these starts it
			synctest.Wait()
			fetches(2)
			time.Sleep(time.Second)
			call(100) // while it is under way
			fetches(2)
			time.Sleep(20 * time.Second)
			call(100) // it is complete
			synctest.Wait()
			fetches(2)
			time.Sleep(time.Minute)
			call(100) // after a failure it is repeated when the back-off ends
			synctest.Wait()
			fetches(map[string]int64{"good": 2, "bad": 3}[name])
			time.Sleep(site.delay)
			if got, _ := site.total(); int64(count(eventRefresh)) != got-1 {
				t.Errorf("%s: %d refresh events, %d fetches", name, count(eventRefresh), got)
			}
		})
	}
}

// TestFailingOrigin checks that the back-off, not the number of calls,
// determines how often a failing site is fetched.
func TestFailingOrigin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &oneSite{err: errDown}
		client := newTestClient(t, Config{Network: Network{Transport: site}})
		for range 3600 {
			ExpectAllowed(t, client, "https://foo.example/", false)
			time.Sleep(time.Second)
		}
		// 30 s, 1, 2, 4, 8, 16, 32 minutes, each varied by up to a fifth.
		if site.fetches < 6 || site.fetches > 8 {
			t.Errorf("%d fetches in an hour", site.fetches)
		}
	})
}

// TestEviction checks that a memory too small for the files in use causes more
// fetches, but that every call returns the answer of its own flight.
func TestEviction(t *testing.T) {
	big := theFile + strings.Repeat("Disallow: /abcdefgh\n", 25_000)
	site := &perOrigin{delay: time.Millisecond, answer: func(r *http.Request) (*http.Response, error) {
		return respond(r, 200, "User-agent: *\nDisallow: /"+r.URL.Hostname()+"/\n"+big), nil
	}}
	client := newTestClient(t, Config{Network: Network{Transport: site}, Limits: Limits{MaxMemory: 8 << 20}})
	var wg sync.WaitGroup
	for caller := range 16 {
		wg.Go(func() {
			for i := range 25 {
				host := fmt.Sprintf("host%d.example", (caller/4+i)%8)
				d, err := client.Decide(t.Context(), "https://"+host+"/"+host+"/")
				if err != nil || d.Allowed || d.Result.Origin.Host() != host || d.Line != 2 {
					t.Errorf("%s: %+v, %v", host, d, err)
				}
			}
		})
	}
	wg.Wait()
	if weight := client.memory.WeightedSize(); weight > 8<<20 {
		t.Errorf("%d bytes in memory", weight)
	}
	fetches, _ := site.total()
	t.Logf("400 calls, %d fetches", fetches)
}

// TestSlim checks that memory keeps the text of a fault but not the error,
// whose size is unknown.
func TestSlim(t *testing.T) {
	cause := errors.New("down")
	client := newTestClient(t, Config{Network: Network{Transport: &oneSite{err: cause}}})
	for i := range 2 {
		r, err := client.Robots(t.Context(), "https://foo.example/")
		if err != nil || r.Err.Error() != "down" || errors.Is(r.Err, cause) != (i == 0) {
			t.Errorf("%d: %+v, %v", i, r.Err, err)
		}
	}
}

// TestTransportPanics checks that a panic of the transport counts as a fault of
// the site. Only the log has its value.
func TestTransportPanics(t *testing.T) {
	for _, hides := range []bool{false, true} {
		var log strings.Builder
		client := newTestClient(t,
			Config{Logger: slog.New(slog.NewTextHandler(&log, nil)), Network: Network{HideAddresses: hides,
				Transport: roundTrip(func(*http.Request) (*http.Response,
					error) {
					return nil, []error{}[len(t.Name())]
				})}})
		Expect(t, client, "https://foo.example/", "assumed", "invalid response")
		if !strings.Contains(log.String(), "index out of range") {
			t.Errorf("the log has no value of the panic: %s", log.String())
		}
	}
}

// TestObserverPanics: an observer that panics when a refresh begins, whose caller recovers,
// does not prevent the refresh.
func TestObserverPanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &perOrigin{}
		client := newTestClient(t, Config{Network: Network{Transport: site}, Observe: func(e Event) {
			if e.Kind == eventRefresh {
				panic("oh")
			}
		}})
		call := func() (recovered any) {
			defer func() { recovered = recover() }()
			Expect(t, client, "https://foo.example/")
			return nil
		}
		call()
		time.Sleep(24*hour*9/10 + time.Second)
		if call() != "oh" {
			t.Error("no panic")
		}
		synctest.Wait()
		if got, _ := site.total(); got != 2 || call() != nil {
			t.Errorf("%d fetches, want 2", got)
		}
	})
}
