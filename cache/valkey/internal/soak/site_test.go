package soak_test

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cache/valkey/internal/faulty"
	"github.com/kosterhq/robotstxt/fetch"
)

// kind is how an origin answers while it is up.
type kind struct {
	respond   func(s *site, o *siteOrigin, conn net.Conn)
	lifetime  time.Duration
	outcome   fetch.Outcome
	allowsAll bool
}

func file(headers ...string) func(*site, *siteOrigin, net.Conn) {
	return func(_ *site, o *siteOrigin, conn net.Conn) {
		faulty.Say(conn, faulty.Whole("200 OK", o.file(), headers...))
	}
}

func status(line string, headers ...string) func(*site, *siteOrigin, net.Conn) {
	return func(_ *site, _ *siteOrigin, conn net.Conn) { faulty.Say(conn, faulty.Whole(line, "", headers...)) }
}

const day = 24 * time.Hour

var kinds = []kind{
	{file(), day, fetch.OutcomeRules, false},
	{file("Cache-Control: max-age=300"), 5 * time.Minute, fetch.OutcomeRules, false},
	{file("Cache-Control: max-age=3600"), time.Hour, fetch.OutcomeRules, false},
	{func(_ *site, o *siteOrigin, conn net.Conn) {
		faulty.Say(conn, faulty.Whole("200 OK", faulty.Gzipped(o.file()), "Content-Encoding: gzip", "Cache-Control: max-age=900"))
	}, 15 * time.Minute, fetch.OutcomeRules, false},
	{status("404 Not Found"), day, fetch.OutcomeAllowAll, true},
	{func(s *site, o *siteOrigin, conn net.Conn) {
		faulty.Say(conn, faulty.Whole("302 Found", "", "Location: "+s.target(o)+"/robots.txt"))
	}, time.Hour, fetch.OutcomeRules, false},
	{func(_ *site, o *siteOrigin, conn net.Conn) {
		text := o.file()
		faulty.Say(conn, faulty.Head("200 OK", "Transfer-Encoding: chunked", "Cache-Control: max-age=600")+fmt.Sprintf("\r\n%x\r\n%s\r\n0\r\n\r\n", len(text), text))
	}, 10 * time.Minute, fetch.OutcomeRules, false},
	{status("200 OK", "Cache-Control: max-age=1800"), 30 * time.Minute, fetch.OutcomeRules, true},
	{status("403 Forbidden"), day, fetch.OutcomeAllowAll, true},
}

// siteOrigin is one origin. Its visits are those of each client.
type siteOrigin struct {
	id      int
	url     string
	healthy bool
	kind    kind
	fault   func(conn net.Conn)
	period  time.Duration // it is up and down for so long in turn; 0 if it is never up
	bad     atomic.Int64  // faulty answers

	mu     sync.Mutex
	visits map[int]visit
}

// visit is the last request of a client for robots.txt.
type visit struct {
	at    time.Time
	jumps int64
	epoch int64
	again time.Duration // the next request should not be earlier
}

func (o *siteOrigin) file() string {
	return fmt.Sprintf("User-agent: *\nDisallow: /\nAllow: /of/%d/\n", o.id)
}

func (o *siteOrigin) page() string      { return fmt.Sprintf("%s/of/%d/page", o.url, o.id) }
func (o *siteOrigin) otherPage() string { return fmt.Sprintf("%s/of/%d/page", o.url, o.id+1) }

// isDown reports whether the origin is down at a time.
func (o *siteOrigin) isDown(at time.Time) bool {
	return !o.healthy && (o.period == 0 || at.UnixNano()/int64(o.period)%2 == 0)
}

// site is all origins, with different addresses on one port.
type site struct {
	clock   *clock
	port    int
	origins []*siteOrigin
	epoch   atomic.Int64 // see soak; 0 while the store may fail
	evicts  func(client int) bool

	fetches  atomic.Int64
	tooEarly atomic.Int64 // by a client that had an answer or waited after a fault
	strange  atomic.Int64 // requests that no client should make
	example  atomic.Pointer[string]

	mu     sync.Mutex
	epochs map[int64]*epochCount
	conns  map[net.Conn]bool
	served sync.WaitGroup

	judging sync.WaitGroup // of fetches that seem to be too early
}

// epochCount counts the fetches in a time in which the store works, and those of
// them that another client had made already.
type epochCount struct{ fetches, extra, storeFailures int64 }

func startSite(t testing.TB, c *clock, origins int) *site {
	s := &site{clock: c, epochs: map[int64]*epochCount{}, conns: map[net.Conn]bool{}}
	listener, err := net.Listen("tcp4", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	s.port = listener.Addr().(*net.TCPAddr).Port
	closed, err := net.Listen("tcp4", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	closedPort := closed.Addr().(*net.TCPAddr).Port
	closed.Close()
	r := rand.New(rand.NewPCG(1, 2))
	failing := 0
	for id := range origins {
		o := &siteOrigin{id: id, healthy: id%10 < 7, kind: kinds[id%len(kinds)], visits: map[int]visit{}}
		scheme, port := "http", s.port
		if !o.healthy {
			if r.IntN(4) > 0 {
				o.period = time.Hour/2 + time.Duration(r.Int64N(int64(40*time.Hour)))
			}
			switch n := failing % (len(faulty.All) + 2); n {
			case len(faulty.All):
				port, o.period = closedPort, 0
				o.bad.Add(1)
			case len(faulty.All) + 1:
				scheme, o.period = "https", 0 // the server does not speak TLS
				o.bad.Add(1)
			default:
				o.fault = faulty.All[n]
			}
			failing++
		}
		o.url = fmt.Sprintf("%s://127.1.%d.%d:%d", scheme, id>>8, id&255, port)
		s.origins = append(s.origins, o)
	}
	s.served.Go(func() { s.serve(listener) })
	t.Cleanup(func() {
		listener.Close()
		s.mu.Lock()
		for conn := range s.conns {
			conn.Close()
		}
		s.conns = nil
		s.mu.Unlock()
		s.served.Wait()
	})
	return s
}

// target returns the origin to which the robots.txt of o is redirected.
func (s *site) target(o *siteOrigin) string {
	return fmt.Sprintf("http://127.2.%d.%d:%d", o.id>>8, o.id&255, s.port)
}

func (s *site) serve(listener net.Listener) {
	for {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		s.mu.Lock()
		if s.conns == nil {
			conn.Close()
		} else {
			s.conns[conn] = true
			s.served.Go(func() {
				s.answer(conn)
				conn.Close()
				s.mu.Lock()
				delete(s.conns, conn)
				s.mu.Unlock()
			})
		}
		s.mu.Unlock()
	}
}

func (s *site) answer(conn net.Conn) {
	arrived, jumps, epoch := s.clock.now(), s.clock.jumps.Load(), s.epoch.Load()
	r, err := http.ReadRequest(bufio.NewReader(conn))
	if err != nil {
		return // TLS, or the client has gone
	}
	ip := conn.LocalAddr().(*net.TCPAddr).IP.To4()
	id := int(ip[2])<<8 | int(ip[3])
	agent := path.Base(r.UserAgent())
	client, err := strconv.Atoi(strings.TrimSuffix(agent, ")"))
	if err != nil || id >= len(s.origins) || r.URL.Path != "/robots.txt" || r.Header.Get("Authorization") != "" {
		s.strange.Add(1)
		return
	}
	o := s.origins[id]
	if ip[1] == 2 { // the target of a redirect
		faulty.Say(conn, faulty.Whole("200 OK", o.file(), "Cache-Control: max-age=3600"))
		return
	}
	s.fetches.Add(1)
	if down := o.isDown(arrived); down {
		s.note(o, client, visit{arrived, jumps, epoch, 24 * time.Second}) // 30 s, less a fifth
		o.bad.Add(1)
		o.fault(conn)
	} else {
		s.note(o, client, visit{arrived, jumps, epoch, o.kind.lifetime * 9 / 10})
		o.kind.respond(s, o, conn)
	}
}

// note compares a visit with those before, and counts it.
func (s *site) note(o *siteOrigin, client int, v visit) {
	o.mu.Lock()
	defer o.mu.Unlock()
	isEarly := func(last visit) bool {
		return last.jumps == v.jumps && v.jumps%2 == 0 && v.at.Before(last.at.Add(last.again))
	}
	if last, ok := o.visits[client]; ok && isEarly(last) && !s.evicts(client) {
		text := fmt.Sprintf("client %d fetched origin %d (healthy %v) %v after its last fetch, not before %v", client, o.id, o.healthy, v.at.Sub(last.at), last.again)
		s.judging.Go(func() {
			if !s.clock.isStalled() {
				s.example.CompareAndSwap(nil, &text)
				s.tooEarly.Add(1)
			}
		})
	}
	if v.epoch != 0 {
		s.mu.Lock()
		count := s.epochs[v.epoch]
		count.fetches++
		for other, last := range o.visits {
			if other != client && last.epoch == v.epoch && isEarly(last) {
				count.extra++
				break
			}
		}
		s.mu.Unlock()
	}
	for other, last := range o.visits {
		if v.at.Sub(last.at).Abs() > 50*day {
			delete(o.visits, other) // of a client that was replaced
		}
	}
	o.visits[client] = v
}
