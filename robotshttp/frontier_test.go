package robotshttp_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/robotshttp"
)

// frontier hands out URLs of hosts that are free, so that no worker sleeps on one.
type frontier struct {
	transport *robotshttp.Transport

	mu   sync.Mutex
	urls map[string][]string // of each host, in their order
	busy map[string]bool     // hosts with a request under way
}

// take returns a URL, or how long to wait before the next call. more is false at the end.
func (f *frontier) take(ctx context.Context) (url, host string, wait time.Duration, more bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	wait = time.Second // for the end of a request
	for host, urls := range f.urls {
		if len(urls) == 0 {
			continue
		}
		more = true
		if f.busy[host] {
			continue
		}
		at, err := f.transport.Next(ctx, urls[0])
		if pause := time.Until(at); err == nil && pause > 0 {
			wait = min(wait, pause)
			continue
		}
		f.urls[host], f.busy[host] = urls[1:], true
		return urls[0], host, 0, true
	}
	return "", "", wait, more
}

// done says that the request to a host has ended.
func (f *frontier) done(host string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.busy[host] = false
}

// work fetches until there is nothing more.
func (f *frontier) work(ctx context.Context, client *http.Client) {
	for {
		url, host, wait, more := f.take(ctx)
		switch {
		case !more:
			return
		case url == "":
			time.Sleep(wait)
		default:
			if response, err := client.Get(url); err == nil {
				response.Body.Close()
			}
			f.done(host)
		}
	}
}

// TestFrontier: the recipe of docs/library.md. Sixteen workers and a host with a long delay and
// 40 URLs in front: the other 50 hosts are fetched at once, and the delay is kept.
func TestFrontier(t *testing.T) {
	recipe := readText(t, "frontier_test.go")
	recipe = recipe[strings.Index(recipe, "// frontier hands out"):strings.Index(recipe, "// TestFrontier")]
	if !strings.Contains(readText(t, "../docs/library.md"), "```go\n"+recipe+"```\n") {
		t.Error("docs/library.md does not contain the recipe as it is here")
	}
	inWorld(t, map[string]string{"a.example": "User-agent: *\nCrawl-delay: 10\n"}, func(t *testing.T, w *world) {
		f := &frontier{transport: w.transport, urls: map[string][]string{}, busy: map[string]bool{}}
		add := func(text string) {
			u, err := url.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			f.urls[u.Host] = append(f.urls[u.Host], text)
		}
		for i := range 40 {
			add(fmt.Sprint(a, "/", i))
		}
		for i := range 50 {
			add(fmt.Sprintf("http://%d.example/", i))
		}
		var workers sync.WaitGroup
		for range 16 {
			workers.Go(func() { f.work(t.Context(), &http.Client{Transport: w.transport}) })
		}
		workers.Wait()
		if took := time.Since(w.start); took < 390*time.Second || took > 392*time.Second || len(w.requests) != 90 {
			t.Errorf("%d requests in %v", len(w.requests), took)
		}
		for i, request := range w.requests {
			if !strings.HasPrefix(request, "0 ") && i < 51 {
				t.Errorf("request %d: %s", i, request)
			}
		}
	})
}
