package fetch_test

import (
	"net"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/fetch"
)

// TestRequests checks the exact bytes of every request, on the first hop and on
// every later one, whatever headers the servers set.
func TestRequests(t *testing.T) {
	bait := []string{
		"Set-Cookie: session=1; Path=/", "Set-Cookie: other=2; Domain=127.0.0.1; Max-Age=1000", "ETag: \"1\"", "Last-Modified: Mon, 01 Jan 2024 00:00:00 GMT",
		"WWW-Authenticate: Basic realm=\"x\"", "Proxy-Authenticate: Basic", "Authentication-Info: nextnonce=\"x\"", "Referrer-Policy: unsafe-url",
		"Accept-CH: Sec-CH-UA, Downlink, DPR", "Critical-CH: DPR", "Alt-Svc: h2=\":443\"", "Refresh: 0; url=/elsewhere", "Link: </x>; rel=preload", "Vary: Cookie",
	}
	var r recorder
	second := listen(t, r.play(func(path string) string {
		if path == "/c" {
			return response("200 OK", file+"<meta http-equiv=refresh content=0;url=/elsewhere>", append(bait, "Content-Type: text/html")...)
		}
		return response("302 Found", "", append(bait, "Location: http://user:secret@HOST/c#fragment")...)
	}))
	tls := listenTLS(t, goodTLS(), r.play(func(string) string {
		return response("308 There", "", append(bait, "Location: "+strings.Replace(second.url("http"), "://", "://user:secret@", 1)+"/b")...)
	}))
	first := listen(t, r.play(func(path string) string {
		if path == "/a" {
			return response("307 There", "", append(bait, "Location: "+strings.Replace(tls.url("https"), "://", "://user@", 1)+"/robots.txt")...)
		}
		return response("301 There", "", append(bait, "Location: /a")...)
	}))
	client := newClient(t,
		fetch.Config{Freshness: fetch.Freshness{Revalidate: true}, Network: fetch.Network{TLS: testRoots()}})
	result := fetch.Expect(t, client, strings.Replace(first.url("http"), "://", "://user:secret@", 1)+"/page?session=1#x", "rules")
	hosts := []net.Listener{first, first, tls, second, second}
	requests := r.all()
	if len(requests) != len(hosts) {
		t.Fatalf("%d requests, want %d", len(requests), len(hosts))
	}
	for i, request := range requests {
		lines := strings.Split(strings.TrimSuffix(request, "\r\n\r\n"), "\r\n")[1:]
		slices.Sort(lines)
		want := []string{
			"Accept-Encoding: gzip", "Accept: text/plain, */*;q=0.5", "Connection: close",
			"Host: " + hosts[i].Addr().String(), "User-Agent: " + userAgent,
		}
		if !slices.Equal(lines, want) {
			t.Errorf("request %d sends\n%q\nwant\n%q", i, lines, want)
		}
	}
	if strings.Contains(result.URL, "secret") || strings.Contains(result.Detail, "secret") {
		t.Errorf("%s: %s", result.URL, result.Detail)
	}
}

// TestContentType checks that the Content-Type has no effect.
func TestContentType(t *testing.T) {
	for _, header := range []string{
		"Content-Type: text/plain", "Content-Type: text/html", "Content-Type: application/json", "Content-Type: image/png",
		"Content-Type: text/plain; charset=utf-16", "Content-Type: multipart/mixed; boundary=x", "Content-Type:", "Content-Type: ;;;", "X: y",
		"Content-Disposition: attachment", "X-Robots-Tag: none", "X-Content-Type-Options: nosniff",
	} {
		url := status("200 OK", file, header)(t)
		client := newClient(t, fetch.Config{})
		expectVerdict(t, client, url, wholeFile)
		fetch.ExpectAllowed(t, client, url+"/private/x", false)
	}
}
