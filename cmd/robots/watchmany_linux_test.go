package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
)

// manySites is many origins that one server has, each with an address of its own: on Linux
// the whole network 127.0.0.0/8 is this machine.
type manySites struct {
	port     int
	changed  atomic.Int64 // how many serve another file
	requests atomic.Int64
	last     atomic.Int64 // the number of the last request that is answered; 0 for all
}

func startManySites(t *testing.T) *manySites {
	t.Helper()
	listener, err := net.Listen("tcp4", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	m := &manySites{port: listener.Addr().(*net.TCPAddr).Port}
	server := &http.Server{Handler: m}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	return m
}

func (m *manySites) url(i int) string {
	return fmt.Sprintf("http://127.%d.%d.%d:%d", 1+i>>16, i>>8&0xff, i&0xff, m.port)
}

func (m *manySites) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if n, last := m.requests.Add(1), m.last.Load(); last > 0 && n > last {
		<-r.Context().Done()
		return
	}
	var a, b, c int64
	if _, err := fmt.Sscanf(r.Host, "127.%d.%d.%d:", &a, &b, &c); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	i := (a-1)<<16 | b<<8 | c
	if i%300 == 7 && i/300 < m.changed.Load() {
		fmt.Fprintf(w, "User-agent: *\nDisallow: /\n# %d\n", i)
		return
	}
	fmt.Fprintf(w, "User-agent: *\nDisallow: /cart\nDisallow: /%d\n", i)
}

// pass runs robots watch once, and kills it after some requests unless killAt is 0. It returns
// the exit status, -1 after a kill, the messages and the notes.
func (m *manySites) pass(t *testing.T, folder, list string,
	killAt int64) (status int, messages []wire.WatchMessage, notes string) {
	t.Helper()
	cmd := exec.Command("robots", "watch", "--once", "--json", "--confirm", "10ms", "--history", folder, "--sites", list, "--allow-private")
	var out, log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &log
	began := time.Now()
	before := m.requests.Load()
	if m.last.Store(0); killAt > 0 {
		m.last.Store(before + killAt)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(ended)
	}()
	for killed := false; !killed && killAt > 0; {
		select {
		case <-ended:
			t.Errorf("ended before it was killed: %s", &log)
			killed = true
		case <-time.After(5 * time.Millisecond):
			if m.requests.Load()-before >= killAt {
				_ = cmd.Process.Kill()
				killed = true
			}
		}
	}
	<-ended
	for line := range bytes.Lines(out.Bytes()) {
		var message wire.WatchMessage
		if err := json.Unmarshal(line, &message); err != nil {
			t.Errorf("%v: %s", err, line)
		}
		messages = append(messages, message)
	}
	state := cmd.ProcessState
	fetched := m.requests.Load() - before
	took := time.Since(began)
	peak := state.SysUsage().(*syscall.Rusage).Maxrss >> 10
	rate := float64(fetched) / took.Seconds()
	t.Logf("status %d: %d fetches in %.1f s, %.0f a second, %.1f s of processor time, at most %d MiB of memory", state.ExitCode(), fetched, took.Seconds(), rate,
		(state.UserTime() + state.SystemTime()).Seconds(), peak)
	if fetched > 50_000 && (rate < 200 || peak > 200) {
		t.Errorf("want 200 fetches a second, with 200 MiB")
	}
	return state.ExitCode(), messages, log.String()
}

// TestWatchMany: passes over many sites, some of which are killed in the middle. Exactly the
// sites that have changed are pending, and then reported, in one message.
func TestWatchMany(t *testing.T) {
	sites, changed := 400, 2
	if os.Getenv("ROBOTSTXT_LONG") != "" { // with bounds of time and memory
		sites, changed = 100_000, 30
	} else {
		t.Parallel()
	}
	m := startManySites(t)
	folder := t.TempDir()
	list := filepath.Join(t.TempDir(), "sites.txt")
	var text strings.Builder
	var want []string
	for i := range sites {
		text.WriteString(m.url(i) + "\n")
		if i%300 == 7 && i/300 < changed {
			want = append(want, m.url(i))
		}
	}
	write(t, list, text.String())
	half := int64(sites / 2)
	m.pass(t, folder, list, half)
	if status, messages, notes := m.pass(t, folder, list, 0); status != 0 || len(messages) > 0 {
		t.Fatalf("first seen: status %d, %d messages: %s", status, len(messages), notes)
	}
	m.changed.Store(int64(changed))
	status, messages, notes := m.pass(t, folder, list, 0)
	if status != 0 || len(messages) > 0 || strings.Contains(notes, "first seen") ||
		!strings.Contains(notes, fmt.Sprintf("%s watched, ", term.Count(sites, "site", "sites"))) {
		t.Fatalf("pending: status %d, %d messages: %s", status, len(messages), notes)
	}
	if n := strings.Count(notes, "pending since"); n != min(changed, maxWatchNotes) ||
		changed > n && !strings.Contains(notes, fmt.Sprintf("%d sites with a pending change in total", changed)) {
		t.Errorf("pending: %s", notes)
	}
	m.pass(t, folder, list, half)
	status, messages, notes = m.pass(t, folder, list, 0)
	var got []string
	for _, message := range messages {
		for _, e := range message.Events {
			got = append(got, e.Site)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if status != 1 || !slices.Equal(got, want) {
		t.Errorf("confirmed: status %d, %q, want %q: %s", status, got, want, notes)
	}
	if isList := changed > 20; isList != (len(messages) == 1) ||
		isList && (messages[0].Watched != sites || messages[0].Sites != changed) {
		t.Errorf("%d messages of %d changes", len(messages), changed)
	}
	if status, messages, notes := m.pass(t, folder, list, 0); status != 0 || len(messages) > 0 {
		t.Errorf("afterwards: status %d, %d messages: %s", status, len(messages), notes)
	}
	for _, name := range []string{"watch.db", historyFile} {
		if info, err := os.Stat(filepath.Join(folder, name)); err == nil {
			t.Logf("%s: %.0f bytes a site", name, float64(info.Size())/float64(sites))
		}
	}
}
