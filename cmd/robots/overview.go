package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/aiview"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/sites"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/table"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/show/prose"
	"github.com/kosterhq/robotstxt/cmd/internal/show/report"
	"github.com/kosterhq/robotstxt/semdiff"
)

type overviewFlags struct {
	fetchFlags
	limitFlags
	languageFlags
	format string
	before []string
}

// maxReported is the number of sites in a report.
const maxReported = 10

func newOverview(t *term.Terminal) *cobra.Command {
	o := overviewFlags{fetchFlags: fetchFlags{cache: cacheNone}} // shows what the site serves now
	cmd := &cobra.Command{
		Use:   "overview [flags] FILE|URL|HOST...",
		Short: "Show a robots.txt on one screen: the file, its problems, and who may fetch the site",
		Long: `Show a robots.txt on one screen: the file, its problems, and who may fetch the site.

The first part shows the site's response and summarises the file. The second lists the
problems, each kind once. The third shows the known crawlers by purpose. robots omits a
part that would be empty. For the whole of each part, and for JSON, use "robots fetch",
"robots lint" and "robots ai".

You can omit the word overview: "robots shop.example" does the same. This works if the
first argument is not a command but a file, a URL, or a host: a name with a dot,
localhost, or a name with a port. A path can follow a host. If a name is both a command
and a file, robots runs the command; write ./lint for the file.

--format html writes a report on up to ten sites or files for a client, at most two printed
pages on each: the status, the problems, who is shut out of what, what has changed, and what
the file tells AI services. It is one file without scripts and requests nothing; print it to
make a PDF. --format markdown writes the same as Markdown, and --lang de in German; lines of
files and names of crawlers stay as they are.

With --before, the report compares each site with an older file. Repeat the flag for each
site, in their order.

Exit status: 0, or 2 if robots cannot read a file or a site does not respond. The report is
about the others then, and says what is not known.`,
		Example: `  robots shop.example
  robots robots.txt
  robots https://shop.example/cart --timeout 5s
  robots overview --format html shop.example blog.example >report.html
  robots overview --format html --lang de --before old.txt robots.txt >report.html`,
		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault), // files
		RunE:              func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), t, args) },
	}
	defineChoice(cmd, &o.format, "format", "print as `FORMAT`: %s", formatText, formatMarkdown, formatHTML)
	o.format = formatText
	cmd.Flags().StringArrayVar(&o.before, "before", nil, "report what has changed since the older robots.txt in `FILE`; \"-\" is standard input; repeat it for each site")
	o.languageFlags.define(cmd, "write the report")
	o.limitFlags.defineForFiles(cmd)
	o.fetchFlags.define(cmd)
	return cmd
}

// withOverview returns the arguments with the command overview before them, if they name
// no command and the first one that is not a flag is a file or a site. The shell's
// completion passes the arguments of such a call after its own command.
func withOverview(root *cobra.Command, args []string) []string {
	if len(args) > 2 && isCompletion(args) {
		return append(args[:1:1], withOverview(root, args[1:])...)
	}
	if cmd, _, err := root.Find(args); err == nil && cmd != root {
		return args
	}
	if name := firstName(root, args); isFile(name) || isStdin(name) || isPath(name) || isSite(name) {
		return append([]string{"overview"}, args...)
	}
	return args
}

// firstName returns the first argument that is neither a flag nor its value, "" if there
// is none.
func firstName(root *cobra.Command, args []string) string {
	flags, _, _ := root.Find([]string{"overview"})
	for i := 0; i < len(args); i++ {
		name, isFlag := strings.CutPrefix(args[i], "--")
		if !isFlag {
			if args[i] == "-" || !strings.HasPrefix(args[i], "-") {
				return args[i]
			}
			continue
		}
		flag := flags.Flag(name)
		if flag == nil {
			flag = root.PersistentFlags().Lookup(name)
		}
		if flag != nil && flag.NoOptDefVal == "" {
			i++
		}
	}
	return ""
}

// isPath reports whether an argument can only be meant as the path of a file, which might
// not exist.
func isPath(arg string) bool {
	return strings.HasPrefix(arg, "/") || strings.HasPrefix(arg, "./") || strings.HasPrefix(arg, "../") ||
		strings.ContainsRune(arg, os.PathSeparator) || strings.HasSuffix(arg, ".txt")
}

// isSite reports whether an argument names a site and not a file: a URL, or a host,
// perhaps with a path.
func isSite(arg string) bool {
	if isSiteURL(arg) {
		return true
	}
	host, _, _ := strings.Cut(arg, "/")
	_, err := os.Lstat(arg)
	return err != nil && isHost(host)
}

// validate returns an error for missing or contradicting arguments.
func (o *overviewFlags) validate(args []string) error {
	isReport := o.format != formatText
	switch {
	case len(args) == 0:
		return term.Errorf("give a file, URL or host")
	case len(args) > 1 && !isReport:
		return term.Errorf("give one file, URL or host").Hint("--format html writes a report on several; \"robots ai\", \"robots lint\" and \"robots fetch\" take several too")
	case len(args) > maxReported:
		return term.Errorf("%d sites are given, but a report is about %d at most", len(args), maxReported).Hint("write several reports; \"robots audit\" counts any number of sites")
	case len(o.before) > 0 && !isReport:
		return term.Errorf("--before has no effect without --format html or markdown").Hint("\"robots diff OLD NEW\" shows changes as text")
	case len(o.before) > 0 && len(o.before) != len(args):
		return term.Errorf("%s with --before, but %s", term.Count(len(o.before), "file is given", "files are given"),
			term.Count(len(args), "site", "sites")).Hint("give --before once for each site, in their order")
	case isTwice(slices.Concat(args, o.before), "-"):
		return term.Errorf("standard input can be read only once").Hint("put the others into files")
	}
	return o.languageFlags.validate(table.Format(o.format), table.Markdown, formatHTML)
}

func (o *overviewFlags) run(ctx context.Context, t *term.Terminal, args []string) error {
	if err := o.validate(args); err != nil {
		return err
	}
	if o.format != formatText {
		return o.report(ctx, t, args)
	}
	l := &lintFlags{settingFlags: settingFlags{steps: semdiff.DefaultSteps}}
	settings, err := l.settings(t)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(t.Out, 1<<16)
	columns, _ := t.Size()
	s := &screen{t: t, out: out, columns: cmp.Or(columns, 80)}
	s.lint = &lintRun{
		lintFlags: l, t: t, out: out, settings: settings, known: &knownFindings{},
		report: report.NewSummary(report.Config{Out: out, Palette: t.Palette(), Screen: s.columns}),
	}
	ctx, stop := untilInterrupted(ctx)
	defer stop()
	if isSite(args[0]) {
		err = o.site(ctx, s, args[0])
	} else {
		err = o.file(ctx, s, args[0])
	}
	return cmp.Or(orInterrupted(err), term.WriteError(out.Flush()))
}

func (o *overviewFlags) file(ctx context.Context, s *screen, name string) error {
	if _, err := settingsOf(s.lint.settings, name); err != nil {
		return err // before anything is printed
	}
	var file *answer.File
	var err error
	file, s.lint.text, err = readBoth(s.t, name, o.limit)
	if err != nil {
		return err
	}
	return s.print(ctx, name, name, answer.RuleFile(file, nil, nil))
}

// site prints the overview of a site, which was given as a URL or as a host.
func (o *overviewFlags) site(ctx context.Context, s *screen, given string) error {
	urls, guessed := withSchemes(s.t, []string{given})
	url := urls[0]
	clients, err := o.fetchFlags.open(ctx, s.t, o.limit, newTyped(url))
	if err != nil {
		return err
	}
	defer clients.close()
	s.lint.sites = sites.Prefetch(ctx, clients.Client, urls, false)
	defer s.lint.sites.Close()
	result, err := s.lint.sites.Result(ctx, url)
	if err != nil {
		return err
	}
	err = s.print(ctx, given, url, sites.RuleSite(result, sites.Now(), nil, nil))
	if errors.Is(err, errShown) && guessed[url] != "" {
		hintHTTP(s.t, given)
	}
	return err
}

type screen struct {
	t       *term.Terminal
	out     *bufio.Writer
	columns int
	lint    *lintRun
}

// print prints the parts of the overview. The linter knows the file by the name checked.
// The error is errShown if the site did not answer.
func (s *screen) print(ctx context.Context, name, checked string, r *answer.Ruling) error {
	if err := (&prose.Printer{Out: s.out, Palette: s.t.Palette()}).Summary(name, r.Site, r.Outline(), r.File,
		s.columns); err != nil {
		return term.WriteError(err)
	}
	if r.IsUnknown() {
		return cmp.Or(term.WriteError(s.out.Flush()), errShown)
	}
	s.heading("problems", "robots lint")
	if err := cmp.Or(s.lint.one(ctx, checked, new([]byte)), s.lint.report.End(true, nil)); err != nil {
		return err
	}
	if !r.HasFile() {
		return nil
	}
	s.heading("crawlers", "robots ai; †: need not obey")
	view, err := aiview.New(ctx, name, r, aiview.Config{Purposes: aiview.Purposes})
	if err != nil {
		return err
	}
	config := table.Config{Format: table.Text, Palette: s.t.Palette(), Screen: s.columns}
	return term.WriteError(prose.NewAIViews(s.out, config).Summary(view))
}

// heading prints the heading of a part, and the command that shows more.
func (s *screen) heading(title, command string) {
	p := s.t.Palette()
	fmt.Fprintf(s.out, "\n%s %s\n\n", p.Paint(term.Bold, title), p.Paint(term.Faint, "(more: "+command+")"))
}
