package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// buildTool builds the tool from this workspace, with the cache of other builds.
func buildTool(ctx context.Context, folder string) (string, error) {
	program := filepath.Join(folder, "robots")
	build := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-o", program, "github.com/kosterhq/robotstxt/cmd/robots")
	if output, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, output)
	}
	return program, nil
}

// service is a running "robots serve".
type service struct {
	address string // host:port
	process *exec.Cmd
	errors  *tail
	ended   chan error
}

// startTimeout is long, because the machine may be busy.
const startTimeout = 20 * time.Second

// privateFlags are those of a service for this machine, which may fetch from its sites.
var privateFlags = []string{"--allow-range", "127.0.0.0/8", "--proxy", "none"}

// startService starts the service on a free port of loopback, and lets it fetch the files of
// some sites. The same goroutine must call stop.
func (r *run) startService(program string, known []*site, flags []string, environment ...string) (*service, error) {
	arguments := slices.Concat([]string{"serve", "--listen", "127.0.0.1:0", "--store", "none", "--admin", "127.0.0.1:0", "--log", "none"}, flags, strings.Fields(r.flags))
	s := &service{process: exec.Command(program, arguments...), errors: &tail{}, ended: make(chan error, 1)}
	s.process.Env = slices.Concat(os.Environ(), environment, []string{fmt.Sprintf("GOMAXPROCS=%d", r.procs)})
	s.process.Stderr = s.errors
	output, err := s.process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	runtime.LockOSThread() // see endWithParent; until stop
	endWithParent(s.process)
	if err := s.process.Start(); err != nil {
		return nil, err
	}
	address := make(chan string, 1)
	go func() {
		lines := bufio.NewScanner(io.TeeReader(output, s.errors))
		for lines.Scan() {
			if _, after, found := strings.Cut(lines.Text(), "http://"); found && len(address) == 0 {
				address <- strings.TrimRight(strings.Fields(after)[0], "/")
			}
		}
		s.ended <- s.process.Wait()
	}()
	select {
	case s.address = <-address:
		if err = warm(s, known); err == nil {
			return s, nil
		}
	case err = <-s.ended:
		s.ended <- err
	case <-time.After(startTimeout):
		err = errors.New("it prints no address")
	}
	s.stop()
	return nil, fmt.Errorf("%s: %w\n%s", strings.Join(s.process.Args, " "), cmp.Or(err, errors.New("it has ended")), s.errors)
}

// hasEnded reports whether the process has ended by itself, or by an interrupt.
func (s *service) hasEnded() bool { return len(s.ended) > 0 }

// stop ends the service, and waits until it has ended.
func (s *service) stop() {
	defer runtime.UnlockOSThread()
	_ = s.process.Process.Signal(syscall.SIGTERM) // it may have ended
	select {
	case <-s.ended:
	case <-time.After(5 * time.Second):
		_ = s.process.Process.Kill()
		<-s.ended
	}
}

// usage is what a process has used.
type usage struct {
	cpu            time.Duration
	resident, peak int64 // bytes
}

// tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	if surplus := len(t.text) - 4<<10; surplus > 0 {
		t.text = t.text[surplus:]
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.text)
}
