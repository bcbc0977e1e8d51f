package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt/cmd/internal/frontends/languageserver"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/maintain/lintconfig"
)

func newLSP(t *term.Terminal) *cobra.Command {
	var f profileFlags
	cmd := &cobra.Command{
		Use:   "lsp [flags]",
		Short: "Check robots.txt files in an editor, as a language server",
		Long: `Serve the Language Server Protocol on standard input and standard output. Editors
start this command; docs/editors.md shows the settings of some. It uses no network.

While you edit a robots.txt, the editor shows the findings of "robots lint" with their
fixes, colours, facts about crawlers and rules, completions, an outline and folds. Above
each group it shows what the group closes and for how many crawlers, and what it opens
and closes since the last Git commit. The action source.fixAll makes the fixes of "robots
lint --fix", which are proved to change no verdict. The titles of other fixes warn you
that they can change verdicts. The editor formats a file as "robots fmt" does.

robots lsp reads its settings from the .robotslint.yaml in a file's folder or above, as
"robots lint" does, and reads them again when the editor reports a change. The settings
exclude and fail-on have no effect.

While you type, the search for rules that decide nothing has a small budget. When you
open or save a file, it has the same budget as in "robots lint". Files over 1 MiB are
not checked.

Exit status: 0 if the editor ends the session as the protocol requires, 1 if it ends
without the request shutdown, 2 after malformed input.`,
		Example: `  robots lsp
  robots lsp --profile production`,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return term.Errorf("robots lsp takes no argument: %q", args[0]).Hint("omit it; the editor names its files")
			}
			return f.serve(cmd.Context(), t)
		},
	}
	f.define(cmd)
	return cmd
}

func (f *profileFlags) serve(ctx context.Context, t *term.Terminal) error {
	if term.IsTerminal(t.In) {
		return term.Errorf("an editor must start robots lsp, but standard input is a terminal").Hint(`set it as the language server of an editor; "robots lint FILE" checks a file here`)
	}
	settings := func() (*lintconfig.Finder, error) { return f.finder(t, lintconfig.Settings{Profile: f.profile}) }
	if _, err := settings(); err != nil {
		return err
	}
	err := languageserver.Serve(ctx, t.In, t.Out,
		languageserver.Config{Settings: settings, Committed: languageserver.Committed, Version: build().version})
	switch {
	case errors.Is(err, languageserver.ErrNoShutdown):
		return errFound
	case err != nil:
		return fmt.Errorf("the session ends: %w", err)
	}
	return nil
}
