package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// attacked is the service under attack, and what the attackers have seen.
type attacked struct {
	address string
	port    int // of all hostile sites

	opened, open     atomic.Int64 // connections
	answered         atomic.Int64 // 200
	refused          atomic.Int64 // 429 and 503
	other            atomic.Int64 // other statuses
	longest          atomic.Int64 // nanoseconds until an answer was read
	fetched, leaked  atomic.Int64 // requests that the victim and the proxy's own page got
	sites, forwarded atomic.Int64 // that were named
}

// seen is what attackers have seen, as a crowd reports it.
type seen struct {
	Open, Opened, Answered, Refused, Other, Fetched, Leaked int64
	Longest                                                 time.Duration
}

func (a *attacked) seen() seen {
	return seen{
		Open: a.open.Load(), Opened: a.opened.Load(), Answered: a.answered.Load(), Refused: a.refused.Load(), Other: a.other.Load(),
		Fetched: a.fetched.Load(), Leaked: a.leaked.Load(), Longest: time.Duration(a.longest.Load()),
	}
}

// attacker is a client of an attack.
type attacker struct {
	*attacked
	address [4]byte // that it connects from
	headers string  // of its requests
	slow    bool    // it does not read as fast as it can
	halved  int     // how often it was refused
}

// The addresses of an attack. Every address in 127.0.0.0/8 leads to this machine.
const (
	hostileSites = "127.16.0.0/12"
	victim       = "127.31.255.254"
	trustedProxy = "127.9.0.1"  // a reverse proxy before the service
	proxyAddress = "127.50.0.1" // the service's proxy, which it must not fetch from
)

const post = "POST /v1/%s HTTP/1.1\r\nHost: localhost\r\nContent-Type: %s\r\n%s"

// request returns a request with a body.
func (a *attacker) request(operation string, body []byte) []byte {
	return fmt.Appendf(nil, post+"Content-Length: %d\r\n\r\n%s", operation, "application/json", a.headers, len(body), body)
}

// with opens a connection, which ends with ctx.
func (a *attacker) with(ctx context.Context, use func(*net.TCPConn) error) error {
	dialer := net.Dialer{Timeout: 5 * time.Second, LocalAddr: &net.TCPAddr{IP: a.address[:]}}
	conn, err := dialer.DialContext(ctx, "tcp4", a.attacked.address)
	if err != nil {
		return err
	}
	a.opened.Add(1)
	a.open.Add(1)
	defer a.open.Add(-1)
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	return use(conn.(*net.TCPConn))
}

// ask sends a request, and reads an answer with status 200 by read.
func (a *attacker) ask(ctx context.Context, request []byte, read func(io.Reader) error) error {
	return a.with(ctx, func(conn *net.TCPConn) error {
		if a.slow {
			if err := small(conn); err != nil {
				return err
			}
		}
		began := time.Now()
		if _, err := conn.Write(request); err != nil {
			return err
		}
		return a.answer(bufio.NewReader(conn), began, read)
	})
}

// answer reads an answer, and counts it.
func (a *attacker) answer(r *bufio.Reader, began time.Time, read func(io.Reader) error) error {
	response, err := http.ReadResponse(r, nil)
	if err != nil {
		return err
	}
	defer func() { // without a loop: the clients of a crowd rarely end at once
		if took := int64(time.Since(began)); took > a.longest.Load() {
			a.longest.Store(took)
		}
	}()
	switch response.StatusCode {
	case http.StatusOK:
		a.answered.Add(1)
		return read(response.Body)
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		a.refused.Add(1)
	default:
		a.other.Add(1)
	}
	return all(response.Body)
}

// small limits the buffers of a connection. Attackers are elsewhere: the memory that this
// kernel has for their sides of the connections must not be what the service lacks.
func small(conn *net.TCPConn) error {
	if err := conn.SetReadBuffer(4 << 10); err != nil {
		return err
	}
	return conn.SetWriteBuffer(64 << 10)
}

// all reads everything.
func all(r io.Reader) error {
	_, err := io.Copy(io.Discard, r)
	return err
}

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

// largeAnswer sends a small request for an answer of some 60 MB, and reads it.
func largeAnswer(ctx context.Context, a *attacker) error {
	return a.ask(ctx, a.request("check", largeQuery()), all)
}

// manyAnswers sends a larger request for as much.
func manyAnswers(ctx context.Context, a *attacker) error {
	return a.ask(ctx, a.request("check", manyQuery()), all)
}

// slowAnswer reads 1 KB of an answer a second.
func slowAnswer(ctx context.Context, a *attacker) error {
	a.slow = true
	return a.ask(ctx, a.request("check", largeQuery()), func(r io.Reader) error {
		for {
			if _, err := io.CopyN(io.Discard, r, 1<<10); err != nil {
				return err
			}
			sleep(ctx, time.Second)
		}
	})
}

// unreadAnswer reads nothing of an answer but its status.
func unreadAnswer(ctx context.Context, a *attacker) error {
	a.slow = true
	return a.ask(ctx, a.request("check", largeQuery()), func(io.Reader) error {
		<-ctx.Done()
		return ctx.Err()
	})
}

// sleep waits until ctx ends, at most for a while.
func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// stalledUpload sends all of a large body but its last byte. A client that was refused sends
// half as much the next time, so that nothing of a budget is left.
func stalledUpload(ctx context.Context, a *attacker) error {
	size := 3_999_999 >> a.halved
	head := fmt.Appendf(nil, post+"Content-Length: 4000000\r\n\r\n", "check", "application/json", a.headers)
	before := a.refused.Load()
	err := a.ask(ctx, append(head, blanks()[:size]...), all)
	if a.refused.Load() > before && size > 32<<10 { // perhaps another client was
		a.halved++
	}
	return err
}

// heavyRequest sends one of the heavy requests.
func heavyRequest(ctx context.Context, a *attacker) error {
	one := heavy()[a.sites.Add(1)%int64(len(heavy()))]
	return a.ask(ctx, a.request(one.operation, one.body), all)
}

// manySites asks about 50 hostile sites.
func manySites(ctx context.Context, a *attacker) error {
	q := query{Agents: []string{"a"}}
	for range 50 {
		q.URLs = append(q.URLs, a.site("x"))
	}
	text, _ := json.Marshal(q) // these types have no error
	return a.ask(ctx, a.request("check", text), all)
}

// naming returns an attacker that names another hostile site in each request.
func naming(operation string) func(context.Context, *attacker) error {
	return func(ctx context.Context, a *attacker) error {
		return a.ask(ctx, a.request(operation, fmt.Appendf(nil, `{"url":%q}`, a.site(operation))), all)
	}
}

// site returns a URL of the next hostile site.
func (a *attacked) site(path string) string {
	n := a.sites.Add(1)
	return fmt.Sprintf("http://127.%d.%d.%d:%d/%s", 16+n>>16&15, n>>8&255, n&255, a.port, path)
}

// toProxy names a site outside of this machine, which the service requests from its proxy.
// The address is reserved for documentation: without the proxy there would be no answer.
func toProxy(ctx context.Context, a *attacker) error {
	return a.ask(ctx, a.request("sitemap", fmt.Appendf(nil, `{"url":"http://203.0.113.%d/sitemap.xml"}`, a.sites.Add(1)&255)), all)
}

// smallRequests sends small requests over one connection, each from another client.
func smallRequests(ctx context.Context, a *attacker) error {
	return a.with(ctx, func(conn *net.TCPConn) error {
		answers := bufio.NewReader(conn)
		for {
			one := *a
			one.forward()
			began := time.Now()
			if _, err := conn.Write(one.request("check", []byte(`{"agents":["a"],"urls":["/"],"body":""}`))); err != nil {
				return err
			}
			if err := a.answer(answers, began, all); err != nil {
				return err
			}
		}
	})
}

// proxied returns an attacker whose requests come through the trusted proxy, from another
// IPv6 network each time.
func proxied(one func(context.Context, *attacker) error) func(context.Context, *attacker) error {
	return func(ctx context.Context, a *attacker) error {
		here := *a
		here.address = [4]byte{127, 9, 0, 1}
		here.forward()
		return one(ctx, &here)
	}
}

// forward chooses the next client of the trusted proxy.
func (a *attacker) forward() {
	n := a.forwarded.Add(1)
	a.headers = fmt.Sprintf("X-Forwarded-For: 2001:db8:%x:%x::1\r\n", n>>16&0xffff, n&0xffff)
}
