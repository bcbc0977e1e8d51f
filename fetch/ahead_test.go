package fetch

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kosterhq/robotstxt/origin"
)

func ofClient(c *Client) Ahead[string, *Result] {
	return Ahead[string, *Result]{
		Origin:    func(url string) (origin.Origin, bool) { o, err := origin.Of(url); return o, err == nil },
		LookUp:    func(ctx context.Context, o origin.Origin) (*Result, error) { return c.RobotsOf(ctx, o) },
		SiteBytes: func(r *Result) int { return len(r.Body()) },
	}
}

// listed yields URLs, and waits where one is a duration.
func listed(urls ...string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, url := range urls {
			if wait, err := time.ParseDuration(url); err == nil {
				time.Sleep(wait)
			} else if !yield(url) {
				return
			}
		}
	}
}

// visits yields the items, and keeps the look-ups for checkIdle.
func visits(t *testing.T, l *lookups[string, *Result], items iter.Seq[string]) iter.Seq[Visit[string, *Result]] {
	return func(yield func(Visit[string, *Result]) bool) {
		l.all(t.Context(), items, func(v Visit[string, *Result], err error) bool {
			if err != nil {
				t.Error(err)
			}
			return yield(v)
		})
	}
}

// newTestLookups returns look-ups of sites whose files are of the given size. Each takes
// half a second, and slow.example an hour.
func newTestLookups(t *testing.T, size int) (*lookups[string, *Result], *perOrigin) {
	sites := &perOrigin{answer: func(r *http.Request) (*http.Response, error) {
		wait := time.Second / 2
		if r.URL.Host == "slow.example" {
			wait = time.Hour
		}
		select {
		case <-time.After(wait):
		case <-r.Context().Done():
			return nil, r.Context().Err()
		}
		return respond(r, 200, "User-agent: *\nDisallow: /\n"+strings.Repeat("#", size)), nil
	}}
	client := newTestClient(t, Config{Network: Network{Transport: sites}, Limits: Limits{Timeout: 2 * time.Hour},
		KeepBodies: true})
	t.Cleanup(client.Close)
	a := ofClient(client)
	a.AtOnce, a.KeptBytes = lookUpsAtOnce, 16<<20
	return newLookups(a), sites
}

// TestAheadKeepsTheOrder checks that items come in their order, with their own sites, and
// that sites are looked up together, and each once however often it comes back.
func TestAheadKeepsTheOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const hosts = 300
		l, sites := newTestLookups(t, 0)
		var urls, got []string
		for i := range 5000 {
			urls = append(urls, fmt.Sprintf("http://host%d.example/%d", i*7%hosts, i))
		}
		urls = append(urls, "no URL")
		began := time.Now()
		for v := range visits(t, l, listed(urls...)) {
			if o, err := origin.Of(v.Item); err == nil && v.Site.Origin != o || err != nil && v.Site != nil {
				t.Errorf("%s has the site %v", v.Item, v.Site)
			}
			got = append(got, v.Item)
		}
		if !slices.Equal(got, urls) {
			t.Error("the order of the items is not kept")
		}
		if fetches, origins := sites.total(); fetches != hosts || origins != hosts {
			t.Errorf("%d fetches of %d origins", fetches, origins)
		}
		if took, want := time.Since(began), (hosts/lookUpsAtOnce+1)*time.Second/2; took > want {
			t.Errorf("it took %v, want %v", took, want)
		}
		checkIdle(t, l)
	})
}

// TestAheadOfASlowSite checks that a site without an answer delays no other, as far as
// items are read ahead, and that items of one such site are not read endlessly.
func TestAheadOfASlowSite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, sites := newTestLookups(t, 0)
		urls := []string{"http://slow.example/"}
		for i := range sitesAhead + 10 {
			urls = append(urls, fmt.Sprintf("http://host%d.example/", i))
		}
		for range visits(t, l, listed(urls...)) {
			break
		}
		if _, origins := sites.total(); origins != sitesAhead {
			t.Errorf("%d sites were looked up, want %d", origins, sitesAhead)
		}

		l, _ = newTestLookups(t, 0)
		began, read := time.Now(), atomic.Int64{} // counted by the goroutine that reads ahead
		endless := func(yield func(string) bool) {
			for yield("http://slow.example/") {
				read.Add(1)
			}
		}
		for range visits(t, l, endless) {
			break
		}
		if took := time.Since(began); took < time.Hour || read.Load() > bytesAhead/bytesPerItem+1 {
			t.Errorf("%d items read ahead in %v", read.Load(), took)
		}
	})
}

// TestAheadKeepsSites checks that sites that come back are not kept too long, nor too many
// of them, and that the counts are right in the end.
func TestAheadKeepsSites(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const size = 400 << 10
		l, sites := newTestLookups(t, size)
		var kept atomic.Int64 // looked up, and not dropped
		lookUp := l.LookUp
		l.LookUp = func(ctx context.Context, o origin.Origin) (*Result, error) {
			kept.Add(1)
			return lookUp(ctx, o)
		}
		l.Drop = func(*Result) { kept.Add(-1) }
		urls := []string{"http://a.example/", "http://a.example/", "1s", "http://a.example/", "2m",
			"http://a.example/", "no URL", "25h", "http://a.example/"}
		others := 2 * l.KeptBytes / size
		for i := range others {
			urls = append(urls, fmt.Sprintf("http://host%d.example/", i), "http://a.example/", "10s")
		}
		n := 0
		for range visits(t, l, listed(urls...)) {
			n++
		}
		if want := 6 + 2*others; n != want {
			t.Errorf("%d items, want %d", n, want)
		}
		if fetches, origins := sites.total(); int(fetches) != origins+1 {
			t.Errorf("%d fetches of %d sites, want one more: the first site in 26 hours", fetches, origins)
		}
		checkIdle(t, l)
		if n := kept.Load(); n != int64(l.idle.Len()) {
			t.Errorf("%d sites were not dropped, and %d are kept", n, l.idle.Len())
		}
	})
}

// TestAheadEnds checks what ends the sequence: the caller, the context, an error of a
// look-up.
func TestAheadEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		endless := func(yield func(string) bool) {
			for i := 0; yield(fmt.Sprintf("https://host%d.example/", i)); i++ {
			}
		}
		client := newTestClient(t, Config{Network: Network{Transport: &busySite{}}})
		a, n := ofClient(client), 0
		a.SiteBytes = nil
		for _, err := range a.Visits(t.Context(), endless) {
			n++
			if err != nil || n == 1000 {
				break
			}
		}
		if n != 1000 {
			t.Errorf("%d items", n)
		}
		ends := func(ctx context.Context, items iter.Seq[string], want error) {
			t.Helper()
			var last error
			for _, err := range a.Visits(ctx, items) {
				if last != nil {
					t.Error("the sequence goes on after an error")
				}
				last = err
			}
			if !errors.Is(last, want) {
				t.Errorf("%v, want %v", last, want)
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), 5500*time.Millisecond)
		defer cancel()
		ends(ctx, endless, context.DeadlineExceeded)
		client.Close()
		ends(t.Context(), listed("https://new.example/"), ErrClosed)
		time.Sleep(time.Minute) // the fetches end
	})
}

func checkIdle(t *testing.T, l *lookups[string, *Result]) {
	t.Helper()
	size := 0
	for e := l.idle.Front(); e != nil; e = e.Next() {
		kept := e.Value.(*lookedUp[*Result])
		size += kept.size
		if l.known[kept.origin] != kept || kept.waiting != 0 {
			t.Errorf("%s is not idle", kept.origin)
		}
	}
	if len(l.known) != l.idle.Len() {
		t.Errorf("%d sites known, %d idle", len(l.known), l.idle.Len())
	}
	if !l.ahead.TryAcquire(sitesAhead) || !l.running.TryAcquire(lookUpsAtOnce) || !l.room.TryAcquire(bytesAhead) {
		t.Error("an item or a look-up is still counted")
	}
	if l.idleSize != size || size > l.KeptBytes {
		t.Errorf("idle sites of %d bytes count for %d of at most %d", size, l.idleSize, l.KeptBytes)
	}
}
