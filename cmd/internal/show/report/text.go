package report

import (
	"bufio"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/internal/places"
	"github.com/kosterhq/robotstxt/lint"
)

type textReport struct {
	out     *bufio.Writer
	palette term.Palette

	files    int
	found    [lint.Error + 1]int // by severity
	fixable  int                 // by --fix
	meanings int                 // by --fix=all only
}

var severityStyles = map[lint.Severity]term.Style{lint.Error: term.Red, lint.Warning: term.Yellow,
	lint.Info: term.Faint}

func (r *textReport) File(in *File) error {
	r.count(in)
	if len(in.Findings) > 0 { // most files have none, and need no places
		lines := places.Of(in.Body)
		for i := range in.Findings {
			r.finding(in.Name, lines, &in.Findings[i])
		}
	}
	for _, c := range in.Counts {
		if c.Omitted > 0 {
			fmt.Fprintf(r.out, "%s: %s of %s %s; --all shows them\n", r.palette.Paint(term.Bold, shownPlace(in.Name)), omittedCount(c),
				r.palette.Paint(severityStyles[c.Severity], c.Severity.String()), c.Code)
		}
	}
	return writeError(r.out)
}

func (r *textReport) count(in *File) {
	r.files++
	for _, c := range in.Counts {
		r.found[min(c.Severity, lint.Error)] += c.Found
		r.fixable += c.Plain
		r.meanings += c.Meant
	}
}

func writeError(out *bufio.Writer) error {
	_, err := out.Write(nil)
	return err
}

const maxRelated = 5

func (r *textReport) finding(name string, lines *places.Places, f *lint.Finding) {
	fmt.Fprintf(r.out, "%s: %s %s %s: %s\n",
		r.palette.Paint(term.Bold, fmt.Sprintf("%s:%d:%d", shownPlace(name), f.Line, f.Column)),
		r.palette.Paint(severityStyles[f.Severity], f.Severity.String()), f.Code, entryOf(f.Code).Name,
		term.Escape(f.Message))
	if f.Start > 0 || f.End > 0 { // otherwise it is about the file as a whole
		r.excerpt(lines, f)
	}
	if len(f.For) > 0 {
		tokens := make([]string, len(f.For))
		for i, token := range f.For {
			tokens[i] = term.Token(token)
		}
		r.field("for", term.First(tokens, 8))
	}
	for i, related := range f.Related {
		if i == maxRelated {
			r.field("", morePlaces(f))
			break
		}
		r.field(fmt.Sprintf("line %d", related.Line), term.Escape(related.Message))
	}
	r.fix(f)
}

// morePlaces is a text about the places of a finding that are not shown.
func morePlaces(f *lint.Finding) string {
	n := len(f.Related)
	if n == lint.MaxRelated {
		return fmt.Sprintf("and at least %d more places; --format json lists the first %d", n-maxRelated, n)
	}
	return "and " + term.Count(n-maxRelated, "more place", "more places") + "; --format json lists all"
}

func (r *textReport) fix(f *lint.Finding) {
	switch {
	case f.Fix == nil:
	case f.Fix.Meaning:
		r.field("fix", term.Escape(f.Fix.Title)+" (--fix=all, because it might change what crawlers may fetch)")
	default:
		r.field("fix", term.Escape(f.Fix.Title)+" (--fix)")
	}
}

func (r *textReport) field(name, text string) {
	if name != "" {
		text = name + ": " + text
	}
	fmt.Fprintf(r.out, "    %s\n", text)
}

// excerpt shows the line of a finding with carets under the range. If the line is long, it
// shows the part around the range.
func (r *textReport) excerpt(lines *places.Places, f *lint.Finding) {
	const before = term.ExcerptWidth / 2
	text := lines.Text(f.Line)
	start := f.Column - 1
	if start > len(text) || len(text) == 0 {
		return
	}
	from, to := max(0, start-before), min(len(text), max(0, start-before)+term.ExcerptWidth)
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
	indent := term.Width(lead + term.Escape(string(text[from:start])))
	width := term.Width(term.Escape(string(text[start:end])))
	fmt.Fprintf(r.out, "    %s%s%s\n    %s%s\n", lead, term.Escape(string(text[from:to])), tail, strings.Repeat(" ", indent),
		r.palette.Paint(severityStyles[f.Severity], strings.Repeat("^", max(1, width))))
}

func shownPlace(name string) string {
	if name == "-" {
		return "<stdin>"
	}
	return term.Escape(name)
}

// End prints the counts.
func (r *textReport) End(bool, []error) error {
	var counts []string
	for severity := lint.Error; severity > lint.Off; severity-- {
		if n := r.found[severity]; n > 0 {
			counts = append(counts,
				r.palette.Paint(severityStyles[severity], term.Count(n, severity.String(), severity.String()+"s")))
		}
	}
	text := term.Count(r.files, "file", "files") + ": "
	switch {
	case r.files == 0:
		return nil // the reasons are printed already
	case len(counts) == 0:
		text += r.palette.Paint(term.Green, "nothing found")
	default:
		text += strings.Join(counts, ", ")
	}
	_, err := r.out.WriteString(text + r.fixes() + "\n")
	return err
}

// fixes returns how many findings have fixes, and the flags that apply them.
func (r *textReport) fixes() string {
	switch {
	case r.fixable > 0 && r.meanings > 0:
		return "; fixable: " + term.Thousands(r.fixable) + " with --fix, " + term.Thousands(r.fixable+r.meanings) + " with --fix=all"
	case r.fixable > 0:
		return "; fixable: " + term.Thousands(r.fixable) + " with --fix"
	case r.meanings > 0:
		return "; fixable: " + term.Thousands(r.meanings) + " with --fix=all"
	}
	return ""
}
