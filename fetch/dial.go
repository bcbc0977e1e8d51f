package fetch

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"

	"github.com/kosterhq/robotstxt/internal/safedial"
	"github.com/kosterhq/robotstxt/origin"
)

// Guard configures the address guard, which checks every address before the client
// dials it: of every redirect, and after the name is resolved. The zero value accepts
// public addresses on every port and refuses loopback, private, link-local, metadata
// and other special-purpose addresses.
type Guard struct {
	// Allow lists special-purpose ranges that the client dials nevertheless,
	// such as the operator's own network.
	Allow []netip.Prefix

	// Ports lists the ports that the client dials; nil means all. FTP data
	// connections are exempt, because the server chooses their port.
	Ports []uint16

	// NAT64 lists the prefixes that the operator's network translates to IPv4, in
	// most networks 64:ff9b::/96. The guard checks the IPv4 address in such an
	// address. If NAT64 is empty, the guard refuses 64:ff9b::/96. A prefix must
	// have one of the lengths in RFC 6052 2.2.
	NAT64 []netip.Prefix
}

// DialContext connects to addr, a host and a port, if the guard accepts one of the addresses
// to which the host resolves. It resolves the host once and dials only addresses that it has
// checked, so a name that resolves to another address a moment later changes nothing. It is
// for an http.Transport that requests pages, as the Base of a robotshttp.Transport, which then
// must have no Proxy. The zero Guard accepts public addresses only. ctx bounds the dial.
func (g Guard) DialContext(ctx context.Context, network, addr string) (net.Conn, error) {
	dialer := safedial.Dialer{Guard: safedial.Guard(g)}
	return dialer.DialContext(ctx, network, addr)
}

// Resolver looks up the addresses of a host. network is always "ip", and host a name
// in ASCII. *net.Resolver implements it.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

var everyAddress = []netip.Prefix{netip.MustParsePrefix("0.0.0.0/0"), netip.MustParsePrefix("::/0")}

func newDialer(c Config, limit *addressLimit) *safedial.Dialer {
	guard := safedial.Guard(c.Network.Guard)
	if c.Network.AllowPrivate {
		guard.Allow = everyAddress
	}
	dialer := &safedial.Dialer{Guard: guard, Resolver: c.Network.Resolver, Dial: c.Network.Dial,
		LocalAddr: c.Network.LocalAddr, Timeout: c.Limits.DialTimeout}
	if limit != nil {
		dialer.Dial = limit.dial
	}
	return dialer
}

// newTransport returns the transport for a configuration. It does not reuse
// connections: each origin is fetched about once a day, and a connection to a
// trusted address must not serve a later fetch without that trust.
//
// It does not offer HTTP/2, with which a single request takes as long and allocates a
// tenth more. A hostile server can make net/http open 900 connections a second for
// one request, with GOAWAY or REFUSED_STREAM, and write 600,000 lines a second to the
// log of the program, with unknown frames. The connections could be bounded in
// DialContext; the log of net/http cannot be turned off. BenchmarkHTTP2Fetch and
// BenchmarkHTTP2Hostile measure this.
func newTransport(c Config, dialer *safedial.Dialer) http.RoundTripper {
	var protocols http.Protocols
	protocols.SetHTTP1(true)
	config := c.Network.TLS.Clone()
	if config != nil {
		config.NextProtos = nil
	}
	return &http.Transport{
		Proxy:                  func(r *http.Request) (*url.URL, error) { return proxyIn(r.Context()), nil },
		OnProxyConnectResponse: checkConnect,
		DialContext:            dialFor(dialer),
		TLSClientConfig:        config,
		TLSHandshakeTimeout:    c.Limits.TLSTimeout,
		ResponseHeaderTimeout:  c.Limits.FirstByteTimeout,
		MaxResponseHeaderBytes: headerLimit,
		DisableCompression:     true, // this package decodes, to bound the size
		DisableKeepAlives:      true,
		Protocols:              &protocols,
	}
}

// trust returns the context for dialling an origin's own host: ctx, or a context
// with trust if Network.Trusts covers the origin. A trusted host can redirect to
// itself from http to https and back, so both default ports are trusted as well.
func (c *Client) trust(ctx context.Context, o origin.Origin) (_ context.Context, trusted bool) {
	if c.config.Network.Trusts == nil || !c.config.Network.Trusts(o) {
		return ctx, false
	}
	ports := []uint16{o.Port()}
	if o.Scheme() != "ftp" {
		ports = append(ports, 80, 443)
	}
	return safedial.Trust(ctx, o.Host(), ports...), true
}

func (c *Config) checkNetwork() error {
	for _, p := range slices.Concat(c.Network.Guard.Allow, c.Network.Guard.NAT64) {
		if !p.IsValid() {
			return &ConfigError{"Network.Guard", "contains the zero Prefix: use netip.ParsePrefix"}
		}
	}
	for _, p := range c.Network.Guard.NAT64 {
		if !p.Addr().Is6() || !slices.Contains(safedial.NAT64Bits, p.Bits()) {
			return &ConfigError{"Network.Guard", fmt.Sprintf("NAT64 prefix %v is not an IPv6 prefix of 32, 40, 48, 56, 64 or 96 bits (RFC 6052 2.2)", p)}
		}
	}
	if c.Network.Dial != nil && c.Network.LocalAddr.IsValid() {
		return &ConfigError{"Network.LocalAddr", "has no effect with Dial: bind the address in Dial, and leave LocalAddr zero"}
	}
	if c.Network.Credentials != nil && c.Store != nil {
		return &ConfigError{"Network.Credentials", "cannot be used with Store, because other programs would get the answers: leave Store nil"}
	}
	return nil
}

// systemPorts are below this port. No FTP server transfers data from them: they
// belong to services that a hostile server might want the client to contact.
const systemPorts = 1024

// checkDataConn returns an error if an FTP server directs the data connection
// elsewhere than to an unprivileged port of itself. named is the address in its
// reply, invalid if the reply contains only a port. [RFC 2577 3]
func checkDataConn(control netip.Addr, named netip.Addr, port uint16) error {
	at := netip.AddrPortFrom(control, port)
	switch {
	case named.IsValid() && named != control:
		return &safedial.RefusedError{Host: named.String(), Addr: netip.AddrPortFrom(named, port),
			Reason: "the FTP server named another host for the data connection"}
	case port < systemPorts:
		return &safedial.RefusedError{Host: control.String(), Addr: at,
			Reason: fmt.Sprintf("the FTP server chose a data port below %d", systemPorts)}
	}
	return nil
}
