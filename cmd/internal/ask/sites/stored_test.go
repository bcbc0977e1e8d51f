package sites_test

import (
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/cache/cachetest"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/sites"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/origin"
)

const day = 24 * time.Hour

// TestReadExpired: an entry is read however old it is, and reading changes nothing.
func TestReadExpired(t *testing.T) {
	for _, status := range []int{200, 404, 503} {
		for _, age := range []time.Duration{time.Minute, 2 * day, 40 * day, 89 * day} {
			synctest.Test(t, func(t *testing.T) { testRead(t, status, age) })
		}
	}
}

func testRead(t *testing.T, status int, age time.Duration) {
	memory := new(cachetest.Memory)
	site := roundTripper(func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: status, ContentLength: -1, Body: io.NopCloser(strings.NewReader("User-agent: *\nDisallow: /\n"))}, nil
	})
	client, err := fetch.New(fetch.Config{UserAgent: "robots (+https://shop.example)", Agents: []string{"robots"}, Store: memory, Network: fetch.Network{Transport: site}})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	fetchedAt := sites.Now()
	if _, err := client.Robots(t.Context(), "https://shop.example"); err != nil {
		t.Fatal(err)
	}
	o, err := origin.Of("https://shop.example")
	if err != nil {
		t.Fatal(err)
	}
	before, err := memory.Get(t.Context(), o.String())
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(age)

	name := strconv.Itoa(status) + " of " + age.String() + " ago"
	r, err := sites.ReadStored(t.Context(), memory, o)
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
	if f.Source != source || !f.FetchedAt.Equal(fetchedAt) || status != 503 && f.Status != status ||
		(status == 200) != (r.HasFile()) {
		t.Errorf("%s: %+v", name, f)
	}
	if failing := !f.FailingSince.IsZero(); failing != (status == 503) || failing && !f.FailingSince.Equal(fetchedAt) {
		t.Errorf("%s: failing since %v", name, f.FailingSince)
	}
	if (f.Error == "") != (status != 503) {
		t.Errorf("%s: error %q", name, f.Error)
	}
	after, err := memory.Get(t.Context(), o.String())
	if err != nil || !after.FetchedAt.Equal(before.FetchedAt) || string(after.Data) != string(before.Data) {
		t.Errorf("%s: the entry has changed: %v", name, err)
	}
	if _, err := sites.ReadStored(t.Context(), new(cachetest.Memory), o); !errors.Is(err, cache.ErrNotFound) {
		t.Errorf("%s: in an empty cache: %v", name, err)
	}
}

// TestOpenNames: a malformed URL is an error about the name; it is no directory, and
// its password is not repeated.
func TestOpenNames(t *testing.T) {
	for _, name := range []string{"redis:/host", "http://user:secret@host"} {
		_, err := sites.OpenStore(t.Context(), name, slog.New(slog.DiscardHandler))
		if misused := (*term.Error)(nil); !errors.As(err, &misused) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", name, err)
		}
	}
	s, err := sites.OpenStore(t.Context(), t.TempDir(), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	(*sites.Store)(nil).Close()
}

// roundTripper is a network of one function.
type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
