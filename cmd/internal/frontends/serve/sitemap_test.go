package serve_test

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// TestSitemap: a sitemap that cannot be read to its end is not taken for a whole one.
func TestSitemap(t *testing.T) {
	const begins = "<urlset><url><loc>http://shop.example/tea</loc></url>"
	bomb := begins + strings.Repeat("<x/>"+strings.Repeat(" ", 1<<20), 52) + "<url><loc>http://shop.example/cake</loc></url></urlset>"
	files := map[string]string{
		"/bomb.xml.gz": zipped(bomb),
		"/line.xml.gz": zipped(begins+"</urlset>") + "\n",
		"/many.xml":    "<urlset>" + strings.Repeat("<url><loc>http://shop.example/tea</loc></url>", 50_001) + "</urlset>",
		"/whole.xml":   begins + "</urlset>",
		"/broken.xml":  begins + "<url><loc>http://shop.example/cake</loc></urk>",
		"/none.xml":    "<urlset><url></urk>",
		"/blank.xml":   "<urlset>" + strings.Repeat(" ", 52<<20) + "<url><loc>http://shop.example/tea</loc></url></urlset>",
	}
	s := start(t, newSite(t, func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, files[r.URL.Path]) }), nil)
	for path, want := range map[string]string{
		"/bomb.xml.gz": `"urls":["http://shop.example/tea"],"truncated":true`,
		"/line.xml.gz": `"urls":["http://shop.example/tea"],"truncated":false`,
		"/many.xml":    `"truncated":true`,
		"/whole.xml":   `"urls":["http://shop.example/tea"],"truncated":false`,
		"/broken.xml":  `"urls":["http://shop.example/tea","http://shop.example/cake"],"truncated":true`,
		"/none.xml":    "not-a-sitemap",
		"/blank.xml":   "not-a-sitemap",
	} {
		status, answer := s.post("sitemap", `{"url":"http://shop.example`+path+`"}`)
		if !strings.Contains(answer, want) || (status == http.StatusOK) != strings.Contains(want, "truncated") {
			t.Errorf("%s: %d %.300s", path, status, answer)
		}
	}
}

func zipped(text string) string {
	var b strings.Builder
	w := gzip.NewWriter(&b)
	io.WriteString(w, text)
	w.Close()
	return b.String()
}
