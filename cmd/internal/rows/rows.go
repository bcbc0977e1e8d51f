// Package rows writes the answers about many URLs and crawlers: a row for each answer, a
// grid of URLs and crawlers, or counts by deciding line or crawler; as text, CSV, TSV,
// Markdown, or JSON.
package rows

import (
	"io"
	"slices"

	"github.com/kosterhq/robotstxt/cmd/internal/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/table"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
)

// Config says what is written about the answers. Out, Format and Crawlers are required.
type Config struct {
	Out      io.Writer // should be buffered
	Format   table.Format
	Crawlers []answer.Crawler
	Files    []*answer.File // none if each URL has its own; several if there is a visit for each

	// Only are the verdicts that are written. None means all. Counts include only these
	// answers; a grid has the URLs with at least one of them.
	Only []wire.Verdict

	Excel bool // see table.Config

	// Of text.
	Palette term.Palette
	Columns int // of the screen, 0 for any number
	Lines   int // of the screen, 0 for any number

	// Of grids.
	Words     bool // text has words instead of marks
	DecidedBy bool // a cell shows the deciding line too
}

// A Writer writes what is to be said about the answers for a URL.
type Writer interface {
	// Add adds the answers for a URL, and returns the worst of their verdicts: unknown,
	// then disallowed. The error is that of the output.
	Add(v *answer.Visit) (worst wire.Verdict, err error)

	// End writes what can be said only at the end.
	End() error
}

// table returns the configuration of a table with these columns.
func (c *Config) table(columns []table.Column) table.Config {
	return table.Config{
		Format: c.Format, Columns: columns, Excel: c.Excel,
		Palette: c.Palette, Screen: c.Columns, Repeat: max(0, c.Lines-2),
	}
}

// named returns the columns, and one for the name of the file if there are several files.
func (c *Config) named(columns []table.Column) []table.Column {
	if len(c.Files) < 2 {
		return columns
	}
	return append(slices.Clone(columns), table.Column{Name: "robots_file", Code: true, Least: 14})
}

// name writes the cell of the column that named adds.
func (c *Config) name(t *table.Writer, r *answer.Ruling) {
	if len(c.Files) > 1 {
		t.Cell(r.File.Name)
	}
}

// shows reports whether a verdict is written.
func (c *Config) shows(v wire.Verdict) bool { return len(c.Only) == 0 || slices.Contains(c.Only, v) }

// Worse returns the worse of two verdicts. Either may be "".
func Worse(a, b wire.Verdict) wire.Verdict {
	for _, v := range []wire.Verdict{wire.VerdictUnknown, wire.VerdictDisallowed} {
		if a == v || b == v {
			return v
		}
	}
	return wire.VerdictAllowed
}

// None returns a Writer of nothing.
func None(c Config) Writer { return none(len(c.Crawlers)) }

type none int

func (crawlers none) Add(v *answer.Visit) (worst wire.Verdict, err error) {
	for i := range int(crawlers) {
		verdict, _ := v.Verdict(i)
		worst = Worse(worst, verdict)
	}
	return worst, nil
}

func (none) End() error { return nil }

// number writes a number whose zero means none.
func number(t *table.Writer, n int) {
	if n == 0 {
		t.Cell("")
		return
	}
	t.Number(n)
}
