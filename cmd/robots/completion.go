package main

import (
	"bytes"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt/cmd/internal/term"
)

// shells write a completion script for the whole command line.
var shells = []struct {
	name  string
	write func(root *cobra.Command, out *bytes.Buffer) error
}{
	{"bash", func(root *cobra.Command, out *bytes.Buffer) error { return root.GenBashCompletionV2(out, true) }},
	{"zsh", func(root *cobra.Command, out *bytes.Buffer) error { return root.GenZshCompletion(out) }},
	{"fish", func(root *cobra.Command, out *bytes.Buffer) error { return root.GenFishCompletion(out, true) }},
	{"powershell", func(root *cobra.Command, out *bytes.Buffer) error { return root.GenPowerShellCompletionWithDesc(out) }},
}

// newCompletion replaces cobra's own completion command, which takes a shell
// that it does not know for a call for help, and succeeds.
func newCompletion(t *term.Terminal) *cobra.Command {
	var names []string
	for _, shell := range shells {
		names = append(names, shell.name)
	}
	return &cobra.Command{
		Use:   "completion " + strings.Join(names, "|"),
		Short: "Print a script that completes commands and flags in a shell",
		Long: `Print a script that completes commands and flags in a shell.

Put it where your shell looks for such scripts, or read it at every start.`,
		Example: `  robots completion bash > /etc/bash_completion.d/robots
  robots completion zsh > "${fpath[1]}/_robots"
  robots completion fish > ~/.config/fish/completions/robots.fish
  robots completion powershell | Out-String | Invoke-Expression`,
		ValidArgs:             names,
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			hint := "the shells are " + strings.Join(names, ", ")
			if len(args) != 1 {
				return term.Errorf(hint, "give one shell")
			}
			for _, shell := range shells {
				if shell.name == args[0] {
					var script bytes.Buffer
					if err := shell.write(cmd.Root(), &script); err != nil {
						return err
					}
					_, err := t.Out.Write(script.Bytes())
					return term.WriteError(err)
				}
			}
			return term.Errorf(hint, "there is no completion for %q", args[0])
		},
	}
}
