package origin_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/origin"
)

// huge contains URLs of great length. The length must not cause large
// allocations, in whatever part of the URL it is.
var huge = map[string]string{
	"path":     "https://example.com/" + strings.Repeat("a\t", 1<<19),
	"query":    "https://example.com?" + strings.Repeat("@", 1<<20),
	"user":     "https://" + strings.Repeat("u", 1<<20) + "@example.com/",
	"space":    strings.Repeat(" ", 1<<19) + "https://example.com/" + strings.Repeat("\n", 1<<19),
	"host":     "https://" + strings.Repeat("a", 1<<20),
	"escaped":  "https://" + strings.Repeat("%61", 1<<19),
	"labels":   "https://" + strings.Repeat("a.", 1<<19),
	"idn":      "https://" + strings.Repeat("ä", 1<<19),
	"port":     "https://h:" + strings.Repeat("0", 1<<20) + "1",
	"scheme":   strings.Repeat("s", 1<<20) + ":",
	"relative": strings.Repeat("/", 1<<20),
	"none":     strings.Repeat("a", 1<<20),
	"literal":  "http://[" + strings.Repeat(":", 1<<20) + "]",
}

func TestAllocations(t *testing.T) {
	for _, tt := range []struct {
		rawURL string
		want   float64
	}{
		{"https://www.example.com/folder/page?q=1", 1},
		{"HTTPS://user:pass@WWW.Example.com.:8443/", 1},
		{"https://212.96.82.21/", 1},
		{"http://[2001:db8::1]:8080/", 1},
	} {
		if got := testing.AllocsPerRun(100, func() { origin.Of(tt.rawURL) }); got > tt.want {
			t.Errorf("Of(%q) allocates %v times, want at most %v", tt.rawURL, got, tt.want)
		}
	}
	o := mustOf(t, "https://www.example.com/")
	for _, rawURL := range []string{"https://www.example.com/robots.txt", "https://www.example.com/folder/caf%C3%A9/page.html?q=1&r=/x", "/folder/page.html?q=1"} {
		if got := testing.AllocsPerRun(100, func() { _ = o.IsRobotsURL(origin.Text(rawURL)) }); got > 0 {
			t.Errorf("Text(%q) allocates %v times, want 0", rawURL, got)
		}
	}
}

func TestHugeURLs(t *testing.T) {
	for name, rawURL := range huge {
		const runs = 10
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range runs {
			origin.Of(rawURL)
		}
		runtime.ReadMemStats(&after)
		if perRun := (after.TotalAlloc - before.TotalAlloc) / runs; perRun > 8<<10 {
			t.Errorf("a huge %s allocates %d bytes, want at most 8 KiB", name, perRun)
		}
		o, err := origin.Of(rawURL)
		if err != nil {
			checkError(t, o, err)
		} else if o.String() != "https://example.com" {
			t.Errorf("a huge %s gives the origin %v", name, o)
		}
	}
}
