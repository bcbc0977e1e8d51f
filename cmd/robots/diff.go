package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/compare"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/sites"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/urllist"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/show/prose"
	"github.com/kosterhq/robotstxt/cmd/internal/show/report"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/origin"
	"github.com/kosterhq/robotstxt/semdiff"
)

type diffFlags struct {
	crawlerFlags
	limitFlags
	fetchFlags
	dialects [2]*robotstxt.Dialect // of the old and the new file
	sites    []origin.Origin       // from which the files were fetched
	listFlags
	steps       int
	failOn      wire.ChangeEffect // "" for both
	format      string
	json, quiet bool

	badLines bool // some lines of --urls are not URLs
}

func newDiff(t *term.Terminal) *cobra.Command {
	c := diffFlags{fetchFlags: fetchFlags{cache: cacheNone}} // what the site serves now is compared
	cmd := &cobra.Command{
		Use:     "diff [flags] OLD NEW",
		Short:   "Show which URLs an edit opens or closes, and for which crawlers",
		Long:    diffLong,
		Example: diffExample,
		RunE:    func(cmd *cobra.Command, args []string) error { return c.run(cmd.Context(), t, args) },
	}
	cmd.ValidArgsFunction = cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault) // files
	c.crawlerFlags.define(cmd, "compare only for", " all", "compare for")
	flags := cmd.Flags()
	defineDialect(cmd, &c.dialects[0], "old-dialect", "read OLD as `DIALECT` does (default --dialect)")
	defineDialect(cmd, &c.dialects[1], "new-dialect", "read NEW as `DIALECT` does (default --dialect)")
	flags.StringVar(&c.list, "urls", "", "list the URLs in `FILE` whose verdict changes; FILE is a list, CSV, TSV, a sitemap or an access log, \"-\" is standard input")
	c.listFlags.defineReading(cmd)
	flags.StringVar(&c.listSite, "site", "", "treat OLD and NEW as the robots.txt of the site of `URL`, and compare no URLs of other sites")
	complete(cmd, "site", nil)
	defineChoice(cmd, &c.failOn, "fail-on", "exit with status 1 only if a URL `EFFECT`: opens or closes", string(wire.Opens), string(wire.Closes))
	defineChoice(cmd, &c.format, "format", "print as `FORMAT`: %s", formatText, formatJSON, formatCSV, formatGitHub, formatMarkdown)
	flags.BoolVar(&c.json, "json", false, "print JSON, the same as --format json")
	flags.BoolVarP(&c.quiet, "quiet", "q", false, "print no changes and no notes; use the exit status")
	flags.IntVar(&c.steps, "steps", semdiff.DefaultSteps, "search at most `N` steps, several million a second; after that, crawlers remain undecided")
	complete(cmd, "steps", nil)
	c.limitFlags.defineForFiles(cmd)
	c.fetchFlags.define(cmd)
	return cmd
}

const diffExample = `  robots diff old/robots.txt new/robots.txt
  git show main:robots.txt | robots diff - robots.txt
  robots diff --fail-on opens https://shop.example robots.txt
  robots diff --agent GPTBot,Googlebot --urls urls.txt old.txt new.txt
  robots diff --old-dialect google --new-dialect rfc9309 robots.txt`

const diffLong = `Show what an edit of a robots.txt changes: which URLs open (they were disallowed and are
now allowed), which close, and for which crawlers. The result is proved for all URLs; of a
file that is longer than --limit, it is about the beginning. OLD and NEW are files, "-" for
standard input, or URLs or hosts whose robots.txt is fetched.

The output begins with a line for each effect, such as "closes /search for GPTBot", or, if
nearly the whole site closes, "closes all but /help/ for GPTBot". Then robots shows each
change with an example: the line that decides in OLD, the line that decides about the
same URLs in NEW, and the path of such a URL, if possible of one in --urls. Other lines that
differ, such as Sitemap and Crawl-delay, come last; they do not change verdicts.

"any crawler that follows the group for *" ("*" in JSON) is any that neither file names and
for which the groups for "*" decide, if it reads files as Google does or as --dialect says.
They do not decide for AdsBot-Google, which obeys only groups that name it, and for
Googlebot-Image if a group names Googlebot; compare such a crawler with --agent. "every
crawler that is named or follows the group for *" is these crawlers and all that the files
name.

With --urls FILE, robots also lists the URLs in FILE whose verdict changes. A robots.txt
decides for one site. If you give --site, or a URL or host as OLD or NEW, robots does not
compare URLs of other sites; if FILE contains any, the exit status is 2. Without a site,
robots compares all URLs, and counts the URLs of sites other than the first.

--format csv prints a row for each crawler and URL in --urls. If you omit --urls, it prints
a row for each crawler and change, and url is a path. The columns are agent, effect,
url, old_line, old_rule, new_line, new_rule and size, which is as in sizes of --json.

To compare how two kinds of crawlers read a file, such as those that follow Google's parser
and those that follow RFC 9309, use --old-dialect and --new-dialect. You then need only one
file.

If a site answers that it has no robots.txt, --policy decides: usually there are no
restrictions, and the output reports that. robots cannot compare a site that is
unreachable, or that the policy disallows completely.

For each crawler, robots compares in the dialect in which the crawler reads files. If its
operator states the dialect, robots uses that, for example rfc9309 for Amazonbot. Otherwise
robots uses google, or rfc9309 if google cannot name the crawler, as with MJ12bot. --dialect
overrides that. Nothing is known about a crawler that no user-agent line can name; the exit
status is 2 if you give it with --agent.

robots compares known crawlers with their documented fallbacks, unless you give
--exact-agent: Googlebot-Image falls back to Googlebot, and groups for "*" do not apply to
AdsBot-Google.

--json prints one object:

  equal             true if no verdict differs; proved from the bytes that were compared
  undecided         true if --steps did not suffice for some crawlers; undecided_agents
                    lists them
  dialects          the dialects of OLD and NEW
  readings          the crawlers that were compared in a different dialect
  unread_agents     the crawlers that no user-agent line can name
  old_truncated, new_truncated
                    true if only the part of the file within --limit was compared
  sizes             agents, effect, size (some, many, most or all of the site), patterns, but:
                    the exceptions if every other URL has the new verdict, and partial: the
                    patterns of which perhaps not all URLs change, without names those that
                    do not
  sites             the effects of size most or all: but has the exceptions, and partial those
                    that are perhaps exceptions for some of the URLs that match only
  changes           agents, effect (opens or closes), old_line, new_line (0 if no line
                    decides), witness (a path) and, with --urls, urls: how many change
  flips             the URLs in --urls whose verdict changes: url, agents, effect
  other             the other lines that differ: kind, agents, old, new

--format github prints annotations on the lines of NEW, at least one, and --format
markdown prints a table for a comment on a pull request.

Exit status: 0 if no verdict differs, 1 if one does, 2 if something is undecided or could
not be compared. With --fail-on opens (or closes), 1 only if a URL opens (or closes).`

func (c *diffFlags) run(ctx context.Context, t *term.Terminal, args []string) error {
	if err := c.validate(args); err != nil {
		return err
	}
	t.Quiet = c.quiet
	ctx, stop := untilInterrupted(ctx)
	defer stop()
	sides, err := c.read(ctx, t, args)
	if err != nil {
		return orInterrupted(err)
	}
	q := compare.Question{Old: sides[0].File.Text, New: sides[1].File.Text, Exact: c.exact, Steps: c.steps}
	if c.dialect != nil || c.dialects[0] != nil || c.dialects[1] != nil {
		q.Dialects = &[2]robotstxt.Dialect{c.dialectOf(0), c.dialectOf(1)}
	}
	q.Crawlers, err = c.crawlers(t, &q)
	if err != nil {
		return err
	}
	result, err := compare.Run(ctx, q)
	if err != nil {
		return orInterrupted(err)
	}
	result.Old, result.New = sides[0].Name, sides[1].Name
	result.OldTruncated, result.NewTruncated = sides[0].File.Truncated, sides[1].File.Truncated
	result.Governed = c.sites
	if o, err := origin.Of(c.listSite); err == nil {
		result.Governed = []origin.Origin{o}
	}
	if err := c.judgeURLs(ctx, t, result); err != nil {
		return err
	}
	if text := report.OtherURLs(result); text != "" {
		t.Note("%s", text)
	}
	return cmp.Or(c.print(t, result, sides), c.status(result))
}

func (c *diffFlags) status(r *compare.Result) error {
	found := r.Differs()
	if c.failOn != "" {
		found = r.Does(c.failOn)
	}
	return ending(r.Undecided || c.badLines || r.SiteKnown && r.OtherURLs > 0, found)
}

// validate returns an error for missing or contradicting arguments. Its checks do not
// depend on each other, and are in the order in which users read the arguments.
func (c *diffFlags) validate(args []string) error {
	differ := c.dialectOf(0) != c.dialectOf(1)
	switch {
	case c.json && c.format != "" && c.format != formatJSON:
		return term.Errorf("--json means --format json, but --format %s is given", c.format).Hint("omit one of them")
	case c.quiet && (c.json || c.format != ""):
		return term.Errorf("--quiet prints nothing, so --format has no effect").Hint("omit one of them")
	case len(args) == 0:
		return term.Errorf("no files to compare").Hint(`give two files, URLs or "-": robots diff OLD NEW`)
	case len(args) == 1 && !differ:
		return term.Errorf("only one file is given").Hint("give the other file too, or --old-dialect and --new-dialect to compare two dialects")
	case len(args) > 2:
		return term.Errorf("%d files are given, but only two can be compared", len(args)).Hint("give OLD and NEW")
	case isTwice(args, "-"):
		return term.Errorf("standard input can be read only once").Hint(`give "-" once`)
	case c.list == "-" && slices.Contains(args, "-"):
		return term.Errorf("standard input cannot be both a robots.txt and the list of URLs").Hint("put one of them into a file")
	case c.listFlags.validate() != nil:
		return c.listFlags.validate()
	case c.steps < 1:
		return term.Errorf("--steps %d is not enough to decide anything", c.steps).Hint("give a number above 0")
	case len(c.agents) > 0 && c.filterFlags.narrowed():
		return term.Errorf("--agent cannot be combined with --purpose and --operator").Hint("omit one of them")
	}
	return nil
}

func (c *diffFlags) crawlers(t *term.Terminal, q *compare.Question) (selected []answer.Crawler, err error) {
	if !c.narrowed() {
		return nil, nil
	}
	requested, named, err := c.requested(t)
	if err != nil {
		return nil, err
	}
	var dialect *robotstxt.Dialect
	if q.Dialects != nil {
		dialect = &q.Dialects[1]
	}
	if !c.exact {
		noteCrawlers(t, requested[:named])
	}
	warnOfCrawlers(t, requested[:named], dialect)
	return requested, nil
}

// judgeURLs compares the verdicts on the URLs of --urls.
func (c *diffFlags) judgeURLs(ctx context.Context, t *term.Terminal, r *compare.Result) error {
	if c.list == "" {
		return nil
	}
	urls, err := openURLs(ctx, t, nil, &c.listFlags, urllist.Config{Paths: true}, nil)
	if err != nil {
		return err
	}
	defer urls.close()
	report := lineReport{print: t.PrintError}
	for url, err := range urls.All {
		if line, ok := errors.AsType[*urllist.LineError](err); ok {
			report.add(line)
		} else if err != nil {
			return err
		} else {
			r.Judge(url)
		}
	}
	report.end()
	c.badLines = report.lines > 0
	return nil
}

func (c *diffFlags) print(t *term.Terminal, r *compare.Result, sides [2]*report.Side) error {
	if c.quiet {
		return nil
	}
	return t.Print(func(out *bufio.Writer) error {
		printed := &report.Comparison{
			Out: out, Sides: sides, Palette: t.Palette(), List: c.list, Narrowed: c.narrowed(), Important: c.failOn,
		}
		switch {
		case c.json || c.format == formatJSON:
			return term.PrintJSON(out, r.Comparison)
		case c.format == formatCSV:
			return printed.CSV(r)
		case c.format == formatGitHub:
			return printed.GitHub(r)
		case c.format == formatMarkdown:
			return printed.Markdown(r)
		}
		return printed.Text(r)
	})
}

func (c *diffFlags) dialectOf(side int) robotstxt.Dialect {
	for _, d := range []*robotstxt.Dialect{c.dialects[side], c.dialect} {
		if d != nil {
			return *d
		}
	}
	return robotstxt.Google
}

// defineDialect defines a flag like --dialect, whose value is nil if it is not given.
func defineDialect(cmd *cobra.Command, to **robotstxt.Dialect, name, usage string) {
	cmd.Flags().Func(name, usage, func(text string) error {
		*to = new(robotstxt.Dialect)
		return (*to).UnmarshalText([]byte(text))
	})
	complete(cmd, name, dialectNames())
}

func dialectNames() []string { return namesOf(robotstxt.Dialects()) }

// read returns the files of the arguments. A single one is both.
func (c *diffFlags) read(ctx context.Context, t *term.Terminal, args []string) (sides [2]*report.Side, err error) {
	var client *fetch.Client
	if urls := urlsOf(args); len(urls) > 0 {
		clients, err := c.fetchFlags.open(ctx, t, c.limit, newTyped(urls...))
		if err != nil {
			return sides, err
		}
		defer clients.close()
		client = clients.Client
	}
	for i, arg := range args {
		sides[i], err = c.side(ctx, t, client, arg)
		if err != nil {
			return sides, err
		}
	}
	if len(args) == 1 {
		both := *sides[0]
		sides[1] = &both
	}
	for i, side := range sides {
		side.Robots = c.dialectOf(i).Parse(side.File.Text)
	}
	return sides, nil
}

// siteOf returns the URL of an argument, see urlsOf, and prints the scheme that a host
// got.
func siteOf(t *term.Terminal, arg string) (url string, ok bool) {
	urls := urlsOf([]string{arg})
	if len(urls) == 0 {
		return "", false
	}
	if urls[0] != arg {
		noteScheme(t, arg, urls[0])
	}
	return urls[0], true
}

// urlsOf returns the URLs of those arguments that are URLs, or hosts but not files.
func urlsOf(args []string) (urls []string) {
	for _, arg := range args {
		switch {
		case isSiteURL(arg):
			urls = append(urls, arg)
		case isHost(arg):
			urls = append(urls, "https://"+arg)
		}
	}
	return urls
}

// side returns the file of an argument. If the argument is a site, the client fetches the
// file.
func (c *diffFlags) side(ctx context.Context, t *term.Terminal, client *fetch.Client,
	arg string) (*report.Side, error) {
	if url, ok := siteOf(t, arg); ok {
		return c.readSite(ctx, t, client, url)
	}
	file, err := readBody(t, arg, c.limit)
	return &report.Side{Name: arg, File: file}, err
}

// readSite fetches a site's robots.txt. A site without one has an empty file. It is an
// error if the policy disallows the whole site, because there is no file to compare.
func (c *diffFlags) readSite(ctx context.Context, t *term.Terminal, client *fetch.Client,
	url string) (*report.Side, error) {
	o, err := origin.Of(url)
	if err != nil {
		return nil, term.Errorf("%s", term.Printable(err))
	}
	began := time.Now()
	result, err := client.RobotsOf(ctx, o)
	if err != nil {
		return nil, err
	}
	c.sites = append(c.sites, o)
	ruling := sites.RuleSite(result, began, nil, nil)
	site := ruling.Site
	switch {
	case result.Outcome == fetch.OutcomeRules:
		for _, r := range remarksOn(o.RobotsURL(), ruling.File.Text, ruling.File, c.limit) {
			r.print(t)
		}
		return &report.Side{Name: o.RobotsURL(), File: ruling.File}, nil
	case result.Outcome == fetch.OutcomeAllowAll && site.Answered():
		remark := fmt.Sprintf("no file (%s): no restrictions, by policy %s", prose.Fault(site), result.Policy)
		return &report.Side{Name: o.RobotsURL(), Remark: remark, File: answer.NewFile(nil)}, nil
	case site.Fault == wire.FaultRefused:
		return nil, term.Errorf("%s %s", o.RobotsURL(), prose.Refused(site)).Hint(answer.AllowHint)
	case result.Outcome == fetch.OutcomeLocal:
		return nil, term.Errorf("%s cannot be requested from here: %s", o.RobotsURL(), term.Escape(site.Error))
	case result.Source == fetch.SourceAssumed:
		return nil, term.Errorf("%s is unreachable: %s", o.RobotsURL(), term.Escape(prose.Fault(site))).Hint("try again later, or compare a saved copy")
	default:
		return nil, term.Errorf("%s has no file to compare (%s): policy %s disallows the whole site", o.RobotsURL(), prose.Fault(site), result.Policy).Hint(`"robots policy" shows the decisions of other policies`)
	}
}
