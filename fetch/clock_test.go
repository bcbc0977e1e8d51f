package fetch_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/cache/cachetest"
	"github.com/kosterhq/robotstxt/fetch"
)

// A simulation sets the clock: here two days pass in an instant, and the client
// fetches robots.txt again because its copy has expired.
func ExampleConfig_clock() {
	fetches := 0
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fetches++
		fmt.Fprint(w, "User-agent: *\nDisallow: /private/\n")
	}))
	defer site.Close()

	now := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
	client, err := fetch.New(fetch.Config{
		UserAgent: "FooBot/1.0 (+https://foobot.example)",
		Network:   fetch.Network{AllowPrivate: true}, // only because this example's server is on the local machine
		Freshness: fetch.Freshness{Clock: func() time.Time { return now }},
	})
	if err != nil {
		log.Fatal(err)
	}
	for range 3 {
		r, err := client.Robots(context.Background(), site.URL)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(r.FetchedAt.Format(time.DateOnly), r.Source)
		now = now.Add(16 * time.Hour)
	}
	fmt.Println(fetches, "fetches")
	// Output:
	// 2026-01-01 network
	// 2026-01-01 memory
	// 2026-01-02 network
	// 2 fetches
}

// TestClock moves a clock by hand, without synctest: freshness, headers, outages
// and store entries follow it.
func TestClock(t *testing.T) {
	var now atomic.Pointer[time.Time]
	set := func(at time.Time) { now.Store(&at) }
	began := time.Date(2001, 2, 3, 4, 5, 6, 0, time.FixedZone("", 3600))
	set(began)
	down := false
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if down {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		w.Header()["Date"] = nil // otherwise the server's date counts
		w.Header().Set("Expires", began.Add(3*time.Hour).UTC().Format(http.TimeFormat))
		fmt.Fprint(w, "User-agent: *\nDisallow: /private\n")
	}))
	defer server.Close()
	store := &recordingStore{Store: new(cachetest.Memory)}
	client := newClient(t, fetch.Config{Freshness: fetch.Freshness{Clock: func() time.Time { return *now.Load() }},
		Store: store})
	if r := fetch.Expect(t, client, server.URL); !r.FetchedAt.Equal(began) ||
		!r.FreshUntil.Equal(began.Add(3*time.Hour)) || r.FetchedAt.Location() != time.UTC {
		t.Errorf("fetched at %v, fresh until %v", r.FetchedAt, r.FreshUntil)
	}
	if at := store.last.FetchedAt; !at.Equal(began) {
		t.Errorf("the entry's time is %v", at)
	}
	down = true
	set(began.Add(4 * time.Hour))
	if r := fetch.Expect(t, client, server.URL, "disallow-all"); !r.FailingSince.Equal(began.Add(4*time.Hour)) ||
		r.NextTry.After(began.Add(5*time.Hour)) {
		t.Errorf("%+v", r)
	}
	down = false
	set(began.Add(6 * time.Hour))
	fetch.Expect(t, client, server.URL, "rules", "network")
}

type recordingStore struct {
	cache.Store
	last cache.Entry
}

func (s *recordingStore) PutIfUnchanged(ctx context.Context, key string, seen time.Time, e cache.Entry) (bool, error) {
	s.last = e
	return s.Store.PutIfUnchanged(ctx, key, seen, e)
}
