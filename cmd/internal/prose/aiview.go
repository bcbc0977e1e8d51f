package prose

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/table"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
	"github.com/kosterhq/robotstxt/semdiff"
)

// AIViews prints views of files for AI services. Text and Markdown have a heading, a table
// and the other lines for each view; CSV and TSV are one table of all of them.
type AIViews struct {
	out    io.Writer
	config table.Config
	all    *table.Writer // of CSV and TSV
	begun  bool
}

// NewAIViews returns a printer of views. config is that of the tables, without columns.
func NewAIViews(out io.Writer, config table.Config) *AIViews {
	p := &AIViews{out: out, config: config}
	if config.Format == table.CSV || config.Format == table.TSV {
		config.Columns = []table.Column{
			{Name: "name"}, {Name: "purpose"}, {Name: "matched_by"}, {Name: "crawlers"}, {Name: "access"}, {Name: "otherwise"}, {Name: "except"},
			{Name: "preferences"}, {Name: "agents"}, {Name: "disobey"}, {Name: "dialects"},
		}
		p.all = table.New(out, config)
	}
	return p
}

// Print prints a view.
func (p *AIViews) Print(v *wire.AIView) error {
	if p.all != nil {
		return p.rows(v)
	}
	if err := p.heading(v); err != nil {
		return err
	}
	config := p.config
	config.Columns = []table.Column{
		{Name: "purpose"}, {Name: "by"}, {Name: "count", Right: true},
		{Name: "access", Least: 12, Wrap: true}, {Name: "crawlers", Least: 14, Wrap: true},
	}
	stated, several := false, false // columns that most files do not need, or that narrow screens have no room for
	for _, a := range v.Purposes {
		stated, several = stated || len(a.Preferences) > 0, several || len(a.Agents) > 1
	}
	named := config.Screen == 0 || config.Screen >= 76 || !several
	if stated {
		config.Columns = slices.Insert(config.Columns, 4, table.Column{Name: "states", Least: 13, Wrap: true})
	}
	if !named {
		config.Columns = config.Columns[:len(config.Columns)-1]
	}
	t := table.New(p.out, config)
	for i := range v.Purposes {
		a := &v.Purposes[i]
		t.Cell(a.Purpose)
		t.Cell(string(a.MatchedBy))
		t.Number(len(a.Agents))
		t.Styled(accessColour(a), accessText(a, 3))
		if stated {
			t.Cell(strings.Join(a.Preferences, ", "))
		}
		if named {
			t.Cell(someAgents(a, 3, 12))
		}
		if err := t.End(); err != nil {
			return err
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	return p.details(v)
}

// Flush prints what is printed at the end.
func (p *AIViews) Flush() error {
	if p.all == nil {
		return nil
	}
	return p.all.Flush()
}

func (p *AIViews) rows(v *wire.AIView) error {
	for i := range v.Purposes {
		a := &v.Purposes[i]
		p.all.Cell(v.Name)
		p.all.Cell(a.Purpose)
		p.all.Cell(string(a.MatchedBy))
		p.all.Number(len(a.Agents))
		p.all.Cell(string(a.Access))
		p.all.Cell(string(a.Otherwise))
		p.all.Cell(exceptions(a.Except, len(a.Except)))
		p.all.Cell(strings.Join(a.Preferences, ", "))
		p.all.Cell(strings.Join(a.Agents, ", "))
		p.all.Cell(strings.Join(a.Disobey, ", "))
		p.all.Cell(Dialects(a.Dialects...))
		if err := p.all.End(); err != nil {
			return err
		}
	}
	return nil
}

func (p *AIViews) heading(v *wire.AIView) error {
	text := p.config.Palette.Paint(term.Bold, term.Source(v.Name))
	if p.config.Format == table.Markdown {
		text = "## " + term.Source(v.Name)
	}
	if p.begun {
		text = "\n" + text
	}
	p.begun = true
	_, err := io.WriteString(p.out, text+"\n\n")
	return err
}

// usageLines describes the preferences, licenses and problems of a file.
func usageLines(v *wire.AIView) (lines []string) {
	for _, pref := range v.Preferences {
		verb := "refuses"
		if pref.Granted {
			verb = "grants"
		}
		where := "of all pages"
		if pref.Path != "" {
			where = "of pages under " + pref.Path
		}
		lines = append(lines, fmt.Sprintf("line %d: %s %s %s for %s (%s)", pref.Line, verb, pref.Use, where, term.First(pref.Agents, 4), pref.Key))
	}
	for _, l := range v.Licenses {
		lines = append(lines, fmt.Sprintf("line %d: license %s", l.Line, l.Value))
	}
	for _, problem := range v.Problems {
		lines = append(lines, fmt.Sprintf("line %d: %s %s", problem.Line, problem.Code, problem.Message))
	}
	if len(v.Preferences)+len(v.Licenses) == 0 {
		lines = append(lines, "no Content-Signal, Content-Usage or License line")
	}
	return lines
}

// details prints the lines below a table: those of usageLines, and a note about crawlers
// that do not obey.
func (p *AIViews) details(v *wire.AIView) error {
	lines := usageLines(v)
	disobey := 0
	for _, a := range v.Purposes {
		disobey += len(a.Disobey)
	}
	if disobey > 0 {
		lines = append(lines, fmt.Sprintf("%s (*) do not obey robots.txt, or not reliably, as their operators or public lists say", term.Count(disobey, "crawler", "crawlers")))
	}
	lines = append(lines, Readings(func(yield func(string, robotstxt.Dialect) bool) {
		for _, a := range v.Purposes {
			for i, d := range a.Dialects {
				if !yield(a.Agents[i], d) {
					return
				}
			}
		}
	})...)
	text := "\n"
	for _, line := range lines {
		prefix := ""
		if p.config.Format == table.Markdown {
			prefix = "- "
		}
		for _, wrapped := range term.Wrap(term.Escape(line), p.config.Screen, "    ") {
			text += prefix + wrapped + "\n"
			prefix = ""
		}
	}
	_, err := io.WriteString(p.out, text)
	return err
}

func accessColour(a *wire.AIAccess) term.Style {
	switch a.Otherwise {
	case wire.VerdictAllowed:
		return term.Green
	case wire.VerdictDisallowed:
		return term.Red
	}
	return term.Yellow
}

// accessText says how much of a site is open: "open except /archive/". It lists at most so
// many exceptions.
func accessText(a *wire.AIAccess, most int) string {
	switch {
	case a.Unread:
		return "unknown: no line can name them"
	case a.Access == semdiff.ExtentDepends:
		return "depends on the parser"
	case a.Access == semdiff.ExtentUnknown:
		return "unknown: no answer"
	case a.Access != semdiff.ExtentPartly:
		return string(a.Access)
	}
	extent := semdiff.ExtentClosed
	if a.Otherwise == wire.VerdictAllowed {
		extent = semdiff.ExtentOpen
	}
	return string(extent) + " except " + exceptions(a.Except, most)
}

// exceptions lists the patterns of exceptions, at most so many.
func exceptions(all []wire.Exception, most int) string {
	var texts []string
	for _, e := range all {
		text := e.Pattern
		if e.Part {
			text += " (in part)"
		}
		texts = append(texts, text)
	}
	return term.First(texts, most)
}

// someAgents lists crawlers, with a star at those that do not obey: at most so many, and
// of those that the file names at most named. Most files name few crawlers, but "*" stands
// for dozens.
func someAgents(a *wire.AIAccess, most, named int) string {
	if a.MatchedBy == robotstxt.MatchedByName {
		most = named
	}
	var texts []string
	for _, agent := range a.Agents {
		if slices.Contains(a.Disobey, agent) {
			agent += "*"
		}
		texts = append(texts, agent)
	}
	return term.First(texts, most)
}
