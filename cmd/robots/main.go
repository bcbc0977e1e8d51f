// Command robots checks which URLs crawlers may fetch by a robots.txt, and shows which
// line decides. "robots help" and "robots man" print its manual.
package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"time"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/files"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/panics"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

func main() {
	// Ctrl-C is handled only while sites are fetched or a file is written, so that it
	// immediately ends a command that waits for its input. SIGPIPE is not handled, so
	// that "robots … | head" ends without a message, like other tools.
	exit(run(context.Background(), os.Args[1:], os.Getenv, os.Stdin, os.Stdout, os.Stderr))
}

func exit(code int) {
	if code == exitInterrupted {
		dieInterrupted()
	}
	os.Exit(code)
}

// untilInterrupted returns a context that Ctrl-C ends, so that the answers so far can
// still be printed. A second Ctrl-C ends the process.
func untilInterrupted(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// dieInterrupted ends the process by the signal of Ctrl-C, because a shell that runs
// the tool in a loop ends the loop only then. It returns on systems on which a process
// cannot signal itself.
func dieInterrupted() {
	signal.Reset(os.Interrupt)
	if self, err := os.FindProcess(os.Getpid()); err == nil && self.Signal(os.Interrupt) == nil {
		time.Sleep(time.Second) // for it to arrive
	}
}

func run(ctx context.Context, args []string, getenv func(string) string,
	stdin io.Reader, stdout, stderr io.Writer) int {
	t := &term.Terminal{In: stdin, Out: stdout, Err: stderr, Getenv: getenv}
	root := newRootFor(t, args)
	printed := root.OutOrStdout().(*checkedWriter)
	root.SetArgs(withOverview(root, args))
	if isCompletion(args) {
		registerCompletions(root)
	}
	var cmd *cobra.Command
	err := panics.Contain("robots", nil, func() (err error) { cmd, err = root.ExecuteContextC(ctx); return err })
	if err == nil {
		err = term.WriteError(printed.failed)
	}
	switch {
	case err == nil:
		return exitAllowed
	case errors.Is(err, errDisallowed), errors.Is(err, errFound):
		return exitDisallowed
	case errors.Is(err, errShown):
		return exitUnknown
	}
	// An error of cobra on the root means that the command does not exist, because
	// cobra parses flags only after it has found the command.
	if f := (*term.Error)(nil); cmd == root && !errors.As(err, &f) {
		err = unknownCommand(root, args)
	}
	t.PrintError(err)
	if errors.Is(err, errInterrupted) || errors.Is(err, files.ErrInterrupted) {
		return exitInterrupted
	}
	return exitUnknown
}

// checkedWriter keeps the first error of what cobra prints, such as help, because cobra drops it.
type checkedWriter struct {
	to     io.Writer
	failed error
}

func (w *checkedWriter) Write(text []byte) (int, error) {
	n, err := w.to.Write(text)
	if w.failed == nil {
		w.failed = err
	}
	return n, err
}

// orInterrupted returns errInterrupted if the context has ended, which only Ctrl-C
// does, and otherwise err.
func orInterrupted(err error) error {
	if errors.Is(err, context.Canceled) {
		return errInterrupted
	}
	return err
}
