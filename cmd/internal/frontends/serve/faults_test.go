package serve_test

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/frontends/serve"
)

// TestFaults: the line of a request and its metric say whose fault it was that it was not
// answered, and the line of a fault has the identity of the request that met it.
func TestFaults(t *testing.T) {
	var log lockedBuffer
	dead := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/robots.txt" || strings.HasPrefix(r.Host, "dead") {
			panic(http.ErrAbortHandler)
		}
	})
	s := start(t, dead, func(c *serve.Config) {
		c.Logger = slog.New(slog.NewJSONHandler(&log, nil))
		c.AccessLog = true
	})
	const lines = "application/x-ndjson"
	tests := []struct {
		id, path, kind, body string
		status               int
		code, fault          string
		logged               string // besides the line of the request
	}{
		{"ok", "/v1/check", "application/json", serve.SmallCheck, 200, "", "none", ""},
		{"malformed", "/v1/check", "application/json", `{`, 400, "malformed-request", "client", ""},
		{"invalid", "/v1/lint", "application/json", `{"body":"","fix":"x"}`, 422, "invalid-field", "client", ""},
		{"type", "/v1/check", "text/plain", `{}`, 415, "media-type", "client", ""},
		{"nothing", "/v1/nothing", "application/json", `{}`, 404, "not-found", "client", ""},
		{"sitemap", "/v1/sitemap", "application/json", `{"url":"http://shop.example/sitemap.xml"}`, 502, "unreachable", "site", "a file of a site could not be fetched"},
		{"unknown", "/v1/check", "application/json", `{"urls":["http://dead.example/"]}`, 200, "", "none", "robots.txt unreachable"},
		{"refused", "/v1/check", "application/json", `{"urls":["http://private.example/"]}`, 200, "", "none", "robots.txt refused by the address guard"},
		{"stream", "/v1/check", lines, `{"body":""}` + "\n" + `"/"` + "\n" + `{`, 200, "", "none", ""},
		{"form", "/form", "application/x-www-form-urlencoded", "token=x", 403, "form-token", "client", ""},
	}
	for _, test := range tests {
		if status, answer, _ := s.request(http.MethodPost, test.path, test.body, "Content-Type", test.kind, "X-Request-Id",
			test.id); status != test.status {
			t.Errorf("%s: %d %s", test.id, status, answer)
		}
	}
	_, metrics, _ := send(t, http.MethodGet, s.admin+"/metrics", "")
	if err := s.stop(); err != nil { // all lines are in the log then
		t.Fatal(err)
	}
	type line struct {
		Msg, Code string
		ID        string `json:"request_id"`
	}
	found := map[line]bool{}
	for text := range strings.Lines(log.String()) {
		var l line
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			t.Fatal(err)
		}
		found[l] = true
	}
	for _, test := range tests {
		if !found[line{"request", test.code, test.id}] || test.logged != "" && !found[line{test.logged, "", test.id}] {
			t.Errorf("%s: a line is missing:\n%s", test.id, log.String())
		}
	}
	for _, want := range []string{
		`{fault="none",operation="check",status="200"} 4`, `{fault="client",operation="check",status="400"} 1`,
		`{fault="site",operation="sitemap",status="502"} 1`, `{fault="client",operation="form",status="403"} 1`,
	} {
		if !strings.Contains(metrics, "\nrobots_requests_total"+want+"\n") {
			t.Errorf("%s is missing: %s", want, metrics)
		}
	}
}
