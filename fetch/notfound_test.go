package fetch

import (
	"strings"
	"testing"
)

func TestLooksNotFound(t *testing.T) {
	for text, want := range map[string]bool{
		"<html><title>Page Not Found</title>":           true,
		"<h1>404 <b>Not</b> Found</h1>":                 true,
		"Page\n\tnot&nbsp;found":                        true,
		"the page can’t be found":                       true,
		"the page can&rsquo;t be found":                 true,
		"Seite nicht gefunden":                          true,
		"Sayfa bulunamadı":                              true,
		"СТРАНИЦА НЕ НАЙДЕНА":                           true,
		"":                                              false,
		"Internal Server Error":                         false,
		"502 Bad Gateway":                               false,
		"Not found":                                     false, // may be about a database, not the page
		"<!-- page not found --> Internal error":        false,
		"<script>var m='page not found'</script>Error":  false,
		"<style>/* 404 not found */</style>Error":       false,
		"<a title='page not found'>Error</a>":           false,
		"Error <!-- page not found, cut off":            false,
		"Error <script>alert('error 404'), cut off":     false,
		"\xFF\xFE\x00\x01":                              false,
		"a page notfound":                               false,
		strings.Repeat("<", 4096) + " page not found":   false,
		strings.Repeat("<!--", 1024) + "page not found": false,
	} {
		for _, status := range []int{500, 502, 599} {
			if got := LooksNotFound(status, []byte(text)); got != want {
				t.Errorf("%d %.60q: %v, want %v", status, text, got, want)
			}
		}
		for _, status := range []int{503, 404, 429, 200, 600, 0} {
			if LooksNotFound(status, []byte(text)) {
				t.Errorf("%d %.60q is taken for a \"not found\" page", status, text)
			}
		}
	}
}

// TestNotFoundPage checks that NotFoundPage makes a 5xx count as 404, but never a 503,
// and that it receives 4 KiB.
func TestNotFoundPage(t *testing.T) {
	page := "Page not found" + strings.Repeat(" ", 10_000)
	for status := 500; status <= 599; status++ {
		calls := 0
		client := newTestClient(t, Config{Network: Network{Transport: answering(status, page)}, NotFoundPage: func(code int, head []byte) bool {
			calls++
			if code != status || len(head) != 4096 {
				t.Errorf("called for %d with %d bytes", code, len(head))
			}
			return LooksNotFound(code, head)
		}})
		r := Expect(t, client, "https://foo.example/")
		want, times := OutcomeAllowAll, 1
		if status == 503 {
			want, times = OutcomeDisallowAll, 0
		}
		if r.Outcome != want || calls != times || r.Status != status || want == OutcomeAllowAll && !strings.Contains(r.Detail, "not found") {
			t.Errorf("%d: called %d times, %+v", status, calls, r)
		}
	}
}
