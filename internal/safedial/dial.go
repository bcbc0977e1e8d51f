package safedial

import (
	"context"
	"errors"
	"net"
	"slices"
	"syscall"
)

// Dialer opens TCP connections under a [Guard]. Its DialContext fits
// http.Transport and FTP clients. The zero value refuses every special-purpose
// address and dials without a time limit of its own.
type Dialer struct {
	// Guard is asked about each address that a host resolves to, right before
	// the connect.
	Guard Guard

	// Net holds timeouts, resolver and the rest. Its Control and
	// ControlContext hooks run after the guard has let an address through. It
	// is a named field because its own methods would dial past the guard.
	Net net.Dialer
}

// DialContext connects to addr, a host and a port, if the guard lets it. For a
// host that ctx trusts (see [Trust]) the guard is not asked. If all addresses
// of a host fail, the error is that of the first, refused or not.
func (d *Dialer) DialContext(ctx context.Context, network, addr string) (net.Conn, error) {
	if err := checkNetwork(network, addr); err != nil {
		return nil, err
	}
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	dialer := d.Net
	if !trusts(ctx, host, port) {
		d.guard(&dialer, host)
	}
	return dialer.DialContext(ctx, network, addr)
}

// guard hooks the guard into dialer, which is about to dial host, in front of
// the hook that is there. net.Dialer calls only one of its two hooks.
func (d *Dialer) guard(dialer *net.Dialer, host string) {
	next := dialer.ControlContext
	if plain := dialer.Control; next == nil && plain != nil {
		next = func(_ context.Context, network, address string, c syscall.RawConn) error {
			return plain(network, address, c)
		}
	}
	dialer.ControlContext = func(ctx context.Context, network, address string, c syscall.RawConn) error {
		if err := d.Guard.Control(network, address, c); err != nil {
			if refused, ok := errors.AsType[*RefusedError](err); ok && refused.Addr.IsValid() {
				refused.Host = host
			}
			return err
		}
		if next == nil {
			return nil
		}
		return next(ctx, network, address, c)
	}
}

type trustKey struct{}

// Trust returns a context under which a [Dialer] connects to the given hosts
// wherever they lead, next to those that ctx trusts already. It is for hosts
// that the user typed: people look at localhost and at intranets.
//
// A host is a name in ASCII or an IP literal, alone, which trusts all of its
// ports, or with a port. Case, a final dot and the spelling of an IPv6 literal
// make no difference; other names for the same address do. Since the trust
// travels with one request, a redirect from elsewhere does not find it.
//
// FTP clients dial the data connection by address. To trust it as well, trust
// the host in RemoteAddr of the control connection, without its port.
func Trust(ctx context.Context, hosts ...string) context.Context {
	trusted, _ := ctx.Value(trustKey{}).([]string)
	// A context is shared: append must not write behind another one's back.
	trusted = slices.Clip(trusted)
	for _, h := range hosts {
		if h = canonicalHostPort(h); h != "" {
			trusted = append(trusted, h)
		}
	}
	return context.WithValue(ctx, trustKey{}, trusted)
}

func trusts(ctx context.Context, host, port string) bool {
	trusted, _ := ctx.Value(trustKey{}).([]string)
	if len(trusted) == 0 {
		return false
	}
	host = canonicalHost(host)
	return slices.Contains(trusted, host) || slices.Contains(trusted, net.JoinHostPort(host, port))
}
