package main

import (
	"bufio"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/compare"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/show/report"
	"github.com/kosterhq/robotstxt/origin"
	"github.com/kosterhq/robotstxt/semdiff"
)

type minimizeFlags struct {
	limitFlags
	dialects    dialectList
	steps       int
	diff, quiet bool
}

func newMinimize(t *term.Terminal) *cobra.Command {
	m := minimizeFlags{dialects: dialectList{robotstxt.Google, robotstxt.RFC9309}}
	cmd := &cobra.Command{
		Use:   "minimize [flags] FILE|-",
		Short: "Print a robots.txt without the rules that decide nothing",
		Long: `Print a robots.txt without the rules that decide nothing. Before robots prints anything,
it proves that the smaller file gives the verdict of the original for every crawler and
every URL. Comments, order and layout stay. robots prints the removed rules and the
reasons to standard error.

robots removes a rule only if it decides nothing in all dialects of --dialect, by default
google and rfc9309. If a rule is undecided after --steps, robots keeps it and prints a
warning. Each group keeps one rule.

robots does not change the file itself. A file over --limit is an error, because without
the removed rules crawlers would read lines that are past the limit now. A web page and a
file that is not text are errors too.

Exit status: 0 if the file was printed, otherwise 2.`,
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
	flags.IntVar(&m.steps, "steps", semdiff.DefaultSteps, "search at most `N` steps, several million a second; after that, rules remain undecided")
	complete(cmd, "steps", nil)
	flags.BoolVarP(&m.quiet, "quiet", "q", false, "print no notes")
	m.limitFlags.define(cmd)
	flags.Lookup("limit").Usage = "reject a file of more `BYTES` than crawlers read; \"none\" accepts any"
	return cmd
}

func (m *minimizeFlags) run(ctx context.Context, t *term.Terminal, args []string) error {
	switch {
	case len(args) != 1:
		return term.Errorf("%s given", map[bool]string{true: "no file is", false: "more than one file is"}[len(args) == 0]).Hint(`give one file, or "-" for standard input`)
	case isSiteURL(args[0]):
		return term.Errorf("%q is a URL, not a file", origin.Text(args[0]).Given()).Hint(`use "robots fetch --body URL | robots minimize -"`)
	case m.steps < 1:
		return term.Errorf("--steps %d is not enough to decide anything", m.steps).Hint("give a number above 0")
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

// read reads a whole file. Its error is the reason why the file is not a robots.txt.
func (m *minimizeFlags) read(t *term.Terminal, name string) ([]byte, error) {
	body, err := readWhole(t, name)
	if err != nil {
		return nil, err
	}
	what := answer.NotRules(robotstxt.BodyOf(body), body)
	switch {
	case what != "":
		return nil, term.Errorf("%s is %s", term.Source(name), what).Hint("save the robots.txt itself, as UTF-8")
	case m.limit > 0 && len(body) > int(m.limit):
		return nil, term.Errorf("%s is over %s bytes, and crawlers do not read the rest", term.Source(name), m.limit).Hint("shorten it by hand, or give --limit none if your crawlers read all of it")
	}
	return body, nil
}

const maxRemoved = 100

// report prints the removed rules with the reasons, and the number of undecided ones.
func (m *minimizeFlags) report(t *term.Terminal, name string, body []byte, r *compare.Minimal) {
	file := answer.NewFile(body)
	for i, removed := range r.Removed {
		if i == maxRemoved {
			t.Note("%s more rules are removed; --diff shows them all", term.Thousands(len(r.Removed)-maxRemoved))
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
