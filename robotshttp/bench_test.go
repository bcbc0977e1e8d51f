package robotshttp_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/robotshttp"
)

// The benchmarks measure what a transport adds to a request whose robots.txt is
// cached. Base answers immediately.
func BenchmarkRoundTrip(b *testing.B) {
	rules := "User-agent: *\n" + strings.Repeat("Disallow: /private/*/print\nAllow: /private/about\n", 20)
	client := newRobots(b, fetch.Config{Transport: roundTripper(func(*http.Request) (*http.Response, error) {
		return answer(200, nil, rules), nil
	})})
	response := &http.Response{StatusCode: 200, Header: make(http.Header), Body: io.NopCloser(strings.NewReader(""))}
	base := roundTripper(func(*http.Request) (*http.Response, error) { return response, nil })
	for name, transport := range map[string]http.RoundTripper{
		"bare":        base,
		"obey":        &robotshttp.Transport{Client: client, Base: base},
		"explained":   &robotshttp.Transport{Client: client, Base: base, OnDecision: func(*http.Request, fetch.Decision) {}},
		"user-agent":  &robotshttp.Transport{Client: client, Base: base, UserAgent: userAgent},
		"paced by ns": &robotshttp.Transport{Client: client, Base: base, MinDelay: 1},
	} {
		b.Run(name, func(b *testing.B) {
			request, err := http.NewRequest(http.MethodGet, a+"/some/page?of=1", nil)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := transport.RoundTrip(request); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkParallel shows the cost of the common lock.
func BenchmarkParallel(b *testing.B) {
	client := newRobots(b, fetch.Config{Transport: roundTripper(func(*http.Request) (*http.Response, error) {
		return answer(200, nil, "User-agent: *\nDisallow: /private\n"), nil
	})})
	response := &http.Response{StatusCode: 200, Header: make(http.Header), Body: io.NopCloser(strings.NewReader(""))}
	transport := &robotshttp.Transport{Client: client, Base: roundTripper(func(*http.Request) (*http.Response, error) { return response, nil })}
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		request, err := http.NewRequest(http.MethodGet, a+"/some/page?of=1", nil)
		for err == nil && pb.Next() {
			_, err = transport.RoundTrip(request)
		}
		if err != nil {
			b.Error(err)
		}
	})
}
