package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/files"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/table"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/times"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/urllist"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
	"github.com/kosterhq/robotstxt/cmd/internal/many/auditreport"
	"github.com/kosterhq/robotstxt/cmd/internal/many/past"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/origin"
)

type auditFlags struct {
	crawlerFlags
	formatFlags
	fetchFlags
	limitFlags

	hosts, names, samples string
	exclude               []string
	out, crawlersOut      []string
	changesOut            []string
	sitesOut, namesOut    []string
	bodiesOut, report     string
	history               string
	columns               map[string]string
	list, listBase        string
	by, strata, weights   string
	each                  bool
	top                   int
	exactAccess, lint     bool
	parts, schema         string
	resume, quiet         bool
	uncovered             []*audit.InputError // listed inputs without a complete table, see ofTables
	keepGoing, incomplete bool
	shard                 shard
}

func newAudit(t *term.Terminal) *cobra.Command {
	a := &auditFlags{}
	cmd := &cobra.Command{
		Use:   "audit [flags] [INPUT...]",
		Short: "Turn many robots.txt files into tables: who blocks which crawlers",
		Long: `Turn many robots.txt files into tables and counts: which sites name which crawlers, and which
crawlers they keep out. For example, count a folder of files, one for each host:

  robots audit sites/

An INPUT is a folder of files, a web archive (WARC, even compressed, such as Common Crawl's
archives of robots.txt files), a tar or zip archive, a file of JSON lines with host, status
and body, a CSV or Parquet file with a robots.txt in each row, the https URL of one of these files,
or "-" for standard input. With --hosts, robots fetches the files of a list of hosts instead. Name
files in folders, tar and zip archives after their hosts, or give their hosts with --host-names.

robots prints how many hosts (or what --by names) allow a crawler all of the site (open), none
of it (closed) or a part of it (partly). robots proves this. It never counts a site as open if
its rules are unknown, for example because a record is damaged, the file was not archived, the
site does not respond, or the file is a web page. --out writes a row for each file, and
--crawlers-out a row for each file and crawler. --sites-out writes a row for each counted site and
crawler, so that you can repeat each count, and --names-out a row for each name in User-agent
lines. --schema describes all columns.

Give inputs a label with LABEL=INPUT to compare crawls: the inputs with one label are one
crawl. You can use the Parquet tables of earlier audits as inputs: "2025=crawlers-*.parquet"
counts the tables of all shards of an audit.

Give the tables that a cluster made with the --inputs that it read, and robots names each input
without a complete table, and counts the table of a repeated task once.

If an audit is interrupted, run it again with --resume and the same flags. To use four
machines, run --shard 1/4 to --shard 4/4, each on one.

Exit status: 0, or 2 if robots could not read an input or a record, or if no line can name a
crawler of --agent. --keep-going permits damaged records, and --allow-incomplete permits inputs
that end early or cannot be read to their end, such as a partial download. robots reports both
anyway, even with --quiet.`,
		Example: `  robots audit sites/
  robots audit sites/ --out sites.parquet --crawlers-out crawlers.csv
  robots audit --purpose ai-training CC-MAIN-2026-*.warc.gz --out sites.parquet --resume
  robots audit --hosts hosts.txt --out sites.csv
  robots audit --inputs robotstxt.paths.gz --inputs-base https://data.example/ --out sites.parquet
  robots audit 2025=2025/ 2026=2026/ --changes-out changes.csv --report report.html
  robots audit 2025=old-*.parquet 2026=new-*.parquet --format csv`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.run(cmd.Context(), t, args) },
	}
	a.define(cmd)
	return cmd
}

func (a *auditFlags) define(cmd *cobra.Command) {
	a.crawlerFlags.define(cmd, "audit for", " \"*\", the AI crawlers that are not retired, and the search engines in use", "audit for")
	a.fetchFlags.define(cmd)
	a.formatFlags.define(cmd)
	cmd.Flags().Lookup("format").Usage = "print the counts as `FORMAT`: " + strings.Join(table.Names(), ", ")
	a.limitFlags.define(cmd)
	flags := cmd.Flags()
	flags.StringVar(&a.hosts, "hosts", "", "fetch the robots.txt of each host or URL in `FILE`; \"-\" is standard input")
	flags.StringVar(&a.list, "inputs", "", "read the inputs that `FILE` lists, one on each line, such as Common Crawl's robotstxt.paths.gz")
	flags.StringVar(&a.listBase, "inputs-base", "", "find the relative names of --inputs in `FOLDER`, or at a URL (default: the folder of the list)")
	flags.StringVar(&a.names, "host-names", "", "read the hosts of files from `CSV`, with a file and its host in each row")
	flags.StringVar(&a.samples, "urls", "", "count how many of the URLs or paths in `FILE` each crawler may fetch")
	flags.StringArrayVar(&a.exclude, "exclude", nil, "skip files that match `PATTERN`; \"**\" matches any folders; can be repeated")
	flags.StringArrayVarP(&a.out, "out", "o", nil, "write a row for each file to `FILE`: .parquet, .csv or .jsonl; can be repeated")
	flags.StringArrayVar(&a.crawlersOut, "crawlers-out", nil, "write a row for each file and crawler to `FILE`; can be repeated")
	flags.StringVar(&a.bodiesOut, "bodies-out", "", "write the robots.txt files themselves to `FILE`, each once, with its digest")
	defineHistory(cmd, &a.history, "add the files with their times to the history in `FOLDER`, for robots history")
	flags.StringVar(&a.report, "report", "", "write the counts with pictures to the page `FILE.html`")
	flags.StringArrayVar(&a.changesOut, "changes-out", nil, "write what changed between crawls to `FILE`, a row for each site and crawler, with the deciding lines; can be repeated")
	flags.StringArrayVar(&a.sitesOut, "sites-out", nil, "write how each counted site treats each crawler, by which capture, to `FILE`; can be repeated")
	flags.StringArrayVar(&a.namesOut, "names-out", nil, "write how many sites name each User-agent, known or not, to `FILE`; can be repeated")
	flags.StringVar(&a.by, "by", string(audit.ByHost), "count sites by `WHAT`: host, origin or domain")
	complete(cmd, "by", []string{string(audit.ByHost), string(audit.ByOrigin), string(audit.ByDomain)})
	flags.BoolVar(&a.each, "each", false, "count each capture, even if a host has several")
	flags.IntVar(&a.top, "top", 0, "print only the `N` crawlers that the largest number of sites shut out (default: all)")
	flags.StringVar(&a.strata, "strata", "", "count by the `COLUMN` of the CSV file of --hosts, or FILE.csv:COLUMN, such as country or rank")
	flags.StringVar(&a.weights, "weights", "", "add up the weights of sites, the numbers in the `COLUMN` of the CSV file of --hosts, or FILE.csv:COLUMN, such as visits or tokens")
	flags.StringToStringVar(&a.columns, "columns", nil, "read these columns of CSV and Parquet inputs: host=`NAME`,body=NAME,...; also url, status, fetched_at, location")
	flags.Lookup("columns").DefValue = "" // and not "[]"
	flags.BoolVar(&a.exactAccess, "exact", true, "prove how much of a site is open even where it is not obvious")
	flags.BoolVar(&a.lint, "lint", false, "count the problems of each file")
	flags.StringVar(&a.parts, "parts", "", "keep unfinished work in `FOLDER` (default: next to the first output, or none)")
	flags.BoolVar(&a.resume, "resume", false, "continue an interrupted audit")
	flags.Var(flagValue[shard]{&a.shard, readShard}, "shard", "read part `I/N` of the inputs, for N processes; I is 1 to N, or 0 to N-1")
	flags.StringVar(&a.schema, "schema", "", "print the columns of the tables and stop: as `FORMAT` table, markdown or datapackage (Frictionless)")
	flags.Lookup("schema").NoOptDefVal = "table"
	complete(cmd, "schema", []string{"table", "markdown", "datapackage"})
	flags.BoolVar(&a.keepGoing, "keep-going", false, "exit with 0 if records are damaged")
	flags.BoolVar(&a.incomplete, "allow-incomplete", false, "exit with 0 if an input ends early or cannot be read to its end")
	flags.BoolVarP(&a.quiet, "quiet", "q", false, "print no counts and no notes, only errors and unreadable inputs")
}

func (a *auditFlags) run(ctx context.Context, t *term.Terminal, args []string) error {
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
	if err := separateFound(a.flags, t, in.FileNames); err != nil {
		return err
	}
	strata, err := readHostColumn(a, t, "strata", a.strata, audit.ReadStrata)
	if err != nil {
		return err
	}
	weights, err := readHostColumn(a, t, "weights", a.weights, audit.ReadWeights)
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
	census := a.census(in, questions)
	incomplete, unread, err := a.analyse(ctx, t, in, questions, parts, census)
	if err != nil {
		return err
	}
	config := audit.CountConfig{Purposes: auditreport.PurposesOf, Strata: strata, Weights: weights}
	if err := a.write(ctx, t, in, parts, census, config, incomplete); err != nil {
		return err
	}
	if parts != nil {
		if err := parts.Remove(); err != nil {
			return err
		}
	}
	if missing > 0 {
		t.Warn("these counts are without %s, see the first lines above", term.Count(missing, "input that could not be read", "inputs that could not be read"))
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

// isUnread reports whether no line can name a crawler that the user named.
func isUnread(c answer.Crawler) bool { return c.Unread && !c.Selected }

func (a *auditFlags) check() error {
	for _, name := range a.rowOutputs() {
		if err := audit.CheckOutput(name); err != nil {
			return err
		}
	}
	switch by := audit.By(a.by); {
	case a.report != "" && !isPage(a.report):
		return errNoPage(a.report)
	case by != audit.ByHost && by != audit.ByOrigin && by != audit.ByDomain:
		return term.Errorf("--by %q is not known", a.by).Hint("choose host, origin or domain")
	case a.each && by != audit.ByHost:
		return term.Errorf("--each counts captures, --by %s sites", a.by).Hint("omit one of them")
	case a.each && len(a.changesOut) > 0:
		return term.Errorf("captures cannot be compared").Hint("omit --each")
	case a.each && len(a.sitesOut)+len(a.namesOut) > 0:
		return term.Errorf("--each counts captures, not sites").Hint("omit it, or give --crawlers-out, which has a row for each capture and crawler")
	case a.top < 0:
		return term.Errorf("--top %d is not possible", a.top).Hint("give a number of crawlers")
	}
	return nil
}

// census returns the counter of sites, or nil if no counts are requested.
func (a *auditFlags) census(in *audit.Inputs, q *audit.Questions) *audit.Census {
	if a.quiet && a.report == "" && len(a.changesOut)+len(a.sitesOut)+len(a.namesOut) == 0 && !a.json {
		return nil
	}
	by := audit.By(a.by)
	if a.each {
		by = audit.ByCapture
	}
	census := audit.NewCensus(by, len(a.changesOut)+len(a.sitesOut) > 0)
	census.Sites, census.Names = len(a.sitesOut) > 0, len(a.namesOut) > 0
	census.Policy, census.Purposes = a.policy, auditreport.PurposesOf
	if a.narrowed() {
		names := map[string]bool{}
		for _, crawler := range q.Crawlers {
			names[crawler.Name] = true
		}
		census.Only = func(crawler string) bool { return names[crawler] }
	}
	for _, label := range in.Order {
		census.Crawl(label)
	}
	return census
}

// readHostColumn reads a column of a CSV file of hosts, which a flag names, and returns nil without the flag.
func readHostColumn[T any](a *auditFlags, t *term.Terminal, flag, value string,
	read func(io.Reader, string) (*T, error)) (*T, error) {
	if value == "" {
		return nil, nil
	}
	name, column := a.hosts, value
	if at := strings.LastIndexByte(value, ':'); at >= 0 {
		name, column = value[:at], value[at+1:]
		if err := separateFound(a.flags, t, slices.Values([]string{name})); err != nil {
			return nil, err
		}
	}
	if !strings.HasSuffix(strings.ToLower(name), ".csv") {
		return nil, term.Errorf("--%s %s does not name a CSV file with hosts", flag, value).Hint("give --" + flag + " FILE.csv:COLUMN, or --" + flag + " COLUMN with --hosts FILE.csv")
	}
	file, err := openInput(t, name, noteOfHosts)
	if err != nil {
		return nil, err
	}
	defer file.close()
	values, err := read(bufio.NewReader(file), column)
	if err != nil {
		return nil, term.Prefixed(term.Source(name)+": ", err)
	}
	return values, nil
}

// observer returns a function that adds each file to the history of --history, and one that
// closes the history. It returns nil without the flag.
func (a *auditFlags) observer(ctx context.Context,
	t *term.Terminal) (observe func(*audit.Input) error, end func(), err error) {
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

// analyse runs the audit, and shows its progress. It prints the incomplete inputs and the
// number of damaged records. unread is true if the flags do not permit all of that. After an
// interruption, a note names the work that was kept.
func (a *auditFlags) analyse(ctx context.Context, t *term.Terminal, in *audit.Inputs, q *audit.Questions,
	parts *audit.Parts, census *audit.Census) (incomplete []*audit.InputError, unread bool, err error) {
	observe, kept, err := a.observer(ctx, t)
	if err != nil {
		return nil, false, err
	}
	done := new(audit.Progress)
	progress := t.StartProgress(false)
	progress.Files(func() term.Done { return done.Of(in.Sources) })
	faults := &auditFaults{t: t}
	incomplete, err = audit.Run(ctx, in.Sources, parts, audit.Options{
		Questions: *q, Shard: audit.Shard(a.shard), Progress: done, Census: census, Labels: in.Labels,
		Places: in.Places, Observe: observe, Fault: faults.print,
	})
	for _, table := range in.Tables {
		if err == nil && census != nil {
			err = census.ReadTable(ctx, table)
		}
	}
	if err == nil && census != nil {
		err = census.NoneOf()
	}
	progress.End()
	kept()
	incomplete = append(incomplete, a.uncovered...)
	switch {
	case err != nil && ctx.Err() == nil:
		return nil, false, err
	case err != nil && parts == nil:
		t.Note("nothing was kept: give --parts FOLDER or --out FILE for an audit that you can resume")
		return nil, false, orInterrupted(err)
	case err != nil:
		t.Note("the finished parts are in %q; to continue, run the same command with --resume", parts.Folder())
		return nil, false, orInterrupted(err)
	}
	if note := in.Skipped.Note(); note != "" {
		t.Note("%s", note)
	}
	return incomplete, a.losses(t, incomplete, done), nil
}

// losses prints what could not be read, and reports whether it decides the exit status.
func (a *auditFlags) losses(t *term.Terminal, incomplete []*audit.InputError, done *audit.Progress) bool {
	for _, err := range incomplete {
		t.PrintError(err)
	}
	if !a.incomplete && slices.ContainsFunc(incomplete, (*audit.InputError).EndsEarly) {
		hint := "get these inputs again; --allow-incomplete exits with 0"
		if slices.ContainsFunc(incomplete, (*audit.InputError).IsOfURL) {
			hint = "run the same command again, or permit it with --allow-incomplete"
		}
		t.Hint(hint)
	}
	if slices.ContainsFunc(incomplete, func(err *audit.InputError) bool { return isGuarded(err) }) {
		t.Hint(answer.AllowHint)
	}
	if n := int(done.Undated.Load()); n > 0 {
		t.Warn("%s a time that cannot be read, which counts as older than any other; see the column detail of --out", term.Count(n, "file has", "files have"))
	}
	if done.Zoneless.Load() > 0 {
		t.Note("%s", times.Assumed)
	}
	damaged, failed := int(done.Damaged.Load()), int(done.Failed.Load())
	if damaged > 0 {
		hint := ""
		if !a.keepGoing {
			hint = "; --keep-going exits with 0"
		}
		t.Warn("%s damaged, see the column detail of --out%s", term.Count(damaged, "record is", "records are"), hint)
	}
	if failed > 0 {
		t.Warn("%s not judged, because of an internal error", term.Count(failed, "file was", "files were"))
	}
	return len(incomplete) > 0 && !a.incomplete || damaged > 0 && !a.keepGoing || failed > 0
}

type auditFaults struct {
	t       *term.Terminal
	mu      sync.Mutex
	printed int
}

const maxFaults = 10

func (f *auditFaults) print(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.printed++
	if f.printed <= maxFaults {
		f.t.PrintError(err)
	}
}

func (a *auditFlags) questions(ctx context.Context, t *term.Terminal) (*audit.Questions, error) {
	requested := audit.DefaultCrawlers()
	if a.document(requested); a.narrowed() {
		var err error
		requested, _, err = a.requested(t)
		if err != nil {
			return nil, err
		}
	}
	warnOfCrawlers(t, requested, a.dialect)
	q := &audit.Questions{Crawlers: requested, Dialect: a.dialect, Policy: a.policy, NotFoundPages: a.notFound,
		Exact: a.exactAccess, Lint: a.lint, Bodies: a.bodiesOut != "",
		Names: len(a.namesOut) > 0}
	if a.samples != "" {
		urls, err := openURLs(ctx, t, nil, &listFlags{list: a.samples},
			urllist.Config{Paths: true, Limit: maxWhole << 20}, nil)
		if err != nil {
			return nil, err
		}
		defer urls.close()
		for url, err := range urls.All {
			if line, ok := errors.AsType[*urllist.LineError](err); ok {
				return nil, term.Errorf("%s", term.Escape(line.Error())).Hint(line.Hint)
			}
			if err != nil {
				return nil, err
			}
			q.Samples = append(q.Samples, origin.Text(url).Compared())
		}
	}
	return q, nil
}

// openParts opens the folder of unfinished work, nil if no rows are written.
func (a *auditFlags) openParts(in *audit.Inputs, q *audit.Questions) (*audit.Parts, error) {
	folder := a.parts
	for _, name := range slices.Concat(a.out, a.crawlersOut, []string{a.bodiesOut}) {
		if folder == "" && name != "" {
			folder = name + ".parts"
		}
	}
	if folder == "" {
		if a.resume {
			return nil, term.Errorf("--resume needs the unfinished work of an earlier run").Hint("give --parts FOLDER or --out FILE")
		}
		return nil, nil
	}
	if _, err := os.Stat(folder); err == nil && !a.resume {
		return nil, term.Errorf("%q has the unfinished work of an earlier run", folder).Hint("add --resume to continue it, or remove the folder")
	}
	settings := map[string]any{
		"inputs": names(in), "labels": in.Labels, "questions": q, "limit": int(a.limit), "exclude": a.exclude, "shard": a.shard.String(), "hosts": a.names, "columns": a.columns,
	}
	return audit.OpenParts(filepath.Clean(folder),
		audit.PartsConfig{Settings: settings, Bodies: q.Bodies, Shard: audit.Shard(a.shard), Tool: build().version})
}

func (a *auditFlags) write(ctx context.Context, t *term.Terminal, in *audit.Inputs, parts *audit.Parts,
	census *audit.Census, config audit.CountConfig, incomplete []*audit.InputError) error {
	if parts == nil && census == nil {
		return nil
	}
	var made *wire.AuditProvenance
	if a.json || a.report != "" || slices.ContainsFunc(a.rowOutputs(), audit.IsParquet) { // it reads all inputs again
		var err error
		made, err = a.provenance(ctx, in, census)
		if err != nil {
			return orInterrupted(err)
		}
		if len(incomplete) > 0 {
			made.Incomplete = audit.InJSON(incomplete)
		}
	}
	if parts != nil {
		parts.Provenance = made
	}
	if err := a.writeTables(parts); err != nil || census == nil {
		return err
	}
	census.Provenance = made
	counts := auditreport.Counts{Top: a.top, Incomplete: incomplete, Provenance: made}
	for _, crawl := range census.Crawls() {
		counts.Crawls = append(counts.Crawls, crawl.Count(config))
	}
	var err error
	counts.Compared, err = census.Compare(a.changesOut, config.Strata)
	if err != nil {
		return err
	}
	if err := a.writeCounted(census, config); err != nil {
		return err
	}
	if last := counts.Crawls[len(counts.Crawls)-1]; last.Unweighted > 0 {
		t.Note("%s no weight in %s, which counts as 0", term.Count(last.Unweighted, string(last.By)+" has", string(last.By)+"s have"), term.Source(a.weights))
	}
	noteOnce(t, counts.Compared, census.MissingShards())
	if a.report != "" {
		config := auditreport.Config{Inputs: names(in), Incomplete: incomplete, Created: time.Now(),
			Purposes: auditreport.PurposesOf, Crawls: counts.Crawls, Compared: counts.Compared, Provenance: made}
		if err := files.Write(a.report, func(w io.Writer) error { return auditreport.Write(w, config) }); err != nil {
			return err
		}
	}
	if a.quiet && !a.json {
		return nil
	}
	return counts.Print(t, a.format, a.excel)
}

// noteOnce prints the warnings of comparisons and more ones. Two comparisons of a crawl can have the same.
func noteOnce(t *term.Terminal, compared []*audit.Comparison, more []string) {
	var warnings []string
	for _, c := range compared {
		warnings = append(warnings, c.Warnings...)
	}
	warnings = append(warnings, more...)
	for i, warning := range warnings {
		if !slices.Contains(warnings[:i], warning) {
			t.Note("%s", warning)
		}
	}
}

// provenance returns what makes the outputs of the audit. census can be nil.
func (a *auditFlags) provenance(ctx context.Context, in *audit.Inputs,
	census *audit.Census) (*wire.AuditProvenance, error) {
	tool := build()
	made := &wire.AuditProvenance{Tool: tool.version, Crawlers: crawlers.Version(), Policy: a.policy.String(),
		Flags: []string{}, Created: time.Now().UTC().Format(time.RFC3339)}
	if tool.commit != "" {
		made.Tool += " (" + tool.commit + ")"
	}
	if census != nil && len(in.Tables) > 0 { // their policy was chosen when they were made
		made.Policy = strings.Join(census.Policies(), ", ")
	}
	if a.dialect != nil {
		made.Dialect = a.dialect.String()
	}
	a.flags.Visit(func(flag *pflag.Flag) {
		text := "--" + flag.Name
		value := flag.Value.String()
		if list, ok := flag.Value.(pflag.SliceValue); ok {
			value = strings.Join(list.GetSlice(), ",")
		}
		if value != "true" && flag.Name != "header" { // a header can be a credential
			text += "=" + origin.WithoutPasswords(value)
		}
		made.Flags = append(made.Flags, text)
	})
	var err error
	made.Inputs, err = in.Digests(ctx)
	return made, err
}

// writeCounted writes the tables of sites and of names.
func (a *auditFlags) writeCounted(census *audit.Census, config audit.CountConfig) error {
	if len(a.sitesOut) > 0 {
		if err := census.WriteSites(a.sitesOut, config.Strata, config.Weights); err != nil {
			return err
		}
	}
	if len(a.namesOut) > 0 {
		return census.WriteNames(a.namesOut, config.Strata, config.Weights)
	}
	return nil
}

// rowOutputs returns the tables to write.
func (a *auditFlags) rowOutputs() []string {
	names := slices.Concat(a.out, a.crawlersOut, a.changesOut, a.sitesOut, a.namesOut, []string{a.bodiesOut})
	return slices.DeleteFunc(names, func(name string) bool { return name == "" })
}

func (a *auditFlags) writeTables(parts *audit.Parts) error {
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

func isPage(name string) bool { return strings.HasSuffix(strings.ToLower(name), ".html") }

func errNoPage(name string) error {
	return term.Errorf("%q is not the name of a page", name).Hint("end the name with .html")
}

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
		return s, errors.New("use a number and how many there are, such as 2/4")
	}
	if s.Index == 0 {
		s.Index = s.Count // schedulers that count from 0 have no last number
	}
	return s, nil
}
