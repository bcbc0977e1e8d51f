package robotshttp_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/robotshttp"
)

// world is a simulated network for synctest bubbles. robots contains the
// robots.txt of each host, and every request is recorded with its time.
type world struct {
	transport *robotshttp.Transport
	robots    map[string]string
	start     time.Time
	answer    func(*http.Request) *http.Response // nil is a plain 200

	mu       sync.Mutex
	requests []string // "seconds path", or "seconds host/path" for others than a.example
}

// newWorld must be called in the bubble.
func newWorld(t *testing.T, robots map[string]string) *world {
	w := &world{robots: robots, start: time.Now()}
	client := newRobots(t,
		fetch.Config{Network: fetch.Network{Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
			if text, ok := w.robots[r.URL.Host]; ok && r.URL.Path == "/robots.txt" {
				return answer(200, nil, text), nil
			}
			return answer(404, nil, ""), nil
		})}})
	w.transport = &robotshttp.Transport{Client: client, Base: roundTripper(w.page)}
	return w
}

func siteA(lines string) map[string]string {
	return map[string]string{"a.example": "User-agent: *\n" + lines}
}

func inWorld(t *testing.T, robots map[string]string, test func(*testing.T, *world)) {
	synctest.Test(t, func(t *testing.T) { test(t, newWorld(t, robots)) })
}

func (w *world) page(r *http.Request) (*http.Response, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.requests = append(w.requests,
		fmt.Sprintf("%v %s%s", time.Since(w.start).Round(time.Microsecond).Seconds(), strings.TrimPrefix(r.URL.Host, "a.example"),
			r.URL.Path))
	if w.answer != nil {
		if response := w.answer(r); response != nil {
			return response, nil
		}
	}
	return answer(200, nil, ""), nil
}

func (w *world) get(t *testing.T, url string) {
	t.Helper()
	if err := w.try(context.Background(), url); err != nil {
		t.Error(err)
	}
}

func (w *world) try(ctx context.Context, url string) error {
	_, err := w.send(ctx, url)
	return err
}

// send returns the response, whose body the caller closes if it matters.
func (w *world) send(ctx context.Context, url string) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	return w.transport.RoundTrip(request)
}

// busy is a world.answer: the path /busy asks for a pause of a minute.
func busy(r *http.Request) *http.Response {
	if r.URL.Path != "/busy" {
		return nil
	}
	return answer(503, http.Header{"Retry-After": {"60"}}, "")
}

// queue sends requests that arrive in the order of urls, and waits for all of
// them.
func (w *world) queue(t *testing.T, urls ...string) {
	t.Helper()
	var wg sync.WaitGroup
	for _, url := range urls {
		wg.Go(func() { w.get(t, url) })
		synctest.Wait()
	}
	wg.Wait()
}

func (w *world) check(t *testing.T, want ...string) {
	t.Helper()
	if !slices.Equal(w.requests, want) {
		t.Errorf("sent\n%q, want\n%q", w.requests, want)
	}
}

const (
	a     = "http://a.example"
	delay = "User-agent: *\nCrawl-delay: 2\nDisallow: /private\n"
)

// TestPauses checks the time between requests for lines of robots.txt and fields of a transport.
func TestPauses(t *testing.T) {
	type delays = robotshttp.Transport // its fields about delays
	const refused = -1
	for _, test := range []struct {
		name, lines string
		fields      *delays
		pause       time.Duration
	}{
		{"none", "Disallow:", &delays{}, 0},
		{"crawl-delay", "Crawl-delay: 2", &delays{}, 2 * time.Second},
		{"half a second", "Crawl-delay: 0.5", &delays{}, 500 * time.Millisecond},
		{"request-rate", "Request-rate: 1/10s", &delays{}, 10 * time.Second},
		{"several in a time", "Request-rate: 30/1m", &delays{}, 2 * time.Second},
		{"the slower, rate", "Crawl-delay: 2\nRequest-rate: 1/10s", &delays{}, 10 * time.Second},
		{"the slower, delay", "Crawl-delay: 12\nRequest-rate: 1/10", &delays{}, 12 * time.Second},
		{"the slowest rate", "Request-rate: 1/5\nRequest-rate: 1/10\nRequest-rate: 1/7", &delays{}, 10 * time.Second},
		{"now", "Request-rate: 1/10 0000-0100", &delays{}, 10 * time.Second},
		{"at another time", "Request-rate: 1/10 0100-0200", &delays{}, 0},
		{"at another time, the slower", "Request-rate: 1/10 0100-0200\nRequest-rate: 1/3", &delays{}, 3 * time.Second},
		{"visit-time", "Visit-time: 0100-0200", &delays{}, 0},
		{"no numbers", "Crawl-delay: soon\nRequest-rate: often", &delays{}, 0},
		{"beyond a duration", "Crawl-delay: 99999999999999999999", &delays{}, 30 * time.Second},
		{"never", "Request-rate: 0/1s", &delays{}, 30 * time.Second},
		{"beyond the default", "Crawl-delay: 300", &delays{}, 30 * time.Second},
		{"beyond a maximum", "Crawl-delay: 86400", &delays{MaxDelay: time.Minute}, time.Minute},
		{"ignored", "Crawl-delay: 2\nRequest-rate: 1/10", &delays{MaxDelay: -1}, 0},

		{"below a minimum", "Crawl-delay: 2", &delays{MinDelay: 5 * time.Second}, 5 * time.Second},
		{"a minimum alone", "Disallow:", &delays{MinDelay: 5 * time.Second}, 5 * time.Second},
		{"a minimum over the maximum", "Crawl-delay: 2", &delays{MinDelay: time.Minute}, time.Minute},
		{"ignored, with a minimum", "Crawl-delay: 2", &delays{MinDelay: time.Second, MaxDelay: -1}, time.Second},

		{"a default", "", &delays{DefaultDelay: 5 * time.Second}, 5 * time.Second},
		{"a default over the maximum", "", &delays{DefaultDelay: time.Minute}, time.Minute},
		{"a default below a minimum", "", &delays{DefaultDelay: 5 * time.Second, MinDelay: 7 * time.Second}, 7 * time.Second},
		{"a default over what is stated", "Crawl-delay: 2", &delays{DefaultDelay: 5 * time.Second}, 2 * time.Second},
		{"a default, zero is stated", "Crawl-delay: 0", &delays{DefaultDelay: 5 * time.Second}, 0},
		{"a default, no number", "Crawl-delay: x", &delays{DefaultDelay: 5 * time.Second}, 5 * time.Second},
		{"a default over a rate", "Request-rate: 1/2", &delays{DefaultDelay: 5 * time.Second}, 2 * time.Second},
		{"a default, at another time", "Request-rate: 1/2 1200-1300", &delays{DefaultDelay: 5 * time.Second}, 5 * time.Second},
		{"a default, ignored", "Crawl-delay: 2", &delays{DefaultDelay: 5 * time.Second, MaxDelay: -1}, 5 * time.Second},

		{"refused", "Crawl-delay: 300", &delays{RefuseLongDelays: true}, refused},
		{"as long as the maximum", "Crawl-delay: 30", &delays{RefuseLongDelays: true}, 30 * time.Second},
		{"below a larger maximum", "Crawl-delay: 300", &delays{RefuseLongDelays: true, MaxDelay: time.Hour}, 300 * time.Second},
		{"a rate, refused", "Request-rate: 1/1h", &delays{RefuseLongDelays: true, MaxDelay: time.Minute}, refused},
		{"ignored, not refused", "Crawl-delay: 300", &delays{RefuseLongDelays: true, MaxDelay: -1}, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			inWorld(t, siteA(test.lines), func(t *testing.T, w *world) {
				to, from := w.transport, test.fields
				to.DefaultDelay, to.RefuseLongDelays = from.DefaultDelay, from.RefuseLongDelays
				to.MinDelay, to.MaxDelay = from.MinDelay, from.MaxDelay
				if test.pause == refused {
					var long *robotshttp.DelayError
					if err := w.try(t.Context(), a+"/"); !errors.As(err, &long) || long.Origin.String() != a ||
						long.Delay <= long.Max {
						t.Error(err)
					}
					w.check(t)
					return
				}
				for range 3 {
					w.get(t, a+"/")
				}
				s := test.pause.Seconds()
				w.check(t, "0 /", fmt.Sprintf("%v /", s), fmt.Sprintf("%v /", 2*s))
			})
		})
	}
}

// TestClock sets the client's clock by hand. Delays, Retry-After and the time of day of
// Request-rate follow it, however much time passes by the system's clock.
func TestClock(t *testing.T) {
	inWorld(t, nil, func(t *testing.T, w *world) {
		var passed atomic.Int64
		day := time.Date(2001, 2, 3, 0, 0, 0, 0, time.UTC)
		w.answer, w.transport.Client = busy, newRobots(t, fetch.Config{
			Freshness: fetch.Freshness{Clock: func() time.Time { return day.Add(time.Duration(passed.Load())) }},
			Network: fetch.Network{Transport: roundTripper(func(*http.Request) (*http.Response, error) {
				return answer(200, nil, "User-agent: *\nCrawl-delay: 20\nRequest-rate: 1/25 1200-1300\n"), nil
			})},
		})
		var running sync.WaitGroup
		start := func(path string) {
			running.Go(func() {
				ctx, cancel := context.WithTimeout(t.Context(), 3*time.Hour)
				defer cancel()
				if err := w.try(ctx, a+path); err != nil {
					t.Error(err)
				}
			})
		}
		pass := func(d time.Duration, want int) {
			t.Helper()
			passed.Add(int64(d))
			time.Sleep(time.Hour) // of the system's clock
			w.mu.Lock()
			defer w.mu.Unlock()
			if got := len(w.requests); got != want {
				t.Errorf("at %v %d requests were sent, want %d", time.Duration(passed.Load()), got, want)
			}
		}
		start("/")
		pass(0, 1)
		start("/busy")
		pass(19*time.Second, 1)
		pass(time.Second, 2)
		start("/")
		pass(59*time.Second, 2)
		pass(time.Second, 3)
		passed.Store(int64(12 * time.Hour))
		start("/")
		pass(0, 4)
		start("/")
		pass(24*time.Second, 4)
		pass(time.Second, 5)
		running.Wait()
	})
}

func TestPauseCountsFromStart(t *testing.T) {
	inWorld(t, map[string]string{"a.example": delay}, func(t *testing.T, w *world) {
		w.get(t, a+"/1")
		time.Sleep(1500 * time.Millisecond)
		w.get(t, a+"/2")
		if err := w.try(t.Context(), a+"/private"); !is[*robotshttp.DisallowedError](err) {
			t.Error(err) // returns immediately, and does not count as a request
		}
		time.Sleep(time.Hour)
		w.get(t, a+"/3") // unused time does not accumulate
		w.get(t, a+"/4")
		w.get(t, a+"/robots.txt") // is not delayed, and does not count as a request
		w.get(t, a+"/5")
		w.check(t, "0 /1", "2 /2", "3602 /3", "3604 /4", "3604 /robots.txt", "3606 /5")
	})
}

func TestConcurrentCallersKeepTheirOrder(t *testing.T) {
	inWorld(t, map[string]string{"a.example": delay, "b.example": "User-agent: *\nRequest-rate: 1/3"}, func(t *testing.T, w *world) {
		w.queue(t, a+"/1", "http://b.example/1", a+"/2", a+"/3", "http://b.example/2", "http://c.example/1", "https://a.example/1", a+"/4", "http://c.example/2")
		w.check(t, "0 /1", "0 b.example/1", "0 c.example/1", "0 c.example/2",
			"2 /2", "3 b.example/2", "4 /3", "6 /1", "8 /4")
	})
}

// TestManyCallers checks the delays between concurrent callers, in any order.
func TestManyCallers(t *testing.T) {
	inWorld(t, map[string]string{"a.example": delay}, func(t *testing.T, w *world) {
		var wg sync.WaitGroup
		for range 1000 {
			wg.Go(func() { w.get(t, a+"/") })
		}
		wg.Wait()
		for i, got := range w.requests {
			if want := fmt.Sprintf("%d /", 2*i); got != want {
				t.Fatalf("request %d at %s, want %s", i, got, want)
			}
		}
	})
}

func TestRequestRateWindow(t *testing.T) {
	inWorld(t, siteA("Request-rate: 1/10s 1800-1900"), func(t *testing.T, w *world) { // time begins at midnight UTC
		for _, at := range []time.Duration{17*time.Hour + 59*time.Minute, 18 * time.Hour, 19 * time.Hour} {
			time.Sleep(time.Until(w.start.Add(at)))
			w.get(t, a+"/")
			w.get(t, a+"/")
		}
		w.check(t, "64740 /", "64740 /", "64800 /", "64810 /", "68400 /", "68400 /")
	})
}

// TestChangedPace checks that requests which queue while robots.txt changes to
// a shorter delay keep the longer one.
func TestChangedPace(t *testing.T) {
	inWorld(t, siteA("Request-rate: 1/20 0000-0001\nRequest-rate: 1/5"), func(t *testing.T, w *world) {
		var wg sync.WaitGroup
		for i := range 4 {
			wg.Go(func() { w.get(t, fmt.Sprintf("%s/%d", a, i)) })
			synctest.Wait()
		}
		time.Sleep(time.Minute) // the slow window has ended, and the last request is due
		wg.Wait()
		w.queue(t, a+"/5", a+"/6", a+"/7")
		w.check(t, "0 /0", "20 /1", "40 /2", "60 /3", "80 /5", "85 /6", "90 /7")
	})
}

func TestDeadline(t *testing.T) {
	inWorld(t, map[string]string{"a.example": delay}, func(t *testing.T, w *world) {
		w.get(t, a+"/1")
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		err := w.try(ctx, a+"/2")
		if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "to a.example must wait 2s") || time.Since(w.start) != 0 {
			t.Errorf("%v after %v, want DeadlineExceeded at once", err, time.Since(w.start))
		}
		enough, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		if err := w.try(enough, a+"/3"); err != nil { // gets the turn that /2 gave up
			t.Error(err)
		}
		// An http.Client's timeout is such a deadline.
		client := &http.Client{Transport: w.transport, Timeout: time.Second}
		if _, err := client.Get(a + "/4"); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		w.check(t, "0 /1", "2 /3")
	})
}

func TestCancelledWait(t *testing.T) {
	inWorld(t, map[string]string{"a.example": delay}, func(t *testing.T, w *world) {
		w.get(t, a+"/1")
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		if err := w.try(ctx, a+"/2"); err != context.Canceled || time.Since(w.start) != time.Second {
			t.Errorf("%v after %v", err, time.Since(w.start))
		}
		w.get(t, a+"/3") // gets the turn that /2 gave up
		w.check(t, "0 /1", "2 /3")
	})
}

// TestWaitersThatLeave cancels a crowd of waiters and checks that a later request,
// and those that stayed, start as if the crowd had never come. It cancels in the
// order of arrival, in the reverse order, and all at once, because a limiter that can
// return only its newest reservation fails just some of them.
func TestWaitersThatLeave(t *testing.T) {
	const inTurn, reverse, atOnce = "first to last", "last to first", "all at once"
	for _, name := range []string{inTurn, reverse, atOnce} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, siteA("Crawl-delay: 30"), func(t *testing.T, w *world) {
				w.get(t, a+"/1")
				var wg sync.WaitGroup
				var cancels []context.CancelFunc
				crowd := func(size int) {
					for range size {
						ctx, cancel := context.WithCancel(t.Context())
						cancels = append(cancels, cancel)
						wg.Go(func() {
							if err := w.try(ctx, a+"/crowd"); err != context.Canceled {
								t.Error(err)
							}
						})
					}
					synctest.Wait()
				}
				crowd(500)
				wg.Go(func() { w.get(t, a+"/2") })
				crowd(500)
				wg.Go(func() { w.get(t, a+"/3") })
				synctest.Wait()
				time.Sleep(time.Second)
				if name == reverse {
					slices.Reverse(cancels)
				}
				for _, cancel := range cancels {
					if cancel(); name != atOnce {
						synctest.Wait()
					}
				}
				wg.Wait()
				time.Sleep(time.Hour) // the site is idle
				w.get(t, a+"/4")
				w.check(t, "0 /1", "30 /2", "60 /3", "3660 /4")
			})
		})
	}
}

// TestStaleAfterWait checks that a request is decided again if its robots.txt
// expired while it waited.
func TestStaleAfterWait(t *testing.T) {
	inWorld(t, siteA("Crawl-delay: 100000"), func(t *testing.T, w *world) {
		w.transport.MaxDelay = 30 * time.Hour
		w.get(t, a+"/1")
		w.robots["a.example"] = "User-agent: *\nCrawl-delay: 100000\nDisallow: /2"
		var wg sync.WaitGroup
		wg.Go(func() {
			if err := w.try(t.Context(), a+"/2"); !is[*robotshttp.DisallowedError](err) {
				t.Error(err) // was allowed when it arrived
			}
		})
		synctest.Wait()
		wg.Go(func() { w.get(t, a+"/3") })
		wg.Wait()
		w.check(t, "0 /1", "200000 /3")
	})
}

// TestReportOnlyIsPaced checks that ReportOnly does not disable delays.
func TestReportOnlyIsPaced(t *testing.T) {
	inWorld(t, map[string]string{"a.example": delay}, func(t *testing.T, w *world) {
		w.transport.Judge = robotshttp.ReportOnly
		w.get(t, a+"/private")
		w.get(t, a+"/private")
		w.check(t, "0 /private", "2 /private")
	})
}

func TestSlowRobots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := newRobots(t,
			fetch.Config{Network: fetch.Network{Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
				<-r.Context().Done()
				return nil, r.Context().Err()
			})}})
		transport := &robotshttp.Transport{Client: client}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		b := newBody("form")
		request, _ := http.NewRequestWithContext(ctx, http.MethodPost, a+"/", b)
		if _, err := transport.RoundTrip(request); err != context.DeadlineExceeded || !b.closed {
			t.Errorf("%v, body closed %v", err, b.closed)
		}
		request, _ = http.NewRequestWithContext(t.Context(), http.MethodGet, a+"/", nil)
		if _, err := transport.RoundTrip(request); !is[*robotshttp.DisallowedError](err) {
			t.Error(err) // a fetch that takes too long is a fault of the site
		}
	})
}
