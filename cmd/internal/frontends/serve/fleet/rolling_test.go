package fleet_test

import (
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/internal/test/valkeytest"
)

// replicas starts replicas for the proxy. If it reads their /readyz, each has an address of
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
		r := startReplica(t, i, fmt.Sprintf("%s:%d", host, ports[0]), store,
			append(flags, "--admin-public", "--admin", fmt.Sprintf("%s:%d", host, ports[1]))...)
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
// ROBOTSTXT_LONG each of them ten times. The replicas wait for ten times as long as the proxies
// take to end their connections, so that a busy machine has time for it.
func TestRollingRestart(t *testing.T) {
	inParallel(t)
	for _, p := range proxies {
		t.Run(p.program, func(t *testing.T) {
			inParallel(t)
			rollingRestart(t, p)
		})
	}
}

func rollingRestart(t *testing.T, p proxy) {
	rounds, restarts, rate := 1, 2, 25.0
	if long {
		rounds, restarts, rate = 10, 3, 100
	}
	replicas := p.replicas(t, 3, "none", "--drain-delay", (10 * idleTime).String())
	address := p.start(t, replicas)

	var run phases
	run.begin(p.program, time.Now())
	sent, clients := run.present(), client(calm)
	send := func() {
		text, err := post(clients, address, `{"urls":["/cart"],"body":"User-agent: *\nDisallow: /cart\n"}`)
		if err == nil && !strings.Contains(text, `"verdict":"disallowed"`) {
			err = errors.New(text)
		}
		run.mu.Lock()
		defer run.mu.Unlock()
		sent.requests++
		if err != nil {
			sent.failed++
			sent.example = err.Error()
		}
	}
	count := func() int {
		run.mu.Lock()
		defer run.mu.Unlock()
		return sent.requests
	}
	var sending sync.WaitGroup
	underWay := make(chan struct{}, 64)
	atRate(rate, func(int, time.Time) {
		underWay <- struct{}{} // a slow machine gets fewer requests, and not ever more at once
		sending.Go(func() {
			send()
			<-underWay
		})
	}, func() {
		for range rounds {
			for _, r := range replicas[:restarts] {
				time.Sleep(failTime + failTime/4)
				before := count()
				r.stop()
				valkeytest.WaitUntil(t, "requests are answered during a restart", func() bool { return count() >= before+20 })
				r.start()
			}
		}
		time.Sleep(failTime)
	})
	sending.Wait()
	t.Logf("%d restarts, %d requests, %d lost", rounds*restarts, sent.requests, sent.failed)
	if sent.failed > 0 {
		t.Errorf("%d of %d requests were lost, the last with %s", sent.failed, sent.requests, sent.example)
	}
}
