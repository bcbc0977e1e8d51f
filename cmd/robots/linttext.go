package main

import (
	"bufio"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/kosterhq/robotstxt/cmd/internal/places"
	"github.com/kosterhq/robotstxt/lint"
)

// textReport prints findings for people.
type textReport struct {
	out     *bufio.Writer
	palette palette

	files    int
	found    [lint.Error + 1]int // by severity
	fixable  int                 // by --fix
	meanings int                 // by --fix=all only
}

var severityStyles = map[lint.Severity]style{lint.Error: red, lint.Warning: yellow, lint.Info: faint}

func (r *textReport) file(in *linted) error {
	r.files++
	if len(in.Findings) == 0 {
		return nil
	}
	lines := places.Of(in.body)
	for i := range in.Findings {
		r.finding(in.File, lines, &in.Findings[i])
	}
	return flushed(r.out)
}

// flushed returns the error that a writer has kept, if any.
func flushed(out *bufio.Writer) error {
	_, err := out.Write(nil)
	return err
}

// mostRelated is how many other places of a finding are shown.
const mostRelated = 5

func (r *textReport) finding(name string, lines *places.Places, f *lint.Finding) {
	r.found[min(f.Severity, lint.Error)]++
	fmt.Fprintf(r.out, "%s: %s %s: %s\n",
		r.palette.paint(bold, fmt.Sprintf("%s:%d:%d", shownPlace(name), f.Line, f.Column)),
		r.palette.paint(severityStyles[f.Severity], f.Severity.String()), f.Code, escape(f.Message))
	if f.Start > 0 || f.End > 0 { // otherwise it is about the file as a whole
		r.excerpt(lines, f)
	}
	if len(f.For) > 0 {
		tokens := make([]string, len(f.For))
		for i, token := range f.For {
			tokens[i] = quoteStar(token)
		}
		r.field("for", firstOf(tokens, 8))
	}
	for i, related := range f.Related {
		if i == mostRelated {
			r.field("", fmt.Sprintf("and %d more places; --format json lists them all", len(f.Related)-i))
			break
		}
		r.field(fmt.Sprintf("line %d", related.Line), escape(related.Message))
	}
	r.fix(f)
}

func (r *textReport) fix(f *lint.Finding) {
	switch {
	case f.Fix == nil:
	case f.Fix.Meaning:
		r.meanings++
		r.field("fix", escape(f.Fix.Title)+" (--fix=all, as it changes what the file says)")
	default:
		r.fixable++
		r.field("fix", escape(f.Fix.Title)+" (--fix)")
	}
}

func (r *textReport) field(name, text string) {
	if name != "" {
		text = name + ": " + text
	}
	fmt.Fprintf(r.out, "    %s\n", text)
}

// excerpt shows the line of a finding with carets under its place. Of a long line
// it shows the part around the place.
func (r *textReport) excerpt(lines *places.Places, f *lint.Finding) {
	const before = widestExcerpt / 2
	text, start := lines.Text(f.Line), f.Column-1
	if start > len(text) || len(text) == 0 {
		return
	}
	from, to := max(0, start-before), min(len(text), max(0, start-before)+widestExcerpt)
	for from < start && !utf8.RuneStart(text[from]) {
		from++
	}
	for to < len(text) && to > start && !utf8.RuneStart(text[to]) {
		to--
	}
	lead, tail := "", ""
	if from > 0 {
		lead = "…"
	}
	if to < len(text) {
		tail = "…"
	}
	end := min(to, max(start, f.End-lines.Start(f.Line)))
	indent := columns(lead + escape(string(text[from:start])))
	width := columns(escape(string(text[start:end])))
	fmt.Fprintf(r.out, "    %s%s%s\n    %s%s\n", lead, escape(string(text[from:to])), tail, strings.Repeat(" ", indent),
		r.palette.paint(severityStyles[f.Severity], strings.Repeat("^", max(1, width))))
}

// shownPlace is the name before a line number.
func shownPlace(name string) string {
	if name == "-" {
		return "<stdin>"
	}
	return escape(name)
}

// end prints the sum.
func (r *textReport) end([]error) error {
	var parts []string
	for _, c := range []struct {
		severity  lint.Severity
		one, more string
	}{{lint.Error, "error", "errors"}, {lint.Warning, "warning", "warnings"}, {lint.Info, "info", "infos"}} {
		if n := r.found[c.severity]; n > 0 {
			parts = append(parts, r.palette.paint(severityStyles[c.severity], count(n, c.one, c.more)))
		}
	}
	text := count(r.files, "file", "files") + ": "
	switch {
	case r.files == 0:
		return nil // and why was told
	case len(parts) == 0:
		text += r.palette.paint(green, "nothing found")
	default:
		text += strings.Join(parts, ", ")
	}
	_, err := r.out.WriteString(text + r.fixes() + "\n")
	return err
}

// fixes tells how many findings have fixes, and which flag makes them.
func (r *textReport) fixes() string {
	switch {
	case r.fixable > 0 && r.meanings > 0:
		return "; --fix mends " + thousands(r.fixable) + ", --fix=all " + thousands(r.fixable+r.meanings)
	case r.fixable > 0:
		return "; --fix mends " + thousands(r.fixable)
	case r.meanings > 0:
		return "; --fix=all mends " + thousands(r.meanings)
	}
	return ""
}
