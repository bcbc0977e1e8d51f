package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestInterrupt holds that Ctrl-C ends a run at once, with what is answered
// printed, and leaves nothing running.
func TestInterrupt(t *testing.T) {
	testInterrupt(t, "disallowed  line 2 ")
	testInterrupt(t, "FooBot      url\ndisallowed  http", "--grid") // and its sums
	testInterrupt(t, "url,agent,verdict,line,", "--format", "csv")
}

func testInterrupt(t *testing.T, want string, flags ...string) {
	ended := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.Host, "127.") {
			fmt.Fprint(w, "User-agent: *\nDisallow: /cart\n")
			return
		}
		select {
		case <-r.Context().Done():
		case <-ended:
		}
	}))
	defer server.Close()
	defer close(ended)
	before := runtime.NumGoroutine()
	ctx, cancel := context.WithCancel(t.Context())
	var stdout, stderr strings.Builder
	out := writerFunc(func(p []byte) (int, error) {
		cancel() // as soon as there is a first answer
		return stdout.Write(p)
	})
	slow := strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
	code := run(ctx, append([]string{"check", "--timeout", "1h", "--agent", "FooBot", "--cache", t.TempDir(), server.URL + "/cart", slow + "/tea"}, flags...), os.Getenv,
		strings.NewReader(""), out, &stderr)
	if code != exitInterrupted { // otherwise it waits for the slow site
		t.Errorf("exit code %d", code)
	}
	if !strings.HasPrefix(stdout.String(), want) ||
		slices.Contains(flags, "--grid") && !strings.HasSuffix(stdout.String(), "FooBot        0           1\n") || !strings.HasPrefix(stderr.String(), "robots: interrupted\n") {
		t.Errorf("standard output %q, standard error %q", stdout.String(), stderr.String())
	}
	for range 12_000 { // the connections need a moment, and a busy machine two minutes
		if runtime.NumGoroutine() <= before+2 { // the server's, for its idle listener and connection
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	stacks := make([]byte, 1<<20)
	t.Errorf("goroutines are left:\n%s", stacks[:runtime.Stack(stacks, true)])
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
