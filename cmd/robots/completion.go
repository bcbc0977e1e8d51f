package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt/cmd/internal/term"
)

// addCompletion adds cobra's completion command, the last to be added. On its own it
// prints its help for a shell that it does not know, and succeeds; a script that
// installs completion would not see the typo.
func addCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	all := root.Commands()
	completion := all[slices.IndexFunc(all, func(c *cobra.Command) bool { return c.Name() == "completion" })]
	var shells []string
	for _, shell := range completion.Commands() {
		shells = append(shells, shell.Name())
		run := shell.RunE
		shell.RunE = func(cmd *cobra.Command, args []string) error { return term.WriteError(run(cmd, args)) }
	}
	completion.Args = cobra.ArbitraryArgs
	completion.RunE = func(_ *cobra.Command, args []string) error {
		hint := "the shells are " + strings.Join(shells, ", ")
		if len(args) == 0 {
			return term.Errorf(hint, "give one shell")
		}
		return term.Errorf(hint, "there is no completion for %q", args[0])
	}
}
