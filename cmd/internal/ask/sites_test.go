package ask

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/fetch"
)

// roundTripper is a network of one function.
type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// newTestSites returns sites whose files are of the given size. Each takes half a
// second, and slow.example an hour. It counts what each host is asked for.
func newTestSites(t *testing.T, size int) (*sites, func(host string) int) {
	t.Helper()
	var mu sync.Mutex
	asked := make(map[string]int)
	client, err := fetch.New(fetch.Config{
		UserAgent:  "robots (+https://shop.example)",
		KeepBodies: true,
		Timeout:    2 * time.Hour,
		Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
			mu.Lock()
			asked[r.URL.Host]++
			mu.Unlock()
			wait := time.Second / 2
			if r.URL.Host == "slow.example" {
				wait = time.Hour
			}
			select {
			case <-time.After(wait):
			case <-r.Context().Done():
				return nil, r.Context().Err()
			}
			body := "User-agent: *\nDisallow: /\n" + strings.Repeat("#", size)
			return &http.Response{StatusCode: 200, ContentLength: int64(len(body)), Body: io.NopCloser(strings.NewReader(body))}, nil
		}),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return newSites(&Question{Client: client}), func(host string) int {
		mu.Lock()
		defer mu.Unlock()
		return asked[host]
	}
}

// listed yields URLs, and waits where one is a duration.
func listed(urls ...string) URLs {
	return URLs{All: func(yield func(string, error) bool) {
		for _, url := range urls {
			if wait, err := time.ParseDuration(url); err == nil {
				time.Sleep(wait)
			} else if !yield(url, nil) {
				return
			}
		}
	}}
}

// TestSitesKeepTheOrder holds that answers come as their URLs did, that sites
// are asked at the same time, and each once however often it comes back.
func TestSitesKeepTheOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const hosts = 300
		s, asked := newTestSites(t, 0)
		var urls, got []string
		for i := range 5000 {
			urls = append(urls, fmt.Sprintf("http://host%d.example/%d", i*7%hosts, i))
		}
		began := time.Now()
		for e, err := range s.all(t.Context(), listed(urls...)) {
			if err != nil {
				t.Fatal(err)
			}
			if e.site.origin.RobotsURL() != e.site.result.Origin.RobotsURL() {
				t.Errorf("%s is judged by %s", e.url, e.site.result.Origin)
			}
			got = append(got, e.url)
		}
		if strings.Join(got, " ") != strings.Join(urls, " ") {
			t.Error("the order of the URLs is not kept")
		}
		for i := range hosts {
			if n := asked(fmt.Sprintf("host%d.example", i)); n != 1 {
				t.Errorf("host %d was asked %d times", i, n)
			}
		}
		if took, want := time.Since(began), (hosts/DefaultConcurrency+1)*time.Second/2; took > want {
			t.Errorf("it took %v, want %v", took, want)
		}
		checkIdle(t, s)
	})
}

// TestSitesBehindASlowOne holds that a site without an answer holds up no other,
// as far as URLs are read ahead.
func TestSitesBehindASlowOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, asked := newTestSites(t, 0)
		urls := []string{"http://slow.example/"}
		for i := range sitesAhead + 10 {
			urls = append(urls, fmt.Sprintf("http://host%d.example/", i))
		}
		for range s.all(t.Context(), listed(urls...)) {
			break
		}
		ahead := 0
		for i := range sitesAhead + 10 {
			ahead += asked(fmt.Sprintf("host%d.example", i))
		}
		if ahead != sitesAhead-1 {
			t.Errorf("%d sites behind the slow one were asked, want %d", ahead, sitesAhead-1)
		}
	})
}

// TestSitesAtHand holds that sites which come back are not kept too long, nor too
// many of them, and that the books are straight in the end.
func TestSitesAtHand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const size = 400 << 10
		s, asked := newTestSites(t, size)
		urls := []string{"http://a.example/", "http://a.example/", "1s", "http://a.example/", "2m",
			"http://a.example/", "no URL", "25h", "http://a.example/"}
		for i := range 2 * maxIdleBytes / (4 * size) {
			urls = append(urls, fmt.Sprintf("http://host%d.example/", i), "http://a.example/", "10s")
		}
		n := 0
		for _, err := range s.all(t.Context(), listed(urls...)) {
			if err != nil {
				t.Fatal(err)
			}
			n++
		}
		if want := 6 + 2*(2*maxIdleBytes/(4*size)); n != want {
			t.Errorf("%d answers, want %d", n, want)
		}
		if n := asked("a.example"); n != 2 {
			t.Errorf("a site was asked %d times in 26 hours, want 2", n)
		}
		checkIdle(t, s)
	})
}

// checkIdle holds what must be so once all URLs are answered.
func checkIdle(t *testing.T, s *sites) {
	t.Helper()
	size := 0
	for e := s.idlers.Front(); e != nil; e = e.Next() {
		idler := e.Value.(*site)
		if size += idler.size(); s.known[idler.origin] != idler || idler.waiting != 0 {
			t.Errorf("%s is no idler", idler.origin)
		}
	}
	if len(s.known) != s.idlers.Len() || len(s.ahead) != 0 || len(s.fetching) != 0 || !s.room.TryAcquire(bytesAhead) {
		t.Errorf("%d sites at hand, %d idle; %d places and %d turns taken", len(s.known), s.idlers.Len(), len(s.ahead), len(s.fetching))
	}
	if s.idleSize != size || size > maxIdleBytes {
		t.Errorf("idlers of %d bytes count for %d, the most being %d", size, s.idleSize, maxIdleBytes)
	}
}

// TestAge: the age of a file is measured when the run begins; a file of the run has none.
func TestAge(t *testing.T) {
	began := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	for fetched, want := range map[time.Duration]int{-90 * time.Minute: 5400, -1500 * time.Millisecond: 1, 0: 0, time.Minute: 0} {
		ruling := RuleSite(&fetch.Result{FetchedAt: began.Add(fetched)}, began, robotstxt.Google, nil)
		if ruling.Site.Age != want {
			t.Errorf("fetched %v from the beginning: age %d, want %d", fetched, ruling.Site.Age, want)
		}
	}
}
