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
	// Guard checks each address that a host resolves to, immediately before
	// the connection is made.
	Guard Guard

	// Net contains timeouts, the resolver and other settings. Its Control and
	// ControlContext hooks run after the guard has accepted an address. It is a
	// named field, not an embedded one, because its methods bypass the guard.
	Net net.Dialer
}

// DialContext connects to addr, a host and a port, if the guard accepts the
// address. It does not call the guard for a host that ctx trusts, see [Trust]. If
// all addresses of a host fail, it returns the error of the first one, whether it
// was refused or not.
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

// guard sets a hook of dialer that calls the guard, and then the hook that dialer
// had. host is the host that will be dialled. net.Dialer calls only one of its two
// hooks.
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

// Trust returns a context in which a [Dialer] connects to the given hosts whatever
// their addresses are, in addition to those that ctx trusts. It is for hosts that a
// user typed, such as localhost or a host on an intranet.
//
// A host is an ASCII name or an IP literal, with or without a port. Without a port,
// all ports are trusted. Case, a final dot and the spelling of an IPv6 literal do
// not matter. Another name for the same address is not trusted. The trust belongs
// to one context, so a redirect in another request does not have it.
//
// FTP clients dial the data connection by address. To trust it as well, trust the
// host in RemoteAddr of the control connection, without its port.
func Trust(ctx context.Context, hosts ...string) context.Context {
	trusted, _ := ctx.Value(trustKey{}).([]string)
	// Contexts share the slice, so append must not write into its spare capacity.
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
