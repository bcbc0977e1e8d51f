package serve_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/frontends/serve"
)

// TestNotFoundPages: the service reads a 500 whose page says "not found" as 404 if it is told to.
func TestNotFoundPages(t *testing.T) {
	for isOn, want := range map[bool]string{false: `"outcome":"disallow-all"`, true: `"outcome":"allow-all"`} {
		to := newSite(t, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusInternalServerError)
			io.WriteString(w, "<title>Page not found</title>")
		})
		s := start(t, to, func(c *serve.Config) { c.NotFoundPages = isOn })
		status, text := s.post("check", `{"urls":["http://shop.example/x"]}`)
		if status != http.StatusOK || !strings.Contains(text, want) {
			t.Errorf("%v: %d, %s", isOn, status, text)
		}
	}
}
