package robotshttp_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/robotshttp"
)

// TestClientsUserAgent: without settings, a site sees the crawler whose rules are obeyed, in
// requests for pages, after redirects, and for robots.txt.
func TestClientsUserAgent(t *testing.T) {
	var seen []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r.URL.Path+" "+r.UserAgent())
		if r.URL.Path == "/a" {
			http.Redirect(w, r, "/b", http.StatusFound)
		}
	}))
	defer s.Close()
	client := &http.Client{Transport: &robotshttp.Transport{Client: newRobots(t, fetch.Config{})}}
	for _, path := range []string{"/a", "/robots.txt"} {
		response, err := client.Get(s.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
	}
	want := []string{"/robots.txt " + userAgent, "/a " + userAgent, "/b " + userAgent, "/robots.txt " + userAgent}
	if !slices.Equal(seen, want) {
		t.Errorf("the site saw %q, want %q", seen, want)
	}
}

func TestUserAgent(t *testing.T) {
	s := newSite(t, "")
	const userAgent = "Other/2.0 (+https://other.example)"
	transport := &robotshttp.Transport{Client: newRobots(t, fetch.Config{}), UserAgent: userAgent}
	for _, test := range []struct {
		header http.Header
		want   string
	}{
		{nil, userAgent},
		{http.Header{"Accept": {"*/*"}}, userAgent},
		{http.Header{"User-Agent": {"Own/1.0"}}, "Own/1.0"},
		{http.Header{"User-Agent": {""}}, ""},
	} {
		request, _ := http.NewRequest(http.MethodGet, s.URL, nil)
		request.Header = test.header
		before := len(test.header)
		response, err := transport.RoundTrip(request)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(response.Body)
		response.Body.Close()
		if got := strings.TrimPrefix(string(text), "page for "); got != test.want || len(test.header) != before {
			t.Errorf("%v: sent %q, want %q", test.header, got, test.want)
		}
	}
}

type idler struct {
	http.RoundTripper
	closed int
}

func (i *idler) CloseIdleConnections() { i.closed++ }

func TestCloseIdleConnections(t *testing.T) {
	base := &idler{}
	(&http.Client{Transport: &robotshttp.Transport{Base: base}}).CloseIdleConnections()
	if base.closed != 1 {
		t.Errorf("forwarded %d times", base.closed)
	}
	(&robotshttp.Transport{Base: roundTripper(nil)}).CloseIdleConnections()
	(&robotshttp.Transport{}).CloseIdleConnections()
}
