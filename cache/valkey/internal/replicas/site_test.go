package replicas_test

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cache/valkey/internal/faulty"
)

// lifetime is how long all answers of sites are fresh: the least that the client accepts.
const lifetime = 5 * time.Minute

const fresh = "Cache-Control: max-age=300"

// kind is how an origin answers while it is up.
type kind struct {
	respond   func(s *site, o *siteOrigin, conn net.Conn, version int)
	allowsAll bool
}

func file(headers ...string) func(*site, *siteOrigin, net.Conn, int) {
	return func(_ *site, o *siteOrigin, conn net.Conn, version int) {
		faulty.Say(conn, faulty.Whole("200 OK", o.file(version), append(headers, fresh)...))
	}
}

// kinds are the kinds of origins. Files are the most frequent ones.
var kinds = []kind{
	{file(), false},
	{file(), false},
	{func(_ *site, _ *siteOrigin, conn net.Conn, _ int) {
		faulty.Say(conn, faulty.Whole("404 Not Found", "", fresh))
	}, true},
	{func(s *site, o *siteOrigin, conn net.Conn, _ int) {
		faulty.Say(conn, faulty.Whole("302 Found", "", fmt.Sprintf("Location: http://127.2.%d.%d:%d/robots.txt", o.id>>8, o.id&255, s.port)))
	}, false},
	{func(_ *site, o *siteOrigin, conn net.Conn, version int) {
		faulty.Say(conn, faulty.Whole("200 OK", faulty.Gzipped(o.file(version)), "Content-Encoding: gzip", fresh))
	}, false},
	{func(_ *site, o *siteOrigin, conn net.Conn, version int) { // slow
		text := faulty.Whole("200 OK", o.file(version), fresh)
		for part := range strings.Lines(text) {
			time.Sleep(30 * time.Millisecond)
			if !faulty.Say(conn, part) {
				return
			}
		}
	}, false},
}

// siteOrigin is one origin. Three of ten fail, half of these all the time.
type siteOrigin struct {
	id     int
	url    string
	kind   kind
	fault  func(conn net.Conn) // nil if it never fails
	period time.Duration       // it is up and down for so long in turn; 0 if it is never up

	mu     sync.Mutex
	served []served // in the order of their begin
}

// served is an attempt of a replica.
type served struct {
	began, ended time.Time // ended is zero while it is under way
	version      int       // of the file; -1 for a fault
}

const isFault = -1

// file returns a version of the file. Its lines tell which version decided.
func (o *siteOrigin) file(version int) string {
	flip := ""
	if version%2 == 0 {
		flip = "Allow: /flip/\n"
	}
	return "User-agent: *\n" + strings.Repeat("#\n", version) + fmt.Sprintf("Disallow: /\nAllow: /of/%d/\n%s", o.id, flip)
}

func (o *siteOrigin) isDown(at time.Time) bool {
	return o.fault != nil && (o.period == 0 || at.UnixNano()/int64(o.period)%2 == 0)
}

// site is all origins, with different addresses on one port.
type site struct {
	port    int
	began   time.Time
	changes time.Duration // how long a version of the files lasts
	origins []*siteOrigin

	mu      sync.Mutex
	conns   map[net.Conn]bool
	serving sync.WaitGroup
	strange []string // requests that no replica should send
}

func startSite(t *testing.T, origins int, changes time.Duration) *site {
	t.Helper()
	s := &site{began: time.Now(), changes: changes, conns: map[net.Conn]bool{}}
	listener, err := net.Listen("tcp4", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	s.port = listener.Addr().(*net.TCPAddr).Port
	failing := 0
	for id := range origins {
		o := &siteOrigin{id: id, url: fmt.Sprintf("http://127.1.%d.%d:%d", id>>8, id&255, s.port), kind: kinds[id%len(kinds)]}
		if id%10 >= 7 {
			o.fault = faulty.All[failing%len(faulty.All)]
			if failing++; failing%2 == 0 {
				o.period = 20*time.Second + time.Duration(id%37)*time.Second
			}
		}
		s.origins = append(s.origins, o)
	}
	s.serving.Go(func() { s.accept(listener) })
	t.Cleanup(func() {
		_ = listener.Close()
		s.mu.Lock()
		for conn := range s.conns {
			_ = conn.Close()
		}
		s.conns = nil
		s.mu.Unlock()
		s.serving.Wait()
	})
	return s
}

func (s *site) accept(listener net.Listener) {
	for {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		s.mu.Lock()
		if s.conns == nil {
			_ = conn.Close()
		} else {
			s.conns[conn] = true
			s.serving.Go(func() {
				s.answer(conn)
				_ = conn.Close()
				s.mu.Lock()
				delete(s.conns, conn)
				s.mu.Unlock()
			})
		}
		s.mu.Unlock()
	}
}

// version returns the version of all files at a time.
func (s *site) version(at time.Time) int { return int(at.Sub(s.began) / s.changes) }

func (s *site) answer(conn net.Conn) {
	r, err := http.ReadRequest(bufio.NewReader(conn))
	if err != nil {
		return // the replica was killed
	}
	ip := conn.LocalAddr().(*net.TCPAddr).IP.To4()
	id := int(ip[2])<<8 | int(ip[3])
	if id >= len(s.origins) || r.URL.Path != "/robots.txt" {
		s.mu.Lock()
		s.strange = append(s.strange, fmt.Sprintf("%s http://%s%s", r.Method, r.Host, r.URL))
		s.mu.Unlock()
		return
	}
	o, now := s.origins[id], time.Now()
	version := s.version(now)
	if ip[1] == 2 { // the target of a redirect
		faulty.Say(conn, faulty.Whole("200 OK", o.file(version), fresh))
		return
	}
	o.mu.Lock()
	attempt := served{began: now, version: version}
	if o.isDown(now) {
		attempt.version = isFault
	}
	at := len(o.served)
	o.served = append(o.served, attempt)
	o.mu.Unlock()
	if attempt.version == isFault {
		o.fault(conn)
	} else {
		o.kind.respond(s, o, conn, version)
	}
	o.mu.Lock()
	o.served[at].ended = time.Now()
	o.mu.Unlock()
}
