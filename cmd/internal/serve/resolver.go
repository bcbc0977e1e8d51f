package serve

import (
	"context"
	"errors"
	"net"
	"net/netip"

	"github.com/kosterhq/robotstxt/fetch"
)

// discreetResolver is a resolver whose errors do not name the DNS server: answers contain
// them, and the address of that server is no client's business.
type discreetResolver struct{ fetch.Resolver }

func (r discreetResolver) LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error) {
	found, err := r.Resolver.LookupNetIP(ctx, network, host)
	if dns, ok := errors.AsType[*net.DNSError](err); ok && dns.Server != "" {
		copied := *dns
		copied.Server = ""
		err = &copied
	}
	return found, err
}

// resolver returns the resolver of the settings, or that of the system.
func (c *Config) resolver() fetch.Resolver {
	if c.Resolver == nil {
		return discreetResolver{net.DefaultResolver}
	}
	return discreetResolver{c.Resolver}
}
