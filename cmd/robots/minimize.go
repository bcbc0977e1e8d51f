package main

import (
	"bufio"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/compare"
	"github.com/kosterhq/robotstxt/cmd/internal/report"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
	"github.com/kosterhq/robotstxt/origin"
	"github.com/kosterhq/robotstxt/semdiff"
)

// minimizing has the flags of minimize.
type minimizing struct {
	limitFlags
	dialects    dialectList
	steps       int
	diff, quiet bool
}

func newMinimize(t *term.Terminal) *cobra.Command {
	m := minimizing{dialects: dialectList{robotstxt.Google, robotstxt.RFC9309}}
	cmd := &cobra.Command{
		Use:   "minimize [flags] FILE|-",
		Short: "Print a robots.txt without the rules that decide nothing",
		Long: `Print a robots.txt without the rules that decide nothing. For every crawler and
every URL, the smaller file gives the verdict of the original; that is proved before
anything is printed. Comments, order and layout stay. The removed rules and the
reasons are printed to standard error.

A rule is removed only if it decides nothing in all dialects of --dialect, by default
google and rfc9309. A rule that is undecided after --steps stays, and a warning
reports it. Each group keeps one rule.

The file itself is not changed. A file over --limit is an error, because crawlers
would read lines that were after the limit before; so are a web page and a file that
is not text.

Exit status: 0 if the file was printed, 2 if it could not be.`,
		Example: `  robots minimize robots.txt >smaller.txt
  robots minimize --diff robots.txt
  robots fetch --body shop.example | robots minimize -`,
		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault), // files
		RunE:              func(cmd *cobra.Command, args []string) error { return m.run(cmd.Context(), t, args) },
	}
	flags := cmd.Flags()
	flags.BoolVar(&m.diff, "diff", false, "print the removed lines as a unified diff")
	flags.Var(flagValue[dialectList]{&m.dialects, readDialects}, "dialect", "keep the verdicts in `DIALECTS`, separated by commas: "+strings.Join(dialectNames(), ", "))
	complete(cmd, "dialect", dialectNames())
	flags.IntVar(&m.steps, "steps", semdiff.DefaultSteps, "search at most `N` steps, some millions a second; after that, rules remain undecided")
	complete(cmd, "steps", nil)
	flags.BoolVarP(&m.quiet, "quiet", "q", false, "print no notes")
	m.limitFlags.define(cmd)
	flags.Lookup("limit").Usage = "reject a file of more `BYTES` than crawlers read; \"none\" accepts any"
	return cmd
}

func (m *minimizing) run(ctx context.Context, t *term.Terminal, args []string) error {
	switch {
	case len(args) != 1:
		return term.Errorf(`give one file, or "-" for standard input`, "%s given", map[bool]string{true: "no file is", false: "more than one file is"}[len(args) == 0])
	case isSiteURL(args[0]):
		return term.Errorf(`use "robots fetch --body URL | robots minimize -"`, "%q is a URL, not a file", origin.Text(args[0]).Given())
	case m.steps < 1:
		return term.Errorf("give a number above 0", "--steps %d is not enough to decide anything", m.steps)
	}
	t.Quiet = m.quiet
	name := args[0]
	body, err := m.read(t, name)
	if err != nil {
		return err
	}
	ctx, stop := untilInterrupted(ctx)
	defer stop()
	r, err := compare.Minimize(ctx, body, m.dialects, m.steps)
	if err != nil {
		return orInterrupted(err)
	}
	err = t.Print(func(out *bufio.Writer) error {
		if m.diff {
			return report.Patch(t, out, name, body, r.Body)
		}
		return t.PrintFile(out, r.Body)
	})
	if err == nil {
		m.report(t, name, body, r)
	}
	return err
}

// read reads a whole file. Its error says why the file is not a robots.txt.
func (m *minimizing) read(t *term.Terminal, name string) ([]byte, error) {
	body, err := readWhole(t, name)
	if err != nil {
		return nil, err
	}
	switch kind := wire.BodyOf(body); {
	case kind == wire.BodyHTML:
		return nil, term.Errorf("save the robots.txt itself", "%s looks like a web page", term.Source(name))
	case kind == wire.BodyBinary:
		return nil, term.Errorf("give a robots.txt", "%s is not text", term.Source(name))
	case m.limit > 0 && len(body) > int(m.limit):
		return nil, term.Errorf("shorten it by hand, or give --limit none if your crawlers read all of it",
			"%s is over %s bytes, and crawlers do not read the rest", term.Source(name), m.limit)
	}
	return body, nil
}

// mostRemoved is the number of removed rules that are printed.
const mostRemoved = 100

// report prints the removed rules with the reasons, and the number of undecided ones.
func (m *minimizing) report(t *term.Terminal, name string, body []byte, r *compare.Minimal) {
	file := answer.NewFile(body)
	for i, removed := range r.Removed {
		if i == mostRemoved {
			t.Note("%s more rules are removed; --diff shows them all", term.Thousands(len(r.Removed)-mostRemoved))
			break
		}
		why := "without it, the other rules give the same verdicts"
		if removed.By > 0 {
			why = "line " + fmt.Sprint(removed.By) + " covers it: " + term.Excerpt(file.Rule(removed.By))
		}
		t.Note("line %d is removed: %s (%s)", removed.Line, term.Excerpt(file.Rule(removed.Line)), why)
	}
	if n := len(r.Undecided); n > 0 {
		t.Warn("%s, undecided: %s (first: line %d)", term.Count(n, "rule stays", "rules stay"), term.Escape(r.Tried), r.Undecided[0])
	}
	t.Note("%s: %s of %s removed, %s bytes of %s", term.Source(name), term.Thousands(len(r.Removed)), term.Count(r.Rules, "rule", "rules"),
		term.Thousands(len(body)-len(r.Body)), term.Thousands(len(body)))
}

// dialectList is the value of --dialect, separated by commas.
type dialectList []robotstxt.Dialect

func (l dialectList) String() string { return strings.Join(namesOf(l), ",") }

func readDialects(text string) (list dialectList, err error) {
	for name := range strings.SplitSeq(text, ",") {
		var d robotstxt.Dialect
		if err := d.UnmarshalText([]byte(strings.TrimSpace(name))); err != nil {
			return nil, err
		}
		if !slices.Contains(list, d) {
			list = append(list, d)
		}
	}
	return list, nil
}
