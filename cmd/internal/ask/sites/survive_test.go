package sites_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/sites"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/fetch"
)

// TestPrefetchSurvives: a panic while one site is looked up is the error of its URLs. The other
// sites are fetched, and none is waited for in vain.
func TestPrefetchSurvives(t *testing.T) {
	var urls []string
	for range 3 {
		site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "User-agent: *\nDisallow: /\n") }))
		defer site.Close()
		urls = append(urls, site.URL)
	}
	client, err := fetch.New(fetch.Config{
		UserAgent: "robots (+https://github.com/kosterhq/robotstxt)", KeepBodies: true, Network: fetch.Network{AllowPrivate: true},
		Observe: func(e fetch.Event) { // in the goroutine that looks the site up
			if e.Kind == "miss" && e.Origin.String() == urls[1] {
				_ = urls[len(urls)]
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	fetched := sites.Prefetch(t.Context(), client, urls, false)
	defer fetched.Close()
	for i, url := range urls {
		result, err := fetched.Result(t.Context(), url)
		if trace := term.TraceOf(err); i == 1 && !strings.Contains(trace, "TestPrefetchSurvives") ||
			i != 1 && (err != nil || result.Outcome != fetch.OutcomeRules) {
			t.Errorf("site %d: %v\n%s", i, err, trace)
		}
	}
}

// TestVisitsSurvive: a panic at one site, in a goroutine that looks it up, is the error of its
// URLs. The other sites are answered.
func TestVisitsSurvive(t *testing.T) {
	var urls []string
	for range 3 {
		site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "User-agent: *\nDisallow: /\n") }))
		defer site.Close()
		urls = append(urls, site.URL+"/page")
	}
	client, err := fetch.New(fetch.Config{UserAgent: "robots (+https://github.com/kosterhq/robotstxt)", KeepBodies: true, Network: fetch.Network{AllowPrivate: true}})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	looked := 0
	q := sites.Question{Client: client, Concurrency: 1, Crawlers: []answer.Crawler{answer.NewCrawler()},
		Take: func(int64) error {
			looked++
			if looked == 2 {
				var sizes []int
				_ = sizes[looked]
			}
			return nil
		}}
	list := func(yield func(string, error) bool) {
		for _, url := range urls {
			if !yield(url, nil) {
				return
			}
		}
	}
	answered, failed := 0, 0
	for v, err := range q.Visits(t.Context(), sites.URLs{All: list}) {
		switch {
		case err != nil:
			t.Fatal(err)
		case v.Err == nil && v.Answer(0).Line == 2:
			answered++
		case strings.Contains(term.TraceOf(v.Err), "TestVisitsSurvive"):
			failed++
		default:
			t.Error(v.Err)
		}
	}
	if answered != 2 || failed != 1 {
		t.Errorf("%d answered, %d failed", answered, failed)
	}
}
