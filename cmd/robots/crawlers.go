package main

import (
	"bufio"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt/cmd/internal/prose"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
	"github.com/kosterhq/robotstxt/crawlers"
)

// crawlerList has the flags of crawlers.
type crawlerList struct {
	crawlerFilter
	json bool
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

With --json each line is an object with these facts and, as claims, the texts that
support them. What no source says is "unknown".`,
		Example: `  robots crawlers --purpose ai-training
  robots crawlers Googlebot-Image
  robots crawlers --json --operator OpenAI`,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return crawlerCompletions(""), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error { return r.run(t, args) },
	}
	r.crawlerFilter.define(cmd, "list")
	cmd.Flags().BoolVar(&r.json, "json", false, "print JSON, one object a line")
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

func (r *crawlerList) run(t *term.Terminal, args []string) error {
	chosen, err := r.choose(args)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(t.Out)
	show := prose.NewCrawlerTable(out, t.Palette(), chosen).Print
	switch {
	case r.json:
		show = func(c crawlers.Crawler) error {
			return term.PrintJSON(out, wire.Line{Object: crawlers.Entry{Crawler: c, Claims: crawlers.Claims(c.Token)}})
		}
	case len(args) > 0:
		show = (&prose.Printer{Out: out, Palette: t.Palette()}).Crawler
	}
	for _, c := range chosen {
		if err := show(c); err != nil {
			return term.WriteError(err)
		}
	}
	return term.WriteError(out.Flush())
}

// choose returns the named crawlers, or without names those that the flags select.
func (r *crawlerList) choose(names []string) (chosen []crawlers.Crawler, err error) {
	if len(names) > 0 && r.narrowed() {
		return nil, term.Errorf("leave one of them out", "--purpose and --operator filter the list, so they cannot be given with a name")
	}
	for _, name := range names {
		c, err := knownCrawler(name)
		if err != nil {
			return nil, err
		}
		chosen = append(chosen, c)
	}
	if len(names) > 0 {
		return chosen, nil
	}
	selection, err := r.selection()
	selection.Retired = true
	return crawlers.Select(selection), err
}

// knownCrawler finds a crawler by its token, or by the header that it sends.
func knownCrawler(name string) (crawlers.Crawler, error) {
	if c, ok := crawlers.Find(name); ok {
		return c, nil
	}
	if c, ok := crawlers.FromUserAgent(name); ok {
		return c, nil
	}
	hint := `"robots crawlers" lists the known ones`
	if near, ok := crawlers.Nearest(name); ok {
		hint = "did you mean " + near.Token + "?"
	}
	return crawlers.Crawler{}, term.Errorf(hint, "%q is not a known crawler", name)
}
