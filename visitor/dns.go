package visitor

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/kosterhq/robotstxt/crawlers"
)

// Resolver looks up names in DNS. A *net.Resolver is one.
type Resolver interface {
	LookupAddr(ctx context.Context, addr string) (names []string, err error)
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

const (
	lookUpsAtOnce  = 16
	lookUpTime     = 10 * time.Second // of an address and its names
	rememberTime   = time.Hour
	rememberLimit  = 65_536
	maxNames       = 8 // of an address, whose owner decides how many it has
	maxNameLetters = 255
)

// names remembers the answers of DNS about addresses. The zero value is ready for
// use.
type names struct {
	mu    sync.Mutex
	known map[netip.Addr]*lookUp
	slots chan struct{}
}

type lookUp struct {
	done  chan struct{}
	hosts []string // that fit a mask of any crawler, and resolve back to the address
	sure  bool     // whether the address has no other names
	at    time.Time
}

// answer looks an address up unless DNS has answered about it lately. If ctx ends first, the
// answer is not sure.
func (n *names) answer(ctx context.Context, r Resolver, remember int, addr netip.Addr) lookUp {
	n.mu.Lock()
	if n.known == nil {
		n.known = map[netip.Addr]*lookUp{}
		n.slots = make(chan struct{}, lookUpsAtOnce)
	}
	if remember <= 0 {
		remember = rememberLimit
	}
	l := n.known[addr]
	if l == nil || l.isOld() {
		for other := range n.known { // any one
			if len(n.known) < remember {
				break
			}
			delete(n.known, other)
		}
		l = &lookUp{done: make(chan struct{})}
		n.known[addr] = l
		go n.lookUp(context.WithoutCancel(ctx), r, addr, l)
	}
	n.mu.Unlock()
	select {
	case <-l.done:
		return *l
	case <-ctx.Done():
		return lookUp{at: time.Now()}
	}
}

// isOld reports whether an answer is too old. One that is not there yet is not.
func (l *lookUp) isOld() bool {
	select {
	case <-l.done:
		return time.Since(l.at) > rememberTime
	default:
		return false
	}
}

func (n *names) lookUp(ctx context.Context, r Resolver, addr netip.Addr, l *lookUp) {
	n.slots <- struct{}{}
	defer func() { <-n.slots }()
	ctx, cancel := context.WithTimeout(ctx, lookUpTime)
	defer cancel()
	defer close(l.done)
	hosts, err := r.LookupAddr(ctx, addr.String())
	l.at = time.Now()
	l.sure = err == nil || isAbsent(err)
	if err != nil {
		return
	}
	if len(hosts) > maxNames {
		hosts = hosts[:maxNames]
		l.sure = false
	}
	for _, host := range hosts {
		host = strings.ToLower(strings.TrimSuffix(host, "."))
		if len(host) > maxNameLetters || !fitsAny(allMasks(), host) {
			continue
		}
		back, err := r.LookupNetIP(ctx, "ip", host)
		switch {
		case err != nil:
			l.sure = l.sure && isAbsent(err)
		case slices.ContainsFunc(back, func(b netip.Addr) bool { return b.Unmap() == addr }):
			l.hosts = append(l.hosts, host)
		}
	}
}

// isAbsent reports whether a name server answered that there is no such name, and did not just
// fail.
func isAbsent(err error) bool {
	var failed *net.DNSError
	return errors.As(err, &failed) && failed.IsNotFound && !failed.IsTemporary && !failed.IsTimeout
}

var allMasks = sync.OnceValue(func() (masks []string) {
	for c := range crawlers.All() {
		masks = append(masks, c.ReverseDNS...)
	}
	slices.Sort(masks)
	return slices.Compact(masks)
})

func fitsAny(masks []string, host string) bool {
	return slices.ContainsFunc(masks, func(mask string) bool { return fits(mask, host) })
}

// fits reports whether a host in lower case fits a mask, in which * means any text.
func fits(mask, host string) bool {
	parts := strings.Split(strings.ToLower(mask), "*")
	last := len(parts) - 1
	rest, ok := strings.CutPrefix(host, parts[0])
	if last == 0 || !ok {
		return ok && rest == ""
	}
	for _, part := range parts[1:last] {
		_, rest, ok = strings.Cut(rest, part)
		if !ok {
			return false
		}
	}
	return strings.HasSuffix(rest, parts[last])
}
