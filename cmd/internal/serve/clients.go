package serve

import (
	"container/list"
	"net/http"
	"net/netip"
	"slices"
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
	network, _ := ip.WithZone("").Prefix(64) // an IPv6 address has as many bits
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
	return slices.ContainsFunc(s.config.TrustedProxies, func(prefix netip.Prefix) bool { return prefix.Contains(ip) })
}

// rates limits how often something may happen for each client or site. It contains what the
// latest ones have used, at most max. A client that was dropped begins at zero, so a limit
// for all requests must bound clients that change addresses. A nil *rates has no limit.
type rates[K comparable] struct {
	limit rate.Limit
	burst int
	max   int

	mu      sync.Mutex
	entries map[K]*list.Element
	order   *list.List // of *used[K], the latest first
}

type used[K comparable] struct {
	key K
	*rate.Limiter
}

// maxEntries is how many clients or sites are remembered. An entry takes some 300 bytes.
const maxEntries = 1 << 16

// newRates returns a limit of events a second, of which burst may come at once. It is nil if
// there is no limit.
func newRates[K comparable](perSecond, burst float64) *rates[K] {
	if perSecond <= 0 {
		return nil
	}
	return &rates[K]{
		limit: rate.Limit(perSecond), burst: max(1, int(burst)), max: maxEntries,
		entries: make(map[K]*list.Element), order: list.New(),
	}
}

// of returns the limiter of a key.
func (r *rates[K]) of(key K) *rate.Limiter {
	r.mu.Lock()
	defer r.mu.Unlock()
	if found, ok := r.entries[key]; ok {
		r.order.MoveToFront(found)
		return found.Value.(*used[K]).Limiter
	}
	for oldest := r.order.Back(); oldest != nil && r.order.Len() >= r.max; oldest = r.order.Back() {
		r.order.Remove(oldest)
		delete(r.entries, oldest.Value.(*used[K]).key)
	}
	entry := &used[K]{key, rate.NewLimiter(r.limit, r.burst)}
	r.entries[key] = r.order.PushFront(entry)
	return entry.Limiter
}

// take counts an event. If it is one too many, it returns the time until the next one is
// permitted.
func (r *rates[K]) take(key K) (wait time.Duration) {
	if r == nil {
		return 0
	}
	now := time.Now()
	event := r.of(key).ReserveN(now, 1)
	if wait = event.DelayFrom(now); wait > 0 {
		event.CancelAt(now)
	}
	return wait
}

// charge counts an event that has already happened, even if it is one too many.
func (r *rates[K]) charge(key K) {
	if r != nil {
		r.of(key).ReserveN(time.Now(), 1)
	}
}

// debt returns the time until an event is permitted again after charge.
func (r *rates[K]) debt(key K) time.Duration {
	if r == nil {
		return 0
	}
	tokens := r.of(key).TokensAt(time.Now())
	return time.Duration(max(0, -tokens) / float64(r.limit) * float64(time.Second))
}
