package fetch_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/fetch"
)

// scrapySite is a site of TestScrapy. Its pages are there whatever its robots.txt is.
type scrapySite struct {
	name   string
	robots http.HandlerFunc
	server *httptest.Server
	mu     sync.Mutex
	asked  map[string]bool // the pages that were requested
}

func (s *scrapySite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/robots.txt" || strings.HasPrefix(r.URL.Path, "/hop") {
		s.robots(w, r)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked[r.RequestURI] = true
}

const scrapyRules = "User-agent: *\nDisallow: /private\nAllow: /private/help\nDisallow: /*.pdf$\nDisallow: /\xC3\xBC\n\nUser-agent: OtherBot\nDisallow: /\n"

var scrapyPages = []string{"/", "/open", "/private/x", "/private/help", "/a.pdf", "/a.pdf?b", "/%C3%BC", "/late"}

func scrapySites(release <-chan struct{}) (sites []*scrapySite) {
	site := func(name string, robots http.HandlerFunc) {
		sites = append(sites, &scrapySite{name: name, robots: robots, asked: map[string]bool{}})
	}
	text := func(name, body string, headers ...string) {
		site(name, func(w http.ResponseWriter, _ *http.Request) {
			for i := 0; i < len(headers); i += 2 {
				w.Header().Set(headers[i], headers[i+1])
			}
			fmt.Fprint(w, body)
		})
	}
	for _, status := range []int{203, 204, 206, 300, 304, 305, 400, 401, 403, 404, 410, 429, 451, 500, 503, 599} {
		site(fmt.Sprint(status), func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			if status != 204 && status != 304 {
				fmt.Fprint(w, scrapyRules)
			}
		})
	}
	text("rules", scrapyRules)
	text("CR", strings.ReplaceAll(scrapyRules, "\n", "\r"))
	text("byte order mark", "\uFEFF"+scrapyRules)
	text("empty", "")
	text("Latin-1", strings.ReplaceAll(scrapyRules, "\xC3\xBC", "\xFC"), "Content-Type", "text/plain; charset=iso-8859-1")
	text("UTF-16", "\xFF\xFEU\x00s\x00e\x00r\x00-\x00a\x00g\x00e\x00n\x00t\x00:\x00*\x00\n\x00")
	text("web page", "<!DOCTYPE html><title>Shop</title>", "Content-Type", "text/html")
	text("rules after markup", "<!-- x -->\n"+scrapyRules)
	text("huge", scrapyRules+strings.Repeat("# filler\n", 300_000)+"User-agent: *\nDisallow: /late\n")
	text("cut line", scrapyRules+strings.Repeat("#", 512_000-len(scrapyRules)-30)+"\nUser-agent: *\nDisallow: /"+strings.Repeat("x", 100))
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	fmt.Fprint(z, scrapyRules)
	z.Close()
	text("gzip that was not asked for", zipped.String(), "Content-Encoding", "gzip")
	hops := func(name string, n int) {
		site(name, func(w http.ResponseWriter, r *http.Request) {
			var at int
			fmt.Sscanf(r.URL.Path, "/hop%d", &at)
			if at == n {
				fmt.Fprint(w, scrapyRules)
				return
			}
			http.Redirect(w, r, fmt.Sprintf("/hop%d#x", at+1), http.StatusFound)
		})
	}
	hops("1 redirect", 1)
	hops("5 redirects", 5)
	hops("6 redirects", 6)
	site("redirects without end", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/robots.txt", http.StatusMovedPermanently)
	})
	for _, location := range []string{"", "mailto:a@b.example", "http://127.0.0.1:0/robots.txt", "//"} {
		site("redirect to "+location, func(w http.ResponseWriter, _ *http.Request) {
			if location != "" {
				w.Header().Set("Location", location)
			}
			w.WriteHeader(308)
		})
	}
	site("connection closed", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	site("body cut", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "1000")
		fmt.Fprint(w, "User-agent: *\nAllow: /\n")
	})
	site("no answer", func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
	})
	return sites
}

// TestScrapy lets Scrapy, with the middleware of the Python package, crawl sites on this
// machine: it requests each page that this client allows, and no other.
func TestScrapy(t *testing.T) {
	python := os.Getenv("ROBOTSTXT_SCRAPY")
	if python == "" {
		t.Skip("set ROBOTSTXT_SCRAPY to a Python that has Scrapy")
	}
	for _, policy := range fetch.Policies() {
		t.Run(policy.String(), func(t *testing.T) { crawlWithScrapy(t, python, policy, false) })
	}
	t.Run("a store that fails", func(t *testing.T) { crawlWithScrapy(t, python, fetch.GooglePolicy, true) })
}

// TestScrapyHTTP2 lets Scrapy crawl with its handler of HTTP/2, of which older ones cannot be stopped
// within a body: there a body without end is a fault after some megabytes.
func TestScrapyHTTP2(t *testing.T) {
	python := os.Getenv("ROBOTSTXT_SCRAPY")
	if python == "" {
		t.Skip("set ROBOTSTXT_SCRAPY to a Python that has Scrapy and h2")
	}
	var sent atomic.Int64
	sites := []*scrapySite{
		{name: "rules", robots: func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, scrapyRules) }},
		{name: "endless", robots: func(w http.ResponseWriter, r *http.Request) {
			filler := bytes.Repeat([]byte("# filler\n"), 1000)
			fmt.Fprint(w, scrapyRules)
			for r.Context().Err() == nil && sent.Load() < 200<<20 {
				n, err := w.Write(filler)
				if err != nil {
					return
				}
				sent.Add(int64(n))
			}
		}},
	}
	var urls []string
	for _, s := range sites {
		s.asked = map[string]bool{}
		s.server = httptest.NewUnstartedServer(s)
		s.server.EnableHTTP2 = true
		s.server.StartTLS()
		defer s.server.Close()
		urls = append(urls, s.server.URL+"/open", s.server.URL+"/private/x")
	}
	runScrapy(t, python, map[string]any{"urls": urls, "policy": "google", "store_fails": false, "http2": true, "timeout": 20})
	if !sites[0].asked["/open"] {
		t.Error("Scrapy did not request the allowed page")
	}
	for _, s := range sites {
		if s.asked["/private/x"] {
			t.Errorf("%s: Scrapy requested the page that is not allowed", s.name)
		}
	}
	if sent.Load() > 40<<20 {
		t.Errorf("the site without end sent %d bytes", sent.Load())
	}
}

// runScrapy runs tests/crawl.py, which must print nothing.
func runScrapy(t *testing.T, python string, question map[string]any) {
	t.Helper()
	text, err := json.Marshal(question)
	if err != nil {
		t.Fatal(err)
	}
	script := exec.CommandContext(t.Context(), python, "tests/crawl.py")
	script.Dir, script.Stdin, script.Env = "../python", bytes.NewReader(text), append(os.Environ(), "PYTHONPATH=src", "PYTHONDONTWRITEBYTECODE=1")
	if out, err := script.CombinedOutput(); err != nil || len(out) > 0 {
		t.Fatalf("%v\n%s", err, out)
	}
}

func crawlWithScrapy(t *testing.T, python string, policy fetch.Policy, storeFails bool) {
	t.Parallel() // it waits for the timeouts of sites
	release := make(chan struct{})
	sites := scrapySites(release)
	var urls []string
	for _, s := range sites {
		s.server = httptest.NewServer(s)
		defer s.server.Close()
		for _, page := range scrapyPages {
			urls = append(urls, s.server.URL+page)
		}
	}
	defer close(release)
	runScrapy(t, python, map[string]any{"urls": urls, "policy": policy.String(), "store_fails": storeFails, "http2": false, "timeout": 20})
	allowed, refused := 0, 0
	for _, s := range sites {
		config := fetch.Config{UserAgent: "FooBot/1.0 (+https://foobot.example)", Policy: policy, Network: fetch.Network{AllowPrivate: true}}
		if s.name == "no answer" {
			config.Limits.Timeout = 100 * time.Millisecond
		}
		client := newGuarded(t, config)
		for _, page := range scrapyPages {
			want, err := client.Allowed(t.Context(), s.server.URL+page)
			if err != nil {
				t.Fatal(err)
			}
			if storeFails {
				want = false
			}
			if s.mu.Lock(); s.asked[page] != want {
				t.Errorf("%s: %s: Scrapy requested it: %v, allowed: %v", s.name, page, s.asked[page], want)
			}
			s.mu.Unlock()
			if want {
				allowed++
			} else {
				refused++
			}
		}
		for page := range s.asked {
			if !slices.Contains(scrapyPages, page) {
				t.Errorf("%s: Scrapy requested %s", s.name, page)
			}
		}
	}
	t.Logf("%d sites, %d pages allowed, %d refused", len(sites), allowed, refused)
}
