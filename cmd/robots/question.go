package main

import (
	"bufio"
	"iter"
	"os"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt"
)

// The flags that several commands share, in the parts in which they share them.
// A command embeds the parts it has.

// bodyFlags say which robots.txt is asked.
type bodyFlags struct {
	file  string
	limit byteLimit
}

func (f *bodyFlags) define(cmd *cobra.Command) {
	f.limit = robotstxt.DefaultBodyLimit
	cmd.Flags().StringVarP(&f.file, "file", "f", "", "read the robots.txt from `FILE`, or from standard input if it is \"-\"")
	cmd.Flags().Var(&f.limit, "limit", "read no more of it than so many `BYTES`; \"none\" reads all")
}

// crawlerFlags say for whom it is asked, and in which dialect.
type crawlerFlags struct {
	agents  []string
	dialect robotstxt.Dialect
}

func (f *crawlerFlags) define(cmd *cobra.Command) {
	cmd.Flags().StringArrayVarP(&f.agents, "agent", "a", nil,
		"ask for a crawler by its `TOKEN[,FALLBACK...]`; may be repeated (default \"*\")")
	cmd.Flags().TextVar(&f.dialect, "dialect", robotstxt.Google, "read as `DIALECT` does: google, rfc9309 or koster1996")
	complete(cmd, "agent", nil)
	var names []string
	for _, d := range robotstxt.Dialects() {
		names = append(names, d.String())
	}
	complete(cmd, "dialect", names)
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
	fixed := cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)
	if err := cmd.RegisterFlagCompletionFunc(flag, fixed); err != nil {
		panic(err) // the flag is not defined
	}
}

// question is what check and explain are asked: may these crawlers fetch these
// URLs?
type question struct {
	bodyFlags
	crawlerFlags
	urlFlags
	outputFlags
}

func (q *question) define(cmd *cobra.Command) {
	q.bodyFlags.define(cmd)
	q.crawlerFlags.define(cmd)
	q.urlFlags.define(cmd)
	q.outputFlags.define(cmd)
}

// inquiry is a question with everything at hand to answer it.
type inquiry struct {
	body     *body
	dialect  robotstxt.Dialect
	crawlers []crawler
	urls     iter.Seq2[string, error] // in the order given; an error is the last
	out      *bufio.Writer            // must be flushed at the end
}

// open reads the body and starts on the URLs, so that every error that can be
// known in advance is reported before the first answer. The caller calls
// done at the end.
func (q *question) open(t *terminal, args []string) (in *inquiry, done func(), err error) {
	if err := q.validate(args); err != nil {
		return nil, nil, err
	}
	crawlers, err := parseCrawlers(q.agents, q.dialect)
	if err != nil {
		return nil, nil, err
	}
	t.noNotes = q.quiet
	body, err := readBody(t, q.file, q.limit)
	if err != nil {
		return nil, nil, err
	}
	in = &inquiry{body: body, dialect: q.dialect, crawlers: crawlers, out: bufio.NewWriterSize(t.out, 1<<16)}
	in.urls, done, err = openURLs(t, args, q.list, in.out)
	if err != nil {
		return nil, nil, err
	}
	if len(q.agents) == 0 {
		t.note(`asking for "*", any crawler that has no group of its own; --agent TOKEN asks for one`)
	}
	warnOfCrawlers(t, crawlers, q.dialect)
	return in, done, nil
}

// validate finds what is missing or cannot go together.
func (q *question) validate(args []string) error {
	switch {
	case q.json && q.quiet:
		return fail("leave one of them out", "--quiet prints nothing, so there is nothing for --json to print")
	case q.file == "" && len(args) > 0 && isFile(args[0]):
		return fail("did you mean --file "+escape(args[0])+"?", "no robots.txt is given")
	case q.file == "":
		return fail(`give one with --file FILE, or with --file - on standard input`, "no robots.txt is given")
	case q.file == "-" && q.list == "-":
		return fail("put one of them into a file", "standard input cannot be both the robots.txt and the list of URLs")
	case len(args) == 0 && q.list == "":
		return fail("give URLs as arguments, or one a line in a file with --urls FILE, or with --urls - on standard input",
			"no URL is given")
	}
	for _, arg := range args {
		if arg == "-" {
			return fail("to read URLs from standard input give --urls -", `"-" is no URL`)
		}
	}
	return nil
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}
