package fetch_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"

	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/origin"
)

// The address guard refuses the operator's network, except for the range in
// Guard.Allow.
func ExampleGuard() {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "User-agent: *\nDisallow: /cart\n") }))
	defer site.Close()

	for _, guard := range []fetch.Guard{
		{},
		{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}},
		{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, Ports: []uint16{80, 443}},
	} {
		client, err := fetch.New(fetch.Config{UserAgent: "FooBot/1.0 (+https://foobot.example)", Network: fetch.Network{Guard: guard}})
		if err != nil {
			log.Fatal(err)
		}
		result, err := client.Robots(context.Background(), site.URL)
		if err != nil {
			log.Fatal(err)
		}
		var fault *fetch.FaultError
		if errors.As(result.Err, &fault) {
			fmt.Println(fault.Kind)
		} else {
			fmt.Println(result.Outcome)
		}
		client.Close()
	}
	// Output:
	// refused address
	// rules
	// refused address
}

// A tool trusts the host that its user typed, whatever its address. A redirect to
// another host or port is checked.
func ExampleConfig_trusts() {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "User-agent: *\nDisallow: /cart\n") }))
	defer site.Close()
	typed, err := origin.Of(site.URL)
	if err != nil {
		log.Fatal(err)
	}
	client, err := fetch.New(fetch.Config{
		UserAgent: "FooBot/1.0 (+https://foobot.example)",
		Network:   fetch.Network{Trusts: func(o origin.Origin) bool { return o == typed }},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	result, err := client.Robots(context.Background(), site.URL)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Outcome)
	// Output:
	// rules
}

// hosts is a Resolver that reads a table, for example from a cache of DNS answers.
type hosts map[string][]netip.Addr

func (h hosts) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	if addrs, ok := h[host]; ok {
		return addrs, nil
	}
	return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
}

// A crawler brings its own resolver and its own way to open connections. The guard
// checks the addresses in between: Dial receives only those that it accepts.
func ExampleConfig_network() {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "User-agent: *\nDisallow: /cart\n") }))
	defer site.Close()

	client, err := fetch.New(fetch.Config{
		UserAgent: "FooBot/1.0 (+https://foobot.example)",
		Network: fetch.Network{
			Resolver: hosts{
				"shop.example": {netip.MustParseAddr("8.8.8.8")},
				"evil.example": {netip.MustParseAddr("169.254.169.254")},
			},
			Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
				fmt.Println("dial", address)
				var d net.Dialer
				// instead of address, for this example
				return d.DialContext(ctx, network, site.Listener.Addr().String())
			},
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	for _, url := range []string{"http://shop.example/", "http://evil.example/"} {
		result, err := client.Robots(context.Background(), url)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(url, result.Outcome)
	}
	// Output:
	// dial 8.8.8.8:80
	// http://shop.example/ rules
	// http://evil.example/ disallow-all
}

// All requests go through a proxy. The proxy must refuse private addresses itself:
// the guard checks a target before, but the proxy resolves the name again.
func ExampleConfig_proxy() {
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Println("the proxy fetches", r.URL)
		_, _ = io.WriteString(w, "User-agent: *\nDisallow: /cart\n")
	}))
	defer proxy.Close()
	proxyURL, err := url.Parse(proxy.URL)
	if err != nil {
		log.Fatal(err)
	}
	client, err := fetch.New(fetch.Config{
		UserAgent: "FooBot/1.0 (+https://foobot.example)",
		// or http.ProxyFromEnvironment
		Network: fetch.Network{Proxy: http.ProxyURL(proxyURL), Resolver: hosts{"shop.example": {netip.MustParseAddr("8.8.8.8")}}},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	result, err := client.Robots(context.Background(), "http://shop.example/")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Outcome, result.Proxy == proxy.URL)
	// Output:
	// the proxy fetches http://shop.example/robots.txt
	// rules true
}

// A company's sites have certificates of its own authority, and requests come from
// one of the machine's addresses.
func ExampleConfig_tls() {
	site := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "User-agent: *\nDisallow: /cart\n") }))
	defer site.Close()
	authority := x509.NewCertPool()
	authority.AddCert(site.Certificate())

	client, err := fetch.New(fetch.Config{
		UserAgent: "FooBot/1.0 (+https://foobot.example)",
		Network: fetch.Network{Guard: fetch.Guard{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}},
			LocalAddr: netip.MustParseAddr("127.0.0.1"), TLS: &tls.Config{RootCAs: authority}},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	result, err := client.Robots(context.Background(), site.URL)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Outcome)
	// Output:
	// rules
}
