package rows

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/table"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/show/prose"
	"github.com/kosterhq/robotstxt/origin"
)

var verdicts = [3]wire.Verdict{wire.VerdictAllowed, wire.VerdictDisallowed, wire.VerdictUnknown}

type tally struct {
	crawlers []answer.Crawler
	counts   [][3]int
	statuses []map[string]int // the verdicts that a status gives
}

func newTally(crawlers []answer.Crawler) *tally {
	return &tally{crawlers: crawlers, counts: make([][3]int, len(crawlers))}
}

func (t *tally) add(crawler int, v wire.Verdict) {
	t.counts[crawler][slices.Index(verdicts[:], v)]++
}

// addStatus counts the verdict about a URL if a status gives it.
func (t *tally) addStatus(v *answer.Visit, crawler int, verdict wire.Verdict) {
	if site := v.Ruling.Site; site != nil && site.Status > 0 && !v.Ruling.HasFile() && verdict != wire.VerdictUnknown {
		if t.statuses == nil {
			t.statuses = make([]map[string]int, len(t.crawlers))
		}
		if t.statuses[crawler] == nil {
			t.statuses[crawler] = make(map[string]int)
		}
		t.statuses[crawler][strconv.Itoa(site.Status)]++
	}
}

func (t *tally) statusesOf(crawler int) map[string]int {
	if t.statuses == nil {
		return nil
	}
	return t.statuses[crawler]
}

// table writes a row for each crawler. For people, it omits the column of unknown verdicts if
// there are none.
func (t *tally) table(c *Config, names [3]string) error {
	columns := []table.Column{{Name: "agent", Least: 10}}
	most := len(names)
	if unknown := slices.IndexFunc(t.counts, func(n [3]int) bool { return n[2] > 0 }); unknown < 0 &&
		(c.Format == table.Text || c.Format == table.Markdown) {
		most--
	}
	for _, name := range names[:most] {
		columns = append(columns, table.Column{Name: name, Right: true})
	}
	if c.Format != table.Text {
		columns = append(columns, table.Column{Name: "dialect"})
	}
	byStatus := len(c.Files) == 0 && c.Format != table.Text && c.Format != table.Markdown // which have remarks
	if byStatus {
		columns = append(columns, table.Column{Name: "statuses"})
	}
	w := table.New(c.Out, c.table(columns))
	for i, crawler := range t.crawlers {
		w.Cell(crawler.Name)
		for _, n := range t.counts[i][:most] {
			w.Number(n)
		}
		if c.Format != table.Text {
			dialect(w, crawler.ReadsIn())
		}
		if byStatus {
			var texts []string
			statuses := t.statusesOf(i)
			for _, status := range slices.Sorted(maps.Keys(statuses)) {
				texts = append(texts, fmt.Sprintf("%s: %d", status, statuses[status]))
			}
			w.Cell(strings.Join(texts, ", "))
		}
		if err := w.End(); err != nil {
			return err
		}
	}
	return cmp.Or(w.Flush(), c.readings())
}

func (t *tally) json(out io.Writer) error {
	for i, crawler := range t.crawlers {
		n := t.counts[i]
		if err := term.PrintJSON(out,
			&wire.CrawlerCount{Agent: crawler.Name, Dialect: crawler.ReadsIn(), Allowed: n[0], Disallowed: n[1],
				Unknown: n[2], Statuses: t.statusesOf(i)}); err != nil {
			return err
		}
	}
	return nil
}

func (c *Config) counted(v *answer.Visit, crawler int, verdict wire.Verdict, line int) {
	if c.Counted != nil {
		c.Counted(v, crawler, verdict, line)
	}
}

// CrawlerCounts returns a Writer of the number of URLs with each verdict, for each crawler.
// Text and Markdown end with the reasons why no line of a file decides.
func CrawlerCounts(c Config) Writer { return &crawlerCounts{config: c, tally: newTally(c.Crawlers)} }

type crawlerCounts struct {
	config  Config
	tally   *tally
	reasons rowRemarks
	row     wire.GridRow // of the current URL
}

func (w *crawlerCounts) Add(v *answer.Visit) (worst wire.Verdict, err error) {
	isShown := false
	worst, err = w.config.each(v, func(crawler int, verdict wire.Verdict, line int) error {
		isShown = true
		w.tally.add(crawler, verdict)
		w.tally.addStatus(v, crawler, verdict)
		w.config.counted(v, crawler, verdict, line)
		return nil
	})
	if isShown {
		v.BeginRow(&w.row)
		w.reasons.add(prose.NoFileRemark(&w.row))
	}
	return worst, err
}

func (w *crawlerCounts) End() error {
	if w.config.Format == table.JSON {
		return w.tally.json(w.config.Out)
	}
	err := w.tally.table(&w.config, [3]string{string(verdicts[0]), string(verdicts[1]), string(verdicts[2])})
	if err != nil || w.config.Format != table.Text && w.config.Format != table.Markdown {
		return err
	}
	return w.reasons.write(&w.config)
}

// SiteCounts returns a Writer of the number of URLs with each verdict, for each site and crawler. The
// sites are in the order of their first URLs.
func SiteCounts(c Config) Writer { return &siteCounts{config: c, sites: make(map[siteKey]*siteCount)} }

type siteCounts struct {
	config  Config
	sites   map[siteKey]*siteCount
	order   []*siteCount
	reasons rowRemarks   // of sites that gave no answer
	row     wire.GridRow // of the current URL
}

type siteKey struct {
	site origin.Origin
	file string
}

type siteCount struct {
	siteKey
	status int
	tally  *tally
}

func (w *siteCounts) Add(v *answer.Visit) (worst wire.Verdict, err error) {
	n := w.of(v)
	isShown := false
	worst, err = w.config.each(v, func(crawler int, verdict wire.Verdict, line int) error {
		isShown = true
		n.tally.add(crawler, verdict)
		w.config.counted(v, crawler, verdict, line)
		return nil
	})
	if isShown && v.Ruling.Site != nil && !v.Ruling.Site.Answered() {
		v.BeginRow(&w.row)
		w.reasons.add(prose.NoFileRemark(&w.row))
	}
	return worst, err
}

// of returns the counts of the site of a URL.
func (w *siteCounts) of(v *answer.Visit) *siteCount {
	key := siteKey{v.Site(), v.Ruling.File.Name}
	n := w.sites[key]
	if n == nil {
		n = &siteCount{siteKey: key, tally: newTally(w.config.Crawlers)}
		if v.Ruling.Site != nil {
			n.status = v.Ruling.Site.Status
		}
		w.sites[key] = n
		w.order = append(w.order, n)
	}
	return n
}

// rows calls do with each row that has a URL.
func (w *siteCounts) rows(do func(*wire.SiteCount) error) error {
	for _, n := range w.order {
		for i, crawler := range w.config.Crawlers {
			count := n.tally.counts[i]
			if count == [3]int{} {
				continue // --only omits all
			}
			row := wire.SiteCount{Site: n.site.String(), RobotsFile: n.file,
				Agent: crawler.Name, Dialect: crawler.ReadsIn(),
				Allowed: count[0], Disallowed: count[1], Unknown: count[2], Status: n.status}
			if err := do(&row); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *siteCounts) End() error {
	if w.config.Format == table.JSON {
		return w.rows(func(n *wire.SiteCount) error { return term.PrintJSON(w.config.Out, n) })
	}
	columns := []table.Column{{Name: "site", Code: true, Least: 14}, {Name: "agent", Least: 10}}
	for _, verdict := range verdicts {
		columns = append(columns, table.Column{Name: string(verdict), Right: true})
	}
	columns = append(columns, table.Column{Name: "status", Right: true})
	t := table.New(w.config.Out, w.config.table(w.config.named(columns)))
	err := w.rows(func(n *wire.SiteCount) error {
		t.Cell(n.Site)
		t.Cell(n.Agent)
		for _, urls := range []int{n.Allowed, n.Disallowed, n.Unknown} {
			t.Number(urls)
		}
		number(t, n.Status)
		if len(w.config.Files) > 1 {
			t.Cell(n.RobotsFile)
		}
		return t.End()
	})
	err = cmp.Or(err, t.Flush(), w.config.readings())
	if err != nil || w.config.Format != table.Text && w.config.Format != table.Markdown {
		return err
	}
	return w.reasons.write(&w.config)
}

// LineCounts returns a Writer of the number of URLs that each line of a robots.txt decides, the
// most frequent first. Crawlers with different numbers have separate rows. Answers that no line
// decides are counted too, by their reason.
func LineCounts(c Config) Writer { return &lineCounts{config: c, counts: make(map[lineKey]*lineCount)} }

type lineCounts struct {
	config Config
	counts map[lineKey]*lineCount
	order  []*lineCount
}

// lineKey identifies a line of a robots.txt, or the reason why none decides.
type lineKey struct {
	robots  string // its URL or the name of the file
	verdict wire.Verdict
	line    int
	reason  string // "" for a line
}

type lineCount struct {
	wire.LineCount
	urls []int32 // for each crawler
}

func (w *lineCounts) Add(v *answer.Visit) (worst wire.Verdict, err error) {
	return w.config.each(v, func(crawler int, verdict wire.Verdict, line int) error {
		w.count(v, crawler, verdict, line)
		w.config.counted(v, crawler, verdict, line)
		return nil
	})
}

// count counts the URL for the line that decides about a crawler.
func (w *lineCounts) count(v *answer.Visit, crawler int, verdict wire.Verdict, line int) {
	key := lineKey{robots: v.Ruling.File.Name, verdict: verdict, line: line}
	url := ""
	if v.Ruling.Site != nil {
		url = v.Ruling.Site.RobotsURL
		key.robots = url
	}
	if line == 0 {
		key.reason = v.Answer(crawler).Reason.String()
	}
	n := w.counts[key]
	if n == nil {
		a := v.Answer(crawler)
		n = &lineCount{ // a part of the rule's text would keep the whole file
			LineCount: wire.LineCount{RobotsURL: url, RobotsFile: v.Ruling.File.Name, Line: line,
				Rule: strings.Clone(a.Rule), Reason: a.Reason, Verdict: verdict},
			urls: make([]int32, len(w.config.Crawlers)),
		}
		if a.Reason == robotstxt.ReasonNoFile && a.Provenance != nil {
			n.FetchReason = a.FetchReason
		}
		w.counts[key] = n
		w.order = append(w.order, n)
	}
	n.urls[crawler]++
}

func (w *lineCounts) rows() (rows []wire.LineCount) {
	for _, n := range w.order {
		first := len(rows)
		for i, urls := range n.urls {
			if urls == 0 {
				continue
			}
			at := slices.IndexFunc(rows[first:], func(r wire.LineCount) bool { return r.URLs == int(urls) })
			if at < 0 {
				at = len(rows) - first
				n.URLs = int(urls)
				rows = append(rows, n.LineCount)
			}
			row := &rows[first+at]
			row.Agents = append(row.Agents, w.config.Crawlers[i].Name)
			if d := w.config.Crawlers[i].ReadsIn(); d != nil {
				row.Dialects = append(row.Dialects, *d)
			}
		}
	}
	slices.SortStableFunc(rows, func(a, b wire.LineCount) int {
		return cmp.Or(cmp.Compare(b.URLs, a.URLs), strings.Compare(a.RobotsURL, b.RobotsURL),
			strings.Compare(a.RobotsFile, b.RobotsFile), cmp.Compare(a.Line, b.Line))
	})
	return rows
}

func (w *lineCounts) End() error {
	rows := w.rows()
	if w.config.Format != table.JSON {
		return w.table(rows)
	}
	for i := range rows {
		if err := term.PrintJSON(w.config.Out, &rows[i]); err != nil {
			return err
		}
	}
	return nil
}

// table writes the counts. It omits the column of robots.txt files if there is one file.
func (w *lineCounts) table(rows []wire.LineCount) error {
	columns := []table.Column{
		{Name: "urls", Right: true}, {Name: "verdict"}, {Name: "line", Right: true}, {Name: "rule", Code: true, Least: 14}, {Name: "agents", Least: 10},
	}
	if w.config.Format != table.Text {
		columns = append(columns, table.Column{Name: "dialects"})
	}
	if len(w.config.Files) == 0 {
		columns = append(columns, table.Column{Name: "robots_url", Code: true, Least: 14})
	}
	t := table.New(w.config.Out, w.config.table(w.config.named(columns)))
	for _, n := range rows {
		t.Number(n.URLs)
		t.Styled(prose.VerdictStyle(n.Verdict), string(n.Verdict))
		number(t, n.Line)
		rule := n.Rule
		if n.Line == 0 {
			rule = "(" + n.Reason.String() + ")"
			if n.FetchReason != "" {
				rule = "(" + n.FetchReason + ")"
			}
		}
		t.Cell(rule)
		t.Cell(strings.Join(n.Agents, ", "))
		if w.config.Format != table.Text {
			t.Cell(prose.Dialects(n.Dialects...))
		}
		if len(w.config.Files) == 0 {
			t.Cell(n.RobotsURL)
		} else if len(w.config.Files) > 1 {
			t.Cell(n.RobotsFile)
		}
		if err := t.End(); err != nil {
			return err
		}
	}
	return cmp.Or(t.Flush(), w.config.readings())
}
