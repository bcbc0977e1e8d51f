package safedial_test

import (
	"errors"
	"net/netip"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/internal/safedial"
)

// specialRanges are the ranges of the IANA special-purpose registries, those
// outside IPv6 global unicast, and the metadata addresses of clouds. The table
// is written by hand, so that it does not repeat the library.
var specialRanges = []string{
	"0.0.0.0/8",
	"10.0.0.0/8",
	"100.64.0.0/10",
	"100.100.100.200/32", // metadata at Alibaba
	"127.0.0.0/8",
	"168.63.129.16/32", // metadata at Azure
	"169.254.0.0/16",
	"169.254.169.254/32", // metadata at most others
	"169.254.170.2/32",   // credentials of a container at Amazon
	"172.16.0.0/12",
	"192.0.0.0/24",
	"192.0.0.8/32",
	"192.0.0.192/32", // metadata at Oracle
	"192.0.2.0/24",
	"192.31.196.0/24",
	"192.52.193.0/24",
	"192.88.99.0/24",
	"192.168.0.0/16",
	"192.175.48.0/24",
	"198.18.0.0/15",
	"198.51.100.0/24",
	"203.0.113.0/24",
	"224.0.0.0/4",
	"240.0.0.0/4",
	"255.255.255.255/32",

	"::/128",
	"::1/128",
	"::/96",           // IPv4-compatible, all of them
	"::127.0.0.1/128", // IPv4-compatible
	"::ffff:0:0:0/96", // IPv4-translated
	"::ffff:0:7f00:1/128",
	"64:ff9b::/96",
	"64:ff9b::7f00:1/128",  // NAT64 of 127.0.0.1
	"64:ff9b::808:808/128", // NAT64 of 8.8.8.8
	"64:ff9b:1::/48",
	"100::/64",
	"100:0:0:1::/64",
	"200::/7",
	"400::/6",
	"800::/5",
	"1000::/4",
	"2001::/23",
	"2001::/32", // Teredo
	"2001:0:4136:e378:8000:63bf:807f:fffe/128", // Teredo of 127.128.0.1
	"2001:1::1/128",
	"2001:2::/48",
	"2001:3::/32",
	"2001:4:112::/48",
	"2001:10::/28",
	"2001:20::/28",
	"2001:30::/28",
	"2001:db8::/32",
	"2002::/16",
	"2002:7f00:1::/48",  // 6to4 of 127.0.0.1
	"2002:a00:1::/48",   // 6to4 of 10.0.0.1
	"2002:808:808::/48", // 6to4 of 8.8.8.8
	"2620:4f:8000::/48",
	"3fff::/20",
	"4000::/3",
	"5f00::/16",
	"6000::/3",
	"8000::/3",
	"a000::/3",
	"c000::/3",
	"e000::/4",
	"f000::/5",
	"f800::/6",
	"fc00::/7",
	"fd00:ec2::254/128", // metadata at Amazon
	"fd20:ce::254/128",  // metadata at Google
	"fe00::/9",
	"fe80::/10",
	"fec0::/10",
	"ff00::/8",
	"ff02::1/128",
}

// lastOf returns the last address of a range.
func lastOf(p netip.Prefix) netip.Addr {
	bytes := p.Addr().AsSlice()
	for bit := p.Bits(); bit < len(bytes)*8; bit++ {
		bytes[bit/8] |= 0x80 >> (bit % 8)
	}
	last, _ := netip.AddrFromSlice(bytes)
	return last
}

// spellings returns the forms of ip that a caller may use.
func spellings(ip netip.Addr) []netip.Addr {
	if ip.Is4() {
		return []netip.Addr{ip, netip.AddrFrom16(ip.As16())} // mapped into IPv6
	}
	return []netip.Addr{ip, ip.WithZone("eth0")}
}

func TestCheckRefusesSpecialAddresses(t *testing.T) {
	var g safedial.Guard
	tried := 0
	for _, r := range specialRanges {
		p := netip.MustParsePrefix(r)
		if p != p.Masked() {
			t.Fatalf("%s is not the start of a range", r)
		}
		middle := lastOf(netip.PrefixFrom(p.Addr(), min(p.Bits()+1, p.Addr().BitLen())))
		for _, ip := range []netip.Addr{p.Addr(), middle, lastOf(p)} {
			for _, spelled := range spellings(ip) {
				tried++
				checkRefused(t, g.Check(netip.AddrPortFrom(spelled, 80)), spelled)
			}
		}
	}
	t.Logf("%d addresses of %d ranges", tried, len(specialRanges))
}

func checkRefused(t *testing.T, err error, ip netip.Addr) {
	t.Helper()
	var refused *safedial.RefusedError
	if !errors.As(err, &refused) {
		t.Errorf("%s: err = %v, want a RefusedError", ip, err)
		return
	}
	if refused.Addr.Addr() != ip || !strings.Contains(refused.Error(), "special-purpose") {
		t.Errorf("%s: says %q about %s", ip, refused, refused.Addr)
	}
}

func TestCheckAllowsPublicAddresses(t *testing.T) {
	public := []string{
		"1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
		"128.0.0.0", "168.63.129.15", "168.63.129.17", "169.253.255.255", "169.255.0.0", "172.15.255.255",
		"172.32.0.0", "192.0.1.0", "192.0.3.0", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0",
		"198.51.99.255", "203.0.114.0", "223.255.255.255",
		"2000::1", "2001:200::1", "2001:4860:4860::8888", "2001:db7:ffff::1", "2001:db9::", "2003::1",
		"2606:4700::1111", "2a00:1450:4001:81b::200e", "3ffe::1", "3fff:1000::",
	}
	var g safedial.Guard
	for _, p := range public {
		for _, spelled := range spellings(netip.MustParseAddr(p)) {
			if err := g.Check(netip.AddrPortFrom(spelled, 443)); err != nil {
				t.Errorf("%s: %v", spelled, err)
			}
		}
	}
}

func TestCheckAllowList(t *testing.T) {
	g := safedial.Guard{Allow: []netip.Prefix{
		netip.MustParsePrefix("10.1.0.0/16"),
		netip.MustParsePrefix("fd00::/8"),
		netip.MustParsePrefix("fe80::/10"),
	}}
	for addr, want := range map[string]bool{
		"10.1.2.3":        true,
		"::ffff:10.1.2.3": true,
		"fd00::1":         true,
		"fe80::1%eth0":    true,
		"8.8.8.8":         true,
		"10.2.0.0":        false,
		"fc00::1":         false,
		"127.0.0.1":       false,
		"::10.1.2.3":      false,
	} {
		err := g.Check(netip.AddrPortFrom(netip.MustParseAddr(addr), 80))
		if allowed := err == nil; allowed != want {
			t.Errorf("%s: allowed = %v, want %v (%v)", addr, allowed, want, err)
		}
	}
}

// TestCheckNAT64 uses the examples of RFC 6052 2.4, which embed 192.0.2.33, with
// other addresses in them.
func TestCheckNAT64(t *testing.T) {
	tests := []struct {
		prefix, public, private string
	}{
		{"64:ff9b::/96", "64:ff9b::8.8.8.8", "64:ff9b::127.0.0.1"},
		{"2001:db8::/32", "2001:db8:808:808::", "2001:db8:7f00:1::"},
		{"2001:db8:100::/40", "2001:db8:108:808:8::", "2001:db8:17f::1:0:0:0"},
		{"2001:db8:122::/48", "2001:db8:122:808:8:800::", "2001:db8:122:7f00:0:100::"},
		{"2001:db8:122:300::/56", "2001:db8:122:308:8:808::", "2001:db8:122:37f:0:1::"},
		{"2001:db8:122:344::/64", "2001:db8:122:344:8:808:800::", "2001:db8:122:344:7f:0:100::"},
		{"2001:db8:122:344::/96", "2001:db8:122:344::8.8.8.8", "2001:db8:122:344::10.0.0.1"},
		{"2606:4700:64::/96", "2606:4700:64::8.8.8.8", "2606:4700:64::169.254.169.254"},
	}
	for _, tt := range tests {
		g := safedial.Guard{NAT64: []netip.Prefix{netip.MustParsePrefix(tt.prefix)}}
		if err := g.Check(netip.AddrPortFrom(netip.MustParseAddr(tt.public), 80)); err != nil {
			t.Errorf("%s: %v", tt.prefix, err)
		}
		private := netip.MustParseAddr(tt.private)
		checkRefused(t, g.Check(netip.AddrPortFrom(private, 80)), private)
		g.Allow = []netip.Prefix{netip.MustParsePrefix("0.0.0.0/0")}
		if err := g.Check(netip.AddrPortFrom(private, 80)); err != nil {
			t.Errorf("%s: the embedded address is allowed, but: %v", tt.private, err)
		}
	}
	// Prefix lengths that RFC 6052 does not define embed nothing, nor does
	// IPv4.
	g := safedial.Guard{NAT64: []netip.Prefix{netip.MustParsePrefix("64:ff9b::/95"), netip.MustParsePrefix("8.8.8.8/32")}}
	public := netip.MustParseAddr("64:ff9b::8.8.8.8")
	checkRefused(t, g.Check(netip.AddrPortFrom(public, 80)), public)
	if err := g.Check(netip.MustParseAddrPort("8.8.8.8:80")); err != nil {
		t.Error(err)
	}
}

func TestCheckPorts(t *testing.T) {
	g := safedial.Guard{Ports: []uint16{80, 443}}
	for addr, want := range map[string]string{
		"8.8.8.8:80":   "",
		"8.8.8.8:443":  "",
		"8.8.8.8:22":   "refused to connect to 8.8.8.8:22: port 22 is not among the allowed ports",
		"8.8.8.8:0":    "refused to connect to 8.8.8.8:0: port 0 is not among the allowed ports",
		"127.0.0.1:80": "refused to connect to 127.0.0.1:80: 127.0.0.1 (loopback) is a special-purpose address, allowed only for a trusted host or in an allowed range",
	} {
		got := ""
		if err := g.Check(netip.MustParseAddrPort(addr)); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s:\n got %q\nwant %q", addr, got, want)
		}
	}
	none := safedial.Guard{Ports: []uint16{}}
	if none.Check(netip.MustParseAddrPort("8.8.8.8:80")) == nil {
		t.Error("an empty list of ports allows a port")
	}
}
