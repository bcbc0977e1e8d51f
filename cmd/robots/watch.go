package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/many/watch"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/history"
	"github.com/kosterhq/robotstxt/internal/sqlitefile"
	"github.com/kosterhq/robotstxt/origin"
)

type watchFlags struct {
	crawlerFlags
	fetchFlags
	limitFlags
	list          string
	every         time.Duration
	confirm       time.Duration
	once          bool
	history       string
	expect        string
	exec          string
	webhook       string
	webhookSecret string
	atom          string
	probes        []string
	concurrency   int
	rate          float64
	format        string
	json, quiet   bool
	noNotes       bool
}

func newWatch(t *term.Terminal) *cobra.Command {
	w := &watchFlags{fetchFlags: fetchFlags{cache: cacheNone}}
	cmd := &cobra.Command{
		Use:     "watch [flags] SITE...",
		Short:   "Report when the meaning of a site's robots.txt changes",
		Long:    watchLong,
		Example: watchExample,
		RunE:    func(cmd *cobra.Command, args []string) error { return w.run(cmd.Context(), t, args) },
	}
	cmd.ValidArgsFunction = cobra.NoFileCompletions
	flags := cmd.Flags()
	flags.StringVar(&w.list, "sites", "", "watch the sites in `FILE` too, one host or URL a line; \"-\" is standard input")
	flags.DurationVar(&w.every, "every", 6*time.Hour, "fetch each site again after `DURATION`, such as 6h or 30m")
	flags.BoolVar(&w.once, "once", false, "fetch each site once and exit, for cron and CI")
	flags.DurationVar(&w.confirm, "confirm", watch.DefaultConfirm, "report a change only if it lasts for `DURATION`, and a fault for six times that; 0s reports at once")
	defineHistory(cmd, &w.history, "keep the state in `FOLDER` (default: see above)")
	flags.StringVar(&w.expect, "expect", "", "report at once when a site serves rules that mean something different from `FILE`, which can be a URL")
	w.crawlerFlags.define(cmd, "report only changes for", " all", "report changes for")
	for _, name := range []string{"exact-agent", "dialect"} {
		_ = flags.MarkHidden(name) // it is defined
	}
	defineChoice(cmd, &w.format, "format", "print as `FORMAT`: %s", formatText, formatJSON)
	flags.BoolVar(&w.json, "json", false, "print a line of JSON for each message, the same as --format json")
	flags.BoolVarP(&w.quiet, "quiet", "q", false, "print no messages and no notes; use the exit status or another output")
	flags.BoolVar(&w.noNotes, "no-notes", false, "print messages, warnings and errors, but no notes, for cron")
	flags.StringVar(&w.exec, "exec", "", "run the shell `COMMAND` for each message, with its JSON on standard input")
	flags.StringVar(&w.webhook, "webhook", "", "send each message as JSON to `URL`; @FILE reads the URL from a file")
	flags.StringVar(&w.webhookSecret, "webhook-secret", "", "sign the messages to --webhook with the secret in `FILE`")
	flags.StringVar(&w.atom, "atom", "", "write the latest messages as an Atom feed to `FILE`")
	flags.StringArrayVar(&w.probes, "probe", nil, "fetch the robots.txt of `HOST` to check that this network works; can be repeated")
	defineConcurrency(cmd, &w.concurrency)
	flags.Float64Var(&w.rate, "rate", 0, "start at most `N` fetches a second (default no limit)")
	completeNothing(cmd, "every", "confirm", "rate", "probe", "webhook", "exec")
	w.limitFlags.define(cmd)
	w.fetchFlags.define(cmd)
	_ = flags.MarkHidden("cache") // it is defined
	return cmd
}

const watchExample = `  robots watch --once shop.example
  robots watch --sites sites.txt --every 6h --webhook @hook.url --webhook-secret hook.key
  robots watch --once --expect robots.txt shop.example
  robots watch --once --no-notes --sites sites.txt
  robots watch --sites sites.txt --exec 'jq -r .text | mail -s robots.txt me@shop.example'`

const watchLong = `Report when the meaning of a site's robots.txt changes: which URLs open or close, for which
crawlers, and by which lines; when the file disappears, becomes a web page, is truncated or
moves to another host; when the site returns an error or does not respond; and when there are
new sitemaps, preferences about the use of pages, lint errors, or other lines such as
Crawl-delay. robots ignores comments, order, layout and rules that decide nothing: it compares
what the old and the new file mean. A SITE is a host or a URL.

Use --once in cron and CI, for example every 15 minutes:

  */15 * * * * robots watch --once --no-notes --sites sites.txt

The first run records each site ("first seen"). A later run that finds a change stores it as
pending and prints a note. robots reports the change as soon as a fetch at least 10 minutes
later still finds it, and a fault (status 5xx, no response) after an hour; --confirm sets both
times. If a change or a fault ends sooner, robots counts it but does not report it. A line that
is new at every fetch, such as a Sitemap URL with a time, delays no other report: robots says
once that it changes at every fetch. With --no-notes you see only messages, warnings and errors.

Without --once, robots fetches each site again after --every, until a signal ends it. It always
fetches from the site, never from a cache.

robots keeps its state in the --history folder, in the files watch.db and history.db (see
"robots history --help"). The default is $STATE_DIRECTORY, or else robots/history in
$XDG_STATE_HOME, which is ~/.local/state by default, or on Windows in %LocalAppData%. Several
runs can use a folder at the same time.

robots ignores failures of its own machine, and sites that do not respond while no other site
does. If you watch a single site, use --probe to name hosts that usually respond; otherwise
robots reports only statuses as faults.

If more than 20 sites change in a pass, you get one message with a line for each group of
sites that changed in the same way, the most serious first; if you watch at least 100 sites,
5% is enough. Messages go to standard output, --exec, --webhook and
--atom. Each of these gets each message at least once and in order; if one fails, robots tries
again later. A repeated message has the same id.

--exec runs a shell command with the JSON of the message on its standard input. --webhook
sends it with POST, and again after an error. --webhook-secret signs it as Standard Webhooks
describes, in the headers webhook-id, webhook-timestamp and webhook-signature. Write the
secret to the file as text, or as "whsec_" and base64.

With --expect, robots compares the served file with your file, for example the one in your
repository, and reports a difference at once, without waiting for --confirm. It prints each
difference only once. It marks lines that were added on the way, such as by a content
delivery network.

With --json, robots prints one line for each message: schema, id, at, gravity (critical,
high, medium, low), text, sites, watched, groups, omitted and events. Each group has gravity,
kind, size, sites (a number), examples and text. Each event has id, site, at, since, gravity,
reverted, status, outcome, final_url, fault, expected, changes and omitted. Each change has
kind, gravity, size (some, many, most or all of the site, of a change that opens or closes),
text, agents, paths, pairs, incomplete, old, new and injected.

Exit status: 0 if nothing was reported, or if a signal ends a run without --once; 1 if
something was reported, or the file differs from --expect; 2 if the run or an output
failed, or with --expect if robots could not tell whether the file differs. 2 takes precedence.`

// validate returns an error for arguments that contradict each other. Its checks do not
// depend on each other, and are in the order in which users read the arguments.
func (w *watchFlags) validate(args []string) error {
	switch {
	case len(args) == 0 && w.list == "":
		return term.Errorf("no sites to watch").Hint("give hosts or URLs, or a list with --sites")
	case w.once && w.defined.Changed("every"):
		return term.Errorf("--once fetches each site once, so --every has no effect").Hint("omit one of them")
	case !w.once && w.every < time.Minute:
		return term.Errorf("--every %s is too short: it would burden the sites", w.every).Hint("give at least 1m")
	case w.confirm < 0:
		return term.Errorf("--confirm %s is negative", w.confirm).Hint("give a time such as 10m, or 0s")
	case w.webhookSecret != "" && w.webhook == "":
		return term.Errorf("--webhook-secret has no effect without --webhook").Hint("give the URL with --webhook")
	case w.rate < 0:
		return term.Errorf("--rate %g is negative", w.rate).Hint("give a number above 0")
	case w.json && w.format != "" && w.format != formatJSON:
		return term.Errorf("--json means --format json, but --format %s is given", w.format).Hint("omit one of them")
	case w.quiet && (w.json || w.format != ""):
		return term.Errorf("--quiet prints nothing, so --format has no effect").Hint("omit one of them")
	case len(w.agents) > 0 && w.filterFlags.narrowed():
		return term.Errorf("--agent cannot be combined with --purpose and --operator").Hint("omit one of them")
	case w.defined.Changed("cache"):
		return term.Errorf("watch always fetches from the sites, so --cache has no effect").Hint("omit it")
	}
	return nil
}

func (w *watchFlags) run(ctx context.Context, t *term.Terminal, args []string) error {
	if err := w.validate(args); err != nil {
		return err
	}
	t.Quiet = w.quiet || w.noNotes
	ctx, stop := signal.NotifyContext(ctx, endSignals()...)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	config, err := w.config(t)
	if err != nil {
		return err
	}
	config.Sites = w.sites(t, args)
	keep, err := w.open(ctx, t, config)
	if err != nil {
		return err
	}
	defer keep.store.Close()
	defer config.Store.Close()
	client, err := w.fetching(ctx, t, args, keep, config)
	if err != nil {
		return err
	}
	defer client.Close()
	config.Outputs, err = w.outputs(t, config.Store)
	if err != nil {
		return err
	}
	log := &watchLog{t: t, once: w.once, expect: w.expect != ""}
	if !w.once {
		config.Started = log.started
	}
	config.Saw, config.Fault = log.add, func(err error) { t.PrintError(watchError(err)) }
	tally, err := watch.Run(ctx, *config)
	log.end(tally)
	switch {
	case ctx.Err() != nil && !w.once:
		return nil
	case ctx.Err() != nil:
		return errInterrupted
	}
	if err := cmp.Or(err, keep.err()); err != nil {
		return watchError(err)
	}
	return ending(log.failed > 0 || w.expect != "" && log.unknown > 0,
		tally.Events > 0 || tally.Messages > 0 || log.differ)
}

func watchError(err error) error {
	if shown := (*term.Error)(nil); errors.As(err, &shown) {
		return err
	}
	return term.Errorf("%s", term.Printable(err)).Hint("the next run continues where this one has stopped")
}

// config returns the configuration without the fields that depend on the store and the
// sites.
func (w *watchFlags) config(t *term.Terminal) (*watch.Config, error) {
	reader := &watch.Reader{}
	if w.narrowed() {
		requested, named, err := w.requested(t)
		if err != nil {
			return nil, err
		}
		if !w.exact {
			noteCrawlers(t, requested[:named])
		}
		reader.Crawlers = requested
	}
	config := &watch.Config{Reader: reader, Confirm: w.confirm, Every: w.every, Concurrency: w.concurrency}
	if w.once {
		config.Every = 0
	}
	return config, nil
}

// fetching makes the client that config uses, and fetches the file of --expect.
func (w *watchFlags) fetching(ctx context.Context, t *term.Terminal, args []string, keep *keptHistory,
	config *watch.Config) (*fetch.Client, error) {
	var typed []string
	for _, arg := range slices.Concat(args, w.probes) {
		typed = append(typed, siteURL(arg))
	}
	typed = append(typed, urlsOf([]string{w.expect})...)
	w.adjust = func(c *fetch.Config) {
		c.Freshness.NoCache, c.OnFetch = true, keep.add
		c.Limits.MaxFetchRate, c.Limits.MaxFetchesPerAddress = w.rate, 8
	}
	client, err := w.client(t, w.limit, newTyped(typed...), nil)
	if err != nil {
		return nil, err
	}
	config.Fetch = func(ctx context.Context, url string) (*fetch.Result, error) { return client.Robots(ctx, url) }
	config.Online = &watch.Online{}
	if len(w.probes) > 0 {
		config.Online.Probe = func(ctx context.Context) bool { return w.probe(ctx, client) }
	}
	if w.expect == "" {
		return client, nil
	}
	expected, err := (&diffFlags{limitFlags: w.limitFlags}).side(ctx, t, client, w.expect)
	if err != nil {
		return nil, err
	}
	config.Expect = &watch.Expected{Name: w.expect, Body: expected.File.Text}
	return client, nil
}

func (w *watchFlags) probe(ctx context.Context, client *fetch.Client) bool {
	for _, host := range w.probes {
		r, err := client.Robots(ctx, siteURL(host))
		if err == nil && (r.Err == nil || r.Status != 0) {
			return true
		}
	}
	return false
}

func siteURL(arg string) string {
	if isSiteURL(arg) {
		return arg
	}
	return "https://" + arg
}

// canonical returns the origin of a host or URL.
func canonical(arg string) (origin.Origin, error) {
	o, err := origin.Of(siteURL(arg))
	if err != nil {
		return origin.Origin{}, term.Errorf("%s", term.Printable(err)).Hint("give hosts or URLs, such as shop.example")
	}
	return o, nil
}

func originOf(arg string) (string, error) {
	o, err := canonical(arg)
	if err != nil {
		return "", err
	}
	return o.String(), nil
}

// sites yields the origins of the arguments and of the list, once the list is read.
func (w *watchFlags) sites(t *term.Terminal, args []string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		add := func(arg, where string) bool {
			site, err := originOf(arg)
			return yield(site, term.Prefixed(where, err)) && err == nil
		}
		for _, arg := range args {
			if !add(arg, "") {
				return
			}
		}
		if w.list == "" {
			return
		}
		in, err := openInput(t, w.list, "reading sites from the terminal, one a line; Ctrl-D ends them")
		if err != nil {
			yield("", err)
			return
		}
		defer in.close()
		list, err := in.whole(maxWhole, "divide the list")
		if err != nil {
			yield("", err)
			return
		}
		n := 0
		for line := range bytes.Lines(list) {
			n++
			text := strings.TrimSpace(strings.TrimPrefix(string(line), "\ufeff"))
			if text == "" || text[0] == '#' {
				continue
			}
			if !add(text, in.shown+" line "+term.Thousands(n)+": ") {
				return
			}
		}
	}
}

// historyFolder returns the folder of --history or, if that is empty, its default.
func historyFolder(given string) (string, error) {
	if given != "" {
		return given, nil
	}
	if folder := os.Getenv("STATE_DIRECTORY"); folder != "" { // of a systemd unit
		return folder, nil
	}
	for _, name := range []string{"XDG_STATE_HOME", "LocalAppData"} {
		if base := os.Getenv(name); base != "" {
			return filepath.Join(base, "robots", "history"), nil
		}
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", term.Errorf("there is no folder for the history: %v", err).Hint("give a folder with --history")
	}
	return filepath.Join(home, ".local", "state", "robots", "history"), nil
}

// historyFile is the name of the history in the folder, see package history.
const historyFile = "history.db"

// open opens the store of config and the history in the folder.
func (w *watchFlags) open(ctx context.Context, t *term.Terminal, config *watch.Config) (*keptHistory, error) {
	folder, err := historyFolder(w.history)
	if err != nil {
		return nil, err
	}
	store, past := filepath.Join(folder, watch.FileName), filepath.Join(folder, historyFile)
	damagedStores, damagedPasts := sqlitefile.Damaged(store), sqlitefile.Damaged(past)
	config.Store, err = watch.OpenStore(ctx, folder, t.Logger())
	if err != nil {
		return nil, term.Errorf("cannot keep the history: %s", term.Printable(err)).Hint("give another folder with --history")
	}
	kept, err := history.Open(ctx, past, history.Config{Logger: t.Logger()})
	if err != nil {
		config.Store.Close()
		return nil, term.Errorf("cannot keep the history: %s", term.Printable(err)).Hint("give another folder with --history")
	}
	config.History = kept
	config.AreLost = func() bool {
		return sqlitefile.Damaged(store) > damagedStores && sqlitefile.Damaged(past) > damagedPasts
	}
	return &keptHistory{store: kept}, nil
}

// keptHistory keeps the result of each fetch.
type keptHistory struct {
	store  *history.Store
	failed atomic.Pointer[error] // the first error
}

func (k *keptHistory) add(s *fetch.Stored) {
	o := history.FromStored(s)
	if o.Fault == wire.FaultRefused {
		return // the fault is this machine's, so it says nothing about the site
	}
	o.Source = "watch"
	if err := k.store.Add(context.Background(), o); err != nil {
		k.failed.CompareAndSwap(nil, &err)
	}
}

// err returns the first error of the history.
func (k *keptHistory) err() error {
	if first := k.failed.Load(); first != nil {
		return fmt.Errorf("the history is incomplete: %w", *first)
	}
	return nil
}

// outputs returns the destinations of messages.
func (w *watchFlags) outputs(t *term.Terminal, store *watch.Store) (outputs []watch.Output, err error) {
	if !w.quiet {
		isJSON := w.json || w.format == formatJSON
		outputs = append(outputs, &watch.Lines{Out: t.Out, JSON: isJSON, Palette: t.Palette()})
	}
	if w.exec != "" {
		outputs = append(outputs, &watch.Exec{Command: w.exec, Out: t.Err})
	}
	if w.atom != "" {
		outputs = append(outputs, &watch.Atom{File: w.atom, Store: store})
	}
	if w.webhook == "" {
		return outputs, nil
	}
	hook := &watch.Webhook{URL: w.webhook, Agent: w.userAgent}
	if name, isFile := strings.CutPrefix(w.webhook, "@"); isFile {
		hook.URL, err = readSecret("webhook", name)
		if err != nil {
			return nil, err
		}
	}
	if o, err := origin.Of(hook.URL); err != nil || !strings.HasPrefix(o.Scheme(), "http") {
		return nil, term.Errorf("--webhook is not the URL of a server").Hint("give a URL such as https://hooks.example/robots, or @FILE with one in the file")
	}
	if w.webhookSecret != "" {
		text, err := readSecret("webhook-secret", w.webhookSecret)
		if err != nil {
			return nil, err
		}
		hook.Secret, err = watch.ReadSecret([]byte(text))
		if err != nil {
			return nil, term.Errorf("--webhook-secret: %v", err)
		}
	}
	proxy, err := w.proxy.choose()
	if err != nil {
		return nil, err
	}
	hook.Client = &http.Client{
		Timeout: 20 * time.Second, Transport: &http.Transport{Proxy: proxy, ForceAttemptHTTP2: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return append(outputs, hook), nil
}
