package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/table"
	"github.com/kosterhq/robotstxt/lint"
)

const maxSummarised = 6

// summary prints a row for each kind of finding, the most severe first, and the counts.
type summary struct {
	textReport
	screen int
}

// NewSummary returns a reporter that prints the findings of a file on a few lines.
func NewSummary(config Config) Reporter {
	return &summary{textReport{out: config.Out, palette: config.Palette}, config.Screen}
}

func (s *summary) File(in *File) error {
	s.count(in)
	counts := slices.Clone(in.Counts)
	slices.SortStableFunc(counts, func(a, b lint.Count) int { return cmp.Compare(b.Severity, a.Severity) })
	rows := table.New(s.out, table.Config{Format: table.Text, Palette: s.palette, Screen: s.screen, Indent: 2,
		Columns: []table.Column{
			{Name: "severity"}, {Name: "code"}, {Name: "count", Right: true}, {Name: "line", Right: true}, {Name: "problem", Least: 20, Wrap: true},
		}})
	for _, c := range counts[:min(len(counts), maxSummarised)] {
		rows.Styled(severityStyles[c.Severity], c.Severity.String())
		rows.Cell(string(c.Code))
		rows.Number(c.Found)
		rows.Cell(FirstLine(in, c))
		rows.Cell(entryOf(c.Code).Title)
		if err := rows.End(); err != nil {
			return err
		}
	}
	if err := rows.Flush(); err != nil {
		return err
	}
	if more := len(counts) - maxSummarised; more > 0 {
		fmt.Fprintf(s.out, "  and %d more kinds of problems\n", more)
	}
	return writeError(s.out)
}

// FirstLine returns the line of the first finding of a kind, "-" for findings about the
// file as a whole.
func FirstLine(in *File, c lint.Count) string {
	for _, f := range in.Findings {
		if f.Code == c.Code && f.Severity == c.Severity && (f.Start > 0 || f.End > 0) {
			return fmt.Sprint(f.Line)
		}
	}
	return "-"
}

// End prints the counts, indented like the rows.
func (s *summary) End(complete bool, trouble []error) error {
	s.out.WriteString("  ") // the writer keeps its error
	return s.textReport.End(complete, trouble)
}
