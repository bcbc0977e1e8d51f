package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt"
)

func newExplain(t *terminal) *cobra.Command {
	var q question
	cmd := &cobra.Command{
		Use:   "explain --file FILE [flags] URL...",
		Short: "Show why a URL is allowed or not",
		Long: `Show why a URL is allowed or not.

For each URL and crawler: the verdict, the line that decides among its
neighbours, the group it belongs to, the rules that match too and why they lose,
and what the other dialects say, with the reason where they differ.

Exit status: as that of "robots check".`,
		Example: `  robots explain --file robots.txt /cart
  robots explain --file robots.txt --agent Googlebot-News,Googlebot /news/
  robots explain --file robots.txt --dialect rfc9309 --json /caf%c3%a9`,
		RunE: func(cmd *cobra.Command, args []string) error { return explain(cmd.Context(), t, &q, args) },
	}
	q.define(cmd)
	return cmd
}

// explain answers a question at length, with the same exit codes as check.
func explain(ctx context.Context, t *terminal, q *question, args []string) error {
	in, done, err := q.open(t, args)
	if err != nil {
		return err
	}
	defer done()
	return in.explain(ctx, in.explanationPrinter(t, q.outputFlags))
}

// explanation is what explain prints about one URL and crawler.
type explanation struct {
	URL         string             `json:"url"`                    // as given
	ComparedURL string             `json:"compared_url,omitempty"` // if that had to be encoded first
	Agent       string             `json:"agent"`                  // as asked for
	Rule        string             `json:"rule"`                   // the text of the deciding line
	Decision    robotstxt.Decision `json:"decision"`
	Others      []otherDialect     `json:"other_dialects"`
}

// otherDialect is what a dialect that was not asked for decides.
type otherDialect struct {
	Why      string             `json:"why"` // it decides otherwise; "" if it does not
	Decision robotstxt.Decision `json:"decision"`
}

// explain asks about every URL for every crawler and hands what it learns to
// show.
func (in *inquiry) explain(ctx context.Context, show func(*explanation) error) error {
	asked := reading{in.body, in.dialect.Parse(in.body.text)}
	var others []reading
	for _, d := range robotstxt.Dialects() {
		if d != in.dialect {
			others = append(others, reading{in.body, d.Parse(in.body.text)})
		}
	}
	return in.each(ctx, func(url, compared string) (allowed bool, err error) {
		allowed = true
		for _, c := range in.crawlers {
			d := asked.robots.Rules(c.tokens...).Explain(compared)
			e := explanation{URL: url, Agent: c.asked, Rule: in.body.rules[d.Line], Decision: d}
			if compared != url {
				e.ComparedURL = compared
			}
			for _, other := range others {
				od := other.robots.Rules(c.tokens...).Explain(compared)
				e.Others = append(e.Others, otherDialect{whyDifferent(view{asked, d}, view{other, od}), od})
			}
			if err := show(&e); err != nil {
				return false, err
			}
			allowed = allowed && d.Allowed
		}
		return allowed, nil
	})
}

// explanationPrinter returns the function that prints as the flags say.
func (in *inquiry) explanationPrinter(t *terminal, flags outputFlags) func(*explanation) error {
	switch {
	case flags.quiet:
		return func(*explanation) error { return nil }
	case flags.json:
		return func(e *explanation) error { return printJSON(in.out, e) }
	}
	p, first := &prose{body: in.body, palette: t.palette()}, true
	return func(e *explanation) error {
		p.text.Reset()
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
	body    *body
	palette palette
	text    strings.Builder
}

func (p *prose) explain(e *explanation) {
	d := &e.Decision
	fmt.Fprintf(&p.text, "%s\n%s for %s %s\n\n", p.palette.paint(bold, escape(e.URL)),
		p.palette.verdict(d.Allowed, 0), escape(e.Agent), ground(e))
	p.excerpt(d)
	path := escape(d.Path)
	if e.ComparedURL != "" {
		path += "  (the URL was encoded first)"
	}
	p.field("path", path)
	p.field("group", group(d))
	p.rules(d)
	p.dialects(e)
}

// field writes a named line of the list below the excerpt; further lines of the
// same field have no name.
func (p *prose) field(name, text string) {
	fmt.Fprintf(&p.text, "  %s%s%s\n", p.palette.paint(faint, name), pad(name, 10), text)
}

// ground says in half a sentence why, in words that follow the verdict.
func ground(e *explanation) string {
	d := &e.Decision
	switch d.Reason {
	case robotstxt.ReasonRobotsFile:
		return "because the robots.txt itself always is"
	case robotstxt.ReasonNoGroup:
		return `because no group names it, and none is for "*"`
	case robotstxt.ReasonNoMatch:
		return "because no rule of its group matches"
	case robotstxt.ReasonEmptyRule:
		return fmt.Sprintf("because line %d has no path, and no other rule matches", d.Line)
	default:
		return fmt.Sprintf("by line %d: %s", d.Line, escape(e.Rule))
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
	return fmt.Sprintf("%s, for %s", lines, quoteStar(d.Agent))
}

// quoteStar escapes a token, and quotes the star, which reads badly alone.
func quoteStar(token string) string {
	if token == "*" {
		return `"*"`
	}
	return escape(token)
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
		p.field(name, line+clip(escape(p.body.rules[rule.Line]), widestExcerpt)+"  ("+whyLost(d, rule)+")")
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
func (p *prose) dialects(e *explanation) {
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
	width := len("line ") + len(strconv.Itoa(p.body.lines))
	text := fmt.Sprintf("%-10s  %s  %s", d.Dialect, p.palette.verdict(d.Allowed, len("disallowed")), line)
	if why != "" {
		text += pad(line, width) + "  " + why
	}
	p.field(name, text)
}
