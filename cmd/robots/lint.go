package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt/cmd/internal/report"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
)

// linting is what lint is asked.
type linting struct {
	settingFlags
	fetchFlags
	format   reportFormat
	fix      fixFlag
	diff     bool
	quiet    bool
	variants bool
	list     bool
	explain  string
}

func newLint(t *term.Terminal) *cobra.Command {
	l := linting{fetchFlags: fetchFlags{cache: cacheNone}} // who types this wants to see the site now
	cmd := &cobra.Command{
		Use:               "lint [flags] FILE|-|URL...",
		Short:             "Find what is wrong with a robots.txt, and fix it",
		Long:              lintLong,
		Example:           lintExample,
		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault), // files
		RunE:              func(cmd *cobra.Command, args []string) error { return l.run(cmd.Context(), t, args) },
	}
	l.settingFlags.define(cmd)
	flags := cmd.Flags()
	flags.Var(&l.format, "format", "report as `FORMAT`: "+strings.Join(report.Formats(), ", "))
	flags.Var(&l.fix, "fix", "make `FIXES`: plain ones, which change no verdict, or all, also those that do")
	flags.Lookup("fix").NoOptDefVal = string(fixPlain)
	flags.BoolVar(&l.diff, "diff", false, "show as a unified diff what --fix would change, and change nothing")
	flags.BoolVarP(&l.quiet, "quiet", "q", false, "print no findings and no notes; the exit status tells")
	flags.BoolVar(&l.list, "list", false, "list all kinds of findings")
	flags.StringVar(&l.explain, "explain", "", "tell all about one kind of finding, by its `CODE`")
	flags.BoolVar(&l.variants, "variants", true, "ask for the robots.txt of a site's other names too: http and https, with www and without")
	l.fetchFlags.define(cmd)
	complete(cmd, "format", report.Formats())
	complete(cmd, "fix", []string{string(fixPlain), string(fixAll)})
	complete(cmd, "explain", codeCompletions())
	return cmd
}

const lintLong = `Find what is wrong with a robots.txt: with a file, with standard input ("-"), or
with what a site serves. Each finding names its place, what crawlers make of it,
for whom it holds, and whether there is a fix. --list lists what is looked for,
and --explain CODE tells why it matters.

Severities: an error is a file that does not do what it says; a warning, one that
some crawlers read otherwise than it looks; an info is worth knowing.

--profile says for whom the file is written: google, bing, yandex, rfc9309,
koster1996, or production (a site that wants to be found) and staging (one that
does not). It decides what counts, and how much.

Settings are read from the .robotslint.yaml in the folder of a file, or in the
nearest one above, up to the root of the repository. For standard input and URLs
it is looked for from the current folder. What it may hold:

  profile: production
  fail-on: error
  url: https://shop.example/robots.txt  # where the file is served
  ignore: [RX306]
  severities:
    RX201: warning
  overrides:
    - files: ["staging/**/*.txt"]       # relative to this file; ** is any folders
      profile: staging

Flags outweigh it. In a robots.txt itself, the comment "# robots-lint: ignore
RX211" hides a finding: of its own line, or if it stands alone, of the next one.

--fix rewrites files in place, by way of a temporary file beside it. Fixes are
made in rounds, since one may make another possible. A plain fix is made only if
it is proved that no verdict changes, for any crawler and any URL, in the dialects
google, rfc9309 and that of the profile. It is not made if that is undecided, if
it would make two crawlers one that are spelt differently, or if RX301, RX304 or
RX405 is open for its group. What is not fixed is noted with the reason. A change
in koster1996 is noted once. --fix=all also makes the fixes that change verdicts,
and notes what changes. Standard input is fixed to standard output. What a site
serves is never fixed. The findings reported are those that are left. --diff shows
the changes instead of making them, and the exit status is that of the files as
they are.

Of a URL, the robots.txt of its site is fetched, and how it was served is checked
as well. Its other names, http and https, with www and without, must serve the
same: that takes at most three more requests, and --variants=false saves them.

With --format json each line is an object, one for each file, with the fields
file, profile, findings, and, after --fix, fixed (a number), not_fixed (code, line,
reason) and changes (dialect, agents, effect, old_line, new_line, witness). A finding
has code, severity, start and end (bytes of the file), line, column (in bytes),
message, for, related (line, message), and fix (title, edits, meaning). sarif is
SARIF 2.1.0, for code scanning. github is annotations, for GitHub workflows.

Exit status: 0 if there is no finding of --fail-on or above, which is a warning by
default; 1 if there is; 2 if something could not be checked. What could be is
reported all the same.`

const lintExample = `  robots lint robots.txt
  robots lint --profile production --fail-on error public/robots.txt
  robots lint --fix robots.txt
  robots lint --fix=all --diff robots.txt
  robots lint --format sarif robots.txt >robots.sarif
  robots lint https://shop.example
  robots lint --explain RX301`

// validate finds what is missing or cannot go together.
func (l *linting) validate(args []string) error {
	url, stdin := argWhere(args, isSiteURL), argWhere(args, isStdin) != ""
	switch {
	case len(args) == 0:
		return term.Errorf(`give files, "-" for standard input, or URLs of sites`, "nothing to check is given")
	case isTwice(args, "-"):
		return term.Errorf(`give "-" once`, "standard input can be read only once")
	case l.mends() && stdin && len(args) > 1:
		return term.Errorf("fix it in a run of its own", "standard input is fixed to standard output, where nothing else can be reported")
	case l.mends() && stdin && l.format.String() != string(report.Text):
		return term.Errorf("leave one of them out", "standard input is fixed to standard output, where --format %s has no place", string(l.format))
	case l.diff && l.format.String() != string(report.Text):
		return term.Errorf("leave one of them out", "--diff prints a diff, so --format %s has no place", string(l.format))
	case l.mends() && url != "":
		return term.Errorf(`"robots fetch --body" saves its file, which can be fixed then`, "what a site serves cannot be fixed from here: %q", url)
	case url == "" && l.given() != "":
		return term.Errorf("leave it out", "no site is asked, so --%s means nothing", l.given())
	case l.fix == fixPlain && argWhere(args, func(arg string) bool { return arg == string(fixAll) && !isFile(arg) }) != "":
		return term.Errorf("did you mean --fix=all?", "there is no file %q", fixAll)
	}
	return nil
}

// argWhere returns the first argument of a kind, "" if there is none.
func argWhere(args []string, is func(string) bool) string {
	for _, arg := range args {
		if is(arg) {
			return arg
		}
	}
	return ""
}

// isTwice reports whether an argument is given more than once.
func isTwice(args []string, arg string) bool {
	i := slices.Index(args, arg)
	return i >= 0 && slices.Contains(args[i+1:], arg)
}

func isStdin(arg string) bool { return arg == "-" }

// isSiteURL reports whether an argument is no file but what a site serves.
func isSiteURL(arg string) bool { return strings.Contains(arg, "://") }

// mends reports whether fixes are asked for, be it only to be shown.
func (l *linting) mends() bool { return l.fix != "" || l.diff }
