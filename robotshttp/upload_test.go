package robotshttp_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/robotshttp"
)

// TestUpload: the body of an upload that comes from another request to the host does not keep
// that request waiting.
func TestUpload(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/robots.txt":
			_, _ = io.WriteString(w, "User-agent: *\nCrawl-delay: 0.01\n")
		case r.Method == http.MethodPut:
			body, _ := io.ReadAll(r.Body)
			_, _ = w.Write(body)
		default:
			_, _ = io.WriteString(w, "the source")
		}
	}))
	defer server.Close()
	client, err := fetch.New(fetch.Config{UserAgent: "FooBot/1.0 (+https://foobot.example/about)", Network: fetch.Network{AllowPrivate: true}})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	crawler := &http.Client{Transport: &robotshttp.Transport{Client: client, Base: &http.Transport{}}}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	from, to := io.Pipe()
	put, err := http.NewRequestWithContext(ctx, http.MethodPut, server.URL+"/copy", from)
	if err != nil {
		t.Fatal(err)
	}
	copied := make(chan string, 1)
	go func() {
		response, err := crawler.Do(put)
		if err != nil {
			copied <- err.Error()
			return
		}
		defer response.Body.Close()
		body, _ := io.ReadAll(response.Body)
		copied <- string(body)
	}()
	if _, err := io.WriteString(to, "copy of "); err != nil { // net/http sends the headers with it
		t.Fatal(err)
	}
	get, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+"/source", nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := crawler.Do(get)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	_, err = io.Copy(to, response.Body)
	to.CloseWithError(err)
	if got := <-copied; !strings.HasSuffix(got, "copy of the source") {
		t.Errorf("the copy is %q", got)
	}
}
