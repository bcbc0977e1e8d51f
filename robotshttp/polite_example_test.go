package robotshttp_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/origin"
	"github.com/kosterhq/robotstxt/robotshttp"
	"golang.org/x/net/publicsuffix"
)

// A polite crawler waits between requests even if robots.txt does not require it,
// sends few requests to a host at once, and leaves sites alone that want to be
// visited less often than it can.
func ExampleTransport_polite() {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			fmt.Fprint(w, "User-agent: *\nCrawl-delay: 3600\n")
		}
	}))
	defer site.Close()
	robots, err := fetch.New(fetch.Config{UserAgent: "FooBot/1.0 (+https://foobot.example/about)", Network: fetch.Network{AllowPrivate: true}})
	if err != nil {
		log.Fatal(err)
	}
	defer robots.Close()
	client := &http.Client{Transport: &robotshttp.Transport{
		Client:           robots,
		DefaultDelay:     5 * time.Second, // if robots.txt states none
		MinDelay:         time.Second,     // even if it states less
		MaxDelay:         time.Minute,     // it can require this much
		RefuseLongDelays: true,            // and a site that requires more is not visited
		MaxPerHost:       2,
	}}
	_, err = client.Get(site.URL)
	var long *robotshttp.DelayError
	if errors.As(err, &long) {
		fmt.Println("visit it every", long.Delay)
	}
	// Output:
	// visit it every 1h0m0s
}

// All hosts of a registered domain share one queue, so that a thousand subdomains of
// one site do not receive a thousand requests at once.
func ExampleTransport_queue() {
	transport := &robotshttp.Transport{
		Queue: func(_ context.Context, o origin.Origin) string {
			domain, err := publicsuffix.EffectiveTLDPlusOne(o.Host())
			if err != nil {
				return "" // an IP address or a public suffix: the queue of its own host
			}
			return domain
		},
	}
	for _, url := range []string{"https://www.shop.example.co.uk/", "http://static.example.co.uk/", "https://example.org/"} {
		o, err := origin.Of(url)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(transport.Queue(context.Background(), o))
	}
	// Output:
	// example.co.uk
	// example.co.uk
	// example.org
}

// All hosts at one IP address share one queue.
func ExampleByAddress() {
	transport := &robotshttp.Transport{Queue: robotshttp.ByAddress(nil)}
	for _, url := range []string{"https://192.0.2.1/", "http://[::ffff:192.0.2.1]:8080/"} {
		o, err := origin.Of(url)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(transport.Queue(context.Background(), o))
	}
	// Output:
	// 192.0.2.1
	// 192.0.2.1
}
