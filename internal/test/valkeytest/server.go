// Package valkeytest starts real Valkey or Redis servers for tests, on free ports of
// the loopback interface. Tests can kill, stop, restart and empty them. If no server
// program is installed, the test is skipped.
package valkeytest

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// programs are tried in this order.
var programs = []string{"valkey-server", "redis-server"}

// startTimeout is long, because the machine might be busy.
const startTimeout = time.Minute

// Server is one server process. If a method fails, it fails the test that started the
// server.
type Server struct {
	t         testing.TB
	program   string
	arguments []string
	port      int
	process   *exec.Cmd
	exited    chan struct{}
	output    bytes.Buffer // can be read after exited is closed
}

// Start starts a server without persistence. Additional arguments can change that. It
// ends with the test.
func Start(t testing.TB, arguments ...string) *Server {
	t.Helper()
	return start(t, nil, arguments)
}

// start starts a server. first are its first arguments, such as the name of a
// configuration file.
func start(t testing.TB, first, extra []string) *Server {
	t.Helper()
	ports := FreePorts(t, 2)
	s := &Server{t: t, program: find(t), port: ports[0]}
	s.arguments = slices.Concat(first, []string{
		"--bind", "127.0.0.1", "--protected-mode", "no", "--enable-debug-command", "yes",
		"--dir", t.TempDir(), "--save", "", "--rdb-del-sync-files", "yes",
		"--port", strconv.Itoa(ports[0]), "--cluster-port", strconv.Itoa(ports[1]),
	}, extra)
	t.Cleanup(s.Kill)
	if err := s.exec(); err != nil {
		t.Fatalf("%s does not start: %v", s.program, err)
	}
	return s
}

func find(t testing.TB) string {
	t.Helper()
	for _, program := range programs {
		if path, err := exec.LookPath(program); err == nil {
			return path
		}
	}
	t.Skipf("NOT TESTED: none of %s is installed: apt-get install redis-server", strings.Join(programs, ", "))
	return ""
}

// FreePorts returns unused ports. On Linux they stay reserved until the end of the test, so
// that a server gets its port again after a restart.
func FreePorts(t testing.TB, n int) []int {
	t.Helper()
	ports := make([]int, n)
	for i := range ports {
		port, release, err := reservePort()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(release)
		ports[i] = port
	}
	return ports
}

func (s *Server) exec() error {
	s.output.Reset()
	s.process = exec.Command(s.program, s.arguments...)
	s.process.Stdout, s.process.Stderr = &s.output, &s.output
	if err := StartProcess(s.process); err != nil {
		return err
	}
	s.exited = make(chan struct{})
	go func(process *exec.Cmd, exited chan struct{}) {
		_ = process.Wait() // the process is usually killed, so its status does not matter
		close(exited)
	}(s.process, s.exited)
	return s.waitUntilReady()
}

func (s *Server) waitUntilReady() error {
	for deadline := time.Now().Add(startTimeout); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		select {
		case <-s.exited:
			return fmt.Errorf("the process ended: %s", &s.output)
		default:
		}
		if _, err := s.do("PING"); err == nil {
			return nil
		}
	}
	return fmt.Errorf("no answer for %v", startTimeout)
}

// WaitUntil polls done, and fails the test if it is not true within a minute.
func WaitUntil(t testing.TB, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(startTimeout); !done(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited %v in vain until %s", startTimeout, what)
		}
	}
}

// Addr returns the address of the form host:port.
func (s *Server) Addr() string { return fmt.Sprintf("127.0.0.1:%d", s.port) }

// Kill ends the process with SIGKILL. It does nothing if the process has ended.
func (s *Server) Kill() {
	if s.process == nil || s.process.Process == nil {
		return // it was never started
	}
	_ = s.process.Process.Kill() // its only error is that there is no process
	<-s.exited
}

// Restart kills the process if it runs, and starts it again on the same port. Without
// persistence it is empty.
func (s *Server) Restart() {
	s.t.Helper()
	s.Kill()
	if err := s.exec(); err != nil {
		s.t.Fatalf("%s does not restart: %v", s.program, err)
	}
}

// Stop suspends the process until [Server.Cont]. The kernel still accepts connections
// for it.
func (s *Server) Stop() {
	s.t.Helper()
	if err := stopProcess(s.process.Process); err != nil {
		s.t.Fatal(err)
	}
}

// Cont resumes a suspended process.
func (s *Server) Cont() {
	s.t.Helper()
	if err := continueProcess(s.process.Process); err != nil {
		s.t.Fatal(err)
	}
}

// Flush removes all keys.
func (s *Server) Flush() {
	s.t.Helper()
	s.Do("FLUSHALL")
}

// Do sends a command over a new connection. It returns the reply as a string, int64,
// []any or nil.
func (s *Server) Do(arguments ...string) any {
	s.t.Helper()
	reply, err := s.do(arguments...)
	if err != nil {
		s.t.Fatalf("%s at %s: %v", strings.Join(arguments, " "), s.Addr(), err)
	}
	return reply
}

func (s *Server) do(arguments ...string) (any, error) {
	conn, err := net.DialTimeout("tcp", s.Addr(), time.Minute)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		return nil, err
	}
	if err := writeCommand(conn, arguments); err != nil {
		return nil, err
	}
	return readReply(bufio.NewReader(conn))
}

// StartSentinel starts a sentinel that monitors a server under the name mymaster. It
// starts a failover after half a second without an answer.
func StartSentinel(t testing.TB, master *Server) *Server {
	t.Helper()
	settings := filepath.Join(t.TempDir(), "sentinel.conf")
	text := fmt.Sprintf("sentinel monitor mymaster 127.0.0.1 %d 1\n"+
		"sentinel down-after-milliseconds mymaster 500\nsentinel failover-timeout mymaster 2000\n", master.port)
	if err := os.WriteFile(settings, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return start(t, []string{settings, "--sentinel"}, nil)
}
