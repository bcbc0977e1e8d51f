package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
)

func newExplain(t *term.Terminal) *cobra.Command {
	var q question
	cmd := &cobra.Command{
		Use:   "explain [--file FILE] [flags] URL...",
		Short: "Show why a URL is allowed or not",
		Long: `Show why a URL is allowed or not.

For each URL and crawler: the verdict, the line that decides among its
neighbours, the group it belongs to, the rules that match too and why they lose,
and what the other dialects say, with the reason where they differ. Without
--file the robots.txt of the URL's site is fetched, as by "robots check", and
how that went is shown too.

With --json each line is an object with the fields decision, other_dialects,
fetch, as "robots fetch --json" prints it, if the file was fetched, and schema,
url, agent, rule, verdict, matched_by, outcome, body, compared_url, tokens,
named_only and raw as "robots check --json" prints them.

Exit status: as that of "robots check".`,
		Example: `  robots explain --agent FooBot https://shop.example/cart
  robots explain --file robots.txt --agent Googlebot-News:Googlebot /news/
  robots explain --file robots.txt --dialect rfc9309 --json /caf%c3%a9`,
		RunE: func(cmd *cobra.Command, args []string) error { return explain(cmd.Context(), t, &q, args) },
	}
	q.define(cmd)
	return cmd
}

// explain answers a question at length, with the same exit codes as check.
func explain(ctx context.Context, t *term.Terminal, q *question, args []string) error {
	in, done, err := q.open(ctx, t, args)
	if err != nil {
		return err
	}
	defer done()
	return in.explain(ctx, in.explanationPrinter(t, q.outputFlags))
}

// explain asks about every URL for every crawler and hands what it learns to
// show.
func (in *inquiry) explain(ctx context.Context, show func(*answer.Visit, *wire.Explanation) error) error {
	return in.each(ctx, func(v *answer.Visit) (allowed bool, err error) {
		allowed = true
		for i := range in.Crawlers {
			e := v.Explain(i)
			if err := show(v, e); err != nil {
				return false, err
			}
			allowed = allowed && e.Decision.Allowed
		}
		return allowed, nil
	})
}

// explanationPrinter returns the function that prints as the flags say.
func (in *inquiry) explanationPrinter(t *term.Terminal, flags outputFlags) func(*answer.Visit, *wire.Explanation) error {
	switch {
	case flags.quiet:
		return func(*answer.Visit, *wire.Explanation) error { return nil }
	case flags.json:
		return func(_ *answer.Visit, e *wire.Explanation) error { return term.PrintJSON(in.out, e) }
	}
	p, first := &prose{palette: t.Palette()}, true
	return func(v *answer.Visit, e *wire.Explanation) error {
		p.text.Reset()
		p.file = v.Ruling.File
		if !first {
			p.text.WriteByte('\n')
		}
		first = false
		p.explain(e)
		_, err := io.WriteString(in.out, p.text.String())
		return err
	}
}

// prose writes an explanation to be read.
type prose struct {
	file    *answer.File
	palette term.Palette
	text    strings.Builder
}

func (p *prose) explain(e *wire.Explanation) {
	d := &e.Decision
	fmt.Fprintf(&p.text, "%s\n%s for %s %s\n\n", p.palette.Paint(term.Bold, term.Escape(e.URL)),
		paintedVerdict(p.palette, d.Allowed, 0), term.Escape(e.Agent), ground(e))
	p.excerpt(d)
	path := term.Escape(d.Path)
	if e.ComparedURL != "" {
		path += "  (the URL was encoded first)"
	}
	p.field("path", path)
	if d.Reason != robotstxt.ReasonNoFile {
		p.grounds(e)
	}
	if e.Fetch != nil {
		p.text.WriteByte('\n')
		p.site(e.Fetch)
	}
}

// grounds lists what in the file led to the decision.
func (p *prose) grounds(e *wire.Explanation) {
	d := &e.Decision
	if d.Rule != nil && !d.Rule.Folder && !strings.HasSuffix(e.Rule, d.Rule.Pattern) {
		p.field("rule", term.Clip(term.Escape(d.Rule.Pattern), widestExcerpt)+"  (as compared)")
	}
	p.field("group", group(d))
	p.rules(d)
	p.dialects(e)
}

// field writes a named line of the list below the excerpt; further lines of the
// same field have no name.
func (p *prose) field(name, text string) {
	fmt.Fprintf(&p.text, "  %s%s%s\n", p.palette.Paint(term.Faint, name), term.Pad(name, 10), text)
}

// ground says in half a sentence why, in words that follow the verdict.
func ground(e *wire.Explanation) string {
	d := &e.Decision
	switch d.Reason {
	case robotstxt.ReasonNoFile:
		return "because " + term.Escape(because(e.Fetch))
	case robotstxt.ReasonRobotsFile:
		return "because the robots.txt itself always is"
	case robotstxt.ReasonNoGroup:
		if e.NamedOnly {
			return `because no group names it, and those for "*" do not count`
		}
		return `because no group names it, and none is for "*"`
	case robotstxt.ReasonNoMatch:
		return "because no rule of its group matches"
	case robotstxt.ReasonEmptyRule:
		return fmt.Sprintf("because line %d has no path, and no other rule matches", d.Line)
	default:
		return fmt.Sprintf("by line %d: %s", d.Line, term.Escape(e.Rule))
	}
}

// group says which group was asked, and who chose it.
func group(d *robotstxt.Decision) string {
	if d.Agent == "" {
		return "none"
	}
	lines := "line " + joined(d.AgentLines)
	if len(d.AgentLines) > 1 {
		lines = "lines " + joined(d.AgentLines)
	}
	return fmt.Sprintf("%s, for %s", lines, term.Token(d.Agent))
}

// joined lists numbers, the first few of many.
func joined(numbers []int) string {
	const few = 8
	var parts []string
	for i, n := range numbers {
		if i == few {
			parts = append(parts, fmt.Sprintf("and %d more", len(numbers)-few))
			break
		}
		parts = append(parts, strconv.Itoa(n))
	}
	return strings.Join(parts, ", ")
}

// rules lists the rules that match but do not decide.
func (p *prose) rules(d *robotstxt.Decision) {
	const most = 12
	name := "lost"
	for i, rule := range d.Others {
		if i == most {
			p.field("", fmt.Sprintf("and %d more; --json lists them all", len(d.Others)-most))
			break
		}
		line := fmt.Sprintf("line %d  ", rule.Line)
		p.field(name, line+term.Clip(term.Escape(p.file.Rule(rule.Line)), widestExcerpt)+"  ("+whyLost(d, rule)+")")
		name = ""
	}
}

// whyLost says why a rule that matches does not decide.
func whyLost(d *robotstxt.Decision, rule robotstxt.Rule) string {
	switch {
	case d.Dialect == robotstxt.Koster1996:
		return "not the first that matches"
	case d.Rule == nil:
		return "decides nothing"
	case rule.Length == 0:
		return "no path: decides nothing"
	case rule.Length < d.Rule.Length:
		return fmt.Sprintf("length %d, shorter", rule.Length)
	case rule.Allow != d.Rule.Allow:
		return fmt.Sprintf("length %d too, but Allow wins a tie", rule.Length)
	default:
		return fmt.Sprintf("length %d too, but later in the file", rule.Length)
	}
}

// dialects tells what each dialect says, if they do not all say the same.
func (p *prose) dialects(e *wire.Explanation) {
	agree := true
	for _, other := range e.Others {
		agree = agree && other.Why == ""
	}
	if agree {
		p.field("dialects", "google, rfc9309 and koster1996 agree")
		return
	}
	p.dialect("dialects", &e.Decision, "")
	for _, other := range e.Others {
		p.dialect("", &other.Decision, other.Why)
	}
}

func (p *prose) dialect(name string, d *robotstxt.Decision, why string) {
	line := "-"
	if d.Line > 0 {
		line = "line " + strconv.Itoa(d.Line)
	}
	width := len("line ") + len(strconv.Itoa(p.file.Lines))
	text := fmt.Sprintf("%-10s  %s  %s", d.Dialect, paintedVerdict(p.palette, d.Allowed, len("disallowed")), line)
	if why != "" {
		text += term.Pad(line, width) + "  " + why
	}
	p.field(name, text)
}
