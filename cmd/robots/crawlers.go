package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/compare"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/table"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/maintain/generate"
	"github.com/kosterhq/robotstxt/cmd/internal/show/prose"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/agentheader"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/origin"
)

type crawlersFlags struct {
	filterFlags
	formatFlags
	robots, block, allow bool
}

func newCrawlers(t *term.Terminal) *cobra.Command {
	var r crawlersFlags
	cmd := &cobra.Command{
		Use:   "crawlers [flags] [NAME...]",
		Short: "List the known crawlers, or show details of some",
		Long: `List the known crawlers: product token, operator, purposes, and the groups that the
crawler obeys. "all" means the groups that name it, or else the groups for "*"; "named"
means only groups that name it; "none" means that it does not obey robots.txt, or not
reliably.

Give a NAME to see all details: the tokens that the crawler matches, in their order, the
other lines that it obeys, its limits, how to verify that a request is from it, and the
sources. A NAME is a product token or a User-Agent header.

Verified facts come from what the crawler's operator publishes; the others come from
public lists or common knowledge. robots does not check whether a crawler does what its
operator states.

--robots prints a new robots.txt that refuses the crawlers, or with --allow one that
allows them everything, as "robots generate" writes it. It omits retired crawlers unless
you name them. To change an existing file, use "robots generate".

--json prints an object for each crawler, one on each line, with these facts and, as
claims, the texts that support them. A fact that no source states is "unknown".

The crawlers that most robots.txt files name come first: rank is the place of a crawler by
how many of 246 files of 2025 and 2026 name it.

"robots crawlers compare" compares the data with public lists of crawlers.`,
		Example: `  robots crawlers --purpose ai-training
  robots crawlers Googlebot-Image
  robots crawlers --operator OpenAI --robots >robots.txt
  robots crawlers --format csv --operator OpenAI`,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return crawlerCompletions(""), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error { return r.run(cmd.Context(), t, args) },
	}
	r.filterFlags.define(cmd, "list")
	r.formatFlags.define(cmd)
	cmd.Flags().BoolVar(&r.robots, "robots", false, "print a robots.txt for the crawlers, as \"robots generate\" does")
	cmd.Flags().BoolVar(&r.block, "block", false, "with --robots, refuse them (the default)")
	cmd.AddCommand(newCrawlersCompare(t))
	cmd.Flags().BoolVar(&r.allow, "allow", false, "with --robots, allow them the whole site")
	return cmd
}

// crawlerCompletions returns the completions of the last token of a list of crawlers:
// every known token, with a description, after the text before it.
func crawlerCompletions(typed string) (completions []string) {
	before := typed[:strings.LastIndexAny(typed, ",:")+1]
	for c := range crawlers.All() {
		completions = append(completions, cobra.CompletionWithDesc(before+c.Token, c.Operator+", "+prose.PurposesOf(c)))
	}
	return completions
}

func (r *crawlersFlags) run(ctx context.Context, t *term.Terminal, args []string) error {
	if err := cmp.Or(r.settle(), r.validate(args)); err != nil {
		return err
	}
	chosen, err := r.choose(t, args)
	if err != nil {
		return err
	}
	if r.robots {
		return r.printGroup(ctx, t, chosen, len(args) > 0)
	}
	return t.Print(func(out *bufio.Writer) (err error) {
		if !r.json && (len(args) == 0 || r.format != table.Text) {
			config := r.table(t)
			_, lines := t.Size()
			config.NoHeader, config.Repeat = config.Screen == 0, max(0, lines-2)
			return prose.CrawlerTable(out, config, chosen)
		}
		printer := &prose.Printer{Out: out, Palette: t.Palette()}
		for _, c := range chosen {
			if r.json {
				err = cmp.Or(err,
					term.PrintJSON(out,
						wire.Line{Object: crawlers.Entry{Crawler: c, Claims: crawlers.Claims(c.Token)}}))
			} else {
				err = cmp.Or(err, printer.Crawler(c))
			}
		}
		return err
	})
}

func (r *crawlersFlags) validate(names []string) error {
	switch {
	case len(names) > 0 && r.narrowed():
		return term.Errorf("--purpose and --operator filter the list, so they cannot be given with a name").Hint("omit one of them")
	case r.block && r.allow:
		return term.Errorf("--block and --allow contradict each other").Hint("omit one of them")
	case (r.block || r.allow) && !r.robots:
		return term.Errorf("--block and --allow have no effect without --robots").Hint("add --robots")
	case r.robots && r.format != table.Text:
		return term.Errorf("--robots prints a robots.txt, so it cannot be combined with a format").Hint("omit one of them")
	case r.robots && len(names) == 0 && !r.narrowed():
		return term.Errorf("--robots for all known crawlers would name search engines too").Hint("add --purpose, --operator or names of crawlers")
	}
	return nil
}

// printGroup writes the group that "robots generate" makes for the chosen crawlers: the named
// ones, an operator's, or those with the purposes of the flags.
func (r *crawlersFlags) printGroup(ctx context.Context, t *term.Terminal, chosen []crawlers.Crawler, named bool) error {
	slices.SortFunc(chosen, func(a, b crawlers.Crawler) int { return ascii.CompareFold(a.Token, b.Token) })
	chosen = slices.CompactFunc(chosen, func(a, b crawlers.Crawler) bool { return a.Token == b.Token })
	path, title := "", "robots crawlers --robots"
	if r.allow {
		path, title = "/", title+" --allow"
	}
	selection, err := r.selection(t)
	if err != nil {
		return err
	}
	var config generate.Config
	byPurpose := len(selection.Purposes) > 0 && len(selection.Operators) == 0
	for _, p := range selection.Purposes {
		if byPurpose {
			config.Statements = append(config.Statements, generate.Statement{Allow: r.allow, Purpose: p, Path: path})
		}
	}
	for _, c := range chosen {
		if !byPurpose {
			config.Statements = append(config.Statements,
				generate.Statement{Allow: r.allow, Crawler: c.Token, Path: path})
		}
		if named {
			title += " " + c.Token
		}
	}
	for _, list := range []struct {
		flag   string
		values []string
	}{{"purpose", r.purposes}, {"operator", r.operators}} {
		if len(list.values) > 0 {
			title += fmt.Sprintf(" --%s %s", list.flag, strings.Join(list.values, ","))
		}
	}
	config.Title = title
	return (&generateFlags{}).write(ctx, t, nil, config, false)
}

// choose returns the named crawlers, or without names those that the flags select.
func (r *crawlersFlags) choose(t *term.Terminal, names []string) (chosen []crawlers.Crawler, err error) {
	for _, name := range names {
		if strings.Contains(name, ",") && name[0] != '"' && !agentheader.IsHeader(name) {
			return nil, term.Errorf("the name %q has a comma", name).Hint("give several names as separate arguments, without commas")
		}
		c, err := answer.Known(name)
		if err != nil {
			return nil, err
		}
		chosen = append(chosen, c)
	}
	if len(names) > 0 {
		return chosen, nil
	}
	if r.robots {
		return r.selected(t)
	}
	selection, err := r.selection(t)
	selection.Retired = true
	return crawlers.Select(selection), err
}

type filterFlags struct{ purposes, operators []string }

// define defines the flags. verb names the command's action on the crawlers.
func (f *filterFlags) define(cmd *cobra.Command, verb string) {
	cmd.Flags().StringSliceVar(&f.purposes, "purpose", nil, verb+" the known crawlers with a `PURPOSE`, or one of several with commas: "+strings.Join(purposes(), ", "))
	complete(cmd, "purpose", purposes())
	cmd.Flags().StringSliceVar(&f.operators, "operator", nil, verb+" the known crawlers of an `OPERATOR`, company or product, or of several with commas")
	completeFrom(cmd, "operator", completesOperators)
}

func (f *filterFlags) narrowed() bool { return len(f.purposes) > 0 || len(f.operators) > 0 }

// selection returns the selection of the flags, without retired crawlers. A note tells which
// operator the name of a company or product means.
func (f *filterFlags) selection(t *term.Terminal) (s crawlers.Selection, err error) {
	for _, text := range f.purposes {
		purpose, err := answer.Purpose(text)
		if err != nil {
			return s, err
		}
		s.Purposes = append(s.Purposes, purpose)
	}
	for i, text := range f.operators {
		f.operators[i], err = answer.Operator(text)
		if err != nil {
			return s, err
		}
		noteOperator(t, text, f.operators[i])
	}
	s.Operators = f.operators
	return s, nil
}

func noteOperator(t *term.Terminal, typed, operator string) {
	if !strings.EqualFold(strings.TrimSpace(typed), operator) {
		t.Note("the operator of %s is %s", term.Escape(typed), term.Escape(operator))
	}
}

// selected returns the crawlers that the flags select, without retired ones. It is an
// error if there are none.
func (f *filterFlags) selected(t *term.Terminal) ([]crawlers.Crawler, error) {
	selection, err := f.selection(t)
	if err != nil {
		return nil, err
	}
	chosen := crawlers.Select(selection)
	if len(chosen) == 0 {
		return nil, term.Errorf("no known crawler in use has %s", f).Hint(`"robots crawlers" lists the known ones`)
	}
	return chosen, nil
}

// String returns the filter as a clause: "the purpose ads and the operator Google".
func (f *filterFlags) String() string {
	var clauses []string
	if len(f.purposes) > 0 {
		clauses = append(clauses, "the purpose "+strings.Join(f.purposes, " or "))
	}
	if len(f.operators) > 0 {
		clauses = append(clauses, "the operator "+strings.Join(f.operators, " or "))
	}
	return strings.Join(clauses, " and ")
}

func purposes() []string { return namesOf(crawlers.Purposes()) }

func newCrawlersCompare(t *term.Terminal) *cobra.Command {
	return &cobra.Command{
		Use:   "compare LIST...",
		Short: "Compare the known crawlers with public lists of crawlers",
		Long: `Compare the known crawlers with public lists of crawlers. A LIST is robots.json of
ai-robots-txt/ai.robots.txt, crawler-user-agents.json of monperrus/crawler-user-agents,
regexes/bots.yml of matomo-org/device-detector, a robots.txt with names in its
User-agent lines, or a folder that contains one of them, such as a checkout.

For each list, robots prints three things: the names that are neither a token nor an
alias of a known crawler; the known crawlers that cite the list although it no longer
contains them; and the crawlers about which list and data disagree, because only one of
them states that the crawler obeys robots.txt.

Exit status: 0 if there are no differences, 1 if there are some, 2 if a list cannot be
read.`,
		Example: `  robots crawlers compare ai.robots.txt/robots.json
  robots crawlers compare crawler-user-agents device-detector`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return term.Errorf("no list to compare with").Hint("name a file or a folder")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return compareCrawlers(t, args) },
	}
}

// compareCrawlers prints the differences of each list. A list that cannot be read is reported.
func compareCrawlers(t *term.Terminal, paths []string) error {
	var ending error
	err := t.Print(func(out *bufio.Writer) error {
		for i, path := range paths {
			list, err := readList(path)
			if err != nil {
				t.PrintError(err)
				ending = errShown
				continue
			}
			if i > 0 {
				fmt.Fprintln(out)
			}
			d := compare.WithList(list)
			printDifferences(out, list.Path, d)
			if !d.Equal() {
				ending = graver(ending, errFound)
			}
		}
		return nil
	})
	return cmp.Or(err, ending)
}

// readList reads a list from a file or folder. Errors do not repeat passwords.
func readList(path string) (*compare.List, error) {
	if isSiteURL(path) {
		return nil, term.Errorf("%q is a URL, not a file", origin.Text(path).Given()).Hint("save it to a file first")
	}
	list, err := compare.ReadList(path)
	if cause := term.Cause(err); cause != err {
		return nil, term.Errorf("cannot read %q: %v", path, cause)
	}
	return list, err
}

func printDifferences(out io.Writer, path string, d *compare.ListDifferences) {
	fmt.Fprintf(out, "%s: %s, %d not in the data of %s\n", term.Escape(path), term.Count(d.Names, "name", "names"), len(d.Missing), crawlers.Version())
	for _, part := range []struct {
		title string
		lines []string
	}{{"not in the data", d.Missing}, {"cited, but no longer in the list", d.Gone}, {"list and data disagree", d.Disagree}} {
		if len(part.lines) > 0 {
			fmt.Fprintf(out, "\n%s:\n", part.title)
		}
		for _, line := range part.lines {
			fmt.Fprintf(out, "  %s\n", term.Escape(line))
		}
	}
}
