package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

// commands are the commands, by name.
var commands = []struct {
	name   string
	define func(*term.Terminal) *cobra.Command
}{
	{"overview", newOverview}, {"check", newCheck}, {"explain", newExplain}, {"diff", newDiff}, {"minimize", newMinimize},
	{"test", newTest}, {"lint", newLint}, {"fmt", newFmt}, {"lsp", newLSP}, {"fetch", newFetch}, {"ai", newAI}, {"permit", newPermit},
	{"policy", newPolicy}, {"crawlers", newCrawlers}, {"generate", newGenerate}, {"audit", newAudit}, {"watch", newWatch},
	{"history", newHistory}, {"visits", newVisits}, {"serve", newServe}, {"cache", newCache}, {manual, newMan}, {"version", newVersion},
}

// manual is the command that describes the others.
const manual = "man"

// newRootFor defines as much of the command line as a run with arguments needs: one command, if it is the first
// argument. Defining all takes longer than most runs.
func newRootFor(t *term.Terminal, args []string) *cobra.Command {
	if len(args) > 0 && args[0] != manual {
		for _, c := range commands {
			if c.name == args[0] {
				return newRootOf(t, c.define)
			}
		}
	}
	return newRoot(t)
}

// newRoot defines the whole command line. Help, completion and the manual page are
// generated from these definitions.
func newRoot(t *term.Terminal) *cobra.Command {
	var all []func(*term.Terminal) *cobra.Command
	for _, c := range commands {
		all = append(all, c.define)
	}
	return newRootOf(t, all...)
}

func newRootOf(t *term.Terminal, defined ...func(*term.Terminal) *cobra.Command) *cobra.Command {
	facts := build()
	showVersion := false
	root := &cobra.Command{
		Use:                   "robots",
		DisableFlagsInUseLine: true,
		Short:                 "Which URLs does a robots.txt allow, and which line decides?",
		Long:                  rootLong,
		Example: `  robots shop.example
  robots check --agent FooBot https://shop.example/cart
  robots explain --file robots.txt --agent Googlebot-News:Googlebot /news/
  robots fetch shop.example
  robots lint robots.txt`,
		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault), // files

		SilenceErrors: true, // run prints them
		SilenceUsage:  true,

		PersistentPreRunE: separateOutputs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if showVersion {
				_, err := fmt.Fprintf(t.Out, "robots %s\n", facts.long())
				return term.WriteError(err)
			}
			cmd.SetOut(t.Err) // printing help is not a verdict
			if err := cmd.Help(); err != nil {
				return err
			}
			return errShown
		},
	}
	root.SetIn(t.In)
	root.SetOut(&checkedWriter{to: t.Out})
	root.SetErr(t.Err)
	root.SetFlagErrorFunc(flagError)
	root.SetHelpFunc(helpOf(t))
	// A version template of cobra would link text/template, with which the linker keeps
	// every exported method of the program.
	root.Flags().BoolVarP(&showVersion, "version", "v", false, "print the version")
	t.Colour = term.ColourAuto
	colours := []string{string(term.ColourAuto), string(term.ColourAlways), string(term.ColourNever)}
	root.PersistentFlags().Var(choice(&t.Colour, colours), "color", "colour the output `WHEN`: "+strings.Join(colours, ", "))
	complete(root, "color", colours)
	for _, define := range defined {
		root.AddCommand(define(t))
	}
	addCompletion(root)
	root.SetHelpCommand(newHelp(t))
	refuseEmpty(root)
	return root
}

const rootLong = `Find out which URLs a robots.txt allows to which crawler, and which line decides.

docs/questions.md at https://github.com/kosterhq/robotstxt answers what people ask
first, such as whether Disallow keeps a page out of Google.

robots fetches the robots.txt of each URL's site, and nothing else. "robots check
--file" reads a file instead. robots keeps fetched files in your cache directory, and
uses them in later runs while they are fresh. Set "robots check --cache" to another
cache, or to none.

"robots shop.example" and "robots robots.txt" show an overview: the file, its problems,
and who may fetch the site. See "robots overview --help" for what else you can give
instead of a command.

If you own a site, you can check your own file: lint finds problems, fmt formats the
file, diff shows what an edit changes, and test checks what you expect of it.

Exit status: 0 if every crawler may fetch every URL, 1 if one may not, 2 if a verdict
is unknown. For lint, fmt and test: 0 without a problem, 1 with one, 2 if something
could not be checked. For diff: 0 if no verdict differs, 1 if one does, 2 if that is
undecided.

robots colours its output on a terminal, unless the environment variable NO_COLOR is
set. If CLICOLOR_FORCE is set to anything but 0, robots colours other output too.
--color takes precedence.`

// newHelp returns cobra's help command, except that an unknown topic is an error, and that the
// network flags are a topic.
func newHelp(t *term.Terminal) *cobra.Command {
	return &cobra.Command{
		Use:   "help [command]",
		Short: "Show how a command is used",
		ValidArgsFunction: func(
			cmd *cobra.Command, args []string, _ string,
		) (names []string, _ cobra.ShellCompDirective) {
			if len(args) == 0 {
				for _, c := range cmd.Root().Commands() {
					names = append(names, cobra.CompletionWithDesc(c.Name(), c.Short))
				}
				names = append(names, cobra.CompletionWithDesc(networkTopic, networkShort))
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && args[0] == networkTopic {
				writeNetworkHelp(t, cmd)
				return nil
			}
			topic, _, err := cmd.Root().Find(args)
			if err != nil {
				return unknownCommand(cmd.Root(), args)
			}
			topic.InitDefaultHelpFlag()
			return topic.Help()
		},
	}
}

// usualFlags are names that other programs have for a flag, and its name here: the first that a command has.
var usualFlags = map[string][]string{
	"addr": {"listen"}, "address": {"listen"}, "bind": {"listen"}, "host": {"listen"}, "port": {"listen"},
	"agent": {"crawler"}, "bot": {"agent", "crawler"}, "crawler": {"agent"}, "token": {"agent", "crawler"},
	"input": {"file"}, "robots": {"file"},
	"output": {"out", "format"},
}

func flagError(cmd *cobra.Command, err error) error {
	hint := fmt.Sprintf("see %q", cmd.CommandPath()+" --help")
	unknown := (*pflag.NotExistError)(nil)
	if !errors.As(err, &unknown) {
		return term.Errorf("%s", term.Printable(err)).Hint(hint)
	}
	name := unknown.GetSpecifiedName()
	dashes := "-"
	if len(name) > 1 {
		var known []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
		near := term.Closest(name, known)
		usual := usualFlags[name]
		if i := slices.IndexFunc(usual, func(name string) bool { return cmd.Flags().Lookup(name) != nil }); i >= 0 {
			near = usual[i]
		}
		if near != "" {
			hint = fmt.Sprintf("did you mean --%s?", near)
		}
		dashes = "--"
	}
	return term.Errorf("%s has no flag %q", cmd.CommandPath(), dashes+name).Hint(hint)
}

// unknownCommand returns the error for the first argument that is not a flag, which is
// not the name of a command.
func unknownCommand(root *cobra.Command, args []string) error {
	name := ""
	for _, arg := range args {
		if !strings.HasPrefix(arg, "-") {
			name = arg
			break
		}
	}
	var known []string
	for _, c := range shownCommands(root) {
		known = append(known, c.Name())
	}
	hint := "the commands are " + strings.Join(known, ", ")
	if near := term.Closest(name, known); near != "" {
		hint = fmt.Sprintf("did you mean %q?", root.CommandPath()+" "+near)
	} else if info, err := os.Stat(name); err == nil && info.IsDir() {
		hint = fmt.Sprintf("%q checks the files of a folder", root.CommandPath()+" lint "+name)
	}
	return term.Errorf("there is no command %q", name).Hint(hint)
}

// addCompletion adds cobra's completion command; it must be called last. For an unknown
// shell cobra prints help and succeeds, so a script that installs completion would not
// notice a typo. Here that is an error.
func addCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	all := root.Commands()
	completion := all[slices.IndexFunc(all, func(c *cobra.Command) bool { return c.Name() == "completion" })]
	completion.Short = "Print a script that completes commands and flags in your shell"
	completion.Long = `Print a script that completes the commands, flags and crawlers of robots in your shell.

To try it, load the script into the current shell. "robots completion bash --help" and the
help of the other shells show how to install it for every new shell.`
	completion.Example = `  source <(robots completion bash)
  robots completion fish | source`
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
			return term.Errorf("give one shell").Hint(hint)
		}
		return term.Errorf("there is no completion for %q", args[0]).Hint(hint)
	}
}
