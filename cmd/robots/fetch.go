package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"io"
	"sync"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/sites"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/table"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/show/prose"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/origin"
)

type fetchCommandFlags struct {
	fetchFlags
	dialectFlags
	limitFlags
	formatFlags
	concurrency   int
	body, verbose bool
}

func newFetch(t *term.Terminal) *cobra.Command {
	i := fetchCommandFlags{fetchFlags: fetchFlags{cache: cacheNone}} // shows what the site serves now
	cmd := &cobra.Command{
		Use:   "fetch [flags] URL|HOST...",
		Short: "Fetch a site's robots.txt, and show the response and a summary of the file",
		Long: `Fetch the robots.txt of a URL's site, and show the response: the redirects, the status,
the relevant headers, how long the answer is fresh, and what --policy decides; then a
summary of the file. For a host without a scheme, robots uses its site over https.

robots fetches the file in each run, and does not store the answer. With --cache, robots
shows a fresh answer in that cache instead, and stores a fetched one there. "robots cache
show" shows the answers that check and explain have stored.

--body prints the file itself, byte for byte, and nothing else; on a terminal, it escapes
control characters.

--format csv, tsv or markdown prints a row for each site.

--json prints an object for each site, one on each line. Its fields are schema (1), asked,
origin, robots_url, outcome, fetch_reason, status, source, policy, fault and error (if
there was one), edge, final_url, hops, proxy, headers, bytes, truncated, delimited,
fetched_at, fresh_until, next_try and failing_since. If there is a file, body says what it
is (text, html, empty, binary), and file is an object with lines, groups, agents, allow and
disallow (how many rules), sitemaps and extensions. With --verbose as well, other objects
come before them, with the fields schema, event (such as fetched, failed or store-hit),
origin, duration (in seconds), bytes and error.

Exit status: 0 if the site has a robots.txt or answers that it has none; 1 if it answers
with an error, such as status 503; 2 if it does not respond.`,
		Example: `  robots fetch shop.example
  robots fetch --body https://shop.example/cart >robots.txt
  robots fetch --json --policy rfc9309 --timeout 5s http://localhost:8080`,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(cmd *cobra.Command, args []string) error { return i.run(cmd.Context(), t, args) },
	}
	i.fetchFlags.define(cmd)
	defineConcurrency(cmd, &i.concurrency)
	i.dialectFlags.define(cmd)
	i.limitFlags.define(cmd)
	cmd.Flags().BoolVar(&i.body, "body", false, "print the file instead of the response and the summary")
	i.formatFlags.define(cmd)
	cmd.Flags().BoolVarP(&i.verbose, "verbose", "v", false, "print the steps of each fetch too, as notes, or with --json as objects")
	return cmd
}

func (i *fetchCommandFlags) run(ctx context.Context, t *term.Terminal, args []string) error {
	if err := i.settle(); err != nil {
		return err
	}
	if err := i.validate(args); err != nil {
		return err
	}
	var events eventLog
	switch {
	case i.verbose && i.json:
		i.show(events.add)
	case i.verbose:
		i.show(func(e wire.Event) { t.Note("%s", prose.Event(e)) })
	}
	in := &inquiry{Question: sites.Question{Dialect: i.dialect, Concurrency: i.concurrency}, report: t.PrintError}
	urls, guessed := withSchemes(t, args)
	done, err := in.openSites(ctx, t, &i.fetchFlags, i.limit, nil, urls)
	if err != nil {
		return err
	}
	defer done()
	show, end := i.printer(t, in.out)
	in.end = end
	err = in.each(ctx, func(v *answer.Visit) (exit error, err error) {
		given := cmp.Or(guessed[v.URL], v.URL)
		if err := events.print(in.out); err != nil {
			return nil, err
		}
		if err := show(given, v.Ruling); err != nil {
			return nil, err
		}
		site := v.Ruling.Site
		if site.Source != wire.SourceAssumed {
			return nil, nil
		}
		if given != v.URL {
			if err := in.out.Flush(); err != nil {
				return nil, err
			}
			hintHTTP(t, given)
		}
		if !site.Answered() {
			return errShown, nil
		}
		return errDisallowed, nil
	})
	if in.isRefused && (i.body || i.json || i.format != table.Text) { // text has the hint at the site
		t.Hint(answer.AllowHint)
	}
	return err
}

// show passes each event of the client to a function, which is called concurrently.
func (i *fetchCommandFlags) show(event func(wire.Event)) {
	i.adjust = func(c *fetch.Config) {
		c.Observe = func(e fetch.Event) {
			if e, ok := sites.EventOf(e); ok {
				event(e)
			}
		}
		c.OnFetch = func(s *fetch.Stored) { event(sites.FetchEvent(s)) }
	}
}

func (i *fetchCommandFlags) validate(args []string) error {
	switch {
	case i.json && i.body:
		return term.Errorf("--json and --body cannot both be printed").Hint("omit one of them")
	case i.body && i.format != table.Text:
		return term.Errorf("--format %s and --body cannot both be printed", i.format).Hint("omit one of them")
	case len(args) == 0:
		return term.Errorf("no site is given").Hint("give a URL of the site or its host, such as shop.example")
	}
	return nil
}

// eventLog keeps events as JSON until the next site is printed.
type eventLog struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *eventLog) add(e wire.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	_ = term.PrintJSON(&l.text, e) // a buffer has no errors
}

func (l *eventLog) print(out io.Writer) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, err := l.text.WriteTo(out)
	return err
}

// withSchemes adds schemes to typed hosts and to what follows them. It returns all URLs, and the
// arguments by the URLs made from them.
func withSchemes(t *term.Terminal, args []string) (urls []string, guessed map[string]string) {
	guessed = make(map[string]string)
	for _, arg := range args {
		url := answer.TypedURL(arg)
		if url != arg {
			guessed[url] = arg
			noteScheme(t, arg, url)
		}
		urls = append(urls, url)
	}
	return urls, guessed
}

func noteScheme(t *term.Terminal, host, url string) {
	t.Note("%q means %s", origin.Text(host).Given(), term.Escape(origin.Text(url).Given()))
}

func hintHTTP(t *term.Terminal, host string) {
	t.Hint("try " + term.Escape(origin.Text("http://"+host).Given()))
}

// printer returns the function that prints a site, with the URL or host as given, in the format
// of the flags. end prints the end of the output; it is nil if there is none.
func (i *fetchCommandFlags) printer(t *term.Terminal,
	out *bufio.Writer) (show func(given string, r *answer.Ruling) error, end func() error) {
	withFile := func(given string, r *answer.Ruling) *wire.Site {
		site := *r.Site
		site.Asked, site.File = given, r.Outline()
		return &site
	}
	switch {
	case i.body:
		return func(_ string, r *answer.Ruling) error { return printBody(t, out, r) }, nil
	case i.json:
		return func(given string, r *answer.Ruling) error { return term.PrintJSON(out, withFile(given, r)) }, nil
	case i.format != table.Text:
		rows := prose.NewSiteTable(out, table.Config{Format: i.format, Excel: i.excel})
		return func(given string, r *answer.Ruling) error { return rows.Print(withFile(given, r)) }, rows.Flush
	}
	p := &prose.Printer{Out: out, Palette: t.Palette()}
	return func(_ string, r *answer.Ruling) error { return p.Site(r.Site, r.Outline()) }, nil
}

func printBody(t *term.Terminal, out *bufio.Writer, r *answer.Ruling) error {
	if !r.HasFile() {
		if err := out.Flush(); err != nil {
			return err
		}
		t.Warn("%s has no file to print: %s", r.Site.RobotsURL, term.Escape(prose.StandIn(r.Site)))
		return nil
	}
	return t.PrintFile(out, r.File.Text)
}
