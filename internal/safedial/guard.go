// Package safedial opens TCP connections for URLs from untrusted sources. It
// refuses connections to private, loopback and other special-purpose addresses, and
// so prevents server-side request forgery.
//
// A URL can contain an internal address, can have a host that resolves to one, on
// the first or on a later lookup, or can redirect to one. Each of these ends in a
// connection, so this package resolves and checks the host of each connection, and
// then dials the checked address. No earlier check is reused.
//
// Two configurations bypass such a check:
//
//   - A proxy. It resolves the host again and dials by itself. [Dialer.CheckAll]
//     checks the target first; the proxy must refuse such addresses as well.
//   - A connection pool. [Trust] applies when a connection is opened, but a pool
//     can reuse a connection to a trusted host for a request without trust. Set
//     http.Transport.DisableKeepAlives if contexts contain trust.
package safedial

import (
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"code.dny.dev/ssrf"
)

// Guard decides which addresses may be dialled. The zero value accepts public
// addresses on every port and refuses special-purpose addresses. A Guard is safe
// for concurrent use if its fields do not change.
type Guard struct {
	// Allow lists special-purpose ranges that are accepted, such as the
	// operator's own network.
	Allow []netip.Prefix

	// Ports lists the accepted ports; nil means all.
	Ports []uint16

	// NAT64 lists the prefixes that the operator's network translates to IPv4,
	// in most networks 64:ff9b::/96. The guard checks the IPv4 address in such
	// an address. If NAT64 is empty, the guard refuses 64:ff9b::/96, because it
	// cannot know whether there is a translator and which addresses it accepts.
	NAT64 []netip.Prefix
}

// RefusedError is the error for an address that a [Guard] refuses. [Dialer] and
// http.Client wrap it; errors.As finds it.
type RefusedError struct {
	Host   string         // the host that was dialled, as written; empty if unknown
	Addr   netip.AddrPort // the address of Host; invalid if it was not resolved
	Reason string         // why it was refused; it can contain the address

	// NotPublic reports that Addr has a special purpose: the reason for all addresses
	// but those with a refused port.
	NotPublic bool
}

// Error returns what was refused and why, and which setting would allow it.
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

// special checks the special-purpose registries of IANA. It also refuses the
// metadata address of Azure, which is public according to the registries.
var special = ssrf.New(ssrf.WithAnyNetwork(), ssrf.WithAnyPort(), ssrf.WithDeniedV4Prefixes(azureMetadata))

var azureMetadata = netip.MustParsePrefix("168.63.129.16/32")

// Check returns a [RefusedError] if addr must not be dialled, and nil otherwise. It
// checks an IPv4-mapped IPv6 address as the IPv4 address that a socket would connect
// to, and ignores a zone.
func (g *Guard) Check(addr netip.AddrPort) error {
	if g.Ports != nil && !slices.Contains(g.Ports, addr.Port()) {
		return &RefusedError{Addr: addr, Reason: fmt.Sprintf("port %d is not among the allowed ports", addr.Port())}
	}
	// netip.Prefix.Contains is false for mapped addresses and for zones.
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
	return &RefusedError{Addr: addr, NotPublic: true, Reason: describe(ip) +
		" is a special-purpose address, allowed only for a trusted host or in an allowed range"}
}

func (g *Guard) allows(ip netip.Addr) bool {
	return slices.ContainsFunc(g.Allow, func(p netip.Prefix) bool { return p.Contains(ip) })
}

// translated returns the IPv4 address to which the operator's NAT64 translates ip.
func (g *Guard) translated(ip netip.Addr) (v4 netip.Addr, ok bool) {
	for _, p := range g.NAT64 {
		if p.Contains(ip) && p.Addr().Is6() {
			return embedded(ip, p.Bits())
		}
	}
	return netip.Addr{}, false
}

// NAT64Bits are the lengths of prefixes that can be in Guard.NAT64. [RFC 6052 2.2]
var NAT64Bits = []int{32, 40, 48, 56, 64, 96}

// embedded returns the IPv4 address in an IPv6 address whose prefix has the given
// length. The IPv4 address follows the prefix and skips byte 8, which is always
// zero. [RFC 6052 2.2]
func embedded(ip netip.Addr, bits int) (v4 netip.Addr, ok bool) {
	if !slices.Contains(NAT64Bits, bits) {
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

// describe returns the address, with the name of its range if there is a common
// one. It has no influence on what is refused.
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

// canonicalHost returns the form of a host name or IP literal that Trust compares.
// It treats unusual spellings of IPv4, such as 127.1, as names, and compares names
// as they were typed.
func canonicalHost(host string) string {
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.Unmap().String()
	}
	return strings.TrimSuffix(strings.ToLower(host), ".")
}

// splitAddr splits an address of a network, which must be TCP, into host and port.
func splitAddr(network, addr string) (host string, port uint16, err error) {
	if !slices.Contains([]string{"tcp", "tcp4", "tcp6"}, network) {
		return "", 0, &RefusedError{Host: addr, Reason: fmt.Sprintf("the network %q is not TCP", network)}
	}
	host, text, err := net.SplitHostPort(addr)
	if err != nil {
		return "", 0, err
	}
	if host == "" {
		return "", 0, &RefusedError{Host: addr, Reason: "no host is given"}
	}
	n, err := strconv.ParseUint(text, 10, 16)
	if err != nil {
		return "", 0, &net.AddrError{Err: "invalid port", Addr: addr}
	}
	return host, uint16(n), nil
}
