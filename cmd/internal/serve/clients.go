package serve

import (
	"container/list"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// addrOf returns the address in a host and port, the zero Addr for any other text.
func addrOf(hostport string) netip.Addr {
	at, err := netip.ParseAddrPort(hostport)
	if err != nil {
		return netip.Addr{}
	}
	return at.Addr().Unmap().WithZone("")
}

// clientOf returns what counts as one client: an IPv4 address, or the first 64 bits of an
// IPv6 address, because a single subscriber has that many addresses.
func clientOf(ip netip.Addr) netip.Addr {
	ip = ip.Unmap()
	if !ip.Is6() {
		return ip
	}
	network, err := ip.WithZone("").Prefix(64)
	if err != nil {
		return ip
	}
	return network.Addr()
}

// client returns the client of a request.
func (s *Server) client(r *http.Request) netip.Addr {
	ip := addrOf(r.RemoteAddr)
	if !s.isProxy(ip) {
		return clientOf(ip)
	}
	// The last address that is not a proxy: those before it are what the client claims.
	forwarded := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(forwarded) - 1; i >= 0; i-- {
		text := strings.TrimSpace(forwarded[i])
		given, err := netip.ParseAddr(strings.Trim(text, "[]"))
		if err != nil {
			if given = addrOf(text); !given.IsValid() {
				break
			}
		}
		if ip = given.Unmap(); !s.isProxy(ip) {
			break
		}
	}
	return clientOf(ip)
}

// isProxy reports whether an address is that of a trusted proxy.
func (s *Server) isProxy(ip netip.Addr) bool {
	for _, prefix := range s.config.TrustedProxies {
		if prefix.Contains(ip) {
			return true
		}
	}
	return false
}

// usage is what a client or a site has used of its limits.
type usage struct {
	requests *rate.Limiter
	fetches  *rate.Limiter
}

// table contains the usage of the latest clients or sites, at most max. The usage of a
// client that was dropped begins at zero, so a limit for all requests must bound clients
// that change addresses.
type table[K comparable] struct {
	mu      sync.Mutex
	max     int
	fresh   func() *usage
	entries map[K]*list.Element
	order   *list.List // of *keyed[K], the latest first
}

type keyed[K comparable] struct {
	key K
	use *usage
}

// maxEntries is the size of a table. An entry takes some 500 bytes.
const maxEntries = 1 << 16

func newTable[K comparable](fresh func() *usage) *table[K] {
	return &table[K]{max: maxEntries, fresh: fresh, entries: make(map[K]*list.Element), order: list.New()}
}

// of returns the usage of a key.
func (t *table[K]) of(key K) *usage {
	t.mu.Lock()
	defer t.mu.Unlock()
	if found, ok := t.entries[key]; ok {
		t.order.MoveToFront(found)
		return found.Value.(*keyed[K]).use
	}
	for oldest := t.order.Back(); oldest != nil && t.order.Len() >= t.max; oldest = t.order.Back() {
		t.order.Remove(oldest)
		delete(t.entries, oldest.Value.(*keyed[K]).key)
	}
	entry := &keyed[K]{key, t.fresh()}
	t.entries[key] = t.order.PushFront(entry)
	return entry.use
}

// limiter returns a limiter of a rate, with a burst of the given number of seconds. It is
// nil if there is no limit.
func limiter(perSecond float64, seconds int) *rate.Limiter {
	if perSecond <= 0 {
		return nil
	}
	return rate.NewLimiter(rate.Limit(perSecond), max(1, int(perSecond*float64(seconds))))
}

// take takes one event from a limiter, which may be nil. If none is left, it returns the
// time until there is one.
func take(l *rate.Limiter, now time.Time) (wait time.Duration) {
	if l == nil {
		return 0
	}
	r := l.ReserveN(now, 1)
	if wait = r.DelayFrom(now); wait > 0 {
		r.CancelAt(now)
	}
	return wait
}

// debt returns the time until a limiter, which may be nil, permits events again after
// charge.
func debt(l *rate.Limiter, now time.Time) time.Duration {
	if l == nil {
		return 0
	}
	if tokens := l.TokensAt(now); tokens < 0 {
		return time.Duration(-tokens / float64(l.Limit()) * float64(time.Second))
	}
	return 0
}

// charge takes an event that has already happened, even if none is left.
func charge(l *rate.Limiter, now time.Time) {
	if l != nil {
		l.ReserveN(now, 1)
	}
}
