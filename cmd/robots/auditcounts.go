package main

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/audit"
	"github.com/kosterhq/robotstxt/cmd/internal/auditreport"
	"github.com/kosterhq/robotstxt/cmd/internal/table"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
	"github.com/kosterhq/robotstxt/crawlers"
)

// auditCounts are the counts that audit prints.
type auditCounts struct {
	census   *audit.Census
	flags    *auditing
	crawls   []*audit.Summary
	compared []*audit.Comparison
}

func (c *auditCounts) print(t *term.Terminal) error {
	return t.Print(func(out *bufio.Writer) error {
		switch c.flags.format {
		case table.JSON:
			return term.PrintJSON(out, c.wire())
		case table.Text:
			c.text(t, out)
		default:
			c.rows(out)
		}
		return nil
	})
}

// last returns the counts of a crawler in the last crawl with it.
func (c *auditCounts) last(crawler string) (last *audit.CrawlerCount) {
	for _, s := range c.crawls {
		last = cmp.Or(s.Crawlers[crawler], last)
	}
	return last
}

// names returns the crawlers that are printed: by purpose, or with --top those that most
// sites close to.
func (c *auditCounts) names() []string {
	var names []string
	for _, s := range c.crawls {
		names = slices.AppendSeq(names, maps.Keys(s.Crawlers))
	}
	slices.Sort(names)
	names = slices.Compact(names)
	slices.SortFunc(names, func(a, b string) int {
		order := 0
		if c.flags.top > 0 {
			order = cmp.Compare(c.last(b).Closed(), c.last(a).Closed())
		}
		return cmp.Or(order, strings.Compare(purposeOf(a), purposeOf(b)), strings.Compare(strings.ToLower(a), strings.ToLower(b)))
	})
	if c.flags.top > 0 {
		names = names[:min(len(names), c.flags.top)]
	}
	return names
}

// text prints the counts for people. The output keeps its error.
func (c *auditCounts) text(t *term.Terminal, out *bufio.Writer) {
	for _, s := range c.crawls {
		if s.Label != "" {
			fmt.Fprintf(out, "%s: ", term.Escape(s.Label))
		}
		fmt.Fprintf(out, "%s: %s\n", auditreport.Sites(s.By, s.Sites), strings.Join(kinds(s), ", "))
	}
	var known []string
	for _, s := range c.crawls {
		of := auditreport.Sites(s.By, s.Known)
		if s.Label != "" {
			of += " of " + term.Escape(s.Label)
		}
		known = append(known, of)
	}
	last := c.crawls[len(c.crawls)-1]
	fmt.Fprintf(out, "%s The counts below are of those whose rules are known: %s.\n", last.By.Rule(), strings.Join(known, ", "))
	screen, _ := t.Size()
	newTable := func(labels []table.Column, numbers ...string) *table.Writer {
		fmt.Fprintln(out)
		for _, name := range numbers {
			labels = append(labels, table.Column{Name: name, Right: true})
		}
		return table.New(out, table.Config{Format: table.Text, Screen: screen, Columns: labels})
	}
	if len(last.Crawlers) == 0 {
		return
	}
	if len(c.crawls) == 1 {
		c.single(last, newTable)
	} else {
		c.beforeAfter(newTable)
		c.changes(out, newTable)
	}
	c.strata(newTable)
}

// tableMaker begins a table with columns of text and columns of numbers.
type tableMaker func(labels []table.Column, numbers ...string) *table.Writer

// kinds says what was read.
func kinds(s *audit.Summary) (kinds []string) {
	add := func(n int, what string) {
		if n > 0 {
			kinds = append(kinds, term.Thousands(n)+" "+what)
		}
	}
	add(s.Bodies[wire.BodyText], "text")
	add(s.Bodies[wire.BodyEmpty], "empty")
	add(s.OpenByStatus, "open by status")
	add(s.ClosedByStatus, "closed by status")
	add(s.Bodies[wire.BodyHTML], "web pages")
	add(s.Bodies[wire.BodyBinary], "binary")
	for _, problem := range audit.MostFirst(s.Problems) {
		add(s.Problems[problem], problem)
	}
	if lost := audit.Sum(s.Lost); lost > 0 {
		kinds = append(kinds, "besides "+term.Count(lost, "record", "records")+" of no known site")
	}
	if len(kinds) == 0 {
		kinds = []string{"no robots.txt was found"}
	}
	return kinds
}

// column is an optional column of counts: it is left out if all its cells are 0.
type column struct {
	name    string
	count   func(*audit.CrawlerCount) int
	isExtra bool // optional
}

func treatment(t audit.Treatment) func(*audit.CrawlerCount) int {
	return func(c *audit.CrawlerCount) int { return c.Treatments[t] }
}

func named(c *audit.CrawlerCount) int { return c.Matched[robotstxt.MatchedByName] }

func homeClosed(c *audit.CrawlerCount) int { return c.HomeClosed }

// counted returns the columns without the optional ones that are 0 in all crawls, and their
// names.
func counted(columns []column, crawls []*audit.Summary) (shown []column, names []string) {
	for _, column := range columns {
		sum := 0
		for _, s := range crawls {
			for _, crawler := range s.Crawlers {
				sum += column.count(crawler)
			}
		}
		if !column.isExtra || sum > 0 {
			shown, names = append(shown, column), append(names, column.name)
		}
	}
	return shown, names
}

// single prints the counts of the only crawl.
func (c *auditCounts) single(s *audit.Summary, newTable tableMaker) {
	columns := []column{
		{"named", named, false}, {"closed by name", treatment(audit.ClosedByName), false}, {"closed by *", treatment(audit.ClosedByStar), false},
		{"by status", treatment(audit.ClosedByStatus), true}, {"partly", treatment(audit.PartlyClosed), false},
		{"open", (*audit.CrawlerCount).Open, false}, {"home closed", homeClosed, false},
		{"depends on the parser", treatment(audit.Depends), true}, {"undecided", treatment(audit.Undecided), true}, {"cannot be named", treatment(audit.Unnamed), true},
	}
	columns, heads := counted(columns, []*audit.Summary{s})
	heads = append([]string{"closed"}, heads...)
	w := newTable([]table.Column{{Name: "crawler", Least: 10}, {Name: "purpose", Least: 6}, {Name: "read as"}}, heads...)
	for _, name := range c.names() {
		crawler := s.Crawlers[name]
		cells := []any{name, purposeOf(name), crawler.Reading, percentOf(crawler.Treatments)}
		for _, column := range columns {
			cells = append(cells, column.count(crawler))
		}
		_ = w.Row(cells...)
	}
	_ = w.Flush()
}

// percentOf returns the share of closed sites, "" if no line can name the crawler.
func percentOf(t audit.Treatments) string {
	if t.Sum() == t[audit.Unnamed] {
		return "" // nothing is known
	}
	return auditreport.Percent(float64(t.Closed()) / float64(t.Sum()))
}

// beforeAfter prints the shares in the first crawl and in the last one.
func (c *auditCounts) beforeAfter(newTable tableMaker) {
	columns := []column{
		{"closed", (*audit.CrawlerCount).Closed, false}, {"by name", treatment(audit.ClosedByName), false}, {"by *", treatment(audit.ClosedByStar), false}, {"by status", treatment(audit.ClosedByStatus), true},
		{"home closed", homeClosed, false}, {"named", named, false}, {"partly", treatment(audit.PartlyClosed), false}, {"open", (*audit.CrawlerCount).Open, false}, {"depends on the parser", treatment(audit.Depends), true},
		{"undecided", treatment(audit.Undecided), true},
	}
	columns, heads := counted(columns, c.crawls)
	w := newTable([]table.Column{{Name: "crawler", Least: 10}, {Name: "read as"}}, heads...)
	for _, name := range c.names() {
		cells := []any{name, cmp.Or(c.last(name).Reading, "cannot be named")}
		for _, column := range columns {
			cells = append(cells, auditreport.FromTo(c.crawls, name, column.count))
		}
		_ = w.Row(cells...)
	}
	_ = w.Flush()
}

// shownMoved is how many sites are printed for each direction.
const shownMoved = 10

// changes prints what changed between the last two crawls.
func (c *auditCounts) changes(out *bufio.Writer, newTable tableMaker) {
	if len(c.compared) == 0 {
		return
	}
	r := c.compared[len(c.compared)-1]
	fmt.Fprintf(out, "\nFrom %s to %s: %s in both crawls, %s appeared, %s vanished\n", term.Escape(r.Before), term.Escape(r.After),
		auditreport.Sites(c.crawls[0].By, r.Sites), term.Thousands(r.Appeared), term.Thousands(r.Vanished))
	w := newTable([]table.Column{{Name: "crawler", Least: 10}}, "known in both", "less open", "more open", "named now", "no longer named")
	names := c.names()
	for _, name := range auditreport.ByChange(r) {
		if slices.Contains(names, name) {
			change := r.Crawlers[name]
			_ = w.Row(name, change.Known, change.Closed, change.Opened, change.Named, change.Unnamed)
		}
	}
	_ = w.Flush()
	printMoved(out, "Less open now", r.Closed)
	printMoved(out, "More open now", r.Opened)
}

func printMoved(out io.Writer, title string, sites audit.MovedSites) {
	if sites.Count == 0 {
		return
	}
	fmt.Fprintf(out, "\n%s:\n", title)
	shown := sites.Most[:min(len(sites.Most), shownMoved)]
	for _, moved := range shown {
		fmt.Fprintf(out, "  %s: %s\n", term.Escape(moved.Site), auditreport.Describe(moved))
	}
	if more := sites.Count - len(shown); more > 0 {
		fmt.Fprintf(out, "  and %s more\n", term.Thousands(more))
	}
}

// strata prints the share of closed sites in each stratum of each crawl.
func (c *auditCounts) strata(newTable tableMaker) {
	if len(c.crawls[0].Strata) == 0 {
		return
	}
	labels := []table.Column{{Name: "crawler", Least: 10}, {Name: "stratum", Least: 10}}
	if len(c.crawls) > 1 {
		labels = append([]table.Column{{Name: "crawl", Least: 6}}, labels...)
	}
	w := newTable(labels, string(c.crawls[0].By)+"s", "closed", "share", "95 % confidence")
	for _, s := range c.crawls {
		for _, row := range c.wireStrata(s) {
			if len(c.crawls) > 1 {
				w.Cell(s.Label)
			}
			_ = w.Row(row.Crawler, row.Stratum, row.Sites, row.Closed, auditreport.Percent(float64(row.Closed)/float64(row.Sites)),
				auditreport.Percent(row.Low)+" to "+auditreport.Percent(row.High))
		}
	}
	_ = w.Flush()
}

// rows prints a row for each crawl and crawler, and with strata for each stratum too.
func (c *auditCounts) rows(out *bufio.Writer) {
	config := table.Config{Format: c.flags.format, Excel: c.flags.excel}
	names := []string{
		"crawl", "crawler", "purposes", "reading", "stratum", "sites", "closed_by_name", "closed_by_star", "closed_by_status", "partly", "open", "open_by_status",
		"depends", "undecided", "unnamed", "named", "home_closed", "closed_low", "closed_high", "closed",
	}
	for _, name := range names {
		config.Columns = append(config.Columns, table.Column{Name: name})
	}
	w := table.New(out, config)
	row := func(s *audit.Summary, name, stratum string, t audit.Treatments, named, homeClosed any) {
		low, high := audit.Interval(t.Closed(), t.Sum()-t[audit.Unnamed])
		_ = w.Row(s.Label, name, purposeOf(name), s.Crawlers[name].Reading, stratum,
			t.Sum(), t[audit.ClosedByName], t[audit.ClosedByStar], t[audit.ClosedByStatus], t[audit.PartlyClosed], t[audit.FullyOpen], t[audit.OpenByStatus],
			t[audit.Depends], t[audit.Undecided], t[audit.Unnamed], named, homeClosed,
			fmt.Sprintf("%.4f", low), fmt.Sprintf("%.4f", high), t.Closed())
	}
	for _, s := range c.crawls {
		for _, name := range c.names() {
			crawler := s.Crawlers[name]
			if crawler == nil {
				continue
			}
			row(s, name, "", crawler.Treatments, named(crawler), crawler.HomeClosed)
			for _, stratum := range s.Strata {
				if t := stratum.Crawlers[name]; t != nil {
					row(s, name, stratum.Name, *t, "", "")
				}
			}
		}
	}
	_ = w.Flush()
}

// wire returns the counts for JSON.
func (c *auditCounts) wire() wire.Audit {
	by := c.crawls[0].By
	a := wire.Audit{By: string(by), Rule: by.Rule(), Crawls: []wire.AuditCrawl{}, Comparisons: []wire.AuditComparison{}}
	for _, s := range c.crawls {
		a.Crawls = append(a.Crawls, c.wireCrawl(s))
	}
	for _, r := range c.compared {
		compared := wire.AuditComparison{Before: r.Before, After: r.After, Sites: r.Sites, Appeared: r.Appeared, Vanished: r.Vanished, Crawlers: []wire.AuditChange{}, Warnings: r.Warnings}
		for _, name := range c.names() {
			if change := r.Crawlers[name]; change != nil {
				compared.Crawlers = append(compared.Crawlers, wire.AuditChange{
					Crawler: name, Sites: change.Known, Before: wireSide(change.Before), After: wireSide(change.After),
					LessOpen: change.Closed, MoreOpen: change.Opened, NamedNow: change.Named, NoLongerNamed: change.Unnamed,
				})
			}
		}
		a.Comparisons = append(a.Comparisons, compared)
	}
	return a
}

func (c *auditCounts) wireCrawl(s *audit.Summary) wire.AuditCrawl {
	crawl := wire.AuditCrawl{
		Label: s.Label, Captures: s.Captures, WithoutSite: audit.Sum(s.Lost), Sites: s.Sites, Known: s.Known, OpenByStatus: s.OpenByStatus, ClosedByStatus: s.ClosedByStatus,
		NotKnown: maps.Clone(s.Problems), Statuses: map[string]int{}, Crawlers: []wire.AuditCrawler{}, Strata: c.wireStrata(s),
	}
	for _, kind := range []wire.Body{wire.BodyHTML, wire.BodyBinary} {
		if n := s.Bodies[kind]; n > 0 {
			crawl.NotKnown[string(kind)] = n
		}
	}
	for status, n := range s.Statuses {
		crawl.Statuses[strconv.Itoa(status)] = n
	}
	for _, name := range c.names() {
		if count := s.Crawlers[name]; count != nil {
			crawl.Crawlers = append(crawl.Crawlers, wire.AuditCrawler{
				Crawler: name, Purposes: append([]string{}, purposesOf(name)...), Reading: count.Reading, Named: named(count), HomeClosed: count.HomeClosed, CrawlDelay: count.Delay,
				AuditTreatments: wireTreatments(count.Treatments),
			})
		}
	}
	return crawl
}

func wireSide(s audit.Side) wire.AuditSide {
	return wire.AuditSide{Closed: s.Closed(), Named: s.Named, HomeClosed: s.HomeClosed, AuditTreatments: wireTreatments(s.Treatments)}
}

func wireTreatments(t audit.Treatments) wire.AuditTreatments {
	return wire.AuditTreatments{
		ClosedByName: t[audit.ClosedByName], ClosedByStar: t[audit.ClosedByStar], ClosedByStatus: t[audit.ClosedByStatus], Partly: t[audit.PartlyClosed],
		Open: t[audit.FullyOpen], OpenByStatus: t[audit.OpenByStatus], Depends: t[audit.Depends], Undecided: t[audit.Undecided], Unnamed: t[audit.Unnamed],
	}
}

func (c *auditCounts) wireStrata(s *audit.Summary) (rows []wire.AuditStratum) {
	for _, name := range c.names() {
		for _, stratum := range s.Strata {
			t := stratum.Crawlers[name]
			if t == nil || t.Sum() == t[audit.Unnamed] {
				continue
			}
			row := wire.AuditStratum{Stratum: stratum.Name, Crawler: name, Sites: t.Sum(), Closed: t.Closed()}
			row.Low, row.High = audit.Interval(row.Closed, row.Sites)
			rows = append(rows, row)
		}
	}
	return rows
}

// purposeOf returns the purposes of a crawler by its name in an audit, "" if it is not
// known.
func purposeOf(name string) string {
	return strings.Join(purposesOf(name), ", ")
}

func purposesOf(name string) []string {
	token, _, _ := strings.Cut(name, ":")
	known, _ := crawlers.Find(token)
	return namesOf(known.Purposes)
}
