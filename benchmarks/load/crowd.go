package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"time"
)

// crowdCommand is the first argument of a process that attacks a service. The clients of an
// attack are not in the process that measures, because its latencies would be theirs too.
const crowdCommand = "crowd"

// crowd is such a process. Its arguments are the key of the attack and the address; the
// listener of hostile sites is its first extra file.
func crowd(arguments []string) error {
	if len(arguments) != 2 {
		return errors.New("want an attack, and an address")
	}
	i := slices.IndexFunc(attacks, func(k attack) bool { return k.key() == arguments[0] })
	if i < 0 {
		return fmt.Errorf("there is no attack %q", arguments[0])
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin) // ends with the parent
		cancel()
	}()
	l, err := net.FileListener(os.NewFile(3, "sites"))
	if err != nil {
		return err
	}
	a := &attacked{address: arguments[1], port: l.Addr().(*net.TCPAddr).Port}
	if attacks[i].site != nil {
		go func() { _ = http.Serve(l, a.server(attacks[i].site(a))) }() // ends with the process
	}
	go func() {
		reports := json.NewEncoder(os.Stdout)
		for range time.Tick(100 * time.Millisecond) {
			_ = reports.Encode(a.seen()) // the parent may have ended
		}
	}()
	attacks[i].run(ctx, a)
	return nil
}

// crowdProcess is a crowd, as the process that measures knows it.
type crowdProcess struct {
	process *exec.Cmd
	input   io.Closer
	latest  chan seen
	ended   chan struct{}
}

// startCrowd starts a crowd with the listener of its sites.
func startCrowd(k *attack, address string, sites *os.File) (*crowdProcess, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	c := &crowdProcess{latest: make(chan seen, 1), ended: make(chan struct{})}
	c.process = exec.Command(self, crowdCommand, k.key(), address)
	c.process.Env = append(os.Environ(), "GOMAXPROCS=1")
	c.process.Stderr = os.Stderr
	c.process.ExtraFiles = []*os.File{sites}
	if c.input, err = c.process.StdinPipe(); err != nil {
		return nil, err
	}
	output, err := c.process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	endWithParent(c.process)
	go func() {
		defer close(c.ended)
		for reports := json.NewDecoder(bufio.NewReader(output)); ; {
			var s seen
			if err := reports.Decode(&s); err != nil {
				return
			}
			select { // the reader may have taken it, or not
			case <-c.latest:
			default:
			}
			c.latest <- s
		}
	}()
	return c, c.process.Start()
}

// seen returns what the crowd has seen, zeros if it has ended early.
func (c *crowdProcess) seen() seen {
	select {
	case s := <-c.latest:
		return s
	case <-c.ended:
		return seen{}
	}
}

// stop ends the process.
func (c *crowdProcess) stop() {
	_ = c.input.Close()
	select {
	case <-c.ended:
	case <-time.After(5 * time.Second):
		_ = c.process.Process.Kill()
		<-c.ended
	}
	_ = c.process.Wait() // how it ends does not matter
}
