// Package safedial opens TCP connections for URLs that strangers wrote: it
// refuses addresses that a stranger must not reach through us.
//
// A URL may name an internal host outright, resolve to one, resolve to one the
// second time it is asked, or redirect to one. All of these end in a connect,
// so that is where the check sits: after resolution, on the very address the
// socket is about to be connected to, at each attempt anew. Nothing is checked
// before and trusted later.
//
// Two things get past a check of this kind:
//
//   - A proxy. What is checked is the address of the proxy; the proxy connects
//     to the rest. Leave http.Transport.Proxy nil, or let the proxy guard what
//     it connects to.
//   - A pool. [Trust] holds for connections, and a pool may hand a connection
//     that was opened for a trusted host to a request that trusts nobody.
//     Set http.Transport.DisableKeepAlives where the context carries trust.
package safedial

import (
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"syscall"

	"code.dny.dev/ssrf"
)

// Guard decides which addresses may be connected to. Its zero value allows
// public addresses at every port and refuses every special-purpose one. It is
// safe for concurrent use as long as its fields stay as they are.
type Guard struct {
	// Allow lists ranges that may be connected to although they are
	// special-purpose, such as the operator's own network.
	Allow []netip.Prefix

	// Ports lists the ports that may be connected to; nil means all of them.
	// FTP data connections need them all: the server picks the port.
	Ports []uint16

	// NAT64 lists the prefixes under which the operator's network translates
	// to IPv4, 64:ff9b::/96 in most. An address under one of them is judged by
	// the IPv4 address in it. Without any, 64:ff9b::/96 is refused as a whole:
	// only the operator knows that a translator is there, and which addresses
	// it lets through.
	NAT64 []netip.Prefix
}

// RefusedError is the error for an address that a [Guard] refuses. It is found
// with errors.As in what net.Dialer and http.Client make of it.
type RefusedError struct {
	Host   string         // what was dialed, as it was spelled; empty if only the address is known
	Addr   netip.AddrPort // what it resolved to; invalid if nothing was resolved
	Reason string         // what is wrong with it
}

// Error says what was refused, why, and what would allow it.
func (e *RefusedError) Error() string {
	where := e.Host
	if e.Addr.IsValid() {
		where = e.Addr.String()
		if e.Host != "" && e.Host != e.Addr.Addr().String() {
			where += " (" + e.Host + ")"
		}
	}
	return "refused to connect to " + where + ": " + e.Reason
}

// special knows the special-purpose registries of IANA. Azure answers metadata
// questions at an address that the registries count as public.
var special = ssrf.New(ssrf.WithAnyNetwork(), ssrf.WithAnyPort(), ssrf.WithDeniedV4Prefixes(azureMetadata))

var azureMetadata = netip.MustParsePrefix("168.63.129.16/32")

// Check returns a [RefusedError] unless addr may be connected to. An IPv4
// address mapped into IPv6 is judged as the IPv4 address that a socket would
// connect to, and a zone is of no account.
func (g *Guard) Check(addr netip.AddrPort) error {
	if g.Ports != nil && !slices.Contains(g.Ports, addr.Port()) {
		return &RefusedError{Addr: addr, Reason: fmt.Sprintf("port %d is not among the allowed ports", addr.Port())}
	}
	// Prefixes contain neither mapped nor zoned addresses.
	ip := addr.Addr().Unmap().WithZone("")
	if g.allows(ip) {
		return nil
	}
	if embedded, ok := g.translated(ip); ok {
		if g.allows(embedded) {
			return nil
		}
		ip = embedded
	}
	if special.SafeAddr(ip) == nil {
		return nil
	}
	return &RefusedError{Addr: addr, Reason: describe(ip) +
		" is a special-purpose address, which only a trusted host or an allowed range may lead to"}
}

// Control is a hook for net.Dialer.Control. It refuses what [Guard.Check]
// refuses, and everything but TCP. A [Dialer] installs it by itself.
func (g *Guard) Control(network, address string, _ syscall.RawConn) error {
	if err := checkNetwork(network, address); err != nil {
		return err
	}
	addr, err := netip.ParseAddrPort(address)
	if err != nil {
		return &RefusedError{Host: address, Reason: "not an address and a port"}
	}
	return g.Check(addr)
}

func (g *Guard) allows(ip netip.Addr) bool {
	return slices.ContainsFunc(g.Allow, func(p netip.Prefix) bool { return p.Contains(ip) })
}

// translated returns the IPv4 address that a translator of the operator's
// makes of ip.
func (g *Guard) translated(ip netip.Addr) (v4 netip.Addr, ok bool) {
	for _, p := range g.NAT64 {
		if p.Contains(ip) && p.Addr().Is6() {
			return embedded(ip, p.Bits())
		}
	}
	return netip.Addr{}, false
}

// embedded cuts the IPv4 address out of an IPv6 address whose prefix has the
// given length. The address stands behind the prefix and goes around byte 8,
// which is always zero (RFC 6052 2.2).
func embedded(ip netip.Addr, bits int) (v4 netip.Addr, ok bool) {
	if !slices.Contains([]int{32, 40, 48, 56, 64, 96}, bits) {
		return netip.Addr{}, false
	}
	bytes := ip.As16()
	var out [4]byte
	at := bits / 8
	for i := range out {
		if at == 8 {
			at++
		}
		out[i] = bytes[at]
		at++
	}
	return netip.AddrFrom4(out), true
}

func checkNetwork(network, address string) error {
	switch network {
	case "tcp", "tcp4", "tcp6":
		return nil
	}
	return &RefusedError{Host: address, Reason: fmt.Sprintf("the network %q is not TCP", network)}
}

// describe names the address and, where people know a name for it, its range.
// It only words an error: what is refused is decided before.
func describe(ip netip.Addr) string {
	for _, r := range ranges {
		if r.prefix.Contains(ip) {
			return ip.String() + " (" + r.name + ")"
		}
	}
	return ip.String()
}

var ranges = []struct {
	prefix netip.Prefix
	name   string
}{
	{netip.MustParsePrefix("127.0.0.0/8"), "loopback"},
	{netip.MustParsePrefix("::1/128"), "loopback"},
	{netip.MustParsePrefix("10.0.0.0/8"), "private network"},
	{netip.MustParsePrefix("172.16.0.0/12"), "private network"},
	{netip.MustParsePrefix("192.168.0.0/16"), "private network"},
	{netip.MustParsePrefix("fc00::/7"), "private network"},
	{netip.MustParsePrefix("169.254.169.254/32"), "cloud metadata"},
	{azureMetadata, "cloud metadata"},
	{netip.MustParsePrefix("169.254.0.0/16"), "link-local"},
	{netip.MustParsePrefix("fe80::/10"), "link-local"},
	{netip.MustParsePrefix("100.64.0.0/10"), "carrier-grade NAT"},
	{netip.MustParsePrefix("224.0.0.0/4"), "multicast"},
	{netip.MustParsePrefix("ff00::/8"), "multicast"},
	{netip.MustParsePrefix("0.0.0.0/8"), "this network"},
	{netip.MustParsePrefix("::/128"), "this network"},
	{netip.MustParsePrefix("64:ff9b::/96"), "translated to IPv4 by NAT64"},
	{netip.MustParsePrefix("64:ff9b:1::/48"), "translated to IPv4 by NAT64"},
	{netip.MustParsePrefix("2002::/16"), "tunnelled to IPv4 by 6to4"},
	{netip.MustParsePrefix("2001::/32"), "tunnelled to IPv4 by Teredo"},
}

// canonicalHost brings a host name or IP literal into the one spelling that
// trust compares. It does not read the odd spellings of IPv4, such as 127.1:
// they are names, and names are trusted as they were typed.
func canonicalHost(host string) string {
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.Unmap().String()
	}
	return strings.TrimSuffix(strings.ToLower(host), ".")
}

// canonicalHostPort is canonicalHost for a host with or without a port.
func canonicalHostPort(s string) string {
	if _, err := netip.ParseAddr(s); err == nil {
		return canonicalHost(s) // an IPv6 literal, whose last group is no port
	}
	host, port, err := net.SplitHostPort(s)
	if err != nil {
		return canonicalHost(s)
	}
	return net.JoinHostPort(canonicalHost(host), port)
}
