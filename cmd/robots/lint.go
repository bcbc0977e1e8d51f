package main

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt/cmd/internal/files"
	"github.com/kosterhq/robotstxt/cmd/internal/fix"
	"github.com/kosterhq/robotstxt/cmd/internal/report"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/lint"
	"github.com/kosterhq/robotstxt/origin"
)

// linting has the flags of lint.
type linting struct {
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
	l := linting{fetchFlags: fetchFlags{cache: cacheNone}, format: report.Text} // checks what the site serves now
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
	flags.BoolVar(&l.everything, "all", false, "show all findings; by default at most 100 of a code and severity and 1,000 of a file")
	flags.BoolVar(&l.list, "list", false, "list all kinds of findings")
	flags.StringVar(&l.explain, "explain", "", "describe one kind of finding, by its `CODE` or name")
	flags.BoolVar(&l.counts, "statistics", false, "print how often each kind of finding occurs, instead of the findings")
	flags.BoolVar(&l.watches, "watch", false, "check the files again whenever one of them changes, until Ctrl-C")
	l.baselineFlags.define(cmd)
	flags.BoolVar(&l.variants, "variants", true, "fetch the robots.txt of a site's other names too: http and https, with and without www")
	l.fetchFlags.define(cmd)
	complete(cmd, "explain", codeCompletions())
	return cmd
}

const lintLong = `Find problems in robots.txt files: of files, folders and patterns, of standard input
("-"), and of sites.
Each finding shows its location, its effect, the crawlers it affects, and a fix if
there is one. --list lists all kinds of findings, and --explain CODE describes one.

Severities: error if the file does not do what it says; warning if some crawlers read
it differently than it looks; info if it is good to know. --pedantic reports also what
is right but unusual, such as a star at the end of a path.

--profile selects the crawlers for which the file is written: google, bing, yandex,
rfc9309, koster1996, or the kind of site: production (search engines should find it)
or staging (they should not). It selects the findings and their severities.

Of a folder, all files at any depth are checked whose name is robots.txt or similar,
such as robots.staging.txt and shop.robots.txt. A pattern such as "sites/**/*.txt"
names the files that it matches. Files and folders whose names begin with a dot are
skipped. --exclude leaves out others, and so does the setting exclude; files that are
named one by one are always checked.

Settings are read from the .robotslint.yaml in the folder of a file, or in the
nearest folder above, up to the root of the repository. For standard input and URLs
the search begins in the current folder. An example:

  profile: production
  fail-on: error
  url: https://shop.example/robots.txt  # where the file is served
  ignore: [RX306]                       # or the name, no-group-for-all
  pedantic: true                        # report also what is right but unusual
  exclude: ["vendor", "**/old/*.txt"]   # relative to this file; ** is any folders
  severities:
    RX208: warning
  overrides:
    - files: ["staging/**/*.txt"]
      profile: staging

Flags take precedence. In a robots.txt, the comment "# robots-lint: ignore RX211"
hides a finding on its own line or, on a separate line, on the next line.

--fix replaces files atomically. Fixes are made in rounds, because one fix may make
another possible. A plain fix is made only if it is proved that no verdict changes,
for any crawler and any URL, in the dialects google, rfc9309 and that of the profile,
and for readers that skip misspelt lines and compare whole crawler names. It is not
made if that is undecided, if it would merge two crawlers that are spelt differently,
if a graver finding is about the same line, or if RX301, RX304 or RX405 is open for its
group. A note says which fixes
were not made, with the reason, a change in koster1996, and programs such as Python's urllib
in which verdicts may change. --fix=all also makes
the fixes that change verdicts, and notes what changes. Standard input is fixed to
standard output. The file of a site is not fixed. The report contains the findings
that are left. --diff prints the changes instead of making them; the exit status is
then that of the unchanged files.

For a URL, the robots.txt of its site is fetched, and the response is checked too.
The other names of the site, http and https, with and without www, must serve the
same file. That takes up to three more requests; --variants=false omits them.

--watch checks the files again whenever one of them, or a settings file, changes; new
files in a folder too. Ctrl-C ends it, with exit status 0.

With --format json each line is an object, one for each file, with the fields file,
profile, findings, counts, known (a number) with --baseline, and, after --fix, fixed
(a number), not_fixed (code, line, reason) and changes (dialect, agents, effect,
old_line, new_line, witness). At most 100 findings of a code and 1,000 of a file are
shown, or all with --all. The counts include the others: code, severity, found,
omitted, and plain and meant, those that --fix and --fix=all can fix. A finding has
code, severity, start and end (bytes of the file), line, column (in bytes), message,
for, related (line, message), and fix (title, edits, meaning). sarif is SARIF 2.1.0,
for code scanning. github is annotations, for GitHub workflows. gitlab is a Code
Quality report for GitLab. junit is JUnit's XML, in which findings below --fail-on are
test cases that pass. --statistics prints how often each kind of finding occurs; with
--format json, an object for each.

--baseline FILE hides the findings that FILE contains, so that a project can begin with
--fail-on without fixing everything first. --write-baseline writes FILE: all findings
of the checked files. A finding is recognised by its code and the text of its line,
also if the line moves. The entries of other files are kept.

Exit status: 0 if there is no finding of severity --fail-on or above (default
warning); 1 if there is one; 2 if something could not be checked, such as a site that
gives no answer (RX605); the rest is still reported.`

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

// validate returns an error for missing or contradicting arguments. It is a flat list of
// checks that do not depend on each other, in the order in which users read them.
func (l *linting) validate(args []string) error {
	url, stdin := argWhere(args, isSiteURL), argWhere(args, isStdin) != ""
	switch {
	case len(args) == 0:
		return term.Errorf(`give files, folders, "-" for standard input, or URLs of sites; "." is the current folder`, "no files to check")
	case isTwice(args, "-"):
		return term.Errorf(`give "-" once`, "standard input can be read only once")
	case l.fixes() && stdin && len(args) > 1:
		return term.Errorf("fix it in a separate run", "standard input is fixed to standard output, so other files cannot be reported there")
	case l.fixes() && stdin && l.format != report.Text:
		return term.Errorf("leave one of them out", "standard input is fixed to standard output, so --format %s has no effect", l.format)
	case l.diff && l.format != report.Text:
		return term.Errorf("leave one of them out", "--diff prints a diff, so --format %s has no effect", l.format)
	case l.counts && l.diff:
		return term.Errorf("leave one of them out", "--diff prints a diff, so --statistics has no effect")
	case l.counts && l.format != report.Text && l.format != report.JSON:
		return term.Errorf("use text or json", "--statistics is not possible with --format %s", l.format)
	case l.write && (l.fixes() || l.counts):
		return term.Errorf("run robots again for it", "--write-baseline writes the findings of unchanged files, and nothing else")
	case l.write && l.baseline == "":
		return term.Errorf("name it: --baseline FILE", "--write-baseline writes no file")
	case l.watches && (l.fixes() || l.write):
		return term.Errorf("run robots again for it", "--watch writes no files")
	case l.watches && (url != "" || stdin):
		return term.Errorf("give files or folders", "--watch is for files, not for sites and standard input")
	case l.fixes() && url != "":
		return term.Errorf(`save it with "robots fetch --body" first`, "the file of a site cannot be fixed in place: %q", origin.Text(url).Given())
	case url == "" && l.given() != "":
		return term.Errorf("leave it out", "no site is fetched, so --%s has no effect", l.given())
	case l.fix == fixPlain && argWhere(args, func(arg string) bool { return arg == fixAll && !isFile(arg) }) != "":
		return term.Errorf("did you mean --fix=all?", "there is no file %q", fixAll)
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

// isTwice reports whether an argument is given more than once.
func isTwice(args []string, arg string) bool {
	i := slices.Index(args, arg)
	return i >= 0 && slices.Contains(args[i+1:], arg)
}

func isStdin(arg string) bool { return arg == "-" }

// isSiteURL reports whether an argument is a URL and not a file.
func isSiteURL(arg string) bool { return strings.Contains(arg, "://") }

// fixes reports whether fixes are requested, if only as a diff.
func (l *linting) fixes() bool { return l.fix != "" || l.diff }

// The values of --fix, which is "" if no fixes are made.
const (
	fixPlain = "plain" // those that change no verdict
	fixAll   = "all"   // also those that change verdicts
)

// fixed makes the requested fixes, and writes or shows the result. It reports whether
// it has set the findings that are left.
func (r *lintRun) fixed(ctx context.Context, in *report.File, config lint.Config) (left bool, err error) {
	result, err := fix.Make(ctx, in.Body, fix.Config{Lint: config, All: r.fix == fixAll, Steps: config.Steps})
	if err != nil {
		return false, about(in.Name, err)
	}
	if err := r.put(in, result.Body); err != nil {
		return false, err
	}
	in.Fixed, in.NotFixed, in.Changes = result.Made, result.WireRefused(), result.WireChanges()
	if !r.diff {
		in.Findings = result.Findings
	}
	if note := result.Note(config.Profile, r.fix == fixAll); note != "" {
		r.t.Note("%s: %s", term.Source(in.Name), note)
	}
	return !r.diff, nil
}

// put writes or shows a fixed file.
func (r *lintRun) put(in *report.File, fixed []byte) error {
	before := in.Body
	if r.diff {
		// The report contains the findings of the unchanged file.
		return report.Patch(r.t, r.out, in.Name, before, fixed)
	}
	in.Body = fixed
	switch {
	case isStdin(in.Name):
		return r.t.PrintFile(r.out, fixed)
	case bytes.Equal(before, fixed):
		return nil
	}
	return replaceFile(in.Name, before, fixed)
}

// replaceFile replaces a file. Its errors have hints.
func replaceFile(name string, before, content []byte) error {
	err := files.Replace(name, before, content)
	hint := "nothing is written"
	switch {
	case err == nil:
		return nil
	case errors.Is(err, files.ErrIrregular):
		hint = `"-" reads standard input and writes standard output`
	case errors.Is(err, files.ErrReadOnly):
		hint += "; make it writable, or print the changes with --diff"
	case errors.Is(err, files.ErrChanged):
		hint += "; run robots again"
	case errors.Is(err, fs.ErrPermission):
		hint += "; its folder must be writable too, for the temporary file"
	}
	return term.Errorf(hint, "cannot write %q: %v", name, term.Cause(err))
}
