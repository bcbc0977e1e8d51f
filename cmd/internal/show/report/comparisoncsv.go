package report

import (
	"cmp"
	"strconv"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/compare"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/table"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
)

// CSV prints a row for each given URL whose verdict changes for a crawler; without a list,
// for each pair of deciding lines and crawler, with a path. size is how much of the site has the effect for the
// crawler.
func (c *Comparison) CSV(r *compare.Result) error {
	t := table.New(c.Out, table.Config{Format: table.CSV, Columns: []table.Column{
		{Name: "agent"}, {Name: "effect"}, {Name: "url"}, {Name: "old_line"}, {Name: "old_rule"}, {Name: "new_line"}, {Name: "new_rule"}, {Name: "size"},
	}})
	rows := make(map[string]*compare.Row, len(r.Agents))
	for i := range r.Rows {
		for _, agent := range r.Rows[i].Agents {
			rows[agent] = &r.Rows[i]
		}
	}
	row := func(agent string, effect wire.ChangeEffect, url string, lines ...int) error {
		t.Cell(agent)
		t.Cell(string(effect))
		t.Cell(url)
		for i, line := range lines {
			number := ""
			if line > 0 {
				number = strconv.Itoa(line)
			}
			t.Cell(number)
			t.Cell(c.Sides[i].File.Rule(line))
		}
		t.Cell(string(rows[agent].Size(effect)))
		return t.End()
	}
	if c.List == "" {
		for _, change := range r.Changes {
			for _, agent := range change.Agents {
				if err := row(agent, change.Effect, change.Witness, change.OldLine, change.NewLine); err != nil {
					return err
				}
			}
		}
	}
	for _, flip := range r.Flips {
		for _, agent := range flip.Agents {
			before, after := r.Lines(flip.URL, agent)
			if err := row(agent, flip.Effect, flip.URL, before, after); err != nil {
				return err
			}
		}
	}
	return cmp.Or(t.Flush(), writeError(c.Out))
}
