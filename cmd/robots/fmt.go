package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/cmd/internal/verdicts"
	"github.com/kosterhq/robotstxt/lint"
)

// formatting is what fmt is asked.
type formatting struct {
	profileFlags
	check, diff, quiet bool
}

func newFmt(t *term.Terminal) *cobra.Command {
	var f formatting
	cmd := &cobra.Command{
		Use:   "fmt [flags] FILE|-...",
		Short: "Lay out a robots.txt the same way as all others",
		Long: `Lay out a robots.txt the same way as all others: the spelling of keys, blanks,
empty lines between groups, line ends. What the file says stays as it is, and so
do its comments. Files are rewritten in place, by way of a temporary file beside
them; standard input ("-") goes to standard output. To lay out a file again
changes nothing.

Before anything is written, the verdicts before and after are compared as by
"robots lint --fix": if one differs in the dialect of the --profile, nothing is
written, and one that differs in another dialect is named.

With --check nothing is written: the names of the files that would change are
printed. With --diff the changes are. Settings come from .robotslint.yaml, as for
"robots lint"; only the profile means something here.

Exit status: 0 if all is done, or with --check if nothing has to be; 1 if --check
names a file; 2 if something could not be laid out. The others are all the same.`,
		Example: `  robots fmt robots.txt
  robots fmt --check public/robots.txt
  robots fmt - <robots.txt | diff robots.txt -`,
		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault), // files
		RunE:              func(cmd *cobra.Command, args []string) error { return f.run(cmd.Context(), t, args) },
	}
	f.profileFlags.define(cmd)
	cmd.Flags().BoolVar(&f.check, "check", false, "write nothing, and print the names of the files that would change")
	cmd.Flags().BoolVar(&f.diff, "diff", false, "write nothing, and show what would change as a unified diff")
	cmd.Flags().BoolVarP(&f.quiet, "quiet", "q", false, "print no notes")
	return cmd
}

// validate finds what is missing or cannot go together.
func (f *formatting) validate(args []string) error {
	url := argWhere(args, isSiteURL)
	switch {
	case len(args) == 0:
		return term.Errorf(`give files, or "-" for standard input`, "nothing to lay out is given")
	case url != "":
		return term.Errorf(`"robots fetch --body" saves its file`, "what a site serves cannot be laid out from here: %q", url)
	case f.check && f.diff:
		return term.Errorf("leave one of them out", "--check and --diff cannot both be printed")
	case isTwice(args, "-"):
		return term.Errorf(`give "-" once`, "standard input can be read only once")
	case argWhere(args, isStdin) != "" && len(args) > 1 && !f.check:
		return term.Errorf("lay it out in a run of its own", "standard input goes to standard output, which files do not")
	}
	return nil
}

func (f *formatting) run(ctx context.Context, t *term.Terminal, args []string) error {
	if err := f.validate(args); err != nil {
		return err
	}
	t.Quiet = f.quiet
	finder, err := f.finder(settings{profile: f.profile.given})
	if err != nil {
		return err
	}
	out, changed := bufio.NewWriterSize(t.Out, 1<<16), false
	trouble, err := eachArgument(ctx, t, out, args, func(arg string) error {
		changes, err := f.one(t, out, finder, arg)
		changed = changed || changes
		return err
	})
	if err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return term.WriteError(err)
	}
	switch {
	case len(trouble) > 0:
		return errShown
	case f.check && changed:
		return errFound
	}
	return nil
}

// one lays out one file, and reports whether that changes it.
func (f *formatting) one(t *term.Terminal, out *bufio.Writer, finder *settingFinder, name string) (changes bool, err error) {
	s, err := finder.forArgument(name)
	if err != nil {
		return false, err
	}
	profile := s.config().Profile
	before, err := readWhole(t, name)
	if err != nil {
		return false, err
	}
	after := lint.Format(before, profile)
	changes = !bytes.Equal(before, after)
	if changes {
		if err := f.compare(t, name, profile, before, after); err != nil {
			return true, err
		}
	}
	switch {
	case f.check && changes:
		_, err = fmt.Fprintln(out, shownName(name))
		return true, written(err)
	case f.check:
		return false, nil
	case f.diff:
		return changes, written(printDiff(t, out, name, before, after))
	case isStdin(name):
		return changes, written(t.PrintFile(out, after))
	case changes:
		return true, replaceFile(name, before, after)
	}
	return false, nil
}

// compare makes sure that a new layout says what the old one said.
func (f *formatting) compare(t *term.Terminal, name string, profile lint.Profile, before, after []byte) error {
	var sum comparisonSum
	for _, d := range robotstxt.Dialects() {
		c := verdicts.Compare(before, after, d)
		if d == profile.Dialect() && c.Changed > 0 {
			return about(name, term.Errorf("nothing is written; please report this file",
				"a new layout is not safe here: %s", changeText(c.Examples[0])))
		}
		sum.add(c)
		tellChanges(t, name, c, true)
	}
	if !f.check && !f.diff {
		t.Note("%s: laid out, %s", shownName(name), sum)
	}
	return nil
}
