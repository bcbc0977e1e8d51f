package serve_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/frontends/serve"
)

// shop is the robots.txt of the site of the tests.
const shop = "User-agent: *\nDisallow: /cart\nAllow: /cart/help\n\nUser-agent: GPTBot\nDisallow: /\n"

// site is a network in which every name leads to one server, by an address that the guard
// accepts, except names that begin with "private".
type site struct {
	*httptest.Server
	requests atomic.Int64
}

func newSite(t testing.TB, handler http.HandlerFunc) *site {
	s := &site{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.requests.Add(1)
		handler(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *site) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	// Systems read numbers as addresses.
	if strings.HasPrefix(host, "private") || host == "localhost" || host[0] <= '9' {
		return []netip.Addr{netip.MustParseAddr("169.254.169.254")}, nil
	}
	return []netip.Addr{netip.MustParseAddr("8.8.8.8")}, nil
}

func (s *site) dial(ctx context.Context, network, _ string) (net.Conn, error) {
	var d net.Dialer
	return d.DialContext(ctx, network, s.Listener.Addr().String())
}

func serveShop(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/robots.txt":
		w.Header().Set("Cache-Control", "max-age=86400")
		fmt.Fprint(w, shop)
	case "/sitemap.xml":
		fmt.Fprint(w, "<urlset><url><loc>http://shop.example/tea</loc></url></urlset>")
	case "/":
		fmt.Fprint(w, "<script src=a.js></script>")
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

// service is a running service.
type service struct {
	t      testing.TB
	server *serve.Server
	url    string // without a slash at the end
	admin  string
	stop   func() error // ends it and returns the error of Serve
}

// dial opens a connection, which ends with the test at the latest.
func (s *service) dial(t testing.TB) *net.TCPConn {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn.(*net.TCPConn)
}

// start starts a service whose fetches lead to a site.
func start(t testing.TB, to *site, change func(*serve.Config)) *service {
	t.Helper()
	c := serve.Config{Listen: "127.0.0.1:0", Admin: "127.0.0.1:0", UserAgent: "TestBot (+https://shop.example)", OriginInterval: -1, Version: "v1.2.3"}
	if to != nil {
		c.Resolver, c.Dial = to, to.dial
	}
	if change != nil {
		change(&c)
	}
	s, err := serve.New(c)
	if err != nil {
		t.Fatal(err)
	}
	l, err := s.Listen(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	r := &service{t: t, server: s, url: strings.TrimSuffix(serve.URL(l.Service), "/")}
	if l.Admin != nil {
		r.admin = strings.TrimSuffix(serve.URL(l.Admin), "/")
	}
	r.stop = func() error {
		cancel()
		select {
		case err := <-ended:
			ended <- err
			return err
		case <-time.After(serve.Patience):
			return context.DeadlineExceeded
		}
	}
	t.Cleanup(func() {
		if err := r.stop(); err != nil {
			t.Errorf("the service ended with %v", err)
		}
		if used := s.Used(); used != (serve.Shares{}) {
			t.Errorf("at the end is used: %+v", used)
		}
	})
	return r
}

// request sends a request with headers, pairs of name and value.
func (s *service) request(method, path, body string, headers ...string) (status int, answer string,
	header http.Header) {
	s.t.Helper()
	return send(s.t, method, s.url+path, body, headers...)
}

func send(t testing.TB, method, url, body string, headers ...string) (status int, answer string, header http.Header) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			r.Host = headers[i+1]
			continue
		}
		r.Header.Add(headers[i], headers[i+1])
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(text), response.Header
}

// readAnswer reads an answer from a connection.
func readAnswer(t testing.TB, from *bufio.Reader) (response *http.Response, body string) {
	t.Helper()
	response, err := http.ReadResponse(from, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, string(text)
}

// post sends JSON.
func (s *service) post(name, body string, headers ...string) (status int, answer string) {
	s.t.Helper()
	status, answer, _ = s.request(http.MethodPost, "/v1/"+name, body, append([]string{"Content-Type", "application/json"}, headers...)...)
	return status, answer
}

// want sends JSON. It reports an answer with another status, or without one of the parts.
func (s *service) want(status int, name, body string, parts ...string) (answer string) {
	s.t.Helper()
	got, answer := s.post(name, body)
	missing := slices.DeleteFunc(parts, func(part string) bool { return strings.Contains(answer, part) })
	if got != status || len(missing) > 0 {
		s.t.Errorf("%s %.200s: status %d, want %d with %q: %.1000s", name, body, got, status, missing, answer)
	}
	return answer
}
