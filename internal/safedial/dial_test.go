package safedial_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/internal/safedial"
)

// listener counts the connections that reach a port on loopback.
type listener struct {
	port     string
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
	l := &listener{}
	_, l.port, _ = net.SplitHostPort(ln.Addr().String())
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

// errStop ends a connection attempt that the guard has accepted.
var errStop = errors.New("stopped before the connect")

// recorder is a Control hook that records the addresses that the guard
// accepted. It stops connections that would leave this machine.
type recorder struct {
	mu      sync.Mutex
	reached []string
}

func (r *recorder) control(_, address string, _ syscall.RawConn) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	host, _, _ := net.SplitHostPort(address)
	r.reached = append(r.reached, host)
	if net.ParseIP(host).IsLoopback() {
		return nil
	}
	return errStop
}

func isRefused(err error) bool {
	_, ok := errors.AsType[*safedial.RefusedError](err)
	return ok
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

// TestDialOddSpellings dials every spelling twice: with this machine's
// resolver, and with one that resolves every name to 127.0.0.1, as some systems
// do.
func TestDialOddSpellings(t *testing.T) {
	l := listen(t)
	answers := make(map[string][][]string)
	for _, host := range oddSpellings {
		answers[strings.ToLower(strings.TrimSuffix(host, "."))+"."] = [][]string{{"127.0.0.1"}}
	}
	resolvers := map[string]*net.Resolver{"empty": resolverFor(t, nil), "lenient": resolverFor(t, answers)}
	for name, resolver := range resolvers {
		d := safedial.Dialer{Net: net.Dialer{Timeout: 5 * time.Second, Resolver: resolver}}
		for _, host := range oddSpellings {
			for _, network := range []string{"tcp", "tcp4", "tcp6"} {
				conn, err := d.DialContext(t.Context(), network, host+":"+l.port)
				if err == nil {
					conn.Close()
					t.Errorf("%s resolver: %s %q connected to %s", name, network, host, conn.RemoteAddr())
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

// TestDialWhatNamesResolveTo checks for each kind of resolution which addresses
// the guard accepts, in order, and whether the dial ends with a refusal.
func TestDialWhatNamesResolveTo(t *testing.T) {
	tests := []struct {
		name    string
		answers map[string][][]string
		reached [][]string // for each dial of a.example
		refused []bool
	}{
		{"public", map[string][][]string{"a.example.": {{"8.8.8.8"}}}, [][]string{{"8.8.8.8"}}, []bool{false}},
		{"private", map[string][][]string{"a.example.": {{"10.0.0.1"}}}, [][]string{nil}, []bool{true}},
		{"rebinding", map[string][][]string{"a.example.": {{"8.8.8.8"}, {"127.0.0.1"}}}, [][]string{{"8.8.8.8"}, nil}, []bool{false, true}},
		{"rebinding and back", map[string][][]string{"a.example.": {{"127.0.0.1"}, {"8.8.8.8"}}}, [][]string{nil, {"8.8.8.8"}}, []bool{true, false}},
		{"all private", map[string][][]string{"a.example.": {{"10.0.0.1", "127.0.0.1", "::1", "fd00::1"}}}, [][]string{nil}, []bool{true}},
		{"alias of a private host", map[string][][]string{"a.example.": {{"=b.internal.", "192.168.0.1"}}}, [][]string{nil}, []bool{true}},
		{"private IPv6 alone", map[string][][]string{"a.example.": {{"::1"}}}, [][]string{nil}, []bool{true}},
		{"NAT64", map[string][][]string{"a.example.": {{"64:ff9b::7f00:1"}}}, [][]string{nil}, []bool{true}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l, r := listen(t), &recorder{}
			d := safedial.Dialer{Net: net.Dialer{Resolver: resolverFor(t, tt.answers), Control: r.control}}
			for i, want := range tt.reached {
				r.reached = nil
				conn, err := d.DialContext(t.Context(), "tcp", "a.example:"+l.port)
				if err == nil {
					conn.Close()
					t.Fatalf("dial %d connected to %s", i, conn.RemoteAddr())
				}
				if isRefused(err) != tt.refused[i] {
					t.Errorf("dial %d: err = %v, refused should be %v", i, err, tt.refused[i])
				}
				if !slices.Equal(r.reached, want) {
					t.Errorf("dial %d: let through %v, want %v", i, r.reached, want)
				}
			}
			if n := l.accepted.Load(); n != 0 {
				t.Errorf("%d connections reached loopback", n)
			}
		})
	}
}

// TestDialGoesOnAfterRefusal checks that a host with one refused and one
// accepted address remains reachable, and that the refused address is never
// dialled. The order depends on the routes of this machine.
func TestDialGoesOnAfterRefusal(t *testing.T) {
	for _, answer := range [][]string{{"10.0.0.1", "8.8.8.8"}, {"8.8.8.8", "127.0.0.1"}, {"::1", "8.8.8.8"}, {"fd00::1", "127.0.0.1", "8.8.8.8"}} {
		r := &recorder{}
		resolver := resolverFor(t, map[string][][]string{"a.example.": {answer}})
		d := safedial.Dialer{Net: net.Dialer{Resolver: resolver, Control: r.control}}
		_, err := d.DialContext(t.Context(), "tcp", "a.example:80")
		if !slices.Equal(r.reached, []string{"8.8.8.8"}) {
			t.Errorf("%v: let through %v, err = %v", answer, r.reached, err)
		}
	}
}

func TestTrust(t *testing.T) {
	resolver := resolverFor(t, map[string][][]string{
		"intranet.example.": {{"127.0.0.1"}}, "evil.example.": {{"127.0.0.1"}}, "xn--mnchen-3ya.example.": {{"127.0.0.1"}},
	})
	tests := []struct {
		trusted, host string
		want          bool
	}{
		{"intranet.example", "intranet.example", true},
		{"Intranet.Example.", "intranet.example", true},
		{"intranet.example", "INTRANET.example.", true},
		{"intranet.example:PORT", "intranet.example", true},
		{"intranet.example:1", "intranet.example", false},
		{"intranet.example", "evil.example", false},
		{"intranet.example", "127.0.0.1", false},
		{"example", "intranet.example", false},
		{"127.0.0.1", "127.0.0.1", true},
		{"127.0.0.1:PORT", "127.0.0.1", true},
		{"127.0.0.1", "[::ffff:127.0.0.1]", true},
		{"127.0.0.1", "evil.example", false},
		{"127.0.0.1", "127.0.0.2", false},
		{"localhost", "127.0.0.1", false},
		{"[::ffff:7f00:1]:PORT", "127.0.0.1", true},
		{"::ffff:7f00:1", "127.0.0.1", true},
		{"xn--MNCHEN-3ya.example", "xn--mnchen-3ya.example", true},
		{"", "", false},
		{"", "evil.example", false},
	}
	for _, tt := range tests {
		l := listen(t)
		d := safedial.Dialer{Net: net.Dialer{Timeout: 5 * time.Second, Resolver: resolver}}
		ctx := safedial.Trust(t.Context(), strings.ReplaceAll(tt.trusted, "PORT", l.port))
		conn, err := d.DialContext(ctx, "tcp", tt.host+":"+l.port)
		if err == nil {
			conn.Close()
		}
		if connected := err == nil; connected != tt.want || !connected && !isRefused(err) {
			t.Errorf("trust %q, dial %q: connected = %v, want %v (%v)", tt.trusted, tt.host, connected, tt.want, err)
		}
	}
}

func TestTrustAdds(t *testing.T) {
	l := listen(t)
	d := safedial.Dialer{Guard: safedial.Guard{Ports: []uint16{443}}} // trust also overrides Ports
	// After three hosts the slice has spare capacity that two contexts could
	// share.
	first := safedial.Trust(t.Context(), "127.0.0.1", "127.0.0.4", "127.0.0.5")
	second, third := safedial.Trust(first, "127.0.0.2"), safedial.Trust(first, "127.0.0.3")
	for _, tt := range []struct {
		ctx  context.Context
		host string
		want bool
	}{
		{first, "127.0.0.1", true}, {first, "127.0.0.2", false},
		{second, "127.0.0.1", true}, {second, "127.0.0.2", true}, {second, "127.0.0.3", false},
		{third, "127.0.0.2", false}, {third, "127.0.0.3", true},
		{t.Context(), "127.0.0.1", false},
	} {
		conn, err := d.DialContext(tt.ctx, "tcp4", tt.host+":"+l.port)
		if err == nil {
			conn.Close()
		}
		if (err == nil) != tt.want {
			t.Errorf("%s: err = %v, want success %v", tt.host, err, tt.want)
		}
	}
}

// TestRedirectToPrivateAddress follows a redirect from a trusted host to a
// private host that is not trusted.
func TestRedirectToPrivateAddress(t *testing.T) {
	secret := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("the private server received a request")
	}))
	defer secret.Close()
	typed := httptest.NewServer(http.RedirectHandler(strings.Replace(secret.URL, "127.0.0.1", "127.0.0.2", 1), http.StatusFound))
	defer typed.Close()

	var d safedial.Dialer
	client := http.Client{Transport: &http.Transport{DialContext: d.DialContext, DisableKeepAlives: true}}
	req, err := http.NewRequestWithContext(safedial.Trust(t.Context(), "127.0.0.1"), http.MethodGet, typed.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := client.Do(req)
	if err == nil {
		resp.Body.Close()
		t.Fatal("the redirect was followed")
	}
	refused, ok := errors.AsType[*safedial.RefusedError](err)
	if !ok || refused.Host != "127.0.0.2" || refused.Addr.Addr().String() != "127.0.0.2" {
		t.Errorf("err = %v", err)
	}
}

// TestTrustNeedsConnectionsOfItsOwn shows why the package comment requires
// DisableKeepAlives: a request without trust reuses the idle connection of a
// request with trust, and no dial takes place that could be refused.
func TestTrustNeedsConnectionsOfItsOwn(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	for _, alone := range []bool{false, true} {
		var d safedial.Dialer
		transport := &http.Transport{DialContext: d.DialContext, DisableKeepAlives: alone}
		get := func(ctx context.Context) error {
			req, err := http.NewRequestWithContext(ctx, http.MethodHead, server.URL, nil)
			if err != nil {
				return err
			}
			resp, err := transport.RoundTrip(req)
			if err == nil {
				err = resp.Body.Close()
			}
			return err
		}
		if err := get(safedial.Trust(t.Context(), "127.0.0.1")); err != nil {
			t.Fatal(err)
		}
		if refused := isRefused(get(t.Context())); refused != alone {
			t.Errorf("DisableKeepAlives %v: refused = %v", alone, refused)
		}
		transport.CloseIdleConnections()
	}
}

func TestDialRefusesOtherNetworks(t *testing.T) {
	var d safedial.Dialer
	ctx := safedial.Trust(t.Context(), "127.0.0.1", "/run/x.sock")
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

// TestDialKeepsHooks checks that the caller's hook runs after the guard, and
// that ControlContext takes precedence over Control, as in net.Dialer.
func TestDialKeepsHooks(t *testing.T) {
	var calls []string
	d := safedial.Dialer{Net: net.Dialer{
		Control: func(_, _ string, _ syscall.RawConn) error {
			calls = append(calls, "Control")
			return errStop
		},
	}}
	_, err := d.DialContext(t.Context(), "tcp", "8.8.8.8:80")
	if !errors.Is(err, errStop) {
		t.Errorf("err = %v", err)
	}
	d.Net.ControlContext = func(context.Context, string, string, syscall.RawConn) error {
		calls = append(calls, "ControlContext")
		return errStop
	}
	_, _ = d.DialContext(t.Context(), "tcp", "8.8.8.8:80")
	_, _ = d.DialContext(t.Context(), "tcp", "10.0.0.1:80")
	_, _ = d.DialContext(safedial.Trust(t.Context(), "127.0.0.1"), "tcp", "127.0.0.1:80")
	if want := []string{"Control", "ControlContext", "ControlContext"}; !slices.Equal(calls, want) {
		t.Errorf("calls = %v, want %v", calls, want)
	}
}
