package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"sync/atomic"
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
	l, err := net.FileListener(os.NewFile(3, "sites"))
	if err != nil {
		return err
	}
	a := &attacked{address: arguments[1], port: l.Addr().(*net.TCPAddr).Port}
	if site := attacks[i].site; site != nil {
		go func() { _ = http.Serve(l, a.server(site)) }() // ends with the process
	}
	go func() {
		reports := json.NewEncoder(os.Stdout)
		for range time.Tick(100 * time.Millisecond) {
			_ = reports.Encode(a.count(func(*seen) {})) // the parent might have ended
		}
	}()
	attacks[i].run(a)
	return nil
}

// crowdProcess is a crowd, as the process that measures knows it.
type crowdProcess struct {
	*child
	latest atomic.Pointer[seen]
}

// seen is what the crowd has seen, zeros if it has not reported.
func (c *crowdProcess) seen() seen {
	if s := c.latest.Load(); s != nil {
		return *s
	}
	return seen{}
}

// startCrowd starts a crowd with the listener of its sites.
func startCrowd(k *attack, address string, sites *os.File) (c *crowdProcess, err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	command := exec.Command(self, crowdCommand, k.key(), address)
	command.Env = append(os.Environ(), "GOMAXPROCS=1")
	command.Stderr = os.Stderr
	command.ExtraFiles = []*os.File{sites}
	c = &crowdProcess{}
	c.child, err = startChild(command, func(line string) {
		var s seen
		if json.Unmarshal([]byte(line), &s) == nil {
			c.latest.Store(&s)
		}
	})
	return c, err
}
