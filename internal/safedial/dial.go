package safedial

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"slices"
	"strings"
	"time"
)

// Resolver looks up the addresses of a host. network is always "ip". *net.Resolver
// implements it.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// Dialer opens TCP connections under a [Guard]. Its DialContext fits
// http.Transport and FTP clients. The zero value refuses every special-purpose
// address and dials without a time limit of its own.
//
// It resolves a host itself, checks each address, and dials only addresses, never a
// name. So neither a second lookup nor a Dial function can change what was checked.
type Dialer struct {
	// Guard checks each address that a host resolves to.
	Guard Guard

	// Resolver looks up hosts that are not IP literals; nil means
	// net.DefaultResolver.
	Resolver Resolver
	// Dial connects to an accepted address, an IP literal with a port. network is
	// "tcp". nil means a net.Dialer.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// LocalAddr is the local address of connections. Remote addresses of the other
	// family are not dialled. The zero Addr leaves the choice to the system. It is
	// not used with Dial.
	LocalAddr netip.Addr
	// Timeout bounds a dial, resolution included; 0 means no limit.
	Timeout time.Duration
}

// DialContext connects to addr, a host and a port, if the guard accepts one of its
// addresses. It dials the accepted ones in the resolver's order, both families at
// once if the first one is slow. [RFC 8305] If ctx trusts the host, see [Trust], it
// dials the addresses of the first resolution without a check. If no address is
// accepted, the error is the *[RefusedError] of the first one, in a *net.OpError.
func (d *Dialer) DialContext(ctx context.Context, network, addr string) (net.Conn, error) {
	if d.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, d.Timeout)
		defer cancel()
	}
	accepted, err := d.accepted(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	return d.dialAny(ctx, accepted)
}

// CheckAll returns the error of an address of addr, a host and a port, that the
// guard refuses, and nil if it accepts all of them. It is for requests through a
// proxy, which can connect to any of the addresses. If the host cannot be resolved,
// resolved is false and the error nil: where a proxy is the only way out, the local
// name servers often know no other names.
func (d *Dialer) CheckAll(ctx context.Context, addr string) (resolved bool, err error) {
	target, err := d.resolve(ctx, "tcp", addr)
	switch {
	case errors.As(err, new(*net.DNSError)), err != nil && ctx.Err() != nil:
		return false, nil
	case len(target.refusals) > 0:
		return true, target.refusals[0]
	}
	return err == nil, err
}

func (d *Dialer) accepted(ctx context.Context, network, addr string) ([]netip.AddrPort, error) {
	target, err := d.resolve(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	accepted := slices.DeleteFunc(target.accepted, func(a netip.AddrPort) bool { return !d.reaches(network, a.Addr()) })
	switch {
	case len(accepted) > 0:
		return accepted, nil
	case len(target.refusals) > 0:
		return nil, target.refusals[0]
	default:
		return nil, opError(network, nil, &net.AddrError{Err: "no suitable address", Addr: addr})
	}
}

// reaches reports whether an address has the family of network and of LocalAddr.
func (d *Dialer) reaches(network string, ip netip.Addr) bool {
	if d.LocalAddr.IsValid() && d.LocalAddr.Unmap().Is4() != ip.Is4() {
		return false
	}
	return network == "tcp" || (network == "tcp4") == ip.Is4()
}

type target struct {
	accepted []netip.AddrPort
	refusals []error
}

func (d *Dialer) resolve(ctx context.Context, network, addr string) (t target, err error) {
	var trusted *trust
	var ips []netip.Addr
	host, port, err := splitAddr(network, addr)
	if err == nil {
		trusted = trustIn(ctx, host, port)
		ips, err = trusted.addresses(func() ([]netip.Addr, error) { return d.lookUp(ctx, host) })
	}
	if err != nil {
		return t, opError(network, nil, err)
	}
	for _, ip := range ips {
		at := netip.AddrPortFrom(ip, port)
		if trusted == nil {
			if err := d.Guard.Check(at); err != nil {
				err.(*RefusedError).Host = host
				t.refusals = append(t.refusals, opError(network, net.TCPAddrFromAddrPort(at), err))
				continue
			}
		}
		t.accepted = append(t.accepted, at)
	}
	return t, nil
}

// localZone ends the names that are this machine, whatever a name server says, and loopback has
// their addresses. [RFC 6761 6.3]
const localZone = ".localhost"

var loopback = []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1}), netip.IPv6Loopback()}

// lookUp returns the addresses of a host, IPv4 addresses in their four-byte form.
func (d *Dialer) lookUp(ctx context.Context, host string) (ips []netip.Addr, err error) {
	if ip, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{ip.Unmap()}, nil
	}
	name := strings.TrimSuffix(host, ".")
	if zone := len(name) - len(localZone); zone > 0 && strings.EqualFold(name[zone:], localZone) {
		return loopback, nil
	}
	var resolver Resolver = net.DefaultResolver
	if d.Resolver != nil {
		resolver = d.Resolver
	}
	found, err := resolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return nil, err
	}
	for _, ip := range found {
		if ip.IsValid() {
			ips = append(ips, ip.Unmap())
		}
	}
	if len(ips) == 0 {
		err = &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	return ips, err
}

func opError(network string, addr net.Addr, err error) error {
	return &net.OpError{Op: "dial", Net: network, Addr: addr, Err: err}
}
