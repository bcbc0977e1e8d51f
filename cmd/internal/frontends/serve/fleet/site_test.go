package fleet_test

import (
	"bufio"
	"cmp"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"path"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/internal/test/valkeytest"
)

const day = 24 * time.Hour

// kind is how an origin answers while it is up.
type kind struct {
	send      func(o *siteOrigin, conn net.Conn, file, fresh string)
	maxAge    time.Duration // 0 for no Cache-Control, which means a day
	outcome   fetch.Outcome
	allowsAll bool
}

func status(line string) func(*siteOrigin, net.Conn, string, string) {
	return func(_ *siteOrigin, conn net.Conn, _, fresh string) { say(conn, whole(line, "", fresh)) }
}

func file(_ *siteOrigin, conn net.Conn, file, fresh string) { say(conn, whole("200 OK", file, fresh)) }

var (
	withFile = kind{file, 0, fetch.OutcomeRules, false}
	withNone = kind{status("404 Not Found"), 0, fetch.OutcomeAllowAll, true}
)

var kinds = []kind{
	withFile,
	{file, 5 * time.Minute, fetch.OutcomeRules, false},
	{file, time.Hour, fetch.OutcomeRules, false},
	{func(_ *siteOrigin, conn net.Conn, file, fresh string) {
		say(conn, whole("200 OK", gzipped(file), "Content-Encoding: gzip", fresh))
	}, 15 * time.Minute, fetch.OutcomeRules, false},
	withNone,
	{func(o *siteOrigin, conn net.Conn, _, _ string) {
		say(conn, whole("302 Found", "", "Location: "+strings.Replace(o.url, "127.1.", "127.2.", 1)+"/robots.txt"))
	}, time.Hour, fetch.OutcomeRules, false},
	{func(_ *siteOrigin, conn net.Conn, file, fresh string) {
		say(conn, head("200 OK", "Transfer-Encoding: chunked", fresh)+fmt.Sprintf("\r\n%x\r\n%s\r\n0\r\n\r\n", len(file), file))
	}, 10 * time.Minute, fetch.OutcomeRules, false},
	{status("200 OK"), 30 * time.Minute, fetch.OutcomeRules, true},
	{status("403 Forbidden"), 0, fetch.OutcomeAllowAll, true},
	{func(_ *siteOrigin, conn net.Conn, file, fresh string) { // slow
		for part := range strings.Lines(whole("200 OK", file, fresh)) {
			time.Sleep(30 * time.Millisecond)
			if !say(conn, part) {
				return
			}
		}
	}, 0, fetch.OutcomeRules, false},
}

// siteOrigin is one origin. Three of ten fail, half of these all the time.
type siteOrigin struct {
	kind
	id     int
	url    string
	fault  func(conn net.Conn) // nil if it never fails
	period time.Duration       // it is up and down for so long in turn; 0 if it is never up
	failed atomic.Bool         // it has failed

	mu       sync.Mutex
	attempts []*attempt
}

// attempt is a request of a client for robots.txt.
type attempt struct {
	client       int
	began, ended time.Time     // ended is zero while it is under way
	again        time.Duration // the next request should not be earlier
	version      int           // of the file; isFault for a fault
	extra        bool          // the attempt before, of any client, was a moment ago
	jumps, epoch int64
}

const isFault = -1

// isEarly reports whether a was made too soon after an attempt before.
func (a *attempt) isEarly(before *attempt) bool {
	return before.jumps == a.jumps && a.jumps%2 == 0 && a.began.Before(before.began.Add(before.again))
}

// file returns a version of the file. The line that decides about a URL shows which version
// it was.
func (o *siteOrigin) file(version int) string {
	flip := ""
	if version%2 == 0 {
		flip = "Allow: /flip/\n"
	}
	return "User-agent: *\n" + strings.Repeat("#\n", version) + fmt.Sprintf("Disallow: /\nAllow: /of/%d/\n%s", o.id, flip)
}

func (o *siteOrigin) page() string            { return fmt.Sprintf("%s/of/%d/page", o.url, o.id) }
func (o *siteOrigin) otherPage() string       { return fmt.Sprintf("%s/of/%d/page", o.url, o.id+1) }
func (o *siteOrigin) lifetime() time.Duration { return cmp.Or(o.maxAge, day) }

func (o *siteOrigin) respond(conn net.Conn, version int) {
	fresh := "Vary: Cookie"
	if o.maxAge > 0 {
		fresh = fmt.Sprintf("Cache-Control: max-age=%d", int(o.maxAge.Seconds()))
	}
	o.send(o, conn, o.file(version), fresh)
}

// isDown reports whether the origin is down at a time.
func (o *siteOrigin) isDown(at time.Time) bool {
	return o.fault != nil && (o.period == 0 || at.UnixNano()/int64(o.period)%2 == 0)
}

// site is all origins, with different addresses on one port.
type site struct {
	siteConfig
	clock   *clock
	began   time.Time
	origins []*siteOrigin
	epoch   atomic.Int64 // see soak; 0 while the store may fail

	fetches  atomic.Int64
	tooEarly atomic.Int64           // by a client that had an answer or waited after a fault
	strange  atomic.Int64           // requests that no client should make
	example  atomic.Pointer[string] // of these

	mu      sync.Mutex
	epochs  map[int64]*epochCount
	conns   map[net.Conn]bool
	serving sync.WaitGroup

	judging sync.WaitGroup // of fetches that seem to be too early
}

type siteConfig struct {
	size    int
	failing time.Duration // the longest time of which an origin is down, if it is up again; 0 if none fails
	maxAge  time.Duration // of all answers; 0 for that of their kinds
	takes   time.Duration // how long an answer takes
	changes time.Duration // how long a version of the files lasts; 0 for ever
	evicts  func(client int) bool
	blocks  func(client int) bool // whose fetches are never answered
}

// epochCount counts the fetches in a time in which the store works, and those of
// them that another client had made already.
type epochCount struct{ fetches, extra, storeFailures int64 }

func startSite(t *testing.T, c *clock, config siteConfig) *site {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skipf("NOT TESTED: on %s the loopback interface has one address, but this test needs many", runtime.GOOS)
	}
	s := &site{siteConfig: config, clock: c, began: c.now(), epochs: map[int64]*epochCount{},
		conns: map[net.Conn]bool{}}
	listener, err := net.Listen("tcp4", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	s.addOrigins(listener.Addr().(*net.TCPAddr).Port, valkeytest.FreePorts(t, 1)[0])
	s.serving.Go(func() { s.serve(listener) })
	t.Cleanup(func() {
		listener.Close()
		s.mu.Lock()
		for conn := range s.conns {
			conn.Close()
		}
		s.conns = nil
		s.mu.Unlock()
		s.serving.Wait()
	})
	return s
}

func (s *site) addOrigins(port, closedPort int) {
	r := rand.New(rand.NewPCG(1, 2))
	failing := 0
	for id := range s.size {
		o := &siteOrigin{id: id, kind: kinds[id%len(kinds)]}
		o.maxAge = cmp.Or(s.maxAge, o.maxAge)
		scheme, port := "http", port
		if s.failing > 0 && r.IntN(10) >= 7 {
			if failing%2 == 0 {
				o.period = s.failing/80 + time.Duration(r.Int64N(int64(s.failing)))
			}
			switch n := failing % (len(siteFaults) + 2); n {
			case len(siteFaults):
				port, o.fault = closedPort, hold
				o.failed.Store(true)
			case len(siteFaults) + 1:
				scheme, o.fault = "https", hold // the server does not speak TLS
				o.failed.Store(true)
			default:
				o.fault = siteFaults[n]
			}
			failing++
		}
		o.url = fmt.Sprintf("%s://127.1.%d.%d:%d", scheme, id>>8, id&255, port)
		s.origins = append(s.origins, o)
	}
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
			s.serving.Go(func() {
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

// userAgent ends with the number of the client, for the site.
func userAgent(client int) string {
	return fmt.Sprintf("FleetBot/1.0 (+https://fleet.example/%d)", client)
}

func (s *site) answer(conn net.Conn) {
	a := &attempt{began: s.clock.now(), jumps: s.clock.jumps.Load(), epoch: s.epoch.Load()}
	r, err := http.ReadRequest(bufio.NewReader(conn))
	if err != nil {
		return // TLS, or the client has gone
	}
	ip := conn.LocalAddr().(*net.TCPAddr).IP.To4()
	id := int(ip[2])<<8 | int(ip[3])
	a.client, err = strconv.Atoi(strings.TrimSuffix(path.Base(r.UserAgent()), ")"))
	if err != nil || id >= len(s.origins) || r.URL.Path != "/robots.txt" || r.Header.Get("Authorization") != "" {
		s.strange.Add(1)
		s.note("strange: %s http://%s%s from %s", r.Method, r.Host, r.URL, r.UserAgent())
		return
	}
	o := s.origins[id]
	if s.changes > 0 {
		a.version = int(a.began.Sub(s.began) / s.changes)
	}
	if ip[1] == 2 { // the target of a redirect
		file(o, conn, o.file(a.version), fmt.Sprintf("Cache-Control: max-age=%d", int(o.maxAge.Seconds())))
		return
	}
	s.fetches.Add(1)
	a.again = o.lifetime() * 9 / 10 // answers are refreshed in the last tenth of their lifetime
	if o.isDown(a.began) {
		a.version, a.again = isFault, 24*time.Second // 30 s, less a fifth
		o.failed.Store(true)
	}
	s.add(o, a)
	switch {
	case s.blocks != nil && s.blocks(a.client):
		hold(conn)
	case a.version == isFault:
		o.fault(conn)
	default:
		time.Sleep(s.takes)
		o.respond(conn, a.version)
	}
	o.mu.Lock()
	a.ended = s.clock.now()
	o.mu.Unlock()
}

// note keeps one example of what a client should not do.
func (s *site) note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	s.example.CompareAndSwap(nil, &text)
}

// add compares an attempt with those before, and counts it.
func (s *site) add(o *siteOrigin, a *attempt) {
	o.mu.Lock()
	defer o.mu.Unlock()
	var last *attempt // of the same client
	shared := false   // another client has an answer since the store works
	for _, before := range o.attempts {
		switch a.extra = a.isEarly(before); {
		case before.client == a.client:
			last = before
		case before.epoch == a.epoch && a.extra:
			shared = true
		}
	}
	if last != nil && a.isEarly(last) && (s.evicts == nil || !s.evicts(a.client)) {
		s.judging.Go(func() {
			if !s.clock.isStalled() {
				s.note("client %d fetched origin %d (fails: %v) %v after its last fetch, not before %v",
					a.client, o.id, o.fault != nil, a.began.Sub(last.began), last.again)
				s.tooEarly.Add(1)
			}
		})
	}
	if a.epoch != 0 {
		s.mu.Lock()
		s.epochs[a.epoch].fetches++
		if shared {
			s.epochs[a.epoch].extra++
		}
		s.mu.Unlock()
	}
	o.attempts = append(slices.DeleteFunc(o.attempts, func(before *attempt) bool {
		return a.began.Sub(before.began).Abs() > 50*day
	}), a)
}

// check fails the test if a client has fetched what it should not.
func (s *site) check(t *testing.T) {
	t.Helper()
	s.judging.Wait()
	if early, strange := s.tooEarly.Load(), s.strange.Load(); early+strange > 0 {
		t.Errorf("%d fetches by a client that had an answer or had to wait, %d strange requests: %s", early, strange, *s.example.Load())
	}
}
