package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt/cmd/internal/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/prose"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
)

func newExplain(t *term.Terminal) *cobra.Command {
	var q question
	cmd := &cobra.Command{
		Use:   "explain [--file FILE] [flags] URL...",
		Short: "Show why a URL is allowed or not",
		Long: `Show why a URL is allowed or not.

For each URL and crawler the output shows the verdict, the deciding line with its
neighbours, its group, the other rules that match and why they lose, and the
verdicts of the other dialects, with the reason if they differ. Without --file the
robots.txt of the URL's site is fetched, as by "robots check", and the result of the
fetch is shown too.

With --json each line is an object with the fields decision, other_dialects,
fetch, as "robots fetch --json" prints it, if the file was fetched, and schema,
url, agent, rule, verdict, matched_by, outcome, body, compared_url, tokens,
named_only and raw as "robots check --json" prints them.

The exit status is that of "robots check".`,
		Example: `  robots explain --agent FooBot https://shop.example/cart
  robots explain --file robots.txt --agent Googlebot-News:Googlebot /news/
  robots explain --file robots.txt --dialect rfc9309 --json /caf%c3%a9`,
		RunE: func(cmd *cobra.Command, args []string) error { return explain(cmd.Context(), t, &q, args) },
	}
	q.define(cmd)
	return cmd
}

// explain prints the answers with their reasons. Its errors are those of check.
func explain(ctx context.Context, t *term.Terminal, q *question, args []string) error {
	in, done, err := q.open(ctx, t, args)
	if err != nil {
		return err
	}
	defer done()
	show := in.explanationPrinter(t, q.outputFlags)
	return in.each(ctx, func(v *answer.Visit) (exit error, err error) {
		for i := range in.Crawlers {
			e := v.Explain(i)
			if err := show(v, e); err != nil {
				return nil, err
			}
			exit = worse(exit, e.Verdict)
		}
		return exit, nil
	})
}

// explanationPrinter returns the function that prints in the format of the flags.
func (in *inquiry) explanationPrinter(t *term.Terminal, flags outputFlags) func(*answer.Visit, *wire.Explanation) error {
	switch {
	case flags.quiet:
		return func(*answer.Visit, *wire.Explanation) error { return nil }
	case flags.json:
		return func(_ *answer.Visit, e *wire.Explanation) error { return term.PrintJSON(in.out, e) }
	}
	p := &prose.Printer{Out: in.out, Palette: t.Palette()}
	return func(v *answer.Visit, e *wire.Explanation) error { return p.Explanation(v.Ruling.File, e) }
}
