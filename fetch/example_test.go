package fetch_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/cache/cachetest"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/origin"
)

func exampleSite(status int, body string) *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}))
}

// A program makes one client. The client fetches the robots.txt of each site
// once, and again when it expires.
func Example() {
	site := exampleSite(200, "User-agent: *\nDisallow: /private/\n")
	defer site.Close()

	client, err := fetch.New(fetch.Config{
		UserAgent: "FooBot/1.0 (+https://foobot.example/about)",
		Network:   fetch.Network{AllowPrivate: true}, // only because this example's server is on the local machine
	})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	for _, path := range []string{"/", "/private/diary"} {
		allowed, err := client.Allowed(context.Background(), site.URL+path)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(path, allowed)
	}
	// Output:
	// / true
	// /private/diary false
}

// Decide returns the deciding line and the source of the file.
func ExampleClient_Decide() {
	site := exampleSite(200, "User-agent: *\nDisallow: /private/\nAllow: /private/press\n")
	defer site.Close()

	client, err := fetch.New(fetch.Config{UserAgent: "FooBot/1.0 (+https://foobot.example)", Network: fetch.Network{AllowPrivate: true}})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	d, err := client.Decide(context.Background(), site.URL+"/private/press/2026")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("allowed:", d.Allowed, "by line", d.Line)
	fmt.Println("from:", d.Result.Source, "because", d.Result.Detail)
	fmt.Println("fresh for:", d.Result.FreshUntil.Sub(d.Result.FetchedAt))
	// Output:
	// allowed: true by line 3
	// from: network because HTTP status 200
	// fresh for: 24h0m0s
}

// A site that fails is not an error. The result says what the policy decides
// and why.
func ExampleClient_Robots() {
	site := exampleSite(503, "come back later")
	defer site.Close()

	client, err := fetch.New(fetch.Config{UserAgent: "FooBot/1.0 (+https://foobot.example)", Network: fetch.Network{AllowPrivate: true}})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	r, err := client.Robots(context.Background(), site.URL)
	fmt.Println(r.Outcome, r.Source, r.Status, err)
	fmt.Println(r.Err)
	// Output:
	// disallow-all assumed 503 <nil>
	// HTTP status 503
}

// A store outlives the client. This one is for tests; programs use cache/disk or
// cache/valkey.
func ExampleConfig_store() {
	site := exampleSite(200, "User-agent: *\nDisallow: /private/\n")
	defer site.Close()

	store := new(cachetest.Memory)
	for range 2 {
		client, err := fetch.New(fetch.Config{UserAgent: "FooBot/1.0 (+https://foobot.example)", Store: store, Network: fetch.Network{AllowPrivate: true}})
		if err != nil {
			log.Fatal(err)
		}
		r, err := client.Robots(context.Background(), site.URL)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(r.Source)
		client.Close()
	}
	// Output:
	// network
	// store
}

// Some sites answer 500 for pages that do not exist. Without NotFoundPage such
// a robots.txt counts as unreachable.
func ExampleLooksNotFound() {
	site := exampleSite(500, "<html><h1>Page not found</h1></html>")
	defer site.Close()

	for _, detector := range []func(int, []byte) bool{nil, fetch.LooksNotFound} {
		client, err := fetch.New(fetch.Config{
			UserAgent:    "FooBot/1.0 (+https://foobot.example)",
			NotFoundPage: detector,
			Network:      fetch.Network{AllowPrivate: true},
		})
		if err != nil {
			log.Fatal(err)
		}
		r, err := client.Robots(context.Background(), site.URL)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(r.Outcome)
		client.Close()
	}
	// Output:
	// disallow-all
	// allow-all
}

// Policies lists the names that UnmarshalText accepts.
func ExamplePolicy_String() {
	for _, p := range fetch.Policies() {
		fmt.Println(p)
	}
	// Output:
	// google
	// rfc9309
	// google-ladder
	// koster
	// careful
}

// OnChange reports what is different after a fetch: here a site has changed its
// file, which the client sees because a clock is set forward.
func ExampleConfig_onChange() {
	file := "User-agent: *\nDisallow: /private/\n"
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, file) }))
	defer site.Close()

	now := time.Now()
	client, err := fetch.New(fetch.Config{
		UserAgent: "FooBot/1.0 (+https://foobot.example)",
		Network:   fetch.Network{AllowPrivate: true},
		Freshness: fetch.Freshness{Clock: func() time.Time { return now }},
		OnChange: func(c fetch.Change) {
			fmt.Println(c.What, c.Before.Digest[:8], c.After.Digest[:8])
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	for range 3 {
		if _, err := client.Robots(context.Background(), site.URL); err != nil {
			log.Fatal(err)
		}
		file = "User-agent: *\nDisallow: /\n"
		now = now.Add(25 * time.Hour)
	}
	// Output:
	// [file] efc4db54 331ea909
}

// Ahead decides a list of URLs in their order. It looks up many sites at the same time,
// and each once.
func ExampleAhead() {
	site := exampleSite(200, "User-agent: *\nDisallow: /private/\n")
	defer site.Close()
	client, err := fetch.New(fetch.Config{UserAgent: "FooBot/1.0 (+https://foobot.example)", Network: fetch.Network{AllowPrivate: true}})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	ahead := fetch.Ahead[string, *fetch.Result]{
		Origin: func(url string) (origin.Origin, bool) { o, err := origin.Of(url); return o, err == nil },
		LookUp: func(ctx context.Context, o origin.Origin) (*fetch.Result, error) {
			return client.RobotsOf(ctx, o)
		},
	}
	urls := []string{site.URL + "/", site.URL + "/private/diary", "mailto:someone"}
	for v, err := range ahead.Visits(context.Background(), slices.Values(urls)) {
		if err != nil {
			log.Fatal(err)
		}
		if v.Site == nil {
			fmt.Println(v.Item, "has no robots.txt")
			continue
		}
		fmt.Println(strings.TrimPrefix(v.Item, site.URL), v.Site.Rules("FooBot").Allowed(v.Item))
	}
	// Output:
	// / true
	// /private/diary false
	// mailto:someone has no robots.txt
}

// Refresh fetches again although the answer is fresh, for example because the site
// has announced a change. Invalidate makes the next call do so.
func ExampleClient_Refresh() {
	file := "User-agent: *\nDisallow: /\n"
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, file) }))
	defer site.Close()
	client, err := fetch.New(fetch.Config{UserAgent: "FooBot/1.0 (+https://foobot.example)", Network: fetch.Network{AllowPrivate: true}})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	ctx := context.Background()
	allowed, _ := client.Allowed(ctx, site.URL+"/tea")
	fmt.Println(allowed)

	file = "User-agent: *\nAllow: /\n"
	if _, err := client.Refresh(ctx, site.URL); err != nil {
		log.Fatal(err)
	}
	allowed, _ = client.Allowed(ctx, site.URL+"/tea")
	fmt.Println(allowed)
	// Output:
	// false
	// true
}
