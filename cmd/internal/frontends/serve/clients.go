package serve

import (
	"math"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/maypok86/otter/v2"
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

// clientOf returns the address that stands for one client: an IPv4 address, or the first 64
// bits of an IPv6 address, because a single subscriber has that many addresses. A 6to4
// address is the IPv4 address in it, whose owner has 80 bits of them [RFC 3056 2].
func clientOf(ip netip.Addr) netip.Addr {
	ip = ip.Unmap()
	if !ip.Is6() {
		return ip
	}
	if to4 := ip.As16(); to4[0] == 0x20 && to4[1] == 0x02 {
		return netip.AddrFrom4([4]byte(to4[2:6]))
	}
	network, _ := ip.WithZone("").Prefix(64) // an IPv6 address has as many bits
	return network.Addr()
}

// networkOf returns the network of a client, which can belong to one subscriber: the first
// 48 bits of an IPv6 address, or 24 of an IPv4 address.
func networkOf(client netip.Addr) netip.Addr {
	bits := 48
	if client.Is4() {
		bits = 24
	}
	network, _ := client.Prefix(bits) // the zero address has no network
	return network.Addr()
}

func (s *Server) client(r *http.Request) netip.Addr {
	ip := addrOf(r.RemoteAddr)
	if !s.isProxy(ip) {
		return clientOf(ip)
	}
	// Take the last address that is not a proxy, because a client can invent the addresses
	// before it.
	forwarded := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(forwarded) - 1; i >= 0; i-- {
		text := strings.TrimSpace(forwarded[i])
		given, err := netip.ParseAddr(strings.Trim(text, "[]"))
		if err != nil {
			given = addrOf(text)
			if !given.IsValid() {
				break
			}
		}
		ip = given.Unmap()
		if !s.isProxy(ip) {
			break
		}
	}
	return clientOf(ip)
}

func (s *Server) isProxy(ip netip.Addr) bool {
	return slices.ContainsFunc(s.config.TrustedProxies, func(prefix netip.Prefix) bool { return prefix.Contains(ip) })
}

// rates limits how often something can happen for each client or site. It remembers
// maxEntries of them. A client that was dropped begins at zero, so a limit for all requests
// must bound clients that change addresses. A nil *rates has no limit.
type rates[K comparable] struct {
	limit rate.Limit
	burst int
	used  *otter.Cache[K, *rate.Limiter]
}

// maxEntries is the number of clients or sites that are remembered. An entry takes about 300
// bytes.
const maxEntries = 1 << 16

// newRates returns a limit of events a second, of which burst may come at once. It is nil if
// there is no limit.
func newRates[K comparable](perSecond, burst float64) *rates[K] {
	if perSecond <= 0 {
		return nil
	}
	used := otter.Must(&otter.Options[K, *rate.Limiter]{
		MaximumSize: maxEntries, Executor: func(housekeeping func()) { housekeeping() },
	})
	return &rates[K]{rate.Limit(perSecond), max(1, int(burst)), used}
}

func (r *rates[K]) of(key K) *rate.Limiter {
	limiter, _ := r.used.ComputeIfAbsent(key, func() (*rate.Limiter, bool) {
		return rate.NewLimiter(r.limit, r.burst), false
	})
	return limiter
}

// take counts an event. If it is one too many, it returns the time until the next one is
// permitted.
func (r *rates[K]) take(key K) (wait time.Duration) {
	if r == nil || r.of(key).Allow() {
		return 0
	}
	return max(1, r.wait(key)) // in the meantime the next one might be permitted
}

// charge counts n events, even if they are too many. A negative n takes back events that take
// has counted and that did not happen.
func (r *rates[K]) charge(key K, n int) {
	if r != nil {
		r.of(key).ReserveN(time.Now(), n)
	}
}

// wait returns the time until the next event is permitted, without counting an event.
func (r *rates[K]) wait(key K) time.Duration {
	if r == nil {
		return 0
	}
	missing := 1 - r.of(key).TokensAt(time.Now())
	return time.Duration(math.Ceil(max(0, missing) / float64(r.limit) * float64(time.Second)))
}
