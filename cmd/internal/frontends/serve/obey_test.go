package serve_test

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/frontends/serve"
)

// TestObeys: every call that fetches another file than robots.txt obeys robots.txt, also that of
// the site to which it is redirected, as the crawler whose token is in --user-agent.
func TestObeys(t *testing.T) {
	var mu sync.Mutex
	var paths []string
	to := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		paths = append(paths, r.URL.Path)
		mu.Unlock()
		switch {
		case strings.HasPrefix(r.Host, "down"):
			w.WriteHeader(http.StatusServiceUnavailable)
		case r.URL.Path == "/robots.txt":
			_, _ = w.Write([]byte("User-agent: *\nAllow: /\n\nUser-agent: ShopBot\nDisallow: /closed\n"))
		case strings.HasPrefix(r.URL.Path, "/moved"):
			http.Redirect(w, r, "http://u:p@other.example/closed/"+r.URL.Path[6:], http.StatusFound)
		default:
			_, _ = w.Write([]byte("<urlset><url><loc>http://shop.example/tea</loc></url></urlset>"))
		}
	})
	s := start(t, to, func(c *serve.Config) { c.UserAgent = "ShopBot/1.0 (+https://shop.example)" })
	for _, name := range []string{"sitemap", "resources"} {
		s.want(http.StatusOK, name, `{"url":"http://shop.example/open"}`)
		s.want(http.StatusForbidden, name, `{"url":"http://shop.example/closed/x"}`, `"code":"disallowed"`, `line 5 of http://shop.example/robots.txt`)
		s.want(http.StatusForbidden, name, `{"url":"http://shop.example/moved/x"}`, `"code":"disallowed"`, `line 5 of http://other.example/robots.txt`)
		s.want(http.StatusBadGateway, name, `{"url":"http://down.example/open"}`, `"code":"unreachable"`, "http://down.example/robots.txt could not be read")
	}
	s.want(http.StatusOK, "permit", `{"url":"http://shop.example/closed/x"}`, "line 5 of http://shop.example/robots.txt disallows it")
	if i := slices.IndexFunc(paths, func(path string) bool { return strings.HasPrefix(path, "/closed") }); i >= 0 {
		t.Errorf("%s was requested", paths[i])
	}
}

// TestOwnRobots: the service has a robots.txt, which this project reads as it is meant.
func TestOwnRobots(t *testing.T) {
	s := start(t, nil, func(c *serve.Config) { c.Token = "0123456789abcdef" })
	status, text, header := s.request(http.MethodGet, "/robots.txt", "")
	if status != http.StatusOK || header.Get("Content-Type") != "text/plain; charset=utf-8" {
		t.Fatalf("%d %v %s", status, header, text)
	}
	page := start(t, nil, nil)
	for path, verdict := range map[string]string{"/": "allowed", "/page.js": "allowed", "/v1/check": "disallowed", "/watch": "disallowed", "/watch?site=x": "disallowed"} {
		page.want(http.StatusOK, "check", `{"body":`+quoted(text)+`,"agents":["Googlebot"],"urls":["`+path+`"]}`, `"verdict":"`+verdict+`"`)
	}
}
