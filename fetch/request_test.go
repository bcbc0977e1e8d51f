package fetch_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/origin"
)

// TestAllowedAsSent: a URL is compared in the form in which net/http sends it, and refused
// if net/http refuses it.
func TestAllowedAsSent(t *testing.T) {
	var sent string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent = r.RequestURI
		fmt.Fprint(w, "User-agent: *\nDisallow: /a%20b\nDisallow: /x%7Cy\nDisallow: /b/../c\nDisallow: /caf%C3%A9\n")
	}))
	defer server.Close()
	client := newClient(t, fetch.Config{})
	for path, want := range map[string]bool{
		"/a b": false, "/a%20b": false, "/x|y": false, "/b/../c": false, "/c": true, "/café": false, "/caf%c3%a9": false, "": true, "?a|b": true,
	} {
		d, err := client.Decide(context.Background(), server.URL+path)
		allowed, _ := client.Allowed(context.Background(), server.URL+path)
		if err != nil || d.Allowed != want || allowed != want {
			t.Errorf("%q: %v %v %v, want %v", path, d, allowed, err, want)
		}
		response, err := http.Get(server.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if got := origin.Text(server.URL + sent).Compared(); got != d.URL && !strings.Contains(path, "..") {
			t.Errorf("%q: net/http sends %q, the rules are compared with %q", path, got, d.URL)
		}
	}
	for _, url := range []string{"/a", "example.com/a", "https://me:secret@example.com/%zz", "https://example.com/\x7f", "https:", "http:///a", "https://exa mple.com/", "%", "", "mailto:a@b.example", "http://[::1"} {
		_, err := client.Allowed(context.Background(), url)
		if e := (*origin.Error)(nil); !errors.As(err, &e) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", url, err)
		}
	}
}
