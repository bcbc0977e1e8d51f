package main

import (
	"bufio"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt/cmd/internal/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/audit"
	"github.com/kosterhq/robotstxt/cmd/internal/auditreport"
	"github.com/kosterhq/robotstxt/cmd/internal/past"
	"github.com/kosterhq/robotstxt/cmd/internal/table"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/cmd/internal/urllist"
	"github.com/kosterhq/robotstxt/origin"
)

// auditing has the flags of audit.
type auditing struct {
	crawlerFlags
	formatFlags
	fetchFlags
	limitFlags

	hosts, names, samples string
	exclude               []string
	out, crawlersOut      []string
	changesOut            []string
	bodiesOut, report     string
	history               string
	columns               map[string]string
	by, strata            string
	each                  bool
	top                   int
	exactAccess, lint     bool
	parts, schema         string
	resume, quiet         bool
	keepGoing             bool
	shard                 shard
}

func newAudit(t *term.Terminal) *cobra.Command {
	a := &auditing{}
	cmd := &cobra.Command{
		Use:   "audit [flags] [INPUT...]",
		Short: "Turn many robots.txt files into tables: who blocks which crawlers",
		Long: `Turn many robots.txt files into tables and counts: which sites name which crawlers,
and which of them they keep out.

An INPUT is a folder of files, a web archive (WARC, also compressed, such as Common
Crawl's archives of robots.txt files), a tar or zip archive, a file of JSON lines
with host, status and body, a CSV or Parquet file with a robots.txt in each row, or "-"
for standard input. --hosts fetches the files of a list of hosts instead. Files in
folders, tar and zip archives are named like their hosts; --host-names gives other names.

The counts are printed: of hosts, or what --by says, by how much of the site a crawler
may fetch: all (open), nothing (closed) or a part (partly); that is proved. What is not
known never counts as open: damaged records, files that were not archived, sites that do
not answer, web pages. --out writes a row for each file, --crawlers-out a row for each
file and crawler; --schema describes their columns.

LABEL=INPUT gives an input a label. The inputs with one label are one crawl, and crawls
are compared. The Parquet tables of earlier audits are inputs too:
"2025=crawlers-*.parquet" counts the tables of all shards of an audit.

An audit that was interrupted goes on with --resume and the same flags. --shard 2/4
reads the second of four parts of the inputs, for four machines.

Exit status: 0, or 2 if an input or a record could not be read. With --keep-going, 2 only
if an input cannot be found.`,
		Example: `  robots audit sites/
  robots audit sites/ --out sites.parquet --crawlers-out crawlers.csv
  robots audit --purpose ai-training CC-MAIN-2026-*.warc.gz --out sites.parquet --resume
  robots audit --hosts hosts.txt --out sites.csv
  robots audit 2025=2025/ 2026=2026/ --changes-out changes.csv --report report.html
  robots audit 2025=old-*.parquet 2026=new-*.parquet --format csv`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.run(cmd.Context(), t, args) },
	}
	a.define(cmd)
	return cmd
}

// define defines the flags.
func (a *auditing) define(cmd *cobra.Command) {
	a.crawlerFlags.define(cmd, "audit for", ": the documented crawlers of search engines and AI", "audit for")
	a.fetchFlags.define(cmd)
	a.formatFlags.define(cmd)
	cmd.Flags().Lookup("format").Usage = "print the counts as `FORMAT`: " + strings.Join(table.Names(), ", ")
	a.limitFlags.define(cmd)
	flags := cmd.Flags()
	flags.StringVar(&a.hosts, "hosts", "", "fetch the robots.txt of each host or URL in `FILE`; \"-\" is standard input")
	flags.StringVar(&a.names, "host-names", "", "read the hosts of files from `CSV`, with a file and its host in each row")
	flags.StringVar(&a.samples, "urls", "", "count how many of the URLs or paths in `FILE` each crawler may fetch")
	flags.StringArrayVar(&a.exclude, "exclude", nil, "leave out files that match `PATTERN`; \"**\" matches any folders; may be repeated")
	flags.StringArrayVarP(&a.out, "out", "o", nil, "write a row for each file to `FILE`: .parquet, .csv or .jsonl; may be repeated")
	flags.StringArrayVar(&a.crawlersOut, "crawlers-out", nil, "write a row for each file and crawler to `FILE`; may be repeated")
	flags.StringVar(&a.bodiesOut, "bodies", "", "write the files themselves to `FILE`, by their digests")
	flags.StringVar(&a.history, "history", "", "add the files with their times to the history in `FILE`, for robots history")
	flags.StringVar(&a.report, "report", "", "write the counts with pictures to the page `FILE.html`")
	flags.StringArrayVar(&a.changesOut, "changes-out", nil, "write what changed between crawls to `FILE`, a row for each site and crawler, with the deciding lines; may be repeated")
	flags.StringVar(&a.by, "by", string(audit.ByHost), "count `WHAT`: host, origin or domain")
	complete(cmd, "by", []string{string(audit.ByHost), string(audit.ByOrigin), string(audit.ByDomain)})
	flags.BoolVar(&a.each, "each", false, "count each capture, also several of one host")
	flags.IntVar(&a.top, "top", 0, "print the `N` crawlers that most sites close to (default: all)")
	flags.StringVar(&a.strata, "strata", "", "count by the `COLUMN` of the CSV file of --hosts, or FILE.csv:COLUMN, such as country or rank")
	flags.StringToStringVar(&a.columns, "columns", nil, "read these columns of CSV and Parquet inputs: host=`NAME`,body=NAME,...; also url, status, fetched_at, location")
	flags.Lookup("columns").DefValue = "" // and not "[]"
	flags.BoolVar(&a.exactAccess, "exact", true, "search for a proof where it is not obvious how much of a site is open")
	flags.BoolVar(&a.lint, "lint", false, "count the problems of each file")
	flags.StringVar(&a.parts, "parts", "", "keep unfinished work in `FOLDER` (default: beside the first output, or none)")
	flags.BoolVar(&a.resume, "resume", false, "go on with an audit that was interrupted")
	flags.Var(flagValue[shard]{&a.shard, readShard}, "shard", "read part `I/N` of the inputs, for N processes; I is 1 to N, or 0 to N-1")
	flags.StringVar(&a.schema, "schema", "", "print the columns of the tables and stop: as `FORMAT` table, markdown or datapackage (Frictionless)")
	flags.Lookup("schema").NoOptDefVal = "table"
	complete(cmd, "schema", []string{"table", "markdown", "datapackage"})
	flags.BoolVar(&a.keepGoing, "keep-going", false, "exit with 0 if records are damaged or an input cannot be read to its end")
	flags.BoolVarP(&a.quiet, "quiet", "q", false, "print no counts and no notes")
}

func (a *auditing) run(ctx context.Context, t *term.Terminal, args []string) error {
	if err := a.settle(); err != nil {
		return err
	}
	t.Quiet = a.quiet
	if a.schema != "" {
		return a.printSchema(t)
	}
	questions, err := a.questions(ctx, t)
	if err != nil {
		return err
	}
	if err := a.check(); err != nil {
		return err
	}
	in, missing, err := a.inputs(ctx, t, args)
	if err != nil {
		return err
	}
	strata, err := a.readStrata(t)
	if err != nil {
		return err
	}
	parts, err := a.openParts(in, questions)
	if err != nil {
		return err
	}
	defer limitMemory(t)()
	ctx, stop := untilInterrupted(ctx)
	defer stop()
	census := a.census(in)
	unread, err := a.analyse(ctx, t, in, questions, parts, census)
	if err != nil {
		return err
	}
	if err := a.write(t, in, parts, census, strata); err != nil {
		return err
	}
	if parts != nil {
		if err := parts.Remove(); err != nil {
			return err
		}
	}
	if missing > 0 {
		t.Note("these counts are without %s, see the first lines above", term.Count(missing, "input that could not be read", "inputs that could not be read"))
	}
	if missing > 0 || unread || a.dialect == nil && slices.ContainsFunc(questions.Crawlers, isUnread) {
		return errShown
	}
	return nil
}

// limitMemory sets the limits of the runtime for an audit, unless the user has set them.
func limitMemory(t *term.Terminal) (restore func()) {
	memory := debug.SetMemoryLimit(-1) // changes nothing
	if t.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(audit.Memory)
	}
	percent := debug.SetGCPercent(audit.GCPercent)
	if t.Getenv("GOGC") != "" {
		debug.SetGCPercent(percent)
	}
	return func() {
		debug.SetMemoryLimit(memory)
		debug.SetGCPercent(percent)
	}
}

// isUnread reports whether a crawler that the user named cannot be named by any line.
func isUnread(c answer.Crawler) bool { return c.Unread && !c.Selected }

// check returns an error for flags that cannot be followed.
func (a *auditing) check() error {
	for _, name := range slices.Concat(a.out, a.crawlersOut, a.changesOut, []string{a.bodiesOut}) {
		if name != "" {
			if err := audit.CheckOutput(name); err != nil {
				return err
			}
		}
	}
	switch by := audit.By(a.by); {
	case a.report != "" && !isPage(a.report):
		return errNoPage(a.report)
	case by != audit.ByHost && by != audit.ByOrigin && by != audit.ByDomain:
		return term.Errorf("choose host, origin or domain", "--by %s is not known", a.by)
	case a.each && by != audit.ByHost:
		return term.Errorf("leave one of them out", "--each counts captures, --by %s sites", a.by)
	case a.each && len(a.changesOut) > 0:
		return term.Errorf("leave --each out", "captures cannot be compared")
	case a.top < 0:
		return term.Errorf("give a number of crawlers", "--top %d is not possible", a.top)
	}
	return nil
}

// census returns what counts the sites; nil if no counts are wanted.
func (a *auditing) census(in *audit.Inputs) *audit.Census {
	if a.quiet && a.report == "" && len(a.changesOut) == 0 && !a.json {
		return nil
	}
	by := audit.By(a.by)
	if a.each {
		by = audit.ByCapture
	}
	census := audit.NewCensus(by, len(a.changesOut) > 0)
	for _, label := range in.Order {
		census.Crawl(label)
	}
	return census
}

// readStrata reads the strata of --strata, nil without it.
func (a *auditing) readStrata(t *term.Terminal) (*audit.Strata, error) {
	if a.strata == "" {
		return nil, nil
	}
	name, column := a.hosts, a.strata
	if at := strings.LastIndexByte(a.strata, ':'); at >= 0 {
		name, column = a.strata[:at], a.strata[at+1:]
	}
	if !strings.HasSuffix(strings.ToLower(name), ".csv") {
		return nil, term.Errorf("give --strata FILE.csv:COLUMN, or --strata COLUMN with --hosts FILE.csv", "--strata %s names no CSV file with hosts", a.strata)
	}
	file, err := openInput(t, name, noteOfHosts)
	if err != nil {
		return nil, err
	}
	defer file.close()
	strata, err := audit.ReadStrata(bufio.NewReader(file), column)
	if err != nil {
		return nil, term.Prefixed(term.Source(name)+": ", err)
	}
	return strata, nil
}

// observer returns what adds each file to the history of --history, and what ends that; nil
// without it.
func (a *auditing) observer(ctx context.Context, t *term.Terminal) (observe func(*audit.Input) error, end func(), err error) {
	if a.history == "" {
		return nil, func() {}, nil
	}
	store, err := openHistory(ctx, t, a.history, false)
	if err != nil {
		return nil, nil, err
	}
	var added, skipped atomic.Int64
	observe = func(in *audit.Input) error {
		observation, ok := past.Observed(in, "audit")
		if !ok {
			skipped.Add(1)
			return nil
		}
		added.Add(1)
		return store.Add(ctx, observation)
	}
	return observe, func() {
		store.Close()
		if n := int(skipped.Load()); n > 0 && !a.quiet {
			t.Note("%s in the history; %s without a time, a URL or an answer", term.Count(int(added.Load()), "file is", "files are"), term.Count(n, "is", "are"))
		}
	}, nil
}

// analyse runs the audit, and shows its progress. unread is true if something could not be
// read, which was printed. After an interruption a note says what was kept.
func (a *auditing) analyse(ctx context.Context, t *term.Terminal, in *audit.Inputs, q *audit.Questions, parts *audit.Parts, census *audit.Census) (unread bool, err error) {
	observe, kept, err := a.observer(ctx, t)
	if err != nil {
		return false, err
	}
	done := new(audit.Progress)
	progress := t.StartProgress(false)
	progress.Files(func() (int, float64) { return int(done.Files.Load()), done.Share(in.Sources) })
	inputs, err := audit.Run(ctx, in.Sources, parts, audit.Options{
		Questions: *q, Shard: audit.Shard(a.shard), Progress: done, Census: census, Labels: in.Labels, Places: in.Places, Observe: observe,
	})
	for _, table := range in.Tables {
		if err == nil && census != nil {
			err = census.ReadTable(ctx, table)
		}
	}
	progress.End()
	kept()
	switch {
	case err != nil && ctx.Err() == nil:
		return false, err
	case err != nil && parts == nil:
		t.Note("nothing was kept: give --parts FOLDER or --out FILE for an audit that can go on")
		return false, orInterrupted(err)
	case err != nil:
		t.Note("the finished parts are in %q; the same command with --resume goes on with them", parts.Folder())
		return false, orInterrupted(err)
	}
	for _, err := range inputs {
		t.PrintError(err)
	}
	damaged := int(done.Damaged.Load())
	if damaged > 0 && !a.keepGoing {
		t.Note("%s damaged, see the column detail of --out; --keep-going exits with 0", term.Count(damaged, "record is", "records are"))
	}
	return (len(inputs) > 0 || damaged > 0) && !a.keepGoing, nil
}

// questions returns what the flags ask about each file.
func (a *auditing) questions(ctx context.Context, t *term.Terminal) (*audit.Questions, error) {
	requested := audit.DefaultCrawlers()
	if a.document(requested); a.narrowed() {
		var err error
		if requested, _, err = a.requested(t); err != nil {
			return nil, err
		}
	}
	warnOfCrawlers(t, requested, a.dialect)
	q := &audit.Questions{Crawlers: requested, Dialect: a.dialect, Policy: a.policy, Exact: a.exactAccess, Lint: a.lint, Bodies: a.bodiesOut != ""}
	if a.samples != "" {
		urls, err := openURLs(ctx, t, nil, &listFlags{list: a.samples}, urllist.Config{Paths: true, Limit: mostWhole << 20}, nil)
		if err != nil {
			return nil, err
		}
		defer urls.close()
		for url, err := range urls.All {
			if line, ok := errors.AsType[*urllist.LineError](err); ok {
				return nil, term.Errorf(line.Hint, "%s", term.Escape(line.Error()))
			}
			if err != nil {
				return nil, err
			}
			q.Samples = append(q.Samples, origin.Text(url).Compared())
		}
	}
	return q, nil
}

// inputs returns the inputs. Some may be missing, of which each was printed.
func (a *auditing) inputs(ctx context.Context, t *term.Terminal, args []string) (in *audit.Inputs, missing int, err error) {
	config := audit.Config{Limit: int(a.limit), Exclude: a.exclude, Columns: a.columns, Note: func(text string) { t.Note("%s", text) }}
	if a.names != "" {
		if config.Hosts, err = readHostNames(t, a.names); err != nil {
			return nil, 0, err
		}
	}
	in, errs := audit.Open(args, t.In, config)
	for _, err := range errs {
		t.PrintError(err)
	}
	if a.hosts != "" {
		clients, err := a.open(ctx, t, a.limit, newTyped())
		if err != nil {
			return nil, 0, err
		}
		in.Add("", audit.Hosts(a.hosts, func() (io.Reader, func(), error) {
			list, err := openInput(t, a.hosts, noteOfHosts)
			if err != nil {
				return nil, nil, err
			}
			return list, list.close, nil
		}, clients.Client))
	}
	if len(in.Order) == 0 && len(errs) > 0 {
		return nil, 0, errShown
	}
	return in, len(errs), a.checkInputs(in)
}

// checkInputs returns an error for flags that do not suit the inputs.
func (a *auditing) checkInputs(in *audit.Inputs) error {
	ofFiles := []string{"agent", "purpose", "operator", "policy", "dialect", "lint", "urls", "exact"} // which tables do not follow
	given := slices.IndexFunc(ofFiles, a.flags.Changed)
	switch isWritten := len(a.out)+len(a.crawlersOut) > 0 || a.bodiesOut != ""; {
	case len(in.Order) == 0:
		return term.Errorf(`name a folder or an archive, or give --hosts; see "robots audit --help"`, "there is nothing to audit")
	case isWritten && len(in.Tables) > 0:
		return term.Errorf("count the tables without it, or join them in DuckDB", "the rows of a table are not written again by --out, --crawlers-out and --bodies")
	case given >= 0 && len(in.Sources) == 0:
		return term.Errorf("audit the files again with it", "--%s is about files, and there are only tables of earlier audits", ofFiles[given])
	case a.shard.Count > 0 && (len(in.Order) > 1 || len(in.Tables) > 0):
		return term.Errorf("audit each shard of a crawl with --crawlers-out, then compare the tables: robots audit 2025=a.parquet 2025=b.parquet 2026=c.parquet",
			"a shard has a part of the sites only, so crawls cannot be compared")
	case len(in.Order) > 1 && slices.Contains(in.Order, ""):
		return term.Errorf("give each input a label: robots audit 2025=old/ 2026=new.parquet", "some inputs have a label, and others have none: which crawl are they?")
	case len(a.changesOut) > 0 && len(in.Order) < 2:
		return term.Errorf("give the inputs of each crawl a label: robots audit 2025=old.parquet 2026=new.parquet", "--changes-out compares crawls, and there is one")
	}
	return nil
}

// noteOfHosts is the note of openInput for a list of hosts.
const noteOfHosts = "reading hosts from the terminal; Ctrl-D ends them"

// readHostNames reads a table with the name of a file and its host in each row.
func readHostNames(t *term.Terminal, name string) (map[string]string, error) {
	list, err := openInput(t, name, noteOfHosts)
	if err != nil {
		return nil, err
	}
	defer list.close()
	reader := csv.NewReader(list)
	reader.FieldsPerRecord = 2
	rows, err := reader.ReadAll()
	if err != nil {
		return nil, term.Errorf("each row has a file and its host: a.txt,shop.example", "cannot read %q: %v", name, err)
	}
	hosts := make(map[string]string, len(rows))
	for _, row := range rows {
		hosts[row[0]] = row[1]
	}
	return hosts, nil
}

// openParts opens the folder of unfinished work, nil if no rows are written.
func (a *auditing) openParts(in *audit.Inputs, q *audit.Questions) (*audit.Parts, error) {
	folder := a.parts
	for _, name := range slices.Concat(a.out, a.crawlersOut, []string{a.bodiesOut}) {
		if folder == "" && name != "" {
			folder = name + ".parts"
		}
	}
	if folder == "" {
		if a.resume {
			return nil, term.Errorf("give --parts FOLDER or --out FILE", "--resume needs the unfinished work of an earlier run")
		}
		return nil, nil
	}
	if _, err := os.Stat(folder); err == nil && !a.resume {
		return nil, term.Errorf("add --resume to go on with it, or remove the folder", "%q has the unfinished work of an earlier run", folder)
	}
	settings := map[string]any{
		"inputs": names(in), "labels": in.Labels, "questions": q, "limit": int(a.limit), "exclude": a.exclude, "shard": a.shard.String(), "hosts": a.names, "columns": a.columns,
	}
	return audit.OpenParts(filepath.Clean(folder), audit.PartsConfig{Settings: settings, Bodies: q.Bodies, Shard: audit.Shard(a.shard)})
}

func names(in *audit.Inputs) (names []string) {
	for _, source := range in.Sources {
		names = append(names, source.Name())
	}
	for _, table := range in.Tables {
		names = append(names, table.Name)
	}
	return names
}

// write writes the tables and the report, and prints the counts.
func (a *auditing) write(t *term.Terminal, in *audit.Inputs, parts *audit.Parts, census *audit.Census, strata *audit.Strata) error {
	if err := a.writeTables(parts); err != nil || census == nil {
		return err
	}
	counts := auditCounts{census: census, flags: a}
	config := audit.CountConfig{Purposes: purposesOf, Strata: strata}
	for _, crawl := range census.Crawls() {
		counts.crawls = append(counts.crawls, crawl.Count(config))
	}
	var err error
	if counts.compared, err = census.Compare(a.changesOut); err != nil {
		return err
	}
	for _, compared := range counts.compared {
		for _, warning := range compared.Warnings {
			t.Note("%s", warning)
		}
	}
	for _, warning := range census.MissingShards() {
		t.Note("%s", warning)
	}
	if a.report != "" {
		config := auditreport.Config{Inputs: names(in), Created: time.Now(), Purposes: purposesOf, Crawls: counts.crawls, Compared: counts.compared}
		if err := writePage(a.report, func(w io.Writer) error { return auditreport.Write(w, config) }); err != nil {
			return err
		}
	}
	if a.quiet && !a.json {
		return nil
	}
	return counts.print(t)
}

// writeTables writes the tables of --out, --crawlers-out and --bodies.
func (a *auditing) writeTables(parts *audit.Parts) error {
	for _, name := range a.out {
		if err := parts.WriteFiles(name); err != nil {
			return err
		}
	}
	for _, name := range a.crawlersOut {
		if err := parts.WriteCrawlers(name); err != nil {
			return err
		}
	}
	if a.bodiesOut != "" {
		return parts.WriteBodies(a.bodiesOut)
	}
	return nil
}

// isPage reports whether a name is that of a page.
func isPage(name string) bool { return strings.HasSuffix(strings.ToLower(name), ".html") }

func errNoPage(name string) error {
	return term.Errorf("end the name with .html", "%q is no name for a page", name)
}

// writePage writes a page. An existing one is replaced once the new one is complete.
func writePage(name string, write func(io.Writer) error) error {
	page, err := os.Create(name + ".new")
	if err != nil {
		return err
	}
	if err = errors.Join(write(page), page.Close()); err != nil {
		os.Remove(name + ".new")
		return err
	}
	return os.Rename(name+".new", name)
}

// shard is the value of --shard.
type shard audit.Shard

func (s shard) String() string {
	if s.Count == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.Index, s.Count)
}

func readShard(text string) (s shard, err error) {
	n, err := fmt.Sscanf(text, "%d/%d", &s.Index, &s.Count)
	if n != 2 || err != nil || s.Index < 0 || s.Index > s.Count || text != s.String() {
		return s, errors.New("want a number and how many there are, such as 2/4")
	}
	if s.Index == 0 {
		s.Index = s.Count // schedulers that count from 0 have no last number
	}
	return s, nil
}
