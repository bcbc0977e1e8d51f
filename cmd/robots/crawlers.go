package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt/cmd/internal/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/blocklist"
	"github.com/kosterhq/robotstxt/cmd/internal/prose"
	"github.com/kosterhq/robotstxt/cmd/internal/table"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

// crawlerList has the flags of crawlers.
type crawlerList struct {
	crawlerFilter
	formatFlags
	robots, block, allow bool
}

func newCrawlers(t *term.Terminal) *cobra.Command {
	var r crawlerList
	cmd := &cobra.Command{
		Use:   "crawlers [flags] [NAME...]",
		Short: "List the known crawlers, or show details of some",
		Long: `List the known crawlers: product token, operator, purposes, and the groups that the
crawler obeys. all: the groups that name it, else those for "*". named: only groups
that name it. none: it does not obey robots.txt, or not reliably.

With a NAME all details are shown: the tokens that it matches, in their order, the
other lines that it obeys, its limits, how to verify that a request is from it, and
the sources. A NAME is a product token or a User-Agent header.

Verified facts are from texts of the crawler's operator; the others are from public
lists, or common knowledge. It is not checked whether a crawler does what its operator says.

With --robots the output is a group that blocks the crawlers, or allows them everything
with --allow; retired ones are left out unless they are named. Its effect on every
known crawler is proved before it is printed. Comments say which crawlers need not
obey it, and to which others it applies, for example because they fall back to one.

With --json each line is an object with these facts and, as claims, the texts that
support them. What no source says is "unknown".`,
		Example: `  robots crawlers --purpose ai-training
  robots crawlers Googlebot-Image
  robots crawlers --purpose ai-training,ai-search --robots >> robots.txt
  robots crawlers --format csv --operator OpenAI`,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return crawlerCompletions(""), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := r.settle(cmd.Flags().Changed("format")); err != nil {
				return err
			}
			return r.run(cmd.Context(), t, args)
		},
	}
	r.crawlerFilter.define(cmd, "list")
	r.formatFlags.define(cmd)
	cmd.Flags().BoolVar(&r.robots, "robots", false, "print a group of robots.txt for the crawlers, ready to paste")
	cmd.Flags().BoolVar(&r.block, "block", false, "with --robots, the group blocks them (the default)")
	cmd.Flags().BoolVar(&r.allow, "allow", false, "with --robots, the group allows them everything")
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

func (r *crawlerList) run(ctx context.Context, t *term.Terminal, args []string) error {
	if err := r.validate(args); err != nil {
		return err
	}
	chosen, err := r.choose(args)
	if err != nil {
		return err
	}
	if r.robots {
		return r.printGroup(ctx, t, chosen)
	}
	out := bufio.NewWriter(t.Out)
	switch {
	case r.json:
		err = printEntries(out, chosen)
	case len(args) > 0 && r.format == table.Text:
		printer := &prose.Printer{Out: out, Palette: t.Palette()}
		for _, c := range chosen {
			err = errors.Join(err, printer.Crawler(c))
		}
	default:
		columns, lines := t.Size()
		err = prose.CrawlerTable(out, table.Config{Format: r.format, Excel: r.excel, Palette: t.Palette(), NoHeader: columns == 0, Screen: columns, Repeat: max(0, lines-2)}, chosen)
	}
	return term.WriteError(errors.Join(err, out.Flush()))
}

func printEntries(out io.Writer, chosen []crawlers.Crawler) error {
	for _, c := range chosen {
		if err := term.PrintJSON(out, wire.Line{Object: crawlers.Entry{Crawler: c, Claims: crawlers.Claims(c.Token)}}); err != nil {
			return err
		}
	}
	return nil
}

// validate returns an error for flags that contradict each other.
func (r *crawlerList) validate(names []string) error {
	switch {
	case len(names) > 0 && r.narrowed():
		return term.Errorf("leave one of them out", "--purpose and --operator filter the list, so they cannot be given with a name")
	case r.block && r.allow:
		return term.Errorf("leave one of them out", "--block and --allow contradict each other")
	case (r.block || r.allow) && !r.robots:
		return term.Errorf("add --robots", "--block and --allow have no effect without --robots")
	case r.robots && r.format != table.Text:
		return term.Errorf("leave one of them out", "--robots prints a robots.txt, so it cannot be combined with a format")
	case r.robots && len(names) == 0 && !r.narrowed():
		return term.Errorf("add --purpose, --operator or names of crawlers", "--robots for all known crawlers would name search engines too")
	}
	return nil
}

// printGroup prints the group of --robots.
func (r *crawlerList) printGroup(ctx context.Context, t *term.Terminal, chosen []crawlers.Crawler) error {
	slices.SortFunc(chosen, func(a, b crawlers.Crawler) int { return ascii.CompareFold(a.Token, b.Token) })
	chosen = slices.CompactFunc(chosen, func(a, b crawlers.Crawler) bool { return a.Token == b.Token })
	verb, with := "blocks", ""
	if r.allow {
		verb = "allows"
	}
	if r.narrowed() {
		with = " with " + r.crawlerFilter.String()
	}
	title := fmt.Sprintf("This group %s %d known crawlers%s, data of %s.", verb, len(chosen), with, crawlers.Version())
	text, err := blocklist.Text(ctx, blocklist.Config{Crawlers: chosen, Allow: r.allow, Title: title})
	if err != nil {
		return term.Prefixed("cannot prove the group: ", err)
	}
	_, err = t.Out.Write(text)
	return term.WriteError(err)
}

// choose returns the named crawlers, or without names those that the flags select.
func (r *crawlerList) choose(names []string) (chosen []crawlers.Crawler, err error) {
	for _, name := range names {
		c, err := answer.KnownCrawler(name)
		if err != nil {
			return nil, err
		}
		chosen = append(chosen, c)
	}
	if len(names) > 0 {
		return chosen, nil
	}
	if r.robots {
		return r.selected()
	}
	selection, err := r.selection()
	selection.Retired = true
	return crawlers.Select(selection), err
}
