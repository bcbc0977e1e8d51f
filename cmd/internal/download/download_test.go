package download_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/download"
	"github.com/kosterhq/robotstxt/origin"
)

// TestOpen: redirects are followed within a limit, each address is checked, and each read
// has a time limit.
func TestOpen(t *testing.T) {
	ended := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/loop":
			http.Redirect(w, r, "/loop", http.StatusFound)
		case "/hop":
			http.Redirect(w, r, "/file", http.StatusFound)
		case "/ftp":
			http.Redirect(w, r, "ftp://shop.example/", http.StatusFound)
		case "/away":
			http.Redirect(w, r, "http://localhost:"+r.URL.Query().Get("port")+"/back?to=http://"+r.Host, http.StatusFound)
		case "/slow":
			fmt.Fprint(w, "begin")
			w.(http.Flusher).Flush()
			<-ended
		case "/file":
			fmt.Fprintf(w, "%s %q", r.Header.Get("User-Agent"), r.Header.Get("Referer"))
		default:
			w.WriteHeader(http.StatusGone)
		}
	}))
	defer server.Close()
	defer close(ended)
	o, err := origin.Of(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	c := download.New(download.Config{UserAgent: "test", Timeout: 300 * time.Millisecond, Trusts: func(other origin.Origin) bool { return other == o }})
	port := fmt.Sprint(o.Port())
	for path, want := range map[string]string{
		server.URL + "/file":              `test ""`,
		server.URL + "/hop":               `test ""`,
		server.URL + "/lost":              "HTTP status 410",
		server.URL + "/loop":              "there are over 5 redirects",
		server.URL + "/ftp":               `it redirects to the scheme "ftp"`,
		server.URL + "/away?port=" + port: "refused to connect to ",
		"http://localhost:" + port + "/":  "refused to connect to ",
		"ftp://shop.example/":             "FTP is not supported here",
		"no URL":                          "",
		server.URL + "/slow":              "timeout",
	} {
		got := ""
		body, err := c.Open(t.Context(), path)
		if err == nil {
			var text []byte
			if text, err = io.ReadAll(body); err == nil {
				got = string(text)
			}
			body.Close()
		}
		if err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, want) || want == "" && err == nil {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}
