package main

import (
	"bufio"
	"cmp"
	"context"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/sites"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/urllist"
	"github.com/kosterhq/robotstxt/origin"
)

type questionFlags struct {
	fileFlags
	crawlerFlags
	listFlags
	fetchFlags
	assumeFlags
	outputFlags
	concurrency int
	asSent      bool
}

func (q *questionFlags) define(cmd *cobra.Command) {
	q.fileFlags.define(cmd)
	q.crawlerFlags.define(cmd, "check for", ` "*"`, "check for")
	q.listFlags.define(cmd)
	q.fetchFlags.define(cmd)
	q.fetchFlags.defineRefresh(cmd)
	defineConcurrency(cmd, &q.concurrency)
	q.assumeFlags.define(cmd)
	q.outputFlags.define(cmd)
	cmd.Flags().BoolVar(&q.asSent, "as-sent", false, "compare URLs as they are, not as a browser would request them; only google compares percent codes octet by octet")
}

type inquiry struct {
	sites.Question
	urls   *urlSource
	out    *bufio.Writer // must be flushed at the end
	report func(error)   // prints the error about one URL
	end    func() error  // prints the end of the output; can be nil
	hinted bool          // the hint was printed
	// isRefused reports that the address guard refused the address of a site.
	isRefused bool

	others otherSites // URLs that the local files do not govern

	trouble error // errShown if an error about a file was printed
}

// open reads the local robots.txt or makes the clients, and opens the list of URLs, so
// that errors about them are reported before the first answer. The caller calls done
// at the end.
func (q *questionFlags) open(ctx context.Context, t *term.Terminal,
	args []string) (in *inquiry, done func(), err error) {
	if err := cmp.Or(q.settle(), q.validate(args)); err != nil {
		return nil, nil, err
	}
	t.Quiet = q.quiet
	requested, named, err := q.requested(t)
	if err != nil {
		return nil, nil, err
	}
	in = &inquiry{Question: sites.Question{Dialect: q.dialect, Crawlers: requested,
		AssumePolicy: q.assume == assumePolicy, Concurrency: q.concurrency, AsSent: q.asSent}, report: t.PrintError}
	if len(q.files) > 0 {
		done, err = in.openFiles(ctx, t, q, args)
	} else {
		urls, _ := withSchemes(t, args)
		done, err = in.openSites(ctx, t, &q.fetchFlags, q.limit, &q.listFlags, urls)
	}
	if err != nil {
		return nil, nil, err
	}
	if !q.narrowed() {
		t.Note(`checking for "*", any crawler that follows the group for *; %s checks for one crawler`, q.agentHint())
	}
	if !q.exact {
		noteCrawlers(t, requested[:named])
	}
	warnOfCrawlers(t, requested[:named], q.dialect)
	noteSelected(t, requested[named:], q.dialect)
	return in, done, nil
}

// agentHint returns the --agent that a note suggests: the token of --user-agent, which
// is only sent to sites and does not select rules.
func (q *questionFlags) agentHint() string {
	if c := answer.SentBy(q.userAgent); q.defined.Changed("user-agent") && c.Name != "*" && !c.Unread {
		return "--agent " + c.Name
	}
	return "--agent TOKEN"
}

// openFiles reads the robots.txt files that govern all URLs.
func (in *inquiry) openFiles(ctx context.Context, t *term.Terminal, q *questionFlags,
	args []string) (done func(), err error) {
	in.Files, in.trouble, err = q.fileFlags.read(t)
	if err != nil {
		return nil, err
	}
	in.out = bufio.NewWriterSize(t.Out, 1<<16)
	in.Site, _ = origin.Of(q.listSite) // validate has checked it
	in.others.note = t.Note
	// The writer keeps an error of Flush and returns it at the next write.
	how := urllist.Config{Paths: true, Idle: func() { _ = in.out.Flush() }}
	var open opener // nil if nothing is fetched: then an invalid proxy in the environment does no harm
	if q.listFlags.given() {
		open, err = q.opener(t, newTyped(q.listFlags.typed()...))
		if err != nil {
			return nil, err
		}
	}
	in.urls, err = openURLs(ctx, t, args, &q.listFlags, how, open)
	if err != nil {
		return nil, err
	}
	return in.urls.close, nil
}

// openSites makes the clients and opens the URLs, which are read ahead. So the answers
// are flushed by Idle and not before a read of the URLs.
func (in *inquiry) openSites(ctx context.Context, t *term.Terminal, flags *fetchFlags, limit byteLimit,
	lists *listFlags, args []string) (done func(), err error) {
	typed := newTyped(slices.Concat(args, lists.typed())...)
	open, err := flags.opener(t, typed)
	if err != nil {
		return nil, err
	}
	in.urls, err = openURLs(ctx, t, args, lists, urllist.Config{}, open)
	if err != nil {
		return nil, err
	}
	in.urls.All = flags.onlySite(in.urls.All)
	p := t.StartProgress(lists != nil && lists.list == "-")
	c, err := flags.open(ctx, t, limit, typed) // it can print warnings, which erase the progress line
	if err != nil {
		p.End()
		in.urls.close()
		return nil, err
	}
	in.out = bufio.NewWriterSize(t.Out, 1<<16)
	in.Client, in.Refetch, in.Usable = c.Client, c.refetch, c.usable
	in.Retry = flags.retry(t)
	in.Progress, in.Idle = p, func() { _ = in.out.Flush() }
	return func() {
		c.close()
		p.End()
		in.urls.close()
	}, nil
}

// validate returns an error for missing or contradicting arguments. Its checks do not
// depend on each other, and are in the order in which users read the arguments.
func (q *questionFlags) validate(args []string) error {
	switch {
	case q.json && q.quiet:
		return term.Errorf("--quiet prints nothing, so --json has no effect").Hint("omit one of them")
	case len(q.files) == 0 && len(args) > 0 && !strings.Contains(args[0], "://") && isFile(args[0]):
		return term.Errorf("%q is a file, not a URL", args[0]).Hint("did you mean --file " + term.Escape(args[0]) + "?")
	case len(q.files) > 0 && q.unused(len(q.sitemaps) > 0) != "":
		return term.Errorf("with --file, robots fetches nothing, so --%s has no effect", q.unused(len(q.sitemaps) > 0)).Hint("omit one of them")
	case isTwice(q.files, "-"):
		return term.Errorf("standard input can be read only once").Hint(`give "-" once`)
	case slices.Contains(q.files, "-") && (q.list == "-" || slices.Contains(q.sitemaps, "-")):
		return term.Errorf("standard input cannot be both the robots.txt and the list of URLs").Hint("put one of them into a file")
	case len(args) == 0 && !q.listFlags.given():
		return term.Errorf("no URL is given").Hint("give URLs as arguments, or in a file with --urls FILE, or on standard input with --urls -")
	}
	q.ofFile = len(q.files) > 0
	if err := q.listFlags.validate(); err != nil || !slices.Contains(args, "-") {
		return err
	}
	return term.Errorf(`"-" is not a URL`).Hint("to read URLs from standard input give --urls -")
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}
