package serve_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/frontends/serve"
)

// asked counts the requests that sites get, by host.
type asked struct {
	mu sync.Mutex
	by map[string]int
}

func (a *asked) add(r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.by == nil {
		a.by = make(map[string]int)
	}
	a.by[r.Host]++
}

func (a *asked) of(host string) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.by[host]
}

// licensed answers as a site whose robots.txt names 16 documents of a host.
func licensed(host string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/robots.txt":
			for i := range 16 {
				fmt.Fprintf(w, "License: http://%s/%d.xml\n", host, i)
			}
		case strings.HasSuffix(r.URL.Path, ".xml"):
			fmt.Fprint(w, `<rsl xmlns="https://rslstandard.org/rsl"><content url="/"><license><permits type="usage">search</permits></license></content></rsl>`)
		}
	}
}

// TestEachRequestCounts: each request that a site gets counts for the client that caused it,
// whatever the operation, redirects included.
func TestEachRequestCounts(t *testing.T) {
	to := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/robots.txt" && strings.HasPrefix(r.Host, "moved"):
			http.Redirect(w, r, "/other.txt", http.StatusFound)
		case r.URL.Path == "/other.txt":
			http.Redirect(w, r, "http://to-"+r.Host+"/robots.txt", http.StatusFound)
		case r.URL.Path == "/sitemap.xml":
			http.Redirect(w, r, "/map.xml", http.StatusFound)
		case r.URL.Path == "/map.xml":
			fmt.Fprint(w, "<urlset><url><loc>http://shop.example/tea</loc></url></urlset>")
		default:
			licensed("docs."+r.Host)(w, r)
		}
	})
	s := shared(t, to, func(*serve.Config) {})
	s.server.SetFetches(1000)
	for i, test := range []struct {
		name, body string
		want       int
	}{
		{"check", `{"urls":["http://HOST/","http://moved.HOST/"]}`, 4},
		{"explain", `{"urls":["http://moved.HOST/"]}`, 3},
		{"fetch", `{"url":"http://moved.HOST/"}`, 3},
		{"sitemap", `{"url":"http://HOST/sitemap.xml"}`, 3},
		{"resources", `{"url":"http://HOST/"}`, 2},
		{"permit", `{"url":"http://HOST/","follow":true}`, 20}, // two robots.txt, the page, tdmrep.json, 16 documents
		{"stream", "{}\n\"http://HOST/\"\n\"http://moved.HOST/\"\n", 4},
	} {
		before := int(to.requests.Load())
		body := strings.ReplaceAll(test.body, "HOST", fmt.Sprintf("%d.example", i))
		body = strings.ReplaceAll(body, "//"+fmt.Sprint(i), "//site"+fmt.Sprint(i)) // no address
		if test.name == "stream" {
			response, err := s.stream(t.Context(), strings.NewReader(body), "X-Forwarded-For", serve.ClientN(i).String())
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.Copy(io.Discard, response.Body); err != nil {
				t.Error(err)
			}
			response.Body.Close()
		} else {
			s.wantOK(test.name, i, body)
		}
		if got, charged := int(to.requests.Load())-before, s.server.Charged(i); got != test.want || charged != got {
			t.Errorf("%s: %d requests to sites, want %d; %d are counted", test.name, got, test.want, charged)
		}
	}
}

// TestPermitPays: a request for a permission causes no more requests than its client may, and
// waits. No site gets more than its interval permits, whoever names it.
func TestPermitPays(t *testing.T) {
	var got asked
	to := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		got.add(r)
		host := "victim.example"
		if strings.HasPrefix(r.Host, "own") {
			host = r.Host
		}
		licensed(host)(w, r)
	})
	s := shared(t, to, func(c *serve.Config) { c.AnswerTimeout = time.Second })
	s.server.SetFetches(5)
	// once, unless the machine is slow
	began, status := time.Now(), http.StatusGatewayTimeout
	for isLate(status) && s.server.Charged(1) < 5 && time.Since(began) < serve.Patience {
		var answer string
		status, answer, _ = s.query("permit", 1, `{"url":"http://own.example/"}`)
		if !isLate(status) {
			t.Errorf("status %d: %.300s", status, answer)
		}
	}
	if n := to.requests.Load(); n > 5 || s.server.Charged(1) != 5 {
		t.Errorf("%d requests to sites, %d counted", n, s.server.Charged(1))
	}
	s.wantOKInTime("check", 2, `{"urls":["http://other.example/"]}`)

	s = shared(t, to, func(c *serve.Config) { c.OriginInterval = time.Hour })
	for i := range 5 {
		status, answer, _ := s.query("permit", i, fmt.Sprintf(`{"url":"http://shop%d.example/","follow":true}`, i))
		if status != http.StatusOK || i > 0 && !strings.Contains(answer, "http://victim.example was not requested: the service has sent this site enough requests for now") {
			t.Errorf("status %d: %.300s", status, answer)
		}
	}
	if n := got.of("victim.example"); n != 1+3 { // its robots.txt, and three at once
		t.Errorf("the victim got %d requests", n)
	}
	if status, answer, _ := s.query("permit", 9, `{"url":"http://victim.example/"}`); status != http.StatusTooManyRequests || !strings.Contains(answer, "origin-rate") {
		t.Errorf("status %d: %.300s", status, answer)
	}
}

// TestClientPaysBefore: however many requests of a client come at once, they cause no more
// fetches than it may. Known sites are answered, and others have their answers meanwhile.
func TestClientPaysBefore(t *testing.T) {
	to := newSite(t, func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "User-agent: *\nDisallow: /cart\n") })
	s := shared(t, to, func(c *serve.Config) {
		c.AnswerTimeout = 100 * time.Millisecond
		c.FetchTimeout = 100 * time.Millisecond
	})
	const may = 20
	s.server.SetFetches(may)
	lists := func(i int) string {
		var urls []string
		for k := range 50 {
			urls = append(urls, fmt.Sprintf("http://shop%d-%d.example/", i, k))
		}
		text, _ := json.Marshal(map[string]any{"urls": urls})
		return string(text)
	}
	var burst sync.WaitGroup
	for i := range 8 {
		burst.Go(func() {
			for name, body := range map[string]string{
				"check": lists(i), "explain": fmt.Sprintf(`{"urls":["http://one%d.example/"]}`, i), "fetch": fmt.Sprintf(`{"url":"http://live%d.example/"}`, i),
				"sitemap": fmt.Sprintf(`{"url":"http://map%d.example/"}`, i), "permit": fmt.Sprintf(`{"url":"http://use%d.example/"}`, i),
			} {
				s.query(name, 1, body)
			}
		})
	}
	burst.Wait()
	for i := 0; s.server.Charged(1) < may; i++ { // some may have had no answer in time
		s.query("explain", 1, fmt.Sprintf(`{"urls":["http://more%d.example/"]}`, i))
	}
	if n := to.requests.Load(); n > may || s.server.Charged(1) != may {
		t.Errorf("%d requests to sites, %d counted", n, s.server.Charged(1))
	}
	for _, name := range []string{"check", "explain"} {
		if status, answer, header := s.query(name, 1, `{"urls":["http://new.example/"]}`); status != http.StatusTooManyRequests || !strings.Contains(answer, `"client-fetch-rate"`) || header.Get("Retry-After") == "" {
			t.Errorf("%s: status %d: %.300s", name, status, answer)
		}
	}
	s.wantOKInTime("check", 2, `{"urls":["http://new.example/"]}`)
	s.wantOKInTime("check", 1, `{"urls":["http://new.example/"]}`)
}

// TestOwnRedirects: redirects of a site to itself count for it.
func TestOwnRedirects(t *testing.T) {
	to := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		http.Redirect(w, r, r.URL.Path+"x", http.StatusFound)
	})
	s := start(t, to, func(c *serve.Config) { c.OriginInterval = time.Hour })
	for range 4 {
		s.want(http.StatusTooManyRequests, "sitemap", `{"url":"http://shop.example/map"}`, `"code":"origin-rate"`)
	}
	if n := to.requests.Load(); n != 1+3 {
		t.Errorf("the site got %d requests", n)
	}
}
