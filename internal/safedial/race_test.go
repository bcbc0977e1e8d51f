package safedial_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kosterhq/robotstxt/internal/safedial"
)

// addresses is a Resolver that has the same answer for every host.
type addresses []string

func (a addresses) LookupNetIP(context.Context, string, string) (ips []netip.Addr, err error) {
	for _, text := range a {
		ips = append(ips, netip.MustParseAddr(text))
	}
	return ips, nil
}

// network simulates dials. An address is accepted after its time; one without a time
// does not answer, and one with a negative time fails after it.
type network struct {
	took map[string]time.Duration

	mu    sync.Mutex
	log   []string // "seconds address"
	open  int
	start time.Time
}

type conn struct {
	net.Conn
	n *network
}

func (c conn) Close() error {
	c.n.mu.Lock()
	defer c.n.mu.Unlock()
	c.n.open--
	return nil
}

func (n *network) dial(ctx context.Context, _, address string) (net.Conn, error) {
	host := netip.MustParseAddrPort(address).Addr().String()
	n.mu.Lock()
	n.log = append(n.log, fmt.Sprintf("%v %s", time.Since(n.start).Seconds(), host))
	n.mu.Unlock()
	took, answers := n.took[host]
	if !answers {
		<-ctx.Done()
		return nil, fmt.Errorf("%s: %w", host, ctx.Err())
	}
	time.Sleep(max(took, -took))
	if took < 0 {
		return nil, errors.New(host)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.open++
	return conn{n: n}, nil
}

// TestRace checks which addresses are dialled when, and that only the connection
// that is returned stays open.
func TestRace(t *testing.T) {
	const v4, v4b, v6, v6b = "8.8.8.8", "9.9.9.9", "2606:4700::1", "2606:4700::2"
	for _, test := range []struct {
		name  string
		addrs addresses
		took  map[string]time.Duration
		local string
		log   []string
		end   string // seconds and error
	}{
		{"one", addresses{v4}, map[string]time.Duration{v4: time.Second}, "", []string{"0 " + v4}, "1 <nil>"},
		{"first family fast", addresses{v6, v4}, map[string]time.Duration{v6: 200 * time.Millisecond}, "", []string{"0 " + v6}, "0.2 <nil>"},
		{"first family silent", addresses{v6, v4}, map[string]time.Duration{v4: time.Second}, "", []string{"0 " + v6, "0.3 " + v4}, "1.3 <nil>"},
		{"first family slow", addresses{v4, v6}, map[string]time.Duration{v4: time.Second, v6: time.Second}, "", []string{"0 " + v4, "0.3 " + v6}, "1 <nil>"},
		{"first family fails", addresses{v6, v6b, v4}, map[string]time.Duration{v6: -time.Millisecond, v6b: -time.Millisecond, v4: 0}, "",
			[]string{"0 " + v6, "0.001 " + v6b, "0.002 " + v4}, "0.002 <nil>"},
		{"all fail", addresses{v6, v4, v4b}, map[string]time.Duration{v6: -time.Second, v4: -1, v4b: -1}, "",
			[]string{"0 " + v6, "0.3 " + v4, "0.300000001 " + v4b}, "1 " + v6},
		{"all silent", addresses{v4, v4b}, nil, "", []string{"0 " + v4, "5 " + v4b}, "10 " + v4 + ": context deadline exceeded"},
		{"private ones are left out", addresses{"10.0.0.1", v4, "::1", v6, "::ffff:127.0.0.1"}, map[string]time.Duration{v4: 0}, "", []string{"0 " + v4}, "0 <nil>"},
		{"local address of IPv4", addresses{v6, v4}, map[string]time.Duration{v4: 0}, "127.0.0.1", []string{"0 " + v4}, "0 <nil>"},
		{"local address of IPv6", addresses{v4}, nil, "::1", nil, "0 dial tcp: address a.example:80: no suitable address"},
		{"no address", nil, nil, "", nil, "0 dial tcp: lookup a.example: no such host"},
		{"mapped private address", addresses{"::ffff:10.0.0.1"}, nil, "", nil, "0 dial tcp 10.0.0.1:80: refused to connect to 10.0.0.1:80 (a.example): " +
			"10.0.0.1 (private network) is a special-purpose address, allowed only for a trusted host or in an allowed range"},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := &network{took: test.took, start: time.Now()}
				d := safedial.Dialer{Resolver: test.addrs, Dial: n.dial, Timeout: 10 * time.Second}
				if test.local != "" {
					d.LocalAddr = netip.MustParseAddr(test.local)
				}
				c, err := d.DialContext(t.Context(), "tcp", "a.example:80")
				if got := fmt.Sprintf("%v %v", time.Since(n.start).Seconds(), err); got != test.end {
					t.Errorf("ended with %s, want %s", got, test.end)
				}
				time.Sleep(time.Minute)
				if !slices.Equal(n.log, test.log) {
					t.Errorf("dialled %q, want %q", n.log, test.log)
				}
				if c != nil {
					c.Close()
				}
				if n.open != 0 {
					t.Errorf("%d connections are still open", n.open)
				}
			})
		})
	}
}

// TestCheckAll checks that one refused address suffices, that trust passes and failed
// lookups are reported, and that nothing is dialled.
func TestCheckAll(t *testing.T) {
	for _, test := range []struct {
		addrs addresses
		addr  string
		want  string
	}{
		{addresses{"8.8.8.8"}, "a.example:80", "accepted"},
		{addresses{"8.8.8.8", "10.0.0.1"}, "a.example:80", "refused"},
		{addresses{"127.0.0.1"}, "a.example:80", "refused"},
		{addresses{"127.0.0.1"}, "trusted.example:80", "accepted"},
		{addresses{"127.0.0.1"}, "trusted.example:81", "refused"},
		{nil, "a.example:80", "unknown"},
		{nil, "127.0.0.1:80", "refused"},
		{nil, "[::1]:80", "refused"},
		{nil, ":80", "refused"},
	} {
		d := safedial.Dialer{Resolver: test.addrs, Dial: func(context.Context, string, string) (net.Conn, error) {
			t.Error("an address was dialled")
			return nil, errStop
		}}
		resolved, err := d.CheckAll(safedial.Trust(t.Context(), "trusted.example", 80), test.addr)
		got := map[bool]string{false: "unknown", true: "accepted"}[resolved]
		if isRefused(err) {
			got = "refused"
		}
		if got != test.want || err != nil && !isRefused(err) {
			t.Errorf("%v, %s: %s, want %s (%v)", test.addrs, test.addr, got, test.want, err)
		}
	}
}
