package fleet_test

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"path"
	"strconv"
	"sync"
	"testing"
	"time"
)

// site is many origins with different addresses in 127.0.0.0/16 on one port. It
// records which member fetched which origin.
type site struct {
	port  int
	takes time.Duration
	// blocks reports whether a fetch of a member is never answered. nil blocks none.
	blocks func(member int) bool

	mu      sync.Mutex
	fetches map[int][]visit // by origin
	strange []string        // unexpected requests
}

type visit struct {
	member int
	at     time.Time
}

func startSite(t *testing.T, takes time.Duration) *site {
	t.Helper()
	s := &site{takes: takes, fetches: map[int][]visit{}}
	listener, err := net.Listen("tcp4", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	s.port = listener.Addr().(*net.TCPAddr).Port
	server := httptest.NewUnstartedServer(s)
	_ = server.Listener.Close() // it is replaced
	server.Listener = listener
	server.Start()
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return s
}

// The origins have different answers, so that the answer of one cannot be
// mistaken for that of another.
const (
	hasRules = iota // only its own folder may be fetched
	hasNone         // 404: all may be fetched
	isBroken        // 503: nothing may be fetched
)

func kindOf(origin int) int {
	switch origin % 10 {
	case 4:
		return hasNone
	case 8:
		return isBroken
	}
	return hasRules
}

// urlOf returns a page of an origin, in the folder that is named after owner.
func urlOf(origin, owner, port int) string {
	return fmt.Sprintf("http://127.0.%d.%d:%d/of/%d/page", origin>>8, origin&255, port, owner)
}

func isAllowed(origin, owner int) bool {
	switch kindOf(origin) {
	case hasNone:
		return true
	case isBroken:
		return false
	}
	return origin == owner
}

// userAgent ends with the number of the member, for visit.
func userAgent(member int) string {
	return fmt.Sprintf("FleetBot/1.0 (+https://fleet.example/%d)", member)
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	address, err := netip.ParseAddrPort(r.Host)
	agent := path.Base(r.UserAgent())
	member, err2 := strconv.Atoi(agent[:len(agent)-1])
	s.mu.Lock()
	if err != nil || err2 != nil || r.URL.Path != "/robots.txt" {
		s.strange = append(s.strange, fmt.Sprintf("%s http://%s%s from %s", r.Method, r.Host, r.URL, r.UserAgent()))
		s.mu.Unlock()
		http.Error(w, "strange", http.StatusBadRequest)
		return
	}
	bytes := address.Addr().As4()
	origin := int(bytes[2])<<8 | int(bytes[3])
	s.fetches[origin] = append(s.fetches[origin], visit{member, time.Now()})
	s.mu.Unlock()
	if s.blocks != nil && s.blocks(member) {
		<-r.Context().Done()
		return
	}
	time.Sleep(s.takes)
	switch kindOf(origin) {
	case hasNone:
		http.NotFound(w, r)
	case isBroken:
		http.Error(w, "broken", http.StatusServiceUnavailable)
	default:
		fmt.Fprintf(w, "User-agent: *\nDisallow: /\nAllow: /of/%d/\n", origin)
	}
}

// visits returns the fetches of an origin, in order.
func (s *site) visits(origin int) []visit {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]visit(nil), s.fetches[origin]...)
}
