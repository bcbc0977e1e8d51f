package download

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/internal/test/valkeytest"
)

// TestMistakes: what is a mistake in the URL is asked for once, until the host has answered; then it is a fault
// that passes.
func TestMistakes(t *testing.T) {
	const broken = "Location: http://shop.example/a\x01b" // no client follows it
	requests := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests++
		if r.URL.Path == "/" {
			return
		}
		connection, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer connection.Close()
		_, _ = io.WriteString(connection, "HTTP/1.1 302 Found\r\n"+broken+"\r\nContent-Length: 0\r\n\r\n")
	}))
	defer server.Close()
	closed := fmt.Sprintf("http://127.0.0.1:%d/", valkeytest.FreePorts(t, 1)[0])
	getter, err := fetch.New(fetch.Config{UserAgent: "FooBot", Network: fetch.Network{AllowPrivate: true}})
	if err != nil {
		t.Fatal(err)
	}
	client := New(getter, time.Millisecond)
	defer client.Close()
	tries := func(url string) int {
		body := client.File(url, false).Open(t.Context())
		defer body.Close()
		_, _ = io.Copy(io.Discard, body)
		return body.connections
	}
	for _, url := range []string{server.URL + "/broken", "http://no.such.host.invalid/", closed} {
		if got := tries(url); got != 1 {
			t.Errorf("%s was asked for %d times", url, got)
		}
	}
	if got := tries(server.URL + "/"); got != 1 {
		t.Errorf("the empty file was asked for %d times", got)
	}
	if got := tries(server.URL + "/broken"); got != maxTries || requests != 2+maxTries {
		t.Errorf("a host that answered was asked %d times, %d requests", got, requests)
	}
}
