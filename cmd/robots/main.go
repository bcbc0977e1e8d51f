// Command robots tells which URLs a robots.txt allows to which crawler, and
// which line decides. "robots help" and "robots man" are its manual.
package main

import (
	"context"
	"errors"
	"io"
	"os"
)

// The exit codes. Scripts rely on them: a doubt is never taken for a verdict.
const (
	exitAllowed    = 0 // every URL is allowed to every crawler asked for
	exitDisallowed = 1 // at least one is not
	exitUnknown    = 2 // it could not be told: wrong usage, unreadable input
)

// errDisallowed ends a command that answered, and had to disallow something.
// Nothing is printed for it.
var errDisallowed = errors.New("something is disallowed")

// errShown ends a command whose user was shown all there is to say.
var errShown = errors.New("shown already")

func main() {
	// There is no handler for Ctrl-C: it shall end a command that waits for its
	// input at once. Nor for SIGPIPE, so "robots … | head" ends as quietly as
	// any other tool.
	os.Exit(run(context.Background(), os.Args[1:], os.Getenv, os.Stdin, os.Stdout, os.Stderr))
}

// run is the whole tool, without a process around it.
func run(ctx context.Context, args []string, getenv func(string) string, stdin io.Reader, stdout, stderr io.Writer) int {
	t := &terminal{in: stdin, out: stdout, err: stderr, getenv: getenv}
	root := newRoot(t)
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	switch {
	case err == nil:
		return exitAllowed
	case errors.Is(err, errDisallowed):
		return exitDisallowed
	case errors.Is(err, errShown):
		return exitUnknown
	}
	// What fails on the root, and is no failure of ours, is a command that
	// does not exist: flags are only looked at once the command is known.
	if f := (*failure)(nil); cmd == root && !errors.As(err, &f) {
		err = unknownCommand(root, args)
	}
	t.report(err)
	return exitUnknown
}
