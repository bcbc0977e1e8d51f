package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/accesslog"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/files"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/table"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/times"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
	"github.com/kosterhq/robotstxt/cmd/internal/many/visits"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/history"
	"github.com/kosterhq/robotstxt/origin"
	"github.com/kosterhq/robotstxt/visitor"
)

type visitsFlags struct {
	crawlerFlags
	flags                             *pflag.FlagSet
	file, servedSince, history, lists string
	sites                             []string
	dns                               bool
	logMap                            accesslog.Map
	logFormat                         *accesslog.Format
	trusted                           []netip.Prefix
	timezone                          string
	siteCache, deployLag              time.Duration
	logsSince                         string
	noSiteCache                       bool
	since, until                      string
	format                            table.Format
	by                                visits.By
	json, excel                       bool
	out, hitsOut, addressesOut        []string
	report, schema                    string
	evidence, evidenceCheck           string
}

const visitsLong = `Show which crawlers came to a site, whether they are who they say they are, and whether
they obeyed the robots.txt that applied then. LOG is an access log: common, combined or
vhost_combined, Caddy's JSON, CloudFront, IIS W3C, AWS ALB, HAProxy, Envoy, any other with
--log-format, or JSON with --map; plain, gzip, zstd, bzip2 or ZIP; "-" is standard input.
You can give logs in any order. robots fetches nothing.

  robots visits access.log                      who came
  robots visits --file robots.txt access.log    what this file disallows, by line

Set --lists to a folder with the address lists that operators publish; "robots visits
lists DIR" fetches them. Without them, robots verifies nothing, because any client can
send any name. --dns uses DNS too, and sends the addresses of visitors to your resolver.
Only --dns and "robots visits lists" use the network.

A file says nothing about earlier days. With --served-since, you state that --file was
served unchanged since then. Or set --history to the folder of a history, which robots
watch and "robots history import" keep. Each visit then gets the first of these results that applies:

  exempt       robots.txt itself or where it redirects, no target, neither GET nor HEAD,
               another origin, or a target that the file names
  allowed      every file served within ten minutes of the visit allows it
  no-promise   the operator does not state that the crawler obeys
  unproved     the sender is not verified for the time of the visit
  old-copy     the sender can have a copy that allows it, or read a copy so. Crawlers keep
               a file for 24 hours, or as long as their operator says; a cache in front of
               the site can add 24 hours, --site-cache or what headers permit. Or somebody
               got an answer without rules in that time
  not-judged   the logs, or a copy that the sender can have, are not known well enough
  disobeyed    each copy that the sender can have disallows it

The column "why" of --hits-out names what is not shown. To state it instead, use --site (the
server has no other site), --logs-since (the logs are complete) and --no-site-cache.

robots judges only Disallow. Crawlers that fetch for a person have a separate table.

Without --site, robots judges the visits to the commonest host. If a log gives hosts
without a scheme, robots uses the scheme of --site, or else https. In vhost_combined and
IIS logs, it uses http for hosts with a port other than 443.

--json prints one object. --out writes the table of crawlers, and --hits-out a row for
each visit, as Parquet, CSV or JSON lines; --schema prints the columns. No output contains
an address, a referrer, a user, a User-Agent header or a value of a query, except these:
--addresses-out has addresses, and --evidence a folder with the lines, lists and files with
which --evidence-check repeats each verdict, without the logs.

Exit status: 0; 1 if a visit disobeyed, or a verdict is not repeated; 2 for errors, for a log that was cut, and if more
than 5% of the lines cannot be read. 2 takes precedence over 1.`

const visitsExample = `  robots visits access.log
  robots visits lists lists
  robots visits --file robots.txt --lists lists access.log access.log.*.gz
  robots visits --history history --lists lists --site shop.example --hits-out hits.parquet access.log
  robots visits --log-format '$remote_addr [$time_local] "$request" $status "$http_user_agent"' access.log
  robots visits --map time=ts,addr=ip,agent=ua,target=path,host=host,method=method,status=status app.log`

func newVisits(t *term.Terminal) *cobra.Command {
	v := &visitsFlags{}
	cmd := &cobra.Command{
		Use:     "visits [flags] LOG...",
		Short:   "Show which crawlers came, whether they were genuine, and whether they obeyed",
		Long:    visitsLong,
		Example: visitsExample,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := separateFound(cmd.Flags(), t, slices.Values(args)); err != nil {
				return err
			}
			v.flags = cmd.Flags()
			return v.run(cmd.Context(), t, args)
		},
	}
	v.define(cmd)
	cmd.AddCommand(newVisitsLists(t))
	return cmd
}

func (v *visitsFlags) define(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&v.file, "file", "", "compare visits with the robots.txt in `FILE`")
	flags.StringVar(&v.servedSince, "served-since", "", "state that --file was served unchanged since `TIME`")
	complete(cmd, "served-since", nil)
	flags.StringVar(&v.history, "history", "", "compare visits with the history in `FOLDER`")
	flags.StringArrayVar(&v.sites, "site", nil, "judge the visits of `URL[=NAME,...]`, which logs also call NAME; can be repeated (default the most common host in the logs)")
	complete(cmd, "site", nil)
	flags.StringVar(&v.lists, "lists", "", "verify visitors by the lists in `DIR`")
	flags.BoolVar(&v.dns, "dns", false, "verify visitors by DNS, which receives their addresses")
	defineMap(cmd, &v.logMap, "LOG")
	defineLogFormat(cmd, &v.logFormat, "LOG")
	flags.Func("trusted-proxies", "state that the proxies with addresses in `RANGES` append the client's address to X-Forwarded-For", addPrefixes(&v.trusted))
	complete(cmd, "trusted-proxies", nil)
	flags.StringVar(&v.timezone, "timezone", "", "read times without a zone in `ZONE`, such as UTC or Europe/Berlin")
	complete(cmd, "timezone", nil)
	flags.DurationVar(&v.siteCache, "site-cache", 0, "caches before the site use a file for at most `DURATION` (default 24h)")
	flags.BoolVar(&v.noSiteCache, "no-site-cache", false, "state that no cache lies between the site and its visitors, so that an outage concerns only its witnesses")
	flags.StringVar(&v.logsSince, "logs-since", "", "state that the logs have all requests since `TIME`")
	complete(cmd, "logs-since", nil)
	flags.DurationVar(&v.deployLag, "deploy-lag", 0, "a version in Git is served from `DURATION` before its commit until as long after the next one (default 24h)")
	flags.StringVar(&v.since, "since", "", "count visits from `TIME` on")
	flags.StringVar(&v.until, "until", "", "count visits before `TIME`")
	for _, name := range []string{"site-cache", "deploy-lag", "since", "until"} {
		complete(cmd, name, nil)
	}
	flags.StringArrayVar(&v.agents, "agent", nil, "show the crawlers `TOKEN,...`; can be repeated (default all)")
	complete(cmd, "agent", nil)
	v.filterFlags.define(cmd, "show")
	defineChoice(cmd, &v.format, "format", "print the table of crawlers as `FORMAT`: %s", string(table.Text), string(table.CSV), string(table.TSV), string(table.Markdown))
	defineChoice(cmd, &v.by, "by", "also count the visits of each crawler by `PROPERTY`: %s", "day", "section", "status", "site")
	flags.BoolVar(&v.excel, "excel", false, "print CSV for Excel, or TSV with --format tsv: with a byte order mark and CRLF")
	flags.BoolVar(&v.json, "json", false, "print JSON")
	flags.StringArrayVar(&v.out, "out", nil, "write a row for each crawler to `FILE`: .parquet, .csv or .jsonl; can be repeated")
	flags.StringArrayVar(&v.hitsOut, "hits-out", nil, "write a row for each visit to `FILE`; can be repeated")
	flags.StringArrayVar(&v.addressesOut, "addresses-out", nil, "write a row for each address and crawler to `FILE`; can be repeated")
	flags.StringVar(&v.report, "report", "", "write a page with a chart to `FILE.html`")
	flags.StringVar(&v.schema, "schema", "", "print the columns of the tables, as `FORMAT`: table or markdown")
	flags.Lookup("schema").NoOptDefVal = "table"
	complete(cmd, "schema", []string{"table", "markdown"})
	flags.StringVar(&v.evidence, "evidence", "", "write everything that shows which visits disobeyed to the new `FOLDER`, with addresses")
	complete(cmd, "evidence", nil)
	flags.StringVar(&v.evidenceCheck, "evidence-check", "", "repeat the verdicts of the evidence in `FOLDER`, without logs")
}

func (v *visitsFlags) validate(logs []string) error {
	switch {
	case len(logs) == 0:
		return term.Errorf("no log is given").Hint("name access logs; \"-\" is standard input")
	case v.file != "" && v.history != "":
		return term.Errorf("--file and --history cannot both be given").Hint("choose one: a history contains the file of each time")
	case v.logMap != nil && v.logFormat != nil:
		return term.Errorf("--map and --log-format cannot both be given").Hint("choose one")
	case v.servedSince != "" && v.file == "":
		return term.Errorf("--served-since is about --file").Hint("give the file that was served since then")
	case v.deployLag != 0 && v.history == "":
		return term.Errorf("--deploy-lag has no effect without --history").Hint("omit it")
	case v.siteCache != 0 && v.history == "" && v.servedSince == "":
		return term.Errorf("--site-cache has no effect without --history or --served-since").Hint("omit it")
	case (v.logsSince != "" || v.noSiteCache) && v.history == "" && v.servedSince == "":
		return term.Errorf("--logs-since and --no-site-cache have no effect without --history or --served-since").Hint("omit them")
	case v.noSiteCache && v.siteCache != 0:
		return term.Errorf("--site-cache and --no-site-cache cannot both be given").Hint("omit one of them")
	case v.siteCache < 0 || v.deployLag < 0:
		return term.Errorf("a duration is negative").Hint("write it as 48h")
	case isTwice(logs, "-"):
		return term.Errorf("standard input can be read only once").Hint("put one of them into a file")
	case v.report != "" && !isPage(v.report):
		return errNoPage(v.report)
	case v.json && v.format != "" && v.format != table.JSON:
		return term.Errorf("--json and --format %s cannot both be printed", v.format).Hint("omit one of them")
	}
	for _, name := range slices.Concat(v.out, v.hitsOut, v.addressesOut) {
		if err := audit.CheckOutput(name); err != nil {
			return err
		}
	}
	return nil
}

func (v *visitsFlags) run(ctx context.Context, t *term.Terminal, args []string) error {
	if v.schema != "" {
		return printTables(t, v.schema, visits.Tables())
	}
	if v.evidenceCheck != "" {
		return v.check(ctx, t, args)
	}
	if err := errors.Join(v.validate(args), v.validateEvidence(args)); err != nil {
		return err
	}
	ctx, stop := untilInterrupted(ctx)
	defer stop()
	config, done, err := v.config(ctx, t)
	if err != nil {
		return err
	}
	defer done()
	var begun atomic.Int64
	config.Begun = func() { begun.Add(1) }
	logs, share := v.logs(t, args, &begun)
	progress := t.StartProgress(slices.Contains(args, "-"))
	progress.Files(share)
	if len(v.addressesOut) > 0 {
		config.Addresses = &visits.Addresses{}
	}
	found, err := v.judge(ctx, t, config, logs)
	progress.End()
	if found == nil {
		return orInterrupted(err)
	}
	if config.Lists != nil {
		if err := config.Lists.Err(); err != nil {
			t.PrintError(term.Errorf("%s", term.Printable(err)).Hint("remove it from the index, or fetch it again"))
			found.Incomplete = true
		}
	}
	// An output that cannot be written, such as the evidence, does not take the answer with it.
	err = errors.Join(orInterrupted(err), v.print(t, found), v.writeAddresses(t, config.Addresses), v.write(found))
	if err != nil {
		return err
	}
	return v.ending(t, found)
}

// judge reads the logs. It writes the visits and the evidence as it judges them. If one of these cannot be written, the
// other one and the answer are still complete.
func (v *visitsFlags) judge(ctx context.Context, t *term.Terminal, config visits.Config,
	logs []visits.Log) (found *wire.Visits, err error) {
	var rows error
	judged := func(ctx context.Context) (err error) {
		rows = audit.WriteTables(v.hitsOut, func(write func(*visits.Row) error) (failed error) {
			if write != nil {
				config.Hits = func(row *visits.Row) error {
					if failed == nil {
						failed = write(row)
					}
					return nil
				}
			}
			found, err = visits.Run(ctx, config, logs)
			if found == nil {
				return err
			}
			return failed
		})
		if found == nil {
			return rows
		}
		return err
	}
	if v.evidence == "" {
		err = judged(ctx)
	} else {
		err = v.writeEvidence(ctx, t, &config, judged)
	}
	if found == nil {
		return nil, err
	}
	return found, errors.Join(err, rows)
}

func (v *visitsFlags) ending(t *term.Terminal, found *wire.Visits) error {
	disobeyed := 0
	for _, c := range found.Crawlers {
		disobeyed += int(c.Results[string(visits.Disobeyed)])
	}
	if (v.json || v.format == table.JSON) && disobeyed > len(found.Proofs) {
		t.Note("proofs has the first %s of %s that disobeyed; --hits-out has them all", term.Thousands(len(found.Proofs)), term.Count(disobeyed, "visit", "visits"))
	}
	tooMany := found.Unreadable*20 > found.Lines
	if tooMany {
		t.PrintError(term.Errorf("%s of %s cannot be read", term.Thousands(int(found.Unreadable)), term.Count(int(found.Lines), "line", "lines")).
			Hint("are these access logs of one form each?"))
	}
	return ending(tooMany || found.Incomplete, disobeyed > 0)
}

// config returns the question. done closes the files and connections that it uses.
func (v *visitsFlags) config(ctx context.Context, t *term.Terminal) (c visits.Config, done func(), err error) {
	done = func() {}
	c = visits.Config{
		NoSiteCache: v.noSiteCache, Same: map[origin.Origin]origin.Origin{},
		Map: v.logMap, Format: v.logFormat, Terms: history.Terms{SiteCache: v.siteCache, DeployLag: v.deployLag},
		Note: func(format string, args ...any) { t.Note(format, args...) }, Problem: t.PrintError,
	}
	c.Trusted = v.trusted
	if err := v.setSites(&c); err != nil {
		return c, done, err
	}
	if err := v.setTimes(t, &c); err != nil {
		return c, done, err
	}
	c.By, c.Stated = v.by, v.stated(&c, v.servedSince != "" || v.history != "")
	if err := v.choose(t, &c); err != nil {
		return c, done, err
	}
	if err := v.openLists(&c); err != nil {
		return c, done, err
	}
	if v.dns {
		c.Resolver = net.DefaultResolver
	}
	if v.file != "" {
		c.File, err = v.readRobots()
		if err != nil {
			return c, done, err
		}
	}
	if v.history != "" {
		store, err := openHistory(ctx, t, v.history, true,
			func(h *history.Config) { h.SiteCache, h.DeployLag = v.siteCache, v.deployLag })
		if err != nil {
			return c, done, err
		}
		c.History, done = store, func() { store.Close() }
	}
	return c, done, nil
}

// setSites sets the sites, and their other names in logs. A name without a scheme, as logs have it, stands
// for both schemes.
func (v *visitsFlags) setSites(c *visits.Config) error {
	for _, text := range v.sites {
		text, names, _ := strings.Cut(text, "=")
		site, err := canonical(text)
		if err != nil {
			return err
		}
		c.Sites = append(c.Sites, site)
		if names == "" {
			continue
		}
		for name := range strings.SplitSeq(names, ",") {
			spellings := []string{name}
			if !strings.Contains(name, "://") {
				spellings = []string{"http://" + name, "https://" + name}
			}
			for _, spelling := range spellings {
				same, err := canonical(spelling)
				if err != nil {
					return err
				}
				if other, ok := c.Same[same]; ok && other != site {
					return term.Errorf("%s is the name of two sites", term.Escape(name)).Hint("give it to one --site")
				}
				c.Same[same] = site
			}
		}
	}
	return nil
}

// stated returns what the flags state, in words.
func (v *visitsFlags) stated(c *visits.Config, isJudged bool) (facts []string) {
	const day = "2 January 2006 15:04"
	if !c.Since.IsZero() {
		facts = append(facts, "robots.txt served since "+c.Since.UTC().Format(day))
	}
	if len(c.Sites) == 1 && isJudged {
		facts = append(facts, "requests in logs without hosts are for "+c.Sites[0].String())
	}
	for _, name := range v.sites {
		if site, names, found := strings.Cut(name, "="); found {
			facts = append(facts, site+" is also "+names)
		}
	}
	if target := v.logMap["target"]; target != "" && isJudged {
		facts = append(facts, "the field "+target+" of the logs has targets as they were requested")
	}
	if !c.LogsSince.IsZero() {
		facts = append(facts, "the logs are complete since "+c.LogsSince.UTC().Format(day))
	}
	if v.siteCache != 0 {
		facts = append(facts, "caches keep files for "+v.siteCache.String())
	}
	if v.deployLag != 0 {
		facts = append(facts, "a file from Git can be served "+v.deployLag.String()+" before its commit, and as long after the next one")
	}
	if v.noSiteCache {
		facts = append(facts, "no cache lies between the site and its visitors")
	}
	if len(v.trusted) > 0 {
		facts = append(facts, "trusted proxies")
	}
	return facts
}

// setTimes sets the zone of times without one, and the limits of --since, --until and
// --served-since.
func (v *visitsFlags) setTimes(t *term.Terminal, c *visits.Config) (err error) {
	if v.timezone != "" {
		c.Zone, err = time.LoadLocation(v.timezone)
		if err != nil {
			return term.Errorf("there is no time zone %q", v.timezone).Hint("write UTC, or a name such as Europe/Berlin")
		}
	}
	for _, limit := range []struct {
		flag, text string
		to         *time.Time
	}{{"since", v.since, &c.From}, {"until", v.until, &c.Before}, {"served-since", v.servedSince, &c.Since}, {"logs-since", v.logsSince, &c.LogsSince}} {
		if limit.text == "" {
			continue
		}
		at, err := times.Parse(limit.text)
		if err != nil {
			return term.Errorf("--%s: %v", limit.flag, err).Hint("write it as 2026-03-01T12:00:00Z")
		}
		*limit.to = at.Time
		if at.Zoneless {
			t.Note("--%s is %s: %s", limit.flag, at.Format(time.RFC3339), times.Assumed)
		}
	}
	return nil
}

func (v *visitsFlags) openLists(c *visits.Config) (err error) {
	if v.lists == "" {
		return nil
	}
	c.Lists, err = visitor.OpenLists(v.lists)
	if err != nil {
		return term.Errorf("cannot read the lists: %s", term.Printable(err))
	}
	if len(c.Lists.Dates()) == 0 {
		return term.Errorf("%q has no lists", v.lists).Hint("robots visits lists fetches them into a folder")
	}
	return nil
}

// readRobots reads the file of --file, which must be a robots.txt.
func (v *visitsFlags) readRobots() ([]byte, error) {
	text, err := readFile(v.file, maxFileMiB, "a robots.txt is far smaller")
	if err != nil {
		return nil, err
	}
	found := map[robotstxt.Body]string{robotstxt.BodyHTML: "a web page", robotstxt.BodyBinary: "binary"}
	if what := found[robotstxt.BodyOf(text)]; what != "" {
		return nil, term.Errorf("%q is not a robots.txt, but %s", v.file, what).Hint("give the file that the site serves")
	}
	return text, nil
}

// maxFileMiB bounds the file of --file.
const maxFileMiB = 16

func (v *visitsFlags) choose(t *term.Terminal, c *visits.Config) error {
	if !v.narrowed() {
		return nil
	}
	requested, _, err := v.requested(t)
	if err != nil {
		return err
	}
	tokens := map[string]bool{}
	for _, crawler := range requested {
		known, ok := crawlers.Find(crawler.Tokens[0])
		if !ok {
			return term.Errorf("%s is not a known crawler, so its visits are not recognised", term.Escape(crawler.Tokens[0])).Hint("\"robots crawlers\" lists the known ones")
		}
		tokens[known.Token] = true
	}
	c.Selects = func(known *crawlers.Crawler) bool { return tokens[known.Token] }
	return nil
}

// logs returns the logs, and a function that returns how much of them was read.
func (v *visitsFlags) logs(t *term.Terminal, args []string,
	begun *atomic.Int64) (logs []visits.Log, share func() term.Done) {
	var read atomic.Int64
	size := int64(0)
	for _, name := range args {
		info, err := os.Stat(name)
		isRegular := err == nil && name != "-" && info.Mode().IsRegular()
		open := func() (io.ReadCloser, error) {
			in, err := openInput(t, name, "reading a log from the terminal; Ctrl-D ends it")
			if err != nil {
				return nil, err
			}
			return &countedReader{in, &read}, nil
		}
		if isRegular {
			if entries := files.Entries(name); len(entries) > 0 {
				logs = append(logs, logsIn(name, entries, open, &read)...)
				for _, entry := range entries {
					size += entry.Size
				}
				continue
			}
		}
		if isRegular && size >= 0 {
			size += info.Size()
		} else {
			size = -1
		}
		shown := name
		if name == "-" {
			shown = "standard input"
		}
		logs = append(logs, visits.Log{Name: shown, Once: !isRegular, Open: open})
	}
	return logs, func() term.Done {
		done := term.Done{Files: int(begun.Load()), Share: -1}
		if size > 0 {
			done.Share = min(float64(read.Load())/float64(size), 1)
		}
		return done
	}
}

// logsIn returns the logs in an archive, which can have one name twice. A line that several of them have counts
// once, as in other logs.
func logsIn(name string, entries []files.Entry, archive func() (io.ReadCloser, error),
	read *atomic.Int64) (logs []visits.Log) {
	known := map[string]int{}
	for _, entry := range entries {
		known[entry.Name]++
		shown := entry.Name
		if n := known[entry.Name]; n > 1 {
			shown += fmt.Sprintf(" (%d)", n)
		}
		open := func() (io.ReadCloser, error) {
			text, err := entry.Open()
			if err != nil {
				return nil, err
			}
			return &countedReader{&input{text, entry.Name, func() { text.Close() }}, read}, nil
		}
		logs = append(logs, visits.Log{Name: name + "/" + shown, Open: open, Archive: archive, Entry: shown})
	}
	return logs
}

type countedReader struct {
	*input
	n *atomic.Int64
}

func (r *countedReader) Read(p []byte) (int, error) {
	n, err := r.input.Read(p)
	r.n.Add(int64(n))
	return n, err
}

func (r *countedReader) Close() error {
	r.close()
	return nil
}

// write writes the files of --out and --report.
func (v *visitsFlags) write(found *wire.Visits) error {
	for _, name := range v.out {
		err := audit.WriteTable(name, func(write func(*visits.CrawlerRow) error) error {
			for _, row := range visits.Rows(found) {
				if err := write(row); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	if v.report != "" {
		return writeVisitsReport(v.report, found)
	}
	return nil
}

// print prints the answer.
func (v *visitsFlags) print(t *term.Terminal, found *wire.Visits) error {
	switch {
	case v.json:
		return term.WriteError(term.PrintJSON(t.Out, found))
	case v.excel || v.format != "" && v.format != table.Text:
		format := v.format
		if format == "" || format == table.Text {
			format = table.CSV
		}
		return term.WriteError(visits.WriteTable(t.Out, table.Config{Format: format, Excel: v.excel}, found))
	}
	return term.WriteError(visits.WriteText(t.Out, found))
}
