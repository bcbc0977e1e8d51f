// Package sitereport writes a report on a robots.txt for the client of a consultant: its status and problems, who is
// shut out of what, what has changed, and what it tells AI services. A report is at most two printed pages long,
// whatever the file contains: the numbers of rows and the lengths of cells are bounded.
package sitereport

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/compare"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/table"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/show/language"
	"github.com/kosterhq/robotstxt/cmd/internal/show/prose"
	"github.com/kosterhq/robotstxt/cmd/internal/show/report"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/lint"
)

// The bounds of a report.
const (
	maxProblems = 7
	maxRows     = 5 // of crawlers that are shut out, and of changes
	maxUses     = 10
	maxLines    = 2
	maxNames    = 4

	nameWidth = 20
	pathWidth = 28
	useWidth  = 18  // of an exception of a use
	lineWidth = 100 // of an entry of a list
	cellWidth = 140
)

// Site is a robots.txt with all that a report says about it.
type Site struct {
	Name     string // as given
	Ruling   *answer.Ruling
	Problems *report.File
	AI       *wire.AIView    // nil without a file
	Closed   *compare.Result // the file compared with an empty one, nil without a file

	// Before is the older file of a comparison, nil without one. Changes is nil if the site has no rules that
	// can be compared.
	Before   *answer.File
	NoBefore string // why Before could not be read
	Changes  *compare.Result
}

// Markdown returns the report.
func (s *Site) Markdown(l language.Language, now time.Time) string {
	w := &writer{Language: l, site: s}
	if s.Closed != nil {
		w.closings = w.effects(s.Closed.Rows)
	}
	name := term.Source(s.Name)
	if s.Ruling.Site != nil {
		name = l.Say("robots.txt of %s", term.Escape(s.Ruling.Site.Origin))
	}
	w.heading("#", name)
	w.paragraph(l.Say("Report of %s. Crawlers known on %s.", l.Time(now), l.Date(crawlers.Version())))
	w.paragraph(w.lead())
	w.status()
	w.problems()
	w.shutOut()
	w.changes()
	w.ai()
	return w.text.String()
}

// Failed returns the report on an argument about which nothing can be said, because of a fault.
func Failed(l language.Language, now time.Time, name, fault string) string {
	w := &writer{Language: l}
	w.heading("#", term.Source(name))
	w.paragraph(l.Say("Report of %s. Crawlers known on %s.", l.Time(now), l.Date(crawlers.Version())))
	w.paragraph(l.Say("Nothing is known about it: %s.", l.Clause(l.Phrase(fault))))
	return w.text.String()
}

type writer struct {
	language.Language
	site *Site
	text strings.Builder

	closings []*effect // of the comparison with an empty file
}

func (w *writer) heading(mark, text string) {
	w.text.WriteString(mark + " " + table.EscapeMarkdown(term.Clip(text, cellWidth)) + "\n\n")
}

func (w *writer) paragraph(text string) {
	w.text.WriteString(table.EscapeMarkdown(term.Clip(term.Escape(text), 4*cellWidth)) + "\n\n")
}

func (w *writer) list(lines []string) {
	for i, line := range lines {
		if i == maxLines && len(lines) > maxLines+1 {
			line = w.Say("and %s more lines", w.Number(len(lines)-maxLines))
		}
		line = language.Sentence(term.Clip(term.Escape(line), lineWidth))
		w.text.WriteString("- " + table.EscapeMarkdown(line) + "\n")
		if i == maxLines {
			break
		}
	}
	if len(lines) > 0 {
		w.text.WriteString("\n")
	}
}

// table writes the first rows of a table, and how many more there are.
func (w *writer) table(columns []table.Column, rows [][]string, most int) {
	t := table.New(&w.text, table.Config{Format: table.Markdown, Columns: columns})
	for i, row := range rows {
		if i == most && len(rows) > most {
			row = make([]string, len(columns))
			row[0] = w.Say("and %s more", w.Number(len(rows)-most))
		}
		for _, cell := range row {
			t.Cell(term.Clip(term.Escape(cell), cellWidth))
		}
		_ = t.End() // a strings.Builder does not fail
		if i == most {
			break
		}
	}
	_ = t.Flush()
	w.text.WriteString("\n")
}

// lead is what a client reads first: who may not fetch what, and how many problems there are.
func (w *writer) lead() string {
	r := w.site.Ruling
	var sentences []string
	switch {
	case w.site.Ruling.IsUnknown():
		sentences = append(sentences, w.Say("It is not known what crawlers may fetch: %s.", w.Clause(w.reason())))
	case !r.HasFile() && r.Site.Outcome == wire.OutcomeAllowAll:
		return w.Say("Crawlers may fetch everything: %s.", w.Clause(w.reason()))
	case !r.HasFile():
		return w.Say("Crawlers may fetch nothing: %s.", w.Clause(w.reason()))
	default:
		sentences = w.closedFor()
	}
	if counts := w.counts(); counts != "" {
		sentences = append(sentences, counts)
	}
	return strings.Join(sentences, " ")
}

// closedFor says first who may fetch nothing, or hardly anything, and what any crawler may not fetch.
func (w *writer) closedFor() (sentences []string) {
	var others []string
	for _, e := range w.closings {
		if e.isSite && len(sentences) < maxLines || slices.Contains(e.agents, compare.Any) {
			sentences = append(sentences, w.Say("Closed for %s: %s.", w.names(e.agents, true), e.paths))
		} else {
			others = append(others, e.agents...)
		}
	}
	switch {
	case others != nil:
		return append(sentences, w.Say("Paths are closed for %s.", w.names(others, false)))
	case sentences == nil && isIncomplete(w.site.Closed):
		return []string{w.Say("The file is so large that it is not known who is shut out of what.")}
	case sentences == nil:
		return []string{w.Say("Closed for no crawler.")}
	}
	return sentences
}

// counts says how many problems there are, "" if there are none.
func (w *writer) counts() string {
	found := map[lint.Severity]int{}
	for _, c := range w.site.Problems.Counts {
		found[c.Severity] += c.Found
	}
	var counts []string
	for _, kind := range kinds {
		if n := found[kind.severity]; n > 0 {
			counts = append(counts, w.Count(n, kind.one, kind.more))
		}
	}
	if counts == nil {
		return ""
	}
	return w.Say("Found: %s.", w.List(counts))
}

var kinds = []struct {
	severity  lint.Severity
	one, more language.Text
}{{lint.Error, "error", "errors"}, {lint.Warning, "warning", "warnings"}, {lint.Info, "note", "notes"}}

// reason returns why the site has no file.
func (w *writer) reason() string {
	s := w.site.Ruling.Site
	switch text := w.Fault(s.Fault); {
	case s.Status > 0 && s.Source == wire.SourceAssumed:
		return w.answer()
	case s.Source == wire.SourceAssumed && text != "":
		return text
	case s.Source == wire.SourceAssumed, s.Outcome == wire.OutcomeLocal:
		return w.Say("there is no response")
	}
	return w.Reason(s.FetchReason)
}

// answer returns the status of the response.
func (w *writer) answer() string {
	s := w.site.Ruling.Site
	switch {
	case s.Status == 0:
		return w.Say("none")
	case strings.HasPrefix(s.Origin, "ftp:"):
		return w.Reason("FTP status " + strconv.Itoa(s.Status))
	}
	return w.Reason("HTTP status " + strconv.Itoa(s.Status))
}

func (w *writer) status() {
	w.heading("##", w.Say("Status"))
	var rows [][]string
	add := func(name, value string) { rows = append(rows, []string{name, value}) }
	if s := w.site.Ruling.Site; s != nil {
		add(w.Say("address"), s.FinalURL)
		if n := len(s.Hops); n > 0 {
			add(w.Say("redirects"), w.Number(n))
		}
		add(w.Say("answer"), w.answer())
		if s.Edge != "" {
			add(w.Say("answer of"), w.Say("%s and not the site, it seems", s.Edge))
		}
		add(w.Say("fetched"), w.Time(s.FetchedAt))
		add(w.Say("meaning"), w.meaning())
	}
	if file := w.site.Ruling.Outline(); file != nil {
		text := w.site.Ruling.File.Text
		size := w.Count(len(text), "byte", "bytes") + ", " + w.Count(file.Lines, "line", "lines")
		if w.site.Ruling.File.Truncated {
			size = w.Say("more than %s; this is about that beginning of the file", size)
		}
		add(w.Say("size"), size)
		add(w.Say("groups"), w.groups(file))
		add(w.Say("rules"), w.Say("%s Disallow, %s Allow", w.Number(file.Disallow), w.Number(file.Allow)))
		add(w.Say("sitemaps"), w.few(file.Sitemaps))
		add("SHA-256", fmt.Sprintf("%x", sha256.Sum256(text)))
	}
	w.table(make([]table.Column, 2), rows, len(rows))
}

func (w *writer) meaning() string {
	s := w.site.Ruling.Site
	switch {
	case s.Outcome == wire.OutcomeRules:
		return w.Say("the rules of the file apply")
	case w.site.Ruling.IsUnknown():
		return w.Say("nothing is known")
	case s.Outcome == wire.OutcomeAllowAll:
		return w.Say("crawlers may fetch everything")
	}
	return w.Say("crawlers may fetch nothing")
}

func (w *writer) groups(file *wire.Outline) string {
	if file.Groups == 0 {
		return w.Say("none")
	}
	return w.Say("%s, for %s", w.Number(file.Groups), w.names(file.Agents, false))
}

// few returns the first of some texts of the file.
func (w *writer) few(texts []string) string {
	if len(texts) == 0 {
		return w.Say("none")
	}
	var shown []string
	for _, text := range texts[:min(len(texts), 1)] {
		shown = append(shown, excerpt(text, lineWidth-20))
	}
	return w.FirstOf(shown, 1, len(texts))
}

// excerpt returns the beginning of a text that can be large.
func excerpt(text string, width int) string {
	return term.Clip(term.Escape(text[:min(len(text), 4*width)]), width)
}

// names returns the first of some crawlers. compare.Any is in words if the names are in a sentence.
func (w *writer) names(agents []string, isSentence bool) string {
	var shown []string
	for _, agent := range agents {
		switch {
		case agent == compare.Any && isSentence:
			agent = w.Say(compare.AnyText)
		case len(shown) < maxNames:
			agent = excerpt(agent, nameWidth)
		}
		if agent == w.Say(compare.AnyText) {
			shown = slices.Insert(shown, 0, agent)
		} else if len(shown) < maxNames {
			shown = append(shown, agent)
		}
	}
	if len(agents) > maxNames {
		return w.FirstOf(shown, maxNames-1, len(agents))
	}
	return w.List(shown)
}

func (w *writer) problems() {
	w.heading("##", w.Say("Problems"))
	in := w.site.Problems
	if w.site.Ruling.IsUnknown() && len(in.Counts) == 0 {
		w.paragraph(w.Say("That is not known."))
		return
	}
	if len(in.Counts) == 0 {
		w.paragraph(w.Say("No problem was found."))
		return
	}
	var rows [][]string
	for _, kind := range kinds {
		for _, c := range in.Counts {
			if c.Severity == kind.severity {
				entry, _ := lint.About(c.Code)
				title := w.Title(string(c.Code), entry.Title) + " (" + string(c.Code) + ")"
				rows = append(rows, []string{w.Say(kind.one), title, report.FirstLine(in, c), w.Number(c.Found)})
			}
		}
	}
	w.table([]table.Column{{Name: w.Say("severity")}, {Name: w.Say("problem")}, {Name: w.Say("line"), Right: true},
		{Name: w.Say("count"), Right: true}}, rows, maxProblems)
}

// effect is what rows of a comparison with the same text open or close.
type effect struct {
	kind     wire.ChangeEffect
	paths    string
	isSite   bool // nearly the whole site, or all of it
	agents   []string
	old, new []int // the deciding lines
}

// effects returns the effects of rows, the gravest first. Many files close the same for crawler after crawler, each in
// its own group: that is one effect.
func (w *writer) effects(rows []compare.Row) (effects []*effect) {
	type key struct {
		kind  wire.ChangeEffect
		paths string
	}
	known := map[key]*effect{}
	for _, row := range report.GravestFirst(rows) {
		for _, size := range row.Sizes {
			k := key{size.Effect, w.paths(&row, size.Effect)}
			e := known[k]
			if e == nil {
				e = &effect{kind: k.kind, paths: k.paths}
				known[k], effects = e, append(effects, e)
			}
			e.isSite = e.isSite || row.Site != nil && row.Site.Effect == k.kind
			e.agents = append(e.agents, row.Agents...)
			for _, c := range row.With(k.kind) {
				e.old, e.new = append(e.old, c.OldLine), append(e.new, c.NewLine)
			}
		}
	}
	return effects
}

func (w *writer) shutOut() {
	w.heading("##", w.Say("Who is shut out of what"))
	r := w.site.Ruling
	switch {
	case !r.HasFile() && r.Site.Answered() && r.Site.Outcome == wire.OutcomeAllowAll:
		w.paragraph(w.Say("No crawler is shut out, because no file restricts it."))
		return
	case !r.HasFile() && r.Site.Answered() && r.Site.Outcome == wire.OutcomeDisallowAll:
		w.paragraph(w.Say("Every crawler is shut out of the whole site, because of the status."))
		return
	case !r.HasFile():
		w.paragraph(w.Say("That is not known."))
		return
	}
	var rows [][]string
	for _, e := range w.closings {
		rows = append(rows, []string{w.names(e.agents, true), e.paths, w.rules(r.File, e.new)})
	}
	switch {
	case rows == nil && isIncomplete(w.site.Closed):
		w.paragraph(w.Say("That is not known."))
	case rows == nil:
		w.paragraph(w.Say("No line shuts a crawler out."))
	default:
		columns := []table.Column{{Name: w.Say("crawlers")}, {Name: w.Say("may not fetch")}, {Name: w.Say("because")}}
		w.table(columns, rows, maxRows)
	}
	w.incomplete(w.site.Closed)
}

// incomplete says that a comparison did not find everything.
func (w *writer) incomplete(r *compare.Result) {
	if isIncomplete(r) {
		w.paragraph(w.Say("The file is so large that there might be more."))
	}
}

func isIncomplete(r *compare.Result) bool { return !r.Complete || r.Undecided }

// paths returns what a row opens or closes.
func (w *writer) paths(row *compare.Row, effect wire.ChangeEffect) string {
	show := func(path string) string { return excerpt(path, pathWidth) }
	what, by := report.EffectIn(w.Words(), show, row, effect)
	return what + by
}

// rules returns the first of some lines of a file, which can occur several times. Line 0 is for no rule.
func (w *writer) rules(file *answer.File, lines []int) string {
	if len(lines) == 0 {
		return ""
	}
	seen := map[int]bool{}
	for _, line := range lines {
		seen[line] = true
	}
	isWithout := seen[0]
	delete(seen, 0)
	if len(seen) == 0 {
		return w.Say("no rule")
	}
	first := lines[slices.IndexFunc(lines, func(line int) bool { return line > 0 })]
	text := w.Say("line %d: %s", first, excerpt(file.Rule(first), pathWidth))
	text = w.FirstOf([]string{text}, 1, len(seen))
	if isWithout {
		text = w.Say("%s; otherwise no rule", text)
	}
	return text
}

func (w *writer) changes() {
	if w.site.Before == nil {
		return
	}
	w.heading("##", w.Say("Changes since %s", term.Source(w.site.Before.Name)))
	r := w.site.Changes
	if w.site.NoBefore != "" {
		w.paragraph(w.Say("The older file could not be read: %s.", w.Clause(w.Phrase(w.site.NoBefore))))
		return
	}
	if r == nil {
		w.paragraph(w.Say("The site has no rules that can be compared."))
		return
	}
	var rows [][]string
	for _, e := range w.effects(r.Rows) {
		word := w.Say("opens")
		if e.kind == wire.Closes {
			word = w.Say("closes")
		}
		rows = append(rows, []string{word, e.paths, w.names(e.agents, true), w.rules(w.site.Before, e.old),
			w.rules(w.site.Ruling.File, e.new)})
	}
	isCut := w.site.Before.Truncated || w.site.Ruling.File.Truncated
	switch {
	case r.Equal && isCut:
		w.paragraph(w.Say("No verdict has changed as far as the files were read."))
	case r.Equal:
		w.paragraph(w.Say("No verdict has changed. That is proved for all URLs."))
	}
	if isCut {
		w.paragraph(w.Say("Only the beginning of a file that is longer was compared, so there might be other changes."))
	}
	if rows != nil {
		columns := []table.Column{{Name: w.Say("effect")}, {Name: w.Say("paths")}, {Name: w.Say("crawlers")},
			{Name: w.Say("before")}, {Name: w.Say("now")}}
		w.table(columns, rows, maxRows)
	}
	w.incomplete(r)
	var others []string
	for _, d := range r.Other {
		if len(d.Old) > 0 {
			others = append(others, w.Say("%s removed: %s", w.Phrase(d.Kind), w.few(d.Old)))
		}
		if len(d.New) > 0 {
			others = append(others, w.Say("%s added: %s", w.Phrase(d.Kind), w.few(d.New)))
		}
	}
	w.list(others)
}

func (w *writer) ai() {
	w.heading("##", w.Say("AI and search"))
	v := w.site.AI
	if s := w.site.Ruling.Site; s != nil && s.Source == wire.SourceAssumed { // the file exists, perhaps
		w.paragraph(w.Say("That is not known."))
		return
	}
	if v == nil {
		w.paragraph(w.Say("There is no file that says anything to AI services."))
		return
	}
	var rows [][]string
	purpose := ""
	for _, a := range prose.InShort(w.Language, v.Purposes) {
		use := prose.UseIn(w.Language, crawlers.Purpose(a.Purpose))
		if a.Purpose == purpose {
			use = "" // the use is the same as above
		}
		purpose = a.Purpose
		for i := range a.Except {
			a.Except[i].Pattern = excerpt(a.Except[i].Pattern, useWidth)
		}
		rows = append(rows,
			[]string{use, prose.AccessText(w.Language, &a, 1), prose.SomeAgents(w.Language, &a, maxNames)})
	}
	w.table([]table.Column{{Name: w.Say("use")}, {Name: w.Say("access")}, {Name: w.Say("crawlers")}}, rows, maxUses)
	w.list(append(prose.DisobeyLines(w.Language, v), prose.UsageLines(w.Language, v)...))
}
