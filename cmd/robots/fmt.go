package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/files"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/maintain/fix"
	"github.com/kosterhq/robotstxt/cmd/internal/maintain/lintconfig"
	"github.com/kosterhq/robotstxt/cmd/internal/show/report"
	"github.com/kosterhq/robotstxt/lint"
	"github.com/kosterhq/robotstxt/origin"
)

type fmtFlags struct {
	profileFlags
	excludeFlags
	ends               lineEnds
	check, diff, quiet bool
}

func newFmt(t *term.Terminal) *cobra.Command {
	var f fmtFlags
	cmd := &cobra.Command{
		Use:   "fmt [flags] FILE|FOLDER|PATTERN|-...",
		Short: "Format robots.txt files",
		Long: `Format robots.txt files in one layout: the spelling of keys, spaces, and empty lines
between groups. Rules and comments do not change. robots replaces files atomically, and
formats standard input ("-") to standard output. If you format a file again, nothing
changes. For folders and patterns, see "robots lint --help".

robots writes a file only if it can prove that no verdict changes, for any crawler and
any URL: in the google and rfc9309 dialects, in the dialect of --profile, and for
readers that skip misspelt lines. Misspelt lines stay as they are. If verdicts change in
koster1996, or can change in programs such as temoto, robots prints a note.

robots does not format a file that is larger than crawlers read, mostly 500 KiB, because
they would then read different lines of it.

All lines of a file get the same ending: CRLF if most lines had it before, otherwise LF.
--eol sets it.

With --check, robots writes nothing and prints the names of the files that would change.
With --diff, it prints the changes. robots uses only the profile from .robotslint.yaml;
see "robots lint --help".

Exit status: 0 if all files are formatted; 1 if --check prints a file; 2 if robots could
not format a file; it still formats the others.`,
		Example: `  robots fmt robots.txt
  robots fmt --check public/robots.txt
  robots fmt - <robots.txt | diff robots.txt -`,
		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault), // files
		RunE:              func(cmd *cobra.Command, args []string) error { return f.run(cmd.Context(), t, args) },
	}
	f.profileFlags.define(cmd)
	f.excludeFlags.define(cmd)
	cmd.Flags().Var(&f.ends, "eol", "end lines with `EOL`: keep, lf, crlf")
	complete(cmd, "eol", lineEndNames)
	cmd.Flags().BoolVar(&f.check, "check", false, "write nothing, and print the names of the files that would change")
	cmd.Flags().BoolVar(&f.diff, "diff", false, "write nothing, and show what would change as a unified diff")
	cmd.Flags().BoolVarP(&f.quiet, "quiet", "q", false, "print no notes")
	return cmd
}

type lineEnds lint.LineEnds

var lineEndNames = []string{lint.KeepEnds: "keep", lint.LF: "lf", lint.CRLF: "crlf"}

func (e lineEnds) String() string { return lineEndNames[e] }

func (lineEnds) Type() string { return "string" }

func (e *lineEnds) Set(text string) error {
	i := slices.Index(lineEndNames, text)
	if i < 0 {
		return errors.New("use " + eitherOf(lineEndNames))
	}
	*e = lineEnds(i)
	return nil
}

func (f *fmtFlags) validate(args []string) error {
	url := argWhere(args, isSiteURL)
	switch {
	case len(args) == 0:
		return term.Errorf("no files to format").Hint(`give files, folders, or "-" for standard input; "." is the current folder`)
	case url != "":
		return term.Errorf("the file of a site cannot be formatted in place: %q", origin.Text(url).Given()).Hint(`save it with "robots fetch --body" first`)
	case f.check && f.diff:
		return term.Errorf("--check and --diff cannot both be printed").Hint("omit one of them")
	case isTwice(args, "-"):
		return term.Errorf("standard input can be read only once").Hint(`give "-" once`)
	case argWhere(args, isStdin) != "" && len(args) > 1 && !f.check:
		return term.Errorf("standard input cannot be formatted together with files").Hint("format it in a separate run")
	}
	return nil
}

func (f *fmtFlags) run(ctx context.Context, t *term.Terminal, args []string) error {
	if err := f.validate(args); err != nil {
		return err
	}
	t.Quiet = f.quiet
	finder, err := f.finder(t, lintconfig.Settings{Profile: f.profile})
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(t.Out, 1<<16)
	changed := false
	names := filesOf(args, f.exclude, finder)
	trouble, err := eachFile(ctx, t, out, names, func(name string, body *[]byte) error {
		changes, err := f.one(ctx, t, out, finder, name, body)
		changed = changed || changes
		return err
	})
	if err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return term.WriteError(err)
	}
	return ending(len(trouble) > 0, f.check && changed)
}

// one formats one file, and reports whether that changes it. It sets body to the file.
func (f *fmtFlags) one(ctx context.Context, t *term.Terminal, out *bufio.Writer, finder *lintconfig.Finder,
	name string, body *[]byte) (changes bool, err error) {
	s, err := settingsOf(finder, name)
	if err != nil {
		return false, err
	}
	profile := s.Config().Profile
	before, _, err := readHead(t, name, profile.Bytes())
	if err != nil {
		return false, err
	}
	*body = before
	result, err := fix.Format(ctx, before, profile, lint.LineEnds(f.ends))
	if err != nil {
		return false, err
	}
	if len(result.Refused) > 0 {
		refusal := &result.Refused[0]
		if refusal.TooLarge {
			return false, about(name, term.Errorf("%s", refusal.Reason).Hint("nothing is written; make the file smaller first"))
		}
		return true, about(name, term.Errorf("the file cannot be formatted: %s", refusal.Reason).Hint("nothing is written; please report this file"))
	}
	after := result.Body
	changes = !bytes.Equal(before, after)
	if err := f.put(t, out, name, before, after); err != nil {
		return changes, err
	}
	if changes {
		f.note(t, name, profile, result)
	}
	return changes, nil
}

// put writes the formatted file, or shows what would change. When it returns, standard input is
// formatted to the end of the output.
func (f *fmtFlags) put(t *term.Terminal, out *bufio.Writer, name string, before, after []byte) error {
	changes := !bytes.Equal(before, after)
	switch {
	case f.check && changes:
		_, err := fmt.Fprintln(out, term.Source(name))
		return err
	case f.check:
		return nil
	case f.diff:
		return report.Patch(t, out, name, before, after)
	case isStdin(name):
		return cmp.Or(t.PrintFile(out, after), out.Flush())
	case changes:
		return files.Replace(name, before, after)
	}
	return nil
}

func (f *fmtFlags) note(t *term.Terminal, name string, profile lint.Profile, result *fix.Result) {
	var clauses []string
	if !f.check && !f.diff {
		clauses = append(clauses, "formatted; it is proved that no verdict changes "+result.FormatReaders(profile))
	}
	if note := result.ChangeNote(); note != "" {
		clauses = append(clauses, note)
	}
	if len(clauses) > 0 {
		t.Note("%s: %s", term.Source(name), strings.Join(clauses, "; "))
	}
}
