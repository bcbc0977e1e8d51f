package replicas_test

import (
	"bufio"
	"bytes"
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cache/valkey/internal/valkeytest"
)

const startTimeout = 30 * time.Second

// buildTool builds the tool from the workspace.
func buildTool(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "robots")
	build := exec.Command("go", "build", "-o", program, "github.com/kosterhq/robotstxt/cmd/robots")
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, output)
	}
	return program
}

// replica is a "robots serve" that can be killed and started again.
type replica struct {
	t         *testing.T
	program   string
	arguments []string
	address   string

	mu      sync.Mutex
	process *exec.Cmd
	ended   chan struct{}
	output  bytes.Buffer
}

// startReplicas starts replicas that share a store.
func startReplicas(t *testing.T, n int, store string) (all []*replica) {
	t.Helper()
	program := buildTool(t)
	ports := valkeytest.FreePorts(t, n)
	for _, port := range ports {
		r := &replica{t: t, program: program, address: fmt.Sprintf("127.0.0.1:%d", port)}
		r.arguments = []string{
			"serve", "--listen", r.address, "--admin", "none", "--log", "none", "--proxy", "none",
			"--allow-range", "127.0.0.0/8", "--timeout", fetchTimeout.String(), "--store", store,
		}
		t.Cleanup(r.kill)
		r.start()
		all = append(all, r)
	}
	return all
}

// start starts the process, and waits until it answers.
func (r *replica) start() {
	r.t.Helper()
	process := exec.Command(r.program, r.arguments...)
	errors, ready, ended := &r.output, make(chan struct{}), make(chan struct{})
	process.Stderr = errors
	output, err := process.StdoutPipe()
	if err != nil {
		r.t.Fatal(err)
	}
	if err := valkeytest.StartProcess(process); err != nil {
		r.t.Fatal(err)
	}
	r.mu.Lock()
	r.process, r.ended = process, ended
	r.mu.Unlock()
	go func() {
		lines := bufio.NewScanner(output)
		if lines.Scan() && strings.Contains(lines.Text(), r.address) {
			close(ready)
		}
		for lines.Scan() {
		}
		_ = process.Wait() // it is killed
		close(ended)
	}()
	select {
	case <-ready:
	case <-ended:
		r.t.Fatalf("a replica has ended: %s", errors)
	case <-time.After(startTimeout):
		r.t.Fatal("a replica does not start")
	}
}

// kill ends the process with SIGKILL.
func (r *replica) kill() {
	r.mu.Lock()
	process, ended := r.process, r.ended
	r.mu.Unlock()
	if process != nil {
		_ = process.Process.Kill() // it may have ended
		<-ended
	}
}

// client returns a client that keeps connections to all replicas.
func client() *http.Client {
	return &http.Client{
		Timeout:   patience,
		Transport: &http.Transport{MaxIdleConnsPerHost: 256, DisableCompression: true},
	}
}
