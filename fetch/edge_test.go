package fetch_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/fetch"
)

// TestEdge asks for the answer with each header of an edge, status and body, under each policy. A
// text file is the site's, and so is a 404 without a sign that only an edge sends.
func TestEdge(t *testing.T) {
	statuses := []int{200, 202, 204, 206, 304, 400, 401, 403, 404, 405, 406, 410, 429, 451, 500, 502, 503, 504, 519,
		520, 525, 530, 531, 599}
	filter := map[int]bool{200: true, 202: true, 403: true, 405: true, 406: true, 429: true, 503: true}
	always := func(int) bool { return true }
	refused := func(status int) bool { return filter[status] }
	errors := func(status int) bool { return status >= 400 && status != 404 && status != 410 }
	signs := []struct {
		name, header, value string
		when                func(status int) bool
	}{
		{"Cloudflare", "cf-mitigated", "challenge", always},
		{"AWS WAF", "x-amzn-waf-action", "captcha", always},
		{"Vercel", "x-vercel-mitigated", "deny", always},
		{"Sucuri", "x-sucuri-block", "GEO", always},
		{"DataDome", "x-datadome", "protected", refused},
		{"DataDome", "x-dd-b", "1", refused},
		{"Kasada", "x-kpsdk-ct", "0x", refused},
		{"Imperva", "x-iinfo", "1-2-3", refused},
		{"Sucuri", "x-sucuri-id", "15", refused},
		{"DDoS-Guard", "server", "ddos-guard", refused},
		{"Akamai", "server", "akamaighost", errors},
		{"CloudFront", "server", "CloudFront", errors},
		{"AWS load balancer", "server", "awselb/2.0", errors},
		{"Cloudflare", "server", "cloudflare", func(status int) bool { return status >= 520 && status <= 530 }},
		{"", "server", "nginx", func(int) bool { return false }},
		{"", "x-cache", "Error from cloudfront", func(int) bool { return false }},
	}
	bodies := map[string]bool{fetch.TheFile: true, "": true, "<!doctype html><title>Just a moment...</title>": false, "\xFF\xFEU\x00": false}
	for _, policy := range fetch.Policies() {
		var answer http.RoundTripper
		client := fetch.NewTestClient(t,
			fetch.Config{Policy: policy,
				Network: fetch.Network{Transport: fetch.RoundTrip(func(r *http.Request) (*http.Response,
					error) {
					return answer.RoundTrip(r)
				})}})
		sites := 0
		for _, sign := range signs {
			for _, status := range statuses {
				for body, isFile := range bodies {
					answer = fetch.Answering(status, body, sign.header, sign.value)
					sites++
					r := fetch.Expect(t, client, fmt.Sprintf("https://foo%d.example/", sites))
					want := ""
					if sign.when(status) && !(isFile && status == 200 || isFile && status == 202 || status == 204) {
						want = fmt.Sprintf("%s (%s: %s)", sign.name, http.CanonicalHeaderKey(sign.header), sign.value)
					}
					if r.Edge != want {
						t.Errorf("%s, %s: %s, %d, %.20q: %q, want %q", policy, sign.header, sign.value, status, body, r.Edge, want)
					}
					if (r.Header.Get(sign.header) != "") != (want != "") {
						t.Errorf("%s, %s: %s, %d, %.20q: headers %v with %q", policy, sign.header, sign.value, status, body, r.Header, r.Edge)
					}
				}
			}
		}
	}
}

// TestEdgeText checks that what is said of an edge is short and printable, and names the Server too.
func TestEdgeText(t *testing.T) {
	server := "\x1b[31mcloudflare\xff" + strings.Repeat("x", 1<<10)
	client := fetch.NewTestClient(t,
		fetch.Config{Network: fetch.Network{Transport: fetch.Answering(403, "", "Server", server, "Cf-Mitigated", "challenge")}})
	r := fetch.Expect(t, client, "https://foo.example/")
	if want := "Cloudflare (Server: ?[31mcloudflare?" + strings.Repeat("x", 44) + "..., Cf-Mitigated: challenge)"; r.Edge != want {
		t.Errorf("%q, want %q", r.Edge, want)
	}
	if got := r.Header.Get("Server"); len(got) != 63 || !strings.Contains(r.Edge, got) {
		t.Errorf("Server is %q", got)
	}
	// What was fetched before has no headers.
	r = fetch.Expect(t, client, "https://foo.example/")
	if r.Edge != "" || r.Source == fetch.SourceNetwork {
		t.Errorf("%+v", r)
	}
}
