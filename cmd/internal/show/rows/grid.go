package rows

import (
	"cmp"
	"io"
	"strconv"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/table"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/show/prose"
)

// marks stand for verdicts in the grid of a terminal. They differ in shape, not only in
// colour.
var marks = map[wire.Verdict]string{
	wire.VerdictAllowed:    "✓",
	wire.VerdictDisallowed: "✗",
	wire.VerdictUnknown:    "?",
}

// least is the least width for URLs. If the names of the crawlers would leave less, the
// grid writes them one below the other.
const least = 28

// Grid returns a Writer of a row for each URL with a cell for each crawler. Text and
// Markdown end with the totals of each crawler, JSON with an object for each crawler.
func Grid(c Config) Writer {
	g := &grid{config: c, sums: newTally(c.Crawlers)}
	columns := []table.Column{{Name: "url", Code: true}}
	config := c.table(nil)
	if c.Format == table.Text {
		// The URL, which can be long, is last.
		columns = append(g.cellColumns(), table.Column{Name: "url", Code: true, Least: 16})
		if g.stairs {
			config.NoHeader, config.Repeat = true, 0
		}
	} else {
		columns = append(columns, g.cellColumns()...)
	}
	if g.sheet() {
		columns = append(columns, table.Column{Name: "dialects"}, table.Column{Name: "remark"})
		g.dialects = c.dialects()
	}
	config.Columns = g.config.named(columns)
	if c.Format != table.JSON {
		g.table = table.New(c.Out, config)
	}
	return g
}

type grid struct {
	config Config
	table  *table.Writer // nil for JSON
	sums   *tally
	row    wire.GridRow // of the current URL

	dialects string     // the cell of that column
	remarks  rowRemarks // of text and Markdown

	// For text.
	width  int  // of a cell
	stairs bool // the header has a line for each crawler
	rows   int  // since the header
}

// cellColumns returns the columns of the crawlers, and decides how text is laid out.
func (g *grid) cellColumns() (columns []table.Column) {
	g.width = 1
	if g.words() {
		g.width = len(wire.VerdictDisallowed)
	}
	if g.config.DecidedBy {
		lines := 0
		if len(g.config.Files) == 0 {
			lines = 999 // of files that are not known yet
		}
		for _, file := range g.config.Files {
			lines = max(lines, file.Lines)
		}
		g.width += 1 + len(strconv.Itoa(lines))
	}
	total := 0
	for _, c := range g.config.Crawlers {
		width := max(g.width, term.Width(term.Escape(c.Name)))
		columns = append(columns, table.Column{Name: c.Name, Width: width})
		total += width + 2
	}
	g.stairs = g.config.Columns > 0 && total+least > g.config.Columns
	if g.stairs {
		for i := range columns {
			columns[i].Width = g.width
		}
	}
	return columns
}

// words reports whether cells contain words. Only the text of a terminal has marks.
func (g *grid) words() bool {
	return g.config.Format != table.Text || g.config.Words || g.config.Columns == 0
}

func (g *grid) Add(v *answer.Visit) (worst wire.Verdict, err error) {
	shown := false
	v.BeginRow(&g.row)
	for i := range g.config.Crawlers {
		a := v.GridAnswer(i)
		g.row.Answers = append(g.row.Answers, a)
		worst = worse(worst, v, i, a.Verdict)
		shown = shown || g.config.shows(a.Verdict)
	}
	if !shown {
		return worst, nil
	}
	for i, a := range g.row.Answers {
		g.sums.add(i, a.Verdict)
		g.sums.addStatus(v, i, a.Verdict)
	}
	switch {
	case g.table == nil:
		return worst, term.PrintJSON(g.config.Out, &g.row)
	case g.config.Format == table.Text:
		g.remarks.add(prose.RowRemark(&g.row))
		return worst, g.text(v.Ruling)
	}
	g.table.Cell(g.row.URL)
	g.answers()
	if g.sheet() {
		g.table.Cell(g.dialects)
		g.table.Cell(prose.RowRemark(&g.row))
	} else {
		g.remarks.add(prose.RowRemark(&g.row))
	}
	g.config.name(g.table, v.Ruling)
	return worst, g.table.End()
}

// sheet reports whether the grid is for a spreadsheet. A sheet has a column for the
// dialects. Other formats have them below the grid, or in each answer.
func (g *grid) sheet() bool { return g.config.Format == table.CSV || g.config.Format == table.TSV }

func (g *grid) text(r *answer.Ruling) error {
	if g.stairs && g.rows == 0 {
		if err := g.header(); err != nil {
			return err
		}
	}
	g.rows++
	if g.rows == g.config.Lines-len(g.config.Crawlers)-1 {
		g.rows = 0
	}
	g.answers()
	g.table.Cell(g.row.URL)
	g.config.name(g.table, r)
	return g.table.End()
}

func (g *grid) answers() {
	for _, a := range g.row.Answers {
		text := string(a.Verdict)
		if !g.words() {
			text = marks[a.Verdict]
		}
		if g.config.DecidedBy && a.Line > 0 {
			text += " " + strconv.Itoa(a.Line)
		}
		g.table.Styled(prose.VerdictStyle(a.Verdict), text)
	}
}

// header writes the names of the crawlers one below the other, each with a line down to
// its column.
func (g *grid) header() error {
	var b strings.Builder
	for i, c := range g.config.Crawlers {
		for range i {
			b.WriteString("│" + strings.Repeat(" ", g.width+1))
		}
		room := g.config.Columns - i*(g.width+2) - 2
		b.WriteString("╭ " + g.config.Palette.Paint(term.Bold, term.Clip(term.Escape(c.Name), max(room, 8))) + "\n")
	}
	_, err := io.WriteString(g.config.Out, b.String())
	return err
}

// End writes the totals.
func (g *grid) End() error {
	if g.table == nil {
		return g.sums.json(g.config.Out)
	}
	if err := g.table.Flush(); err != nil || g.sheet() {
		return err
	}
	if _, err := io.WriteString(g.config.Out, "\n"); err != nil {
		return err
	}
	names := [3]string{}
	for i, v := range verdicts {
		names[i] = string(v)
		if !g.words() {
			names[i] = cmp.Or(marks[v], "") + " " + names[i]
		}
	}
	config := g.config
	config.Lines = 0
	return cmp.Or(g.sums.table(&config, names), g.remarks.write(&config))
}

// rowRemarks counts the remarks of rows, for the end of a grid.
type rowRemarks struct {
	counts  map[string]int
	order   []string
	omitted int // rows whose remark is not among the first
}

// maxRowRemarks bounds the remarks that are written.
const maxRowRemarks = 10

func (r *rowRemarks) add(remark string) {
	switch _, known := r.counts[remark]; {
	case remark == "":
		return
	case !known && len(r.order) == maxRowRemarks:
		r.omitted++
		return
	case r.counts == nil:
		r.counts = make(map[string]int)
		fallthrough
	case !known:
		r.order = append(r.order, remark)
	}
	r.counts[remark]++
}

func (r *rowRemarks) write(c *Config) error {
	if len(r.order) == 0 {
		return nil
	}
	text := "\n"
	for _, remark := range r.order {
		line := term.Count(r.counts[remark], "URL", "URLs") + ": " + term.Escape(remark)
		if c.Format == table.Text {
			line = strings.Join(term.Wrap(line, c.Columns, "    "), "\n")
		}
		text += line + "\n"
	}
	if r.omitted > 0 {
		text += term.Count(r.omitted, "URL", "URLs") + " with further remarks; --json has them\n"
	}
	_, err := io.WriteString(c.Out, text)
	return err
}
