package auditreport

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
	"github.com/kosterhq/robotstxt/cmd/internal/many/visits"
	"github.com/kosterhq/robotstxt/cmd/internal/show/prose"
	"github.com/kosterhq/robotstxt/crawlers"
)

// maxDays is the number of days on a page about visits, the latest ones.
const maxDays = 62

// visitKeys are the parts of a bar of a day.
var visitKeys = []key{
	{"name", "visits of crawlers for AI training"}, {"star", "visits of other crawlers"}, {"partly", "of these, visits that robots.txt disallowed"},
}

// WriteVisits writes a page about the visits of crawlers: a bar for each
// day, and a row for each crawler. The page contains no address and no
// target. If w fails, WriteVisits returns w's error.
func WriteVisits(w io.Writer, v *wire.Visits, created time.Time) error {
	site := strings.ReplaceAll(term.Escape(strings.Join(v.Sites, " and ")), "https://", "")
	if site == "" {
		site = "the logs"
	}
	var m page
	m.begin("Crawlers at " + site)
	m.Print("<header>\n<h1>Crawlers at <bdi>%s</bdi></h1>\n<p class=\"weak\">Written by <code>robots visits</code>, %s. All times are UTC.</p>\n</header>\n<main>\n",
		site, created.UTC().Format("2 January 2006, 15:04 UTC"))
	m.paragraphs(visits.Answer(v))
	m.paragraphs(visits.Facts(v))
	m.figure(daysFigure(v))
	if f := chartsFigure(v); len(f.Rows) > 0 {
		m.figure(f)
	}
	crawling, fetching := visits.Sections(v)
	m.figure(crawlersFigure(v, "crawlers", "Crawlers", crawling))
	if len(fetching) > 0 {
		m.figure(crawlersFigure(v, "persons", "For a person", fetching))
	}
	m.paragraphs(visits.Others(v))
	m.Print("</main>\n<footer>\n<p>Any client can send any name: only a verified visit is known to be from the crawler. A visit disobeyed if each copy of robots.txt that its sender can have had disallowed it. A visit that was disallowed at its time can be due to an older copy, which crawlers may use for a day or longer.</p>\n</footer>\n")
	m.end()
	_, err := io.WriteString(w, m.String())
	return err
}

func daysFigure(v *wire.Visits) *figure {
	days := v.Days[max(0, len(v.Days)-maxDays):]
	most := int64(0)
	for _, d := range days {
		most = max(most, audit.Sum(d.Visits))
	}
	f := &figure{ID: "days", Title: "Visits a day", Keys: visitKeys, Label: "day", Heads: []string{"visits", "disallowed"}}
	if len(v.Days) > len(days) {
		f.Text = term.Count(len(v.Days)-len(days), "day", "days") + " before these are not shown."
	}
	for _, d := range days {
		all, disallowed := audit.Sum(d.Visits), audit.Sum(d.Disallowed)
		training, disallowedTraining := d.Visits["ai-training"], d.Disallowed["ai-training"]
		others, disallowedOthers := all-training, disallowed-disallowedTraining
		// The words of both parts are about all visits, as the keys are.
		of := func(class string, width, n, disallowed int64, words string) part {
			return part{Class: class, W: float64(width), Words: fmt.Sprintf("%s: %s, %s disallowed, %s", d.Day,
				term.Count(int(n), "visit", "visits"), term.Thousands(int(disallowed)), words)}
		}
		ofTraining := func(class string, width int64) part {
			return of(class, width, training, disallowedTraining, "AI training")
		}
		ofOthers := func(class string, width int64) part {
			return of(class, width, others, disallowedOthers, "others: "+purposesOf(d.Visits))
		}
		change := ""
		if d.Changed {
			change = "robots.txt changed"
		}
		f.Rows = append(f.Rows, row{
			Label: d.Day, Under: change, Cells: []string{term.Thousands(int(all)), term.Thousands(int(disallowed))},
			Bars: bar(int(most), ofTraining("name", training-disallowedTraining), ofTraining("partly", disallowedTraining),
				ofOthers("star", others-disallowedOthers), ofOthers("partly", disallowedOthers)),
		})
	}
	return f
}

// maxCharts is the number of crawlers with a chart.
const maxCharts = 20

var chartKeys = []key{{"star", "visits"}, {"partly", "of these, visits that robots.txt disallowed"}, {"name", "of these, visits that disobeyed every copy"}}

// chartsFigure has a chart for each crawler, with a column for each day.
func chartsFigure(v *wire.Visits) *figure {
	f := &figure{ID: "charts", Title: "Each crawler by day", Keys: chartKeys, Label: "crawler", Heads: []string{"most visits a day", "on"}, Classes: "nw"}
	days := v.Days[max(0, len(v.Days)-maxDays):]
	if len(days) < 2 {
		return f
	}
	f.Text = "From " + days[0].Day + " to " + days[len(days)-1].Day + ". The highest column of a crawler is its day with most visits."
	if len(v.Crawlers) > maxCharts {
		f.Text += fmt.Sprintf(" The %d crawlers with most verified visits are shown.", maxCharts)
	}
	for _, c := range v.Crawlers[:min(len(v.Crawlers), maxCharts)] {
		if r, ok := chart(&c, days); ok {
			f.Rows = append(f.Rows, r)
		}
	}
	return f
}

// chart returns the row of a crawler. ok is false without a visit on the days.
func chart(c *wire.VisitCrawler, days []wire.VisitDay) (r row, ok bool) {
	counts := map[string]wire.VisitGroup{}
	for _, d := range c.Days {
		counts[d.Name] = d
	}
	var most wire.VisitGroup
	for _, d := range days {
		if n := counts[d.Day]; n.Visits > most.Visits {
			most = n
		}
	}
	if most.Visits == 0 {
		return r, false
	}
	b := labelledBar{IsTall: true}
	w := float64(barWidth) / float64(len(days))
	for i, d := range days {
		n := counts[d.Day]
		words := fmt.Sprintf("%s: %s, %s disallowed, %s disobeyed", d.Day, term.Count(int(n.Visits), "visit", "visits"),
			term.Thousands(int(n.Disallowed)), term.Thousands(int(n.Disobeyed)))
		bottom := float64(barHeight)
		for _, p := range []part{
			{Class: "name", H: float64(n.Disobeyed)}, {Class: "partly", H: float64(n.Disallowed - n.Disobeyed)},
			{Class: "star", H: float64(n.Visits - n.Disallowed)},
		} {
			p.H *= barHeight / float64(most.Visits)
			if p.H <= 0 {
				continue
			}
			bottom -= p.H
			p.X, p.W, p.Y, p.Words = float64(i)*w, w, bottom, words
			b.Parts = append(b.Parts, p)
		}
	}
	r = row{Label: term.Escape(c.Crawler), Under: term.Escape(c.Operator), Bars: []labelledBar{b}}
	r.Cells = []string{term.Thousands(int(most.Visits)), most.Name}
	return r, true
}

// purposesOf returns counts in words, without the counts for AI training.
func purposesOf(counts map[string]int64) string {
	var words []string
	for _, purpose := range slices.Sorted(maps.Keys(counts)) {
		if purpose != "ai-training" && counts[purpose] > 0 {
			words = append(words, prose.UseWords(crawlers.Purpose(purpose))+" "+term.Thousands(int(counts[purpose])))
		}
	}
	return strings.Join(words, ", ")
}

// crawlersFigure has a row for each of some crawlers.
func crawlersFigure(v *wire.Visits, id, title string, of []wire.VisitCrawler) *figure {
	f := &figure{ID: id, Title: title, Label: "crawler"}
	columns := visits.Columns(v)
	for _, column := range columns {
		f.Heads = append(f.Heads, column.Name)
	}
	f.Classes = "w" + strings.Repeat("n", len(f.Heads)-1)
	for _, c := range of {
		var cells []string
		for _, column := range columns {
			cells = append(cells, column.Cell(&c))
		}
		cells[0] = prose.UseWords(crawlers.Purpose(c.Purposes[0]))
		f.Rows = append(f.Rows, row{Label: term.Escape(c.Crawler), Under: term.Escape(c.Operator), Cells: cells})
	}
	return f
}
