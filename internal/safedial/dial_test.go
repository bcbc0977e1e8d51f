package safedial_test

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/internal/safedial"
)

// listener counts the connections that reach a port on loopback.
type listener struct {
	port     string
	number   uint16 // of the port
	accepted atomic.Int64
}

func listen(t *testing.T) *listener {
	t.Helper()
	// All addresses, including IPv6 if available, so that every spelling of
	// loopback reaches it.
	ln, err := net.Listen("tcp", ":0")
	if err != nil {
		t.Fatal(err)
	}
	l := &listener{number: portOf(ln.Addr())}
	l.port = strconv.Itoa(int(l.number))
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			l.accepted.Add(1)
			conn.Close()
		}
	})
	t.Cleanup(func() {
		ln.Close()
		serving.Wait()
	})
	return l
}

// errStop is the error of a recorder for addresses outside this machine.
var errStop = errors.New("stopped before the connect")

// recorder is a Dial function that records the addresses that the guard accepted.
// It connects only to loopback.
type recorder struct {
	mu      sync.Mutex
	reached []string
}

func (r *recorder) dial(ctx context.Context, network, address string) (net.Conn, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	host, _, _ := net.SplitHostPort(address)
	r.reached = append(r.reached, host)
	if net.ParseIP(host).IsLoopback() {
		return (&net.Dialer{}).DialContext(ctx, network, address)
	}
	return nil, errStop
}

// dial closes the connection, if there is one.
func dial(ctx context.Context, d *safedial.Dialer, network, addr string) error {
	conn, err := d.DialContext(ctx, network, addr)
	if err == nil {
		conn.Close()
	}
	return err
}

func isRefused(err error) bool {
	return errors.As(err, new(*safedial.RefusedError))
}

// oddSpellings are hosts that some resolvers read as 127.0.0.1 or ::1.
var oddSpellings = []string{
	"127.0.0.1", "127.1", "127.0.1", "127.255.255.254", "127.0.0.1.", "0x7f000001", "0x7f.1", "0X7F.0.0.1",
	"2130706433", "017700000001", "0177.0.0.1", "0177.1", "00000177.0.0.01", "6425673729", "127.0.0.01",
	"0", "0.0.0.0", "0x0", "",
	"[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::FFFF:7F00:0001]",
	"[::127.0.0.1]", "[::ffff:0:127.0.0.1]", "[64:ff9b::127.0.0.1]", "[2002:7f00:1::]", "[::1%lo]", "[fe80::1%lo]",
	"localhost", "LOCALHOST", "LOCALHOST.", "localhost.localdomain", "ip6-localhost", "foo.localhost",
	"①②⑦.⓪.⓪.①", "127。0。0。1", "ｌｏｃａｌｈｏｓｔ", "127.0.0.1%00", "127.0.0.1 ",
}

// TestDialRefusesSpellingsOfLoopback dials every spelling twice: with this machine's
// names, but without name servers, and with a resolver that resolves every name to
// 127.0.0.1, as some systems do.
func TestDialRefusesSpellingsOfLoopback(t *testing.T) {
	l := listen(t)
	local := &net.Resolver{
		PreferGo: true,
		Dial:     func(context.Context, string, string) (net.Conn, error) { return nil, errStop },
	}
	resolvers := map[string]safedial.Resolver{"local": local, "lenient": addresses{"127.0.0.1"}}
	for name, resolver := range resolvers {
		d := safedial.Dialer{Timeout: 5 * time.Second, Resolver: resolver}
		for _, host := range oddSpellings {
			for _, network := range []string{"tcp", "tcp4", "tcp6"} {
				if dial(t.Context(), &d, network, host+":"+l.port) == nil {
					t.Errorf("%s resolver: %s %q is connected", name, network, host)
				}
			}
		}
	}
	conn, err := net.Dial("tcp", "127.0.0.1:"+l.port)
	if err != nil {
		t.Fatalf("the listener does not accept connections: %v", err)
	}
	conn.Close()
	for l.accepted.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	// Connections are accepted in order, so an earlier one would have been
	// counted.
	if n := l.accepted.Load(); n != 1 {
		t.Errorf("%d connections were made", n-1)
	}
	t.Logf("%d spellings, %d resolvers, 3 networks", len(oddSpellings), len(resolvers))
}

// TestLocalZone: a name below localhost is loopback, and is guarded as such, whatever the
// resolver says. [RFC 6761 6.3]
func TestLocalZone(t *testing.T) {
	l := listen(t)
	public := addresses{"8.8.8.8"}
	for _, host := range []string{"shop.localhost", "SHOP.LocalHost.", "a.b.localhost"} {
		for _, allowed := range []bool{false, true} {
			d := safedial.Dialer{Resolver: public}
			if allowed {
				d.Guard.Allow = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
			}
			if err := dial(t.Context(), &d, "tcp", host+":"+l.port); (err == nil) != allowed || isRefused(err) == allowed {
				t.Errorf("%s, allowed %v: %v", host, allowed, err)
			}
		}
	}
	r := &recorder{}
	d := safedial.Dialer{Resolver: public, Dial: r.dial}
	if _ = dial(t.Context(), &d, "tcp", "notlocalhost:80"); !slices.Equal(r.reached, []string{"8.8.8.8"}) {
		t.Errorf("notlocalhost: %v", r.reached)
	}
}

// TestDialChecksResolvedAddresses checks for each kind of resolution which addresses
// the guard accepts, in order, and whether the dial ends with a refusal.
func TestDialChecksResolvedAddresses(t *testing.T) {
	tests := []struct {
		name    string
		answers []string   // for a.example
		reached [][]string // for each dial of a.example, nil if it is refused
	}{
		{"public", []string{"8.8.8.8"}, [][]string{{"8.8.8.8"}}},
		{"private", []string{"10.0.0.1"}, [][]string{nil}},
		{"rebinding", []string{"8.8.8.8", "127.0.0.1"}, [][]string{{"8.8.8.8"}, nil}},
		{"rebinding and back", []string{"127.0.0.1", "8.8.8.8"}, [][]string{nil, {"8.8.8.8"}}},
		{"all private", []string{"10.0.0.1 127.0.0.1 ::1 fd00::1"}, [][]string{nil}},
		{"private IPv6 alone", []string{"::1"}, [][]string{nil}},
		{"NAT64", []string{"64:ff9b::7f00:1"}, [][]string{nil}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := listen(t)
			r := &recorder{}
			d := safedial.Dialer{Resolver: &names{answers: map[string][]string{"a.example": tt.answers}}, Dial: r.dial}
			for i, want := range tt.reached {
				r.reached = nil
				err := dial(t.Context(), &d, "tcp", "a.example:"+l.port)
				if err == nil || isRefused(err) != (want == nil) || !slices.Equal(r.reached, want) {
					t.Errorf("dial %d: err = %v, let through %v, want %v or a refusal", i, err, r.reached, want)
				}
			}
			if n := l.accepted.Load(); n != 0 {
				t.Errorf("%d connections reached loopback", n)
			}
		})
	}
}

// TestDialTriesOtherAddressesAfterRefusal checks that a host with one refused and one
// accepted address remains reachable, and that the refused address is never
// dialled.
func TestDialTriesOtherAddressesAfterRefusal(t *testing.T) {
	for _, answer := range []addresses{{"10.0.0.1", "8.8.8.8"}, {"8.8.8.8", "127.0.0.1"}, {"::1", "8.8.8.8"}, {"fd00::1", "127.0.0.1", "8.8.8.8"}} {
		r := &recorder{}
		d := safedial.Dialer{Resolver: answer, Dial: r.dial}
		_, err := d.DialContext(t.Context(), "tcp", "a.example:80")
		if !slices.Equal(r.reached, []string{"8.8.8.8"}) {
			t.Errorf("%v: let through %v, err = %v", answer, r.reached, err)
		}
	}
}

func TestDialRefusesOtherNetworks(t *testing.T) {
	var d safedial.Dialer
	ctx := safedial.Trust(t.Context(), "127.0.0.1", 53)
	for _, network := range []string{"unix", "udp", "udp4", "ip4:icmp", ""} {
		for _, addr := range []string{"127.0.0.1:53", "/run/x.sock"} {
			if _, err := d.DialContext(ctx, network, addr); !isRefused(err) {
				t.Errorf("%q %s: err = %v, want a RefusedError", network, addr, err)
			}
		}
	}
	if _, err := d.DialContext(ctx, "tcp", "no-port"); err == nil {
		t.Error("an address without a port was dialed")
	}
}
