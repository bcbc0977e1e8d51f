package auditreport

import (
	"cmp"
	_ "embed"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
)

// Config describes a report.
type Config struct {
	Inputs []string // the names that the user typed

	Incomplete []*audit.InputError // inputs that were not read to their ends

	Created  time.Time
	Purposes func(crawler string) []string // of a crawler by its name in the audit
	// Crawls are at least one: the report is about the last crawl, and shows how the crawls differ
	Crawls   []*audit.Summary
	Compared []*audit.Comparison // see [audit.Census.Compare]

	Provenance *wire.AuditProvenance // nil: none
}

// The beginning and end of all reports.
//
//go:embed head.html
var head string

//go:embed foot.html
var foot string

// explained is the end of the report of an audit.
func (r *reporter) explained() string {
	return strings.Join([]string{meanings["closed"], meanings["mostly open"], meanings["mostly closed"], meanings["by name"],
		meanings["not known"], withRules(r.config.Crawls), byStatus(r.config.Crawls),
		"A group that closes a site to a crawler is a request: whether the crawler follows it is not measured here. Percentages are rounded."}, " ")
}

// Write writes the report. If w fails, Write returns w's error.
func Write(w io.Writer, c Config) error {
	r := &reporter{Summary: c.Crawls[len(c.Crawls)-1], config: c}
	var m page
	m.begin("robots.txt audit")
	m.Print("<header>\n<h1>%s</h1>\n<p class=\"weak\">An audit of robots.txt files with <code>robots audit</code>, %s. Input: <bdi>%s</bdi></p>\n</header>\n<main>\n",
		r.question(), c.Created.UTC().Format("2 January 2006, 15:04 UTC"), escaped(c.Inputs))
	if sentence := headline(c.Crawls, c.Compared); sentence != "" {
		m.Print("<p class=\"lead\">%s</p>\n", sentence)
	}
	for _, sentence := range append(faults(c.Crawls), moved(r.By, c.Compared)) {
		if sentence != "" {
			m.Print("<p>%s</p>\n", sentence)
		}
	}
	m.Print("<p class=\"weak\">%s %s %s</p>\n", r.counted(), withRules(c.Crawls), purposeMeaning(c.Crawls, c.Compared))
	if len(c.Incomplete) > 0 {
		m.Print("<p><strong>Not everything was read.</strong> %s</p>\n", lacking(c.Incomplete))
	}
	m.tiles(r.tiles())
	for _, f := range r.short() {
		m.figure(&f)
	}
	m.Add("<div class=\"rest\"></div>\n")
	for _, f := range r.figures() {
		m.figure(&f)
	}
	if c.Provenance != nil {
		f := provenance(c.Provenance)
		m.figure(&f)
	}
	m.Print("</main>\n<footer>\n<p>%s</p>\n</footer>\n", r.explained())
	m.end()
	_, err := io.WriteString(w, m.String())
	return err
}

// shownDigests is the number of inputs in the report whose digests it has.
const shownDigests = 100

// provenance shows what made the report.
func provenance(p *wire.AuditProvenance) figure {
	f := figure{ID: "provenance", Title: "What made this report", Label: "input", Heads: []string{"bytes", "SHA-256"}, Classes: "nw"}
	dialect := cmp.Or(p.Dialect, "as “read as” says")
	f.Text = term.Escape(fmt.Sprintf("robots %s, data about crawlers of %s, %s. Policy: %s. Dialect: %s.", p.Tool, p.Crawlers, p.Created, p.Policy, dialect))
	if len(p.Flags) > 0 {
		f.Text += " Flags: " + term.Escape(strings.Join(p.Flags, " ")) + "."
	}
	for _, input := range p.Inputs[:min(len(p.Inputs), shownDigests)] {
		f.Rows = append(f.Rows, row{Label: shortened(input.Name),
			Cells: []string{term.Thousands(int(input.Bytes)), cmp.Or(input.SHA256, "not known")}})
	}
	if more := len(p.Inputs) - shownDigests; more > 0 {
		f.Text += " Not shown: " + term.Count(more, "entry", "entries") + ", which --json has."
	}
	return f
}

const shownInputs = 10

func escaped(inputs []string) string {
	var names []string
	for _, input := range inputs[:min(len(inputs), shownInputs)] {
		names = append(names, term.Clip(term.Source(input), 100))
	}
	text := term.First(names, shownInputs)
	if more := len(inputs) - shownInputs; more > 0 {
		text += " and " + term.Count(more, "other", "others")
	}
	return text
}

// lacking names the inputs that were not read to their ends.
func lacking(incomplete []*audit.InputError) string {
	var texts []string
	for _, e := range incomplete[:min(len(incomplete), shownInputs)] {
		texts = append(texts, term.Clip(term.Escape(e.Error()), 300))
	}
	text := strings.Join(texts, ". ")
	if more := len(incomplete) - shownInputs; more > 0 {
		text += ". " + term.Count(more, "other input is not complete", "other inputs are not complete")
	}
	return text + ". The counts omit the rest."
}

// tile is a large number with a caption.
type tile struct{ Share, Words, Counts string }

// figure is a table with an optional bar in each row.
type figure struct {
	ID, Title string
	Of        string // the denominator, in a sentence
	Text      string
	Keys      []key    // of the parts of bars; none: there are no bars
	Label     string   // head of the first column
	Heads     []string // of the columns after the bar
	Classes   string   // of these columns: w for words, n for numbers; empty means numbers
	Rows      []row
}

type key struct{ Class, Words string }

type row struct {
	Label, Under string
	Bars         []labelledBar // one for each crawl that is compared
	Cells        []string
}

// labelledBar is a bar, with the name of its crawl if there are several.
type labelledBar struct {
	Label  string
	Parts  []part
	IsTall bool // its parts have heights: it is a chart
}

type part struct {
	Class string
	X, W  float64
	Y, H  float64 // the full height if H is 0
	Words string
}

// partOf returns a part of a bar for n of a number of sites.
func partOf(class, words string, n, of int) part {
	return part{Class: class, W: float64(n), Words: words + ": " + shareOf(n, of)}
}

// The size of a bar in the units of SVG.
const (
	barWidth  = 400
	barHeight = 18
)

// bar returns a bar, whose full width is full sites.
func bar(full int, parts ...part) []labelledBar {
	return []labelledBar{{Parts: scaled(float64(full), parts)}}
}

func scaled(full float64, parts []part) []part {
	x := 0.0
	var drawn []part
	for _, p := range parts {
		if p.W <= 0 || full <= 0 {
			continue
		}
		p.X = x
		p.W = p.W * barWidth / full
		x += p.W
		drawn = append(drawn, p)
	}
	return drawn
}
