package watch_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/many/watch"
)

// TestPages: the pages list sites and their changes, escape everything, and are bounded.
func TestPages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.set("a.example", shop)
	var hosts []string
	for i := range 250 {
		hosts = append(hosts, fmt.Sprintf("s%03d.example", i))
	}
	p, _ := newPasses(t, w, append(hosts, "a.example")...)
	get := func(query string) (int, string) {
		out := httptest.NewRecorder()
		(&watch.Pages{Folder: p.folder}).ServeHTTP(out, httptest.NewRequest(http.MethodGet, "/watch?"+query, nil))
		return out.Code, out.Body.String()
	}
	if code, body := get(""); code != 200 || !strings.Contains(body, "No site is watched yet") {
		t.Errorf("without a store: %d %s", code, body)
	}
	for _, body := range []string{shop, shop + "Sitemap: https://a.example/<script>\n"} {
		w.set("a.example", body)
		for range 2 {
			if _, err := p.run(60); err != nil {
				t.Fatal(err)
			}
		}
	}
	_, body := get("")
	if strings.Count(body, "<tr><td>") != 200 || !strings.Contains(body, "?site=http%3A%2F%2Fa.example") || !strings.Contains(body, "after=http%3A%2F%2Fs198.example") {
		t.Errorf("list: %s", body)
	}
	_, body = get("q=S2")
	if strings.Count(body, "<tr><td>") != 50 {
		t.Errorf("search: %s", body)
	}
	code, body := get("site=http://a.example")
	if code != 200 || strings.Contains(body, "<script>") || !strings.Contains(body, "Sitemap: added https://a.example/&lt;script&gt;") {
		t.Errorf("timeline: %d %s", code, body)
	}
	code, body = get("site=%3Cscript%3E")
	if code != 404 || strings.Contains(body, "<script>") {
		t.Errorf("unknown site: %d %s", code, body)
	}
	_, body = get("q=%22%3E%3Cscript%3E")
	if strings.Contains(body, "<script>") {
		t.Errorf("search: %s", body)
	}
}
