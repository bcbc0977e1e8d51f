package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// attacked is the service under attack, as its attackers know it.
type attacked struct {
	address string
	port    int // of all hostile sites

	sites, forwarded atomic.Int64 // that were named

	mu   sync.Mutex
	seen seen
}

// seen is what attackers have seen, as a crowd reports it.
type seen struct {
	Open, Opened             int // connections
	Answered, Refused, Other int // statuses: 200, 429 and 503, others
	Fetched, Leaked          int // requests that the victim and the proxy's own page got
	Sites                    int // requests that hostile sites got
	Longest                  time.Duration
}

// count changes what attackers have seen, and returns a copy.
func (a *attacked) count(change func(*seen)) seen {
	a.mu.Lock()
	defer a.mu.Unlock()
	change(&a.seen)
	return a.seen
}

// attacker is a client of an attack.
type attacker struct {
	*attacked
	conn    *net.TCPConn // the connection of now
	headers string       // of its requests
	halved  int          // how often it was refused
}

// The addresses of an attack. Every address in 127.0.0.0/8 leads to this machine.
const (
	hostileSites = "127.16.0.0/12"
	victim       = "127.31.255.254"
	trustedProxy = "127.9.0.1"  // a reverse proxy before the service
	proxyAddress = "127.50.0.1" // the service's proxy, which it must not fetch from
)

// post begins a request.
const post = "POST /v1/%s HTTP/1.1\r\nHost: localhost\r\nContent-Type: %s\r\n"

// request returns a request with a body.
func (a *attacker) request(operation string, body []byte) []byte {
	return fmt.Appendf(nil, post+"%sContent-Length: %d\r\n\r\n%s", operation, "application/json", a.headers, len(body), body)
}

// connect opens a connection for an attack, and closes it when the attack ends.
func (a *attacker) connect(k *attack, address net.IP) error {
	dialer := net.Dialer{Timeout: 5 * time.Second, LocalAddr: &net.TCPAddr{IP: address}}
	conn, err := dialer.Dial("tcp4", a.address)
	if err != nil {
		return err
	}
	defer conn.Close()
	a.conn = conn.(*net.TCPConn)
	a.count(func(s *seen) { s.Opened++; s.Open++ })
	defer a.count(func(s *seen) { s.Open-- })
	if k.slow {
		// Attackers are elsewhere: the service must not lack the memory that this kernel
		// needs for their side of the connections.
		if err := errors.Join(a.conn.SetReadBuffer(4<<10), a.conn.SetWriteBuffer(64<<10)); err != nil {
			return err
		}
	}
	return k.one(a)
}

// asking returns a client that sends a request, and reads an answer with status 200 by read.
func asking(request func(*attacker) []byte, read func(io.Reader) error) func(*attacker) error {
	return func(a *attacker) error { return a.ask(request(a), bufio.NewReader(a.conn), read) }
}

// ask sends a request, and reads and counts the answer.
func (a *attacker) ask(request []byte, answers *bufio.Reader, read func(io.Reader) error) error {
	began := time.Now()
	if _, err := a.conn.Write(request); err != nil {
		return err
	}
	response, err := http.ReadResponse(answers, nil)
	if err != nil {
		return err
	}
	defer func() {
		took := time.Since(began)
		a.count(func(s *seen) { s.Longest = max(s.Longest, took) })
	}()
	a.count(func(s *seen) {
		switch response.StatusCode {
		case http.StatusOK:
			s.Answered++
		case http.StatusTooManyRequests, http.StatusServiceUnavailable:
			s.Refused++
		default:
			s.Other++
		}
	})
	if response.StatusCode != http.StatusOK {
		read = readAll
	}
	return read(response.Body)
}

func readAll(r io.Reader) error {
	_, err := io.Copy(io.Discard, r)
	return err
}

// readSlowly reads 1 KB a second.
func readSlowly(r io.Reader) error {
	for {
		if _, err := io.CopyN(io.Discard, r, 1<<10); err != nil {
			return err
		}
		time.Sleep(time.Second)
	}
}

// readPaced reads 20 to 80 KB a second.
func readPaced(r io.Reader) error {
	for rate := 20_000 + rand.Int64N(60_000); ; time.Sleep(time.Second) {
		if _, err := io.CopyN(io.Discard, r, rate); err != nil {
			return err
		}
	}
}

// readASecond reads nothing for a second.
func readASecond(io.Reader) error {
	time.Sleep(time.Second)
	return nil
}

// readNothing waits for the end of the attack.
func readNothing(io.Reader) error { select {} }

// query is a request of /v1/check.
type query struct {
	Agents []string `json:"agents"`
	URLs   []string `json:"urls"`
	Body   string   `json:"body,omitempty"`
}

// newQuery returns a query with agents of three letters, and paths of a length. The rule of
// its file is in every answer.
func newQuery(agents, urls, length, stars int) []byte {
	q := query{Body: "User-agent: *\nDisallow: /p" + strings.Repeat("*", stars)}
	for i := range agents {
		q.Agents = append(q.Agents, string([]byte{'a' + byte(i/676), 'a' + byte(i/26%26), 'a' + byte(i%26)}))
	}
	for i := range urls {
		text := fmt.Sprintf("/p%d/", i)
		q.URLs = append(q.URLs, text+strings.Repeat("x", max(length-len(text), 0)))
	}
	text, _ := json.Marshal(q) // these types have no error
	return text
}

var (
	largeQuery = sync.OnceValue(func() []byte { return newQuery(1000, 100, 15, 430) })
	manyQuery  = sync.OnceValue(func() []byte { return newQuery(11, 9000, 66, 350) })
	blanks     = sync.OnceValue(func() []byte { return bytes.Repeat([]byte{' '}, 4_000_000) })
)

// large is a small request for an answer of about 60 MB.
func large(a *attacker) []byte { return a.request("check", largeQuery()) }

// many is a larger request for as much.
func many(a *attacker) []byte { return a.request("check", manyQuery()) }

// heavyRequest is one of the heavy requests.
func heavyRequest(a *attacker) []byte {
	one := heavy()[a.sites.Add(1)%int64(len(heavy()))]
	return a.request(one.operation, one.body)
}

// manyFiles is a request with files of sites that take more memory decoded than as text.
func manyFiles(a *attacker) []byte {
	files := strings.Repeat(`{"schema":1},`, 320_000)
	return a.request("check", []byte(`{"body":"","urls":["/"],"files":[`+strings.TrimSuffix(files, ",")+`]}`))
}

// manySites is a request about 50 hostile sites.
func manySites(a *attacker) []byte {
	q := query{Agents: []string{"a"}}
	for range 50 {
		q.URLs = append(q.URLs, a.site("x"))
	}
	text, _ := json.Marshal(q) // these types have no error
	return a.request("check", text)
}

// naming returns requests each of which names another hostile site.
func naming(operation string) func(*attacker) []byte {
	return func(a *attacker) []byte {
		return a.request(operation, fmt.Appendf(nil, `{"url":%q}`, a.site(operation)))
	}
}

// site returns a URL of the next hostile site.
func (a *attacked) site(path string) string {
	return fmt.Sprintf("http://%s:%d/%s", a.host(), a.port, path)
}

// host returns the host of the next hostile site.
func (a *attacked) host() string {
	n := a.sites.Add(1)
	return fmt.Sprintf("127.%d.%d.%d", 16+n>>16&15, n>>8&255, n&255)
}

// permits asks what may be done with a page of another hostile site.
func permits(a *attacker) []byte {
	return a.request("permit", fmt.Appendf(nil, `{"url":%q,"follow":true}`, a.site("page")))
}

// module asks for the largest file of the page.
func module(a *attacker) []byte {
	return []byte("GET /robots.wasm HTTP/1.1\r\nHost: localhost\r\n" + a.headers + "\r\n")
}

// toProxy names a site outside of this machine, which the service requests from its proxy.
// The address is reserved for documentation: without the proxy there would be no answer.
func toProxy(a *attacker) []byte {
	return a.request("sitemap", fmt.Appendf(nil, `{"url":"http://203.0.113.%d/sitemap.xml"}`, a.sites.Add(1)&255))
}

// stalledUpload sends all of a large body but its last byte. A client that was refused sends
// half as much the next time, so that nothing of a budget is left.
func stalledUpload(a *attacker) error {
	size := 3_999_999 >> a.halved
	head := fmt.Appendf(nil, post+"Content-Length: 4000000\r\n\r\n", "check", "application/json")
	refused := func() int { return a.count(func(*seen) {}).Refused }
	before := refused()
	err := a.ask(append(head, blanks()[:size]...), bufio.NewReader(a.conn), readAll)
	if refused() > before && size > 32<<10 { // perhaps another client was
		a.halved++
	}
	return err
}

// smallRequests sends small requests over one connection, each from another client.
func smallRequests(a *attacker) error {
	for answers := bufio.NewReader(a.conn); ; a.forward() {
		if err := a.ask(a.request("check", []byte(`{"agents":["a"],"urls":["/"],"body":""}`)), answers, readAll); err != nil {
			return err
		}
	}
}

// forward chooses the next client of the trusted proxy, of another IPv6 network.
func (a *attacker) forward() {
	n := a.forwarded.Add(1)
	a.headers = fmt.Sprintf("X-Forwarded-For: 2001:db8:%x:%x::1\r\n", n&0xffff, n>>16&0xffff)
}
