package main

import (
	"bufio"
	"io"
	"net/http"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// served is a running robots serve.
type served struct {
	t       *testing.T
	address string
}

// startServe starts robots serve as a process, until the test ends.
func startServe(t *testing.T, flags ...string) *served {
	t.Helper()
	cmd := exec.Command("robots", append([]string{"serve", "--listen", "127.0.0.1:0", "--admin", "none", "--cache", "none", "--log", "none"}, flags...)...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return &served{t, strings.TrimSuffix(strings.TrimSpace(line), "/")}
}

// get requests a page, with headers in pairs.
func (s *served) get(method, query string, headers ...string) (*http.Response, string) {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.address+"/watch"+query, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return response, string(body)
}

// watchOnce runs robots watch as a process.
func watchOnce(t *testing.T, wantStatus int, args ...string) {
	t.Helper()
	cmd := exec.Command("robots", append([]string{"watch", "--once", "--confirm", "0s"}, args...)...)
	out, err := cmd.CombinedOutput()
	if status := cmd.ProcessState.ExitCode(); status != wantStatus {
		t.Fatalf("status %d, %v: %s", status, err, out)
	}
}

// TestWatchPages: robots serve shows what robots watch has kept, also what it keeps while the
// service runs, whatever the sites serve.
func TestWatchPages(t *testing.T) {
	site, body := startSite(t)
	folder := filepath.Join(t.TempDir(), "history")
	s := startServe(t, "--history", folder)
	if r, text := s.get("GET", ""); r.StatusCode != 200 || !strings.Contains(text, "No site is watched yet") {
		t.Errorf("without a store: %s %s", r.Status, text)
	}
	watchOnce(t, 0, "--history", folder, site.URL)
	timeline := "?site=" + url.QueryEscape(site.URL)
	if r, text := s.get("GET", timeline); r.StatusCode != 200 || !strings.Contains(text, "Nothing has changed") {
		t.Errorf("before a change: %s %s", r.Status, text)
	}
	body.Store("User-agent: *\nDisallow: /cart\nDisallow: /<script>alert(1)</script>\nSitemap: https://a.example/\"><img src=x onerror=alert(2)>\n" +
		"User-agent: \"><b>Bot\nDisallow: /\x1b]0;title\x07\n")
	watchOnce(t, 1, "--history", folder, site.URL)

	r, list := s.get("GET", "")
	if r.StatusCode != 200 || !strings.Contains(list, "<a href=\""+timeline+"\">"+site.URL+"</a>") || !strings.Contains(list, "<td>a file</td>") {
		t.Errorf("list: %s %s", r.Status, list)
	}
	r, text := s.get("GET", timeline)
	if r.StatusCode != 200 || !strings.Contains(text, "UTC: medium</h2>") || !strings.Contains(text, "closes ") || !strings.Contains(text, "line 3") {
		t.Errorf("timeline: %s %s", r.Status, text)
	}
	for _, bad := range []string{"<script", "<img", "<b>", "\x1b", "\x07"} {
		if strings.Contains(text, bad) {
			t.Errorf("the timeline has %q: %s", bad, text)
		}
	}
	testPageHeaders(t, s, timeline, r, text)

	for query, status := range map[string]int{
		"?site=https://unknown.example": 404, "?site=%22%3E%3Cscript%3E": 404, "?site=%00": 404, "?q=%22%3E%3Cscript%3E": 200, "?after=%ff%fe&q=%25": 200,
	} {
		if r, text := s.get("GET", query); r.StatusCode != status || strings.Contains(text, "<script") || !strings.HasPrefix(text, "<!DOCTYPE html>") {
			t.Errorf("%s: %s %s", query, r.Status, text)
		}
	}
	if r, _ := s.get("POST", ""); r.StatusCode != 405 && r.StatusCode != 403 {
		t.Errorf("POST: %s", r.Status)
	}

	token := filepath.Join(t.TempDir(), "token")
	write(t, token, "0123456789abcdef0123456789abcdef\n")
	closed := startServe(t, "--history", folder, "--token-file", token)
	if r, text := closed.get("GET", ""); r.StatusCode != 401 || strings.Contains(text, site.URL) {
		t.Errorf("without the token: %s %s", r.Status, text)
	}
	if r, text := closed.get("GET", "", "Authorization", "Bearer 0123456789abcdef0123456789abcdef"); r.StatusCode != 200 || !strings.Contains(text, site.URL) {
		t.Errorf("with the token: %s %s", r.Status, text)
	}
}

// testPageHeaders tests HEAD, conditional requests and the policy of a page.
func testPageHeaders(t *testing.T, s *served, query string, r *http.Response, text string) {
	t.Helper()
	tag := r.Header.Get("ETag")
	if tag == "" || r.Header.Get("Content-Type") != "text/html; charset=utf-8" || r.Header.Get("X-Content-Type-Options") != "nosniff" ||
		!strings.HasPrefix(r.Header.Get("Content-Security-Policy"), "default-src 'none'; form-action 'self'") || r.Header.Get("Cache-Control") != "private, no-cache" {
		t.Errorf("headers %v", r.Header)
	}
	head, none := s.get("HEAD", query)
	if head.StatusCode != 200 || none != "" || head.Header.Get("ETag") != tag || head.ContentLength != int64(len(text)) {
		t.Errorf("HEAD: %s, %q, %v", head.Status, none, head.Header)
	}
	for given, status := range map[string]int{tag: 304, `"other", W/` + tag: 304, `"other"`: 200} {
		same, got := s.get("GET", query, "If-None-Match", given)
		if same.StatusCode != status || status == 304 && got != "" || status == 200 && got != text {
			t.Errorf("If-None-Match %s: %s %q", given, same.Status, got)
		}
	}
}
