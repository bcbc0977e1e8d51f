package fetch_test

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/internal/safedial"
	"github.com/kosterhq/robotstxt/origin"
)

// internet is a simulated network: names with addresses, and addresses with servers
// on loopback. Its methods are the Resolver and the Dial of a Config.
type internet struct {
	names   map[string][]string // the answers in order, the last repeats; addresses with spaces between
	servers map[string]string   // address and port to a loopback address; any other fails

	mu      sync.Mutex
	lookups map[string]int
	dialled []string
}

func (n *internet) LookupNetIP(_ context.Context, network, host string) (ips []netip.Addr, err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	answers := n.names[host]
	if network != "ip" || len(answers) == 0 {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	if n.lookups == nil {
		n.lookups = make(map[string]int)
	}
	at := min(n.lookups[host], len(answers)-1)
	n.lookups[host]++
	for text := range strings.FieldsSeq(answers[at]) {
		ips = append(ips, netip.MustParseAddr(text))
	}
	return ips, nil
}

func (n *internet) dial(ctx context.Context, network, address string) (net.Conn, error) {
	n.mu.Lock()
	n.dialled = append(n.dialled, address)
	server := n.servers[address]
	n.mu.Unlock()
	if server == "" {
		return nil, errors.New("nothing listens at " + address)
	}
	return (&net.Dialer{}).DialContext(ctx, network, server)
}

func dialTo(server net.Addr) func(ctx context.Context, network, address string) (net.Conn, error) {
	return func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, server.String())
	}
}

func startSites(t *testing.T, handler http.Handler, names ...string) (plain, secure net.Addr) {
	first, second := httptest.NewServer(handler), httptest.NewUnstartedServer(handler)
	second.TLS = serverConfig(false, func(c *x509.Certificate) { c.DNSNames = names })
	second.StartTLS()
	t.Cleanup(first.Close)
	t.Cleanup(second.Close)
	return first.Listener.Addr(), second.Listener.Addr()
}

// TestWhatIsDialled checks which addresses a fetch dials, and that of a host that is
// trusted only the origin's port and the default ports are exempt from the guard, at
// the addresses of the first lookup.
func TestWhatIsDialled(t *testing.T) {
	const public, private, loopback = "8.8.8.8", "10.1.2.3", "127.0.0.1"
	refused := "disallow-all assumed 0 after 1: refused address"
	prefix := netip.MustParsePrefix
	for _, test := range []struct {
		name    string
		names   map[string][]string
		url, to string // of the redirect
		trusted bool
		guard   fetch.Guard
		dialled []string
		want    string
	}{
		{"own host, other port, rebound", map[string][]string{"site.example": {public, loopback}},
			"http://site.example", "http://site.example:8080/latest/meta-data", true, fetch.Guard{},
			[]string{public + ":80"}, refused},
		{"own host, other port, private", map[string][]string{"site.example": {private}},
			"http://site.example", "http://site.example:8080/latest/meta-data", true, fetch.Guard{},
			[]string{private + ":80"}, refused},
		{"own host, same port, rebound", map[string][]string{"site.example": {public, loopback}},
			"http://site.example", "http://site.example/latest/meta-data", true, fetch.Guard{},
			[]string{public + ":80", public + ":80"}, followed},
		{"own host, https, rebound", map[string][]string{"site.example": {private, loopback}},
			"http://site.example", "https://site.example/robots.txt", true, fetch.Guard{},
			[]string{private + ":80", private + ":443"}, followed},
		{"own host, from its port to https", map[string][]string{"site.example": {private}},
			"http://site.example:8080", "https://site.example/robots.txt", true, fetch.Guard{},
			[]string{private + ":8080", private + ":443"}, followed},
		{"own host, rebound, not trusted", map[string][]string{"site.example": {public, loopback}},
			"http://site.example", "http://site.example/robots.txt?", false, fetch.Guard{},
			[]string{public + ":80"}, refused},
		{"other host at the same address", map[string][]string{"site.example": {private}, "other.example": {private}},
			"http://site.example", "http://other.example/robots.txt", true, fetch.Guard{},
			[]string{private + ":80"}, refused},
		{"private, not trusted", map[string][]string{"site.example": {private}},
			"http://site.example", "/", false, fetch.Guard{},
			nil, "disallow-all assumed 0: refused address"},
		{"one private address of two", map[string][]string{"site.example": {private + " " + public}},
			"http://site.example", "/a", false, fetch.Guard{},
			[]string{public + ":80", public + ":80"}, followed},

		{"allowed range", map[string][]string{"site.example": {private}},
			"http://site.example", "http://site.example:8080/", false, fetch.Guard{Allow: []netip.Prefix{prefix("10.1.0.0/16")}},
			[]string{private + ":80", private + ":8080"}, followed},
		{"another allowed range", map[string][]string{"site.example": {private}},
			"http://site.example", "/", false, fetch.Guard{Allow: []netip.Prefix{prefix("10.2.0.0/16")}},
			nil, "disallow-all assumed 0: refused address"},
		{"port that is allowed", map[string][]string{"site.example": {public}},
			"http://site.example", "http://site.example:8080/", false, fetch.Guard{Ports: []uint16{80, 8080}},
			[]string{public + ":80", public + ":8080"}, followed},
		{"port that is not allowed", map[string][]string{"site.example": {public}},
			"http://site.example", "http://site.example:8080/", false, fetch.Guard{Ports: []uint16{80, 443}},
			[]string{public + ":80"}, refused},
		{"NAT64 of a public address", map[string][]string{"site.example": {"64:ff9b::8.8.8.8"}},
			"http://site.example", "/a", false, fetch.Guard{NAT64: []netip.Prefix{prefix("64:ff9b::/96")}},
			[]string{"[64:ff9b::808:808]:80", "[64:ff9b::808:808]:80"}, followed},
		{"NAT64 of a private address", map[string][]string{"site.example": {"64:ff9b::10.1.2.3"}},
			"http://site.example", "/a", false, fetch.Guard{NAT64: []netip.Prefix{prefix("64:ff9b::/96")}},
			nil, "disallow-all assumed 0: refused address"},
	} {
		t.Run(test.name, func(t *testing.T) {
			handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.RequestURI == "/robots.txt" && r.TLS == nil && "http://"+r.Host == test.url {
					http.Redirect(w, r, test.to, http.StatusFound)
					return
				}
				fmt.Fprint(w, file)
			})
			plain, secure := startSites(t, handler, "site.example")
			n := &internet{names: test.names, servers: map[string]string{}}
			for _, host := range []string{public, private, loopback, "64:ff9b::808:808", "64:ff9b::a01:203"} {
				for _, port := range []string{"80", "8080"} {
					n.servers[net.JoinHostPort(host, port)] = plain.String()
				}
				n.servers[net.JoinHostPort(host, "443")] = secure.String()
			}
			client := newGuarded(t, fetch.Config{Network: fetch.Network{
				Guard: test.guard, Resolver: n, Dial: n.dial, TLS: testRoots(),
				Trusts: func(o origin.Origin) bool { return test.trusted && o.String() == test.url },
			}})
			r := expectVerdict(t, client, test.url, test.want)
			refused := errors.As(r.Err, new(*safedial.RefusedError)) && strings.Contains(r.Detail, "guard")
			if refused == (r.Outcome == fetch.OutcomeRules) {
				t.Errorf("the error is %v, the detail %q", r.Err, r.Detail)
			}
			if !slices.Equal(n.dialled, test.dialled) {
				t.Errorf("dialled %q, want %q", n.dialled, test.dialled)
			}
		})
	}
}

// TestNetworkErrors checks that settings without a meaning are refused.
func TestNetworkErrors(t *testing.T) {
	dial := (&internet{}).dial
	for want, config := range map[string]fetch.Config{
		"Guard":     {Network: fetch.Network{Guard: fetch.Guard{NAT64: []netip.Prefix{netip.MustParsePrefix("64:ff9b::/95")}}}},
		"Guard ":    {Network: fetch.Network{Guard: fetch.Guard{NAT64: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/32")}}}},
		"Guard  ":   {Network: fetch.Network{Guard: fetch.Guard{Allow: []netip.Prefix{{}}}}},
		"LocalAddr": {Network: fetch.Network{Dial: dial, LocalAddr: netip.MustParseAddr("127.0.0.1")}},
	} {
		config.UserAgent = userAgent
		_, err := fetch.New(config)
		var mistake *fetch.ConfigError
		if !errors.As(err, &mistake) || mistake.Field != "Network."+strings.TrimSpace(want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// TestLocalAddr checks that connections come from the local address, for HTTP and
// for both connections of FTP.
func TestLocalAddr(t *testing.T) {
	var from []string
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, _ := net.SplitHostPort(r.RemoteAddr)
		from = append(from, host)
		fmt.Fprint(w, file)
	}))
	defer web.Close()
	client := newClient(t, fetch.Config{Network: fetch.Network{LocalAddr: netip.MustParseAddr("127.0.0.9")}})
	for _, url := range []string{web.URL, ftpScript{}.serve(t)} {
		fetch.Expect(t, client, url, "rules")
	}
	if !slices.Equal(from, []string{"127.0.0.9"}) {
		t.Errorf("requests from %q", from)
	}
}

// TestGuardDialContext: an http.Transport with the dialer of a Guard requests pages from
// accepted addresses only, by address and by name.
func TestGuardDialContext(t *testing.T) {
	server := exampleSite(200, "a page")
	defer server.Close()
	o, err := origin.Of(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	loopback := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	for name, test := range map[string]struct {
		guard   fetch.Guard
		refused bool
	}{
		"the zero Guard": {fetch.Guard{}, true},
		"an exception":   {fetch.Guard{Allow: loopback}, false},
		"another port":   {fetch.Guard{Allow: loopback, Ports: []uint16{443}}, true},
	} {
		client := &http.Client{Transport: &http.Transport{DialContext: test.guard.DialContext, DisableKeepAlives: true}}
		for _, url := range []string{server.URL, fmt.Sprintf("http://localhost:%d/", o.Port())} {
			response, err := client.Get(url)
			if err == nil {
				response.Body.Close()
			}
			if (err != nil) != test.refused || test.refused && fetch.FaultKind(err) != "refused address" {
				t.Errorf("%s, %s: %v", name, url, err)
			}
		}
	}
}
