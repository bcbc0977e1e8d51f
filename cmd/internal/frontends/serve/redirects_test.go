package serve_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/frontends/serve"
	"github.com/kosterhq/robotstxt/conformance"
)

// TestRedirectsToNowhere: whatever a site redirects to, a failure of each call is the site's and
// no internal error, and neither URLs of the request nor those of the site are in the log. Each
// operation is called with each URL in every field of its example.
func TestRedirectsToNowhere(t *testing.T) {
	const secret = "SECRET"
	for _, target := range []string{
		"mailto:" + secret + "@shop.example", "file:///etc/" + secret, "data:text/plain," + secret, "javascript:" + secret, "ftp://shop.example/" + secret,
		"http://shop.example:99999/?q=" + secret, "http://shop.example:x/?q=" + secret, "http://" + strings.Repeat("h", 300) + ".example/?q=" + secret,
		"http://a..b/?q=" + secret, "http://[::1/?q=" + secret, "http:///?q=" + secret, "http://\u0130\u0307\u200d.example/?q=" + secret, "//?q=" + secret,
		"http://%zz/?q=" + secret, "https://shop.example/?q=" + secret, "http://user:" + secret + "@shop.example/x", "http://private.example/?q=" + secret,
		"\x01" + secret, "http://xn--a.example/?q=" + secret, "gopher://shop.example/" + secret, "?q=" + secret,
	} {
		var log lockedBuffer
		s := start(t, newSite(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/robots.txt" && r.Host != "lost.example" {
				serveShop(w, r)
				return
			}
			w.Header()["Location"] = []string{target}
			w.WriteHeader(http.StatusFound)
		}), func(c *serve.Config) {
			c.Logger, c.AccessLog = slog.New(slog.NewTextHandler(&log,
				&slog.HandlerOptions{Level: slog.LevelDebug})), true
			toSite := c.Dial
			c.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
				if strings.HasSuffix(address, ":21") { // the site waits for a request, a client of FTP for a greeting
					return nil, &net.OpError{Op: "dial", Net: network, Err: syscall.ECONNREFUSED}
				}
				return toSite(ctx, network, address)
			}
		})
		for name, example := range serve.OperationRequests() {
			for _, url := range []string{"http://shop.example/?q=" + secret, "http://lost.example/?q=" + secret, target} {
				for _, body := range bodiesWith(t, example, url) {
					status, answer := s.post(name, body)
					if status == http.StatusInternalServerError || strings.Contains(answer, `"internal"`) {
						t.Errorf("%s to %q: %d %s", name, target, status, answer)
					}
				}
			}
		}
		for _, name := range []string{"sitemap", "resources"} {
			status, answer := s.post(name, `{"url":"http://shop.example/?q=1"}`)
			if status/100 != 5 || status == http.StatusInternalServerError {
				t.Errorf("%s to %q: %d %s", name, target, status, answer)
			}
		}
		if _, metrics, _ := send(t, http.MethodGet, s.admin+"/metrics", ""); strings.Contains(metrics, `{fault="service"`) {
			t.Errorf("a redirect to %q is a fault of the service", target)
		}
		if url := moreThanOrigin.FindString(log.String()); url != "" {
			t.Errorf("the log has a URL, %q: %s", url, &log)
		}
		if strings.Contains(log.String(), secret) || strings.Contains(log.String(), "level=ERROR") {
			t.Errorf("a redirect to %q is in the log: %s", target, &log)
		}
	}
}

// moreThanOrigin matches a URL with more than a scheme, a host and a port, which the log has of each site.
var moreThanOrigin = regexp.MustCompile(`[a-z]+://[^\s"'/?#@]*[/?#@][^\s"']*`)

// bodiesWith returns the example of a request with a URL in each field that contains a text, and
// without its files, so that they are fetched.
func bodiesWith(t *testing.T, example, url string) (bodies []string) {
	t.Helper()
	var fields map[string]any
	if err := json.Unmarshal([]byte(example), &fields); err != nil {
		t.Fatal(err)
	}
	for _, field := range []string{"url", "urls", "site"} {
		if _, ok := fields[field]; !ok {
			continue
		}
		changed := map[string]any{}
		for name, value := range fields {
			if name != "body" && name != "html" && name != "header" {
				changed[name] = value
			}
		}
		changed[field] = url
		if field == "urls" {
			changed[field] = []string{url}
		}
		var text bytes.Buffer
		if err := json.NewEncoder(&text).Encode(changed); err != nil {
			t.Fatal(err)
		}
		bodies = append(bodies, text.String())
	}
	return bodies
}

// TestRedirectedSitemap: the service requests what a client requests for a Location.
func TestRedirectedSitemap(t *testing.T) {
	l, err := conformance.ReadLocations()
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	location, requested := "", ""
	s := start(t, newSite(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		switch url := "http://" + r.Host + r.RequestURI; {
		case r.RequestURI == "/robots.txt":
			w.WriteHeader(http.StatusNotFound)
		case requested == "" && url == l.From:
			requested = url
			w.Header()["Location"] = []string{location}
			w.WriteHeader(http.StatusFound)
		default:
			requested = url
		}
	}), nil)
	body, _ := json.Marshal(map[string]string{"url": l.From})
	tried := 0
	for _, c := range l.Cases {
		isPlain := c.Target != nil && strings.HasPrefix(*c.Target, "http://shop.example/") && !strings.ContainsAny(c.Location, "\n|")
		if !isPlain && c.Target != nil {
			continue
		}
		want := l.From // nothing else is requested
		if c.Target != nil {
			want = *c.Target
		}
		mu.Lock()
		location, requested = c.Location, ""
		mu.Unlock()
		s.post("sitemap", string(body))
		mu.Lock()
		if requested != want {
			t.Errorf("%q: requested %q, want %q", c.Location, requested, want)
		}
		mu.Unlock()
		tried++
	}
	if tried < 50 {
		t.Errorf("only %d cases were tried", tried)
	}
}
