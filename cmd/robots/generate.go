package main

import (
	"cmp"
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt/cmd/internal/generate"
	"github.com/kosterhq/robotstxt/cmd/internal/report"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
)

// generation has the flags of generate.
type generation struct {
	no, yes, signals            []string
	into                        string
	preferNo, diff, json, quiet bool
}

func newGenerate(t *term.Terminal) *cobra.Command {
	var g generation
	cmd := &cobra.Command{
		Use:   "generate [flags]",
		Short: "Write what crawlers may do into a robots.txt",
		Long: `Write what is intended for purposes and crawlers into a robots.txt: a new one, which is
printed, or an existing one with --into. "-" reads standard input and prints the result.

--no and --yes take purposes, such as ai-training, and known crawlers, such as GPTBot, with
commas between them, and after "=" a path as in a Disallow line. Without a path --no closes
the whole site; --yes keeps the lines that close parts of the site, and opens it if all
of it is closed. A longer path counts before a shorter one, and a crawler before its
purposes.

A crawler is closed only if every purpose it has is refused. One that also serves a purpose
that is not refused stays as it was, and the comment on top names it; --prefer-no closes it.
So bingbot stays for its search if ai-training is refused. Google-Extended and
Applebot-Extended block no crawler; their groups refuse the use of the pages.

--signals also states the purposes ai-training, ai-search and search in Content-Usage or
Content-Signal lines, in each group that does not close the site.

A crawler with a group of its own reads no other, so a new group repeats the rules,
Crawl-delay and signals that applied to its crawlers. Before a file is written, it is
proved that each known crawler reads the requested paths as intended, in the way in which
it reads files, and that every other verdict is as before. Running the same command again
changes nothing.

Exit status: 0 if all is as intended; 1 if something is not, which the comment on top and
the notes say; 2 if nothing is written, for example because the file is a web page.`,
		Example: `  robots generate --no ai-training --yes search >robots.txt
  robots generate --no ai-training --no ai-fetch=/members/ --into robots.txt
  robots generate --no ai-training,CCBot --signals content-usage --into robots.txt --diff`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return term.Errorf("name purposes and crawlers after --no and --yes, and a file after --into", "unexpected argument %q", args[0])
			}
			return nil
		},
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return g.run(cmd.Context(), t, cmd.Flags().Changed("into"))
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&g.no, "no", nil, "refuse `PURPOSE|CRAWLER[,...][=PATH]`; may be repeated")
	flags.StringArrayVar(&g.yes, "yes", nil, "allow `PURPOSE|CRAWLER[,...][=PATH]`; may be repeated")
	flags.StringSliceVar(&g.signals, "signals", nil, "state the use of pages in `SIGNAL` lines too, or several with commas: "+strings.Join(signalNames(), ", "))
	flags.StringVar(&g.into, "into", "", "write into this `FILE`, which is replaced atomically; \"-\" is standard input")
	flags.BoolVar(&g.preferNo, "prefer-no", false, "close crawlers that also serve a purpose that is not refused")
	flags.BoolVar(&g.diff, "diff", false, "with --into, write nothing, and show what would change as a unified diff")
	flags.BoolVar(&g.json, "json", false, "print the result as a JSON object, with what becomes of each crawler")
	flags.BoolVarP(&g.quiet, "quiet", "q", false, "print no notes")
	for _, flag := range []string{"no", "yes"} {
		completeFrom(cmd, flag, subjectCompletions)
	}
	complete(cmd, "signals", signalNames())
	return cmd
}

// subjectCompletions returns the purposes and crawlers after the text typed so far.
func subjectCompletions(typed string) (completions []string) {
	if strings.Contains(typed, "=") {
		return nil
	}
	before := typed[:strings.LastIndexByte(typed, ',')+1]
	for _, name := range purposes() {
		completions = append(completions, cobra.CompletionWithDesc(before+name, "purpose"))
	}
	return append(completions, crawlerCompletions(typed)...)
}

func signalNames() []string { return namesOf(generate.Signals()) }

func (g *generation) run(ctx context.Context, t *term.Terminal, merge bool) error {
	t.Quiet = g.quiet
	config := generate.Config{PreferNo: g.preferNo}
	err := cmp.Or(config.Add(false, g.no...), config.Add(true, g.yes...), config.AddSignals(g.signals...))
	switch {
	case err != nil:
		return err
	case g.diff && !merge:
		return term.Errorf("add --into FILE", "--diff shows what changes in a file, and there is none")
	case g.diff && g.json:
		return term.Errorf("leave one of them out", "--diff and --json cannot both be printed")
	case isSiteURL(g.into):
		return term.Errorf(`save it with "robots fetch --body" first`, "the file of a site cannot be changed in place: %q", g.into)
	}
	var before []byte
	if merge {
		if before, err = readWhole(t, g.into); err != nil {
			return err
		}
	}
	return g.write(ctx, t, before, config, merge)
}

// write writes or prints the file with the intentions. merge says that there is one before.
func (g *generation) write(ctx context.Context, t *term.Terminal, before []byte, config generate.Config, merge bool) error {
	result, err := generate.Write(ctx, before, config)
	if err != nil {
		if merge {
			err = about(g.into, err)
		}
		return err
	}
	if err := g.put(t, before, result, merge); err != nil {
		return err
	}
	for _, sentence := range result.Missed {
		t.Note("%s", sentence)
	}
	if !result.Complete {
		return errFound
	}
	return nil
}

// put writes or prints the result.
func (g *generation) put(t *term.Terminal, before []byte, result *wire.Generated, merge bool) error {
	body, isFile := []byte(result.Body), merge && !isStdin(g.into)
	if isFile && !g.diff && result.Changed {
		if err := replaceFile(g.into, before, body); err != nil {
			return err
		}
		t.Note("%s: written; it is proved that each known crawler reads the requested paths as intended, and that no other verdict changes", term.Source(g.into))
	}
	switch {
	case g.json:
		return term.WriteError(term.PrintJSON(t.Out, result))
	case g.diff:
		return term.WriteError(report.Patch(t, t.Out, g.into, before, body))
	case !isFile:
		return term.WriteError(t.PrintFile(t.Out, body))
	case !result.Changed:
		t.Note("%s: nothing to change", term.Source(g.into))
	}
	return nil
}
