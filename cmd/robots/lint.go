package main

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/files"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/maintain/fix"
	"github.com/kosterhq/robotstxt/cmd/internal/show/report"
	"github.com/kosterhq/robotstxt/lint"
	"github.com/kosterhq/robotstxt/origin"
)

type lintFlags struct {
	settingFlags
	excludeFlags
	fetchFlags
	format     report.Format
	fix        string
	diff       bool
	quiet      bool
	variants   bool
	everything bool
	list       bool
	explain    string
	counts     bool // --statistics
	watches    bool
	baselineFlags
}

func newLint(t *term.Terminal) *cobra.Command {
	l := lintFlags{fetchFlags: fetchFlags{cache: cacheNone}, format: report.Text} // checks what the site serves now
	cmd := &cobra.Command{
		Use:               "lint [flags] FILE|FOLDER|PATTERN|-|URL...",
		Short:             "Find problems in a robots.txt, and fix them",
		Long:              lintLong,
		Example:           lintExample,
		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault), // files
		RunE:              func(cmd *cobra.Command, args []string) error { return l.run(cmd.Context(), t, args) },
	}
	l.settingFlags.define(cmd)
	l.excludeFlags.define(cmd)
	flags := cmd.Flags()
	defineChoice(cmd, &l.format, "format", "report as `FORMAT`: %s", report.Formats()...)
	defineChoice(cmd, &l.fix, "fix", "make `FIXES`: plain ones, which change no verdict, or all, including those that do", fixPlain, fixAll)
	flags.Lookup("fix").NoOptDefVal = fixPlain
	flags.BoolVar(&l.diff, "diff", false, "print the changes of --fix as a unified diff, and write nothing")
	flags.BoolVarP(&l.quiet, "quiet", "q", false, "print no findings and no notes; use the exit status")
	flags.BoolVar(&l.everything, "all", false, "show all findings; by default at most 100 of a code and severity, of some codes one, and 1,000 of a file")
	flags.BoolVar(&l.list, "list", false, "list all kinds of findings")
	flags.StringVar(&l.explain, "explain", "", "describe one kind of finding, by its `CODE` or name")
	flags.BoolVar(&l.counts, "statistics", false, "print how often each kind of finding occurs, instead of the findings")
	flags.BoolVar(&l.watches, "watch", false, "check the files again whenever one of them changes, until Ctrl-C")
	l.baselineFlags.define(cmd)
	flags.BoolVar(&l.variants, "variants", true, "fetch the robots.txt of a site's other names too: http and https, with and without www")
	l.fetchFlags.define(cmd)
	completeFrom(cmd, "explain", completesCodes)
	return cmd
}

const lintLong = `Check robots.txt files, folders and patterns, standard input ("-"), and the robots.txt of
sites. Each finding shows its location, its effect, the crawlers it affects, and a fix if
there is one. --list lists all kinds of findings, and --explain CODE describes one.

A finding is an error if the file does not do what it says, a warning if some crawlers
read it differently from how it looks, and info if it is only good to know. With
--pedantic, robots also reports lines that are right but unusual, such as a star at the
end of a path.

--profile selects the findings and their severities. Set it to the crawlers that the file
is for: google, bing, yandex, rfc9309 or koster1996; or to the kind of site: production
(search engines should find it) or staging (they should not).

In a folder, robots checks all files at any depth that are named robots.txt or similarly,
such as robots.staging.txt and shop.robots.txt. A pattern such as "sites/**/*.txt" selects
the files that it matches. robots skips files and folders whose names begin with a dot.
To skip more, use --exclude or the setting exclude; neither skips a file that you name explicitly.

robots reads settings from the .robotslint.yaml in the folder of a file, or in the nearest
folder above, up to the root of the repository. For standard input and URLs the search
begins in the current folder. An example:

  profile: production
  fail-on: error
  url: https://shop.example/robots.txt  # where the file is served
  ignore: [RX306]                       # or the name, no-group-for-all
  pedantic: true                        # also report lines that are correct but unusual
  exclude: ["vendor", "**/old/*.txt"]   # relative to this file; ** is any folders
  severities:
    RX208: warning
  overrides:
    - files: ["staging/**/*.txt"]
      profile: staging

Flags take precedence over settings. In a robots.txt, the comment "# robots-lint: ignore
RX211" hides that finding on the line that it ends or, if the comment has a line to itself,
on the next line.

--fix replaces files atomically. It works in rounds, because one fix can make another
possible. robots makes a plain fix only if it can prove that no verdict changes, for any
crawler and any URL, in all dialects, and for readers that skip misspelt lines and compare
whole crawler names. It does not make the fix if the proof is undecided, or if a more
severe finding is about the same line.

--fix=all first corrects the lines that crawlers do not read as you meant them, in one
pass, and then makes the plain fixes. Notes list the corrected lines and what they change,
the fixes that were not made and why, and programs such as Python's urllib whose verdicts
might change. They give the line numbers of the original file.

If you fix standard input, robots prints the fixed file to standard output. It does not
fix the file of a site. The report contains the findings that are left. With --diff,
robots prints the changes instead of making them, and the exit status is for the unchanged
files.

For a URL, robots fetches the robots.txt of its site, and checks the response too. The
other names of the site, http and https, with and without www, must serve the same file.
Checking them takes up to three more requests; --variants=false omits them.

With --watch, robots checks the files again whenever one of them or a settings file
changes, and checks new files in a folder. Press Ctrl-C to end it, with exit status 0.

--format json prints an object for each file, one on each line. Its fields are file,
profile, findings, counts, known (a number) with --baseline, and, after --fix, fixed (a
number), mended (code, line), not_fixed (code, line, reason) and changes (dialect, agents,
effect, old_line, new_line, witness). A finding has code, severity, start and end (bytes
of the file), line, column (in bytes), message, for, related (line, message), and fix
(title, edits, meaning).

Each report shows at most 100 findings of a code and severity and 1,000 of a file, and
only one info of a code that generators repeat, such as RX208 or RX501. --all shows them
all. In JSON, each object in counts has code, severity, found (how many findings there
are), omitted (how many are not shown), plain (how many --fix can fix) and meant (how many
more --fix=all can fix).

--format sarif prints SARIF 2.1.0, for code scanning; github prints annotations, for
GitHub workflows; gitlab prints a Code Quality report for GitLab; and junit prints JUnit's
XML, in which findings below --fail-on are test cases that pass. --statistics prints how
often each kind of finding occurs; with --format json, an object for each kind.

--baseline FILE hides the findings that FILE contains, so that a project can begin to use
--fail-on without fixing everything first. --write-baseline writes all findings of the
checked files to FILE, and keeps the entries of other files. robots recognises a finding
by its code and the text of its line, even if the line moves.

Exit status: 0 if no finding has severity --fail-on or above (default warning); 1 if one
has; 2 if robots could not check something, such as a site that does not respond (RX605).
It still reports the rest.`

const lintExample = `  robots lint robots.txt
  robots lint --profile production --fail-on error public/robots.txt
  robots lint --exclude vendor .
  robots lint --fix robots.txt
  robots lint --fix=all --diff robots.txt
  robots lint --format sarif robots.txt >robots.sarif
  robots lint https://shop.example
  robots lint --explain joined-groups
  robots lint --baseline robots-baseline.json --write-baseline .
  robots lint --baseline robots-baseline.json .`

// validate returns an error for missing or contradicting arguments. Its checks do not
// depend on each other, and are in the order in which users read the arguments.
func (l *lintFlags) validate(args []string) error {
	url := argWhere(args, isSiteURL)
	stdin := argWhere(args, isStdin) != ""
	switch {
	case len(args) == 0:
		return term.Errorf("no files to check").Hint(`give files, folders, "-" for standard input, or URLs of sites; "." is the current folder`)
	case isTwice(args, "-"):
		return term.Errorf("standard input can be read only once").Hint(`give "-" once`)
	case l.fixes() && stdin && len(args) > 1:
		return term.Errorf("standard input is fixed to standard output, so other files cannot be reported there").Hint("fix it in a separate run")
	case l.fixes() && stdin && l.format != report.Text:
		return term.Errorf("standard input is fixed to standard output, so --format %s has no effect", l.format).Hint("omit one of them")
	case l.diff && l.format != report.Text:
		return term.Errorf("--diff prints a diff, so --format %s has no effect", l.format).Hint("omit one of them")
	case l.counts && l.diff:
		return term.Errorf("--diff prints a diff, so --statistics has no effect").Hint("omit one of them")
	case l.counts && l.format != report.Text && l.format != report.JSON:
		return term.Errorf("--statistics is not possible with --format %s", l.format).Hint("use text or json")
	case l.write && (l.fixes() || l.counts):
		return term.Errorf("--write-baseline writes the findings of unchanged files, and nothing else").Hint("run robots again for it")
	case l.write && l.baseline == "":
		return term.Errorf("--write-baseline writes no file").Hint("name it: --baseline FILE")
	case l.watches && (l.fixes() || l.write):
		return term.Errorf("--watch writes no files").Hint("run robots again for it")
	case l.watches && (url != "" || stdin):
		return term.Errorf("--watch is for files, not for sites and standard input").Hint("give files or folders")
	case l.fixes() && url != "":
		return term.Errorf("the file of a site cannot be fixed in place: %q", origin.Text(url).Given()).Hint(`save it with "robots fetch --body" first`)
	case url == "" && l.given() != "":
		return term.Errorf("no site is fetched, so --%s has no effect", l.given()).Hint("omit it")
	case l.fix == fixPlain && argWhere(args, func(arg string) bool { return arg == fixAll && !isFile(arg) }) != "":
		return term.Errorf("there is no file %q", fixAll).Hint("did you mean --fix=all?")
	}
	return nil
}

// argWhere returns the first argument of a kind, "" if there is none.
func argWhere(args []string, isKind func(string) bool) string {
	for _, arg := range args {
		if isKind(arg) {
			return arg
		}
	}
	return ""
}

func isTwice(args []string, arg string) bool {
	i := slices.Index(args, arg)
	return i >= 0 && slices.Contains(args[i+1:], arg)
}

func isStdin(arg string) bool { return arg == "-" }

func isSiteURL(arg string) bool { return strings.Contains(arg, "://") }

// fixes reports whether fixes are requested, even if only as a diff.
func (l *lintFlags) fixes() bool { return l.fix != "" || l.diff }

// The values of --fix, which is "" if no fixes are made.
const (
	fixPlain = "plain" // those that change no verdict
	fixAll   = "all"   // even those that change verdicts
)

// fixed makes the requested fixes, and writes or shows the result. It reports whether
// it has set the remaining findings.
func (r *lintRun) fixed(ctx context.Context, in *report.File, config lint.Config) (left bool, err error) {
	result, err := fix.Make(ctx, in.Body, fix.Config{Lint: config, All: r.fix == fixAll, Steps: config.Steps})
	if err != nil {
		return false, about(in.Name, err)
	}
	if err := r.put(in, result.Body); err != nil {
		return false, err
	}
	in.Fixed, in.Mended, in.NotFixed, in.Changes = result.Made, result.Mended, result.WireRefused(),
		result.WireChanges()
	if !r.diff {
		in.Findings = result.Findings
	}
	if note := result.Note(); note != "" {
		r.t.Note("%s: %s", term.Source(in.Name), note)
	}
	return !r.diff, nil
}

func (r *lintRun) put(in *report.File, fixed []byte) error {
	before := in.Body
	if r.diff {
		// The report contains the findings of the unchanged file.
		return report.Patch(r.t, r.out, in.Name, before, fixed)
	}
	in.Body = fixed
	switch {
	case isStdin(in.Name):
		return cmp.Or(r.t.PrintFile(r.out, fixed), r.out.Flush())
	case bytes.Equal(before, fixed):
		return nil
	}
	return files.Replace(in.Name, before, fixed)
}
