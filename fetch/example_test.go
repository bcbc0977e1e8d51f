package fetch_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"

	"github.com/kosterhq/robotstxt/cache"
	"github.com/kosterhq/robotstxt/fetch"
)

// exampleSite stands in for the sites of the world.
func exampleSite(status int, body string) *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}))
}

// One client for the whole program: it fetches each site's file once, and again
// when it expires.
func Example() {
	site := exampleSite(200, "User-agent: *\nDisallow: /private/\n")
	defer site.Close()

	client, err := fetch.New(fetch.Config{
		UserAgent:    "FooBot/1.0 (+https://foobot.example/about)",
		AllowPrivate: true, // only because the site of this example is on this machine
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

// A decision has its grounds: the line of the file, and where the file is from.
func ExampleClient_Decide() {
	site := exampleSite(200, "User-agent: *\nDisallow: /private/\nAllow: /private/press\n")
	defer site.Close()

	client, err := fetch.New(fetch.Config{UserAgent: "FooBot/1.0 (+https://foobot.example)", AllowPrivate: true})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	d, err := client.Decide(context.Background(), site.URL+"/private/press/2026")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("allowed:", d.Allowed, "by line", d.Line)
	fmt.Println("from:", d.Result.Source, "because", d.Result.Reason)
	fmt.Println("fresh for:", d.Result.FreshUntil.Sub(d.Result.FetchedAt))
	// Output:
	// allowed: true by line 3
	// from: network because HTTP status 200
	// fresh for: 24h0m0s
}

// A broken site is no error, but a result that says what the policy makes of
// it.
func ExampleClient_Robots() {
	site := exampleSite(503, "come back later")
	defer site.Close()

	client, err := fetch.New(fetch.Config{UserAgent: "FooBot/1.0 (+https://foobot.example)", AllowPrivate: true})
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

// A store keeps answers beyond one client; this one within the process.
func ExampleConfig_store() {
	site := exampleSite(200, "User-agent: *\nDisallow: /private/\n")
	defer site.Close()

	store := cache.NewMemory(cache.MemoryConfig{MaxBytes: 64 << 20})
	for range 2 {
		client, err := fetch.New(fetch.Config{UserAgent: "FooBot/1.0 (+https://foobot.example)", Store: store, AllowPrivate: true})
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

// Some sites answer 500 for pages that they do not have. Taken by the letter,
// nothing may be fetched there.
func ExampleLooksNotFound() {
	site := exampleSite(500, "<html><h1>Page not found</h1></html>")
	defer site.Close()

	for _, detector := range []func(int, []byte) bool{nil, fetch.LooksNotFound} {
		client, err := fetch.New(fetch.Config{
			UserAgent:    "FooBot/1.0 (+https://foobot.example)",
			NotFoundPage: detector,
			AllowPrivate: true,
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

// The tables that docs show are printed from what the client acts on.
func ExamplePolicy_String() {
	for _, p := range fetch.Policies() {
		fmt.Println(p)
	}
	// Output:
	// google
	// rfc9309
	// google-ladder
	// koster
}
