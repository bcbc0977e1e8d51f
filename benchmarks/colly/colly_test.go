package colly_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gocolly/colly/v2"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/permission"
	"github.com/kosterhq/robotstxt/robotshttp"
)

// pages link to each other; /old is a redirect to a disallowed page.
var pages = map[string]string{
	"/robots.txt":    "User-agent: FooBot\nCrawl-delay: 0.01\nDisallow: /private\nAllow: /private/not\nContent-Usage: train-ai=n\n",
	"/":              `<a href="/shoes">s</a> <a href="/private/a">a</a> <a href="/private/not">n</a> <a href="/old">o</a>`,
	"/shoes":         `<a href="/private/b?of=shoes">b</a>`,
	"/private/a":     "never seen",
	"/private/b":     "never seen",
	"/private/moved": "never seen",
	"/private/not":   "seen",
}

// shop serves pages and returns its address, and a function that returns the
// requested paths, sorted.
func shop(t testing.TB) (address string, asked func() []string) {
	var mu sync.Mutex
	var paths []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		paths = append(paths, r.URL.Path)
		mu.Unlock()
		if r.URL.Path == "/old" {
			http.Redirect(w, r, "/private/moved", http.StatusMovedPermanently)
			return
		}
		if !strings.HasSuffix(r.URL.Path, ".txt") {
			w.Header().Set("Content-Type", "text/html")
		}
		fmt.Fprint(w, pages[r.URL.Path])
	}))
	t.Cleanup(server.Close)
	return server.URL, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Sorted(slices.Values(paths))
	}
}

func client(t testing.TB) *fetch.Client {
	robots, err := fetch.New(fetch.Config{
		UserAgent: "FooBot/1.0 (+https://foobot.example/about)",
		Network:   fetch.Network{AllowPrivate: true}, // the shop is on this machine
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { robots.Close() })
	return robots
}

// TestCollector: a collector with our transport visits the allowed pages, and
// OnError reports why it did not visit the others.
func TestCollector(t *testing.T) {
	address, asked := shop(t)
	robots := client(t)

	c := newCollector(robots)

	var seen, refused []string
	c.OnHTML("a[href]", func(e *colly.HTMLElement) {
		// Visit returns the error too; here OnError has it.
		_ = e.Request.Visit(e.Attr("href"))
	})
	c.OnResponse(func(r *colly.Response) { seen = append(seen, r.Request.URL.Path) })
	c.OnError(func(_ *colly.Response, err error) {
		if why := refusal(err); why != "" {
			refused = append(refused, why)
			return
		}
		t.Error(err)
	})
	if err := c.Visit(address + "/"); err != nil {
		t.Fatal(err)
	}
	c.Wait()

	slices.Sort(seen)
	slices.Sort(refused)
	for _, check := range []struct {
		what      string
		got, want []string
	}{
		{"seen", seen, []string{"/", "/private/not", "/shoes"}},
		{"refused", refused, []string{"/private/a by line 3", "/private/b?of=shoes by line 3", "/private/moved by line 3"}},
		{"asked for", asked(), []string{"/", "/old", "/private/not", "/robots.txt", "/shoes"}},
	} {
		if !slices.Equal(check.got, check.want) {
			t.Errorf("%s: %q, want %q", check.what, check.got, check.want)
		}
	}
}

// TestPermitted: a collector reports what each page may be used for.
func TestPermitted(t *testing.T) {
	address, _ := shop(t)
	robots := client(t)
	c := newCollector(robots)
	var said []string
	c.WithTransport(permitted{&robotshttp.Transport{Client: robots, KeepResult: true},
		func(answers []permission.Answer) {
			for _, a := range answers {
				if a.Purpose == "ai-training" {
					said = append(said, fmt.Sprintf("%s %s by line %d", strings.TrimPrefix(a.URL, address), a.Verdict,
						a.Reasons[0].Place.Line))
				}
			}
		}})
	if err := c.Visit(address + "/shoes"); err != nil {
		t.Fatal(err)
	}
	c.Wait()
	if want := []string{"/shoes disallowed by line 5"}; !slices.Equal(said, want) {
		t.Errorf("%q, want %q", said, want)
	}
}
