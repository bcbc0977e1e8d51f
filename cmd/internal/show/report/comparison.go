package report

import (
	"bufio"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/compare"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/internal/sentence"
	"github.com/kosterhq/robotstxt/semdiff"
)

// Side is one of the two files of a comparison.
type Side struct {
	Name   string // the path as given, or the URL of a robots.txt
	Remark string // the reason why there is no file, escaped; "" if there is one
	File   *answer.File
	Robots *robotstxt.Robots
}

func (s *Side) rule(line int) string {
	switch {
	case s.Remark != "":
		return "the site has no file"
	case line == 0:
		return "no rule matches"
	}
	return fmt.Sprintf("line %d: %s", line, term.Excerpt(s.File.Rule(line)))
}

// Comparison prints the changes between two files.
type Comparison struct {
	Out      *bufio.Writer // the caller flushes it
	Sides    [2]*Side      // the old and the new file
	Palette  term.Palette  // the colours of the text
	List     string        // the name of the list of URLs that were compared, "" without one
	Narrowed bool          // only some crawlers are compared

	// Important is the effect that is annotated as an error. Default: none.
	Important wire.ChangeEffect
}

// shownComparison is a comparison with the names of its crawlers.
type shownComparison struct {
	*Comparison
	names crawlerNames
	said  []string // about the effects
}

var effectStyles = map[wire.ChangeEffect]term.Style{wire.Opens: term.Yellow, wire.Closes: term.Red}

func (p *shownComparison) equal(r *compare.Result) string {
	whom := "any " + compared
	if p.Narrowed {
		whom = p.names.list(r.Agents)
	}
	text := "it is proved that no verdict changes for " + whom
	if cut := p.cut(); cut != "" {
		return text + "; " + cut
	}
	return text
}

// cut says which of the files were not read to their end, "" if none.
func (p *shownComparison) cut() string {
	var names []string
	for _, s := range p.Sides {
		text := fmt.Sprintf("the first %s of %s", term.Count(len(s.File.Text), "byte", "bytes"), term.Source(s.Name))
		if s.File.Truncated && !slices.Contains(names, text) { // one file can be compared in two dialects
			names = append(names, text)
		}
	}
	if names == nil {
		return ""
	}
	return "only " + sentence.List(names) + " were compared"
}

// GravestFirst returns rows in the order of their effect: first rows that close the whole
// site or nearly all of it, then rows that open it, then those that close many paths, then the others.
func GravestFirst(rows []compare.Row) []compare.Row {
	rank := func(row compare.Row) int {
		switch {
		case row.Site != nil && row.Site.Effect == wire.Closes:
			return 0
		case row.Site != nil:
			return 1
		case slices.ContainsFunc(row.Sizes, closesMany):
			return 2
		}
		return 3
	}
	return slices.SortedStableFunc(slices.Values(rows), func(a, b compare.Row) int { return rank(a) - rank(b) })
}

func closesMany(e wire.SizedEffect) bool {
	return e.Effect == wire.Closes && e.Size == semdiff.SizeMany
}

// Text prints the changes as text: a summary by crawler, then each pair of lines with
// a path, then other differences and the given URLs whose verdict changes.
func (c *Comparison) Text(r *compare.Result) error {
	p := &shownComparison{Comparison: c, names: namesOf(r, c.Narrowed)}
	p.heads(r)
	p.summary(r)
	for i := range r.Rows {
		if len(r.Rows[i].Changes) > 0 {
			if len(r.Rows) > 1 {
				fmt.Fprintf(p.Out, "\n%s\n", p.Palette.Paint(term.Bold, "For "+p.names.list(r.Rows[i].Agents)+":"))
			}
			p.row(&r.Rows[i])
		}
	}
	p.other(r)
	p.flips(r)
	return writeError(p.Out)
}

func (p *shownComparison) heads(r *compare.Result) {
	mixed := r.Dialects[0] != r.Dialects[1]
	if !mixed && p.Sides[0].Remark+p.Sides[1].Remark == "" {
		return
	}
	for i, s := range p.Sides {
		text := term.Source(s.Name)
		if mixed {
			text += ", read as " + r.Dialects[i].String()
		}
		if s.Remark != "" {
			text += ", " + s.Remark
		}
		fmt.Fprintf(p.Out, "%s  %s\n", [2]string{"old", "new"}[i], text)
	}
	fmt.Fprintln(p.Out)
}

// summary prints a line for each effect, and one line for all crawlers without a change.
func (p *shownComparison) summary(r *compare.Result) {
	if cut := p.cut(); cut != "" && !r.Equal {
		defer fmt.Fprintf(p.Out, "%s\n", cut)
	}
	defer p.readings(r)
	if r.Equal {
		fmt.Fprintf(p.Out, "%s\n", p.Palette.Paint(term.Green, "equal: "+p.equal(r)))
		return
	}
	var equal []string
	for i := range r.Rows {
		row := &r.Rows[i]
		if row.Effect == semdiff.Equal {
			equal = append(equal, row.Agents...)
			continue
		}
		if row.Unread {
			continue
		}
		p.effects(row)
	}
	if explanation := p.explanation(p.said...); explanation != "" {
		defer fmt.Fprintln(p.Out, explanation)
	}
	if len(equal) > 0 {
		fmt.Fprintf(p.Out, "%s: no change\n", p.names.list(equal))
	}
	if slices.ContainsFunc(r.Rows,
		func(row compare.Row) bool { return row.Effect == semdiff.Undecided && !row.Unread }) {
		fmt.Fprintf(p.Out, "\nUndecided means neither equal nor different. Try --agent or more --steps.\n")
	}
}

// readings prints which of the selected crawlers do not read files as Google does, and
// which cannot be named.
func (p *shownComparison) readings(r *compare.Result) {
	if len(r.UnreadAgents) > 0 {
		fmt.Fprintf(p.Out, "%s: unknown: no user-agent line can name it\n", p.names.list(r.UnreadAgents))
	}
	if r.Dialects[0] != r.Dialects[1] {
		return
	}
	readings := r.Readings
	if p.Narrowed {
		first := slices.Clone(r.Agents)
		for _, other := range readings {
			first = slices.DeleteFunc(first, func(agent string) bool { return slices.Contains(other.Agents, agent) })
		}
		readings = append([]wire.ComparedReading{{Dialect: r.Dialects[0], Agents: first}}, readings...)
	}
	for _, reading := range readings {
		if reading.Dialect != robotstxt.Google {
			fmt.Fprintf(p.Out, "read as %s: %s\n", reading.Dialect, p.names.list(reading.Agents))
		}
	}
}

// effects prints the effects of a row, each in a line, and whether there might be others.
func (p *shownComparison) effects(row *compare.Row) {
	names := p.Palette.Paint(term.Bold, p.names.list(row.Agents))
	for i := range row.Sizes {
		what, more := effectWords(row, &row.Sizes[i])
		if p.needless(row.With(row.Sizes[i].Effect)) {
			what = string(row.Sizes[i].Effect) + " URLs with percent codes that browsers do not write"
		}
		p.said = append(p.said, what, more)
		fmt.Fprintf(p.Out, "%s for %s%s\n", p.Palette.Paint(effectStyles[row.Sizes[i].Effect], what), names, more)
	}
	switch {
	case row.Effect == semdiff.Undecided:
		rest := ""
		if len(row.Sizes) > 0 {
			rest = "the rest is "
		}
		fmt.Fprintf(p.Out, "%s: %s%s (%s)\n", names, rest, p.Palette.Paint(term.Red, "undecided"), term.Escape(row.Tried))
	case !row.Complete:
		fmt.Fprintf(p.Out, "%s: there might be more changes (%s)\n", names, term.Escape(row.Tried))
	}
}

const maxChanges = 20

func (p *shownComparison) row(row *compare.Row) {
	var needless []string
	shown := 0
	for i := range row.Changes {
		c := &row.Changes[i]
		if p.isNeedless(c.Witness) {
			needless = append(needless, c.Witness)
			continue
		}
		shown++
		if shown > maxChanges {
			continue
		}
		before, after := "disallowed", "allowed   "
		if c.Effect == wire.Closes {
			before, after = after, before
		}
		fmt.Fprintf(p.Out, "  %s, for example  %s%s\n", p.Palette.Paint(effectStyles[c.Effect], string(c.Effect)),
			p.Palette.Paint(term.Bold, shownPath(c.Witness)), p.counted(c))
		fmt.Fprintf(p.Out, "    old  %s  %s\n", before, p.Sides[0].rule(c.OldLine))
		fmt.Fprintf(p.Out, "    new  %s  %s\n", after, p.Sides[1].rule(c.NewLine))
	}
	if shown > maxChanges {
		fmt.Fprintf(p.Out, "  and %s more; --json lists them\n", term.Thousands(shown-maxChanges))
	}
	if len(needless) > 0 {
		fmt.Fprintf(p.Out, "  %s URLs with percent codes that browsers do not write, such as %s; --json lists them\n",
			term.Count(len(needless), "change is about", "changes are about"), shownPath(needless[0]))
	}
}

// counted returns how many of the given URLs change, or "" without a list.
func (p *shownComparison) counted(c *wire.PathChange) string {
	if p.List == "" {
		return ""
	}
	return fmt.Sprintf("  (%s in %s)", term.Count(c.URLs, "URL", "URLs"), term.Source(p.List))
}

// isNeedless reports whether two dialects are compared and a path has percent codes
// that browsers do not write. Nearly every rule decides some such path differently in
// two dialects, because only google compares octets.
func (p *shownComparison) isNeedless(path string) bool {
	return p.Sides[0].Robots.Dialect() != p.Sides[1].Robots.Dialect() &&
		slices.ContainsFunc(percentCode.FindAllString(path, -1), isNeverWritten)
}

var percentCode = regexp.MustCompile("%[0-9A-Fa-f]{2}")

// isNeverWritten reports whether browsers write an octet differently from a percent code. The rest of the
// path does not count: a star, for example, is encoded although browsers write it as it is.
func isNeverWritten(code string) bool { return robotstxt.RFC9309.EncodePath("/"+code) != "/"+code }

// needless reports whether all changes are needless.
func (p *shownComparison) needless(changes []wire.PathChange) bool {
	isReal := func(c wire.PathChange) bool { return !p.isNeedless(c.Witness) }
	return len(changes) > 0 && !slices.ContainsFunc(changes, isReal)
}

// other prints the differences that change no verdict.
func (p *shownComparison) other(r *compare.Result) {
	if len(r.Other) == 0 {
		return
	}
	fmt.Fprintf(p.Out, "\nOther lines that differ (they change no verdict):\n")
	for _, d := range r.Other {
		kind := p.kindText(&d)
		p.values("-", kind, d.Old)
		p.values("+", kind, d.New)
	}
}

// kindText returns the kind of a difference and its crawlers, escaped.
func (p *shownComparison) kindText(d *wire.OtherDifference) string {
	kind := term.Escape(d.Kind)
	if len(d.Agents) > 0 {
		kind += " for " + p.names.list(d.Agents)
	}
	return kind
}

// ValuesText returns the values that only one file has in words: "removed 5, added 10". It names up to
// three of each file, and of more than three the first two.
func ValuesText(before, after []string) string {
	var texts []string
	for _, side := range []struct {
		verb   string
		values []string
	}{{"removed", before}, {"added", after}} {
		if len(side.values) > 0 {
			texts = append(texts, side.verb+" "+sentence.FirstOf(side.values, term.Excerpt, true))
		}
	}
	return strings.Join(texts, ", ")
}

const maxValues = 20

func (p *shownComparison) values(sign, what string, values []string) {
	for i, value := range values {
		if i == maxValues {
			fmt.Fprintf(p.Out, "  %s %s: %d more; --json lists them all\n", sign, what, len(values)-maxValues)
			return
		}
		fmt.Fprintf(p.Out, "  %s %s: %s\n", sign, what, term.Clip(term.Escape(value), 4*term.ExcerptWidth))
	}
}

func (p *shownComparison) flips(r *compare.Result) {
	if p.List == "" {
		return
	}
	flipped, text := p.flipped(r)
	fmt.Fprintf(p.Out, "\n%s", text)
	if flipped == 0 {
		fmt.Fprintln(p.Out)
		return
	}
	fmt.Fprintln(p.Out, ":")
	for _, flip := range r.Flips {
		fmt.Fprintf(p.Out, "  %s  %s  for %s\n", p.Palette.Paint(effectStyles[flip.Effect], fmt.Sprintf("%-6s", flip.Effect)),
			term.Escape(flip.URL), p.names.list(flip.Agents))
	}
}

// flipped returns how many of the given URLs have another verdict, and a sentence that says it.
func (p *shownComparison) flipped(r *compare.Result) (flipped int, text string) {
	for i, flip := range r.Flips {
		if i == 0 || r.Flips[i-1].URL != flip.URL {
			flipped++
		}
	}
	compared := r.URLs
	if r.SiteKnown {
		compared -= r.OtherURLs
	}
	return flipped, fmt.Sprintf("%s of %s in %s %s another verdict", term.Thousands(flipped), term.Count(compared, "URL", "URLs"),
		term.Source(p.List), has(flipped))
}

// OtherURLs returns a sentence about the given URLs that belong to other sites, or "" if
// there are none.
func OtherURLs(r *compare.Result) string {
	switch {
	case r.OtherURLs == 0:
		return ""
	case r.SiteKnown:
		return fmt.Sprintf("%s not compared, because another site's file decides, not the file of %s", term.Count(r.OtherURLs, "URL was", "URLs were"), r.Site)
	}
	files := "files decide"
	if r.OtherURLs == 1 {
		files = "file decides"
	}
	return fmt.Sprintf("%s other than %s, whose own %s; --site URL names the site of the files", term.Count(r.OtherURLs, "URL is of a site", "URLs are of sites"), r.Site, files)
}

func has(n int) string {
	if n == 1 {
		return "has"
	}
	return "have"
}

func shownPath(path string) string { return term.Clip(term.Escape(path), 4*term.ExcerptWidth) }
