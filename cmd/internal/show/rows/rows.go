// Package rows writes the answers about many URLs and crawlers: a row for each answer, a
// grid of URLs and crawlers, or counts by deciding line or crawler; as text, CSV, TSV,
// Markdown, or JSON.
package rows

import (
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/table"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/show/prose"
)

// Config describes the output. Out, Format and Crawlers are required.
type Config struct {
	Out      io.Writer // should be buffered
	Format   table.Format
	Crawlers []answer.Crawler // as they read the files
	Files    []*answer.File   // none if each URL has its own; several if there is a visit for each

	// Only are the verdicts that are written. None means all. Counts include only these
	// answers; a grid has the URLs with at least one of them.
	Only []wire.Verdict

	// Counted is called with each answer that counts include: they have no place for its notes. It can be nil.
	Counted func(v *answer.Visit, crawler int, verdict wire.Verdict, line int)

	Excel bool // see table.Config

	// For text.
	Palette term.Palette
	Columns int // of the screen, 0 for any number
	Lines   int // of the screen, 0 for any number

	// For grids.
	Words     bool // text has words instead of marks
	DecidedBy bool // a cell shows the deciding line too
}

// A Writer writes the answers for URLs, or a summary of them.
type Writer interface {
	// Add adds the answers for a URL, and returns the worst of their verdicts: unknown,
	// then disallowed. It returns the error of the output.
	Add(v *answer.Visit) (worst wire.Verdict, err error)

	// End writes the part that is known only at the end.
	End() error
}

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

func (c *Config) name(t *table.Writer, r *answer.Ruling) {
	if len(c.Files) > 1 {
		t.Cell(r.File.Name)
	}
}

func (c *Config) shows(v wire.Verdict) bool { return len(c.Only) == 0 || slices.Contains(c.Only, v) }

// worse returns the worse of a verdict, which can be "", and a visit's verdict for one of its
// crawlers.
func worse(a wire.Verdict, v *answer.Visit, crawler int, b wire.Verdict) wire.Verdict {
	if c := v.Ruling.Crawler(crawler); c.Unread && c.Selected {
		b = wire.VerdictAllowed
	}
	for _, w := range []wire.Verdict{wire.VerdictUnknown, wire.VerdictDisallowed} {
		if a == w || b == w {
			return w
		}
	}
	return wire.VerdictAllowed
}

// each calls do with the verdict and the deciding line for each crawler whose answer for a URL
// is written. It returns the worst verdict of all crawlers.
func (c *Config) each(v *answer.Visit,
	do func(crawler int, verdict wire.Verdict, line int) error) (worst wire.Verdict, err error) {
	for i := range c.Crawlers {
		verdict, line := v.Verdict(i)
		worst = worse(worst, v, i, verdict)
		if !c.shows(verdict) {
			continue
		}
		if err := do(i, verdict, line); err != nil {
			return worst, err
		}
	}
	return worst, nil
}

// None returns a Writer that writes nothing.
func None(c Config) Writer { return &none{c} }

type none struct{ config Config }

func (w *none) Add(v *answer.Visit) (worst wire.Verdict, err error) {
	return w.config.each(v, func(int, wire.Verdict, int) error { return nil })
}

func (*none) End() error { return nil }

// readings writes which crawlers do not read files as Google does. Formats other than text have
// columns for that.
func (c *Config) readings() error {
	if c.Format != table.Text {
		return nil
	}
	for _, line := range prose.Readings(c.readers()) {
		if _, err := io.WriteString(c.Out, strings.Join(term.Wrap(line, c.Columns, "    "), "\n")+"\n"); err != nil {
			return err
		}
	}
	return nil
}

func (c *Config) readers() iter.Seq2[string, robotstxt.Dialect] {
	return func(yield func(string, robotstxt.Dialect) bool) {
		for _, crawler := range c.Crawlers {
			if !crawler.Unread && !yield(crawler.Name, crawler.Dialect) {
				return
			}
		}
	}
}

// dialects returns the cell with the dialects of the crawlers, "none" for those that have none.
func (c *Config) dialects() string {
	var names []string
	for _, crawler := range c.Crawlers {
		if crawler.Unread {
			names = append(names, "none")
		} else {
			names = append(names, crawler.Dialect.String())
		}
	}
	return prose.Dialects(names...)
}

func dialect(t *table.Writer, d *robotstxt.Dialect) {
	if d == nil {
		t.Cell("")
		return
	}
	t.Cell(d.String())
}

// notes writes the columns joined_line and fetched_anyway. A row without a note has empty cells.
func notes(t *table.Writer, joinedLine int, fetchedAnyway bool) {
	number(t, joinedLine)
	if fetchedAnyway {
		t.Cell("true")
	} else {
		t.Cell("")
	}
}

// number writes a number whose zero means none.
func number(t *table.Writer, n int) {
	if n == 0 {
		t.Cell("")
		return
	}
	t.Number(n)
}
