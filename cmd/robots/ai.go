package main

import (
	"bufio"
	"cmp"
	"context"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/aiview"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/sites"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/table"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/show/prose"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/origin"
)

type aiFlags struct {
	filterFlags
	fetchFlags
	dialectFlags
	limitFlags
	formatFlags
	each bool
}

func newAI(t *term.Terminal) *cobra.Command {
	a := aiFlags{fetchFlags: fetchFlags{cache: cacheNone}} // shows what the site serves now
	cmd := &cobra.Command{
		Use:   "ai [flags] FILE|URL|HOST...",
		Short: "Show which AI crawlers may fetch a site, and what they may use its pages for",
		Long: `Show which AI crawlers may fetch a site, and what they may use its pages for.

The table lists the known crawlers by purpose: ai-training (models), ai-search (an index
for AI answers), ai-fetch (a page that an AI answer needs now), and search, for
comparison. The column group shows which group a crawler reads: its own, another
crawler's by name, the group for "*", or none. A row shows the crawlers with the same
result, in the order in which people ask for them, and what they may fetch. The result
is proved for all paths: "open except /archive/" means that every other path is allowed,
and "in part" that only some paths of a pattern are an exception. "depends on the
parser" means that no source states how the crawlers read files, and that the dialects
google and rfc9309 differ about a URL as browsers write it. Crawlers that do not read
files as Google does are below the table.

Content-Signal and Content-Usage lines state what pages may be used for. The column
"states" shows the statements in a crawler's groups; a crawler with its own group does not
read the group for "*". Below the table are these lines, License lines, and the problems
that "robots lint" finds in them, such as contradictions. The operator of a crawler
decides whether it obeys such a line.

--json prints an object for each file or site, one on each line. Its fields are schema
(1), name, robots_url, status, outcome, fetch_reason, body, dialect, purposes (purpose,
matched_by, group, access, except, preferences, agents, dialects, disobey), preferences
(line, key, agents, more_agents, path, use, granted), licenses (line, agents,
more_agents, outside, value) and problems (line, code, message).

Exit status: 0, or 2 if a file cannot be read or a site does not respond.`,
		Example: `  robots ai shop.example
  robots ai robots.txt
  robots ai --purpose ai-training --each --format csv robots.txt
  robots ai --operator OpenAI,Anthropic --format markdown shop.example`,
		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault), // files
		RunE:              func(cmd *cobra.Command, args []string) error { return a.run(cmd.Context(), t, args) },
	}
	a.filterFlags.define(cmd, "show")
	cmd.Flags().BoolVar(&a.each, "each", false, "print a row for each crawler")
	a.formatFlags.define(cmd)
	a.dialectFlags.define(cmd)
	a.limitFlags.defineForFiles(cmd)
	a.fetchFlags.define(cmd)
	return cmd
}

func (a *aiFlags) run(ctx context.Context, t *term.Terminal, args []string) error {
	if err := a.settle(); err != nil {
		return err
	}
	if len(args) == 0 {
		return term.Errorf("no robots.txt is given").Hint(`give a file, "-", or a URL or host, such as shop.example`)
	}
	config, err := a.view(t)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(t.Out, 1<<16)
	print, flush := a.printer(t, out)
	ctx, stop := untilInterrupted(ctx)
	defer stop()
	var trouble error
	refused := false
	err = a.eachRuling(ctx, t, args, func(name string, r *answer.Ruling) error {
		v, err := aiview.New(ctx, name, r, config)
		if err != nil {
			return err
		}
		if r.IsUnknown() {
			trouble = errShown
		}
		refused = refused || isRefused(r)
		return term.WriteError(print(v))
	}, func(err error) {
		_ = out.Flush() // the writer keeps its error
		t.PrintError(err)
		trouble = errShown
	})
	if err != nil {
		_ = out.Flush() // the views so far are correct
		return orInterrupted(err)
	}
	err = cmp.Or(term.WriteError(cmp.Or(flush(), out.Flush())), trouble)
	if refused {
		t.Hint(answer.AllowHint)
	}
	return err
}

func (a *aiFlags) view(t *term.Terminal) (aiview.Config, error) {
	config := aiview.Config{Dialect: a.dialect, Purposes: aiview.Purposes, Each: a.each}
	selection, err := a.selection(t)
	if len(selection.Purposes) > 0 {
		config.Purposes = selection.Purposes
	}
	config.Operators = selection.Operators
	if err == nil &&
		len(crawlers.Select(crawlers.Selection{Purposes: config.Purposes, Operators: config.Operators})) == 0 {
		err = term.Errorf("no known crawler in use for AI or search has %s", &a.filterFlags).Hint(`"robots crawlers" lists the known ones`)
	}
	return config, err
}

// printer returns the functions that print a view and the end of the output.
func (a *aiFlags) printer(t *term.Terminal, out *bufio.Writer) (print func(*wire.AIView) error, flush func() error) {
	if a.format == table.JSON {
		return func(v *wire.AIView) error { return term.PrintJSON(out, v) }, func() error { return nil }
	}
	p := prose.NewAIViews(out, a.table(t))
	return p.Print, p.Flush
}

// eachRuling calls do for every file and site, in their order, and report for each that
// cannot be read.
func (a *aiFlags) eachRuling(ctx context.Context, t *term.Terminal, args []string,
	do func(string, *answer.Ruling) error, report func(error)) error {
	var clients *runClients
	if urls := urlsOf(args); len(urls) > 0 {
		var err error
		clients, err = a.fetchFlags.open(ctx, t, a.limit, newTyped(urls...))
		if err != nil {
			return err
		}
		defer clients.close()
	}
	for _, arg := range args {
		ruling, err := a.ruling(ctx, t, clients, arg)
		if err != nil && ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			report(err)
			continue
		}
		if ruling.Site != nil {
			arg = origin.Text(arg).Given()
		}
		if err := do(arg, ruling); err != nil {
			return err
		}
	}
	return nil
}

func (a *aiFlags) ruling(ctx context.Context, t *term.Terminal, clients *runClients,
	arg string) (*answer.Ruling, error) {
	url, isSite := siteOf(t, arg)
	if !isSite {
		file, err := readBody(t, arg, a.limit)
		if err != nil {
			return nil, err
		}
		return answer.RuleFile(file, a.dialect, nil), nil
	}
	result, err := clients.Robots(ctx, url)
	if err != nil {
		return nil, term.Errorf("%s", term.Printable(err))
	}
	return sites.RuleSite(result, sites.Now(), a.dialect, nil), nil
}
