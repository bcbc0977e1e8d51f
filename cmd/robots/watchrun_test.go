package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/many/watch"
)

// startSite starts a site whose file is the text in body, at first with one rule.
func startSite(t *testing.T) (site *httptest.Server, body *atomic.Value) {
	t.Helper()
	body = new(atomic.Value)
	body.Store("User-agent: *\nDisallow: /cart\n")
	site = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, body.Load())
	}))
	t.Cleanup(site.Close)
	return site, body
}

// TestWatchWebhook: the webhook's URL and the secret are read from files, what is sent is
// signed, an outage of the webhook fails the run, and the next one delivers. Neither is
// printed or stored.
func TestWatchWebhook(t *testing.T) {
	site, body := startSite(t)
	const secret, path = "a secret of many bytes", "/T0/B0/hidden"
	var status atomic.Int64
	received := make(chan wire.WatchMessage, 10)
	hook := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if n := int(status.Load()); n != 0 {
			w.WriteHeader(n)
			return
		}
		text, _ := io.ReadAll(r.Body)
		var m wire.WatchMessage
		at, err := strconv.ParseInt(r.Header.Get("webhook-timestamp"), 10, 64)
		if err != nil || json.Unmarshal(text, &m) != nil || r.URL.Path != path ||
			r.Header.Get("webhook-signature") != watch.Sign([]byte(secret), m.ID, time.Unix(at, 0), text) {
			t.Errorf("%s %v %s", r.URL, r.Header, text)
		}
		received <- m
	}))
	defer hook.Close()
	folder := t.TempDir()
	write(t, filepath.Join(folder, "url"), hook.URL+path+"\n")
	write(t, filepath.Join(folder, "key"), secret+"\n")
	run := func(want int) {
		t.Helper()
		cmd := exec.Command("robots", "watch", "--once", "--confirm", "0s", "--history", "h", "--webhook", "@url", "--webhook-secret", "key", site.URL)
		cmd.Dir = folder
		out, err := cmd.CombinedOutput()
		if got := cmd.ProcessState.ExitCode(); got != want || bytes.Contains(out, []byte("hidden")) ||
			bytes.Contains(out, []byte(secret)) {
			t.Fatalf("status %d, want %d: %v %s", got, want, err, out)
		}
	}
	run(0)
	body.Store("User-agent: *\nDisallow: /\n")
	status.Store(http.StatusNotFound) // is not tried again at once
	run(2)
	status.Store(0)
	run(1)
	if m := <-received; m.Gravity != wire.GravityCritical || m.Events[0].Site != site.URL {
		t.Errorf("got %+v", m)
	}
	run(0)
	if len(received) > 0 {
		t.Error("a message came twice")
	}
	stored, err := filepath.Glob(filepath.Join(folder, "h", "*"))
	if err != nil || len(stored) == 0 {
		t.Fatal(err)
	}
	for _, name := range stored {
		if text, err := os.ReadFile(name); err != nil || bytes.Contains(text, []byte("hidden")) ||
			bytes.Contains(text, []byte(secret)) {
			t.Errorf("%s has a secret, %v", name, err)
		}
	}
}

// TestWatchSignal: a signal ends a run with an interval, with status 0.
func TestWatchSignal(t *testing.T) {
	asked := make(chan struct{}, 10)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "User-agent: *\nDisallow: /cart\n")
		asked <- struct{}{}
	}))
	defer site.Close()
	for _, one := range []os.Signal{syscall.SIGTERM, os.Interrupt, syscall.SIGHUP} {
		if signal.Ignored(one) { // as after nohup, and the process inherits that
			t.Logf("NOT TESTED: %v is ignored here", one)
			continue
		}
		folder := t.TempDir()
		var out bytes.Buffer
		cmd := exec.Command("robots", "watch", "--every", "1h", "--history", folder, site.URL)
		cmd.Stdout, cmd.Stderr = &out, &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		<-asked
		if err := cmd.Process.Signal(one); err != nil {
			_ = cmd.Process.Kill()
			t.Skipf("NOT TESTED: no %v on this system: %v", one, err)
		}
		if err := cmd.Wait(); err != nil || strings.Contains(out.String(), "error") {
			t.Errorf("%v: %v, %s", one, err, &out)
		}
	}
}

// TestWatchSignals: a webhook that does not answer does not keep a run alive that signals end.
func TestWatchSignals(t *testing.T) {
	site, body := startSite(t)
	sent, end := make(chan struct{}, 100), make(chan struct{})
	hook := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		sent <- struct{}{}
		<-end
	}))
	defer hook.Close()
	defer close(end)
	folder := t.TempDir()
	run := func() *exec.Cmd {
		return exec.Command("robots", "watch", "--once", "-q", "--confirm", "0s", "--history", folder, "--webhook", hook.URL, site.URL)
	}
	if out, err := run().CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	body.Store("User-agent: *\nDisallow: /\n")
	cmd := run()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	<-sent
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for i, running := 0, true; running; i++ {
		select {
		case <-ended:
			running = false
		case <-time.After(50 * time.Millisecond):
			if err := cmd.Process.Signal(os.Interrupt); i == 0 && err != nil || i == 2400 {
				_ = cmd.Process.Kill()
				t.Fatalf("it still runs after %d signals, %v", i, err)
			}
		}
	}
}

// TestWatchAfterOnce: a run with an interval reports at once what a single pass left pending, if
// it needs no confirmation.
func TestWatchAfterOnce(t *testing.T) {
	t.Parallel()
	site, body := startSite(t)
	folder := t.TempDir()
	for _, text := range []string{"User-agent: *\nDisallow: /cart\n", "User-agent: *\nDisallow: /\n"} {
		body.Store(text)
		watchOnce(t, 0, "--confirm", watch.DefaultConfirm.String(), "--history", folder, site.URL)
	}
	var log bytes.Buffer
	cmd := exec.Command("robots", "watch", "--every", "1h", "--confirm", "0s", "--history", folder, site.URL)
	cmd.Stderr = &log
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	limit := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer limit.Stop()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || !strings.Contains(line, "critical  "+site.URL) {
		t.Errorf("got %q, %v", line, err)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if !strings.Contains(log.String(), "1 site watched, first fetch now; Ctrl-C ends this") {
		t.Errorf("noted %q", &log)
	}
}

// TestWatchWorkflow runs the step of the scheduled workflow as GitHub does, with a site on this
// machine and no wait: what was seen is kept between runs, and a change fails the job.
func TestWatchWorkflow(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip(err)
	}
	site, body := startSite(t)
	var received atomic.Int64
	hook := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { received.Add(1) }))
	defer hook.Close()
	var script string
	var kept []string
	for _, step := range documentedWorkflow(t, "watch.md", "robots-watch.yml").Jobs["watch"].Steps {
		if step.Name == "Watch" {
			script = strings.ReplaceAll(step.Run, "shop.example", "--confirm 0s "+site.URL)
		}
		if path := step.With["path"]; path != "" {
			kept = append(kept, path)
		}
	}
	if len(kept) != 2 || kept[0] != kept[1] || !strings.Contains(script, "--history "+kept[0]+" ") {
		t.Fatalf("kept between runs are %q, of the script\n%s", kept, script)
	}
	folder := t.TempDir()
	run := func(want int, says, secret string, messages int64) {
		t.Helper()
		cmd := exec.Command("bash", asBash(script)...)
		cmd.Dir, cmd.Env = folder, append(os.Environ(), "HOOK="+secret, "RUNNER_TEMP="+t.TempDir())
		out, _ := cmd.CombinedOutput() // its status is compared
		if got := cmd.ProcessState.ExitCode(); got != want || !bytes.Contains(out, []byte(says)) ||
			received.Load() != messages {
			t.Fatalf("status %d, want %d; %d messages, want %d: %s", got, want, received.Load(), messages, out)
		}
	}
	run(0, "first seen", "", 0)
	run(0, "", hook.URL, 0)
	body.Store("User-agent: *\nDisallow: /\n")
	run(1, "closes the whole site", hook.URL, 1)
	run(0, "", hook.URL, 1)
}
