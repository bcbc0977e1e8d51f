package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/sites"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/cmd/internal/urllist"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/origin"
)

// Groups of flags that several commands have. A command embeds the groups that it has.

// bodyFlags select a local robots.txt instead of those of the sites.
type bodyFlags struct {
	file string
	limitFlags
}

func (f *bodyFlags) define(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&f.file, "file", "f", "",
		"read the robots.txt from `FILE` instead of fetching it; \"-\" is standard input")
	f.limitFlags.defineForFiles(cmd)
}

// limitFlags limit how much of a robots.txt is read.
type limitFlags struct{ limit byteLimit }

// define defines the flags for a command that reads the files of sites only.
func (f *limitFlags) define(cmd *cobra.Command) {
	f.limit = robotstxt.DefaultBodyLimit
	cmd.Flags().Var(flagValue[byteLimit]{&f.limit, readLimit}, "limit", "read no more of a robots.txt than so many `BYTES`")
}

// defineForFiles defines the flags for a command that reads local files too.
func (f *limitFlags) defineForFiles(cmd *cobra.Command) {
	f.define(cmd)
	cmd.Flags().Lookup("limit").Usage += `; of a file "none" reads all`
}

// crawlerFlags select the crawlers.
type crawlerFlags struct {
	agents []string
	crawlerFilter
	exact bool
	dialectFlags
}

// define defines the flags. what and whatKnown are what the command does with the crawlers of
// --agent and with those of the filter.
func (f *crawlerFlags) define(cmd *cobra.Command, what, without, whatKnown string) {
	cmd.Flags().StringArrayVarP(&f.agents, "agent", "a", nil,
		what+" the crawlers `TOKEN[:FALLBACK...],...`; may be repeated (default"+without+")")
	completeFrom(cmd, "agent", crawlerCompletions)
	f.crawlerFilter.define(cmd, whatKnown)
	cmd.Flags().BoolVar(&f.exact, "exact-agent", false, "use a single token without the documented fallbacks of the crawler")
	f.dialectFlags.define(cmd)
}

// dialectFlags select the dialect, nil for that of each crawler.
type dialectFlags struct{ dialect *robotstxt.Dialect }

func (f *dialectFlags) define(cmd *cobra.Command) {
	defineDialect(cmd, &f.dialect, "dialect", "read as `DIALECT` does: google, rfc9309 or koster1996 (default: as each crawler does)")
}

// outputFlags select the output of answers.
type outputFlags struct {
	formatFlags
	quiet bool
	only  []wire.Verdict
}

func (f *outputFlags) define(cmd *cobra.Command) {
	f.formatFlags.define(cmd)
	cmd.Flags().BoolVarP(&f.quiet, "quiet", "q", false, "print no answers and no notes; use the exit status")
	cmd.Flags().Func("only", "print only the answers with these `VERDICTS`: allowed, disallowed, unknown", f.addVerdicts)
	complete(cmd, "only", verdictNames)
}

// assumeFlag says what the verdict is if a site gives no answer.
type assumeFlag struct{ assume string }

func (f *assumeFlag) define(cmd *cobra.Command) {
	f.assume = assumeNothing
	defineChoice(cmd, &f.assume, "assume", "if a site gives no answer, assume `WHAT`: nothing (the verdict is unknown) or policy (the --policy decides)", assumeNothing, assumePolicy)
}

// The values of --assume.
const (
	assumeNothing = "nothing"
	assumePolicy  = "policy"
)

// flagValue is the value of a flag that is not one of the types of package pflag.
type flagValue[T any] struct {
	to   *T // the default until the flag is set
	read func(text string) (T, error)
}

func (v flagValue[T]) String() string { return fmt.Sprint(*v.to) }

func (flagValue[T]) Type() string { return "value" }

func (v flagValue[T]) Set(text string) error {
	value, err := v.read(text)
	if err == nil {
		*v.to = value
	}
	return err
}

// defineChoice defines a flag for one of some words, which replace %s in usage.
func defineChoice[T ~string](cmd *cobra.Command, value *T, name, usage string, words ...string) {
	cmd.Flags().Var(choice(value, words), name, strings.Replace(usage, "%s", strings.Join(words, ", "), 1))
	complete(cmd, name, words)
}

// choice returns the value of a flag that is one of some words.
func choice[T ~string](value *T, words []string) flagValue[T] {
	separator := ", "
	if len(words) == 2 {
		separator = " or "
	}
	return oneOfWords(value, words, "want "+strings.Join(words, separator))
}

// oneOfWords is choice with another error.
func oneOfWords[T ~string](value *T, words []string, wanted string) flagValue[T] {
	return flagValue[T]{value, func(text string) (T, error) {
		if !slices.Contains(words, text) {
			return "", errors.New(wanted)
		}
		return T(text), nil
	}}
}

// nonEmpty returns the value of a flag for any text but "". What is wrong with a text is reported
// when it is used, because errors of flags repeat the value, which may contain a password.
func nonEmpty[T ~string](value *T, choices string) flagValue[T] {
	return flagValue[T]{value, func(text string) (T, error) {
		if text == "" {
			return "", errors.New("want " + choices)
		}
		return T(text), nil
	}}
}

// The values of --format of commands whose answers are not rows.
const (
	formatText     = "text"
	formatJSON     = "json"
	formatJUnit    = "junit"
	formatGitHub   = "github"
	formatMarkdown = "markdown"
)

// namesOf returns the names of values, for help and completions.
func namesOf[T any](values []T) (names []string) {
	for _, value := range values {
		names = append(names, fmt.Sprint(value))
	}
	return names
}

// complete sets the completions of a flag, which are files by default.
func complete(cmd *cobra.Command, flag string, values []string) {
	completeFrom(cmd, flag, func(string) []string { return values })
}

// completeNothing sets that flags have no completions.
func completeNothing(cmd *cobra.Command, flags ...string) {
	for _, flag := range flags {
		complete(cmd, flag, nil)
	}
}

// completeFrom is complete for values that depend on the text typed so far, or are
// expensive to make.
func completeFrom(cmd *cobra.Command, flag string, values func(typed string) []string) {
	err := cmd.RegisterFlagCompletionFunc(flag, func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		return values(typed), cobra.ShellCompDirectiveNoFileComp
	})
	if err != nil {
		panic(err) // the flag is not defined
	}
}

// question has the flags of check and explain.
type question struct {
	fileFlags
	crawlerFlags
	listFlags
	fetchFlags
	assumeFlag
	outputFlags
	concurrency int
}

func (q *question) define(cmd *cobra.Command) {
	q.fileFlags.define(cmd)
	q.crawlerFlags.define(cmd, "check for", ` "*"`, "check for")
	q.listFlags.define(cmd)
	q.fetchFlags.define(cmd)
	q.fetchFlags.defineRefresh(cmd)
	defineConcurrency(cmd, &q.concurrency)
	q.assumeFlag.define(cmd)
	q.outputFlags.define(cmd)
}

// inquiry is a query with its input and output.
type inquiry struct {
	sites.Question
	urls   *urlSource
	out    *bufio.Writer // must be flushed at the end
	report func(error)   // prints the error about one URL
	end    func() error  // prints what can be printed only at the end; may be nil
	hinted bool          // the hint was printed

	// others finds URLs that local files do not govern, and note prints a remark about one.
	others answer.OtherSites
	note   func(u origin.URL, other origin.Origin)

	trouble error // errShown if an error about a file was printed
}

// open reads the local robots.txt or makes the clients, and opens the list of URLs, so
// that errors about them are reported before the first answer. The caller calls done
// at the end.
func (q *question) open(ctx context.Context, t *term.Terminal, args []string) (in *inquiry, done func(), err error) {
	if err := cmp.Or(q.settle(), q.validate(args)); err != nil {
		return nil, nil, err
	}
	t.Quiet = q.quiet
	requested, named, err := q.requested(t)
	if err != nil {
		return nil, nil, err
	}
	in = &inquiry{Question: sites.Question{Dialect: q.dialect, Crawlers: requested, AssumePolicy: q.assume == assumePolicy, Concurrency: q.concurrency}, report: t.PrintError}
	if len(q.files) > 0 {
		done, err = in.openFiles(ctx, t, q, args)
	} else {
		done, err = in.openSites(ctx, t, &q.fetchFlags, q.limit, &q.listFlags, args)
	}
	if err != nil {
		return nil, nil, err
	}
	if !q.narrowed() {
		t.Note(`checking for "*", any crawler that no group names; %s checks for one crawler`, q.agentHint())
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
func (q *question) agentHint() string {
	if token, _ := crawlers.ProductToken(q.userAgent); q.defined.Changed("user-agent") && token != "" && !answer.NewCrawler(token).Unread {
		return "--agent " + token
	}
	return "--agent TOKEN"
}

// openFiles reads the robots.txt files that govern all URLs.
func (in *inquiry) openFiles(ctx context.Context, t *term.Terminal, q *question, args []string) (done func(), err error) {
	if in.Files, in.trouble, err = q.fileFlags.read(t); err != nil {
		return nil, err
	}
	in.out = bufio.NewWriterSize(t.Out, 1<<16)
	if q.listSite != "" {
		in.others.Site, _ = origin.Of(q.listSite) // which validate has checked
	}
	in.note = func(u origin.URL, other origin.Origin) {
		t.Note("%s is governed by %s, but compared with the file for %s", term.Escape(u.Given()), other.RobotsURL(), in.others.Site)
	}
	// The writer keeps an error of Flush and returns it at the next write.
	how := urllist.Config{Paths: true, Idle: func() { _ = in.out.Flush() }}
	open, err := q.opener(t, newTyped(q.listFlags.typed()...))
	if err != nil {
		return nil, err
	}
	if in.urls, err = openURLs(ctx, t, args, &q.listFlags, how, open); err != nil {
		return nil, err
	}
	return in.urls.close, nil
}

// openSites makes the clients and opens the URLs, which are read ahead. So the answers
// are flushed by Idle and not before a read of the URLs.
func (in *inquiry) openSites(ctx context.Context, t *term.Terminal, flags *fetchFlags, limit byteLimit, lists *listFlags, args []string) (done func(), err error) {
	typed := newTyped(slices.Concat(args, lists.typed())...)
	open, err := flags.opener(t, typed)
	if err != nil {
		return nil, err
	}
	if in.urls, err = openURLs(ctx, t, args, lists, urllist.Config{}, open); err != nil {
		return nil, err
	}
	in.urls.All = flags.onlySite(in.urls.All)
	p := t.StartProgress(lists != nil && lists.list == "-")
	c, err := flags.open(ctx, t, limit, typed) // its warnings erase the progress line
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

// validate returns an error for missing or contradicting arguments. It is a flat list of
// checks that do not depend on each other, in the order in which users read them.
func (q *question) validate(args []string) error {
	switch {
	case q.json && q.quiet:
		return term.Errorf("leave one of them out", "--quiet prints nothing, so --json has no effect")
	case len(q.files) == 0 && len(args) > 0 && !strings.Contains(args[0], "://") && isFile(args[0]):
		return term.Errorf("did you mean --file "+term.Escape(args[0])+"?", "%q is a file, not a URL", args[0])
	case len(q.files) > 0 && q.unused(len(q.sitemaps) > 0) != "":
		return term.Errorf("leave one of them out", "with --file nothing is fetched, so --%s has no effect", q.unused(len(q.sitemaps) > 0))
	case isTwice(q.files, "-"):
		return term.Errorf(`give "-" once`, "standard input can be read only once")
	case slices.Contains(q.files, "-") && (q.list == "-" || slices.Contains(q.sitemaps, "-")):
		return term.Errorf("put one of them into a file", "standard input cannot be both the robots.txt and the list of URLs")
	case len(args) == 0 && !q.listFlags.given():
		return term.Errorf("give URLs as arguments, or in a file with --urls FILE, or on standard input with --urls -",
			"no URL is given")
	}
	if err := q.listFlags.validate(); err != nil || !slices.Contains(args, "-") {
		return err
	}
	return term.Errorf("to read URLs from standard input give --urls -", `"-" is not a URL`)
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}
