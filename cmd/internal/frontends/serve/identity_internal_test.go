package serve

import (
	"bytes"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestIdentityInErrors: the lines of the log about a mistake of the program have the identity
// of the request, as has the answer.
func TestIdentityInErrors(t *testing.T) {
	var log bytes.Buffer
	s, err := New(Config{UserAgent: "TestBot (+https://shop.example)", Logger: slog.New(slog.NewTextHandler(&log, nil)), AccessLog: true})
	if err != nil {
		t.Fatal(err)
	}
	for path, handle := range map[string]func(*call) error{
		"/v1/error": func(*call) error { return errors.New("broken") },
		"/v1/panic": func(*call) error { panic("broken") },
	} {
		log.Reset()
		s.routes[path] = []*endpoint{{name: "broken", method: "GET", handle: handle}}
		r := httptest.NewRequest(http.MethodGet, "http://localhost"+path, nil)
		r.Header.Set("X-Request-Id", "shop-1")
		r.Header.Set("Traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if w.Code != http.StatusInternalServerError || !strings.Contains(w.Body.String(), `"code":"internal","request_id":"shop-1"`) {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
		lines := strings.Split(strings.TrimSpace(log.String()), "\n")
		if len(lines) != 2 || !strings.Contains(lines[0], "level=ERROR") || !strings.Contains(lines[1], "status=500") {
			t.Errorf("%s: the log is\n%s", path, log.String())
		}
		_, span, _ := strings.Cut(w.Header().Get("Traceparent"), "00-0af7651916cd43dd8448eb211c80319c-")
		span, _, _ = strings.Cut(span, "-01")
		for _, line := range lines {
			want := "request_id=shop-1 trace_id=0af7651916cd43dd8448eb211c80319c span_id=" + span + " parent_id=b7ad6b7169203331"
			if len(span) != 16 || !strings.Contains(line, want) {
				t.Errorf("%s: the line\n%s\nhas not %s", path, line, want)
			}
		}
	}
}
