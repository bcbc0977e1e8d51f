package fetch_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/kosterhq/robotstxt/fetch"
)

const userAgent = "FooBot/1.0 (+https://foobot.example/about)"

// newClient returns a client that may dial loopback addresses.
func newClient(t testing.TB, config fetch.Config) *fetch.Client {
	t.Helper()
	config.Network.AllowPrivate = true
	return newGuarded(t, config)
}

func TestClient(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		fmt.Fprint(w, "User-agent: foobot\nDisallow: /private\n")
	}))
	defer server.Close()
	client := newClient(t, fetch.Config{})
	decision, err := client.Decide(context.Background(), server.URL+"/private/é")
	if err != nil {
		t.Fatal(err)
	}
	if decision.Allowed || decision.Line != 2 || decision.Result.Source != fetch.SourceNetwork || decision.Path != "/private/%C3%A9" {
		t.Errorf("%v: %+v", decision, decision.Result)
	}
	allowed, err := client.Allowed(context.Background(), server.URL+"/public")
	if err != nil || !allowed {
		t.Error(allowed, err)
	}
	r, _ := client.Robots(context.Background(), server.URL)
	if r.Source != fetch.SourceMemory || r.Outcome != fetch.OutcomeRules || !r.Delimited {
		t.Errorf("%+v", r)
	}
}

// TestResultHeader checks that a result from the site has the listed headers,
// and that a cached one has none.
func TestResultHeader(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "max-age=600")
		w.Header().Set("Set-Cookie", "a=b")
		fmt.Fprint(w, "User-agent: *\n")
	}))
	defer server.Close()
	client := newClient(t, fetch.Config{})
	for _, want := range []string{"max-age=600", ""} {
		r, err := client.Robots(t.Context(), server.URL)
		if err != nil || r.Header.Get("Cache-Control") != want || r.Header.Get("Set-Cookie") != "" {
			t.Errorf("%v %v, want Cache-Control %q", err, r.Header, want)
		}
	}
}
