package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"time"
)

// crowdCommand is the first argument of a process that attacks a service. The clients of an
// attack are not in the process that measures, because its latencies would be theirs too.
const crowdCommand = "crowd"

// crowd is such a process. Its arguments are the name of the attack and the address.
func crowd(arguments []string) error {
	if len(arguments) != 2 {
		return errors.New("want the name of an attack, and an address")
	}
	i := slices.IndexFunc(attacks, func(k attack) bool { return k.name == arguments[0] })
	if i < 0 {
		return fmt.Errorf("there is no attack %q", arguments[0])
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin) // ends with the parent
		cancel()
	}()
	a := &attacked{address: arguments[1]}
	go func() {
		for range time.Tick(100 * time.Millisecond) {
			fmt.Println(a.open.Load(), a.opened.Load())
		}
	}()
	attacks[i].run(ctx, a)
	return nil
}

// crowdProcess is a crowd, as the process that measures knows it.
type crowdProcess struct {
	process *exec.Cmd
	input   io.Closer
	counts  chan [2]int // connections that are open, and that were opened; the latest ones
}

func startCrowd(k *attack, address string) (*crowdProcess, error) {
	if k.one == nil {
		return nil, nil
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	c := &crowdProcess{process: exec.Command(self, crowdCommand, k.name, address), counts: make(chan [2]int, 1)}
	c.process.Env = append(os.Environ(), "GOMAXPROCS=1")
	c.process.Stderr = os.Stderr
	if c.input, err = c.process.StdinPipe(); err != nil {
		return nil, err
	}
	output, err := c.process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	go func() {
		for lines := bufio.NewScanner(output); lines.Scan(); {
			var counts [2]int
			if _, err := fmt.Sscan(lines.Text(), &counts[0], &counts[1]); err != nil {
				return
			}
			select { // the reader may have taken it, or not
			case <-c.counts:
			default:
			}
			c.counts <- counts
		}
	}()
	return c, c.process.Start()
}

// connections returns how many connections are open, and how many were opened.
func (c *crowdProcess) connections() (open, opened int) {
	if c == nil {
		return 0, 0
	}
	counts := <-c.counts
	return counts[0], counts[1]
}

// stop ends the process.
func (c *crowdProcess) stop() {
	if c != nil {
		_ = c.input.Close()
		_ = c.process.Wait() // how it ends does not matter
	}
}
