package main

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/files"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/maintain/generate"
	"github.com/kosterhq/robotstxt/cmd/internal/show/report"
	"github.com/kosterhq/robotstxt/origin"
)

type generateFlags struct {
	no, yes, signals            []string
	into                        string
	preferNo, diff, json, quiet bool // preferNo is not a flag any more
}

const generateLong = `Write a robots.txt that states what crawlers may do, and print it; or, with --into, change
an existing one. --into - reads standard input and prints the result.

--no and --yes take purposes, such as ai-training, known crawlers, such as GPTBot,
operators, such as OpenAI, which stand for their crawlers, and "all" for everybody: the
group for *, and each group of the file. Separate them with commas. To limit a statement to
a path, add "=" and the path, written as in a Disallow line. Without a path, --no closes the
whole site; --yes keeps the lines that close parts of the site, and opens the site if all of
it is closed. A longer path takes precedence over a shorter one, a crawler over its operator,
an operator over purposes, and purposes over all.

A Disallow refuses everything that a crawler does. So if you refuse a purpose, robots closes
the site to the crawlers that have it, with two exceptions. The site stays open to search
engines, unless you refuse search, and to crawlers with a purpose that --yes names. For
example, it stays open to bingbot, a search engine, if you refuse ai-training; to close it,
name bingbot: --no ai-training,bingbot. Google-Extended and Applebot-Extended block no
crawler; their groups refuse the use of the pages.

--signals adds Content-Usage or Content-Signal lines to each group that does not close the
site. They permit or refuse ai-training, ai-search and search.

A crawler with its own group reads no other, so a new group repeats the rules, Crawl-delay
and signals that applied to its crawlers. Before robots writes a file, it proves two things
for each known crawler, reading the file as that crawler does: the paths you named get the
verdict you intend, and every other verdict is unchanged. If you run the same command again,
nothing changes.

robots writes a comment with notes above the new lines. They list the intentions that no
line can express (in JSON: unable), and anything else that the new lines close or open
(also). robots prints notes that are not in the file.

Exit status: 0 if your intentions are written, apart from those that no line can express; 1
if an existing rule with a longer path decides about some of the paths, or a proof would
take too long; 2 if nothing is written, for example because the file is a web page.`

func newGenerate(t *term.Terminal) *cobra.Command {
	var g generateFlags
	cmd := &cobra.Command{
		Use:   "generate [flags]",
		Short: "Write what crawlers may do into a robots.txt",
		Long:  generateLong,
		Example: `  robots generate --no ai-training --yes search >robots.txt
  robots generate --no ai-training --no ai-fetch=/members/ --into robots.txt
  robots generate --no ai-training,CCBot --signals content-usage --into robots.txt --diff
  robots generate --no all=/members/ --yes Googlebot=/members/ --into robots.txt`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return term.Errorf("unexpected argument %q", args[0]).Hint("name purposes and crawlers after --no and --yes, and a file after --into")
			}
			return nil
		},
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return g.run(cmd.Context(), t, cmd.Flags().Changed("into"))
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&g.no, "no", nil, "refuse `PURPOSE|CRAWLER|OPERATOR|all[,...][=PATH]`; can be repeated")
	flags.StringArrayVar(&g.yes, "yes", nil, "allow `PURPOSE|CRAWLER|OPERATOR|all[,...][=PATH]`; can be repeated")
	flags.StringSliceVar(&g.signals, "signals", nil, "state the use of pages in `SIGNAL` lines too, or several with commas: "+strings.Join(signalNames(), ", "))
	flags.StringVar(&g.into, "into", "", "write into this `FILE`, which is replaced atomically; \"-\" is standard input")
	flags.BoolVar(&g.preferNo, "prefer-no", false, "")
	_ = flags.MarkHidden("prefer-no") // it exists
	flags.BoolVar(&g.diff, "diff", false, "with --into, write nothing, and show what would change as a unified diff")
	flags.BoolVar(&g.json, "json", false, "print the result as a JSON object, with the result for each crawler")
	flags.BoolVarP(&g.quiet, "quiet", "q", false, "print no notes")
	for _, flag := range []string{"no", "yes"} {
		completeFrom(cmd, flag, completesSubjects)
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

func (g *generateFlags) run(ctx context.Context, t *term.Terminal, merge bool) error {
	t.Quiet = g.quiet
	if g.preferNo {
		return term.Errorf("--prefer-no no longer exists: a refused purpose closes the crawlers that have it").Hint("name those that stay open as well, for example --no ai-training,bingbot")
	}
	var config generate.Config
	err := cmp.Or(config.Add(false, g.no...), config.Add(true, g.yes...), config.AddSignals(g.signals...))
	switch {
	case err != nil:
		return err
	case g.diff && !merge:
		return term.Errorf("--diff shows the changes to a file, but no file is given").Hint("add --into FILE")
	case g.diff && g.json:
		return term.Errorf("--diff and --json cannot both be printed").Hint("omit one of them")
	case isSiteURL(g.into):
		return term.Errorf("the file of a site cannot be changed in place: %q", origin.Text(g.into).Given()).Hint(`save it with "robots fetch --body" first`)
	}
	var before []byte
	if merge {
		before, err = readWhole(t, g.into)
		if err != nil {
			return err
		}
	}
	return g.write(ctx, t, before, config, merge)
}

// write writes or prints the file with the intentions. merge means that a file exists
// already.
func (g *generateFlags) write(ctx context.Context, t *term.Terminal, before []byte, config generate.Config,
	merge bool) error {
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
	sentences := result.Missed
	if !result.Changed { // the comment of a changed file has the notes
		sentences = slices.Concat(sentences, result.Notes)
	}
	for _, sentence := range sentences {
		t.Note("%s", sentence)
	}
	if !result.Complete {
		return errFound
	}
	return nil
}

func (g *generateFlags) put(t *term.Terminal, before []byte, result *wire.Generated, merge bool) error {
	body := []byte(result.Body)
	isFile := merge && !isStdin(g.into)
	if isFile && !g.diff && result.Changed {
		if err := files.Replace(g.into, before, body); err != nil {
			return err
		}
		t.Note("%s: written; it is proved that each known crawler reads the requested paths as intended, and that no other verdict changes", term.Source(g.into))
		if len(result.Notes) > 0 {
			t.Note("%s: the comment above the new lines says what no line can do, and what else changes", term.Source(g.into))
		}
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
