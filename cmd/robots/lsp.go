package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt/cmd/internal/languageserver"
	"github.com/kosterhq/robotstxt/cmd/internal/lintconfig"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
)

func newLSP(t *term.Terminal) *cobra.Command {
	var f profileFlags
	cmd := &cobra.Command{
		Use:   "lsp [flags]",
		Short: "Check robots.txt files in an editor, as a language server",
		Long: `Serve the Language Server Protocol on standard input and standard output. Editors
start this command; docs/editors.md shows the settings of some. It uses no network.

An editor shows the findings of "robots lint" while a robots.txt is edited, with their
fixes, the colours of its parts, facts about crawlers and rules, completions, an
outline, folds, and, above each group, what it closes for how many crawlers and what
it opens and closes since the last commit, if git has one. The action source.fixAll
makes the fixes of "robots lint --fix", which are proved to change no verdict; other
fixes say that they may change verdicts. Formatting is that of "robots fmt".

Settings are read from the .robotslint.yaml in the folder of a file or above, as in
"robots lint", and read again when the editor reports that one has changed. The
settings exclude and fail-on have no effect.

While a file is edited, the search for rules that decide nothing has a small budget.
When it is opened or saved, the budget is that of "robots lint". A file over 1 MiB is
not checked.

Exit status: 0 if the editor ends the session as the protocol says, 1 if it ends
without the request shutdown, 2 after malformed input.`,
		Example: `  robots lsp
  robots lsp --profile production`,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return term.Errorf("leave it out; the editor names its files", "robots lsp takes no argument: %q", args[0])
			}
			return f.serve(cmd.Context(), t)
		},
	}
	f.define(cmd)
	return cmd
}

// serve serves the editor at standard input and output.
func (f *profileFlags) serve(ctx context.Context, t *term.Terminal) error {
	if term.IsTerminal(t.In) {
		return term.Errorf(`set it as the language server of an editor; "robots lint FILE" checks a file here`,
			"robots lsp is started by an editor, and standard input is a terminal")
	}
	settings := func() (*lintconfig.Finder, error) { return f.finder(lintconfig.Settings{Profile: f.profile}) }
	if _, err := settings(); err != nil {
		return err
	}
	err := languageserver.Serve(ctx, t.In, t.Out, languageserver.Config{Settings: settings, Committed: languageserver.Committed, Version: build().version})
	switch {
	case errors.Is(err, languageserver.ErrNoShutdown):
		return errFound
	case err != nil:
		return fmt.Errorf("the session ends: %w", err)
	}
	return nil
}
