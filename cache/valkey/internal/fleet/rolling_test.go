package fleet_test

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cache/valkey/internal/valkeytest"
)

// The times of the test are shorter than those of deploy/nginx.conf and deploy/robots.service.
const (
	idleTime   = 500 * time.Millisecond  // keepalive_timeout
	drainDelay = 1500 * time.Millisecond // longer than that
	failTime   = time.Second             // for which nginx does not use a replica that is down
)

// startOfProxy precedes deploy/nginx.conf.
const startOfProxy = `
daemon off; master_process off; pid nginx.pid;
events { worker_connections 512; }
http {
	access_log off;
	client_body_temp_path t1; proxy_temp_path t2; fastcgi_temp_path t3; uwsgi_temp_path t4; scgi_temp_path t5;
`

// TestRollingRestart restarts three replicas after nginx one after the other while POSTs
// arrive at a fixed rate: none is lost. It restarts two of them, and with ROBOTSTXT_LONG each
// of them ten times.
func TestRollingRestart(t *testing.T) {
	program, err := exec.LookPath("nginx")
	if err != nil {
		t.Skip("NOT TESTED: a rolling restart; install nginx, on Debian: apt-get install nginx-light")
	}
	rounds, restarts := 1, 2
	if os.Getenv("ROBOTSTXT_LONG") != "" {
		rounds, restarts = 10, 3
	}
	replicas := startReplicas(t, 3, "none", "--drain-delay", drainDelay.String())
	address := startProxy(t, program, replicas)

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

// startProxy starts an nginx with deploy/nginx.conf for replicas, and returns its address.
func startProxy(t *testing.T, program string, replicas []*replica) string {
	t.Helper()
	site, err := os.ReadFile("../../../../deploy/nginx.conf")
	if err != nil {
		t.Fatal(err)
	}
	var servers strings.Builder
	for _, r := range replicas {
		fmt.Fprintf(&servers, "server %s max_fails=1 fail_timeout=%ds;\n", r.address, int(failTime.Seconds()))
	}
	address := fmt.Sprintf("127.0.0.1:%d", valkeytest.FreePorts(t, 1)[0])
	config := startOfProxy + string(site) + "}\n"
	for _, change := range []struct{ pattern, with string }{
		{`(?m)(^ *server 127.*\n)+`, servers.String()},
		{`keepalive_timeout 15s`, fmt.Sprintf("keepalive_timeout %dms", idleTime.Milliseconds())},
		{`listen 443 ssl`, "listen " + address},
		{`(?m)^ *ssl_certificate.*\n`, ""},
	} {
		pattern := regexp.MustCompile(change.pattern)
		if !pattern.MatchString(config) {
			t.Fatalf("deploy/nginx.conf has no %s", change.pattern)
		}
		config = pattern.ReplaceAllString(config, change.with)
	}
	prefix := t.TempDir()
	if err := os.WriteFile(filepath.Join(prefix, "nginx.conf"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	process := exec.Command(program, "-p", prefix, "-c", "nginx.conf", "-e", "error.log")
	if err := valkeytest.StartProcess(process); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = process.Process.Kill() // it may have ended
		_ = process.Wait()
		if log, err := os.ReadFile(filepath.Join(prefix, "error.log")); err == nil && t.Failed() {
			t.Logf("nginx: %s", log)
		}
	})
	for range 500 {
		if response, err := http.Get("http://" + address + "/openapi.json"); err == nil {
			response.Body.Close()
			return address
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("nginx does not answer")
	return ""
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
