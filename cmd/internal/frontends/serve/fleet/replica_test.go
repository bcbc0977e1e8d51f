package fleet_test

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/internal/test/valkeytest"
)

const startTimeout = time.Minute

// folder is where the tool is, for all tests.
var folder string

func TestMain(m *testing.M) {
	flag.Parse()
	if !long {
		// They wait for proxies, leases and faults of the store, and compute little.
		if err := flag.Set("test.parallel", "6"); err != nil {
			panic(err)
		}
	}
	var err error
	folder, err = os.MkdirTemp("", "fleet")
	if err != nil {
		panic(err)
	}
	status := m.Run()
	_ = os.RemoveAll(folder)
	os.Exit(status)
}

// buildTool builds the tool from the workspace, once. The cache keeps programs of "go run", and not
// those of "go build", so tests of several packages link it once.
var buildTool = sync.OnceValues(func() (string, error) {
	program := filepath.Join(folder, "robots")
	if output, err := exec.Command("go", "run", "-exec", "cp", "github.com/kosterhq/robotstxt/cmd/robots", program).CombinedOutput(); err != nil {
		return "", fmt.Errorf("go run: %w\n%s", err, output)
	}
	return program, nil
})

// replica is a "robots serve" that can be killed and started again.
type replica struct {
	t         *testing.T
	program   string
	arguments []string
	address   string
	adminPort string // of /readyz; empty for none
	client    int    // the number in its requests, another one for each process

	mu      sync.Mutex
	process *exec.Cmd
	ended   chan struct{}
	output  bytes.Buffer
}

// startReplicas starts replicas that share a store.
func startReplicas(t *testing.T, n int, store string, flags ...string) (all []*replica) {
	t.Helper()
	for i, port := range valkeytest.FreePorts(t, n) {
		all = append(all, startReplica(t, i, fmt.Sprintf("127.0.0.1:%d", port), store, flags...))
	}
	return all
}

// startReplica starts the replica with the given number. The last flag of a name counts.
func startReplica(t *testing.T, number int, address, store string, flags ...string) *replica {
	t.Helper()
	program, err := buildTool()
	if err != nil {
		t.Fatal(err)
	}
	r := &replica{t: t, program: program, client: number, address: address}
	r.arguments = append([]string{
		"serve", "--listen", r.address, "--admin", "none", "--log", "none", "--proxy", "none",
		"--allow-range", "127.0.0.0/8", "--timeout", fetchTimeout.String(), "--cache", store,
	}, flags...)
	t.Cleanup(r.kill)
	r.start()
	return r
}

// start starts the process, and waits until it answers.
func (r *replica) start() {
	r.t.Helper()
	process := exec.Command(r.program, append(slices.Clip(r.arguments), "--user-agent", userAgent(r.client))...)
	r.client += 100
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

// stop ends the process with SIGTERM, and waits for its end.
func (r *replica) stop() {
	r.t.Helper()
	if err := r.process.Process.Signal(syscall.SIGTERM); err != nil {
		r.t.Fatal(err)
	}
	<-r.ended
	if status := r.process.ProcessState.ExitCode(); status != 0 {
		r.t.Fatalf("a replica ended with the status %d: %s", status, &r.output)
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

// client returns a client that keeps connections to all replicas, which wait for sites for timeout.
func client(timeout time.Duration) *http.Client {
	return &http.Client{
		Timeout:   3 * timeout,
		Transport: &http.Transport{MaxIdleConnsPerHost: 256, DisableCompression: true},
	}
}
