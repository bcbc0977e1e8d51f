package watch

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
)

// Exec starts a command for each message, which it gets as JSON on its standard input.
// No text of a site is among its arguments or in its environment.
type Exec struct {
	Command string    // for sh, on Windows for cmd
	Out     io.Writer // the command's standard output and error
}

// Name returns the command, shortened to a digest.
func (e *Exec) Name() string { return "exec " + uuid(e.Command) }

// Deliver runs the command. A status other than 0 is an error.
func (e *Exec) Deliver(ctx context.Context, m *wire.WatchMessage) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	shell := []string{"sh", "-c"}
	if runtime.GOOS == "windows" {
		shell = []string{"cmd", "/C"}
	}
	c := exec.CommandContext(ctx, shell[0], shell[1], e.Command)
	c.Stdin, c.Stdout, c.Stderr = bytes.NewReader(append(text, '\n')), e.Out, e.Out
	c.WaitDelay = 5 * time.Second
	if err := c.Run(); err != nil {
		return fmt.Errorf("the command of --exec failed: %w", err)
	}
	return nil
}
