package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/panics"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/table"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/urllist"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
)

func newCheck(t *term.Terminal) *cobra.Command {
	var q questionFlags
	var rows rowFlags
	cmd := &cobra.Command{
		Use:     "check [--file FILE] [flags] URL...",
		Short:   "Show which URLs a crawler may fetch, and which line decides",
		Long:    checkLong,
		Example: checkExample,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := rows.validate(); err != nil {
				return err
			}
			return q.run(cmd.Context(), t, rows, false, args)
		},
	}
	q.define(cmd)
	rows.define(cmd)
	return cmd
}

const checkLong = `Show which URLs a crawler may fetch, and which line of the robots.txt decides:

  $ robots check --file robots.txt --agent FooBot https://shop.example/cart
  disallowed  line 2  FooBot  Disallow: /cart      https://shop.example/cart

For each URL and crawler, robots prints a line: the verdict, the deciding line of the
robots.txt, the crawler, the text of that line, and the URL. robots reads a URL as a
browser would. If a browser would request it in a different form, robots compares that
form and shows it with the reason. Unlike a browser, it also writes the hex digits of
percent codes in upper case, as rules have them, and drops a final dot of a host. With
--as-sent, robots compares URLs as they are, such as from a log: google compares octet by
octet, and rfc9309 and koster1996 still equate a percent code and its character, except
delimiters such as / and ?, as their specifications say. If you give a user name and
password, robots sends them to their site, as it sends --header; it prints *** for them and
stores no answer.

By default, robots fetches the robots.txt of each URL's site. If a URL has no host, robots
reports an error and still checks the others.

With --file, robots reads that file and fetches no robots.txt. A file decides for one site:
if you give --site, verdicts about URLs of other sites are unknown. Otherwise, robots
compares the file with all URLs, and marks the URLs of sites other than the first. A folder
stands for the files in it that are named like a robots.txt, such as robots.txt,
robots.staging.txt and shop.robots.txt, at any depth; "**/*.txt" stands for the files that
match. If you give several files, each answer names its file.

--urls reads a list: a URL on each line, with comments that begin with "#"; CSV or TSV,
such as the exports of Screaming Frog and Search Console, in which robots finds the column
of URLs by its name or content; a sitemap; or an access log: common or combined, Caddy,
CloudFront, IIS, and other JSON with --map. robots decodes gzip, zstd and UTF-16.
--sitemap fetches a sitemap, or the sitemaps of an index, within limits, even with
--file. If a line or an argument is not a URL, robots reports it and still checks the others.

An --agent is a product token, such as FooBot. If you give a whole User-Agent header,
robots uses the product token in it, and prints a note. To check several crawlers, put
commas between them, or repeat the flag: --agent Googlebot,GPTBot. Colons make a fallback
chain: --agent Googlebot-News:Googlebot is one crawler, whose second token applies if no
group matches the first. Put a token that contains a comma, colon or semicolon in double
quotes; in them, \" is a quote and \\ a backslash.

If you give a single token of a known crawler, robots uses its documented fallbacks, and
prints a note: Googlebot-Image falls back to Googlebot, and groups for "*" do not apply to
AdsBot-Google. --exact-agent uses the single token instead. "robots crawlers" lists the
known crawlers.

If a site answers with a status but no file, the line shows the status, and --policy
decides. By default, a site without a robots.txt has no restrictions, and a server error
disallows everything. If a site does not respond, the verdict is unknown, and the line
shows what the policy prescribes. With --assume policy, that becomes the verdict.

robots keeps fetched files in --cache. While a file is fresh, no run fetches it again,
whatever its --user-agent. After a failure, later runs wait for a while before they try
the site again, unless standard output is a terminal. --refresh fetches every file
again. With --cache none, robots keeps files for this run only. If the cache is
unusable, robots prints a warning and answers without it.

--grid prints a row for each URL, a column for each crawler, and totals at the end.
Verdicts are marks on a terminal, and words elsewhere. --group-by line counts, for each
crawler, how many of the URLs each line decides, and --group-by site how many of each site
the crawler may fetch, with the status of the site's robots.txt. --only disallowed omits the other
answers, but they still count for the exit status. Text output ends with the crawlers that
do not read the file as Google does; other formats have a column for the dialect.

--format csv, tsv or markdown prints a header first. If a spreadsheet would run a cell as
a formula, robots puts an apostrophe in front of it.

--json prints an object for each answer, one on each line. It always has the fields schema
(1), url, agent, allowed, line (0 if none decides), rule (the text of that line), reason,
dialect, verdict (allowed, disallowed, or unknown if the site did not respond or no
user-agent line can name the crawler), matched_by (name, fallback, star, none), group (the
token that matched), group_line (the first user-agent line of the deciding rule's group, 0
if no rule decides), and outcome (rules, allow-all, disallow-all; local with --file). Fields
that are there only if they apply:

  unread              true if no user-agent line can name the crawler; dialect is missing
  tokens              the agent's token and fallbacks
  named_only          groups for "*" do not apply
  body                what the file is: text, html, empty, binary
  robots_file         the file that --file names
  compared_url        the URL as robots compares it, if that differs; changes says how
  unresolved_verdict  the verdict before the dot segments of the path are resolved
  joined_line         the user-agent line whose rules are the crawler's too, because no
                      rule separates it from the user-agent lines above it
  fetched_anyway      true for a robots.txt that disallows itself: crawlers fetch it
  governed_by         the robots.txt of another site that governs the URL
  raw                 bytes that are not UTF-8

If the file was fetched, there are also robots_url, fetch_reason, status (0 without a
response), source (network, store, stale, assumed), fetched_at, policy, and, after a fault,
fault (its kind).

Exit status: 0 if everything is allowed, 1 if something is disallowed, 2 if
something is unknown or is an error; 2 takes precedence over 1.`

const checkExample = `  robots check --agent FooBot https://shop.example/cart
  robots check --agent FooBot --json --urls urls.txt
  robots check --agent Googlebot,GPTBot,CCBot --grid --urls urls.txt
  robots check --agent Googlebot --only disallowed --sitemap https://shop.example/sitemap.xml
  robots check --file new.txt --agent GPTBot --urls access.log.gz --site https://shop.example
  robots check --agent Googlebot,GPTBot,CCBot --excel --only disallowed --urls urls.txt >blocked.csv
  robots check --agent Googlebot-News:Googlebot --agent GPTBot --policy rfc9309 https://shop.example/news/
  robots check --agent FooBot --cache none https://shop.example/cart
  robots check --file robots.txt --agent FooBot /cart https://shop.example/search?q=tea
  robots check --file old.txt --file new.txt --agent FooBot --urls urls.txt
  robots check --file - --quiet /cart <robots.txt`

// run prints the answers, with their reasons if explain is set. The error is errShown
// if a verdict is unknown, else errDisallowed if a URL is disallowed.
func (q *questionFlags) run(ctx context.Context, t *term.Terminal, flags rowFlags, explain bool, args []string) error {
	in, done, err := q.open(ctx, t, args)
	if err != nil {
		return err
	}
	defer done()
	var dots dotsNote
	groups := groupNotes{crawlers: in.Crawlers, dots: &dots}
	w := in.rows(t, &q.outputFlags, flags, explain, groups.add)
	in.end = w.End
	err = in.each(ctx, func(v *answer.Visit) (exit error, err error) {
		if flags.grid && !q.quiet { // it has no place for this remark
			dots.add(v, in.Crawlers)
		}
		worst, err := w.Add(v)
		return endings[worst], err
	})
	dots.print(t)
	groups.print(t)
	if in.isRefused && !q.quiet && !(explain && q.format == table.Text) { // which has the hint at the site
		t.Hint(answer.AllowHint)
	}
	return err
}

// groupNotes are the notes that counts have no place for: which rules seem to be for another crawler,
// and that crawlers fetch robots.txt itself.
type groupNotes struct {
	crawlers []answer.Crawler
	dots     *dotsNote
	dotted   *answer.Visit // is counted in dots
	joined   []joinedGroup
	omitted  bool
	isRobots bool
}

type joinedGroup struct {
	robots   string // its URL or the name of the file
	line     int
	crawlers []string
}

// maxGroupNotes bounds the notes about groups that are printed.
const maxGroupNotes = 5

// add adds the notes about an answer, and counts in dots whether a URL has answers that depend on its dot
// segments.
func (n *groupNotes) add(v *answer.Visit, crawler int, verdict wire.Verdict, line int) {
	if n.dotted != v {
		if other := v.Unresolved(crawler, verdict); other != "" {
			n.dots.count(v, n.crawlers[crawler], other)
			n.dotted = v
		}
	}
	n.isRobots = n.isRobots || v.IsFetchedAnyway(verdict)
	if joined := v.Ruling.JoinedLine(crawler, line); joined > 0 {
		n.join(v.Ruling, joined, n.crawlers[crawler].Name)
	}
}

func (n *groupNotes) join(r *answer.Ruling, line int, crawler string) {
	robots := r.File.Name
	if r.Site != nil {
		robots = r.Site.RobotsURL
	}
	isSame := func(g joinedGroup) bool { return g.robots == robots && g.line == line }
	at := slices.IndexFunc(n.joined, isSame)
	switch {
	case at >= 0 && !slices.Contains(n.joined[at].crawlers, crawler):
		n.joined[at].crawlers = append(n.joined[at].crawlers, crawler)
	case at < 0 && len(n.joined) < maxGroupNotes:
		n.joined = append(n.joined, joinedGroup{robots, line, []string{crawler}})
	case at < 0:
		n.omitted = true
	}
}

func (n *groupNotes) print(t *term.Terminal) {
	for _, g := range n.joined {
		t.Note("%s: %s", term.Source(g.robots), term.Escape(wire.JoinedGroup(g.line, g.crawlers...)))
	}
	if n.omitted {
		t.Note("further groups are for the crawlers of a line above too; without --group-by, --json names each")
	}
	if n.isRobots {
		t.Note("%s", wire.FetchedAnyway)
	}
}

// dotsNote counts the URLs whose verdict differs for a crawler that does not resolve dot
// segments.
type dotsNote struct {
	urls  int
	first string
}

func (n *dotsNote) add(v *answer.Visit, crawlers []answer.Crawler) {
	for i, c := range crawlers {
		verdict, _ := v.Verdict(i)
		if other := v.Unresolved(i, verdict); other != "" {
			n.count(v, c, other)
			return
		}
	}
}

func (n *dotsNote) count(v *answer.Visit, c answer.Crawler, other wire.Verdict) {
	n.urls++
	if n.urls == 1 {
		n.first = fmt.Sprintf("%s is then %s for %s", v.URL, other, c.Name)
	}
}

func (n *dotsNote) print(t *term.Terminal) {
	if n.urls > 0 {
		t.Note("%s for a crawler that does not resolve dot segments: %s", term.Count(n.urls, "other verdict", "other verdicts"), term.Escape(n.first))
	}
}

// each calls do for every URL; do returns how the command ends after its verdicts.
// An error of do ends it at once. The result is errShown if a URL has no valid host.
func (in *inquiry) each(ctx context.Context, do func(*answer.Visit) (exit error, err error)) error {
	if len(in.Files) == 0 {
		var stop func()
		ctx, stop = untilInterrupted(ctx)
		defer stop()
	}
	var verdict error // how the command ends
	trouble := in.trouble
	bad := lineReport{print: in.report}
	defer bad.end()
	for v, err := range in.Visits(ctx, in.urls.URLs) {
		if err == nil && v.Err != nil {
			trouble = errShown
			if err = in.complain(v, &bad); err == nil {
				continue
			}
		}
		if err != nil {
			// The answers so far are correct.
			_ = in.flush()
			return orInterrupted(err)
		}
		in.others.add(v)
		in.isRefused = in.isRefused || isRefused(v.Ruling)
		var exit error
		err = panics.Contain(v.URL, &v.Ruling.File.Text, func() (err error) { exit, err = do(v); return err })
		if term.TraceOf(err) != "" {
			trouble, err = errShown, in.complainOf(err)
		}
		if err != nil {
			return term.WriteError(err)
		}
		verdict = graver(verdict, exit)
	}
	if err := in.flush(); err != nil {
		return term.WriteError(err)
	}
	in.others.print(in.Site)
	return graver(trouble, verdict)
}

// isRefused reports whether the address guard refused the address of a site.
func isRefused(r *answer.Ruling) bool { return r.Site != nil && r.Site.Fault == wire.FaultRefused }

func (in *inquiry) flush() error {
	if in.end != nil {
		if err := in.end(); err != nil {
			return err
		}
	}
	return in.out.Flush()
}

// complainOf prints an error about a URL after the answers before it.
func (in *inquiry) complainOf(err error) error {
	if err := in.out.Flush(); err != nil {
		return term.WriteError(err)
	}
	in.report(err)
	return nil
}

func (in *inquiry) complain(v *answer.Visit, bad *lineReport) error {
	if term.TraceOf(v.Err) != "" {
		return in.complainOf(v.Err)
	}
	if line, ok := errors.AsType[*urllist.LineError](v.Err); ok {
		if err := in.out.Flush(); err != nil {
			return term.WriteError(err)
		}
		bad.add(line)
		return nil
	}
	hint := ""
	if strings.HasPrefix(v.URL, "/") && !in.hinted {
		hint, in.hinted = "to check a path, give its robots.txt with --file FILE", true
	}
	return in.complainOf(term.Errorf("%s", term.Printable(v.Err)).Hint(hint))
}
