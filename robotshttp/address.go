package robotshttp

import (
	"context"
	"net"
	"net/netip"
	"slices"
	"time"

	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/origin"
	"github.com/maypok86/otter/v2"
)

// How many addresses ByAddress remembers, and for how long.
const (
	maxAddresses    = 100_000
	addressLifetime = 10 * time.Minute
)

// ByAddress returns a Transport.Queue that puts requests to all hosts with the same
// IP address into one queue, such as the sites of one hosting provider. If a host has several
// addresses, it takes the lowest, so that the order of DNS answers does not matter.
// resolver looks up hosts; nil means net.DefaultResolver. A host is looked up once
// in ten minutes. If the look-up fails, the host has its own queue.
func ByAddress(resolver fetch.Resolver) func(context.Context, origin.Origin) string {
	if resolver == nil {
		resolver = net.DefaultResolver
	}
	lookUp := otter.LoaderFunc[string, address](func(ctx context.Context, host string) (address, error) {
		addrs, err := resolver.LookupNetIP(ctx, "ip", host)
		if err != nil || len(addrs) == 0 {
			return address{}, err
		}
		lowest := slices.MinFunc(addrs, func(a, b netip.Addr) int { return a.Unmap().Compare(b.Unmap()) })
		return address{lowest.Unmap().String(), time.Now().Add(addressLifetime)}, nil
	})
	// The cache does not know the lifetimes, because it would need a goroutine for
	// them.
	known := otter.Must(&otter.Options[string, address]{
		MaximumSize: maxAddresses,
		Executor:    func(housekeeping func()) { housekeeping() },
		Logger:      &otter.NoopLogger{},
	})
	return func(ctx context.Context, o origin.Origin) string {
		host := o.Host()
		if addr, err := netip.ParseAddr(host); err == nil {
			return addr.Unmap().String()
		}
		if a, ok := known.GetIfPresent(host); ok && time.Now().After(a.until) {
			known.Invalidate(host)
		}
		a, err := known.Get(ctx, host, lookUp) // one lookup for all concurrent callers
		if err != nil {
			return ""
		}
		return a.text
	}
}

type address struct {
	text  string
	until time.Time
}
