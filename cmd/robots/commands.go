package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kosterhq/robotstxt/cmd/internal/term"
)

// newRoot defines the whole command line. Help, completion and the man page are
// made from these definitions, so they cannot tell anything else.
func newRoot(t *term.Terminal) *cobra.Command {
	facts := build()
	root := &cobra.Command{
		Use:                   "robots",
		DisableFlagsInUseLine: true,
		Short:                 "Which URLs does a robots.txt allow, and which line decides?",
		Long: `Which URLs does a robots.txt allow to which crawler, and which line decides?

The robots.txt of each URL's site is fetched, unless a file is given with "robots
check --file". Nothing else of a site is fetched. The file is kept in the user's
cache directory for all runs as long as it is fresh; "robots check --cache" names
another place, or none.

Site owners can check such files as well: lint finds what is wrong with one, fmt
lays it out, diff shows what an edit changes, and test holds it against what its
owner expects.

Exit status: 0 if every URL is allowed to every crawler asked for, 1 if at
least one is not, 2 if it could not be told; for lint, fmt and test: 0 if all is
well, 1 if something was found, 2 if it could not be checked; for diff: 0 if no
verdict differs, 1 if one does, 2 if that is undecided.

Colour is used on a terminal, unless the environment sets NO_COLOR.`,
		Example: `  robots check --agent FooBot https://shop.example/cart
  robots explain --file robots.txt --agent Googlebot-News:Googlebot /news/
  robots fetch shop.example
  robots lint robots.txt`,
		Version:       facts.version,
		SilenceErrors: true, // run prints them
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cmd.SetOut(t.Err) // nothing was asked, so this is no answer
			if err := cmd.Help(); err != nil {
				return err
			}
			return errShown
		},
	}
	root.SetIn(t.In)
	root.SetOut(t.Out)
	root.SetErr(t.Err)
	root.SetFlagErrorFunc(flagError)
	root.SetVersionTemplate("robots " + facts.long() + "\n")
	root.AddCommand(newCheck(t), newExplain(t), newDiff(t), newMinimize(t), newTest(t), newLint(t), newFmt(t), newFetch(t), newPolicy(t), newCrawlers(t), newCache(t), newMan(t), newVersion(t))
	addCompletion(root)
	root.SetHelpCommand(newHelp())
	return root
}

// newHelp is cobra's help command, but for an unknown topic being an error.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [command]",
		Short: "Show how a command is used",
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) (names []string, _ cobra.ShellCompDirective) {
			if len(args) == 0 {
				for _, c := range cmd.Root().Commands() {
					names = append(names, cobra.CompletionWithDesc(c.Name(), c.Short))
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			topic, _, err := cmd.Root().Find(args)
			if err != nil {
				return unknownCommand(cmd.Root(), args)
			}
			topic.InitDefaultHelpFlag()
			return topic.Help()
		},
	}
}

// flagError returns an error of the flag parser with a hint.
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
