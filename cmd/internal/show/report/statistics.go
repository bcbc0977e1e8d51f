package report

import (
	"bufio"
	"cmp"
	"slices"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/table"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/lint"
)

// statistics counts the findings of each code, and prints the counts at the end: those
// that occur most often first.
type statistics struct {
	out    *bufio.Writer
	json   bool
	colour term.Palette
	counts map[lint.Code]*count
}

type count struct {
	wire.Statistic
	severity lint.Severity
}

// NewStatistics returns a reporter that prints how often each code was found, as Text or
// JSON.
func NewStatistics(config Config) Reporter {
	return &statistics{out: config.Out, json: config.Format == JSON, colour: config.Palette,
		counts: make(map[lint.Code]*count)}
}

func (s *statistics) File(in *File) error {
	seen := make(map[lint.Code]bool)
	for _, f := range in.Counts {
		c := s.counts[f.Code]
		if c == nil {
			c = &count{Statistic: wire.Statistic{Code: string(f.Code), Name: entryOf(f.Code).Name}}
			s.counts[f.Code] = c
		}
		c.Count += f.Found
		if !seen[f.Code] {
			seen[f.Code] = true
			c.Files++
		}
		c.Fixable += f.Plain
		c.severity = max(c.severity, f.Severity)
	}
	return nil
}

func (s *statistics) End(bool, []error) error {
	var all []*count
	for _, c := range s.counts {
		c.Severity = c.severity.String()
		all = append(all, c)
	}
	slices.SortFunc(all,
		func(a, b *count) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Code, b.Code)) })
	if s.json {
		for _, c := range all {
			if err := term.PrintJSON(s.out, c.Statistic); err != nil {
				return err
			}
		}
		return nil
	}
	rows := table.New(s.out, table.Config{Format: table.Text, Palette: s.colour, Columns: []table.Column{
		{Name: "count", Right: true}, {Name: "files", Right: true}, {Name: "fixable", Right: true},
		{Name: "severity"}, {Name: "code"}, {Name: "name"},
	}})
	for _, c := range all {
		rows.Number(c.Count)
		rows.Number(c.Files)
		rows.Number(c.Fixable)
		rows.Styled(severityStyles[c.severity], c.Severity)
		rows.Styled(term.Bold, c.Code)
		rows.Cell(c.Name)
		if err := rows.End(); err != nil {
			return err
		}
	}
	return rows.Flush()
}
