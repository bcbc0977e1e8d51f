package safedial

import (
	"context"
	"net/netip"
	"slices"
	"sync"
)

type trustKey struct{}

type trust struct {
	host  string // as canonicalHost returns it
	ports []uint16

	mu    sync.Mutex
	addrs []netip.Addr // of the first resolution
}

// Trust returns a context in which a [Dialer] connects to host on the given ports
// without calling the guard, in addition to those that ctx trusts. It is for hosts
// that a user typed, such as localhost or a host on an intranet.
//
// The first resolution of the host in this context is the only one: all dials use
// its addresses. So a name server that first returns a public address cannot direct
// later connections to a private one. On other ports the guard checks the host like
// any other.
//
// A host is an ASCII name or an IP literal. Case, a final dot and the spelling of an
// IPv6 literal do not matter. Another name for the same address is not trusted. The
// trust belongs to one context, so a redirect in another request does not have it.
func Trust(ctx context.Context, host string, ports ...uint16) context.Context {
	trusted, _ := ctx.Value(trustKey{}).([]*trust)
	host = canonicalHost(host)
	if host == "" {
		return ctx
	}
	// Contexts share the slice, so append must not write into its spare capacity.
	return context.WithValue(ctx, trustKey{}, append(slices.Clip(trusted), &trust{host: host, ports: ports}))
}

// IsTrusted reports whether a [Dialer] connects to host on port without calling the guard.
func IsTrusted(ctx context.Context, host string, port uint16) bool {
	return trustIn(ctx, host, port) != nil
}

func trustIn(ctx context.Context, host string, port uint16) *trust {
	trusted, _ := ctx.Value(trustKey{}).([]*trust)
	host = canonicalHost(host)
	for _, t := range trusted {
		if t.host == host && slices.Contains(t.ports, port) {
			return t
		}
	}
	return nil
}

// addresses returns the addresses of the first successful call of lookUp. Without
// trust, t is nil and every call looks up.
func (t *trust) addresses(lookUp func() ([]netip.Addr, error)) (_ []netip.Addr, err error) {
	if t == nil {
		return lookUp()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.addrs == nil {
		t.addrs, err = lookUp()
	}
	return t.addrs, err
}
