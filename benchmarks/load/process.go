package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
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

// child is a process that this one has started.
type child struct {
	process *exec.Cmd
	ended   chan error
}

// startChild starts a process, which ends with this one. It calls line for each line of the
// output. The same goroutine must call stop.
func startChild(process *exec.Cmd, line func(string)) (*child, error) {
	c := &child{process, make(chan error, 1)}
	output, err := process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	runtime.LockOSThread() // see endWithParent; until stop
	endWithParent(process)
	if err := process.Start(); err != nil {
		runtime.UnlockOSThread()
		return nil, err
	}
	go func() {
		for lines := bufio.NewScanner(output); lines.Scan(); {
			line(lines.Text())
		}
		c.ended <- process.Wait()
	}()
	return c, nil
}

// hasEnded reports whether the process has ended by itself, or by an interrupt.
func (c *child) hasEnded() bool { return len(c.ended) > 0 }

// stop ends the process, and waits until it has ended.
func (c *child) stop() {
	defer runtime.UnlockOSThread()
	_ = c.process.Process.Signal(syscall.SIGTERM) // it might have ended
	select {
	case <-c.ended:
	case <-time.After(5 * time.Second):
		_ = c.process.Process.Kill()
		<-c.ended
	}
}

func (c *child) usage() usage { return usageOf(c.process.Process.Pid) }

// service is a running "robots serve".
type service struct {
	*child
	address string // host:port
}

// startTimeout is long, because the machine might be busy.
const startTimeout = 20 * time.Second

// privateFlags are the flags that let a service fetch from this machine's own sites.
var privateFlags = []string{"--allow-range", "127.0.0.0/8", "--proxy", "none"}

// startService starts the service on a free port of loopback, and lets it fetch the files of
// some sites.
func (r *run) startService(known []*site, flags []string, environment ...string) (*service, error) {
	own := []string{"serve", "--listen", "127.0.0.1:0", "--cache", "none", "--admin", "127.0.0.1:0", "--log", "none"}
	command := exec.Command(r.program, slices.Concat(own, flags, r.flags)...)
	command.Env = slices.Concat(os.Environ(), environment, []string{fmt.Sprintf("GOMAXPROCS=%d", r.procs)})
	var problems bytes.Buffer // to be read after the end
	command.Stderr = &problems
	address := make(chan string, 1)
	process, err := startChild(command, func(line string) {
		if _, after, found := strings.Cut(line, "http://"); found && len(address) == 0 {
			address <- strings.TrimRight(strings.Fields(after)[0], "/")
		}
	})
	if err != nil {
		return nil, err
	}
	s := &service{child: process}
	select {
	case s.address = <-address:
		if err = s.warm(known); err == nil {
			return s, nil
		}
	case err = <-s.ended:
		s.ended <- err
		err = cmp.Or(err, errors.New("it has ended"))
	case <-time.After(startTimeout):
		err = errors.New("it prints no address")
	}
	s.stop()
	return nil, fmt.Errorf("%s: %w\n%s", command, err, &problems)
}
