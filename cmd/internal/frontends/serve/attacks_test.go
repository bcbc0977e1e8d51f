package serve_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/frontends/serve"
)

// TestAttacks attacks a public service with real connections, while honest clients of other
// networks ask it: each of their requests must be answered. Attackers hold what they got, and the
// time limits are too long to free it, so only the bounds for clients and networks help. With
// ROBOTSTXT_LONG there are eight times as many clients of both kinds.
func TestAttacks(t *testing.T) {
	scale := 1
	if os.Getenv("ROBOTSTXT_LONG") != "" {
		scale = 8
	}
	probe, err := (&net.Dialer{LocalAddr: address(1, 1)}).Dial("tcp", newSite(t, serveShop).Listener.Addr().String())
	if err != nil {
		t.Skip("NOT TESTED: the service under attacks, because this system has one loopback address:", err)
	}
	probe.Close()
	for name, attack := range map[string]func(*testing.T, int){
		"silent clients of many networks": silentNetworks, "silent clients of a network": silentNetwork, "unread answers": unreadAnswers,
		"unread streams": unreadStreams, "slow bodies": slowBodies, "waiting requests of a network": waitingRequests,
		"long requests of a network": longRequests, "many requests of few clients": manyRequests,
	} {
		t.Run(name, func(t *testing.T) { attack(t, scale) })
	}
}

// address returns an address of this machine. Its first 24 bits are a network.
func address(network, host int) *net.TCPAddr {
	return &net.TCPAddr{IP: net.IPv4(127, 1, byte(network), byte(host))}
}

// startPublic starts a public service whose connections end by no time limit during a test.
func startPublic(t *testing.T, to *site, change func(*serve.Config)) *service {
	t.Helper()
	if to == nil {
		to = newSite(t, serveShop)
	}
	return start(t, to, func(c *serve.Config) {
		c.Hosts, c.TrustedProxies = []string{"robots.example"}, []netip.Prefix{netip.MustParsePrefix("127.9.0.1/32")}
		c.HeaderTimeout = serve.Patience
		c.BodyTimeout = serve.Patience
		c.IdleTimeout = serve.Patience
		c.WriteTimeout = serve.Patience
		c.AnswerTimeout = serve.Patience
		c.MinRate = 1
		change(c)
	})
}

// closed is the status of a connection that the service has closed without an answer.
const closed = "closed"

// crowd is the clients of an attack.
type crowd struct {
	t *testing.T
	s *service

	mu       sync.Mutex
	conns    []net.Conn
	statuses map[string]int // of the first answers on connections
}

func newCrowd(t *testing.T, s *service) *crowd {
	c := &crowd{t: t, s: s, statuses: make(map[string]int)}
	t.Cleanup(c.leave)
	return c
}

// join opens a connection and sends a text. It reads the status of the answer, then as much as
// read does.
func (c *crowd) join(from *net.TCPAddr, text string, read func(net.Conn)) {
	c.t.Helper()
	conn, err := (&net.Dialer{LocalAddr: from}).Dial("tcp", strings.TrimPrefix(c.s.url, "http://"))
	if err != nil {
		c.t.Fatal(err)
	}
	c.mu.Lock()
	c.conns = append(c.conns, conn)
	c.mu.Unlock()
	_ = conn.(*net.TCPConn).SetReadBuffer(4096)
	go func() { _, _ = io.WriteString(conn, text) }() // an error means that the service reads no more
	go func() {
		status, head := closed, make([]byte, len("HTTP/1.1 200"))
		if _, err := io.ReadFull(conn, head); err == nil {
			status = string(head[len("HTTP/1.1 "):])
		}
		c.mu.Lock()
		c.statuses[status]++
		c.mu.Unlock()
		if read != nil {
			read(conn)
		}
	}()
}

// leave closes the connections.
func (c *crowd) leave() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, conn := range c.conns {
		conn.Close()
	}
}

// count returns how many connections have one of these statuses.
func (c *crowd) count(statuses ...string) (n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, status := range statuses {
		n += c.statuses[status]
	}
	return n
}

// await waits until so many connections have a status. It returns the number without an answer:
// refused or closed.
func (c *crowd) await(n int) (refused int) {
	c.t.Helper()
	until(c.t, "the attack", func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		all := 0
		for _, count := range c.statuses {
			all += count
		}
		return all >= n
	})
	refused = c.count("429", "503", closed)
	c.t.Logf("%d connections: %v", len(c.conns), c.statuses)
	return refused
}

// post is a request of the API with a body, of which the last bytes can be missing.
func post(operation, body string, missing int, headers string) string {
	return fmt.Sprintf("POST /v1/%s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n%sContent-Length: %d\r\n\r\n%s",
		operation, headers, len(body), body[:len(body)-missing])
}

// forwarded is a header of a trusted proxy for a client of one IPv6 network.
func forwarded(client int) string {
	return fmt.Sprintf("X-Forwarded-For: 2001:db8:0:%x::1\r\n", client)
}

// honest lets clients of several networks send all kinds of requests, over connections that stay
// open and over new ones. Each must be answered.
func (c *crowd) honest(clients int) {
	c.t.Helper()
	const file = `"body":"User-agent: *\nDisallow: /cart\n","agents":["Googlebot"]`
	requests := []struct{ method, path, kind, body, part string }{
		{"POST", "/v1/check", "application/json", `{` + file + `,"urls":["/cart"]}`, `"verdict":"disallowed"`},
		{"POST", "/v1/check", "application/json", `{"urls":["http://shop.example/cart"]}`, `"verdict":"disallowed"`},
		{"POST", "/v1/check", "application/json", `{"body":"` + strings.Repeat(`# tea\n`, 3000) + `","urls":["/tea"]}`, `"verdict":"allowed"`},
		{"POST", "/v1/explain", "application/json", `{` + file + `,"urls":["/cart"]}`, `"verdict":"disallowed"`},
		{"POST", "/v1/lint", "application/json", `{"body":"User-agent: *\nDisalow: /cart\n"}`, `"findings":[{`},
		{"POST", "/v1/check", "application/x-ndjson", `{` + file + "}\n" + strings.Repeat("\"/tea\"\n", 9) + "\"/cart\"\n", `"verdict":"disallowed"`},
		{"GET", "/", "", "", "<!doctype html>"},
	}
	var all sync.WaitGroup
	for i := range clients {
		all.Go(func() {
			from := &net.Dialer{LocalAddr: address(200+i%50, 1+i/50)}
			for _, once := range []bool{false, true} {
				client := &http.Client{Timeout: serve.Patience,
					Transport: &http.Transport{DialContext: from.DialContext, DisableKeepAlives: once}}
				defer client.CloseIdleConnections()
				for _, r := range requests {
					if err := ask(client, r.method, c.s.url+r.path, r.kind, r.body, r.part); err != nil {
						c.t.Errorf("an honest request failed: %s %s: %v", r.path, r.kind, err)
					}
				}
			}
		})
	}
	all.Wait()
}

// maxTries is how often a request is sent that was refused because its turn did not come for seconds:
// a machine that stops this process for as long causes that too.
const maxTries = 4

// ask sends a request, whose answer must have a part.
func ask(client *http.Client, method, url, kind, body, part string) error {
	for range maxTries {
		r, err := http.NewRequest(method, url, strings.NewReader(body))
		if err != nil {
			return err
		}
		r.Header.Set("Content-Type", kind)
		response, err := client.Do(r)
		if err != nil {
			return err
		}
		text, err := io.ReadAll(response.Body)
		response.Body.Close()
		switch {
		case err != nil:
			return err
		case response.StatusCode == http.StatusServiceUnavailable && strings.Contains(string(text), `"code":"busy"`):
			continue
		case response.StatusCode != http.StatusOK || !strings.Contains(string(text), part):
			return fmt.Errorf("status %d without %s: %.300s", response.StatusCode, part, text)
		}
		return nil
	}
	return fmt.Errorf("refused as busy %d times", maxTries)
}

// silent are the beginnings of requests whose rest does not come: none, a header, and a body.
var silent = []string{"", "GET / HTTP/1.1\r\nHost: localhost\r\nX: ", post("check", checkBody, 20, "")}

// silentNetworks: clients of many networks occupy all connections. One of theirs is closed for
// each honest one.
func silentNetworks(t *testing.T, scale int) {
	most := 64 * scale
	s := startPublic(t, nil, func(c *serve.Config) { c.MaxConns = most })
	c := newCrowd(t, s)
	for network := range 20 * scale {
		for i := range 15 {
			c.join(address(network, 1), silent[i%len(silent)], nil)
		}
	}
	if refused := c.await(len(c.conns) - most); refused > len(c.conns)-most {
		t.Errorf("%d of %d connections were closed, although %d may be open", refused, len(c.conns), most)
	}
	c.honest(3 * scale)
}

// silentNetwork: clients of one network get a quarter of the connections.
func silentNetwork(t *testing.T, scale int) {
	most := 128 * scale
	s := startPublic(t, nil, func(c *serve.Config) { c.MaxConns = most })
	c := newCrowd(t, s)
	for i := range most {
		c.join(address(1, 1+i%200), silent[i%len(silent)], nil)
	}
	c.await(most - most/4)
	c.honest(3 * scale)
	if open := most - c.count(closed); open != most/4 {
		t.Errorf("a network has %d of %d connections", open, most)
	}
}

// unreadAnswers: answers of megabytes that clients do not read take a share of the memory, and no
// turn.
func unreadAnswers(t *testing.T, scale int) {
	s := startPublic(t, nil, func(c *serve.Config) { c.RequestMemory, c.MaxWork, c.MaxRequests = 32<<20, 1, 1 })
	c := newCrowd(t, s)
	for i := range 24 * scale {
		c.join(address(1+i%2, 1+i%200), post("check", serve.Amplifying(t, 20, 1000), 0, ""), nil)
	}
	if refused := c.await(len(c.conns)); refused == 0 || refused == len(c.conns) {
		t.Errorf("%d of %d requests were refused", refused, len(c.conns))
	}
	c.honest(3 * scale)
	if used := s.server.Used().Memory; used > 16<<20 {
		t.Errorf("two networks use %d bytes of %d", used, 32<<20)
	}
}

// unreadStreams: a network gets a quarter of the streams.
func unreadStreams(t *testing.T, scale int) {
	most := 16 * scale
	s := startPublic(t, nil, func(c *serve.Config) { c.MaxStreams = most })
	c := newCrowd(t, s)
	line := "\"/" + strings.Repeat("tea", 100) + "\"\n"
	body := `{"body":"User-agent: *\nDisallow: /t*e*a*x"}` + "\n" + strings.Repeat(line, 8000)
	head := "POST /v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\nContent-Length: "
	for i := range 2 * most {
		c.join(address(1, 1+i%200), fmt.Sprintf("%s%d\r\n\r\n%s", head, len(body), body), nil)
	}
	if refused := c.await(2 * most); refused != 2*most-most/4 {
		t.Errorf("%d of %d streams were refused, although a network may have %d", refused, 2*most, most/4)
	}
	c.honest(3 * scale)
}

// slowBodies: bodies that do not arrive take a share of the memory.
func slowBodies(t *testing.T, scale int) {
	s := startPublic(t, nil, func(c *serve.Config) { c.RequestMemory = 32 << 20 })
	c := newCrowd(t, s)
	body := strings.Repeat(" ", 1<<20)
	for i := range 30 * scale {
		c.join(address(1+i%2, 1+i%200), post("check", body, 1, ""), nil)
	}
	until(t, "the share of the uploads", func() bool { return c.count("429") > 0 && s.server.Used().Memory > 8<<20 })
	c.honest(3 * scale)
	if used := s.server.Used().Memory; used > 16<<20 {
		t.Errorf("two networks use %d bytes of %d", used, 32<<20)
	}
}

// waitingRequests: clients of one network, who come through a trusted proxy, have a quarter of the
// requests at the same time, here those that wait for a slow site.
func waitingRequests(t *testing.T, scale int) {
	most, release := 128*scale, make(chan struct{})
	to := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Host == "slow.example" {
			<-release
		}
		serveShop(w, r)
	})
	t.Cleanup(func() { close(release) })
	s := startPublic(t, to, func(c *serve.Config) { c.MaxConns, c.FetchTimeout = 2*most, serve.Patience })
	c := newCrowd(t, s)
	for i := range most {
		c.join(&net.TCPAddr{IP: net.IPv4(127, 9, 0, 1)}, post("check", `{"urls":["http://slow.example/"]}`, 0, forwarded(i)), nil)
	}
	share := (2*most + 2*most/8 + 1) / 4
	if refused := c.await(most - share); refused != most-share {
		t.Errorf("%d of %d requests were refused, although a network may have %d", refused, most, share)
	}
	c.honest(3 * scale)
}

// longRequests: a network computes without end. Other networks have their turns.
func longRequests(t *testing.T, scale int) {
	s := startPublic(t, nil, func(c *serve.Config) { c.MaxWork = 1 })
	c := newCrowd(t, s)
	request := serve.Amplifying(t, 20, 1000)
	for i := range 64 {
		c.join(&net.TCPAddr{IP: net.IPv4(127, 9, 0, 1)}, post("check", request, 0, forwarded(i)), func(conn net.Conn) {
			_, _ = io.Copy(io.Discard, conn)
		})
	}
	until(t, "the queue", func() bool { return s.server.Waiting() > 16 })
	c.honest(3 * scale)
}

// manyRequests: clients send small requests as fast as they can. Each gets what its rate permits.
func manyRequests(t *testing.T, scale int) {
	const rate, burst, each = 20, 200, 400
	s := startPublic(t, nil, func(c *serve.Config) { c.ClientRate = rate })
	c := newCrowd(t, s)
	clients, began := 2*scale, time.Now()
	var mu sync.Mutex
	var all sync.WaitGroup
	answered, refused := 0, 0
	for i := range clients {
		all.Go(func() {
			from := &net.Dialer{LocalAddr: address(1, 1+i)}
			client := &http.Client{Timeout: serve.Patience, Transport: &http.Transport{DialContext: from.DialContext}}
			defer client.CloseIdleConnections()
			for range each {
				response, err := client.Post(s.url+"/v1/check", "application/json", strings.NewReader(checkBody))
				if err != nil {
					t.Error(err)
					return
				}
				_, _ = io.Copy(io.Discard, response.Body)
				response.Body.Close()
				mu.Lock()
				if response.StatusCode == http.StatusTooManyRequests {
					refused++
				} else {
					answered++
				}
				mu.Unlock()
			}
		})
	}
	c.honest(3 * scale)
	all.Wait()
	if most := clients * (burst + int(rate*time.Since(began).Seconds()) + 1); answered > most ||
		answered < clients*burst || answered+refused != clients*each {
		t.Errorf("%d requests were answered and %d refused, at most %d may be answered", answered, refused, most)
	}
}
