package fetch

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/kosterhq/robotstxt/internal/safedial"
)

// The address of a fetch is known only when it dials. If Limits.MaxFetchesPerAddress
// fetches use the address already, the dial fails, the fetch gives its slot back,
// waits for its turn at the address, and begins again. So fetches from a crowded
// address neither block fetches from other addresses nor use up Limits.Timeout.

type addressLimit struct {
	max int64

	mu    sync.Mutex
	byIP  map[netip.Addr]*addressUse
	dials func(ctx context.Context, network, address string) (net.Conn, error)
}

// addressUse is an address that fetches use or wait for. It serves waiters in the
// order of their arrival.
type addressUse struct {
	slots *semaphore.Weighted
	users int // guarded by addressLimit.mu
}

// newAddressLimit returns the limit for a configuration, nil if there is none.
func newAddressLimit(c Config) *addressLimit {
	if c.Limits.MaxFetchesPerAddress <= 0 {
		return nil
	}
	l := &addressLimit{max: int64(c.Limits.MaxFetchesPerAddress), byIP: make(map[netip.Addr]*addressUse),
		dials: c.Network.Dial}
	if l.dials == nil {
		l.dials = safedial.From(c.Network.LocalAddr).DialContext
	}
	return l
}

// busyError is the error of a dial to an address that MaxFetchesPerAddress fetches use.
type busyError struct{ ip netip.Addr }

func (e *busyError) Error() string {
	return fmt.Sprintf("other fetches from this machine use %v", e.ip)
}

type visitKey struct{}

// dial is the Dial function of the client's dialer. Connections through a proxy are
// not counted, because they all have the proxy's address.
func (l *addressLimit) dial(ctx context.Context, network, address string) (net.Conn, error) {
	at, err := netip.ParseAddrPort(address)
	v, ok := ctx.Value(visitKey{}).(*visit)
	if !ok || err != nil || proxyIn(ctx) != nil {
		return l.dials(ctx, network, address)
	}
	if !v.take(at.Addr()) {
		return nil, &busyError{at.Addr()}
	}
	conn, err := l.dials(ctx, network, address)
	if err == nil {
		v.busy.Store(nil) // the host has an address that is not busy
	}
	return conn, err
}

func (l *addressLimit) use(ip netip.Addr) *addressUse {
	l.mu.Lock()
	defer l.mu.Unlock()
	u := l.byIP[ip]
	if u == nil {
		u = &addressUse{slots: semaphore.NewWeighted(l.max)}
		l.byIP[ip] = u
	}
	u.users++
	return u
}

func (l *addressLimit) forget(ip netip.Addr, u *addressUse) {
	l.mu.Lock()
	defer l.mu.Unlock()
	u.users--
	if u.users == 0 {
		delete(l.byIP, ip)
	}
}

// visit is the slots of one fetch. A fetch that follows redirects to other addresses
// has several.
type visit struct {
	client *Client
	limit  *addressLimit

	mu   sync.Mutex // two addresses are dialled at once if the first is slow
	held map[netip.Addr]*addressUse

	// busy is a busy address of the host dialled last, if none of the host's other addresses
	// accepted: a failed attempt has to wait for it, whatever its error. For example, another
	// address of the host can refuse connections.
	busy atomic.Pointer[netip.Addr]
}

// take takes a slot at an address, so that the fetch can dial it. It returns false, and
// records the address as busy, if all slots are taken.
func (v *visit) take(ip netip.Addr) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.held[ip] != nil {
		return true
	}
	u := v.limit.use(ip)
	if !u.slots.TryAcquire(1) {
		v.limit.forget(ip, u)
		v.busy.Store(&ip)
		return false
	}
	v.held[ip] = u
	return true
}

// wait gives all slots back, so that no two fetches wait for each other, and waits
// for one at an address.
func (v *visit) wait(ctx context.Context, ip netip.Addr) error {
	v.end()
	u := v.limit.use(ip)
	if err := u.slots.Acquire(ctx, 1); err != nil {
		v.limit.forget(ip, u)
		return err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.held[ip] = u
	return nil
}

func (v *visit) end() {
	if v == nil {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	for ip, u := range v.held {
		u.slots.Release(1)
		v.limit.forget(ip, u)
	}
	clear(v.held)
}

// maxBusy is how often a fetch begins again because of a busy address. A host that
// resolves to another address each time could prevent it for ever.
const maxBusy = 10

// visit returns a visit without slots, nil if there is no limit.
func (c *Client) visit() *visit {
	if c.limits.addresses == nil {
		return nil
	}
	return &visit{client: c, limit: c.limits.addresses, held: make(map[netip.Addr]*addressUse)}
}

// tryWhenFree calls try, again after each wait for a busy address. s is the slot of
// the fetch, which it gives back while it waits. The caller ends v, which can be nil,
// after the fetch.
func (v *visit) tryWhenFree(ctx context.Context, s *slot, try func(context.Context) attempt) (attempt, error) {
	if v == nil {
		return try(ctx), nil
	}
	for n := 0; ; n++ {
		a := try(context.WithValue(ctx, visitKey{}, v))
		busy := v.busy.Swap(nil)
		if a.err == nil || busy == nil {
			return a, nil
		}
		if n == maxBusy {
			a.Class, a.err = classLocal, v.client.newKeptError(&busyError{*busy})
			return a, nil
		}
		if r, ok := ctx.Value(requesterKey{}).(*requester); ok {
			r.unsent = r.last
		}
		s.leave()
		began := time.Now()
		if err := v.wait(ctx, *busy); err != nil {
			return a, err
		}
		s.waited += time.Since(began)
		if err := s.enter(ctx, func() bool { return true }); err != nil {
			return a, err
		}
	}
}
