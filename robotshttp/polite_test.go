package robotshttp_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kosterhq/robotstxt/origin"
	"github.com/kosterhq/robotstxt/robotshttp"
)

// TestHostShares checks that all origins of a host share delays and Retry-After, and
// other hosts do not.
func TestHostShares(t *testing.T) {
	inWorld(t, map[string]string{"a.example": delay, "a.example:8080": delay}, func(t *testing.T, w *world) {
		w.queue(t, a+"/1", "https://a.example/2", "http://a.example:8080/3", "http://www.a.example/4", a+"/5")
		w.check(t, "0 /1", "0 www.a.example/4", "2 /2", "4 :8080/3", "6 /5")
		w.requests, w.answer = nil, busy
		time.Sleep(4 * time.Second)
		w.get(t, "https://a.example/busy")
		w.get(t, a+"/6")
		w.check(t, "10 /busy", "70 /6")
	})
}

// TestQueue checks that requests wait in the queue that Transport.Queue names.
func TestQueue(t *testing.T) {
	inWorld(t, nil, func(t *testing.T, w *world) {
		w.transport.MinDelay = time.Second
		w.transport.Queue = func(_ context.Context, o origin.Origin) string {
			_, domain, _ := strings.Cut(o.Host(), ".")
			if domain == "example" {
				return "" // the host's own
			}
			return domain
		}
		w.queue(t, "http://x.b.example/1", "http://y.b.example/2", a+"/3", a+"/4", "http://c.example/5", "http://b.example/6")
		slices.Sort(w.requests) // several start at the same time
		w.check(t, "0 /3", "0 c.example/5", "0 x.b.example/1", "1 /4", "1 y.b.example/2", "2 b.example/6")
	})
}

// answers is a Resolver.
type answers struct {
	mu    sync.Mutex
	hosts map[string][]string
	asked []string
}

func (a *answers) LookupNetIP(_ context.Context, _, host string) (addrs []netip.Addr, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.asked = append(a.asked, host)
	for _, text := range a.hosts[host] {
		addrs = append(addrs, netip.MustParseAddr(text))
	}
	if len(addrs) == 0 {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	return addrs, nil
}

// TestByAddress checks that hosts at one address share a queue, whatever the order
// of the answers, and how often they are looked up.
func TestByAddress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		resolver := &answers{hosts: map[string][]string{
			"one.example": {"192.0.2.2", "192.0.2.1"}, "two.example": {"::ffff:192.0.2.1", "192.0.2.2"}, "three.example": {"192.0.2.2"},
		}}
		w := newWorld(t, nil)
		w.transport.MinDelay, w.transport.Queue = time.Second, robotshttp.ByAddress(resolver)
		w.queue(t, "http://one.example/1", "https://two.example/2", "http://192.0.2.1/3", "http://[::ffff:c000:201]/4", "http://three.example/5", "http://none.example/6", "http://one.example/7")
		slices.Sort(w.requests) // several start at the same time
		w.check(t, "0 none.example/6", "0 one.example/1", "0 three.example/5", "1 two.example/2", "2 192.0.2.1/3", "3 [::ffff:c000:201]/4", "4 one.example/7")
		time.Sleep(11 * time.Minute)
		w.get(t, "http://one.example/8")
		if want := []string{"one.example", "two.example", "three.example", "none.example", "one.example"}; !slices.Equal(resolver.asked, want) {
			t.Errorf("looked up %q, want %q", resolver.asked, want)
		}
	})
}

// TestDelayError checks the text and that the request's body is closed.
func TestDelayError(t *testing.T) {
	w := newWorld(t, siteA("Crawl-delay: 300"))
	w.transport.RefuseLongDelays = true
	b := newBody("form")
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, a+"/", b)
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.transport.RoundTrip(request)
	const want = "robotshttp: robots.txt of http://a.example requires a delay of 5m0s, longer than MaxDelay, 30s"
	if err == nil || err.Error() != want || !b.closed {
		t.Errorf("%v, body closed %v", err, b.closed)
	}
}

// slowBody is an empty response body that takes a second to read.
type slowBody struct{ end func() }

func (b slowBody) Read([]byte) (int, error) {
	time.Sleep(time.Second)
	b.end()
	return 0, io.EOF
}

func (slowBody) Close() error { return nil }

// TestMaxPerHost sends 1,000 requests to each of two hosts and checks how many are
// under way at once, and that all are sent as fast as that permits.
func TestMaxPerHost(t *testing.T) {
	for _, test := range []struct {
		most  int
		delay time.Duration
		want  time.Duration // until the last one
	}{
		{1, 0, 1000 * time.Second},
		{10, 0, 100 * time.Second},
		{10, 500 * time.Millisecond, 500500 * time.Millisecond}, // the delay is the limit
		{1, 500 * time.Millisecond, 1000 * time.Second},         // the number is the limit
		{2000, 0, time.Second},
	} {
		inWorld(t, nil, func(t *testing.T, w *world) {
			w.transport.MaxPerHost, w.transport.MinDelay = test.most, test.delay
			var mu sync.Mutex
			active, worst := map[string]int{}, map[string]int{}
			w.transport.Base = roundTripper(func(r *http.Request) (*http.Response, error) {
				mu.Lock()
				defer mu.Unlock()
				active[r.URL.Host]++
				worst[r.URL.Host] = max(worst[r.URL.Host], active[r.URL.Host])
				response := answer(200, nil, "")
				response.Body = slowBody{func() {
					mu.Lock()
					defer mu.Unlock()
					active[r.URL.Host]--
				}}
				return response, nil
			})
			var wg sync.WaitGroup
			for i := range 2000 {
				wg.Go(func() {
					response, err := w.send(t.Context(), fmt.Sprintf("http://%c.example/", 'a'+i%2))
					if err != nil {
						t.Error(err)
						return
					}
					_, _ = response.Body.Read(make([]byte, 1)) // to the end, without a Close
				})
			}
			wg.Wait()
			if took := time.Since(w.start); took != test.want {
				t.Errorf("%d at once, every %v: took %v, want %v", test.most, test.delay, took, test.want)
			}
			for host, n := range worst {
				if n > test.most {
					t.Errorf("%s: %d at once, want at most %d", host, n, test.most)
				}
			}
		})
	}
}

// TestMaxPerHostEnds checks each way in which a request ends: with one request at
// once, the next one can only start if the one before has ended.
func TestMaxPerHostEnds(t *testing.T) {
	inWorld(t, siteA("Disallow: /private"), func(t *testing.T, w *world) {
		w.transport.MaxPerHost = 1
		base := map[string]func() (*http.Response, error){
			"/error":  func() (*http.Response, error) { return nil, errors.New("broken") },
			"/closed": func() (*http.Response, error) { return answer(200, nil, "text"), nil },
			"/read":   func() (*http.Response, error) { return answer(200, nil, "text"), nil },
			"/empty": func() (*http.Response, error) {
				response := answer(200, nil, "")
				response.Body = http.NoBody
				return response, nil
			},
			"/nil": func() (*http.Response, error) { return &http.Response{StatusCode: 204}, nil },
			"/upgrade": func() (*http.Response, error) {
				response := answer(101, nil, "")
				response.Body = struct {
					io.Reader
					io.Writer
					io.Closer
				}{strings.NewReader(""), io.Discard, io.NopCloser(nil)}
				return response, nil
			},
		}
		w.transport.Base = roundTripper(func(r *http.Request) (*http.Response, error) { return base[r.URL.Path]() })
		for range 3 {
			for path := range base {
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				response, err := w.send(ctx, a+path)
				switch {
				case errors.Is(err, context.DeadlineExceeded):
					t.Fatalf("before %s a request did not end", path)
				case err != nil || response.Body == nil || path == "/empty":
				case path == "/read":
					_, _ = io.ReadAll(response.Body)
				case path == "/upgrade":
					if _, ok := response.Body.(io.Writer); !ok {
						t.Error("the body after 101 cannot be written to")
					}
					fallthrough
				default:
					response.Body.Close()
					response.Body.Close() // counts once
				}
				if err := w.try(ctx, a+"/private"); !is[*robotshttp.DisallowedError](err) {
					t.Error(err)
				}
				cancel()
			}
		}
	})
}

// TestMaxPerHostWaiters checks that a waiter that leaves costs no place.
func TestMaxPerHostWaiters(t *testing.T) {
	inWorld(t, nil, func(t *testing.T, w *world) {
		w.transport.MaxPerHost = 1
		first, err := w.send(t.Context(), a+"/1")
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		for range 100 {
			wg.Go(func() {
				if err := w.try(ctx, a+"/crowd"); err != context.Canceled {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		wg.Go(func() { w.get(t, a+"/2") })
		synctest.Wait()
		cancel()
		time.Sleep(time.Second)
		w.check(t, "0 /1")
		first.Body.Close()
		wg.Wait()
		w.check(t, "0 /1", "1 /2")
	})
}

// TestTurmoilAtOnce mixes callers that are cancelled while they wait, while they read
// and not at all, with MaxPerHost and a delay. It checks that no request is too early
// or one too many, and that the host is open as soon as all have ended.
func TestTurmoilAtOnce(t *testing.T) {
	const most, pause = 3, 2 * time.Second
	for seed := range uint64(20) {
		synctest.Test(t, func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 2))
			w := newWorld(t, map[string]string{"a.example": delay})
			w.transport.MaxPerHost = most
			var mu sync.Mutex
			var free time.Time
			active, sent := 0, 0
			w.transport.Base = roundTripper(func(*http.Request) (*http.Response, error) {
				mu.Lock()
				defer mu.Unlock()
				active++
				if active > most || time.Now().Before(free) {
					t.Errorf("seed %d: request %d at %v: %d at once, free at %v", seed, sent, time.Now(), active, free)
				}
				sent++
				free = time.Now().Add(pause)
				response := answer(200, nil, "")
				response.Body = slowBody{func() { mu.Lock(); active--; mu.Unlock() }}
				return response, nil
			})
			var wg sync.WaitGroup
			for range 200 {
				time.Sleep(time.Duration(random.IntN(3000)) * time.Millisecond)
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(time.Duration(random.IntN(60000))*time.Millisecond, cancel)
				reads := 1 + random.IntN(20) // seconds
				wg.Go(func() {
					response, err := w.send(ctx, a+"/")
					if err != nil {
						if err != context.Canceled {
							t.Error(err)
						}
						return
					}
					time.Sleep(time.Duration(reads) * time.Second)
					_, _ = response.Body.Read(make([]byte, 1))
				})
			}
			wg.Wait()
			if sent < 40 {
				t.Errorf("seed %d: only %d requests of 200 were sent", seed, sent)
			}
			time.Sleep(pause)
			before := time.Now()
			w.get(t, a+"/")
			if waited := time.Since(before); waited != 0 {
				t.Errorf("seed %d: the idle host was closed for %v", seed, waited)
			}
		})
	}
}
