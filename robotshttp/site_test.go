package robotshttp_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/kosterhq/robotstxt/fetch"
)

const userAgent = "FooBot/1.0 (+https://foobot.example/about)"

func readText(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// newRobots returns a robots client that may dial loopback addresses.
func newRobots(t testing.TB, config fetch.Config) *fetch.Client {
	t.Helper()
	config.UserAgent, config.Network.AllowPrivate = userAgent, true
	client, err := fetch.New(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}

// site is a server that serves a robots.txt, redirects from /to?URL, and
// records its requests.
type site struct {
	*httptest.Server
	robots string
	status int // of the robots.txt

	mu       sync.Mutex
	requests []string
}

func newSite(t testing.TB, robots string) *site {
	s := &site{robots: robots, status: http.StatusOK}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, r.Method+" "+r.RequestURI)
	switch r.URL.Path {
	case "/robots.txt":
		w.WriteHeader(s.status)
		fmt.Fprint(w, s.robots)
	case "/to":
		http.Redirect(w, r, r.URL.RawQuery, http.StatusFound)
	default:
		fmt.Fprintf(w, "page for %s", r.UserAgent())
	}
}

func (s *site) log() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.requests, ", ")
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func answer(status int, header http.Header, body string) *http.Response {
	if header == nil {
		header = make(http.Header)
	}
	return &http.Response{
		StatusCode: status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: header, Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)),
	}
}

type body struct {
	io.Reader
	closed bool
}

func newBody(text string) *body { return &body{Reader: strings.NewReader(text)} }

func (b *body) Close() error { b.closed = true; return nil }
