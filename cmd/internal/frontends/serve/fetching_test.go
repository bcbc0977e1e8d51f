package serve_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/frontends/serve"
)

// brokenResolver fails as the system's resolver does.
type brokenResolver struct{}

func (brokenResolver) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	return nil, &net.DNSError{Err: "no such host", Name: host, Server: "10.1.2.3:53", IsNotFound: true}
}

// lockedBuffer is a log that several goroutines write.
type lockedBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.String()
}

// TestInnerNetwork: answers name neither the DNS server of the service nor the address that
// a name has in its network. The log does.
func TestInnerNetwork(t *testing.T) {
	var log lockedBuffer
	logged := func(c *serve.Config) { c.Logger = slog.New(slog.NewTextHandler(&log, nil)) }
	unknown := start(t, nil, func(c *serve.Config) { c.Resolver = brokenResolver{}; logged(c) })
	inner := start(t, newSite(t, serveShop), logged)
	for _, test := range []struct {
		s             *service
		host          string
		text, private string
	}{
		{unknown, "shop.example", "no such host as shop.example", "10.1.2.3"},
		{inner, "private.example", "the address of the host is not public", "169.254.169.254"},
	} {
		for _, call := range []struct{ name, body string }{
			{"fetch", `{"url":"http://HOST/"}`},
			{"check", `{"agents":["GPTBot"],"urls":["http://HOST/"]}`},
			{"explain", `{"agents":["GPTBot"],"urls":["http://HOST/"]}`},
			{"sitemap", `{"url":"http://HOST/sitemap.xml"}`},
			{"resources", `{"url":"http://HOST/"}`},
		} {
			_, answer := test.s.post(call.name, strings.ReplaceAll(call.body, "HOST", test.host))
			if !strings.Contains(answer, test.text) && call.name != "check" || strings.Contains(answer, test.private) {
				t.Errorf("%s: %s", call.name, answer)
			}
		}
		if !strings.Contains(log.String(), test.private) {
			t.Errorf("the log lacks %s: %s", test.private, &log)
		}
	}
}

// TestPasswords: the service requests nothing for a URL with a user name or password, and
// shows neither; a URL that is only compared with a file may have them.
func TestPasswords(t *testing.T) {
	requests := 0
	s := start(t, newSite(t, func(http.ResponseWriter, *http.Request) { requests++ }), nil)
	const refused = "a user name or password, which a service must not see"
	for _, call := range []struct{ name, body string }{
		{"fetch", `{"url":"http://u:SECRET@shop.example/x"}`},
		{"fetch", `{"url":"SECRET@shop.example"}`},
		{"sitemap", `{"url":"http://u:SECRET@shop.example/x"}`},
		{"resources", `{"url":"http://u:SECRET@shop.example/x"}`},
		{"check", `{"agents":["GPTBot"],"urls":["http://u:SECRET@shop.example/x"]}`},
		{"explain", `{"agents":["GPTBot"],"urls":["http://u:SECRET@shop.example/x"]}`},
	} {
		status, answer := s.post(call.name, call.body)
		if status != http.StatusUnprocessableEntity || !strings.Contains(answer, refused) ||
			!strings.Contains(answer, "remove them") || strings.Contains(answer, "SECRET") {
			t.Errorf("%s: %d %s", call.body, status, answer)
		}
	}
	status, answer := s.post("fetch", `{"url":"u:SECRET@shop.example"}`)
	if status != http.StatusUnprocessableEntity || !strings.Contains(answer, "a user name and password need a scheme") || strings.Contains(answer, "SECRET") {
		t.Errorf("without a scheme: %d %s", status, answer)
	}
	lines := s.streamed(`{"agents":["GPTBot"]}` + "\n" + `"http://u:SECRET@shop.example/"`)
	if len(lines) != 1 || !strings.Contains(lines[0], refused) || strings.Contains(lines[0], "SECRET") {
		t.Errorf("stream: %q", lines)
	}
	status, page := s.postForm(t, url.Values{"site": {"http://u:SECRET@shop.example"}, "urls": {"/cart"}})
	if status != http.StatusUnprocessableEntity || !strings.Contains(page, refused) || strings.Contains(page, "SECRET") {
		t.Errorf("form: %d %s", status, page)
	}
	if requests > 0 {
		t.Errorf("%d requests", requests)
	}
	if status, answer := s.post("check", `{"body":"","urls":["http://u:SECRET@shop.example/x"]}`); status != http.StatusOK || strings.Contains(answer, "SECRET") {
		t.Errorf("compared: %d %s", status, answer)
	}
}

// TestCompressedPage: a page is decompressed before its files are read.
func TestCompressedPage(t *testing.T) {
	s := start(t, newSite(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Accept-Encoding") == "gzip" {
			w.Header().Set("Content-Encoding", "gzip")
			fmt.Fprint(w, zipped("<script src=a.js></script>"), "\n")
		}
	}), nil)
	s.want(http.StatusOK, "resources", `{"url":"http://shop.example/"}`, "http://shop.example/a.js")
}

// TestRedirectsToVictim: a site gets no more requests from redirects of other sites than
// from clients that name it.
func TestRedirectsToVictim(t *testing.T) {
	for _, path := range []string{"/robots.txt", "/search?q=tea"} {
		var victim atomic.Int32
		to := newSite(t, func(w http.ResponseWriter, r *http.Request) {
			if r.Host == "victim.example" {
				victim.Add(1)
				serveShop(w, r)
				return
			}
			http.Redirect(w, r, "http://victim.example"+path, http.StatusFound)
		})
		s := start(t, to, func(c *serve.Config) { c.OriginInterval = time.Hour })
		for i := range 18 {
			for _, call := range []struct{ name, body string }{
				{"fetch", `{"url":"http://hop%d.example/"}`},
				{"check", `{"agents":["GPTBot"],"urls":["http://hop%d.test/"]}`},
				{"sitemap", `{"url":"http://map%d.example/sitemap.xml"}`},
				{"resources", `{"url":"http://page%d.example/"}`},
			} {
				status, answer := s.post(call.name, fmt.Sprintf(call.body, i))
				switch {
				case i == 0:
				case call.name == "sitemap" || call.name == "resources":
					if status != http.StatusTooManyRequests || !strings.Contains(answer, `"code":"origin-rate"`) {
						t.Errorf("%s: %d %s", call.name, status, answer)
					}
				case path == "/robots.txt": // the file is known
					if status != http.StatusOK || !strings.Contains(answer, `"outcome":"rules"`) {
						t.Errorf("%s: %d %s", call.name, status, answer)
					}
				case call.name == "fetch":
					if !strings.Contains(answer, "the redirect to http://victim.example was not followed: the service has sent this site enough requests for now") {
						t.Errorf("%s: %d %s", call.name, status, answer)
					}
				}
			}
		}
		want := map[string]int32{"/robots.txt": 3, "/search?q=tea": 1 + 3}[path] // its robots.txt is obeyed
		if n := victim.Load(); n != want {
			t.Errorf("redirects to %s caused %d requests, want %d", path, n, want)
		}
	}
}

// TestAnswerTimeout: an answer that takes too long is an error before the connection's time
// ends, and work that waits for a site delays no other request.
func TestAnswerTimeout(t *testing.T) {
	t.Parallel()
	ended, waits := make(chan struct{}), make(chan struct{}, 1)
	to := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "<urlset><url><loc>http://shop.example/tea</loc></url>"+strings.Repeat("<x/>", 1<<16))
		w.(http.Flusher).Flush()
		waits <- struct{}{}
		<-ended
	})
	defer close(ended)
	s := start(t, to, func(c *serve.Config) { c.MaxWork, c.AnswerTimeout = 1, 2*time.Second })
	answers := make(chan string)
	go func() {
		status, answer := s.post("sitemap", `{"url":"http://shop.example/sitemap.xml"}`)
		answers <- fmt.Sprint(status, " ", answer)
	}()
	<-waits
	s.want(http.StatusOK, "lint", `{"body":"User-agent: *\nDisallow: /\n"}`)
	if answer := <-answers; !strings.HasPrefix(answer, "504 ") || !strings.Contains(answer, `"code":"site-timeout"`) {
		t.Error(answer)
	}
}
