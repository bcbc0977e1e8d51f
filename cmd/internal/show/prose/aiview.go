package prose

import (
	"io"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/table"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/show/language"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/semdiff"
)

// AIViews prints views of files for AI services.
type AIViews struct{ sections }

// NewAIViews returns a printer of views. config is for the tables and has no columns.
func NewAIViews(out io.Writer, config table.Config) *AIViews {
	return &AIViews{newSections(out, config, "name", "purpose", "matched_by", "crawlers", "access", "otherwise", "except",
		"preferences", "agents", "disobey", "dialects", "group", "fetch_reason")}
}

// Print prints a view.
func (p *AIViews) Print(v *wire.AIView) error {
	if p.all != nil {
		return p.rows(v)
	}
	if err := p.heading(term.Source(v.Name)); err != nil {
		return err
	}
	config := p.config
	config.Columns = []table.Column{
		{Name: "use", Least: 10, Wrap: true}, {Name: "group", Least: 7, Wrap: true}, {Name: "count", Right: true},
		{Name: "access", Least: 12, Wrap: true}, {Name: "crawlers", Least: 14, Wrap: true},
	}
	stated, several := false, false // columns that most files do not need, or for which narrow screens have no room
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
	if err := p.table(config, v.Purposes, 3, maxCrawlers); err != nil {
		return err
	}
	return p.details(v)
}

// maxCrawlers bounds the crawlers that a row names.
const maxCrawlers = 6

// table prints accesses in columns with the names of the fields. Each has at most few
// exceptions and a number of agents. On a screen only the first row for a use names it.
func (p *AIViews) table(config table.Config, accesses []wire.AIAccess, few, agents int) error {
	t := table.New(p.out, config)
	for i := range accesses {
		a := &accesses[i]
		for _, column := range config.Columns {
			switch column.Name {
			case "use":
				use := UseWords(crawlers.Purpose(a.Purpose))
				if i > 0 && config.Format == table.Text && config.Screen > 0 && a.Purpose == accesses[i-1].Purpose {
					use = "" // the use is the same as above
				}
				t.Cell(use)
			case "group":
				t.Cell(a.Group)
			case "count":
				t.Number(len(a.Agents))
			case "access":
				t.Styled(accessColour(a), AccessText(language.English, a, few))
			case "states":
				t.Cell(strings.Join(a.Preferences, ", "))
			case "crawlers":
				t.Cell(SomeAgents(language.English, a, agents))
			}
		}
		if err := t.End(); err != nil {
			return err
		}
	}
	return t.Flush()
}

func (p *AIViews) rows(v *wire.AIView) error {
	for i := range v.Purposes {
		a := &v.Purposes[i]
		if err := p.all.Row(v.Name, a.Purpose, string(a.MatchedBy), len(a.Agents), string(a.Access),
			string(a.Otherwise),
			exceptions(language.English, a.Except, len(a.Except)),
			strings.Join(a.Preferences, ", "), strings.Join(a.Agents, ", "),
			strings.Join(a.Disobey, ", "), Dialects(a.Dialects...), a.Group, v.FetchReason); err != nil {
			return err
		}
	}
	return nil
}

// UsageLines describes the preferences, licenses and problems of a file.
func UsageLines(l language.Language, v *wire.AIView) (lines []string) {
	for _, pref := range v.Preferences {
		text := l.Say("line %d: refuses %s %s for %s (%s)", pref.Line, pref.Use, where(l, pref.Path),
			agentsText(l, pref.Agents, pref.MoreAgents), pref.Key)
		if pref.Granted {
			text = l.Say("line %d: grants %s %s for %s (%s)", pref.Line, pref.Use, where(l, pref.Path),
				agentsText(l, pref.Agents, pref.MoreAgents), pref.Key)
		}
		lines = append(lines, text)
	}
	for _, license := range v.Licenses {
		whom := agentsText(l, license.Agents, license.MoreAgents)
		if license.Outside {
			whom = l.Say("every crawler whose groups have no License line")
		}
		lines = append(lines, l.Say("line %d: license %s for %s", license.Line, license.Value, whom))
	}
	for _, problem := range v.Problems {
		lines = append(lines, l.Say("line %d: %s %s", problem.Line, problem.Code, l.Title(problem.Code, problem.Message)))
	}
	if len(v.Preferences)+len(v.Licenses) == 0 {
		lines = append(lines, l.Say("no Content-Signal, Content-Usage or License line states how pages may be used"))
	}
	return lines
}

// where returns the pages to which a preference applies.
func where(l language.Language, path string) string {
	if path == "" {
		return l.Say("of all pages")
	}
	return l.Say("of pages under %s", path)
}

// agentsText names the first crawlers of a list that has more than agents.
func agentsText(l language.Language, agents []string, more int) string {
	if len(agents) == 0 {
		return l.Say("no crawler")
	}
	return l.FirstOf(agents, min(4, len(agents)), len(agents)+more)
}

// details prints the lines below a table: why there is no file, and the lines of UsageLines and
// DisobeyLines.
func (p *AIViews) details(v *wire.AIView) error {
	lines := UsageLines(language.English, v)
	if v.Body == "" && v.FetchReason != "" {
		lines = append([]string{"robots.txt: " + v.FetchReason}, lines...)
	}
	lines = append(lines, DisobeyLines(language.English, v)...)
	lines = append(lines, Readings(func(yield func(string, robotstxt.Dialect) bool) {
		for _, a := range v.Purposes {
			for i, d := range a.Dialects {
				if !yield(a.Agents[i], d) {
					return
				}
			}
		}
	})...)
	for i := range lines {
		lines[i] = term.Escape(lines[i])
	}
	return p.paragraph(lines, "    ")
}

// DisobeyLines explains the dagger, if a crawler has one.
func DisobeyLines(l language.Language, v *wire.AIView) []string {
	disobey := make(map[string]bool) // some have several purposes
	for _, a := range v.Purposes {
		for _, agent := range a.Disobey {
			disobey[agent] = true
		}
	}
	switch len(disobey) {
	case 0:
		return nil
	case 1:
		return []string{l.Say("1 crawler (†) does not obey robots.txt, or not reliably, as a source states")}
	}
	return []string{l.Say("%s crawlers (†) do not obey robots.txt, or not reliably, as a source states", l.Number(len(disobey)))}
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

// AccessText returns how much of a site is open: "open except /archive/". It lists a
// limited number of exceptions.
func AccessText(l language.Language, a *wire.AIAccess, most int) string {
	switch {
	case a.Unread:
		return l.Say("not known: cannot be named")
	case a.Access == semdiff.ExtentDepends:
		return l.Say("depends on the parser")
	case a.Access == semdiff.ExtentUnknown:
		return l.Say("not known: no answer")
	case a.Access != semdiff.ExtentPartly:
		return l.Say(language.Text(a.Access))
	case a.Otherwise == wire.VerdictAllowed:
		return l.Say("open except %s", exceptions(l, a.Except, most))
	}
	return l.Say("closed except %s", exceptions(l, a.Except, most))
}

func exceptions(l language.Language, all []wire.Exception, most int) string {
	var texts []string
	for _, e := range all {
		text := e.Pattern
		if e.Part && len(all) <= most {
			text = l.Say("%s (in part)", text)
		}
		texts = append(texts, text)
	}
	return l.First(texts, most)
}

// SomeAgents lists crawlers, up to a limit, and marks those that do not obey with a dagger.
func SomeAgents(l language.Language, a *wire.AIAccess, most int) string {
	var texts []string
	for _, agent := range a.Agents {
		if slices.Contains(a.Disobey, agent) {
			agent += "†"
		}
		texts = append(texts, agent)
	}
	return l.First(texts, most)
}
