package visits

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/table"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
)

// forPersons are the purposes of crawlers that fetch pages for a person.
var forPersons = []string{"user-fetch", "ai-fetch"}

const (
	maxRules = 5  // lines of a crawler on the screen
	maxSites = 3  // of a crawler on the screen
	maxShown = 31 // groups of a crawler on the screen
	width    = 80 // of the screen
)

// WriteText writes the result for a screen. If out fails, WriteText returns out's
// error.
func WriteText(out io.Writer, v *wire.Visits) error {
	w := bufio.NewWriter(out)
	answer := Answer(v)
	for _, line := range answer {
		text := strings.TrimLeft(line, " ")
		indent := line[:len(line)-len(text)]
		fmt.Fprintln(w, indent+strings.Join(term.Wrap(text, width-len(indent), "  "), "\n"+indent))
	}
	if len(answer) > 0 {
		fmt.Fprintln(w)
	}
	for _, line := range Facts(v) {
		fmt.Fprintln(w, line)
	}
	crawling, fetching := Sections(v)
	s := newScreen(v)
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

// Sections returns the crawlers, and the programs that fetch pages for a person.
func Sections(v *wire.Visits) (crawling, fetching []wire.VisitCrawler) {
	for _, c := range v.Crawlers {
		if slices.Contains(forPersons, c.Purposes[0]) {
			fetching = append(fetching, c)
		} else {
			crawling = append(crawling, c)
		}
	}
	return crawling, fetching
}

func isListed(v *wire.Visits) bool { return len(v.Lists) > 0 || v.DNS }

// Facts returns escaped lines about the logs, and about the files and lists with
// which they were compared.
func Facts(v *wire.Visits) (facts []string) {
	total, verified, inNone := int64(0), int64(0), int64(0)
	for _, c := range v.Crawlers {
		total += c.Visits
		verified += c.Identity["verified"]
		inNone += c.Claimed["few-lists"] + c.Claimed["no-dns"] + c.Claimed["alone"]
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
	case verified == 0 && inNone > 0 && len(v.Lists) > 0:
		facts = append(facts, "No address is in a list. Are these the addresses of a CDN?")
	case verified == 0 && inNone > 0:
		facts = append(facts, "No address has a host name of a crawler. Are these the addresses of a CDN?")
	}
	return append(facts, pending(v)...)
}

// pending returns a sentence about visits that cannot be contradicted yet.
func pending(v *wire.Visits) []string {
	visits := int64(0)
	var first, last time.Time
	for _, d := range v.Days {
		if day, err := time.Parse(time.DateOnly, d.Day); err == nil && d.Pending > 0 {
			if first.IsZero() {
				first = day
			}
			last = day
			visits += d.Pending
		}
	}
	if visits == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s: %s in no list cannot be contradicted yet. Fetch the lists daily.", dates(first, last), term.Count(int(visits), "visit", "visits"))}
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

func span(v *wire.Visits) string {
	if v.From == nil {
		return ""
	}
	return ", " + dates(*v.From, *v.To)
}

func dates(from, to time.Time) string {
	const day = "2 January 2006"
	from, to = from.UTC(), to.UTC()
	switch {
	case from.Format(day) == to.Format(day):
		return to.Format(day)
	case from.Format("January 2006") == to.Format("January 2006"):
		return from.Format("2") + " to " + to.Format(day)
	case from.Year() == to.Year():
		return from.Format("2 January") + " to " + to.Format(day)
	}
	return from.Format(day) + " to " + to.Format(day)
}

func identityWords(v *wire.Visits) string {
	var parts []string
	if last, known := lastList(v); known {
		parts = append(parts, "lists of "+last.UTC().Format("2 January"))
	}
	if v.DNS {
		parts = append(parts, "DNS")
	}
	return strings.Join(parts, " and ")
}

// Column is a column of the table of crawlers.
type Column struct {
	Name   string
	Cell   func(c *wire.VisitCrawler) string // escaped
	Number bool
	spare  bool // a line below the row has it too
}

const notInList = "not in its list"

// shownFalse returns how many visits were not from the crawler.
func shownFalse(c *wire.VisitCrawler) int64 {
	return c.Identity["not-listed"] + c.Identity["contradicted"]
}

// Columns returns the columns after the names of crawlers.
func Columns(v *wire.Visits) []Column {
	all := []Column{{Name: "purpose", Cell: func(c *wire.VisitCrawler) string { return term.Escape(c.Purposes[0]) }}}
	number := func(name string, of func(c *wire.VisitCrawler) int64) {
		all = append(all, Column{Name: name, Number: true, Cell: func(c *wire.VisitCrawler) string {
			return thousands(of(c))
		}})
	}
	number("visits", func(c *wire.VisitCrawler) int64 { return c.Visits })
	if isListed(v) {
		number("verified", func(c *wire.VisitCrawler) int64 { return c.Identity["verified"] })
		number("name only", func(c *wire.VisitCrawler) int64 { return c.Identity["claimed"] })
		number(notInList, shownFalse)
		all[3].spare, all[4].spare = true, true
	}
	if v.Judged != "nothing" {
		number("disallowed", disallowed)
	}
	if isJudged(v) {
		number("not proved", notProved)
		number("disobeyed", func(c *wire.VisitCrawler) int64 { return c.Results["disobeyed"] })
	}
	return all
}

func isJudged(v *wire.Visits) bool { return v.Judged == "history" || v.Judged == "served-since" }

// disallowed returns how many visits a rule disallowed at their time.
func disallowed(c *wire.VisitCrawler) (n int64) {
	for _, rule := range c.Rules {
		n += rule.Visits
	}
	return n
}

// notProved returns how many visits might have disobeyed.
func notProved(c *wire.VisitCrawler) int64 { return audit.Sum(c.NotProved) }

// screen writes tables of crawlers with the same columns.
type screen struct {
	visits  *wire.Visits
	columns []Column
	widths  []int
}

// newScreen chooses the columns: spare ones are omitted until a row fits.
func newScreen(v *wire.Visits) *screen {
	s := &screen{visits: v, columns: append([]Column{{Name: "crawler", Cell: func(c *wire.VisitCrawler) string {
		return term.Escape(c.Crawler)
	}}}, Columns(v)...)}
	total := -2
	for _, c := range s.columns {
		most := len(c.Name)
		for n := range v.Crawlers {
			most = max(most, term.Width(c.Cell(&v.Crawlers[n])))
		}
		s.widths = append(s.widths, most)
		total += most + 2
	}
	for total > width {
		i := slices.IndexFunc(s.columns, func(c Column) bool { return c.spare })
		if i < 0 {
			break
		}
		total -= s.widths[i] + 2
		s.columns, s.widths = slices.Delete(s.columns, i, i+1), slices.Delete(s.widths, i, i+1)
	}
	return s
}

func (s *screen) write(w io.Writer, title string, crawlers []wire.VisitCrawler) {
	if len(crawlers) == 0 {
		return
	}
	fmt.Fprintln(w)
	if title != "" {
		fmt.Fprintln(w, title)
	}
	s.row(w, func(c Column) string { return c.Name })
	for n := range crawlers {
		c := &crawlers[n]
		s.row(w, func(column Column) string { return column.Cell(c) })
		for _, about := range []string{traffic(c), sites(c), s.identity(c), results(c), s.evidence(c)} {
			if about != "" {
				fmt.Fprintln(w, "  "+strings.Join(term.Wrap(about, width-2, "  "), "\n  "))
			}
		}
		s.rules(w, c)
		groups(w, c)
	}
}

// groups writes the groups of a crawler.
func groups(w io.Writer, c *wire.VisitCrawler) {
	for i, g := range c.Groups {
		if i == maxShown {
			fmt.Fprintf(w, "  and %s\n", term.Count(len(c.Groups)-i, "other group", "other groups"))
			return
		}
		text := fmt.Sprintf("  %s  %s", term.Clip(term.Escape(g.Name), width/2), term.Count(int(g.Visits), "visit", "visits"))
		if g.Disallowed > 0 {
			text += ", disallowed " + thousands(g.Disallowed)
		}
		if g.Disobeyed > 0 {
			text += ", disobeyed " + thousands(g.Disobeyed)
		}
		fmt.Fprintln(w, text)
	}
}

func (s *screen) row(w io.Writer, cell func(c Column) string) {
	var cells []string
	for i, c := range s.columns {
		text := cell(c)
		blanks := term.Pad(text, s.widths[i])
		if c.Number {
			text = blanks + text
		} else {
			text += blanks
		}
		cells = append(cells, text)
	}
	fmt.Fprintln(w, strings.TrimRight(strings.Join(cells, "  "), " "))
}

const minute = "2 Jan 15:04"

// traffic returns when a crawler came, and what the site sent.
func traffic(c *wire.VisitCrawler) string {
	robots := "none in these logs"
	if c.LastRobots != nil {
		robots = fmt.Sprintf("%s, last in these logs %s", thousands(c.RobotsFetches), c.LastRobots.UTC().Format(minute))
	}
	return fmt.Sprintf("%s to %s; %s; %s; robots.txt %s", c.First.UTC().Format(minute), c.Last.UTC().Format(minute), size(c.Bytes), statuses(c), robots)
}

func statuses(c *wire.VisitCrawler) string {
	classes := map[string]int64{}
	for status, n := range c.Statuses {
		if len(status) == 3 {
			classes[status[:1]+"xx"] += n
		} else {
			classes["no status"] += n
		}
	}
	return counted(classes, slices.Sorted(maps.Keys(classes)), nil)
}

// counted returns the counts of some keys in words, in the order of the keys.
func counted(counts map[string]int64, keys []string, words map[string]string) string {
	var parts []string
	for _, key := range keys {
		if n := counts[key]; n > 0 {
			parts = append(parts, cmp.Or(words[key], key)+" "+thousands(n))
		}
	}
	return strings.Join(parts, ", ")
}

// sites returns the sites that a crawler visited, if the logs have several.
func sites(c *wire.VisitCrawler) string {
	if len(c.Sites) < 2 {
		return ""
	}
	names := slices.SortedFunc(maps.Keys(c.Sites), func(a, b string) int {
		return cmp.Or(cmp.Compare(c.Sites[b], c.Sites[a]), strings.Compare(a, b))
	})
	var parts []string
	for _, name := range names[:min(len(names), maxSites)] {
		part := fmt.Sprintf("%s %s", term.Escape(strings.TrimPrefix(name, "https://")), thousands(c.Sites[name]))
		if n := c.Disobeyed[name]; n > 0 {
			part += ", of which " + thousands(n) + " disobeyed"
		}
		parts = append(parts, part)
	}
	if more := len(names) - maxSites; more > 0 {
		parts = append(parts, term.Count(more, "other site", "other sites"))
	}
	return "sites: " + strings.Join(parts, "; ")
}

// evidence names the line of a log that shows the first visit of a crawler that disobeyed.
func (s *screen) evidence(c *wire.VisitCrawler) string {
	i := slices.IndexFunc(s.visits.Proofs, func(p wire.VisitProof) bool { return p.Crawler == c.Crawler })
	if i < 0 {
		return ""
	}
	p := &s.visits.Proofs[i]
	return fmt.Sprintf("first proof: line %d of %s, %s, %s %s", p.Line, term.Escape(p.Log), p.Time.UTC().Format(minute),
		term.Escape(p.Method), term.Clip(term.Escape(p.Target), width/2))
}

// identity returns which visits are not verified, and why.
func (s *screen) identity(c *wire.VisitCrawler) string {
	if !isListed(s.visits) {
		return ""
	}
	var parts []string
	isColumn := slices.ContainsFunc(s.columns, func(c Column) bool { return c.Name == notInList })
	if n := shownFalse(c); n > 0 && !isColumn {
		parts = append(parts, notInList+" "+thousands(n))
	}
	if n := c.Identity["claimed"]; n > 0 {
		words := claimedWords
		if s.visits.DNS {
			words = maps.Clone(words)
			words["no-dns"] = "DNS does not tell"
		}
		parts = append(parts, fmt.Sprintf("name only %s (%s)", thousands(n), counted(c.Claimed, claimedReasons, words)))
	}
	return strings.Join(parts, "; ")
}

// claimedReasons are the reasons why a visit has only a name, in the order of the screen.
var claimedReasons = []string{"no-address", "shortened", "proxy", "unpublished", "no-list", "few-lists", "moved", "other-list", "no-dns", "alone"}

var claimedWords = map[string]string{
	"no-address": "no address", "shortened": "a shortened address", "proxy": "a proxy's address", "unpublished": "its addresses are not published", "no-list": "no list of that time",
	"few-lists": "in no list so far", "moved": "in the list before, but not after", "other-list": "in another list of its operator", "no-dns": "only --dns can tell",
	"alone": "in no list, like all its visits",
}

// withheldReasons are the reasons why a visit of a crawler is not a proof, in the order of the screen,
// without those that the identity shows.
var withheldReasons = []string{"site", "slow", "no-query", "decoded", "list-far", "refused", "redirected", "outage", "logs-begin", "logs-gap", "copy", "unknown-copy", "reading"}

// isWithheld reports whether a reason is one of withheldReasons.
func isWithheld(why Why) bool { return slices.Contains(withheldReasons, string(why)) }

var withheldWords = map[string]string{
	"site": "perhaps to another site", "slow": "time of the request unknown", "no-query": "targets without queries", "decoded": "targets changed by the server",
	"list-far": "lists of other weeks", "refused": "robots.txt was refused", "redirected": "robots.txt redirected to no file", "outage": "robots.txt failed or was empty", "logs-begin": "logs begin too late",
	"logs-gap": "a day of the logs is missing", "copy": "might have an older copy", "unknown-copy": "a copy is unknown", "reading": "might read the file otherwise",
}

func results(c *wire.VisitCrawler) string {
	words := map[string]string{
		"disobeyed": "disallowed by every copy it might have", "old-copy": "might have other rules", "not-judged": "not enough is known",
		"unproved": "sender not verified", "no-promise": "no promise to obey", "exempt": "outside",
	}
	text := counted(c.Results, []string{"allowed", "disallowed", "no-promise", "unproved", "old-copy", "not-judged", "disobeyed", "exempt"}, words)
	if len(c.Exempt) > 0 {
		text += " (" + counted(c.Exempt, []string{"robots-txt", "redirect", "no-target", "method", "other-site", "named"}, map[string]string{
			"robots-txt": "robots.txt", "redirect": "where it redirects", "no-target": "no target", "method": "not GET or HEAD", "other-site": "another site", "named": "named by robots.txt",
		}) + ")"
	}
	if why := counted(c.NotProved, withheldReasons, withheldWords); why != "" {
		text += "; not proved: " + why
	}
	return text
}

func (s *screen) rules(w io.Writer, c *wire.VisitCrawler) {
	group := ""
	for i, rule := range c.Rules {
		if i == maxRules {
			fmt.Fprintf(w, "  and %s\n", term.Count(len(c.Rules)-i, "other line", "other lines"))
			break
		}
		if rule.Group != group {
			group = rule.Group
			fmt.Fprintf(w, "  disallowed by the group for %s\n", term.Escape(group))
		}
		where := "line " + strconv.Itoa(rule.Line)
		if s.visits.Judged == "history" {
			where += " of " + rule.SHA256[:min(len(rule.SHA256), 12)]
		}
		text := fmt.Sprintf("  %s  %s  %s, for example ", where, term.Clip(term.Escape(rule.Rule), 30), term.Count(int(rule.Visits), "visit", "visits"))
		fmt.Fprintln(w, text+term.Clip(term.Escape(rule.Example), max(width-term.Width(text), 16)))
	}
}

// Others returns escaped lines about requests that were not judged.
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
		others = append(others, "Without a target, such as port scans: "+term.Count(int(v.Pathless), "request", "requests"))
	}
	if v.Unreadable > 0 {
		others = append(others, "Not readable: "+lines(v.Unreadable))
	}
	return others
}

func lines(n int64) string { return term.Count(int(n), "line", "lines") }

func thousands(n int64) string { return term.Thousands(int(n)) }

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
	Purposes      string  `parquet:"purposes" doc:"the purposes for which it fetches pages, the main one first, separated by spaces"`
	Visits        int64   `parquet:"visits" doc:"requests with its name"`
	Bytes         int64   `parquet:"bytes" doc:"bytes of the responses, as far as the logs have them"`
	Verified      int64   `parquet:"verified" doc:"visits whose sender is verified"`
	Claimed       int64   `parquet:"claimed" doc:"visits with the name as the only evidence"`
	NotListed     int64   `parquet:"not_listed" doc:"visits from addresses that no list of the crawler's operator has"`
	Contradicted  int64   `parquet:"contradicted" doc:"visits from addresses that are not the crawler's according to DNS"`
	Exempt        int64   `parquet:"exempt" doc:"visits to which no rule applies"`
	Allowed       int64   `parquet:"allowed" doc:"visits that were allowed"`
	Disallowed    int64   `parquet:"disallowed" doc:"visits that a rule of the time, or of the given file, disallowed"`
	NoPromise     int64   `parquet:"no_promise" doc:"visits that were not allowed, of a crawler whose operator does not state that it obeys"`
	Unproved      int64   `parquet:"unproved" doc:"visits that were not allowed, whose sender is not verified for that time"`
	OldCopy       int64   `parquet:"old_copy" doc:"visits whose sender might have had a copy, or read one in a way, that allows them"`
	NotJudged     int64   `parquet:"not_judged" doc:"visits for which the logs, or the copies that the sender might have had, are not known enough"`
	Disobeyed     int64   `parquet:"disobeyed" doc:"visits that every copy that the sender might have had disallows"`
	RobotsFetches int64   `parquet:"robots_fetches" doc:"fetches of robots.txt in these logs"`
	LastRobots    *Millis `parquet:"last_robots,optional,timestamp(millisecond)" doc:"the last of these; null without one"`
	First         Millis  `parquet:"first,timestamp(millisecond)" doc:"the first visit"`
	Last          Millis  `parquet:"last,timestamp(millisecond)" doc:"the last visit"`
}

// Rows returns the table of crawlers.
func Rows(v *wire.Visits) (rows []*CrawlerRow) {
	for _, c := range v.Crawlers {
		row := &CrawlerRow{
			Crawler: c.Crawler, Operator: c.Operator, Purposes: strings.Join(c.Purposes, " "), Visits: c.Visits,
			Bytes:    c.Bytes,
			Verified: c.Identity["verified"], Claimed: c.Identity["claimed"], NotListed: c.Identity["not-listed"], Contradicted: c.Identity["contradicted"],
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
	return []audit.TableSchema{{Name: "crawlers", Columns: audit.ColumnsOf[CrawlerRow]()},
		{Name: "hits", Columns: audit.ColumnsOf[Row]()}, {Name: "addresses", Columns: audit.ColumnsOf[AddressRow]()}}
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
