package fetchmetrics_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/fetch/fetchmetrics"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
)

// A program registers the metrics once, and passes their methods to its client.
func Example() {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "User-agent: *\nDisallow: /private/\n")
	}))
	defer site.Close()

	registry := prometheus.NewRegistry()
	metrics, err := fetchmetrics.New(registry)
	if err != nil {
		log.Fatal(err)
	}
	client, err := fetch.New(fetch.Config{
		UserAgent: "FooBot/1.0 (+https://foobot.example/about)",
		Network:   fetch.Network{AllowPrivate: true}, // only because this example's server is on the local machine
		Observe:   metrics.Observe,
		OnFetch:   metrics.OnFetch,
		OnChange:  metrics.OnChange,
	})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	for range 3 {
		if _, err := client.Allowed(context.Background(), site.URL); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println("series of lookups:", testutil.CollectAndCount(registry, "robotstxt_lookups_total"))
	// Output:
	// series of lookups: 2
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestMetrics runs a client over sites of each kind and compares all counters.
func TestMetrics(t *testing.T) {
	registry := prometheus.NewPedanticRegistry()
	metrics, err := fetchmetrics.New(registry)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fetchmetrics.New(registry); err == nil {
		t.Error("the same metrics are registered twice")
	}
	now := time.Now()
	body := "User-agent: *\nDisallow: /\n"
	client, err := fetch.New(fetch.Config{
		UserAgent: "FooBot/1.0 (+https://foobot.example)", Observe: metrics.Observe, OnFetch: metrics.OnFetch, OnChange: metrics.OnChange,
		Freshness: fetch.Freshness{Clock: func() time.Time { return now }},
		Network: fetch.Network{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			recorder := httptest.NewRecorder()
			switch {
			case r.URL.Host == "down.example":
				return nil, errors.New("down")
			case r.URL.Host == "local.example":
				return nil, os.NewSyscallError("socket", syscall.EMFILE)
			case r.URL.Host == "missing.example":
				recorder.WriteHeader(404)
			case r.URL.Host == "odd.example":
				recorder.WriteHeader(999)
			case r.URL.Host == "moved.example" && r.URL.Path == "/robots.txt":
				recorder.Header().Set("Location", "/real.txt")
				recorder.WriteHeader(301)
			default:
				fmt.Fprint(recorder, body)
			}
			return recorder.Result(), nil
		})},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	for range 2 {
		for _, host := range []string{"good", "good", "moved", "missing", "down", "local", "odd"} {
			if _, err := client.Robots(t.Context(), "https://"+host+".example/"); err != nil {
				t.Fatal(err)
			}
		}
		now = now.Add(25 * time.Hour)
		body = "User-agent: *\nDisallow: /x/\n"
	}
	const want = `
# HELP robotstxt_changes_total Changed origins, by the property that changed.
# TYPE robotstxt_changes_total counter
robotstxt_changes_total{property="file"} 2
robotstxt_changes_total{property="outcome"} 0
robotstxt_changes_total{property="reachability"} 0
robotstxt_changes_total{property="source"} 0
# HELP robotstxt_fetched_bytes_total Decoded bytes of files that were read.
# TYPE robotstxt_fetched_bytes_total counter
robotstxt_fetched_bytes_total 108
# HELP robotstxt_fetches_total Fetches of a robots.txt that have ended, by result and reason.
# TYPE robotstxt_fetches_total counter
robotstxt_fetches_total{reason="file",result="fetched"} 4
robotstxt_fetches_total{reason="local",result="local"} 2
robotstxt_fetches_total{reason="missing",result="fetched"} 2
robotstxt_fetches_total{reason="network",result="failed"} 2
robotstxt_fetches_total{reason="status",result="failed"} 2
# HELP robotstxt_lookups_total Calls of a client, by whether memory had the answer.
# TYPE robotstxt_lookups_total counter
robotstxt_lookups_total{result="hit"} 2
robotstxt_lookups_total{result="miss"} 12
# HELP robotstxt_redirects_total Redirects that were followed.
# TYPE robotstxt_redirects_total counter
robotstxt_redirects_total 2
# HELP robotstxt_responses_total Responses to these fetches, by status class.
# TYPE robotstxt_responses_total counter
robotstxt_responses_total{class="2xx"} 4
robotstxt_responses_total{class="3xx"} 0
robotstxt_responses_total{class="4xx"} 2
robotstxt_responses_total{class="5xx"} 0
robotstxt_responses_total{class="none"} 4
robotstxt_responses_total{class="other"} 2
`
	if err := testutil.GatherAndCompare(registry, strings.NewReader(want), "robotstxt_changes_total", "robotstxt_fetched_bytes_total", "robotstxt_fetches_total",
		"robotstxt_lookups_total", "robotstxt_redirects_total", "robotstxt_responses_total"); err != nil {
		t.Error(err)
	}
}

// TestMetricsInDocs checks that docs/operations.md lists every metric, and no other.
func TestMetricsInDocs(t *testing.T) {
	registry := prometheus.NewRegistry()
	metrics, err := fetchmetrics.New(registry)
	if err != nil {
		t.Fatal(err)
	}
	metrics.OnFetch(&fetch.Stored{Kind: "fetched"})
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, family := range families {
		want = append(want, family.GetName())
	}
	text, err := os.ReadFile("../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, found := range regexp.MustCompile("(?m)^\\| `(robotstxt_[a-z_]+)").FindAllSubmatch(text, -1) {
		got = append(got, string(found[1]))
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("docs/operations.md lists\n%q\nthere are\n%q", got, want)
	}
}
