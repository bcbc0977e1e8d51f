package report

import (
	"fmt"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/compare"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/table"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/semdiff"
)

// GitHub prints the changes as the annotations of a GitHub workflow, on the lines of the
// new file. If there are none, one annotation reports that.
func (c *Comparison) GitHub(r *compare.Result) error {
	a := &shownComparison{c, c.names(r)}
	if r.Equal {
		a.command("notice", "no change", 0, a.equal(r))
	}
	for _, row := range gravestFirst(r.Rows) {
		if row.Site != nil {
			a.command(a.level(row.Site.Effect), fmt.Sprintf("%s for %s", SiteText(row.Site), a.names.list(row.Agents)),
				row.Changes[0].NewLine, BeforeText(row.Site))
			continue
		}
		for j := range row.Changes {
			a.change(&row.Changes[j])
		}
	}
	for _, row := range r.Rows {
		if row.Effect == semdiff.Undecided {
			a.command("error", "undecided", 0, fmt.Sprintf("the changes for %s are undecided: %s", a.names.list(row.Agents), term.Escape(row.Tried)))
		}
	}
	return writeError(a.Out)
}

func (p *shownComparison) level(effect wire.ChangeEffect) string {
	if effect == p.Important {
		return "error"
	}
	return "warning"
}

func (p *shownComparison) change(c *wire.PathChange) {
	before, after := "disallowed", "allowed"
	if c.Effect == wire.Closes {
		before, after = after, before
	}
	p.command(p.level(c.Effect), fmt.Sprintf("%s for %s", c.Effect, p.names.list(c.Agents)), c.NewLine, fmt.Sprintf("%s was %s (%s) and is %s (%s)",
		shownPath(c.Witness), before, p.Sides[0].rule(c.OldLine), after, p.Sides[1].rule(c.NewLine)))
}

func (p *shownComparison) command(level, title string, line int, message string) {
	Annotate(p.Out, level, p.Sides[1].Name, line, title, message)
}

// maxMarkdown is the number of pairs of lines in a comment on a pull request, whose length
// GitHub bounds.
const maxMarkdown = 50

// Markdown prints the changes as a table for a comment on a pull request, changes to
// the whole site first.
func (c *Comparison) Markdown(r *compare.Result) error {
	shown := &shownComparison{c, c.names(r)}
	columns := []table.Column{{Name: "change"}, {Name: "crawlers"}, {Name: "for example", Code: true}, {Name: "before"}, {Name: "after"}}
	w := table.New(c.Out, table.Config{Format: table.Markdown, Columns: columns})
	row := func(cells ...string) {
		for _, cell := range cells {
			w.Cell(cell)
		}
		_ = w.End() // the output keeps its error
	}
	if r.Equal {
		row("none", "all that were compared", "", "", shown.equal(r))
	}
	omitted := 0
	for i, changes := range gravestFirst(r.Rows) {
		names := shown.names.list(changes.Agents)
		switch {
		case changes.Effect == semdiff.Undecided:
			row("undecided", names, "", "", changes.Tried)
		case changes.Site != nil && i < maxMarkdown:
			row(SiteText(changes.Site), names, changes.Changes[0].Witness, BeforeText(changes.Site),
				c.Sides[1].rule(changes.Changes[0].NewLine))
			continue
		}
		for _, change := range changes.Changes {
			omitted++
			if omitted <= maxMarkdown {
				row(string(change.Effect), names, change.Witness, c.Sides[0].rule(change.OldLine),
					c.Sides[1].rule(change.NewLine))
			}
		}
	}
	for i := 0; i < min(len(r.Other), maxValues); i++ {
		row("no verdict", shown.names.list(r.Other[i].Agents), r.Other[i].Kind, strings.Join(r.Other[i].Old, ", "),
			strings.Join(r.Other[i].New, ", "))
	}
	omitted -= maxMarkdown
	if omitted > 0 {
		row("and "+term.Count(omitted, "more pair of lines", "more pairs of lines"), "", "", "", "")
	}
	_ = w.Flush()
	return writeError(c.Out)
}
