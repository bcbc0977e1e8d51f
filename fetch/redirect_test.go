package fetch_test

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/internal/safedial"
	"github.com/kosterhq/robotstxt/origin"
)

// redirect answers each request with a status and a Location. HOST in it is
// replaced by the server's own address, and PORT by its port.
func redirect(status int, location string) func(testing.TB) string {
	return paths(map[string]string{"/robots.txt": to(status, location)})
}

// to says that the server closes the connection, as it does: Node would make the next request
// on it if it had not noticed yet.
func to(status int, location string) string {
	return response(fmt.Sprintf("%d Elsewhere", status), "moved", "Location: "+location, "Connection: close")
}

func paths(answers map[string]string) func(testing.TB) string {
	return func(t testing.TB) string { return pathServer(t, answers).url("http") }
}

func pathServer(t testing.TB, answers map[string]string) *faultServer {
	return listen(t, func(s *faultServer, conn net.Conn) {
		request, err := readRequest(conn)
		if err != nil {
			return
		}
		path := strings.Fields(request)[1]
		known, ok := answers[path]
		if !ok {
			known = response("200 OK", file)
		}
		_, port, _ := net.SplitHostPort(s.Addr().String())
		_ = say(strings.ReplaceAll(strings.ReplaceAll(known, "HOST", s.Addr().String()), "PORT", port))(s, conn)
	})
}

func chain(redirects int) func(testing.TB) string {
	answers := map[string]string{"/robots.txt": to(302, "/1")}
	for i := 1; i < redirects; i++ {
		answers[fmt.Sprintf("/%d", i)] = to(302, fmt.Sprintf("/%d", i+1))
	}
	return paths(answers)
}

func guarded(c *fetch.Config) {
	c.Network.AllowPrivate = false
	c.Network.Trusts = func(o origin.Origin) bool { return o.Host() == "127.0.0.1" }
}

const (
	followed   = wholeFile + " after 1"
	asNotFound = "allow-all network 302"
	forbidden  = "disallow-all assumed 0 after 1: refused address"
)

func koster(c *fetch.Config) { c.Policy = fetch.KosterPolicy }

func redirectFaults() []fault {
	rows := []fault{
		{"5 in a row", chain(5), nil, wholeFile + " after 5"},
		{"6 in a row", chain(6), nil, asNotFound + " after 5"},
		{"6 in a row, 6 allowed", chain(6), func(c *fetch.Config) { c.Limits.MaxRedirects = 6 }, wholeFile + " after 6"},
		{"without end", chain(1000), nil, asNotFound + " after 5"},
		{"to itself", redirect(302, "/robots.txt"), nil, asNotFound + " after 5"},
		{"to itself, by its full URL", redirect(302, "http://HOST/robots.txt"), nil, asNotFound + " after 5"},
		{"pair", paths(map[string]string{"/robots.txt": to(301, "/b"), "/b": to(302, "/robots.txt")}), nil, asNotFound + " after 5"},
		{"to a 404", paths(map[string]string{"/robots.txt": to(302, "/b"), "/b": response("404 No", "")}), nil, "allow-all network 404 after 1"},
		{"to a 503", paths(map[string]string{"/robots.txt": to(302, "/b"), "/b": response("503 Later", "")}), nil, "disallow-all assumed 503 after 1: status"},
		{"to a closed port", func(t testing.TB) string {
			return redirect(302, "http://"+closedAddress(t).String())(t)
		}, nil, "disallow-all assumed 0 after 1: connection refused"},
		{"to no such name", redirect(302, "http://robots.invalid/robots.txt"), nil, "disallow-all assumed 0 after 1: DNS"},
		{"to HTTPS", func(t testing.TB) string {
			return redirect(302, secure(goodTLS(), say(response("200 OK", file)))(t)+"/robots.txt")(t)
		}, nil, followed},
		{"from HTTPS", func(t testing.TB) string {
			return secure(goodTLS(), say(to(302, paths(nil)(t)+"/robots.txt")))(t)
		}, nil, followed},
		{"to HTTPS on an HTTP port", redirect(302, "https://HOST/robots.txt"), hastyInPart, "disallow-all assumed 0 after 1: timeout"},
		{"with a body that drips", plain(say("HTTP/1.1 302 Found\r\nLocation: http://robots.invalid/\r\nContent-Length: 5000\r\n\r\n"), drip(strings.Repeat("#", 5000), 10*time.Millisecond)), nil, "disallow-all assumed 0 after 1: DNS"},
		{"6 in a row, koster", chain(6), koster, wholeFile + " after 6"},
		{"20 in a row, koster", chain(20), koster, wholeFile + " after 20"},
		{"21 in a row, koster", chain(21), koster, "disallow-all assumed 302 after 20: status"},
		{"7 in a row, 6 allowed, koster", chain(7), func(c *fetch.Config) { koster(c); c.Limits.MaxRedirects = 6 }, "disallow-all assumed 302 after 6: status"},
		{"300, koster", redirect(300, "/b"), koster, followed},
		{"300 without Location, koster", status("300 Choose", ""), koster, "allow-all network 300"},
		{"302 without Location, koster", status("302 Found", ""), koster, asNotFound},
		{"305, koster", redirect(305, "/b"), koster, "allow-all network 305"},
		{"Location missing", status("302 Found", ""), nil, asNotFound},
		{"Location of 1 MB", redirect(302, "/"+strings.Repeat("x", 1<<20)), nil, invalid},
		{"Location twice", paths(map[string]string{"/robots.txt": response("302 Found", "", "Location: /b", "Location: ftp://c/")}), nil, followed},
		{"to a private address, guard on", redirect(302, "http://127.0.0.2/robots.txt"), guarded, forbidden},
		{"to a private IPv6 address, guard on", redirect(302, "http://[::1]/robots.txt"), guarded, forbidden},
		{"to a mapped address, guard on", redirect(302, "http://[::ffff:127.0.0.2]/robots.txt"), guarded, forbidden},
		{"to a private name, guard on", redirect(302, "http://localhost/robots.txt"), guarded, forbidden},
		{"to metadata, guard on", redirect(302, "http://169.254.169.254/latest/meta-data/"), guarded, forbidden},
		{"to an odd private address, guard on", redirect(302, "http://0x7f.2/robots.txt"), guarded, forbidden},
		{"to the trusted host, guard on", redirect(302, "/b"), guarded, followed},
		{"to the trusted host spelled oddly, guard on", redirect(302, "http://2130706433:PORT/b"), guarded, followed},
		{"to the trusted host on another port, guard on", func(t testing.TB) string {
			return redirect(302, pathServer(t, nil).url("http"))(t)
		}, guarded, forbidden},
	}
	for code, want := range map[int]string{
		300: "allow-all network 300", 301: followed, 302: followed, 303: followed, 305: "allow-all network 305",
		306: "allow-all network 306", 307: followed, 308: followed, 309: "allow-all network 309",
	} {
		rows = append(rows, fault{fmt.Sprint(code), redirect(code, "/b"), nil, want})
	}
	for location, want := range locations {
		name := location
		if len(name) > 60 {
			name = fmt.Sprintf("%.20s… of %d", name, len(name))
		}
		rows = append(rows, fault{fmt.Sprintf("Location %q", name), redirect(302, location), nil, want})
	}
	return rows
}

var locations = map[string]string{
	"":                              asNotFound,
	"/b":                            followed,
	"b":                             followed,
	"../../b":                       followed,
	"?b":                            followed,
	"#b":                            asNotFound + " after 5", // the same again
	"/b#fragment":                   followed,
	"//HOST/b":                      followed,
	"http://HOST/b":                 followed,
	"http://HOST":                   followed,
	"HTTP://HOST/b":                 followed,
	"http://user:secret@HOST/b":     followed,
	"/b c":                          followed,
	"/\xE4\xFF":                     followed,
	"/ä?ö":                          followed,
	"/b?q= HTTP/1.1":                followed,
	"http:\\\\HOST\\b":              followed,
	"/b?q=%zz":                      followed,
	"/" + strings.Repeat("x", 8000): followed,
	"/" + strings.Repeat("x", 9000): asNotFound,
	"/%zz":                          asNotFound,
	"/b\x01":                        invalid,
	"/b\x7F":                        invalid,
	"http:":                         asNotFound + " after 5",
	"http:/b":                       followed,
	"http:b":                        followed,
	"http://":                       asNotFound,
	"http:///b":                     "disallow-all assumed 0 after 1: DNS",
	"http://[::1":                   asNotFound,
	"http://h:70000/":               asNotFound,
	"http://h:0/":                   asNotFound,
	"http://h:x/":                   asNotFound,
	"http://a b/":                   asNotFound,
	"://":                           followed,
	"file:///etc/passwd":            asNotFound,
	"ftp://HOST/robots.txt":         asNotFound,
	"javascript:alert(1)":           asNotFound,
	"data:text/plain,Disallow:/":    asNotFound,
	"gopher://HOST/":                asNotFound,
	"mailto:a@b":                    asNotFound,
	"unix:///run/docker.sock":       asNotFound,
}

type recorder struct {
	mu       sync.Mutex
	requests []string
}

func (r *recorder) play(answer func(path string) string) play {
	return func(s *faultServer, conn net.Conn) {
		request, err := readRequest(conn)
		if err != nil {
			return
		}
		r.mu.Lock()
		r.requests = append(r.requests, request)
		r.mu.Unlock()
		_ = say(strings.ReplaceAll(answer(strings.Fields(request)[1]), "HOST", s.Addr().String()))(s, conn)
	}
}

func (r *recorder) all() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.requests
}

// TestRedirectsAsked counts requests. A chain causes six at most, and fragments
// and credentials are not sent.
func TestRedirectsAsked(t *testing.T) {
	var r recorder
	s := listen(t, r.play(func(string) string { return to(302, "http://user:secret@HOST/robots.txt?x#fragment") }))
	result := fetch.Expect(t, newClient(t, fetch.Config{}), s.url("http"), "allow-all")
	requests := r.all()
	if len(requests) != 6 || s.accepted.Load() != 6 {
		t.Errorf("%d requests over %d connections, want 6 of each", len(requests), s.accepted.Load())
	}
	for i, request := range requests {
		want := "GET /robots.txt?x HTTP/1.1"
		if i == 0 {
			want = "GET /robots.txt HTTP/1.1"
		}
		if line, _, _ := strings.Cut(request, "\r\n"); line != want {
			t.Errorf("request %d is %q, want %q", i, line, want)
		}
	}
	for _, hop := range result.Hops {
		if strings.Contains(hop.URL, "secret") || strings.Contains(hop.URL, "#") {
			t.Errorf("hop %s", hop.URL)
		}
	}
}

// TestTrustEndsWithTheHost follows a redirect from a trusted host to another
// host, which redirects back. The client must refuse that, because the other
// host has chosen port and path.
func TestTrustEndsWithTheHost(t *testing.T) {
	home := pathServer(t, nil)
	other := listenAt(t, "127.0.0.2:0", nil, answer(say(to(302, home.url("http")+"/secret"))))
	start := listen(t, answer(say(to(302, other.url("http")+"/robots.txt"))))
	dialer := safedial.Dialer{Guard: safedial.Guard{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.2/32")}}}
	config := fetch.Config{UserAgent: userAgent,
		Network: fetch.Network{Transport: &http.Transport{DialContext: dialer.DialContext, DisableKeepAlives: true}}}
	guarded(&config)
	client := newGuarded(t, config)
	expectVerdict(t, client, start.url("http"), "disallow-all assumed 0 after 2: refused address")
	if n := home.accepted.Load(); n != 0 {
		t.Errorf("%d connections to the address that the other host chose", n)
	}
}
