package visits

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/table"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
	"github.com/kosterhq/robotstxt/cmd/internal/show/prose"
	"github.com/kosterhq/robotstxt/crawlers"
)

// forPersons are the purposes of crawlers that fetch what a person asks for.
var forPersons = []string{"user-fetch", "ai-fetch"}

// maxRules is how many lines a crawler has on the screen.
const maxRules = 5

// WriteText writes what was found for a screen. If out fails, it returns the
// error of out.
func WriteText(out io.Writer, v *wire.Visits) error {
	w := bufio.NewWriter(out)
	for _, line := range Facts(v) {
		fmt.Fprintln(w, line)
	}
	isFor := func(c wire.VisitCrawler) bool {
		return len(c.Purposes) > 0 && slices.Contains(forPersons, c.Purposes[0])
	}
	var crawling, fetching []wire.VisitCrawler
	for _, c := range v.Crawlers {
		if isFor(c) {
			fetching = append(fetching, c)
		} else {
			crawling = append(crawling, c)
		}
	}
	s := screen{visits: v}
	s.rows = append(append(s.rows, crawling...), fetching...)
	s.write(w, "", crawling)
	s.write(w, "For a person:", fetching)
	for i, line := range Others(v) {
		if i == 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintln(w, line)
	}
	return w.Flush()
}

// isListed reports whether visitors were compared with lists or names in DNS.
func isListed(v *wire.Visits) bool { return len(v.Lists) > 0 || v.DNS }

// Facts returns what was read, and with what it was compared, as escaped lines.
func Facts(v *wire.Visits) (facts []string) {
	total, verified := int64(0), int64(0)
	for _, c := range v.Crawlers {
		total += c.Visits
		verified += c.Identity["verified"]
	}
	site := term.Escape(strings.Join(hostsOf(v.Sites), " and "))
	if site == "" {
		site = "The logs"
	}
	facts = append(facts, fmt.Sprintf("%s%s: %s, %s of named crawlers", site, span(v), lines(v.Lines), term.Count(int(total), "visit", "visits")))
	var about []string
	if words := rulesWords[v.Judged]; words != "" {
		about = append(about, "Rules: "+words)
	}
	if isListed(v) {
		about = append(about, "Identity: "+identityWords(v))
	}
	if len(about) > 0 {
		facts = append(facts, strings.Join(about, ". "))
	}
	switch {
	case total == 0:
	case !isListed(v):
		facts = append(facts, "Nothing is verified: any client can send these names. \"robots visits lists DIR\" fetches lists.")
	case verified == 0:
		facts = append(facts, "No address is in a list. Are these the addresses of a CDN?")
	}
	return facts
}

var rulesWords = map[string]string{
	"file": "robots.txt as it is now", "served-since": "robots.txt as it was served since the given time", "history": "each robots.txt of its time",
}

// hostsOf returns origins without https://.
func hostsOf(sites []string) (hosts []string) {
	for _, s := range sites {
		hosts = append(hosts, strings.TrimPrefix(s, "https://"))
	}
	return hosts
}

// span returns the time of the logs.
func span(v *wire.Visits) string {
	if v.From == nil {
		return ""
	}
	const day = "2 January 2006"
	from, to := v.From.UTC(), v.To.UTC()
	switch {
	case from.Format(day) == to.Format(day):
		return ", " + to.Format(day)
	case from.Format("January 2006") == to.Format("January 2006"):
		return ", " + from.Format("2") + " to " + to.Format(day)
	case from.Year() == to.Year():
		return ", " + from.Format("2 January") + " to " + to.Format(day)
	}
	return ", " + from.Format(day) + " to " + to.Format(day)
}

// identityWords returns from when the lists are.
func identityWords(v *wire.Visits) string {
	var parts []string
	var last time.Time
	for _, l := range v.Lists {
		if l.Date.After(last) {
			last = l.Date
		}
	}
	if !last.IsZero() {
		parts = append(parts, "lists of "+last.UTC().Format("2 January"))
	}
	if v.DNS {
		parts = append(parts, "DNS")
	}
	return strings.Join(parts, " and ")
}

// screen writes tables of crawlers with the same columns.
type screen struct {
	visits *wire.Visits
	rows   []wire.VisitCrawler // of all tables
}

// column is a column of the tables.
type column struct {
	name  string
	cell  func(c *wire.VisitCrawler) string
	words bool
}

func (s *screen) columns() []column {
	number := func(name string, of func(c *wire.VisitCrawler) int64) column {
		return column{name, func(c *wire.VisitCrawler) string { return thousands(of(c)) }, false}
	}
	all := []column{
		{"crawler", func(c *wire.VisitCrawler) string { return term.Escape(c.Crawler) }, true},
		{"purpose", func(c *wire.VisitCrawler) string { return prose.UseWords(crawlers.Purpose(c.Purposes[0])) }, true},
		number("visits", func(c *wire.VisitCrawler) int64 { return c.Visits }),
	}
	if isListed(s.visits) {
		all = append(all,
			number("verified", func(c *wire.VisitCrawler) int64 { return c.Identity["verified"] }),
			number("name only", func(c *wire.VisitCrawler) int64 { return c.Identity["claimed"] }),
			number("not in its list", func(c *wire.VisitCrawler) int64 { return c.Identity["contradicted"] }))
	}
	if s.visits.Judged == "nothing" {
		return append(all, column{"size", func(c *wire.VisitCrawler) string { return size(c.Bytes) }, false},
			column{"statuses", statuses, true}, number("robots.txt", func(c *wire.VisitCrawler) int64 { return c.RobotsFetches }),
			column{"first", func(c *wire.VisitCrawler) string { return c.First.UTC().Format("2 Jan 15:04") }, true},
			column{"last", func(c *wire.VisitCrawler) string { return c.Last.UTC().Format("2 Jan 15:04") }, true})
	}
	all = append(all, number("disallowed", disallowed))
	if s.visits.Judged == "file" {
		return all
	}
	return append(all,
		number("old copy", func(c *wire.VisitCrawler) int64 { return c.Results["old-copy"] }),
		number("disobeyed", func(c *wire.VisitCrawler) int64 { return c.Results["disobeyed"] }),
		column{"last robots.txt in these logs", func(c *wire.VisitCrawler) string {
			if c.LastRobots == nil {
				return "none"
			}
			return c.LastRobots.UTC().Format("2 Jan 15:04")
		}, true})
}

// disallowed returns how many visits a rule disallowed at their time.
func disallowed(c *wire.VisitCrawler) (n int64) {
	for _, rule := range c.Rules {
		n += rule.Visits
	}
	return n
}

// statuses returns the classes of statuses.
func statuses(c *wire.VisitCrawler) string {
	var classes [6]int64
	for status, n := range c.Statuses {
		if i := status[0] - '0'; i > 0 && i < 6 {
			classes[i] += n
		}
	}
	var words []string
	for i, n := range classes {
		if n > 0 {
			words = append(words, fmt.Sprintf("%dxx %s", i, thousands(n)))
		}
	}
	return strings.Join(words, ", ")
}

// write writes a table.
func (s *screen) write(w io.Writer, title string, rows []wire.VisitCrawler) {
	if len(rows) == 0 {
		return
	}
	fmt.Fprintln(w)
	if title != "" {
		fmt.Fprintln(w, title)
	}
	columns := s.columns()
	widths := make([]int, len(columns))
	for i, c := range columns {
		widths[i] = len(c.name)
		for n := range s.rows {
			widths[i] = max(widths[i], term.Width(c.cell(&s.rows[n])))
		}
	}
	line := func(cell func(c column) string) {
		var cells []string
		for i, c := range columns {
			text := cell(c)
			blanks := term.Pad(text, widths[i])
			if c.words {
				text += blanks
			} else {
				text = blanks + text
			}
			cells = append(cells, text)
		}
		fmt.Fprintln(w, strings.TrimRight(strings.Join(cells, "  "), " "))
	}
	line(func(c column) string { return c.name })
	for n := range rows {
		line(func(c column) string { return c.cell(&rows[n]) })
		s.lines(w, &rows[n])
	}
}

// lines writes the lines that disallowed visits of a crawler.
func (s *screen) lines(w io.Writer, c *wire.VisitCrawler) {
	for i, rule := range c.Rules {
		if i == maxRules {
			fmt.Fprintf(w, "  and %s\n", term.Count(len(c.Rules)-i, "other line", "other lines"))
			break
		}
		where := "line " + strconv.Itoa(rule.Line)
		if s.visits.Judged == "history" {
			where += " of " + rule.SHA256[:min(len(rule.SHA256), 12)]
		}
		fmt.Fprintf(w, "  %s  %s  %s  for example %s\n", where, term.Clip(term.Escape(rule.Rule), 60), thousands(rule.Visits), term.Clip(term.Escape(rule.Example), 60))
	}
}

// Others returns what was not judged, as escaped lines.
func Others(v *wire.Visits) (others []string) {
	var hosts []string
	for i, host := range v.OtherHosts {
		if i == 5 {
			hosts = append(hosts, term.Count(len(v.OtherHosts)-i, "other host", "other hosts"))
			break
		}
		hosts = append(hosts, fmt.Sprintf("%s (%s)", term.Escape(strings.TrimPrefix(host.Host, "https://")), lines(host.Lines)))
	}
	if len(hosts) > 0 {
		what := "Not judged"
		if v.Judged == "nothing" {
			what = "Other hosts"
		}
		others = append(others, what+": "+strings.Join(hosts, ", "))
	}
	if v.Pathless > 0 {
		others = append(others, "Without a target, such as those of port scanners: "+term.Count(int(v.Pathless), "request", "requests"))
	}
	if v.Unreadable > 0 {
		others = append(others, "Not readable: "+lines(v.Unreadable))
	}
	return others
}

func lines(n int64) string { return term.Count(int(n), "line", "lines") }

func thousands(n int64) string { return term.Thousands(int(n)) }

// size returns a number of bytes in words.
func size(n int64) string {
	value, unit := float64(n), "B"
	for _, next := range []string{"kB", "MB", "GB", "TB"} {
		if value < 1000 {
			break
		}
		value, unit = value/1000, next
	}
	if unit == "B" || value >= 100 {
		return fmt.Sprintf("%.0f %s", value, unit)
	}
	return fmt.Sprintf("%.1f %s", value, unit)
}

// CrawlerRow is the row of a crawler in the table of crawlers.
type CrawlerRow struct {
	Crawler       string  `parquet:"crawler" doc:"the crawler that User-Agent headers name"`
	Operator      string  `parquet:"operator" doc:"its operator, or unknown"`
	Purposes      string  `parquet:"purposes" doc:"what it fetches pages for, the main purpose first, separated by blanks"`
	Visits        int64   `parquet:"visits" doc:"requests with its name"`
	Bytes         int64   `parquet:"bytes" doc:"bytes of the responses, as far as the logs have them"`
	Verified      int64   `parquet:"verified" doc:"visits whose sender is verified"`
	Claimed       int64   `parquet:"claimed" doc:"visits of which only the name is known"`
	Contradicted  int64   `parquet:"contradicted" doc:"visits from addresses that are not the crawler's"`
	Exempt        int64   `parquet:"exempt" doc:"visits that no rule is about"`
	Allowed       int64   `parquet:"allowed" doc:"visits that were allowed"`
	Disallowed    int64   `parquet:"disallowed" doc:"visits that a rule of the time, or of the given file, disallowed"`
	NoPromise     int64   `parquet:"no_promise" doc:"visits that were not allowed, of a crawler whose operator does not say that it obeys"`
	Unproved      int64   `parquet:"unproved" doc:"visits that were not allowed, whose sender is not verified"`
	OldCopy       int64   `parquet:"old_copy" doc:"visits whose sender may have had a copy that allows them"`
	NotJudged     int64   `parquet:"not_judged" doc:"visits for which a copy that the sender may have had is not known"`
	Disobeyed     int64   `parquet:"disobeyed" doc:"visits that each copy that the sender may have had disallows"`
	RobotsFetches int64   `parquet:"robots_fetches" doc:"fetches of robots.txt in these logs"`
	LastRobots    *Millis `parquet:"last_robots,optional,timestamp(millisecond)" doc:"the last of these; null without one"`
	First         Millis  `parquet:"first,timestamp(millisecond)" doc:"the first visit"`
	Last          Millis  `parquet:"last,timestamp(millisecond)" doc:"the last visit"`
}

// Rows returns the table of crawlers.
func Rows(v *wire.Visits) (rows []*CrawlerRow) {
	for _, c := range v.Crawlers {
		row := &CrawlerRow{
			Crawler: c.Crawler, Operator: c.Operator, Purposes: strings.Join(c.Purposes, " "), Visits: c.Visits, Bytes: c.Bytes,
			Verified: c.Identity["verified"], Claimed: c.Identity["claimed"], Contradicted: c.Identity["contradicted"],
			Exempt: c.Results["exempt"], Allowed: c.Results["allowed"], Disallowed: disallowed(&c), NoPromise: c.Results["no-promise"],
			Unproved: c.Results["unproved"], OldCopy: c.Results["old-copy"], NotJudged: c.Results["not-judged"], Disobeyed: c.Results["disobeyed"],
			RobotsFetches: c.RobotsFetches, First: Millis(c.First.UnixMilli()), Last: Millis(c.Last.UnixMilli()),
		}
		if c.LastRobots != nil {
			row.LastRobots = new(Millis(c.LastRobots.UnixMilli()))
		}
		rows = append(rows, row)
	}
	return rows
}

// Tables returns the tables of visits.
func Tables() []audit.TableSchema {
	return []audit.TableSchema{{Name: "crawlers", Columns: audit.ColumnsOf[CrawlerRow]()}, {Name: "hits", Columns: audit.ColumnsOf[Row]()}}
}

// WriteTable writes the table of crawlers in a format of package table.
func WriteTable(out io.Writer, config table.Config, v *wire.Visits) error {
	b := bufio.NewWriter(out)
	config.Columns = nil
	for _, name := range audit.ColumnsOf[CrawlerRow]() {
		config.Columns = append(config.Columns, table.Column{Name: name.Name})
	}
	w := table.New(b, config)
	for _, row := range Rows(v) {
		if err := audit.WriteCells(w, row); err != nil {
			return err
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return b.Flush()
}
