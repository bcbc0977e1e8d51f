package main

import (
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/cmd/internal/ask"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/origin"
)

const day = 24 * time.Hour

// TestShowExpired holds that what is in a cache is shown however old it is, as it
// is, and that to show it changes nothing.
func TestShowExpired(t *testing.T) {
	for _, status := range []int{200, 404, 503} {
		for _, age := range []time.Duration{time.Minute, 2 * day, 40 * day, 89 * day} {
			synctest.Test(t, func(t *testing.T) { testShow(t, status, age) })
		}
	}
}

func testShow(t *testing.T, status int, age time.Duration) {
	store := cache.NewMemory(cache.MemoryConfig{})
	site := roundTripper(func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: status, ContentLength: -1, Body: io.NopCloser(strings.NewReader("User-agent: *\nDisallow: /\n"))}, nil
	})
	client, err := fetch.New(fetch.Config{UserAgent: defaultUserAgent(), Agents: []string{"robots"}, Store: store, Transport: site})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	fetchedAt := ask.Now()
	if _, err := client.Robots(t.Context(), "https://shop.example"); err != nil {
		t.Fatal(err)
	}
	o, err := origin.Of("https://shop.example")
	if err != nil {
		t.Fatal(err)
	}
	before, err := store.Get(t.Context(), o.String())
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(age)

	name := strconv.Itoa(status) + " of " + age.String() + " ago"
	r, err := (&reader{store}).read(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	f := r.Site
	source := wire.SourceStale
	switch {
	case status == 503:
		source = wire.SourceAssumed
	case age < day:
		source = wire.SourceStore
	}
	if f.Source != source || !f.FetchedAt.Equal(fetchedAt) || status != 503 && f.Status != status || (status == 200) != (r.Robots != nil) {
		t.Errorf("%s: %+v", name, f)
	}
	if failing := !f.FailingSince.IsZero(); failing != (status == 503) || failing && !f.FailingSince.Equal(fetchedAt) {
		t.Errorf("%s: failing since %v", name, f.FailingSince)
	}
	if (f.Error == "") != (status != 503) {
		t.Errorf("%s: error %q", name, f.Error)
	}
	after, err := store.Get(t.Context(), o.String())
	if err != nil || !after.FetchedAt.Equal(before.FetchedAt) || string(after.Data) != string(before.Data) {
		t.Errorf("%s: the entry is another one now: %v", name, err)
	}
	if _, err := (&reader{cache.NewMemory(cache.MemoryConfig{})}).read(t.Context(), o); !errors.Is(err, cache.ErrNotFound) {
		t.Errorf("%s: in an empty cache: %v", name, err)
	}
}

// roundTripper is a network of one function.
type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
