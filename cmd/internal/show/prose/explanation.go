package prose

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
)

func (b *block) explanation(e *wire.Explanation, robots string) {
	fmt.Fprintf(&b.text, "%s\n%s for %s %s\n\n", b.palette.Paint(term.Bold, term.Escape(e.URL)),
		Verdict(b.palette, e.Verdict, 0), term.Escape(e.Agent), Reason(e))
	b.grounds(e, robots)
	if what := answer.NotRules(e.Body, nil); what != "" {
		b.field("body", what+", in which crawlers find no rules")
	}
	if e.Fetch != nil {
		b.text.WriteByte('\n')
		b.site(e.Fetch, isAssumed(e))
	}
}

// isAssumed reports whether the policy's decision is the verdict, because the site did
// not answer.
func isAssumed(e *wire.Explanation) bool {
	return e.Decision.Reason == robotstxt.ReasonNoFile && e.Verdict != wire.VerdictUnknown && !e.Fetch.Answered()
}

// Grounds returns the deciding line with its neighbours, and the reasons of the
// decision. The name of the robots.txt is omitted if it is "".
func Grounds(p term.Palette, file *answer.File, robots string, e *wire.Explanation) string {
	b := &block{palette: p, file: file}
	b.grounds(e, robots)
	return b.text.String()
}

func (b *block) grounds(e *wire.Explanation, robots string) {
	d := &e.Decision
	b.excerpt(d)
	if robots != "" {
		b.field("robots", term.Source(robots))
	}
	path := term.Escape(d.Path)
	if e.ComparedURL != "" {
		path += "  (the URL was changed first" + why(e.Changes) + ")"
	}
	b.field("path", path)
	if e.UnresolvedVerdict != "" {
		b.field("dots", string(e.UnresolvedVerdict)+" for a crawler that does not resolve them")
	}
	if e.FetchedAnyway {
		b.field("itself", wire.FetchedAnyway)
	}
	if e.GovernedBy != "" {
		b.field("governed", "by "+term.Escape(e.GovernedBy))
	}
	if d.Reason == robotstxt.ReasonNoFile || d.Reason == robotstxt.ReasonOtherSite || e.Unread {
		return
	}
	if d.Rule != nil && !d.Rule.Folder && !strings.HasSuffix(e.Rule, d.Rule.Pattern) {
		b.field("rule", term.Excerpt(d.Rule.Pattern)+"  (as compared)")
	}
	b.field("group", group(d))
	if e.JoinedLine > 0 {
		b.field("joined", fmt.Sprintf("by line %d: no rule separates it from line %d, so they are one group", e.JoinedLine, ownLine(d)))
	}
	b.rules(d)
	b.dialects(e)
}

// Reason returns a clause that follows the verdict: why a URL is allowed or
// disallowed.
func Reason(e *wire.Explanation) string {
	d := &e.Decision
	switch d.Reason {
	case robotstxt.ReasonNoReading:
		return "because no user-agent line can name it"
	case robotstxt.ReasonOtherSite:
		return "because the robots.txt of another site decides"
	case robotstxt.ReasonNoFile:
		return "because " + term.Escape(clause(e.Fetch))
	case robotstxt.ReasonRobotsFile:
		return "because robots.txt itself is always allowed"
	case robotstxt.ReasonNoGroup:
		if e.NamedOnly {
			return `because no group names it, and groups for "*" do not apply to it`
		}
		return `because no group names it, and there is none for "*"`
	case robotstxt.ReasonNoMatch:
		return "because no rule of its group matches"
	case robotstxt.ReasonEmptyRule:
		return fmt.Sprintf("because line %d has no path, and no other rule matches", d.Line)
	default:
		return fmt.Sprintf("by line %d: %s", d.Line, term.Escape(e.Rule))
	}
}

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

// ownLine returns the last user-agent line of the crawler before the deciding rule.
func ownLine(d *robotstxt.Decision) (own int) {
	for _, line := range d.AgentLines {
		if line < d.Line {
			own = line
		}
	}
	return own
}

func joined(numbers []int) string {
	const few = 8
	var texts []string
	for i, n := range numbers {
		if i == few {
			texts = append(texts, fmt.Sprintf("and %d more", len(numbers)-few))
			break
		}
		texts = append(texts, strconv.Itoa(n))
	}
	return strings.Join(texts, ", ")
}

func (b *block) rules(d *robotstxt.Decision) {
	const most = 12
	for i, rule := range d.Others {
		if i == most {
			b.field("", fmt.Sprintf("and %d more; --json lists them all", len(d.Others)-most))
			break
		}
		line := fmt.Sprintf("line %d  ", rule.Line)
		b.field("lost", line+term.Excerpt(b.file.Rule(rule.Line))+"  ("+whyLost(d, rule)+")")
	}
}

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

func (b *block) dialects(e *wire.Explanation) {
	agree := true
	for _, other := range e.Others {
		agree = agree && other.Why == ""
	}
	if agree {
		b.field("dialects", "google, rfc9309 and koster1996 agree")
		return
	}
	b.dialect(&e.Decision, "")
	for _, other := range e.Others {
		b.dialect(&other.Decision, other.Why)
	}
}

func (b *block) dialect(d *robotstxt.Decision, why string) {
	line := "-"
	if d.Line > 0 {
		line = "line " + strconv.Itoa(d.Line)
	}
	width := len("line ") + len(strconv.Itoa(b.file.Lines))
	text := fmt.Sprintf("%-10s  %s  %s", d.Dialect, Verdict(b.palette, wire.VerdictOf(d.Allowed), len("disallowed")), line)
	if why != "" {
		text += term.Pad(line, width) + "  " + why
	}
	b.field("dialects", text)
}
