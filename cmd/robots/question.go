package main

import (
	"bufio"
	"context"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/crawlers"
)

// The flags that several commands share, in the parts in which they share them.
// A command embeds the parts it has.

// bodyFlags say which robots.txt is asked, if not those of the sites.
type bodyFlags struct {
	file string
	limitFlags
}

func (f *bodyFlags) define(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&f.file, "file", "f", "",
		"read the robots.txt from `FILE`, or from standard input if it is \"-\", and ask no site")
	f.limitFlags.defineForFiles(cmd)
}

// limitFlags say how much of a robots.txt counts.
type limitFlags struct{ limit byteLimit }

// define defines the flags for a command that reads the files of sites only.
func (f *limitFlags) define(cmd *cobra.Command) {
	f.limit = robotstxt.DefaultBodyLimit
	cmd.Flags().Var(&f.limit, "limit", "read no more of a robots.txt than so many `BYTES`")
}

// defineForFiles defines the flags for a command that reads local files too.
func (f *limitFlags) defineForFiles(cmd *cobra.Command) {
	f.define(cmd)
	cmd.Flags().Lookup("limit").Usage += `; of a file "none" reads all`
}

// crawlerFlags say for whom it is asked, and in which dialect.
type crawlerFlags struct {
	agents []string
	exact  bool
	dialectFlags
}

func (f *crawlerFlags) define(cmd *cobra.Command) {
	cmd.Flags().StringArrayVarP(&f.agents, "agent", "a", nil,
		"check for the crawlers `TOKEN[:FALLBACK...],...`; may be repeated (default \"*\")")
	completeFrom(cmd, "agent", crawlerCompletions)
	cmd.Flags().BoolVar(&f.exact, "exact-agent", false, "ask for a single token as for any other, whatever is known of the crawler")
	f.dialectFlags.define(cmd)
}

// dialectFlags say how a robots.txt is read.
type dialectFlags struct{ dialect robotstxt.Dialect }

func (f *dialectFlags) define(cmd *cobra.Command) {
	cmd.Flags().TextVar(&f.dialect, "dialect", robotstxt.Google, "read as `DIALECT` does: google, rfc9309 or koster1996")
	complete(cmd, "dialect", dialectNames())
}

// urlFlags say which URLs are asked about, beside those among the arguments.
type urlFlags struct{ list string }

func (f *urlFlags) define(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.list, "urls", "", "read more URLs from `FILE`, one a line, or from standard input if it is \"-\"")
	cmd.ValidArgsFunction = cobra.NoFileCompletions
}

// outputFlags say how the answers are printed.
type outputFlags struct{ json, quiet bool }

func (f *outputFlags) define(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON, one object a line")
	cmd.Flags().BoolVarP(&f.quiet, "quiet", "q", false, "print no answers and no notes; the exit status tells")
}

// complete offers values for a flag where a shell would offer files.
func complete(cmd *cobra.Command, flag string, values []string) {
	completeFrom(cmd, flag, func(string) []string { return values })
}

// completeFrom is complete for values that depend on what is typed so far, or are
// made only on demand.
func completeFrom(cmd *cobra.Command, flag string, values func(typed string) []string) {
	err := cmd.RegisterFlagCompletionFunc(flag, func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		return values(typed), cobra.ShellCompDirectiveNoFileComp
	})
	if err != nil {
		panic(err) // the flag is not defined
	}
}

// question is what check and explain are asked: may these crawlers fetch these
// URLs?
type question struct {
	bodyFlags
	crawlerFlags
	urlFlags
	fetchFlags
	outputFlags
}

func (q *question) define(cmd *cobra.Command) {
	q.bodyFlags.define(cmd)
	q.crawlerFlags.define(cmd)
	q.urlFlags.define(cmd)
	q.fetchFlags.define(cmd)
	q.outputFlags.define(cmd)
}

// inquiry is a question with everything at hand to answer it.
type inquiry struct {
	ask.Question
	urls   *urlSource
	out    *bufio.Writer // must be flushed at the end
	report func(error)   // tells what is wrong with one URL
	hinted bool          // what to do about it was told
}

// open reads the body or gets ready to ask for it, and starts on the URLs, so
// that every error that can be known in advance is reported before the first
// answer. The caller calls done at the end.
func (q *question) open(ctx context.Context, t *term.Terminal, args []string) (in *inquiry, done func(), err error) {
	if err := q.validate(args); err != nil {
		return nil, nil, err
	}
	asked, err := parseCrawlers(q.agents)
	if err != nil {
		return nil, nil, err
	}
	t.Quiet = q.quiet
	known := q.follow(asked)
	in = &inquiry{Question: ask.Question{Dialect: q.dialect, Crawlers: asked}, report: t.PrintError}
	if q.file != "" {
		done, err = in.openFile(t, q, args)
	} else {
		done, err = in.openSites(ctx, t, &q.fetchFlags, q.limit, q.list, args)
	}
	if err != nil {
		return nil, nil, err
	}
	if len(q.agents) == 0 {
		t.Note(`asking for "*", any crawler that has no group of its own; %s asks for one`, q.agentWanted())
	}
	noteKnown(t, asked, known)
	warnOfCrawlers(t, asked, q.dialect)
	return in, done, nil
}

// agentWanted is the --agent that a note proposes: the one that a User-Agent
// names, which speaks for itself only to sites.
func (q *question) agentWanted() string {
	if token, _ := crawlers.ProductToken(q.userAgent); q.defined.Changed("user-agent") && q.dialect.ValidAgent(token) {
		return "--agent " + token
	}
	return "--agent TOKEN"
}

// openFile reads the one robots.txt of all URLs.
func (in *inquiry) openFile(t *term.Terminal, q *question, args []string) (done func(), err error) {
	if in.File, err = readBody(t, q.file, q.limit); err != nil {
		return nil, err
	}
	in.out = bufio.NewWriterSize(t.Out, 1<<16)
	// An error stays with the writer, where the next answer finds it.
	if in.urls, err = openURLs(t, args, q.list, func() { _ = in.out.Flush() }); err != nil {
		return nil, err
	}
	return in.urls.close, nil
}

// openSites gets ready to ask the site of each URL. The URLs are read ahead
// then, so it is not their reader who flushes the answers before a wait.
func (in *inquiry) openSites(ctx context.Context, t *term.Terminal, flags *fetchFlags, limit byteLimit, list string, args []string) (done func(), err error) {
	if in.urls, err = openURLs(t, args, list, func() {}); err != nil {
		return nil, err
	}
	p := t.StartProgress(list == "-")
	clients, err := flags.open(ctx, t, in.Dialect, limit, args...) // warns beside the progress
	if err != nil {
		p.End()
		in.urls.close()
		return nil, err
	}
	in.out = bufio.NewWriterSize(t.Out, 1<<16)
	in.Client, in.Refetch, in.Usable = clients.Client, clients.anew, clients.does
	in.Progress, in.Idle = p, func() { _ = in.out.Flush() }
	return func() {
		clients.close()
		p.End()
		in.urls.close()
	}, nil
}

// validate finds what is missing or cannot go together.
func (q *question) validate(args []string) error {
	switch {
	case q.json && q.quiet:
		return term.Errorf("leave one of them out", "--quiet prints nothing, so there is nothing for --json to print")
	case q.file == "" && len(args) > 0 && !strings.Contains(args[0], "://") && isFile(args[0]):
		return term.Errorf("did you mean --file "+term.Escape(args[0])+"?", "%q is a file, not a URL", args[0])
	case q.file != "" && q.given() != "":
		return term.Errorf("leave one of them out", "with --file no site is asked, so --%s means nothing", q.given())
	case q.file == "-" && q.list == "-":
		return term.Errorf("put one of them into a file", "standard input cannot be both the robots.txt and the list of URLs")
	case len(args) == 0 && q.list == "":
		return term.Errorf("give URLs as arguments, or one a line in a file with --urls FILE, or with --urls - on standard input",
			"no URL is given")
	}
	for _, arg := range args {
		if arg == "-" {
			return term.Errorf("to read URLs from standard input give --urls -", `"-" is no URL`)
		}
	}
	return nil
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}
