package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kosterhq/robotstxt/cmd/internal/term"
)

// flagError turns an error of the flag parser into a failure.
func flagError(cmd *cobra.Command, err error) error {
	hint := fmt.Sprintf("see %q", cmd.CommandPath()+" --help")
	unknown := (*pflag.NotExistError)(nil)
	if !errors.As(err, &unknown) {
		return term.Errorf(hint, "%s", term.Escape(err.Error()))
	}
	if name := unknown.GetSpecifiedName(); len(name) > 1 {
		var known []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
		if near := term.Closest(name, known); near != "" {
			hint = fmt.Sprintf("did you mean --%s?", near)
		}
		return term.Errorf(hint, "%s has no flag %q", cmd.CommandPath(), "--"+name)
	}
	return term.Errorf(hint, "%s has no flag %q", cmd.CommandPath(), "-"+unknown.GetSpecifiedName())
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
	if near := term.Closest(name, known); near != "" {
		hint = fmt.Sprintf("did you mean %q?", root.CommandPath()+" "+near)
	}
	return term.Errorf(hint, "there is no command %q", name)
}
