package serve_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/frontends/serve"
)

const checkBody = `{"body":"User-agent: *\nDisallow: /\n","urls":["/cart"]}`

// TestNames: only the names of the service are answered for. A website whose name leads to
// this machine, at first or later (DNS rebinding), gets nothing of either listener.
func TestNames(t *testing.T) {
	s := start(t, nil, func(c *serve.Config) { c.Hosts = []string{"Robots.example", "2001:db8::1"} })
	port := s.url[strings.LastIndexByte(s.url, ':'):]
	for _, host := range []string{"localhost", "LOCALHOST" + port, "127.0.0.1" + port, "[::1]" + port, "[::1]", "robots.EXAMPLE", "robots.example:443", "[2001:db8::1]:80"} {
		if status, text, _ := s.request("POST", "/v1/check", checkBody, "Host", host, "Content-Type", "application/json"); status != http.StatusOK {
			t.Errorf("%q: status %d: %s", host, status, text)
		}
	}
	for _, host := range []string{"evil.example", "evil.example" + port, "localhost.evil.example", "127.0.0.1.evil.example", "evil.example:127.0.0.1", "robots.example.", "0.0.0.0", "127.0.0.2", "[::]", "x@localhost", "localhost:80:80"} {
		for _, path := range []string{"/", "/v1/check", "/v1/crawlers", "/openapi.json", "/form"} {
			for _, method := range []string{"GET", "POST"} {
				status, text, header := s.request(method, path, checkBody, "Host", host, "Content-Type", "application/json")
				if status != http.StatusMisdirectedRequest &&
					!(status == http.StatusBadRequest && strings.Contains(text, "malformed Host")) {
					t.Errorf("%s %s for %q: status %d", method, path, host, status)
				}
				checkHeaders(t, header, status)
			}
		}
		for _, path := range []string{"/metrics", "/healthz", "/debug/pprof/", "/debug/pprof/heap"} {
			if status, _, _ := send(t, "GET", s.admin+path, "", "Host", host); status != http.StatusMisdirectedRequest &&
				status != http.StatusBadRequest {
				t.Errorf("%s of the second listener for %q: status %d", path, host, status)
			}
		}
	}
	if status, text, _ := send(t, "GET", s.admin+"/metrics", ""); status != http.StatusOK || !strings.Contains(text, `robots_refused_total{code="host"}`) {
		t.Errorf("metrics: status %d: %s", status, text)
	}
	// An image on a website has no Origin.
	if status, _, _ := send(t, "GET", s.admin+"/debug/pprof/heap", "", "Sec-Fetch-Site", "cross-site"); status != http.StatusForbidden {
		t.Errorf("an image on a website: %d", status)
	}
	if status, _, _ := send(t, "GET", s.admin+"/debug/pprof/heap", "", "Origin", "http://evil.example"); status != http.StatusForbidden {
		t.Errorf("profiles for another website: status %d", status)
	}
}

// checkHeaders checks that a response permits nothing to other websites.
func checkHeaders(t *testing.T, header http.Header, status int) {
	t.Helper()
	if status == http.StatusBadRequest { // of net/http, before the service
		return
	}
	for name := range header {
		if strings.HasPrefix(name, "Access-Control") || name == "Set-Cookie" {
			t.Errorf("status %d has the header %s", status, name)
		}
	}
	for name, want := range map[string]string{
		"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "X-Frame-Options": "DENY",
		"Cross-Origin-Resource-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin",
	} {
		if header.Get(name) != want {
			t.Errorf("status %d has %s %q", status, name, header.Get(name))
		}
	}
	policy := header.Get("Content-Security-Policy")
	if !strings.HasPrefix(policy, "default-src 'none'; ") || !strings.Contains(policy, "frame-ancestors 'none'") || strings.Contains(policy, "unsafe-inline") ||
		strings.Contains(policy, "'unsafe-eval'") {
		t.Errorf("status %d has the policy %q", status, policy)
	}
}

// TestOtherWebsites sends what browsers send for another website: simple requests, which
// need no permission, and the question for one.
func TestOtherWebsites(t *testing.T) {
	s := start(t, nil, nil)
	json := []string{"Content-Type", "application/json"}
	for _, tt := range []struct {
		name, method, path string
		headers            []string
		want               int
	}{
		{"a program", "POST", "/v1/check", json, 200},
		{"the page", "POST", "/v1/check", append(json, "Origin", s.url, "Sec-Fetch-Site", "same-origin"), 200},
		{"an old browser", "POST", "/v1/check", append(json, "Origin", s.url), 200},
		{"another website", "POST", "/v1/check", append(json, "Origin", "https://evil.example"), 403},
		{"another port", "POST", "/v1/check", append(json, "Origin", "http://127.0.0.1:1"), 403},
		{"another name of this machine", "POST", "/v1/check", append(json, "Origin", strings.Replace(s.url, "127.0.0.1", "localhost", 1)), 403},
		{"an extension", "POST", "/v1/check", append(json, "Origin", strings.Replace(s.url, "http", "moz-extension", 1)), 403},
		{"a sandbox", "POST", "/v1/check", append(json, "Origin", "null"), 403},
		{"a sandbox elsewhere", "POST", "/v1/check", append(json, "Origin", "null", "Sec-Fetch-Site", "cross-site"), 403},
		{"without an origin", "POST", "/v1/check", append(json, "Sec-Fetch-Site", "cross-site"), 403},
		{"a neighbour", "POST", "/v1/check", append(json, "Sec-Fetch-Site", "same-site"), 403},
		{"a forged origin", "POST", "/v1/check", append(json, "Origin", s.url, "Sec-Fetch-Site", "cross-site"), 403},
		{"a script that reads", "GET", "/v1/crawlers", []string{"Origin", "https://evil.example"}, 403},
		{"a link to the page", "GET", "/", []string{"Sec-Fetch-Site", "cross-site"}, 200},
		{"a form", "POST", "/v1/check", []string{"Content-Type", "application/x-www-form-urlencoded"}, 415},
		{"a form with a file", "POST", "/v1/check", []string{"Content-Type", "multipart/form-data; boundary=x"}, 415},
		{"text", "POST", "/v1/check", []string{"Content-Type", "text/plain"}, 415},
		{"text that looks like JSON", "POST", "/v1/check", []string{"Content-Type", "text/plain; application/json"}, 415},
		{"no type", "POST", "/v1/check", nil, 415},
		{"another charset", "POST", "/v1/check", []string{"Content-Type", "application/json; charset=utf-16"}, 415},
		{"this charset", "POST", "/v1/check", []string{"Content-Type", "application/json; charset=UTF-8"}, 200},
		{"compressed", "POST", "/v1/check", append(json, "Content-Encoding", "gzip"), 415},
		{"a stream of a website", "POST", "/v1/check", []string{"Content-Type", "application/x-ndjson", "Origin", "https://evil.example"}, 403},
		{"a preflight", "OPTIONS", "/v1/check", []string{"Origin", "https://evil.example", "Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", "content-type"}, 403},
		{"a preflight of the same site", "OPTIONS", "/v1/check", []string{"Origin", s.url, "Access-Control-Request-Method", "POST", "Access-Control-Request-Private-Network", "true"}, 405},
		{"a read of what is written", "GET", "/v1/check", nil, 405},
		{"a write of what is read", "DELETE", "/", nil, 405},
		{"a head", "HEAD", "/", nil, 200},
		{"no operation", "POST", "/v1/nothing", json, 404},
		{"the form without a token", "POST", "/form", []string{"Content-Type", "application/x-www-form-urlencoded"}, 403},
		{"JSON to the form", "POST", "/form", json, 415},
	} {
		t.Run(tt.name, func(t *testing.T) {
			body := checkBody
			if tt.method == "GET" || tt.method == "HEAD" {
				body = ""
			}
			status, text, header := s.request(tt.method, tt.path, body, tt.headers...)
			if status != tt.want {
				t.Errorf("status %d, want %d: %s", status, tt.want, text)
			}
			checkHeaders(t, header, status)
		})
	}
}

// TestToken: with a bearer token the API wants it, and the page does not.
func TestToken(t *testing.T) {
	to := newSite(t, serveShop)
	s := start(t, to, func(c *serve.Config) { c.Token = "s3cret0123456789" })
	for header, want := range map[string]int{
		"": 401, "Bearer s3cret0123456789": 200, "bearer s3cret0123456789": 200, "Bearer s3cre": 401, "Bearer s3cret01234567892": 401, "Bearer ": 401, "Basic s3cret0123456789": 401, "s3cret0123456789": 401, "Bearer  s3cret0123456789": 401,
	} {
		headers := []string{"Content-Type", "application/json"}
		if header != "" {
			headers = append(headers, "Authorization", header)
		}
		status, text, got := s.request("POST", "/v1/check", checkBody, headers...)
		if status != want || (want == 401) != (got.Get("WWW-Authenticate") == "Bearer") {
			t.Errorf("%q: status %d: %s", header, status, text)
		}
	}
	for path, want := range map[string]int{"/": 200, "/openapi.json": 200, "/v1/crawlers": 401} {
		if status, _, _ := s.request("GET", path, ""); status != want {
			t.Errorf("%s: status %d", path, status)
		}
	}
	// The form without a file would be a way around the token.
	status, text := s.postForm(t, url.Values{"site": {"http://shop.example"}, "urls": {"/"}})
	if status != http.StatusForbidden || to.requests.Load() != 0 {
		t.Errorf("the form fetches: status %d: %s", status, text)
	}
}

var formToken = regexp.MustCompile(`name="token" value="([^"]+)"`)

// postForm sends the page's form, with the token of the page unless there is one.
func (s *service) postForm(t *testing.T, fields url.Values, headers ...string) (status int, text string) {
	t.Helper()
	if fields["token"] == nil {
		_, index, _ := s.request("GET", "/", "")
		found := formToken.FindStringSubmatch(index)
		if found == nil {
			t.Fatalf("the page has no token: %s", index)
		}
		fields.Set("token", found[1])
	}
	status, text, header := s.request("POST", "/form", fields.Encode(), append([]string{"Content-Type", "application/x-www-form-urlencoded"}, headers...)...)
	checkHeaders(t, header, status)
	return status, text
}

// TestForm sends the form for visitors without scripts.
func TestForm(t *testing.T) {
	s := start(t, newSite(t, serveShop), nil)
	browser := []string{"Origin", "null", "Sec-Fetch-Site", "same-origin"} // of a page without referrer
	status, text := s.postForm(t, url.Values{"body": {"User-agent: *\r\nDisallow: /cart\r\n"}, "urls": {"/cart\r\n\r\n/tea\r\n"}, "agents": {"GPTBot\r\nGooglebot"}}, browser...)
	if status != http.StatusOK || strings.Count(text, ">disallowed<") != 2 || !strings.Contains(text, "Disallow: /cart") {
		t.Errorf("status %d: %s", status, text)
	}
	status, text = s.postForm(t, url.Values{"site": {"http://shop.example"}, "urls": {"/cart"}, "agents": {"GPTBot"}}, browser...)
	if status != http.StatusOK || !strings.Contains(text, "http://shop.example/cart") || !strings.Contains(text, "disallowed") {
		t.Errorf("status %d: %s", status, text)
	}
	for _, fields := range []url.Values{{"urls": {"/cart"}}, {"body": {"x"}}, {"site": {"http://"}, "urls": {"/"}}, {"body": {"x"}, "urls": {"/"}, "agents": {`"`}}} {
		if status, text := s.postForm(t, fields, browser...); status != http.StatusUnprocessableEntity ||
			!strings.Contains(text, "<textarea") {
			t.Errorf("%v: status %d: %s", fields, status, text)
		}
	}
	for _, token := range []string{"", "x", "0.AAAA", "t5m9a1.AAAAAAAAAAAAAAAAAAAAAA"} {
		if status, _ := s.postForm(t, url.Values{"token": {token}, "body": {"x"}, "urls": {"/"}}, browser...); status != http.StatusForbidden {
			t.Errorf("the token %q: status %d", token, status)
		}
	}
	// Services of one name share a key.
	shared := func(c *serve.Config) { c.FormKey = "s3cret0123456789" }
	_, page, _ := start(t, nil, shared).request("GET", "/", "")
	if status, text := start(t, nil, shared).postForm(t,
		url.Values{"token": {formToken.FindStringSubmatch(page)[1]}, "body": {"x"}, "urls": {"/"}}); status != http.StatusOK {
		t.Errorf("the token of another replica: status %d: %s", status, text)
	}
	// Another service, or this one after another start, has another key.
	_, index, _ := start(t, nil, nil).request("GET", "/", "")
	if status, _ := s.postForm(t, url.Values{"token": {formToken.FindStringSubmatch(index)[1]}, "body": {"x"},
		"urls": {"/"}}); status != http.StatusForbidden {
		t.Errorf("the token of another service: status %d", status)
	}
}

// TestFormIsText: nothing of a robots.txt, a URL or a crawler becomes markup.
func TestFormIsText(t *testing.T) {
	hostile := "User-agent: *\nDisallow: /</textarea><script>alert(1)</script><img src=x onerror=alert(1)>\nSitemap: javascript:alert(1)\n\u202e\x1b[31m\x00"
	s := start(t, newSite(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, hostile) }), nil)
	for _, fields := range []url.Values{
		{"body": {hostile}, "urls": {"/</textarea><script>"}, "agents": {"GPTBot"}},
		{"body": {hostile}, "urls": {`/"onload="alert(1)`}, "agents": {`<script>alert(1)</script>`}},
		{"site": {"http://shop.example/<script>"}, "urls": {"/</textarea><script>alert(1)</script>"}},
		{"site": {`"><script>alert(1)</script>`}, "urls": {"/"}},
	} {
		_, text := s.postForm(t, fields)
		if found := regexp.MustCompile(`(?i)<script|<img|<[^>]*\son(error|load)\s*=|href="javascript`).FindString(text); found != "" {
			t.Errorf("%v: the page has %q:\n%s", fields, found, text)
		}
	}
}

// TestTooLarge: everything has a limit, and a request beyond it costs little.
func TestTooLarge(t *testing.T) {
	s := start(t, nil, func(c *serve.Config) {
		c.MaxRequestBytes = 1 << 16
		c.Limits.BodyBytes = 1 << 10
		c.Limits.Agents = 5
		c.Limits.URLs = 10
		c.Limits.TextBytes = 100
	})
	long := strings.Repeat("a", 1<<17)
	for name, body := range map[string]string{
		"request-bytes":  `{"body":"` + long + `"}`,
		"BodyBytes":      `{"body":"` + long[:1<<11] + `","urls":["/"]}`,
		"\"Agents\"":     `{"body":"","urls":["/"],"agents":["a,b,c","d","e,f"]}`,
		"URLs":           `{"body":"","urls":[` + strings.Repeat(`"/",`, 10) + `"/"]}`,
		"TextBytes":      `{"body":"","urls":["/` + long[:101] + `"]}`,
		"\"MaxOrigins\"": "",
	} {
		if name == "\"MaxOrigins\"" {
			few := start(t, nil, func(c *serve.Config) { c.MaxOrigins = 2 })
			few.want(http.StatusRequestEntityTooLarge, "check", `{"urls":["http://a.example/","http://b.example/","http://c.example/"]}`, name)
			continue
		}
		s.want(http.StatusRequestEntityTooLarge, "check", body, name)
	}
	for name, request := range map[string]string{
		"a chunked body": "POST /v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n20000\r\n" + long + "\r\n0\r\n\r\n",
		"a claim":        "POST /v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9000000000000000000\r\n\r\n",
		"a header":       "GET / HTTP/1.1\r\nHost: localhost\r\nX: " + long + "\r\n\r\n",
		"many headers":   "GET / HTTP/1.1\r\nHost: localhost\r\n" + strings.Repeat("X: 1\r\n", 1<<15) + "\r\n",
		"a path":         "GET /" + long + " HTTP/1.1\r\nHost: localhost\r\n\r\n",
	} {
		response := s.raw(t, request)
		if !strings.HasPrefix(response, "HTTP/1.1 413 ") && !strings.HasPrefix(response, "HTTP/1.1 431 ") {
			t.Errorf("%s: %.100q", name, response)
		}
	}
}

// raw sends bytes and returns what comes back until the service closes the connection.
func (s *service) raw(t *testing.T, request string) string {
	t.Helper()
	conn := s.dial(t)
	defer conn.Close()
	go io.WriteString(conn, request) // an error means that the service reads no more
	conn.SetReadDeadline(time.Now().Add(serve.Patience))
	head, err := bufio.NewReader(conn).ReadString('\n')
	if err != nil && head == "" {
		return err.Error()
	}
	return head
}

// TestForbiddenTargets: no request leads to an address that is not public: not by its
// digits, not by a name that resolves there, not by a redirect. The answer is unknown, not
// a verdict.
func TestForbiddenTargets(t *testing.T) {
	targets := []string{
		"http://169.254.169.254", "http://[::1]", "http://127.0.0.1", "http://localhost", "http://10.0.0.1", "http://192.168.0.1", "http://[fd00::1]",
		"http://[::ffff:169.254.169.254]", "http://2852039166", "http://0x7f.1", "http://private.example", "http://0.0.0.0", "http://[64:ff9b::7f00:1]",
	}
	var mu sync.Mutex
	var reached []string
	to := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		reached = append(reached, r.Host)
		mu.Unlock()
		var i int
		if _, err := fmt.Sscanf(r.Host, "redirect%d.example", &i); err == nil {
			http.Redirect(w, r, targets[i]+r.URL.Path, http.StatusFound)
			return
		}
		serveShop(w, r)
	})
	s := start(t, to, nil)
	for i, target := range targets {
		for _, from := range []string{target, fmt.Sprintf("http://redirect%d.example", i)} {
			s.want(http.StatusOK, "check", `{"urls":["`+from+`/x"]}`, `"verdict":"unknown"`)
			if status, text := s.post("fetch", `{"url":"`+from+`"}`); status != http.StatusOK || !strings.Contains(text, `"source":"assumed"`) ||
				strings.Contains(text, "Disallow") {
				t.Errorf("fetch %s: status %d: %s", from, status, text)
			}
			for _, name := range []string{"sitemap", "resources"} {
				if status, text := s.post(name, `{"url":"`+from+`/sitemap.xml"}`); status != http.StatusBadGateway || strings.Contains(text, "tea") {
					t.Errorf("%s %s: status %d: %s", name, from, status, text)
				}
			}
		}
	}
	for _, url := range []string{"file:///etc/passwd", "gopher://shop.example/", "http://", "http://shop.example:0/", "javascript:alert(1)", "/robots.txt", ""} {
		for _, name := range []string{"fetch", "sitemap", "resources"} {
			if status, text := s.post(name, `{"url":"`+url+`"}`); status != http.StatusUnprocessableEntity &&
				status != http.StatusBadGateway && !strings.Contains(text, `"source":"assumed"`) {
				t.Errorf("%s %q: status %d: %s", name, url, status, text)
			}
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if i := slices.IndexFunc(reached, func(host string) bool {
		return !strings.HasPrefix(host, "redirect") && host != "shop.example"
	}); i >= 0 {
		t.Errorf("%q was reached", reached[i])
	}
}
