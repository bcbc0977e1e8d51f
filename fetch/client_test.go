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
	server := exampleSite(200, "User-agent: foobot\nDisallow: /private\n")
	defer server.Close()
	client := newClient(t, fetch.Config{})
	decision, err := client.Decide(context.Background(), server.URL+"/private/é")
	if err != nil {
		t.Fatal(err)
	}
	if decision.Allowed || decision.Line != 2 || decision.Result.Source != fetch.SourceNetwork || decision.Path != "/private/%C3%A9" {
		t.Errorf("%v: %+v", decision, decision.Result)
	}
	fetch.ExpectAllowed(t, client, server.URL+"/public", true)
	if r := fetch.Expect(t, client, server.URL, "memory", "rules"); !r.Delimited {
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
		if r := fetch.Expect(t, client, server.URL); r.Header.Get("Cache-Control") != want || r.Header.Get("Set-Cookie") != "" {
			t.Errorf("%v, want Cache-Control %q", r.Header, want)
		}
	}
}
