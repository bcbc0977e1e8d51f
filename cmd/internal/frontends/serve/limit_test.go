package serve_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/frontends/serve"
)

// TestClients: a client is an address, in IPv6 a network of 64 bits, and only a trusted
// proxy says whose request it forwards.
func TestClients(t *testing.T) {
	public := func(c *serve.Config) {
		c.Hosts = []string{"robots.example"}
		c.ClientRate = 0.3
		c.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("10.9.0.0/16")}
	}
	s := start(t, nil, public)
	status := func(forwarded ...string) int {
		t.Helper()
		headers := []string{"Content-Type", "application/json"}
		for _, f := range forwarded {
			headers = append(headers, "X-Forwarded-For", f)
		}
		status, text, header := s.request("POST", "/v1/check", checkBody, headers...)
		if seconds, _ := strconv.Atoi(header.Get("Retry-After")); (status == 429) != (seconds >= 1 && seconds <= 4) {
			t.Errorf("status %d with Retry-After %q: %s", status, header.Get("Retry-After"), text)
		}
		return status
	}
	for _, same := range [][]string{
		{"192.0.2.1", "192.0.2.1", "::ffff:192.0.2.1", "192.0.2.1:4711", "evil, 192.0.2.1, 10.9.0.7", "203.0.113.9, 192.0.2.1"},
		{"2001:db8::1", "2001:db8::2", "2001:db8:0:0:ffff::3", "[2001:db8::4]:80"},
		{"2001:db8:0:1::1"},
		{"192.0.2.2"},
	} {
		accepted := 0
		for range 2 {
			for _, client := range same {
				if status(client) == http.StatusOK {
					accepted++
				}
			}
		}
		if want := min(3, 2*len(same)); accepted != want {
			t.Errorf("%d requests of %q were accepted, want %d", accepted, same, want)
		}
	}
	// Two headers are one list.
	if got := status("203.0.113.50", "192.0.2.1"); got != http.StatusTooManyRequests {
		t.Errorf("a client in the last of two headers: status %d", got)
	}

	// Without proxies the header is a claim of the client.
	s = start(t, nil, func(c *serve.Config) { public(c); c.TrustedProxies = nil })
	accepted := 0
	for i := range 6 {
		if status("192.0.2."+strconv.Itoa(i)) == http.StatusOK {
			accepted++
		}
	}
	if accepted != 3 {
		t.Errorf("a client with claims had %d answers", accepted)
	}

	// A service for this machine has no such limit.
	s = start(t, nil, nil)
	for range 300 {
		if got := status(); got != http.StatusOK {
			t.Fatalf("status %d", got)
		}
	}
}

// TestFetchLimits: a client cannot make the service fetch from many sites, nor from one
// often.
func TestFetchLimits(t *testing.T) {
	to := newSite(t, serveShop)
	s := start(t, to, func(c *serve.Config) { c.ClientFetchRate, c.OriginInterval = 0.5, time.Hour })
	limited := 0
	for i := range 20 {
		if status, _ := s.post("check", fmt.Sprintf(`{"urls":["http://shop%d.example/"]}`, i)); status == http.StatusTooManyRequests {
			limited++
		}
	}
	// five at once, one on credit, and those of this time
	if n := to.requests.Load(); n < 5 || n > 8 || limited != 20-int(n) {
		t.Errorf("%d fetches, %d refused requests", n, limited)
	}
	s.want(http.StatusOK, "check", checkBody)

	to = newSite(t, serveShop)
	s = start(t, to, func(c *serve.Config) { c.OriginInterval = time.Hour })
	sources := ""
	for range 5 {
		_, text := s.post("fetch", `{"url":"http://shop.example"}`)
		var r struct{ Site struct{ Source string } }
		if err := json.Unmarshal([]byte(text), &r); err != nil {
			t.Fatal(err)
		}
		sources += r.Site.Source + " "
	}
	if n := to.requests.Load(); n != 3 || sources != "network network network memory memory " {
		t.Errorf("%d fetches of one site, from %s", n, sources)
	}
	for _, name := range []string{"sitemap", "resources"} {
		s.want(http.StatusTooManyRequests, name, `{"url":"http://shop.example/"}`, `"code":"origin-rate"`)
	}
}

// TestSlowClients: a client that sends its headers or body too slowly, or nothing, is cut
// off.
func TestSlowClients(t *testing.T) {
	t.Parallel()
	s := start(t, nil, func(c *serve.Config) {
		c.HeaderTimeout, c.BodyTimeout, c.IdleTimeout = 200*time.Millisecond, 300*time.Millisecond, 200*time.Millisecond
	})
	head := "POST /v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n"
	var clients sync.WaitGroup
	for name, request := range map[string]string{"nothing": "", "a header": "GET / HTTP/1.1\r\nHost: localhost\r\nX-", "a body": head + "{", "a second request": "GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n"} {
		clients.Go(func() {
			conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
			if err != nil {
				t.Error(err)
				return
			}
			defer conn.Close()
			io.WriteString(conn, request)
			go func() { // a byte now and then
				for range 100 {
					time.Sleep(50 * time.Millisecond)
					if _, err := io.WriteString(conn, "a"); err != nil {
						return
					}
				}
			}()
			conn.SetReadDeadline(time.Now().Add(serve.Patience))
			if _, err := io.Copy(io.Discard, conn); err != nil && os.IsTimeout(err) {
				t.Errorf("%s: the connection is still open", name)
			}
		})
	}
	clients.Wait()
}

// TestManyConnections: clients that wait occupy all connections, and the service answers
// others.
func TestManyConnections(t *testing.T) {
	t.Parallel()
	many := 600
	if os.Getenv("ROBOTSTXT_LONG") != "" {
		many = 10_000
	}
	const most = 50
	s := start(t, nil, func(c *serve.Config) {
		c.MaxConns = most
		c.HeaderTimeout = time.Minute
		c.BodyTimeout = time.Minute
	})
	kinds := []string{"", "GET / HTTP/1.1\r\nHost: localhost\r\nX: ", "POST /v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"}
	var closed sync.WaitGroup
	var mu sync.Mutex
	var open []net.Conn
	ended := 0
	for i := range many {
		conn := s.dial(t)
		open = append(open, conn)
		io.WriteString(conn, kinds[i%len(kinds)])
		closed.Go(func() {
			_, _ = io.Copy(io.Discard, conn)
			mu.Lock()
			ended++
			mu.Unlock()
			conn.Close()
		})
		if i%100 == 99 {
			s.want(http.StatusOK, "check", checkBody)
		}
	}
	for range serve.Patience / (10 * time.Millisecond) {
		mu.Lock()
		n := ended
		mu.Unlock()
		if n >= many-most {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	mu.Lock()
	if ended < many-most {
		t.Errorf("%d connections are open, more than %d", many-ended, most)
	}
	mu.Unlock()
	for _, conn := range open {
		conn.Close()
	}
	closed.Wait()
	// One client may have some of the connections only.
	s = start(t, nil, func(c *serve.Config) { c.ClientConns = 3 })
	refused := 0
	for range 6 {
		conn := s.dial(t)
		io.WriteString(conn, "GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n")
		conn.SetReadDeadline(time.Now().Add(serve.Patience))
		if _, err := bufio.NewReader(conn).ReadString('\n'); err != nil {
			refused++
		}
	}
	if refused != 3 {
		t.Errorf("%d of 6 connections were refused, want 3", refused)
	}
}

// newHeldSite returns a site that answers its only request after release.
func newHeldSite(t *testing.T) (to *site, began chan struct{}, release func()) {
	began, answer := make(chan struct{}), make(chan struct{})
	to = newSite(t, func(w http.ResponseWriter, r *http.Request) {
		close(began)
		<-answer
		serveShop(w, r)
	})
	release = sync.OnceFunc(func() { close(answer) })
	t.Cleanup(release) // the site waits for it
	return to, began, release
}

// TestBusyConnections: a connection whose request is being answered is not closed for
// another one.
func TestBusyConnections(t *testing.T) {
	to, began, release := newHeldSite(t)
	s := start(t, to, func(c *serve.Config) { c.MaxConns = 8 })
	done := make(chan string)
	go func() {
		_, text := s.post("check", `{"urls":["http://shop.example/cart"]}`)
		done <- text
	}()
	<-began
	for range 20 {
		s.dial(t)
		s.want(http.StatusOK, "check", checkBody)
	}
	release()
	if text := <-done; !strings.Contains(text, `"verdict":"disallowed"`) {
		t.Errorf("the first request had the answer %q", text)
	}
}

// TestDrain: a service that is stopped answers what is under way, and is not ready.
func TestDrain(t *testing.T) {
	t.Parallel()
	const delay = time.Second
	to, began, release := newHeldSite(t)
	s := start(t, to, func(c *serve.Config) { c.DrainDelay = delay })
	if status, text, _ := send(t, "GET", s.admin+"/readyz", ""); status != http.StatusOK {
		t.Errorf("before: status %d: %s", status, text)
	}
	done := make(chan string)
	go func() {
		_, text := s.post("check", `{"urls":["http://shop.example/cart"]}`)
		done <- text
	}()
	<-began
	stopped := make(chan error)
	go func() { stopped <- s.stop() }()
	stopping := time.Now()
	for status := 0; status != http.StatusServiceUnavailable; {
		status, _, _ = send(t, "GET", s.admin+"/readyz", "")
	}
	// A balancer may send some requests until it has noticed.
	response, err := http.Post(s.url+"/v1/check", "application/json", strings.NewReader(checkBody))
	if inTime := time.Since(stopping) < delay; err == nil {
		response.Body.Close()
		if inTime && response.StatusCode != http.StatusOK {
			t.Errorf("a request during the delay: status %d", response.StatusCode)
		}
	} else if inTime {
		t.Error(err)
	}
	if status, _, _ := send(t, "GET", s.admin+"/healthz", ""); status != http.StatusOK {
		t.Errorf("it is not healthy: status %d", status)
	}
	release()
	if text := <-done; !strings.Contains(text, `"verdict":"disallowed"`) {
		t.Errorf("the request under way had the answer %q", text)
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
	if conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://")); err == nil {
		conn.Close()
		t.Error("it still listens")
	}
}

// TestListen: an address that is in use is an error; a default one of metrics is not.
func TestListen(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, c := range []serve.Config{{Listen: l.Addr().String(), Admin: serve.NoAdmin},
		{Listen: "127.0.0.1:0", Admin: l.Addr().String()}} {
		c.UserAgent = "TestBot (+https://shop.example)"
		s, err := serve.New(c)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Listen(t.Context()); err == nil {
			t.Errorf("%s and %s: no error", c.Listen, c.Admin)
		}
	}
}
