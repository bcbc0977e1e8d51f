// Command robots tells which URLs a robots.txt allows to which crawler, and
// which line decides. "robots help" and "robots man" are its manual.
package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/term"
)

// The exit codes. Scripts rely on them: a doubt is never taken for a verdict.
const (
	exitAllowed    = 0 // every URL is allowed to every crawler asked for
	exitDisallowed = 1 // at least one is not
	exitUnknown    = 2 // it could not be told: wrong usage, unreadable input

	exitInterrupted = 130 // by Ctrl-C, as shells count it
)

// errDisallowed ends a command that answered, and had to disallow something.
// Nothing is printed for it.
var errDisallowed = errors.New("something is disallowed")

// errFound ends a command that looked for something wrong, and has shown it.
var errFound = errors.New("something is wrong with a file")

// errShown ends a command whose user was shown all there is to say.
var errShown = errors.New("shown already")

// errInterrupted ends a command that Ctrl-C has ended.
var errInterrupted = term.Errorf("the answers above are right, but not all", "interrupted")

func main() {
	// There is no handler for Ctrl-C, except while sites are asked or a file is
	// replaced: it shall end a command that waits for its input at once. Nor for SIGPIPE, so
	// "robots … | head" ends as quietly as any other tool.
	exit(run(context.Background(), os.Args[1:], os.Getenv, os.Stdin, os.Stdout, os.Stderr))
}

func exit(code int) {
	if code == exitInterrupted {
		dieInterrupted()
	}
	os.Exit(code)
}

// untilInterrupted returns a context that Ctrl-C ends, so that what is answered
// can still be printed. A second one ends the process.
func untilInterrupted(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// dieInterrupted ends the process as Ctrl-C does that nobody handles, because a
// shell that runs us in a loop ends the loop only then. It returns where a
// process cannot signal itself.
func dieInterrupted() {
	signal.Reset(os.Interrupt)
	if self, err := os.FindProcess(os.Getpid()); err == nil && self.Signal(os.Interrupt) == nil {
		time.Sleep(time.Second) // for it to arrive
	}
}

// run is the whole tool, without a process around it.
func run(ctx context.Context, args []string, getenv func(string) string, stdin io.Reader, stdout, stderr io.Writer) int {
	t := &term.Terminal{In: stdin, Out: stdout, Err: stderr, Getenv: getenv}
	root := newRoot(t)
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	switch {
	case err == nil:
		return exitAllowed
	case errors.Is(err, errDisallowed), errors.Is(err, errFound):
		return exitDisallowed
	case errors.Is(err, errShown):
		return exitUnknown
	}
	// What fails on the root, and is no failure of ours, is a command that
	// does not exist: flags are only looked at once the command is known.
	if f := (*term.Error)(nil); cmd == root && !errors.As(err, &f) {
		err = unknownCommand(root, args)
	}
	t.PrintError(err)
	if errors.Is(err, errInterrupted) {
		return exitInterrupted
	}
	return exitUnknown
}

// orInterrupted returns err, put into words if it is that the context has ended:
// nothing but Ctrl-C ends it.
func orInterrupted(err error) error {
	if errors.Is(err, context.Canceled) {
		return errInterrupted
	}
	return err
}
