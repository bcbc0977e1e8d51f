package download

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/fetch"
)

// TestSlow: a server that sends a byte now and then, or always one before it asks for patience, does
// not keep a download. A server that sends enough is read to the end, however long that takes.
func TestSlow(t *testing.T) {
	const length = 64 * slowBytes
	drip := func(w http.ResponseWriter, r *http.Request, bytes int, pause time.Duration) {
		for r.Context().Err() == nil {
			if _, err := w.Write(make([]byte, bytes)); err != nil {
				return
			}
			w.(http.Flusher).Flush()
			time.Sleep(pause)
		}
	}
	asked := 0
	servers := map[string]http.HandlerFunc{
		"a byte now and then": func(w http.ResponseWriter, r *http.Request) { drip(w, r, 1, time.Millisecond) },
		"a byte, then a fault": func(w http.ResponseWriter, r *http.Request) {
			if asked++; asked%2 == 0 {
				http.Error(w, "", http.StatusServiceUnavailable)
				return
			}
			w.Header().Set("Content-Length", "1000000")
			if asked > 1 {
				w.Header().Set("Content-Range", "bytes "+r.Header.Get("Range")[len("bytes="):]+"999999/1000000")
				w.WriteHeader(http.StatusPartialContent)
			}
			_, _ = w.Write([]byte{0})
		},
		"enough": func(w http.ResponseWriter, r *http.Request) {
			for range length / slowBytes {
				_, _ = w.Write(make([]byte, slowBytes))
				w.(http.Flusher).Flush()
				time.Sleep(time.Millisecond)
			}
		},
	}
	for name, serve := range servers {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(serve)
			defer server.CloseClientConnections()
			getter, err := fetch.New(fetch.Config{UserAgent: "FooBot", Network: fetch.Network{AllowPrivate: true}})
			if err != nil {
				t.Fatal(err)
			}
			client := New(getter, time.Millisecond)
			defer client.Close()
			client.span = 20 * time.Millisecond
			body := client.File(server.URL, false).Open(t.Context())
			defer body.Close()
			n, err := io.CopyBuffer(struct{ io.Writer }{io.Discard}, body, make([]byte, slowBytes))
			if isSlow := errors.Is(err, errSlow); isSlow != (name != "enough") || !isSlow && n != length {
				t.Errorf("%d bytes, %v", n, err)
			}
		})
	}
}
