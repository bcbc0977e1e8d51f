package serve_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/frontends/serve"
)

const (
	trace  = "0af7651916cd43dd8448eb211c80319c"
	parent = "b7ad6b7169203331"
)

var traceparent = regexp.MustCompile(`^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$`)

// TestRequestID: a valid X-Request-Id is returned and logged, and another one is replaced.
func TestRequestID(t *testing.T) {
	var log bytes.Buffer
	s := start(t, nil, func(c *serve.Config) { c.Logger, c.AccessLog = slog.New(slog.NewJSONHandler(&log, nil)), true })
	var want []string
	for _, test := range []struct {
		sent     []string
		accepted bool
	}{
		{[]string{"shop-1"}, true},
		{[]string{"d3b07384-d9a0-4c9b-8f0e.Z_1:/+=@"}, true},
		{[]string{strings.Repeat("x", 128)}, true},
		{[]string{strings.Repeat("x", 129)}, false},
		{[]string{"a b"}, false},
		{[]string{`a"b`}, false},
		{[]string{"<script>"}, false},
		{[]string{"caf\u00e9"}, false},
		{[]string{"\u202e"}, false},
		{[]string{""}, false},
		{[]string{"a", "b"}, false},
		{nil, false},
	} {
		var headers []string
		for _, id := range test.sent {
			headers = append(headers, "X-Request-Id", id)
		}
		_, _, header := s.request(http.MethodGet, "/openapi.json", "", headers...)
		got := header.Values("X-Request-Id")
		if len(got) != 1 || (test.accepted != slices.Equal(got, test.sent)) || slices.Contains(want, got[0]) ||
			got[0] == "" || len(got[0]) > 128 {
			t.Fatalf("%q: got %q", test.sent, got)
		}
		want = append(want, got[0])
	}
	if err := s.stop(); err != nil { // all lines are in the log then
		t.Fatal(err)
	}
	var logged []string
	for line := range strings.Lines(log.String()) {
		var l struct {
			Msg       string
			RequestID string `json:"request_id"`
		}
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		if l.Msg == "request" {
			logged = append(logged, l.RequestID)
		}
	}
	slices.Sort(logged) // a line is written after the answer
	slices.Sort(want)
	if !slices.Equal(logged, want) {
		t.Errorf("logged %q, want %q", logged, want)
	}
}

// TestTraceparent: a valid header is continued with a span of its own, and another one begins
// a new trace.
func TestTraceparent(t *testing.T) {
	var log bytes.Buffer
	s := start(t, nil, func(c *serve.Config) { c.Logger, c.AccessLog = slog.New(slog.NewJSONHandler(&log, nil)), true })
	type line struct {
		Msg    string
		Trace  string `json:"trace_id"`
		Span   string `json:"span_id"`
		Parent string `json:"parent_id"`
	}
	var want []line
	seen := map[string]bool{trace: true, parent: true}
	for _, test := range []struct {
		sent  []string
		flags string // of a header that is continued
	}{
		{[]string{"00-" + trace + "-" + parent + "-01"}, "01"},
		{[]string{"00-" + trace + "-" + parent + "-00"}, "00"},
		{[]string{"00-" + trace + "-" + parent + "-ff"}, "01"}, // reserved flags are not passed on
		{[]string{"01-" + trace + "-" + parent + "-01"}, ""},
		{[]string{"ff-" + trace + "-" + parent + "-01"}, ""},
		{[]string{"00-" + strings.ToUpper(trace) + "-" + parent + "-01"}, ""},
		{[]string{"00-" + trace + "-" + strings.ToUpper(parent) + "-01"}, ""},
		{[]string{"00-" + trace + "-" + parent + "-0A"}, ""},
		{[]string{"00-" + strings.Repeat("0", 32) + "-" + parent + "-01"}, ""},
		{[]string{"00-" + trace + "-" + strings.Repeat("0", 16) + "-01"}, ""},
		{[]string{"00-" + trace[1:] + "-" + parent + "-01"}, ""},
		{[]string{"00-" + trace + "-" + parent + "-01-x"}, ""},
		{[]string{"00-" + trace + "-" + parent + "-1"}, ""},
		{[]string{"00-" + trace + "_" + parent + "-01"}, ""},
		{[]string{"00-" + trace[1:] + "g-" + parent + "-01"}, ""},
		{[]string{"00-" + trace + "-" + parent + "-01", "00-" + trace + "-" + parent + "-01"}, ""},
		{[]string{""}, ""},
		{nil, ""},
	} {
		var headers []string
		for _, value := range test.sent {
			headers = append(headers, "traceparent", value)
		}
		_, _, header := s.request(http.MethodGet, "/openapi.json", "", headers...)
		got := traceparent.FindStringSubmatch(header.Get("Traceparent"))
		if got == nil {
			t.Fatalf("%q: got %q", test.sent, header.Values("Traceparent"))
		}
		l := line{"request", got[1], got[2], ""}
		if test.flags != "" {
			l.Parent = parent
		}
		if continued := got[1] == trace; continued != (test.flags != "") || continued && got[3] != test.flags ||
			seen[got[2]] || !continued && seen[got[1]] {
			t.Errorf("%q: got %q", test.sent, got[0])
		}
		seen[got[1]], seen[got[2]] = true, true
		want = append(want, l)
	}
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	var logged []line
	for text := range strings.Lines(log.String()) {
		var l line
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			t.Fatal(err)
		}
		if l.Msg == "request" {
			logged = append(logged, l)
		}
	}
	bySpan := func(a, b line) int { return strings.Compare(a.Span, b.Span) }
	slices.SortFunc(logged, bySpan) // a line is written after the answer
	slices.SortFunc(want, bySpan)
	if !slices.Equal(logged, want) {
		t.Errorf("logged %+v, want %+v", logged, want)
	}
}

// TestIdentityOfRefused: problems have the ID of their request, also those that are found
// before the endpoint is known.
func TestIdentityOfRefused(t *testing.T) {
	s := start(t, nil, nil)
	for path, headers := range map[string][]string{
		"/v1/nothing": {}, "/v1/check": {"Content-Type", "text/plain"}, "/v1/lint": {"Host", "evil.example"},
	} {
		status, body, header := s.request(http.MethodPost, path, "{}", append(headers, "X-Request-Id", "shop-1")...)
		var p struct {
			RequestID string `json:"request_id"`
		}
		if err := json.Unmarshal([]byte(body), &p); err != nil || p.RequestID != "shop-1" || header.Get("X-Request-Id") != "shop-1" || status < 400 {
			t.Errorf("%s: %d %s, %v", path, status, body, err)
		}
	}
}

// TestIdentityIsNotSent: sites get neither header.
func TestIdentityIsNotSent(t *testing.T) {
	got := make(chan http.Header, 10)
	s := start(t, newSite(t, func(w http.ResponseWriter, r *http.Request) {
		got <- r.Header.Clone()
		serveShop(w, r)
	}), nil)
	headers := []string{"X-Request-Id", "shop-1", "Traceparent", "00-" + trace + "-" + parent + "-01", "Tracestate", "shop=1"}
	for call, body := range map[string]string{
		"check":     `{"urls":["http://shop.example/cart"]}`,
		"fetch":     `{"url":"http://other.example/"}`,
		"sitemap":   `{"url":"http://shop.example/sitemap.xml"}`,
		"resources": `{"url":"http://shop.example/"}`,
	} {
		if status, answer := s.post(call, body, headers...); status != http.StatusOK {
			t.Errorf("%s: %d %s", call, status, answer)
		}
		for n := len(got); n > 0; n-- {
			for name := range <-got {
				if name == "X-Request-Id" || name == "Traceparent" || name == "Tracestate" {
					t.Errorf("%s: the site got %s", call, name)
				}
			}
		}
	}
}
