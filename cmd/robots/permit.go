package main

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"net/textproto"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/permit"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/sites"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/markup"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/table"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/show/prose"
	"github.com/kosterhq/robotstxt/permission"
	"github.com/kosterhq/robotstxt/permission/page"
)

// permitFlags has the flags of permit. question has the flags that check has too.
type permitFlags struct {
	q        questionFlags
	purposes []string
	operator string
	header   http.Header
	html     string
	tdmrep   string
	follow   bool
	formal   bool
	languageFlags
}

func newPermit(t *term.Terminal) *cobra.Command {
	var p permitFlags
	cmd := &cobra.Command{
		Use:   "permit [--file FILE] [flags] URL...",
		Short: "Show what may be done with a URL: fetch it, find it, train on it",
		Long:  permitLong,
		Example: `  robots permit https://shop.example/tea
  robots permit --crawler GPTBot --purpose ai-training https://shop.example/tea
  robots permit --purpose ai-training,mining --format csv --urls urls.txt
  robots permit --operator OpenAI --format html https://shop.example/tea >letter.html
  robots permit --operator Google --purpose ai-training --lang de https://shop.example/tea
  robots permit --file robots.txt --response-header 'X-Robots-Tag: noai' --html page.html /tea`,
		RunE: func(cmd *cobra.Command, args []string) error { return p.run(cmd.Context(), t, args) },
	}
	p.q.fileFlags.define(cmd)
	flags := cmd.Flags()
	flags.StringArrayVarP(&p.q.agents, "crawler", "a", nil, "ask for the crawlers `TOKEN[:FALLBACK...],...`; can be repeated (default \"*\" and known crawlers that differ)")
	completeFrom(cmd, "crawler", completesCrawlers)
	flags.StringVar(&p.operator, "operator", "", "write a letter about the crawlers of `OPERATOR`, such as OpenAI")
	completeFrom(cmd, "operator", completesOperators)
	flags.StringSliceVar(&p.purposes, "purpose", nil, "ask for a `PURPOSE`, or several with commas: "+strings.Join(permitPurposes(), ", ")+", and the other purposes of crawlers")
	complete(cmd, "purpose", permitPurposes())
	flags.Func("response-header", "take `NAME: VALUE` as a line of the response instead of requesting the page; can be repeated", p.addHeader)
	flags.StringVar(&p.html, "html", "", "take the page from `FILE` instead of requesting it; \"-\" is standard input")
	flags.StringVar(&p.tdmrep, "tdmrep", "", "take the tdmrep.json from `FILE` instead of fetching it; \"-\" is standard input")
	flags.BoolVar(&p.follow, "follow", false, "fetch RSL documents from other hosts too, if their robots.txt allows it")
	flags.BoolVar(&p.formal, "formal", false, "ignore signals that no specification defines: noai and noimageai")
	complete(cmd, "response-header", nil)
	p.q.listFlags.define(cmd)
	p.q.fetchFlags.define(cmd)
	p.q.fetchFlags.defineRefresh(cmd)
	defineConcurrency(cmd, &p.q.concurrency)
	p.q.assumeFlags.define(cmd)
	p.q.formatFlags.defineWith(cmd, formatHTML)
	p.languageFlags.define(cmd, "write tables and letters")
	return cmd
}

const permitLong = `Show what may be done with a URL, for each purpose: fetch, search, ai-search, ai-training,
ai-fetch and mining. Each answer is "permitted", "refused", "ask the owner" or "nothing
said"; "nothing said" is not a permission. JSON and CSV call these allowed, disallowed,
reserved and unknown. "By what was read" means that something else could still refuse it.

robots reads all these signals, and the strictest decides:

  robots.txt    the rules, the groups for Google-Extended and Applebot-Extended, and the
                Content-Usage, Content-Signal and License lines
  the response  the headers X-Robots-Tag, Content-Usage, tdm-reservation and Link
  the page      the meta, link and script elements
  the site      tdmrep.json and RSL documents

A crawler that may not fetch the page never sees the response, so no signal in the response
applies to it.

Each row shows the signal that decides, and where it is. If no specification decides, the
row is marked "our reading". Below the rows are contradictions, limits, signals without
effect, sources that are missing, and an explanation of the words.

robots fetches the robots.txt, /.well-known/tdmrep.json, the RSL documents and, with one
request, the page: each only if robots.txt allows it for the token in --user-agent. With
--follow, robots fetches RSL documents from other hosts too, if their robots.txt allows it.
With --file, robots fetches nothing, and you give the other signals with --response-header,
--html and --tdmrep. Without --file, these flags replace what robots would fetch.

With --crawler, robots answers for the crawlers you name, with their documented fallbacks.
Without it, robots answers for "*" (any crawler that follows the group for *), and for each
known crawler that gets a different verdict for one of its purposes. --urls and --sitemap read
URLs as in "robots check".

--operator writes a letter instead, for readers who are not programmers: what the operator's
crawlers may do with the page and with the site, which lines decide, and what the operator
says about its crawlers, with the digest of the robots.txt and the dates. With --purpose, the
letter is about these purposes only. --format html writes it as a web page, which word
processors open too, and --lang de in German; quotes and lines of files stay as they are.

--json prints an object for each URL, one on each line. Its fields are schema (1), url,
compared_url if it differs, robots_url or robots_file, outcome, body, fetch_reason, operator,
asked_at, robots_fetched_at, robots_sha256 and robots_bytes (of the bytes that were read),
robots_truncated, crawlers_version, requested (URLs), answers and differing (each: url, crawler, operator, purpose, verdict, kind, token,
need_not_obey, fetch, provisional, reasons, conflicts, missing, findings, extent, except,
otherwise, group, and joined_line and fetched_anyway as in "robots check --json").

The exit status is for the purposes in --purpose, or for fetch if you omit it: 0 if all are
allowed, even provisionally; 1 if one is disallowed or reserved; 2 if one is unknown or
something is an error; 2 takes precedence over 1. With --operator: 0, or 2 if the operator
or the robots.txt is not known.`

func permitPurposes() []string { return namesOf(permission.Purposes()) }

func (p *permitFlags) run(ctx context.Context, t *term.Terminal, args []string) error {
	config, err := p.config(t)
	if err != nil {
		return err
	}
	ctx, stop := untilInterrupted(ctx)
	defer stop()
	in, done, err := p.open(ctx, t, config, args)
	if err != nil {
		return err
	}
	defer done()
	var fetcher *sites.PermitFetcher
	if len(p.q.files) == 0 {
		fetcher = &sites.PermitFetcher{Client: in.Client, Crawler: answer.SentBy(p.q.userAgent), Follow: p.follow}
	}
	print := func(v *wire.Permit) error { return term.PrintJSON(in.out, v) }
	switch p.q.format {
	case table.JSON:
	case formatHTML:
		print, in.end = p.pages(in.out)
	default:
		printer := prose.NewPermits(in.out, p.q.table(t), p.language)
		print, in.end = printer.Print, printer.Flush
	}
	var last permit.LastFile
	err = in.each(ctx, func(v *answer.Visit) (exit error, err error) {
		found, err := sites.Permit(ctx, v, config, &last, fetcher)
		if err != nil {
			return nil, err
		}
		if p.operator != "" && len(found.Answers) == 0 {
			exit = errShown
		}
		for i := range found.Answers {
			exit = graver(exit, p.ending(&found.Answers[i]))
		}
		return exit, print(found)
	})
	if in.isRefused {
		t.Hint(answer.AllowHint)
	}
	return err
}

// pages returns the functions that print answers as a web page, and its end.
func (p *permitFlags) pages(out io.Writer) (print func(*wire.Permit) error, end func() error) {
	page := markup.NewDocument(out, string(p.language))
	var text strings.Builder
	printer := prose.NewPermits(&text, table.Config{Format: table.Markdown}, p.language)
	add := func(err error) error {
		defer text.Reset()
		return cmp.Or(err, page.Add(text.String()))
	}
	return func(v *wire.Permit) error { return add(printer.Print(v)) },
		func() error { return cmp.Or(add(printer.Flush()), page.End()) }
}

// ending returns the error with which the command ends after an answer about a purpose of
// --purpose, or about fetch without the flag.
func (p *permitFlags) ending(a *wire.PermitAnswer) error {
	switch {
	case p.operator != "" && slices.Contains(a.Missing, "robots.txt: unreachable"):
		return errShown
	case p.operator != "":
		return nil
	case len(p.purposes) == 0 && a.Purpose != permission.Fetch || a.Verdict == permission.Allowed:
		return nil
	case a.Verdict == permission.Unknown:
		return errShown
	default:
		return errDisallowed
	}
}

func (p *permitFlags) config(t *term.Terminal) (c *permit.Config, err error) {
	if err := p.q.settle(); err != nil {
		return nil, err
	}
	if err := p.validate(p.q.format, table.Text, table.Markdown, formatHTML); err != nil {
		return nil, err
	}
	if p.operator != "" && len(p.q.agents) > 0 {
		return nil, term.Errorf("--operator covers all crawlers of the operator").Hint("omit --crawler; --purpose selects some of them")
	}
	if p.operator != "" {
		typed := p.operator
		p.operator, err = permit.Operator(typed)
		if err != nil {
			return nil, err
		}
		noteOperator(t, typed, p.operator)
	}
	c = &permit.Config{Operator: p.operator, Time: time.Now(), Formal: p.formal}
	var wrong string
	c.Purposes, wrong = permit.Purposes(p.purposes)
	if wrong != "" {
		return nil, term.Errorf("there is no purpose %q", wrong).Hint("the purposes are " + strings.Join(permitPurposes(), ", "))
	}
	if p.operator != "" && len(p.purposes) == 0 {
		c.Purposes = nil // those of each crawler
	}
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if isTwice(slices.Concat(p.q.files, []string{p.html, p.tdmrep, p.q.list}), "-") {
		return nil, term.Errorf("standard input can be read only once").Hint("put the others into files")
	}
	if len(p.q.agents) > 0 {
		c.Crawlers, err = parseCrawlers(t, p.q.agents)
		if err != nil {
			return nil, err
		}
		noteCrawlers(t, c.Crawlers)
		warnOfCrawlers(t, c.Crawlers, nil)
	}
	html, err := readGiven(t, p.html, 8)
	if err != nil {
		return nil, err
	}
	tdm, err := readGiven(t, p.tdmrep, 8)
	if err != nil {
		return nil, err
	}
	c.Given.Header = p.header
	if html != nil {
		c.Given.Page = page.Read(html, p.header.Get("Content-Type"))
	}
	if tdm != nil {
		c.Given.TDMRep = permission.ReadTDMRep("tdmrep.json", tdm)
	}
	return c, nil
}

// readGiven reads a file of at most the given number of MiB. Without a name it returns nil.
func readGiven(t *term.Terminal, name string, most int64) ([]byte, error) {
	if name == "" {
		return nil, nil
	}
	in, err := openInput(t, name, "reading from the terminal; Ctrl-D ends it")
	if err != nil {
		return nil, err
	}
	defer in.close()
	return in.whole(most, "it is not a page or a tdmrep.json that a client would read")
}

// open reads the local robots.txt or makes the clients, and opens the list of URLs. The caller
// calls done at the end.
func (p *permitFlags) open(ctx context.Context, t *term.Terminal, c *permit.Config,
	args []string) (in *inquiry, done func(), err error) {
	if err := p.q.validate(args); err != nil {
		return nil, nil, err
	}
	in = &inquiry{report: t.PrintError}
	in.AssumePolicy, in.Concurrency = p.q.assume == assumePolicy, p.q.concurrency
	in.Crawlers = c.Crawlers
	if len(p.q.files) > 0 {
		if p.follow {
			return nil, nil, term.Errorf("with --file, robots fetches nothing, so --follow has no effect").Hint("omit one of them")
		}
		done, err = in.openFiles(ctx, t, &p.q, args)
		return in, done, err
	}
	urls, _ := withSchemes(t, args)
	done, err = in.openSites(ctx, t, &p.q.fetchFlags, p.q.limit, &p.q.listFlags, urls)
	return in, done, err
}

func (p *permitFlags) addHeader(text string) error {
	name, value, found := strings.Cut(text, ":")
	name = textproto.TrimString(name)
	if !found || name == "" || strings.ContainsAny(name, " \t") {
		return errors.New("use a name and a value, such as 'X-Robots-Tag: noai'")
	}
	if p.header == nil {
		p.header = http.Header{}
	}
	p.header.Add(name, textproto.TrimString(value))
	return nil
}
