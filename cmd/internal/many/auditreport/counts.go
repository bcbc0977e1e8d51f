package auditreport

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
	"github.com/kosterhq/robotstxt/cmd/internal/inout/table"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
	"github.com/kosterhq/robotstxt/crawlers"
)

// Counts are the counts of an audit, ready to print.
type Counts struct {
	Crawls   []*audit.Summary    // at least one
	Compared []*audit.Comparison // see [audit.Census.Compare]
	Top      int                 // the number of crawlers to print, those that most sites close to first; 0 means all

	Incomplete []*audit.InputError // inputs that were not read to their ends

	Provenance *wire.AuditProvenance // nil: none
}

// Print prints the counts. With Excel, CSV has the form that spreadsheet programs read.
func (c *Counts) Print(t *term.Terminal, format table.Format, excel bool) error {
	return t.Print(func(out *bufio.Writer) error {
		switch format {
		case table.JSON:
			return term.PrintJSON(out, c.wire())
		case table.Text:
			c.text(t, out)
		default:
			c.rows(out, table.Config{Format: format, Excel: excel})
		}
		return nil
	})
}

// last returns the counts of a crawler in the last crawl with it.
func (c *Counts) last(crawler string) (last *audit.CrawlerCount) {
	for _, s := range c.Crawls {
		last = cmp.Or(s.Crawlers[crawler], last)
	}
	return last
}

// names returns the crawlers to print: by purpose, or with --top the crawlers that most sites
// close to.
func (c *Counts) names() []string {
	var names []string
	for _, s := range c.Crawls {
		names = slices.AppendSeq(names, maps.Keys(s.Crawlers))
	}
	slices.Sort(names)
	names = slices.Compact(names)
	slices.SortFunc(names, func(a, b string) int {
		order := 0
		if c.Top > 0 {
			order = cmp.Compare(c.last(b).ClosedByFile(), c.last(a).ClosedByFile())
		}
		return cmp.Or(order, strings.Compare(purposeOf(a), purposeOf(b)),
			strings.Compare(strings.ToLower(a), strings.ToLower(b)))
	})
	if c.Top > 0 {
		names = names[:min(len(names), c.Top)]
	}
	return names
}

// rule returns a sentence about the captures that are counted.
func (c *Counts) rule() string {
	schemes := slices.ContainsFunc(c.Crawls, func(s *audit.Summary) bool { return s.Schemes })
	return c.Crawls[0].By.Rule(schemes)
}

// text prints the counts for people. The output keeps its error.
func (c *Counts) text(t *term.Terminal, out *bufio.Writer) {
	for _, s := range c.Crawls {
		if s.Label != "" {
			fmt.Fprintf(out, "%s: ", term.Escape(s.Label))
		}
		fmt.Fprintf(out, "%s: %s\n", Sites(s.By, s.Sites), strings.Join(kinds(s), ", "))
	}
	var known []string
	for _, s := range c.Crawls {
		of := Sites(s.By, s.Known)
		if s.Label != "" {
			of += " of " + term.Escape(s.Label)
		}
		known = append(known, of)
	}
	last := c.Crawls[len(c.Crawls)-1]
	fmt.Fprintf(out, "%s With rules or closed by status: %s.\n", c.rule(), strings.Join(known, ", "))
	sentences := faults(c.Crawls)
	for _, sentence := range append(sentences, headline(c.Crawls, c.Compared), moved(last.By, c.Compared)) {
		if sentence != "" {
			fmt.Fprintln(out, sentence)
		}
	}
	screen, _ := t.Size()
	newTable := func(labels []table.Column, numbers ...string) *table.Writer {
		fmt.Fprintln(out)
		for _, name := range numbers {
			labels = append(labels, table.Column{Name: name, Right: true})
		}
		return table.New(out, table.Config{Format: table.Text, Screen: screen, Columns: labels})
	}
	if len(last.Crawlers) == 0 || !anySites(c.Crawls) {
		return
	}
	if len(c.Crawls) == 1 {
		c.single(last, newTable)
	} else {
		c.beforeAfter(out, newTable)
	}
	for _, sentence := range c.meanings() {
		fmt.Fprintln(out, sentence)
	}
	c.changes(out, newTable)
	c.strata(newTable)
}

// anySites reports whether anything was counted.
func anySites(crawls []*audit.Summary) bool {
	return slices.ContainsFunc(crawls, func(s *audit.Summary) bool { return s.Sites > 0 })
}

// meanings returns what the words of the table of crawlers mean.
func (c *Counts) meanings() (sentences []string) {
	sentences = append(sentences, withRules(c.Crawls))
	if slices.ContainsFunc(c.Crawls, func(s *audit.Summary) bool { return s.ClosedByStatus > 0 }) {
		sentences = append(sentences, byStatus(c.Crawls))
	}
	if text := purposeMeaning(c.Crawls, c.Compared); text != "" {
		sentences = append(sentences, text+" --format csv shows the purposes of each crawler.")
	}
	for _, word := range []string{"named", "by name", "closed", "home closed", "read as"} {
		sentences = append(sentences, meanings[word])
	}
	return sentences
}

// tableMaker begins a table with columns of text and columns of numbers.
type tableMaker func(labels []table.Column, numbers ...string) *table.Writer

// kinds returns the numbers of sites in words, by what was read.
func kinds(s *audit.Summary) (kinds []string) {
	add := func(n int, what string) {
		if n > 0 {
			kinds = append(kinds, term.Thousands(n)+" "+what)
		}
	}
	add(s.Bodies[robotstxt.BodyText], "text")
	add(s.Bodies[robotstxt.BodyEmpty], "empty")
	add(s.OpenByStatus, "open by status")
	add(s.ClosedByStatus, "closed by status")
	add(s.Bodies[robotstxt.BodyHTML], "web pages")
	add(s.Bodies[robotstxt.BodyBinary], "binary")
	for _, problem := range audit.MostFirst(s.Problems) {
		add(s.Problems[problem], problemShort(s.By, problem))
	}
	if lost := audit.Sum(s.Lost); lost > 0 {
		kinds = append(kinds, "apart from "+term.Count(lost, "record", "records")+" without a known site")
	}
	if len(kinds) == 0 {
		kinds = []string{"no robots.txt was found"}
	}
	return kinds
}

func problemShort(by audit.By, problem string) string {
	switch {
	case problem != string(audit.Redirect):
		return problem
	case by == audit.ByCapture:
		return "redirected, not followed"
	}
	return "redirected out of the crawl"
}

// column is a column of counts. An optional one is omitted if all its cells are 0.
type column struct {
	name    string
	count   func(*audit.CrawlerCount) int
	isExtra bool                          // optional
	of      func(*audit.CrawlerCount) int // the denominator of a share; nil: sitesWithRules
}

// namedColumn heads the sites that name a crawler. * is not the name of one, so it has none.
const namedColumn = "named"

func treatment(t audit.Treatment) func(*audit.CrawlerCount) int {
	return func(c *audit.CrawlerCount) int { return c.Treatments[t] }
}

func named(c *audit.CrawlerCount) int { return c.Matched[robotstxt.MatchedByName] }

// withFile returns the sites with a file that is text or empty.
func withFile(c *audit.CrawlerCount) (sites int) {
	for _, n := range c.Matched {
		sites += n
	}
	return sites
}

// homeClosed returns the sites with rules whose home page is closed. A fault closes it too, and is not counted.
func homeClosed(c *audit.CrawlerCount) int { return c.HomeClosed - c.Treatments[audit.ClosedByStatus] }

func closedByFile(c *audit.CrawlerCount) int { return c.ClosedByFile() }

func sitesWithRules(c *audit.CrawlerCount) int { return c.WithRules() }

func knownSites(c *audit.CrawlerCount) int { return c.Sum() }

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
func (c *Counts) single(s *audit.Summary, newTable tableMaker) {
	columns := []column{
		{namedColumn, named, false, nil}, {"closed by name", treatment(audit.ClosedByName), false, nil}, {"closed by fallback", treatment(audit.ClosedByFallback), true, nil}, {"closed by *", treatment(audit.ClosedByStar), false, nil},
		{"by status", treatment(audit.ClosedByStatus), true, nil}, {"partly", (*audit.CrawlerCount).Partly, false, nil},
		{"open", (*audit.CrawlerCount).Open, false, nil}, {"home closed", homeClosed, false, nil},
		{"depends on the parser", treatment(audit.Depends), true, nil}, {"undecided", treatment(audit.Undecided), true, nil}, {"cannot be named", treatment(audit.Unnamed), true, nil},
	}
	columns, heads := counted(columns, []*audit.Summary{s})
	heads = append([]string{"closed by file"}, heads...)
	w := newTable([]table.Column{{Name: "crawler", Least: 10}, {Name: "purpose", Least: 6}, {Name: "read as"}}, heads...)
	for _, name := range c.names() {
		crawler := s.Crawlers[name]
		cells := []any{name, purposeOf(name), crawler.Reading, percentOf(crawler.Treatments)}
		for _, column := range columns {
			if name == "*" && column.name == namedColumn {
				cells = append(cells, "")
				continue
			}
			cells = append(cells, column.count(crawler))
		}
		_ = w.Row(cells...)
	}
	_ = w.Flush()
}

// percentOf returns the share of sites with rules that are closed by their file, "" if nothing is known.
func percentOf(t audit.Treatments) string {
	if t.Sum() == t[audit.Unnamed] || t.WithRules() == 0 {
		return ""
	}
	return Percent(float64(t.ClosedByFile()) / float64(t.WithRules()))
}

func (c *Counts) beforeAfter(out *bufio.Writer, newTable tableMaker) {
	columns := []column{
		{"closed by file", closedByFile, false, nil}, {"by name", treatment(audit.ClosedByName), false, nil}, {"by fallback", treatment(audit.ClosedByFallback), true, nil}, {"by *", treatment(audit.ClosedByStar), false, nil}, {"by status", treatment(audit.ClosedByStatus), true, knownSites},
		{"home closed", homeClosed, false, nil}, {namedColumn, named, false, nil}, {"partly", (*audit.CrawlerCount).Partly, false, nil}, {"open", (*audit.CrawlerCount).Open, false, nil}, {"depends on the parser", treatment(audit.Depends), true, nil},
		{"undecided", treatment(audit.Undecided), true, nil},
	}
	columns, heads := counted(columns, c.Crawls)
	if note := bothNote(c.Crawls, c.Compared); note != "" {
		fmt.Fprintf(out, "\n%s\n", note)
	}
	w := newTable([]table.Column{{Name: "crawler", Least: 10}, {Name: "read as"}}, heads...)
	for _, name := range c.names() {
		cells := []any{name, cmp.Or(c.last(name).Reading, "cannot be named")}
		for _, column := range columns {
			if name == "*" && column.name == namedColumn {
				cells = append(cells, "")
				continue
			}
			crawls, of := c.Crawls, column.of
			if of == nil {
				crawls, of = sharesOf(c.Crawls, c.Compared, name), sitesWithRules
			}
			cells = append(cells, FromTo(crawls, name, column.count, of))
		}
		_ = w.Row(cells...)
	}
	_ = w.Flush()
}

const shownMoved = 10

// changes prints the changes from the first crawl to the last, and then from each of several
// crawls to the next.
func (c *Counts) changes(out *bufio.Writer, newTable tableMaker) {
	if len(c.Compared) == 0 {
		return
	}
	r := c.Compared[len(c.Compared)-1]
	fmt.Fprintf(out, "\nFrom %s to %s: %s in both crawls, %s only in %s, %s only in %s\n%s\n", term.Escape(r.Before), term.Escape(r.After),
		Sites(c.Crawls[0].By, r.Sites), term.Thousands(r.Vanished), term.Escape(r.Before),
		term.Thousands(r.Appeared), term.Escape(r.After), meanings["changes"]+" "+meanings["fault changes"])
	w := newTable([]table.Column{{Name: "crawler", Least: 10}}, append([]string{rulesInBoth}, moveHeads...)...)
	for _, name := range c.changed(r) {
		_ = w.Row(moveRow(r, name)...)
	}
	_ = w.Flush()
	words := printMoved(out, c.Crawls[0].By, "Less open now", "less", r.Closed)
	words += printMoved(out, c.Crawls[0].By, "More open now", "more", r.Opened)
	for _, sentence := range mostly(words) {
		fmt.Fprintln(out, sentence)
	}
	c.steps(out, newTable)
}

// changed returns the crawlers to print, the crawlers with most changes first.
func (c *Counts) changed(r *audit.Comparison) []string {
	names := c.names()
	return slices.DeleteFunc(ByChange(r), func(name string) bool { return !slices.Contains(names, name) })
}

// steps prints the changes from each crawl to the next, for the crawlers that have any.
func (c *Counts) steps(out *bufio.Writer, newTable tableMaker) {
	if len(c.Compared) < 2 {
		return
	}
	fmt.Fprint(out, "\nFrom each crawl to the next:\n")
	w := newTable([]table.Column{{Name: "from", Least: 4}, {Name: "to", Least: 4}, {Name: "crawler", Least: 10}},
		append([]string{rulesInBoth}, moveHeads...)...)
	for _, r := range c.Compared[:len(c.Compared)-1] {
		for _, name := range c.changed(r) {
			if hasMoves(r.Crawlers[name]) {
				_ = w.Row(moveRow(r, name, r.Before, r.After)...)
			}
		}
	}
	_ = w.Flush()
}

// moveRow returns a row of texts, a crawler and the counts of its change.
func moveRow(c *audit.Comparison, crawler string, texts ...any) []any {
	cells := append(texts, crawler, rulesOf(c, crawler))
	for _, n := range moveCounts(c.Crawlers[crawler]) {
		cells = append(cells, n)
	}
	return cells
}

// printMoved prints the sites that moved in one direction, and returns the descriptions of their changes.
func printMoved(out io.Writer, by audit.By, title, direction string, sites audit.MovedSites) (descriptions string) {
	if sites.ByStatus > 0 {
		fmt.Fprintf(out, "\n%s\n", movedByStatus(by, direction, sites.ByStatus))
	}
	if sites.Count == 0 {
		return ""
	}
	fmt.Fprintf(out, "\n%s:\n", title)
	shown := sites.Most[:min(len(sites.Most), shownMoved)]
	for _, moved := range shown {
		fmt.Fprintf(out, "  %s: %s\n", term.Escape(moved.Site), Describe(moved))
		descriptions += Describe(moved)
	}
	if more := sites.Count - len(shown); more > 0 {
		fmt.Fprintf(out, "  and %s more\n", term.Thousands(more))
	}
	return descriptions
}

func (c *Counts) strata(newTable tableMaker) {
	if len(c.Crawls[0].Strata) == 0 {
		return
	}
	labels := []table.Column{{Name: "crawler", Least: 10}, {Name: "stratum", Least: 10}}
	if len(c.Crawls) > 1 {
		labels = append([]table.Column{{Name: "crawl", Least: 6}}, labels...)
	}
	w := newTable(labels, string(c.Crawls[0].By)+"s with rules", "closed by file", "share", "95% confidence")
	for _, s := range c.Crawls {
		for _, row := range c.wireStrata(s) {
			if len(c.Crawls) > 1 {
				w.Cell(s.Label)
			}
			low, high := audit.Interval(row.ClosedByFile, row.WithRules)
			_ = w.Row(row.Crawler, row.Stratum, row.WithRules, row.ClosedByFile,
				shareOr(row.ClosedByFile, row.WithRules), Percent(low)+" to "+Percent(high))
		}
	}
	_ = w.Flush()
}

// rows prints a row for each crawl and crawler, and with strata for each stratum too.
func (c *Counts) rows(out *bufio.Writer, config table.Config) {
	names := []string{
		"crawl", "crawler", "purposes", "reading", "stratum", "sites", "closed_by_name", "closed_by_star", "closed_by_status", "partly", "open", "open_by_status",
		"depends", "undecided", "unnamed", "named", "home_closed", "closed",
		"partly_by_name", "closed_by_file", "with_rules", "closed_by_file_low", "closed_by_file_high",
		"closed_by_file_in_both", "with_rules_in_both", "weight", "weight_closed_by_file", "weight_partly_by_name",
		"closed_by_fallback",
	}
	for _, name := range names {
		config.Columns = append(config.Columns, table.Column{Name: name})
	}
	w := table.New(out, config)
	row := func(s *audit.Summary, name, stratum string, t audit.Tally, weight *audit.Weight, more [4]any) {
		low, high := audit.Interval(t.ClosedByFile(), t.WithRules())
		_ = w.Row(s.Label, name, purposeOf(name), s.Crawlers[name].Reading, stratum,
			t.Sum(), t.Treatments[audit.ClosedByName], t.Treatments[audit.ClosedByStar],
			t.Treatments[audit.ClosedByStatus], t.Partly(),
			t.Treatments[audit.FullyOpen], t.Treatments[audit.OpenByStatus],
			t.Treatments[audit.Depends], t.Treatments[audit.Undecided], t.Treatments[audit.Unnamed], more[0], more[1],
			t.Closed(), t.PartlyByName, t.ClosedByFile(), t.WithRules(),
			fmt.Sprintf("%.4f", low), fmt.Sprintf("%.4f", high), more[2], more[3],
			weightCell(weight, func() float64 { return weight.WithRules }),
			weightCell(weight, func() float64 { return weight.ClosedByFile }),
			weightCell(weight, func() float64 { return weight.PartlyByName }), t.Treatments[audit.ClosedByFallback])
	}
	for _, s := range c.Crawls {
		for _, name := range c.names() {
			crawler := s.Crawlers[name]
			if crawler == nil {
				continue
			}
			more := [4]any{named(crawler), crawler.HomeClosed, "", ""}
			if in := c.inBoth(s, name); in != nil {
				more[2], more[3] = in.ClosedByFile(), in.WithRules()
			}
			row(s, name, "", crawler.Tally, crawler.Weight, more)
			for _, stratum := range s.Strata {
				if t := stratum.Crawlers[name]; t != nil {
					row(s, name, stratum.Name, *t, nil, [4]any{"", "", "", ""})
				}
			}
		}
	}
	_ = w.Flush()
}

// inBoth returns the counts of a crawler over the sites with rules in both the first and the last crawl, nil for other
// crawls.
func (c *Counts) inBoth(s *audit.Summary, name string) *audit.CrawlerCount {
	both, ok := matched(c.Compared)
	switch {
	case !ok:
		return nil
	case s == c.Crawls[0]:
		return both[0].Crawlers[name]
	case s == c.Crawls[len(c.Crawls)-1]:
		return both[1].Crawlers[name]
	}
	return nil
}

// weightCell returns a weight, "" without weights.
func weightCell(w *audit.Weight, of func() float64) string {
	if w == nil {
		return ""
	}
	return strconv.FormatFloat(of(), 'g', -1, 64)
}

// purposeOf returns the purposes of a crawler by its name in an audit, "" if it is not
// known.
func purposeOf(name string) string {
	return strings.Join(PurposesOf(name), ", ")
}

// PurposesOf returns the purposes of a crawler by its name in an audit, see [audit.PurposesOf].
func PurposesOf(name string) (purposes []string) {
	token, _, _ := strings.Cut(name, ":")
	known, _ := crawlers.Find(token)
	for _, purpose := range audit.PurposesOf(known) {
		purposes = append(purposes, string(purpose))
	}
	return purposes
}
