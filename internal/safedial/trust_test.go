package safedial_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/internal/safedial"
)

// portOf returns the port of an address.
func portOf(at net.Addr) uint16 { return at.(*net.TCPAddr).AddrPort().Port() }

func TestTrust(t *testing.T) {
	resolver := addresses{"127.0.0.1"}
	tests := []struct {
		trusted, host string
		want          bool
	}{
		{"intranet.example", "intranet.example", true},
		{"Intranet.Example.", "intranet.example", true},
		{"intranet.example", "INTRANET.example.", true},
		{"intranet.example", "evil.example", false},
		{"intranet.example", "127.0.0.1", false},
		{"example", "intranet.example", false},
		{"127.0.0.1", "127.0.0.1", true},
		{"127.0.0.1", "[::ffff:127.0.0.1]", true},
		{"127.0.0.1", "evil.example", false},
		{"127.0.0.1", "127.0.0.2", false},
		{"localhost", "127.0.0.1", false},
		{"[::ffff:7f00:1]", "127.0.0.1", true},
		{"::ffff:7f00:1", "127.0.0.1", true},
		{"xn--MNCHEN-3ya.example", "xn--mnchen-3ya.example", true},
		{"", "", false},
		{"", "evil.example", false},
	}
	for _, tt := range tests {
		l := listen(t)
		d := safedial.Dialer{Timeout: 5 * time.Second, Resolver: resolver}
		err := dial(safedial.Trust(t.Context(), tt.trusted, 1, l.number), &d, "tcp", tt.host+":"+l.port)
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
	port := l.number
	first := safedial.Trust(t.Context(), "127.0.0.1", port)
	first = safedial.Trust(safedial.Trust(first, "127.0.0.4", port), "127.0.0.5", port)
	second, third := safedial.Trust(first, "127.0.0.2", port), safedial.Trust(first, "127.0.0.3", port)
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
		err := dial(tt.ctx, &d, "tcp4", tt.host+":"+l.port)
		if (err == nil) != tt.want {
			t.Errorf("%s: err = %v, want success %v", tt.host, err, tt.want)
		}
	}
}

// TestTrustPorts checks that only the ports of a trust are trusted.
func TestTrustPorts(t *testing.T) {
	r := &recorder{}
	d := safedial.Dialer{Dial: r.dial}
	ctx := safedial.Trust(t.Context(), "192.168.7.7", 80, 8080)
	for port, want := range map[string]bool{"80": true, "8080": true, "443": false, "808": false, "0": false} {
		if _, err := d.DialContext(ctx, "tcp", "192.168.7.7:"+port); isRefused(err) == want {
			t.Errorf("port %s: err = %v, trusted should be %v", port, err, want)
		}
	}
	if _, err := d.DialContext(safedial.Trust(t.Context(), "192.168.7.7"), "tcp", "192.168.7.7:80"); !isRefused(err) {
		t.Errorf("without ports: err = %v", err)
	}
}

// TestTrustUsesTheFirstResolution checks that a trusted host whose name server
// changes its answer is dialled at its first addresses, and that the guard checks
// the new ones where the host is not trusted.
func TestTrustUsesTheFirstResolution(t *testing.T) {
	r := &recorder{}
	resolver := &names{answers: map[string][]string{"a.example": {"8.8.8.8 10.0.0.8", "127.0.0.1"}}}
	d := safedial.Dialer{Dial: r.dial, Resolver: resolver}
	ctx := safedial.Trust(t.Context(), "a.example", 80, 443)
	for _, port := range []string{"80", "443", "80"} {
		_, _ = d.DialContext(ctx, "tcp4", "a.example:"+port)
	}
	slices.Sort(r.reached)
	if want := []string{"10.0.0.8", "10.0.0.8", "10.0.0.8", "8.8.8.8", "8.8.8.8", "8.8.8.8"}; !slices.Equal(r.reached, want) {
		t.Errorf("dialled %v, want %v", r.reached, want)
	}
	for _, ctx := range []context.Context{ctx, t.Context()} {
		if _, err := d.DialContext(ctx, "tcp4", "a.example:8080"); !isRefused(err) {
			t.Errorf("the second address: err = %v", err)
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
	trusting := safedial.Trust(t.Context(), "127.0.0.1", portOf(typed.Listener.Addr()))
	req, err := http.NewRequestWithContext(trusting, http.MethodGet, typed.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := client.Do(req)
	if err == nil {
		resp.Body.Close()
		t.Fatal("the redirect was followed")
	}
	var refused *safedial.RefusedError
	if !errors.As(err, &refused) || refused.Host != "127.0.0.2" || refused.Addr.Addr().String() != "127.0.0.2" {
		t.Errorf("err = %v", err)
	}
}

// TestTrustNeedsSeparateConnections shows why the package comment requires
// DisableKeepAlives: a request without trust reuses the idle connection of a
// request with trust, and no dial takes place that could be refused.
func TestTrustNeedsSeparateConnections(t *testing.T) {
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
		if err := get(safedial.Trust(t.Context(), "127.0.0.1", portOf(server.Listener.Addr()))); err != nil {
			t.Fatal(err)
		}
		if refused := isRefused(get(t.Context())); refused != alone {
			t.Errorf("DisableKeepAlives %v: refused = %v", alone, refused)
		}
		transport.CloseIdleConnections()
	}
}
