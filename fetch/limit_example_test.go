package fetch_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"sync/atomic"
	"time"

	"github.com/kosterhq/robotstxt/fetch"
)

// hoster is a server with many sites, for the examples: their names have addresses of
// 192.0.2.0/24, two names each, and all connections lead to it.
type hoster struct {
	server    *httptest.Server
	now, most atomic.Int64 // requests under way
}

func startHoster() *hoster {
	h := &hoster{}
	h.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		now := h.now.Add(1)
		defer h.now.Add(-1)
		for most := h.most.Load(); now > most && !h.most.CompareAndSwap(most, now); most = h.most.Load() {
		}
		time.Sleep(5 * time.Millisecond)
		fmt.Fprint(w, "User-agent: *\nDisallow: /private/\n")
	}))
	return h
}

func (h *hoster) config() fetch.Config {
	table := hosts{}
	for i := range 30 {
		table[fmt.Sprintf("site%d.example", i)] = []netip.Addr{netip.AddrFrom4([4]byte{192, 0, 2, byte(i / 2)})}
	}
	return fetch.Config{
		UserAgent: "FooBot/1.0 (+https://foobot.example)", Network: fetch.Network{
			AllowPrivate: true,
			Resolver:     table,
			Dial:         dialTo(h.server.Listener.Addr()),
		},
	}
}

func prefetch(config fetch.Config, n int) {
	client, err := fetch.New(config)
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	var urls []string
	for i := range n {
		urls = append(urls, fmt.Sprintf("http://site%d.example/", i))
	}
	if err := client.Prefetch(context.Background(), slices.Values(urls)); err != nil {
		log.Fatal(err)
	}
}

// MaxFetches bounds the fetches under way, whatever the number of callers. The others
// wait.
func ExampleConfig_maxFetches() {
	h := startHoster()
	defer h.server.Close()
	config := h.config()
	config.Limits.MaxFetches = 3
	prefetch(config, 30)
	fmt.Println("more than 3 at the same time:", h.most.Load() > 3)
	// Output:
	// more than 3 at the same time: false
}

// MaxFetchRate bounds the fetches that begin in a second: of these 22, two wait for
// the second after the first 20.
func ExampleConfig_maxFetchRate() {
	h := startHoster()
	defer h.server.Close()
	config := h.config()
	config.Limits.MaxFetchRate = 20
	began := time.Now()
	prefetch(config, 22)
	fmt.Println("waited for 2/20 s:", time.Since(began) >= time.Second/10)
	// Output:
	// waited for 2/20 s: true
}

// MaxFetchesPerAddress spares a server that has many sites: here each address has two.
func ExampleConfig_maxFetchesPerAddress() {
	h := startHoster()
	defer h.server.Close()
	config := h.config()
	config.Limits.MaxFetchesPerAddress = 1
	prefetch(config, 2) // both at 192.0.2.0
	fmt.Println("more than 1 at the same time:", h.most.Load() > 1)
	// Output:
	// more than 1 at the same time: false
}

// Invalidate makes a client forget a site, for example because an operator has deleted
// a wrong file: the next call fetches, and no copy is left for an outage.
func ExampleClient_Invalidate() {
	status := 200
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		fmt.Fprint(w, "User-agent: *\nDisallow: /\n")
	}))
	defer site.Close()
	client, err := fetch.New(fetch.Config{UserAgent: "FooBot/1.0 (+https://foobot.example)", Network: fetch.Network{AllowPrivate: true}})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	ctx := context.Background()
	robots := func() {
		r, err := client.Robots(ctx, site.URL)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(r.Outcome, r.Source)
	}
	robots()
	status = 404
	robots()
	if err := client.Invalidate(ctx, site.URL); err != nil {
		log.Fatal(err)
	}
	robots()
	// Output:
	// rules network
	// rules memory
	// allow-all network
}

// silentResolver is a Resolver that receives no answers.
type silentResolver struct{}

func (silentResolver) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	return nil, &net.DNSError{Err: "i/o timeout", Name: host, IsTimeout: true, IsTemporary: true}
}

// If the error is local, this machine or its network failed, here its resolver. Nothing
// is known about the site, and nothing is recorded about it: try the URL again later.
func ExampleFaultError_Local() {
	client, err := fetch.New(fetch.Config{UserAgent: "FooBot/1.0 (+https://foobot.example)", Network: fetch.Network{Resolver: silentResolver{}}})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	_, err = client.Allowed(context.Background(), "https://shop.example/tea")
	var fault *fetch.FaultError
	if errors.As(err, &fault) && fault.Local() {
		fmt.Println("look at this machine:", fault)
	}
	// Output:
	// look at this machine: no name server answered in time for the host shop.example
}
