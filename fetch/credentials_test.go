package fetch_test

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/kosterhq/robotstxt/cache/cachetest"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/origin"
)

// guardedSites are the sites staging.example and open.example, over http and https.
// Staging has a password; without it, it answers 401, or with a file if it is lax. What a
// site answers is in redirects, by its URL, or a file.
type guardedSites struct {
	redirects map[string]string
	lax       bool

	mu       sync.Mutex
	requests []string // URL, and the Authorization and X-Key that arrived
}

func (s *guardedSites) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	url := "http://" + r.Host + r.URL.Path
	if r.TLS != nil {
		url = "https" + url[len("http"):]
	}
	s.mu.Lock()
	s.requests = append(s.requests, strings.TrimSpace(url+" "+r.Header.Get("Authorization")+r.Header.Get("X-Key")))
	s.mu.Unlock()
	if target := s.redirects[url]; target != "" {
		w.Header().Set("Location", target)
		w.WriteHeader(http.StatusMovedPermanently)
	} else if r.Host == "staging.example" && r.Header.Get("Authorization") == "" && !s.lax {
		w.WriteHeader(http.StatusUnauthorized)
	} else {
		fmt.Fprintln(w, "User-agent: *\nDisallow: /cart")
	}
}

func (s *guardedSites) client(t *testing.T) *fetch.Client {
	plain, secure := startSites(t, s, "staging.example")
	at := map[string][]string{"staging.example": {"127.0.0.1"}, "open.example": {"127.0.0.1"}}
	n := &internet{names: at, servers: map[string]string{"127.0.0.1:80": plain.String(), "127.0.0.1:443": secure.String()}}
	return newClient(t,
		fetch.Config{KeepBodies: true, Network: fetch.Network{Credentials: staging, Resolver: n, Dial: n.dial,
			TLS: testRoots()}})
}

func staging(o origin.Origin) http.Header {
	if o.String() != "http://staging.example" {
		return nil
	}
	return http.Header{"authorization": {"Basic c2VjcmV0"}, "User-Agent": {"Other"}, "Accept-Encoding": {"br"}}
}

// TestCredentials: credentials reach their own origin and no other one, also not after a
// redirect, and what was found without them is not the answer of that origin.
func TestCredentials(t *testing.T) {
	const at, open, sent = "http://staging.example/robots.txt", "http://open.example/robots.txt", " Basic c2VjcmV0"
	for name, test := range map[string]struct {
		redirects map[string]string
		url       []string
		want      []string // requests
		status    int      // of the last URL
	}{
		"own":     {nil, []string{at}, []string{at + sent}, 200},
		"other":   {nil, []string{open}, []string{open}, 200},
		"https":   {nil, []string{"https://staging.example/"}, []string{"https://staging.example/robots.txt"}, 401},
		"in site": {map[string]string{at: "/r.txt"}, []string{at}, []string{at + sent, "http://staging.example/r.txt" + sent}, 200},
		"in site by port and password": {map[string]string{at: "http://me:word@STAGING.example:80/r.txt"}, []string{at},
			[]string{at + sent, "http://staging.example/r.txt" + sent}, 200},
		"away": {map[string]string{at: open}, []string{at}, []string{at + sent, open}, 200},
		"to https": {map[string]string{at: "https://staging.example/robots.txt"}, []string{at},
			[]string{at + sent, "https://staging.example/robots.txt"}, 401},
		"away and back": {map[string]string{at: open, open: "http://staging.example/r.txt"}, []string{at},
			[]string{at + sent, open, "http://staging.example/r.txt"}, 401},
		"from elsewhere":     {map[string]string{open: at}, []string{open, at}, []string{open, at, at + sent}, 200},
		"from elsewhere lax": {map[string]string{open: at}, []string{open, at}, []string{open, at, at + sent}, 200},
	} {
		t.Run(name, func(t *testing.T) {
			s := &guardedSites{redirects: test.redirects, lax: strings.HasSuffix(name, "lax")}
			c := s.client(t)
			var last *fetch.Result
			for _, url := range test.url {
				last = fetch.Expect(t, c, url)
			}
			if !slices.Equal(s.requests, test.want) || last.Status != test.status {
				t.Errorf("requests %q and status %d, want %q and %d", s.requests, last.Status, test.want, test.status)
			}
			if has := last.Origin.String() == "http://staging.example"; last.Credentials != has {
				t.Errorf("Credentials is %v of %s", last.Credentials, last.Origin)
			}
		})
	}
}

// TestCredentialsOfFile: Open sends them to its own origin too.
func TestCredentialsOfFile(t *testing.T) {
	const at = "http://staging.example/sitemap.xml"
	s := &guardedSites{redirects: map[string]string{at: "/1.xml", "http://staging.example/1.xml": "http://open.example/2.xml"}}
	body, err := s.client(t).Open(t.Context(), at, 1<<10)
	if err != nil {
		t.Fatal(err)
	}
	body.Close()
	want := []string{at + " Basic c2VjcmV0", "http://staging.example/1.xml Basic c2VjcmV0", "http://open.example/2.xml"}
	if !slices.Equal(s.requests, want) {
		t.Errorf("requests %q, want %q", s.requests, want)
	}
}

// TestCredentialsWithStore: a store would give the answers to other programs.
func TestCredentialsWithStore(t *testing.T) {
	_, err := fetch.New(fetch.Config{UserAgent: userAgent, Store: new(cachetest.Memory),
		Network: fetch.Network{Credentials: staging}})
	if e := (*fetch.ConfigError)(nil); !errors.As(err, &e) || e.Field != "Network.Credentials" {
		t.Error(err)
	}
}
