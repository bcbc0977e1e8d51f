package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kosterhq/robotstxt/internal/typo"
)

// failure is an error as the user shall read it: what is wrong, and what to do
// about it.
type failure struct {
	what string
	hint string // may be empty
}

func (f *failure) Error() string { return f.what }

// fail returns a failure. What it quotes should go through %q, as names and
// arguments may hold anything.
func fail(hint, format string, args ...any) error {
	return &failure{what: fmt.Sprintf(format, args...), hint: hint}
}

// report prints an error, once, at the very end. A closed pipe is no error but
// a reader who has seen enough.
func (t *terminal) report(err error) {
	if errors.Is(err, syscall.EPIPE) {
		return
	}
	fmt.Fprintf(t.err, "robots: %s\n", withoutOrders(err.Error()))
	if f := (*failure)(nil); errors.As(err, &f) && f.hint != "" {
		t.hint(f.hint)
	}
}

// cannotWrite says that the answers did not arrive.
func cannotWrite(err error) error {
	if err == nil || errors.Is(err, syscall.EPIPE) {
		return err
	}
	return fail("the answers above are incomplete", "cannot write the output: %v", cause(err))
}

// orInterrupted returns err, put into words if it is that the context has ended:
// nothing but Ctrl-C ends it.
func orInterrupted(err error) error {
	if errors.Is(err, context.Canceled) {
		return errInterrupted
	}
	return err
}

// flagError turns an error of the flag parser into a failure.
func flagError(cmd *cobra.Command, err error) error {
	hint := fmt.Sprintf("see %q", cmd.CommandPath()+" --help")
	unknown := (*pflag.NotExistError)(nil)
	if !errors.As(err, &unknown) {
		return fail(hint, "%s", escape(err.Error()))
	}
	if name := unknown.GetSpecifiedName(); len(name) > 1 {
		var known []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
		if near := closest(name, known); near != "" {
			hint = fmt.Sprintf("did you mean --%s?", near)
		}
		return fail(hint, "%s has no flag %q", cmd.CommandPath(), "--"+name)
	}
	return fail(hint, "%s has no flag %q", cmd.CommandPath(), "-"+unknown.GetSpecifiedName())
}

// unknownCommand says that the first argument that is no flag names no command.
func unknownCommand(root *cobra.Command, args []string) error {
	name := ""
	for _, arg := range args {
		if !strings.HasPrefix(arg, "-") {
			name = arg
			break
		}
	}
	var known []string
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() || c.Name() == "help" {
			known = append(known, c.Name())
		}
	}
	hint := "the commands are " + strings.Join(known, ", ")
	if near := closest(name, known); near != "" {
		hint = fmt.Sprintf("did you mean %q?", root.CommandPath()+" "+near)
	}
	return fail(hint, "there is no command %q", name)
}

// closest returns the name that is most likely meant by a misspelt one, "" if
// none is near.
func closest(misspelt string, names []string) string {
	best, least := "", 3 // with two typos it is still the same word
	for _, name := range names {
		n, near := typo.Distance(misspelt, name, least-1)
		if len(misspelt) > 1 && strings.HasPrefix(name, misspelt) {
			n, near = 1, least > 1 // cut short
		}
		if near && n < len(name) {
			best, least = name, n
		}
	}
	return best
}
