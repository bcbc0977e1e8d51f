package serve_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/frontends/serve"
)

// TestShortBesideLong: while four clients ask about the use of hostile files without a pause, each kind of
// small request of another network is answered within half a second. It runs with ROBOTSTXT_COST, because a
// busy machine makes it fail, and prints the times with and without the attack.
func TestShortBesideLong(t *testing.T) {
	if os.Getenv("ROBOTSTXT_COST") == "" {
		t.Skip("ROBOTSTXT_COST is not set")
	}
	const bound = 500 * time.Millisecond
	s := startPublic(t, nil, func(c *serve.Config) { c.ClientRate = 1000 })
	clientFrom := func(network, host int) *http.Client {
		from := &net.Dialer{LocalAddr: address(network, host)}
		client := &http.Client{Timeout: serve.Patience, Transport: &http.Transport{DialContext: from.DialContext}}
		t.Cleanup(client.CloseIdleConnections)
		return client
	}
	post := func(ctx context.Context, client *http.Client, name, body string) (status int, err error) {
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url+"/v1/"+name, strings.NewReader(body))
		if err != nil {
			return 0, err
		}
		request.Header.Set("Content-Type", "application/json")
		response, err := client.Do(request)
		if err != nil {
			return 0, err
		}
		defer response.Body.Close()
		_, err = io.Copy(io.Discard, response.Body)
		return response.StatusCode, err
	}
	honest := clientFrom(2, 1)
	slowest := func() (all []string, worst time.Duration) {
		examples := serve.OperationRequests()
		for _, name := range slices.Sorted(maps.Keys(examples)) {
			took := time.Duration(0)
			for range 5 {
				began := time.Now()
				if status, err := post(t.Context(), honest, name, examples[name]); err != nil || status >= 500 {
					t.Errorf("/v1/%s: status %d, %v", name, status, err)
				}
				took = max(took, time.Since(began))
			}
			all = append(all, fmt.Sprintf("%s %d ms", name, took.Milliseconds()))
			worst = max(worst, took)
		}
		return all, worst
	}
	alone, _ := slowest()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var hostile atomic.Int64
	for i, lines := range []string{"Content-Usage: /pN train-ai=n\n", "Disallow: /N\nAllow: /N/x\n", "Disallow: /*?*=N&\n", "Disallow: /%C3%A9N%2f\n"} {
		var text strings.Builder
		text.WriteString("User-agent: *\n")
		for n := 0; text.Len() < 465_000; n++ {
			text.WriteString(strings.ReplaceAll(lines, "N", strconv.Itoa(n)))
		}
		body, err := json.Marshal(map[string]string{"body": text.String()})
		if err != nil {
			t.Fatal(err)
		}
		client := clientFrom(3, 1+i)
		go func() {
			for ctx.Err() == nil {
				if _, err := post(ctx, client, "ai", string(body)); err == nil {
					hostile.Add(1)
				}
			}
		}()
	}
	until(t, "the attack", func() bool { return hostile.Load() >= 4 })
	beside, worst := slowest()
	load, _ := os.ReadFile("/proc/loadavg")
	t.Logf("load %s, %d hostile requests, slowest of 5:\n  alone   %s\n  beside  %s", strings.TrimSpace(string(load)), hostile.Load(),
		strings.Join(alone, ", "), strings.Join(beside, ", "))
	if worst > bound {
		t.Errorf("a small request took %v", worst)
	}
}
