package fleet_test

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cache/valkey/internal/valkeytest"
)

// replicas starts replicas for the proxy. If it asks for their readiness, each has an address of
// its own and all have the same ports.
func (p proxy) replicas(t *testing.T, n int, store string, flags ...string) (all []*replica) {
	t.Helper()
	if !p.asks {
		return startReplicas(t, n, store, flags...)
	}
	if runtime.GOOS != "linux" {
		t.Skipf("NOT TESTED: on %s the loopback interface has one address", runtime.GOOS)
	}
	ports := valkeytest.FreePorts(t, 2)
	for i := range n {
		host := fmt.Sprintf("127.3.0.%d", i+1)
		r := startReplica(t, i, fmt.Sprintf("%s:%d", host, ports[0]), store, append(flags, "--admin-public", "--admin", fmt.Sprintf("%s:%d", host, ports[1]))...)
		r.adminPort = strconv.Itoa(ports[1])
		all = append(all, r)
	}
	return all
}

// The times of the test are shorter than those of deploy/nginx.conf and deploy/robots.service.
const (
	idleTime   = 500 * time.Millisecond  // keepalive_timeout
	drainDelay = 1500 * time.Millisecond // longer than that
	failTime   = time.Second             // for which nginx does not use a replica that is down
)

// TestRollingRestart restarts three replicas after nginx, and after Caddy, one after the other
// while POSTs arrive at a fixed rate: none is lost. It restarts two of them, and with
// ROBOTSTXT_LONG each of them ten times.
func TestRollingRestart(t *testing.T) {
	for _, p := range proxies {
		t.Run(p.program, func(t *testing.T) { rollingRestart(t, p) })
	}
}

func rollingRestart(t *testing.T, p proxy) {
	rounds, restarts := 1, 2
	if os.Getenv("ROBOTSTXT_LONG") != "" {
		rounds, restarts = 10, 3
	}
	replicas := p.replicas(t, 3, "none", "--drain-delay", drainDelay.String())
	address := p.start(t, replicas)

	l := &posts{url: "http://" + address + "/v1/check", client: client()}
	atRate(100, func(int, time.Time) { l.sending.Go(l.send) }, func() {
		for range rounds {
			for _, r := range replicas[:restarts] {
				time.Sleep(failTime + failTime/4)
				before := l.count()
				r.restart()
				if l.count() < before+20 {
					t.Errorf("%d requests during a restart: this is no load", l.count()-before)
				}
			}
		}
		time.Sleep(failTime)
	})
	l.sending.Wait()
	t.Logf("%d restarts, %d requests, %d lost", rounds*restarts, l.sent, len(l.lost))
	if len(l.lost) > 0 {
		t.Errorf("%d of %d requests were lost, the first with %v", len(l.lost), l.sent, l.lost[0])
	}
}

// posts sends POSTs and counts those without an answer.
type posts struct {
	url     string
	client  *http.Client
	sending sync.WaitGroup

	mu   sync.Mutex
	sent int
	lost []error
}

func (l *posts) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.sent
}

func (l *posts) send() {
	err := func() error {
		response, err := l.client.Post(l.url, "application/json", strings.NewReader(`{"urls":["/cart"],"body":"User-agent: *\nDisallow: /cart\n"}`))
		if err != nil {
			return err
		}
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		if err == nil && (response.StatusCode != http.StatusOK || !strings.Contains(string(text), `"verdict":"disallowed"`)) {
			err = fmt.Errorf("status %d: %s", response.StatusCode, text)
		}
		return err
	}()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sent++
	if err != nil {
		l.lost = append(l.lost, err)
	}
}
