package robotshttp_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kosterhq/robotstxt/origin"
	"github.com/kosterhq/robotstxt/robotshttp"
)

// pipes is a server at the other end of pipes, which connections take some time to reach. It
// records when it has read each request.
type pipes struct {
	connect func() time.Duration
	drops   func(n int) bool // whether it closes the connection of its nth request without an answer

	mu   sync.Mutex
	seen []time.Time
}

func (p *pipes) dial(context.Context, string, string) (net.Conn, error) {
	time.Sleep(p.connect())
	client, server := net.Pipe()
	go p.serve(server)
	return client, nil
}

func (p *pipes) serve(conn net.Conn) {
	defer conn.Close()
	for r := bufio.NewReader(conn); ; {
		request, err := http.ReadRequest(r)
		if err != nil {
			return
		}
		_, _ = io.Copy(io.Discard, request.Body)
		p.mu.Lock()
		n := len(p.seen)
		p.seen = append(p.seen, time.Now())
		p.mu.Unlock()
		if p.drops != nil && p.drops(n) {
			return
		}
		if _, err := io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"); err != nil {
			return
		}
	}
}

// TestSiteSeesDelay: the site never sees less than the delay between two requests, however long
// its connections take, and if net/http makes a request again.
func TestSiteSeesDelay(t *testing.T) {
	const least = 2 * time.Second // of the file
	slow := func() time.Duration { return 400 * time.Millisecond }
	random := func() time.Duration { return time.Duration(rand.IntN(5000)) * time.Millisecond }
	for name, test := range map[string]struct {
		pipes     *pipes
		keepAlive bool
		most      int // MaxPerHost
	}{
		"a slow connection":        {&pipes{connect: slow}, false, 0},
		"a connection that stays":  {&pipes{connect: slow}, true, 0},
		"one of unknown time":      {&pipes{connect: random}, false, 0},
		"one at a time":            {&pipes{connect: random}, false, 1},
		"a connection that closes": {&pipes{connect: random, drops: func(n int) bool { return n%3 == 2 }}, true, 0},
		"that closes, two at once": {&pipes{connect: random, drops: func(n int) bool { return n%4 == 1 }}, true, 2},
	} {
		inWorld(t, map[string]string{"a.example": delay}, func(t *testing.T, w *world) {
			site := test.pipes
			base := &http.Transport{DialContext: site.dial, DisableKeepAlives: !test.keepAlive,
				IdleConnTimeout: time.Hour}
			w.transport.Base, w.transport.MaxPerHost = base, test.most
			const requests = 24
			var callers sync.WaitGroup
			for i := range requests {
				callers.Go(func() {
					time.Sleep(time.Duration(rand.IntN(20_000)) * time.Millisecond)
					response, err := w.send(t.Context(), fmt.Sprint(a, "/", i))
					if err == nil {
						err = response.Body.Close()
					}
					if err != nil && site.drops == nil {
						t.Errorf("%s: %v", name, err)
					}
				})
			}
			callers.Wait()
			base.CloseIdleConnections()
			if len(site.seen) < requests {
				t.Errorf("%s: %d requests", name, len(site.seen))
			}
			for i := 1; i < len(site.seen); i++ {
				if gap := site.seen[i].Sub(site.seen[i-1]); gap < least {
					t.Errorf("%s: request %d came %v after the one before", name, i, gap)
				}
			}
		})
	}
}

// TestBaseWithoutTrace: the delay counts from the return of a Base that does not say when it
// writes a request. A request that fails, or that ends while it waits to be made again, leaves
// the queue as it should be.
func TestBaseWithoutTrace(t *testing.T) {
	inWorld(t, map[string]string{"a.example": delay}, func(t *testing.T, w *world) {
		broken := errors.New("broken")
		w.transport.Base = roundTripper(func(r *http.Request) (*http.Response, error) {
			time.Sleep(700 * time.Millisecond)
			if _, err := w.page(r); r.URL.Path != "/broken" {
				return answer(200, nil, ""), err
			}
			return nil, broken
		})
		w.get(t, a+"/1")
		w.get(t, a+"/2")
		if err := w.try(t.Context(), a+"/broken"); err != broken {
			t.Error(err)
		}
		w.queue(t, a+"/3", a+"/4")
		w.check(t, "0.7 /1", "3.4 /2", "6.1 /broken", "8.8 /3", "11.5 /4")
	})
	inWorld(t, map[string]string{"a.example": delay}, func(t *testing.T, w *world) {
		// A connection that is there at once can win against the end of a context: net/http chooses at random.
		const connects = 10 * time.Millisecond
		site := &pipes{connect: func() time.Duration { return connects }, drops: func(n int) bool { return n == 1 }}
		base := &http.Transport{DialContext: site.dial, IdleConnTimeout: time.Hour}
		w.transport.Base = base
		w.get(t, a+"/1")
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		if err := w.try(ctx, a+"/2"); !errors.Is(err, context.DeadlineExceeded) { // made again at 4 s
			t.Errorf("%v after %v", err, time.Since(w.start))
		}
		w.get(t, a+"/3")
		base.CloseIdleConnections()
		gap := site.seen[2].Sub(site.seen[1])
		if len(site.seen) != 3 || gap < 2*time.Second || gap > 2*time.Second+connects {
			t.Errorf("%d requests, the last one after %v", len(site.seen), gap)
		}
	})
}

// TestNext: a scheduler learns when a host is free, and from an error how long it would wait.
func TestNext(t *testing.T) {
	inWorld(t, map[string]string{"a.example": "User-agent: *\nCrawl-delay: 20\n"}, func(t *testing.T, w *world) {
		next := func(want time.Duration) {
			t.Helper()
			at, err := w.transport.Next(t.Context(), "https://a.example/x")
			if found := at.Sub(w.start); err != nil || at.IsZero() != (want == 0) || !at.IsZero() && found != want {
				t.Errorf("%v, %v; want %v", found, err, want)
			}
		}
		next(0)
		w.get(t, a+"/1")
		next(20 * time.Second)
		go w.get(t, a+"/2")
		synctest.Wait()
		go w.get(t, a+"/3")
		synctest.Wait()
		next(time.Minute)
		client := &http.Client{Transport: w.transport, Timeout: time.Minute - 1}
		_, err := client.Get(a + "/4")
		var wait *robotshttp.WaitError
		if late := (*url.Error)(nil); !errors.As(err, &wait) || !errors.As(err, &late) || !late.Timeout() ||
			!errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
		if wait.Wait != time.Minute || wait.Until.Sub(w.start) != time.Minute || wait.Queue != "a.example" {
			t.Errorf("%+v", wait)
		}
		time.Sleep(time.Minute)
		next(0)
		if _, err := w.transport.Next(t.Context(), "mailto:x"); !is[*origin.Error](err) {
			t.Error(err)
		}
		w.check(t, "0 /1", "20 /2", "40 /3")
	})
}
