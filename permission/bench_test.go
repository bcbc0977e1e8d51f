package permission_test

import (
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/permission"
)

// usual are the sources of a usual page, with the signals of a response.
func usual() *permission.Sources {
	s := complete("User-agent: *\nDisallow: /private/\nContent-Signal: search=yes, ai-train=no\nAllow: /\n\nUser-agent: GPTBot\nDisallow: /\n")
	s.Header = map[string][]string{
		"Content-Type": {"text/html"}, "X-Robots-Tag": {"noarchive, max-snippet:50", "googlebot: nosnippet"},
		"Content-Usage": {"train-ai=n"}, "Tdm-Reservation": {"1"}, "Link": {`<https://example.com/style.css>; rel=preload`},
	}
	return s
}

// BenchmarkHeader answers all purposes from the lines of a response and a parsed robots.txt.
func BenchmarkHeader(b *testing.B) {
	s := usual()
	q := permission.Ask(testURL, "Googlebot")
	b.ReportAllocs()
	for b.Loop() {
		permission.Decide(q, s)
	}
}

// BenchmarkFile answers a question about a robots.txt, which is parsed each time.
func BenchmarkFile(b *testing.B) {
	body := []byte("User-agent: *\n" + strings.Repeat("Disallow: /private/\nAllow: /public/\n", 100) + "Content-Usage: /a/ train-ai=y\nContent-Usage: train-ai=n\n")
	q := permission.Ask(testURL)
	q.Purposes = []crawlers.Purpose{"ai-training"}
	s := complete("")
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		s.Robots = permission.NewRobots(robotsURL, body)
		permission.Decide(q, s)
	}
}

// TestAllocations bounds the memory for the header of a response: 15 microseconds on an idle machine.
func TestAllocations(t *testing.T) {
	s := usual()
	q := permission.Ask(testURL, "Googlebot")
	if n := testing.AllocsPerRun(100, func() { permission.Decide(q, s) }); n > 63 {
		t.Errorf("%v allocations", n)
	}
}
