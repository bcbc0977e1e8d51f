package main

import (
	"bufio"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/audit"
	"github.com/kosterhq/robotstxt/cmd/internal/auditreport"
	"github.com/kosterhq/robotstxt/cmd/internal/table"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/cmd/internal/urllist"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/origin"
	"github.com/kosterhq/robotstxt/semdiff"
)

// auditing has the flags of audit.
type auditing struct {
	crawlerFlags
	filter crawlerFilter
	fetchFlags
	limitFlags

	hosts, names, samples  string
	exclude                []string
	out, crawlersOut       []string
	bodiesOut, report      string
	against, againstBodies string
	exactAccess, lint      bool
	parts                  string
	resume, schema, quiet  bool
	keepGoing              bool
	shard                  shardFlag
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
with host, status and body, or "-" for standard input. --hosts fetches the
files of a list of hosts instead. Files in folders, tar and zip archives are named
like their hosts; --host-names gives other names.

The counts are printed. --out writes a row for each file, --crawlers-out a row for each
file and crawler; --schema describes their columns. What is not known is empty in the
tables and never counts as open: damaged records, files that were not archived, sites
that do not answer. A crawler may fetch all of a site (open), nothing (closed) or a part
(partly); that is proved.

An audit that was interrupted goes on with --resume and the same flags. --shard 2/4
reads the second of four parts of the inputs, for four machines.

Exit status: 0, or 2 if an input or a record could not be read. With --keep-going, 2 only
if an input cannot be found.`,
		Example: `  robots audit sites/
  robots audit sites/ --out sites.parquet --crawlers-out crawlers.csv
  robots audit --purpose ai-training CC-MAIN-2026-*.warc.gz --out sites.parquet --resume
  robots audit --hosts hosts.txt --out sites.csv`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.run(cmd.Context(), t, args) },
	}
	a.crawlerFlags.define(cmd)
	cmd.Flags().Lookup("agent").Usage = "audit for the crawlers `TOKEN[:FALLBACK...],...`; may be repeated (default: the documented crawlers of search engines and AI)"
	a.filter.define(cmd, "audit for")
	a.fetchFlags.define(cmd)
	a.limitFlags.define(cmd)
	flags := cmd.Flags()
	flags.StringVar(&a.hosts, "hosts", "", "fetch the robots.txt of each host or URL in `FILE`; \"-\" is standard input")
	flags.StringVar(&a.names, "host-names", "", "read the hosts of files from `CSV`, with a file and its host in each row")
	flags.StringVar(&a.samples, "urls", "", "count how many of the URLs or paths in `FILE` each crawler may fetch")
	flags.StringArrayVar(&a.exclude, "exclude", nil, "leave out files that match `PATTERN`; \"**\" matches any folders; may be repeated")
	flags.StringArrayVarP(&a.out, "out", "o", nil, "write a row for each file to `FILE`: .parquet, .csv or .jsonl; may be repeated")
	flags.StringArrayVar(&a.crawlersOut, "crawlers-out", nil, "write a row for each file and crawler to `FILE`; may be repeated")
	flags.StringVar(&a.bodiesOut, "bodies", "", "write the files themselves to `FILE`, by their digests")
	flags.StringVar(&a.report, "report", "", "write the counts with pictures to the page `FILE.html`")
	flags.StringVar(&a.against, "against", "", "compare with an earlier audit, whose --crawlers-out wrote `FILE.parquet`")
	flags.StringVar(&a.againstBodies, "against-bodies", "", "show paths with another verdict: `FILE.parquet` was written by the earlier --bodies")
	flags.BoolVar(&a.exactAccess, "exact", true, "search for a proof where it is not obvious how much of a site is open")
	flags.BoolVar(&a.lint, "lint", false, "count the problems of each file")
	flags.StringVar(&a.parts, "parts", "", "keep unfinished work in `FOLDER` (default: beside the first output, or none)")
	flags.BoolVar(&a.resume, "resume", false, "go on with an audit that was interrupted")
	flags.Var(&a.shard, "shard", "read part `I/N` of the inputs, for N processes")
	flags.BoolVar(&a.schema, "schema", false, "print the columns of the tables and stop")
	flags.BoolVar(&a.keepGoing, "keep-going", false, "exit with 0 if records are damaged or an input cannot be read to its end")
	flags.BoolVarP(&a.quiet, "quiet", "q", false, "print no counts and no notes")
	return cmd
}

// defaultPurposes are the purposes of the crawlers that are audited by default.
var defaultPurposes = []crawlers.Purpose{"search", "ai-training", "ai-search", "ai-fetch"}

// requested returns the crawlers of the flags, with their documented fallbacks.
func (a *auditing) requested(t *term.Terminal) (requested []answer.Crawler, err error) {
	if len(a.agents) > 0 || a.filter.narrowed() {
		requested, _, err = requestedCrawlers(t, a.agents, &a.filter)
	} else {
		requested = []answer.Crawler{answer.NewCrawler()}
		for _, known := range crawlers.Select(crawlers.Selection{Purposes: defaultPurposes}) {
			if slices.Contains(known.Verified, "operator") {
				requested = append(requested, answer.NewCrawler(known.Token))
			}
		}
	}
	if err != nil {
		return nil, err
	}
	a.document(requested)
	return requested, nil
}

func (a *auditing) run(ctx context.Context, t *term.Terminal, args []string) error {
	t.Quiet = a.quiet
	if a.schema {
		return printSchema(t)
	}
	questions, err := a.questions(ctx, t)
	if err != nil {
		return err
	}
	if err := a.checkNames(); err != nil {
		return err
	}
	sources, failed, err := a.sources(ctx, t, args)
	if err != nil {
		return err
	}
	parts, temporary, err := a.openParts(sources, questions)
	if err != nil {
		return err
	}
	if temporary {
		defer parts.Remove()
	}
	if t.Getenv("GOMEMLIMIT") == "" {
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(audit.Memory))
	}
	ctx, stop := untilInterrupted(ctx)
	defer stop()
	unread, err := a.analyse(ctx, t, sources, questions, parts, temporary)
	if err != nil {
		return err
	}
	if err := a.write(ctx, t, sources, questions, parts); err != nil {
		return err
	}
	if err := parts.Remove(); err != nil {
		return err
	}
	if failed || unread || a.dialect == nil && slices.ContainsFunc(questions.Crawlers, isUnread) {
		return errShown
	}
	return nil
}

// isUnread reports whether a crawler that the user named cannot be named by any line.
func isUnread(c answer.Crawler) bool { return c.Unread && !c.Selected }

// checkNames returns an error for the name of an output or of an earlier audit.
func (a *auditing) checkNames() error {
	for _, name := range slices.Concat(a.out, a.crawlersOut, []string{a.bodiesOut}) {
		if name != "" {
			if err := audit.CheckOutput(name); err != nil {
				return err
			}
		}
	}
	if a.report != "" && !strings.HasSuffix(strings.ToLower(a.report), ".html") {
		return term.Errorf("end the name with .html", "%q is no name for a page", a.report)
	}
	return a.checkAgainst()
}

// analyse runs the audit, and shows its progress. unread is true if an input could not be
// read to its end, which was printed. After an interruption a note says what was kept.
func (a *auditing) analyse(ctx context.Context, t *term.Terminal, sources []audit.Source, q *audit.Questions, parts *audit.Parts, temporary bool) (unread bool, err error) {
	done := new(audit.Progress)
	progress := t.StartProgress(false)
	progress.Files(func() (int, float64) { return int(done.Files.Load()), done.Share(sources) })
	inputs, err := audit.Run(ctx, sources, parts, audit.Options{Questions: *q, Shard: audit.Shard(a.shard), Progress: done})
	progress.End()
	switch {
	case err != nil && ctx.Err() == nil:
		return false, err
	case err != nil && temporary:
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
	requested, err := a.requested(t)
	if err != nil {
		return nil, err
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

// sources returns the inputs. failed is true if some of them could not be found, which
// was printed.
func (a *auditing) sources(ctx context.Context, t *term.Terminal, args []string) (sources []audit.Source, failed bool, err error) {
	config := audit.Config{Limit: int(a.limit), Exclude: a.exclude}
	if a.names != "" {
		if config.Hosts, err = readHostNames(t, a.names); err != nil {
			return nil, false, err
		}
	}
	sources, errs := audit.Open(args, t.In, config)
	for _, err := range errs {
		t.PrintError(err)
	}
	if a.hosts != "" {
		clients, err := a.open(ctx, t, a.limit)
		if err != nil {
			return nil, false, err
		}
		sources = append(sources, audit.Hosts(a.hosts, func() (io.Reader, func(), error) {
			list, err := openInput(t, a.hosts, noteOfHosts)
			if err != nil {
				return nil, nil, err
			}
			return list, list.close, nil
		}, clients.Client))
	}
	if len(sources) == 0 {
		return nil, false, term.Errorf(`name a folder or an archive, or give --hosts; see "robots audit --help"`, "there is nothing to audit")
	}
	return sources, len(errs) > 0, nil
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
	rows := csv.NewReader(bufio.NewReader(list))
	rows.FieldsPerRecord, rows.ReuseRecord = 2, true
	hosts := make(map[string]string)
	for {
		row, err := rows.Read()
		if err == io.EOF {
			return hosts, nil
		}
		if err != nil {
			return nil, term.Errorf("each row has a file and its host: a.txt,shop.example", "cannot read %q: %v", name, err)
		}
		hosts[row[0]] = row[1]
	}
}

// openParts opens the folder of unfinished work, which is temporary if there is nothing
// to go on with: no output has a name beside which it could be.
func (a *auditing) openParts(sources []audit.Source, q *audit.Questions) (parts *audit.Parts, temporary bool, err error) {
	folder := a.parts
	if folder == "" {
		for _, name := range slices.Concat(a.out, a.crawlersOut) {
			folder = name + ".parts"
			break
		}
	}
	if folder == "" {
		if a.resume {
			return nil, false, term.Errorf("give --parts FOLDER or --out FILE", "--resume needs the unfinished work of an earlier run")
		}
		if folder, err = os.MkdirTemp("", "robots-audit-"); err != nil {
			return nil, false, err
		}
		temporary = true
	} else if _, err := os.Stat(folder); err == nil && !a.resume {
		return nil, false, term.Errorf("add --resume to go on with it, or remove the folder", "%q has the unfinished work of an earlier run", folder)
	}
	settings := map[string]any{"inputs": names(sources), "questions": q, "limit": int(a.limit), "exclude": a.exclude, "shard": a.shard.String(), "hosts": a.names}
	parts, err = audit.OpenParts(filepath.Clean(folder), audit.PartsConfig{Settings: settings, Bodies: q.Bodies})
	return parts, temporary, err
}

func names(sources []audit.Source) (names []string) {
	for _, source := range sources {
		names = append(names, source.Name())
	}
	return names
}

// write writes the tables and the report, and prints the counts.
func (a *auditing) write(ctx context.Context, t *term.Terminal, sources []audit.Source, q *audit.Questions, parts *audit.Parts) error {
	if err := a.writeTables(parts); err != nil {
		return err
	}
	if a.quiet && a.report == "" {
		return nil
	}
	summary, err := audit.Summarize(parts, purposesOf)
	if err != nil {
		return err
	}
	compared, err := a.compare(ctx, q, parts)
	if err != nil {
		return err
	}
	if a.report != "" {
		config := auditreport.Config{Inputs: names(sources), Created: time.Now(), Purposes: purposesOf, Compared: compared}
		if err := a.writeReport(config, summary); err != nil {
			return err
		}
	}
	if a.quiet {
		return nil
	}
	if err := printSummary(t, summary); err != nil || compared == nil {
		return err
	}
	return a.printComparison(t, compared)
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

// writeReport writes the page. An existing one is replaced once the new one is complete.
func (a *auditing) writeReport(config auditreport.Config, summary *audit.Summary) error {
	page, err := os.Create(a.report + ".new")
	if err != nil {
		return err
	}
	err = auditreport.Write(page, summary, config)
	if err = errors.Join(err, page.Close()); err != nil {
		os.Remove(a.report + ".new")
		return err
	}
	return os.Rename(a.report+".new", a.report)
}

// shardFlag is the value of --shard.
type shardFlag audit.Shard

func (s *shardFlag) String() string {
	if s.Count == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.Index, s.Count)
}

func (s *shardFlag) Type() string { return "shard" }

func (s *shardFlag) Set(text string) error {
	var got shardFlag
	if n, err := fmt.Sscanf(text, "%d/%d", &got.Index, &got.Count); n != 2 || err != nil || got.Index < 1 || got.Index > got.Count || text != got.String() {
		return errors.New("want a number and how many there are, such as 2/4")
	}
	*s = got
	return nil
}

// printSchema prints the columns of the tables.
func printSchema(t *term.Terminal) error {
	out := bufio.NewWriter(t.Out)
	screen, _ := t.Size()
	w := table.New(out, table.Config{Format: table.Text, Screen: screen, Columns: []table.Column{
		{Name: "table"}, {Name: "column"}, {Name: "type"}, {Name: "null"}, {Name: "meaning"},
	}})
	for _, rows := range audit.Schema() {
		for _, c := range rows.Columns {
			w.Cell(rows.Name)
			w.Cell(c.Name)
			w.Cell(c.Type)
			w.Cell(map[bool]string{true: "yes", false: ""}[c.Null])
			w.Cell(c.Doc)
			if err := w.End(); err != nil {
				return term.WriteError(err)
			}
		}
	}
	return term.WriteError(errors.Join(w.Flush(), out.Flush()))
}

// checkAgainst checks the tables of an earlier audit before the work begins.
func (a *auditing) checkAgainst() error {
	if a.against == "" && a.againstBodies != "" {
		return term.Errorf("add --against FILE.parquet", "--against-bodies needs the table of crawlers of that audit")
	}
	for flag, name := range map[string]string{"--against": a.against, "--against-bodies": a.againstBodies} {
		if name == "" {
			continue
		}
		if !strings.HasSuffix(strings.ToLower(name), ".parquet") {
			return term.Errorf("write the tables of that audit as Parquet: --crawlers-out old.parquet --bodies bodies.parquet", "%s %q is not a Parquet file", flag, name)
		}
	}
	if a.against == "" {
		return nil
	}
	return audit.CheckCrawlers(a.against)
}

// compare compares the audit with an earlier one; nil without --against.
func (a *auditing) compare(ctx context.Context, q *audit.Questions, parts *audit.Parts) (*audit.Comparison, error) {
	if a.against == "" {
		return nil, nil
	}
	return parts.Compare(ctx, audit.CompareConfig{Old: a.against, OldBodies: a.againstBodies, Purposes: purposesOf, Questions: q})
}

// shownMoved is how many hosts are printed for each direction.
const shownMoved = 10

// printComparison prints what changed since an earlier audit.
func (a *auditing) printComparison(t *term.Terminal, c *audit.Comparison) error {
	out := bufio.NewWriter(t.Out)
	fmt.Fprintf(out, "\nCompared with %s: %s in both audits, %s appeared, %s vanished\n\n", term.Escape(a.against),
		term.Count(c.Hosts, "host", "hosts"), term.Thousands(c.Appeared), term.Thousands(c.Vanished))
	screen, _ := t.Size()
	config := table.Config{Format: table.Text, Screen: screen, Columns: []table.Column{{Name: "crawler", Least: 10}, {Name: "purpose", Least: 6}}}
	for _, name := range []string{"hosts", "less open", "more open", "named now", "no longer named"} {
		config.Columns = append(config.Columns, table.Column{Name: name, Right: true})
	}
	w := table.New(out, config)
	for _, name := range auditreport.ByChange(c) {
		change := c.Crawlers[name]
		w.Cell(name)
		w.Cell(purposeOf(name))
		for _, n := range []int{change.Known, change.Closed(), change.Opened(), change.Named, change.Unnamed} {
			w.Number(n)
		}
		if err := w.End(); err != nil {
			return term.WriteError(err)
		}
	}
	if err := w.Flush(); err != nil {
		return term.WriteError(err)
	}
	printMoved(out, "Less open now", c.Closed)
	printMoved(out, "More open now", c.Opened)
	if c.NoWitnesses != "" && len(c.Closed)+len(c.Opened) > 0 {
		fmt.Fprintf(out, "\nThere are no paths as examples: %s.\n", c.NoWitnesses)
	}
	return term.WriteError(errors.Join(out.Flush()))
}

func printMoved(out *bufio.Writer, title string, list []audit.Moved) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(out, "\n%s:\n", title)
	for _, moved := range list[:min(len(list), shownMoved)] {
		fmt.Fprintf(out, "  %s: %s\n", term.Escape(moved.Host), auditreport.Describe(moved))
	}
}

// printSummary prints the counts of an audit.
func printSummary(t *term.Terminal, s *audit.Summary) error {
	out := bufio.NewWriter(t.Out)
	fmt.Fprintf(out, "%s: %s\n", term.Count(s.Files, "file", "files"), strings.Join(parts(s), ", "))
	if s.Read+s.ByStatus > 0 {
		fmt.Fprintln(out)
		if err := printCrawlers(t, out, s); err != nil {
			return term.WriteError(err)
		}
	}
	return term.WriteError(out.Flush())
}

// parts says what the files are.
func parts(s *audit.Summary) (parts []string) {
	add := func(n int, what string) {
		if n > 0 {
			parts = append(parts, term.Thousands(n)+" "+what)
		}
	}
	for _, kind := range []wire.Body{wire.BodyText, wire.BodyHTML, wire.BodyEmpty, wire.BodyBinary} {
		what := string(kind)
		if kind == wire.BodyHTML {
			what = "web pages"
		}
		add(s.Bodies[kind], what)
	}
	add(s.ByStatus, "decided by their status")
	for _, problem := range audit.MostFirst(s.Problems) {
		add(s.Problems[problem], problem)
	}
	return parts
}

// printCrawlers prints what the files say about each crawler.
func printCrawlers(t *term.Terminal, out *bufio.Writer, s *audit.Summary) error {
	screen, _ := t.Size()
	config := table.Config{Format: table.Text, Screen: screen, Columns: []table.Column{{Name: "crawler", Least: 10}, {Name: "purpose", Least: 6}}}
	depends := false // no column without such files
	for _, c := range s.Crawlers {
		depends = depends || c.Sum(semdiff.ExtentDepends) > 0
	}
	for _, name := range []string{"named", "closed by name", "closed by *", "partly", "open", "depends", "status", "unknown"} {
		if name != "depends" || depends {
			config.Columns = append(config.Columns, table.Column{Name: name, Right: true})
		}
	}
	w := table.New(out, config)
	for _, name := range byPurpose(slices.Collect(maps.Keys(s.Crawlers))) {
		c := s.Crawlers[name]
		w.Cell(name)
		w.Cell(purposeOf(name))
		w.Number(audit.Sum(c.Matched[robotstxt.MatchedByName]))
		w.Number(c.Matched[robotstxt.MatchedByName][semdiff.ExtentClosed])
		w.Number(c.Matched[robotstxt.MatchedByStar][semdiff.ExtentClosed])
		w.Number(c.Sum(semdiff.ExtentPartly))
		w.Number(c.Sum(semdiff.ExtentOpen))
		if depends {
			w.Number(c.Sum(semdiff.ExtentDepends))
		}
		w.Number(audit.Sum(c.Status))
		w.Number(c.Sum(""))
		if err := w.End(); err != nil {
			return err
		}
	}
	return errors.Join(w.Flush(), out.Flush())
}

// purposeOf returns the purposes of a crawler by its name in an audit, "" if it is not
// known.
func purposeOf(name string) string {
	return strings.Join(purposesOf(name), ", ")
}

func purposesOf(name string) (purposes []string) {
	token, _, _ := strings.Cut(name, ":")
	known, _ := crawlers.Find(token)
	for _, purpose := range known.Purposes {
		purposes = append(purposes, string(purpose))
	}
	return purposes
}

// byPurpose sorts crawlers by purpose and name.
func byPurpose(names []string) []string {
	slices.SortFunc(names, func(a, b string) int {
		if order := strings.Compare(purposeOf(a), purposeOf(b)); order != 0 {
			return order
		}
		return strings.Compare(strings.ToLower(a), strings.ToLower(b))
	})
	return names
}
