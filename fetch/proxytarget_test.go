package fetch_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/origin"
)

// pipes is a listener whose connections are pipes, so that their time is that of synctest.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	if conn, ok := <-p; ok {
		return conn, nil
	}
	return nil, net.ErrClosed
}

func (p pipes) Close() error   { close(p); return nil }
func (p pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 3128} }

func (p pipes) dial(context.Context, string, string) (net.Conn, error) {
	client, server := net.Pipe()
	p <- server
	return client, nil
}

// slowNames is a Resolver that answers after a time: with the address of a name, else that the
// name does not exist. Without a time it never answers.
type slowNames struct {
	after time.Duration
	known func(host string) (address string, after time.Duration) // "" for names without an exception
}

func (n slowNames) LookupNetIP(ctx context.Context, _, host string) ([]netip.Addr, error) {
	address, after := "", n.after
	if n.known != nil {
		if a, t := n.known(host); a != "" {
			address, after = a, t
		}
	}
	answer := time.After(after)
	if after == 0 {
		answer = nil
	}
	select {
	case <-ctx.Done():
		return nil, &net.DNSError{Err: ctx.Err().Error(), Name: host, IsTimeout: true}
	case <-answer:
	}
	if address == "" {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	return []netip.Addr{netip.MustParseAddr(address)}, nil
}

// slowNetwork is a web server that is every site and an HTTP proxy, and answers after a time.
type slowNetwork struct {
	client *fetch.Client

	mu        sync.Mutex
	requested []string
}

// seen returns the hosts that were requested since it was called last.
func (n *slowNetwork) seen() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	hosts := n.requested
	n.requested = nil
	return hosts
}

const slowAnswer = 100 * time.Millisecond

// newSlowNetwork must be called, and its end, in one bubble of synctest.
func newSlowNetwork(t *testing.T, names slowNames, proxied bool) (n *slowNetwork, end func()) {
	n = new(slowNetwork)
	listener := make(pipes)
	server := http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n.mu.Lock()
		n.requested = append(n.requested, r.Host)
		n.mu.Unlock()
		time.Sleep(slowAnswer)
		fmt.Fprint(w, file)
	})}
	config := fetch.Config{UserAgent: userAgent, Network: fetch.Network{Resolver: names, Dial: listener.dial},
		Limits: fetch.Limits{MaxFetches: 64}}
	if proxied {
		config.Network.Proxy = http.ProxyURL(&url.URL{Scheme: "http", Host: "192.0.2.1:3128"})
	}
	config.Network.Trusts = func(o origin.Origin) bool { return strings.HasPrefix(o.Host(), "trusted") }
	n.client = newGuarded(t, config)
	go server.Serve(listener)
	return n, func() { n.client.Close(); server.Close() }
}

func (n *slowNetwork) ask(t *testing.T, want string, hosts ...string) {
	var asking sync.WaitGroup
	for _, host := range hosts {
		asking.Go(func() { expectVerdict(t, n.client, "http://"+host, want) })
	}
	asking.Wait()
}

func numbered(format string, n int) (hosts []string) {
	for i := range n {
		hosts = append(hosts, fmt.Sprintf(format, i/250, i%250+1))
	}
	return hosts
}

const refusedTarget = "disallow-all assumed 0: refused address"

// TestProxyTakesNoLonger: whatever the local name servers know, a thousand sites through a proxy
// take at most twice as long as direct requests, in the time of synctest.
func TestProxyTakesNoLonger(t *testing.T) {
	took := func(t *testing.T, names slowNames, proxied bool, hosts []string) (took time.Duration) {
		synctest.Test(t, func(t *testing.T) {
			n, end := newSlowNetwork(t, names, proxied)
			defer end()
			began := time.Now()
			n.ask(t, wholeFile, hosts...)
			took = time.Since(began)
		})
		return took
	}
	direct := took(t, slowNames{}, false, numbered("8.8.%d.%d", 1000))
	public := func(string) (string, time.Duration) { return "8.8.8.8", slowAnswer }
	for name, names := range map[string]slowNames{
		"no name server answers":    {},
		"no name exists":            {after: 10 * time.Millisecond},
		"no name exists, slowly":    {after: time.Second},
		"every name has an address": {known: public},
	} {
		if got := took(t, names, true, numbered("site%d-%d.example", 1000)); got > 2*direct {
			t.Errorf("%s: %v, direct %v", name, got, direct)
		} else {
			t.Logf("%s: %v, direct %v", name, got, direct)
		}
	}
	if got := took(t, slowNames{}, true, numbered("trusted%d-%d.example", 1000)); got > direct {
		t.Errorf("trusted hosts are looked up: %v, direct %v", got, direct)
	}
}

// TestBlindProxy: where no name of the internet can be looked up, the guard refuses what it can
// still know.
func TestBlindProxy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		answers := map[string]time.Duration{
			"near.inside.example": time.Millisecond, "far.inside.example": slowAnswer - time.Millisecond, "router": time.Second, "a.localhost": 0,
		}
		n, end := newSlowNetwork(t, slowNames{known: func(host string) (string, time.Duration) {
			if after, ok := answers[host]; ok {
				return "10.0.0.1", after
			}
			if strings.HasPrefix(host, "public") {
				return "8.8.8.8", slowAnswer
			}
			return "", 0
		}}, true)
		defer end()
		// Before, each look-up is waited for.
		n.ask(t, refusedTarget, "far.inside.example")
		n.ask(t, wholeFile, numbered("site%d-%d.example", 100)...)
		n.seen()
		// The other port makes another site of it.
		n.ask(t, refusedTarget, "near.inside.example", "far.inside.example:81", "router", "a.localhost", "10.0.0.1", "[::1]", "127.0.0.1:22")
		if seen, want := n.seen(), []string{"far.inside.example:81"}; !slices.Equal(seen, want) {
			t.Errorf("the proxy was asked for %q, want %q", seen, want)
		}
		body, err := n.client.Open(t.Context(), "http://far.inside.example:82/sitemap.xml", 1000)
		if err == nil {
			body.Close()
		}
		if fetch.FaultKind(err) != "refused address" {
			t.Errorf("a file: %v", err)
		}
		// One public name with an address ends it.
		n.ask(t, wholeFile, "public.example")
		n.seen()
		n.ask(t, refusedTarget, "far.inside.example:83")
		n.ask(t, wholeFile, numbered("other%d-%d.example", 100)...)
		n.ask(t, refusedTarget, "far.inside.example:84")
		if seen := n.seen(); slices.ContainsFunc(seen, func(host string) bool { return strings.HasPrefix(host, "far") }) {
			t.Errorf("the proxy was asked for %q", seen)
		}
	})
}

type panickingNames struct{}

func (panickingNames) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	panic("a faulty resolver")
}

// TestTargetPanics: a panic of the resolver, while the target of a proxy is looked up, is a fault
// of the request.
func TestTargetPanics(t *testing.T) {
	proxy := &url.URL{Scheme: "http", Host: "192.0.2.1:3128"}
	config := fetch.Config{UserAgent: userAgent,
		Network: fetch.Network{Resolver: panickingNames{}, Proxy: http.ProxyURL(proxy)}}
	expectVerdict(t, newGuarded(t, config), "http://site.example", "disallow-all assumed 0: invalid response")
}
