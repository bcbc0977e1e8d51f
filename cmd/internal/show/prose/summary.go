package prose

import (
	"fmt"
	"io"
	"slices"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/table"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/show/language"
	"github.com/kosterhq/robotstxt/crawlers"
)

// Summary prints the beginning of an overview, within a number of columns: the answer of a
// site, unless site is nil, and a summary of the file, unless outline is nil. A file
// without a site has the given name.
func (p *Printer) Summary(name string, site *wire.Site, outline *wire.Outline, file *answer.File, columns int) error {
	return p.print(func(b *block) {
		b.columns = columns
		if site == nil {
			b.heading(term.Clip(term.Source(name), columns))
		} else {
			b.heading(term.Clip(term.Escape(site.Origin), columns))
			b.site(site, false)
		}
		if outline != nil {
			b.outline(outline, file.Kind)
		}
	})
}

const maxAccesses = 12

const maxUsageLines = 4

// Summary prints a short table of a view, and the preferences of the file about the use of
// pages.
func (p *AIViews) Summary(v *wire.AIView) error {
	config := p.config
	config.Indent = 2
	least := 28 // "open except /cart and 2 more"
	if config.Screen < 76 {
		least = 12
	}
	config.Columns = []table.Column{{Name: "use", Least: 12, Wrap: true}, {Name: "access", Least: least, Wrap: true},
		{Name: "crawlers", Least: 14, Wrap: true}}
	accesses := InShort(language.English, v.Purposes)
	if err := p.table(config, accesses[:min(len(accesses), maxAccesses)], 1, 3); err != nil {
		return err
	}
	lines := UsageLines(language.English, v)
	if more := len(accesses) - maxAccesses; more > 0 {
		lines = append([]string{"and " + term.Count(more, "more row", "more rows")}, lines...)
	}
	text := ""
	for i, line := range lines {
		if i == maxUsageLines && len(lines) > i+1 {
			line = fmt.Sprintf("and %d more lines", len(lines)-i)
		}
		text += "  " + term.Clip(term.Escape(line), config.Screen-2) + "\n"
		if i == maxUsageLines {
			break
		}
	}
	_, err := io.WriteString(p.out, text)
	return err
}

// InShort joins the accesses for a use that have the same words in a summary.
func InShort(l language.Language, accesses []wire.AIAccess) (rows []wire.AIAccess) {
	for _, a := range accesses {
		same := slices.IndexFunc(rows, func(row wire.AIAccess) bool {
			return row.Purpose == a.Purpose && AccessText(l, &row, 1) == AccessText(l, &a, 1)
		})
		if same < 0 {
			rows = append(rows, a)
			continue
		}
		row := &rows[same]
		row.Agents, row.Disobey = slices.Concat(row.Agents, a.Agents), slices.Concat(row.Disobey, a.Disobey)
		slices.SortFunc(row.Agents, byRank)
	}
	return rows
}

// byRank compares the tokens of known crawlers.
func byRank(a, b string) int {
	one, _ := crawlers.Find(a)
	other, _ := crawlers.Find(b)
	return one.Compare(other)
}
