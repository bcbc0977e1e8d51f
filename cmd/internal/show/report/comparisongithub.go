package report

import (
	"fmt"
	"slices"
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
	a := &shownComparison{Comparison: c, names: namesOf(r, c.Narrowed)}
	if r.Equal {
		a.command("notice", "no change", 0, a.equal(r))
	} else if cut := a.cut(); cut != "" {
		a.command("notice", "compared in part", 0, cut)
	}
	for _, row := range GravestFirst(r.Rows) {
		if site := row.Site; site != nil {
			what, by := siteWords(&row, &row.Sizes[0])
			title := fmt.Sprintf("%s for %s%s", what, a.names.list(row.Agents), by)
			a.command(a.level(site.Effect), title, siteLine(&row), a.explained(beforeText(&row), title))
		}
		for j := range row.Changes {
			if c := &row.Changes[j]; !isOfSite(&row, c) {
				a.change(c)
			}
		}
	}
	for _, row := range r.Rows {
		if row.Effect == semdiff.Undecided {
			a.command("error", "undecided", 0, fmt.Sprintf("the changes for %s are undecided: %s", a.names.list(row.Agents), term.Escape(row.Tried)))
		}
	}
	for i := range r.Other[:min(len(r.Other), maxValues)] {
		a.command("notice", "no verdict changes", 0, a.kindText(&r.Other[i])+": "+ValuesText(r.Other[i].Old, r.Other[i].New))
	}
	if more := len(r.Other) - maxValues; more > 0 {
		a.command("notice", "no verdict changes", 0, term.Thousands(more)+" more kinds of lines differ")
	}
	return writeError(a.Out)
}

// explained returns a text with the explanation of its patterns and those of its title.
func (p *shownComparison) explained(text, title string) string {
	if explanation := p.explanation(title, text); explanation != "" {
		return text + ". " + explanation
	}
	return text
}

// isOfSite reports whether the effect on the site includes a change.
func isOfSite(row *compare.Row, c *wire.PathChange) bool {
	return row.Site != nil && row.Site.Effect == c.Effect
}

// siteLine returns the line of the new file that changes the site, 0 if there is none.
func siteLine(row *compare.Row) int {
	if change := row.First(row.Site.Effect); change != nil {
		return change.NewLine
	}
	return 0
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

// maxMarkdown is the number of changes in a comment on a pull request, whose length
// GitHub bounds.
const maxMarkdown = 50

// Markdown prints the changes as a table for a comment on a pull request, changes to
// the whole site first. With a list of URLs, a column has the number of URLs that change.
func (c *Comparison) Markdown(r *compare.Result) error {
	columns := []table.Column{{Name: "change"}, {Name: "crawlers"}, {Name: "for example", Code: true}, {Name: "before"}, {Name: "after"}}
	if c.List != "" {
		columns = append(columns, table.Column{Name: "URLs"})
	}
	t := table.New(c.Out, table.Config{Format: table.Markdown, Columns: columns})
	m := &markdownChanges{shownComparison: shownComparison{Comparison: c, names: namesOf(r, c.Narrowed)}, table: t}
	if r.Equal {
		m.row(noCount, "none", "all that were compared", "", "", m.equal(r))
	}
	for _, changes := range GravestFirst(r.Rows) {
		m.changes(r, &changes)
	}
	for i := 0; i < min(len(r.Other), maxValues); i++ {
		m.row(noCount, "no verdict", m.names.list(r.Other[i].Agents), r.Other[i].Kind, strings.Join(r.Other[i].Old, ", "),
			strings.Join(r.Other[i].New, ", "))
	}
	if omitted := m.count - maxMarkdown; omitted > 0 {
		m.row(noCount, "and "+term.Thousands(omitted)+" more", "", "", "", "")
	}
	if m.List != "" {
		flipped, text := m.flipped(r)
		m.row(flipped, text, "", "", "", "")
	}
	_ = m.table.Flush() // the output keeps its error
	if explanation := m.explanation(m.said...); explanation != "" {
		fmt.Fprintf(c.Out, "\n%s\n", explanation)
	}
	if cut := m.cut(); cut != "" && !r.Equal {
		fmt.Fprintf(c.Out, "\n%s\n", table.EscapeMarkdown(cut))
	}
	return writeError(c.Out)
}

const noCount = -1

// flipsOf returns the number of given URLs that change with a site.
func flipsOf(r *compare.Result, row *compare.Row) (n int) {
	for i := range r.Flips {
		if f := &r.Flips[i]; f.Effect == row.Site.Effect && slices.Contains(f.Agents, row.Agents[0]) {
			n++
		}
	}
	return n
}

type markdownChanges struct {
	shownComparison
	table *table.Writer
	count int // of changes, with those that are omitted
}

// row writes a row. urls is the number of URLs that change, noCount for none.
func (m *markdownChanges) row(urls int, cells ...string) {
	for _, cell := range cells {
		m.table.Cell(cell)
	}
	if m.List != "" {
		count := ""
		if urls != noCount {
			count = term.Thousands(urls)
		}
		m.table.Cell(count)
	}
	_ = m.table.End() // the output keeps its error
}

// sizedText returns an effect with its size below most: "closes many paths".
func sizedText(row *compare.Row, effect wire.ChangeEffect) string {
	if size := row.Size(effect); size != "" {
		return fmt.Sprintf("%s %s paths", effect, size)
	}
	return string(effect)
}

// next reports whether there is room for another change.
func (m *markdownChanges) next() bool {
	m.count++
	return m.count <= maxMarkdown
}

func (m *markdownChanges) changes(r *compare.Result, row *compare.Row) {
	names := m.names.list(row.Agents)
	if row.Effect == semdiff.Undecided {
		m.row(noCount, "undecided", names, "", "", row.Tried)
	}
	if site := row.Site; site != nil && m.next() {
		what, by := siteWords(row, &row.Sizes[0])
		example, after := "", ""
		if change := row.First(site.Effect); change != nil {
			example, after = change.Witness, m.Sides[1].rule(change.NewLine)
		}
		before := beforeText(row)
		m.said = append(m.said, what+by, before)
		m.row(flipsOf(r, row), what+by, names, example, before, after)
	}
	for i := range row.Changes {
		if c := &row.Changes[i]; !isOfSite(row, c) && m.next() {
			before, after := m.Sides[0].rule(c.OldLine), m.Sides[1].rule(c.NewLine)
			m.row(c.URLs, sizedText(row, c.Effect), names, c.Witness, before, after)
		}
	}
}
