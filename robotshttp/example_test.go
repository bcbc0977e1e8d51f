package robotshttp_test

import (
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"

	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/robotshttp"
)

// The http.Client obeys robots.txt, even if an allowed page redirects to a
// disallowed one.
func Example() {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/robots.txt":
			fmt.Fprint(w, "User-agent: FooBot\nDisallow: /cart\n")
		case "/checkout":
			http.Redirect(w, r, "/cart", http.StatusSeeOther)
		default:
			fmt.Fprint(w, "shoes")
		}
	}))
	defer site.Close()

	robots, err := fetch.New(fetch.Config{
		UserAgent: "FooBot/1.0 (+https://foobot.example/about)",
		Network:   fetch.Network{AllowPrivate: true}, // only because this example's server is on the local machine
	})
	if err != nil {
		log.Fatal(err)
	}
	defer robots.Close()
	client := &http.Client{Transport: &robotshttp.Transport{Client: robots}}

	for _, path := range []string{"/shoes", "/cart", "/checkout"} {
		response, err := client.Get(site.URL + path)
		var refused *robotshttp.DisallowedError
		if errors.As(err, &refused) {
			fmt.Println(path, "refused:", refused.Decision.Decision)
			continue
		}
		if err != nil {
			fmt.Println(err)
			continue
		}
		text, _ := io.ReadAll(response.Body)
		response.Body.Close()
		fmt.Println(path, "has", string(text))
	}
	// Output:
	// /shoes has shoes
	// /cart refused: disallowed by line 2: Disallow "/cart", length 5, group "FooBot" of line 1; path "/cart"
	// /checkout refused: disallowed by line 2: Disallow "/cart", length 5, group "FooBot" of line 1; path "/cart"
}

// ReportOnly shows what a crawler would lose by obeying. All requests are sent,
// and the log contains those that Obey would refuse.
func ExampleReportOnly() {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "User-agent: *\nDisallow: /cart\n")
	}))
	defer site.Close()
	robots, err := fetch.New(fetch.Config{UserAgent: "FooBot/1.0 (+https://foobot.example/about)", Network: fetch.Network{AllowPrivate: true}})
	if err != nil {
		log.Fatal(err)
	}
	defer robots.Close()
	client := &http.Client{Transport: &robotshttp.Transport{
		Client: robots,
		Judge:  robotshttp.ReportOnly,
		OnDecision: func(r *http.Request, d fetch.Decision) {
			if !d.Allowed {
				fmt.Println(r.URL.Path, "would be refused for line", d.Line)
			}
		},
	}}
	response, err := client.Get(site.URL + "/cart/42")
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	fmt.Println(response.Status)
	// Output:
	// /cart/42 would be refused for line 2
	// 200 OK
}
