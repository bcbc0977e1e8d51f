package main

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/compare"
	"github.com/kosterhq/robotstxt/cmd/internal/report"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
	"github.com/kosterhq/robotstxt/semdiff"
)

// diffText prints what changes for people.
type diffText struct {
	out     *bufio.Writer
	palette term.Palette
	sides   [2]*side
	list    string // of URLs
	names   crawlerNames

	narrowed bool // some crawlers were selected
}

func (p *diffText) print(r *compare.Result) error {
	p.heads(r)
	p.summary(r)
	for i := range r.Rows {
		if len(r.Rows[i].Changes) > 0 {
			if len(r.Rows) > 1 {
				fmt.Fprintf(p.out, "\n%s\n", p.palette.Paint(term.Bold, "For "+p.names.list(r.Rows[i].Agents)+":"))
			}
			p.row(&r.Rows[i])
		}
	}
	p.other(r)
	p.flips(r)
	return report.WriteError(p.out)
}

// heads says what is compared, where that is more than two files in one dialect.
func (p *diffText) heads(r *compare.Result) {
	mixed := r.Dialects[0] != r.Dialects[1]
	if !mixed && p.sides[0].remark+p.sides[1].remark == "" {
		return
	}
	for i, s := range p.sides {
		text := term.Source(s.name)
		if mixed {
			text += ", read as " + r.Dialects[i].String()
		}
		if s.remark != "" {
			text += ", " + s.remark
		}
		fmt.Fprintf(p.out, "%s  %s\n", [2]string{"old", "new"}[i], text)
	}
	fmt.Fprintln(p.out)
}

// summary prints a line for each row, and one for all crawlers without a change.
func (p *diffText) summary(r *compare.Result) {
	if r.Equal {
		whom := "any crawler"
		if p.narrowed {
			whom = p.names.list(r.Agents)
		}
		fmt.Fprintf(p.out, "%s\n", p.palette.Paint(term.Green, "equal: it is proved that no URL has another verdict for "+whom))
		return
	}
	var equal []string
	for i := range r.Rows {
		row := &r.Rows[i]
		if row.Effect == semdiff.Equal {
			equal = append(equal, row.Agents...)
			continue
		}
		fmt.Fprintf(p.out, "%s: %s\n", p.palette.Paint(term.Bold, p.names.list(row.Agents)), p.effect(row))
	}
	if len(equal) > 0 {
		fmt.Fprintf(p.out, "%s: no change\n", p.names.list(equal))
	}
	if r.Undecided {
		fmt.Fprintf(p.out, "\nUndecided is neither equal nor different. --agent and --steps may help.\n")
	}
}

// effect says what changes in a row: "opens 2, closes 1".
func (p *diffText) effect(row *compare.Row) string {
	var effects []string
	if row.Opens > 0 {
		effects = append(effects, p.palette.Paint(term.Yellow, fmt.Sprintf("opens %d", row.Opens)))
	}
	if row.Closes > 0 {
		effects = append(effects, p.palette.Paint(term.Red, fmt.Sprintf("closes %d", row.Closes)))
	}
	text := strings.Join(effects, ", ")
	if row.Effect == semdiff.Undecided {
		if text != "" {
			text += ", the rest is "
		}
		return text + p.palette.Paint(term.Red, "undecided") + " (" + term.Escape(row.Tried) + ")"
	}
	if !row.Complete {
		text += ", and maybe more lines (" + term.Escape(row.Tried) + ")"
	}
	return text
}

// mostChanges is how many changes of a row are shown.
const mostChanges = 20

// row prints the changes of a row.
func (p *diffText) row(row *compare.Row) {
	var needless []string
	shown := 0
	for i := range row.Changes {
		c := &row.Changes[i]
		if p.isNeedless(c.Witness) {
			needless = append(needless, c.Witness)
			continue
		}
		if shown++; shown > mostChanges {
			continue
		}
		style, verb, before, after := term.Yellow, "opens", "disallowed", "allowed   "
		if c.Effect == wire.Closes {
			style, verb, before, after = term.Red, "closes", "allowed   ", "disallowed"
		}
		fmt.Fprintf(p.out, "  %s, for example  %s\n", p.palette.Paint(style, verb), p.palette.Paint(term.Bold, shownPath(c.Witness)))
		fmt.Fprintf(p.out, "    old  %s  %s\n", before, p.sides[0].rule(c.OldLine))
		fmt.Fprintf(p.out, "    new  %s  %s\n", after, p.sides[1].rule(c.NewLine))
	}
	if shown > mostChanges {
		fmt.Fprintf(p.out, "  and %s; --json lists them\n", term.Count(shown-mostChanges, "more pair of lines", "more pairs of lines"))
	}
	if len(needless) > 0 {
		fmt.Fprintf(p.out, "  %s on URLs with percent codes that browsers do not write, such as %s; --json lists them\n",
			term.Count(len(needless), "pair of lines differs", "pairs of lines differ"), shownPath(needless[0]))
	}
}

// isNeedless reports whether two dialects are compared and a path has percent codes
// that no browser writes. As one dialect compares octets and the other does not,
// nearly every rule decides some such path otherwise.
func (p *diffText) isNeedless(path string) bool {
	return p.sides[0].robots.Dialect() != p.sides[1].robots.Dialect() && robotstxt.RFC9309.EncodePath(path) != path
}

// rule shows a deciding line.
func (s *side) rule(line int) string {
	switch {
	case s.remark != "":
		return "the site has no file"
	case line == 0:
		return "no rule matches"
	}
	return fmt.Sprintf("line %d: %s", line, term.Clip(term.Escape(s.file.Rule(line)), widestExcerpt))
}

// other prints the differences beside the verdicts.
func (p *diffText) other(r *compare.Result) {
	if len(r.Other) == 0 {
		return
	}
	fmt.Fprintf(p.out, "\nOther lines that differ (they change no verdict):\n")
	for _, d := range r.Other {
		whom := ""
		if len(d.Agents) > 0 {
			whom = " for " + p.names.list(d.Agents)
		}
		p.values("-", d.Kind+whom, d.Old)
		p.values("+", d.Kind+whom, d.New)
	}
}

// mostValues is how many values of a kind are printed.
const mostValues = 20

func (p *diffText) values(sign, what string, values []string) {
	for i, value := range values {
		if i == mostValues {
			fmt.Fprintf(p.out, "  %s %s: %d more; --json lists them all\n", sign, term.Escape(what), len(values)-mostValues)
			return
		}
		fmt.Fprintf(p.out, "  %s %s: %s\n", sign, term.Escape(what), term.Clip(term.Escape(value), 4*widestExcerpt))
	}
}

// flips prints the given URLs that have another verdict.
func (p *diffText) flips(r *compare.Result) {
	if p.list == "" {
		return
	}
	flipped := 0
	for i, flip := range r.Flips {
		if i == 0 || r.Flips[i-1].URL != flip.URL {
			flipped++
		}
	}
	fmt.Fprintf(p.out, "\n%s of %s in %s %s another verdict", term.Thousands(flipped), term.Count(r.URLs, "URL", "URLs"), term.Source(p.list), has(flipped))
	if flipped == 0 {
		fmt.Fprintln(p.out)
		return
	}
	fmt.Fprintln(p.out, ":")
	for _, flip := range r.Flips {
		style := term.Yellow
		if flip.Effect == wire.Closes {
			style = term.Red
		}
		fmt.Fprintf(p.out, "  %s  %s  for %s\n", p.palette.Paint(style, fmt.Sprintf("%-6s", flip.Effect)), term.Escape(flip.URL), p.names.list(flip.Agents))
	}
}

func has(n int) string {
	if n == 1 {
		return "has"
	}
	return "have"
}

// shownPath is a witness as it is printed.
func shownPath(path string) string { return term.Clip(term.Escape(path), 4*widestExcerpt) }
