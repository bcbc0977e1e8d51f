package prose

import (
	"io"
	"strconv"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
)

// AnswerTable prints answers in columns, a line for each.
type AnswerTable struct {
	out     io.Writer
	palette term.Palette

	// Widths of columns. They depend only on the file and the crawlers, so that the
	// first answer can be printed before the last is known.
	line, agent, rule int
}

// A long rule or agent widens its column to at most widestColumn. The other two
// constants are assumed for files that are not known yet.
const (
	widestColumn = 40
	siteLines    = 999
	siteRule     = "no restrictions: HTTP status 404"
)

// NewAnswerTable returns a table for answers about crawlers. The file is nil if
// each URL has its own.
func NewAnswerTable(out io.Writer, palette term.Palette, crawlers []answer.Crawler, file *answer.File) *AnswerTable {
	t := &AnswerTable{out: out, palette: palette}
	for _, c := range crawlers {
		t.agent = min(max(t.agent, term.Width(term.Escape(c.Name))), widestColumn)
	}
	for _, reason := range reasonTexts {
		t.rule = max(t.rule, len(reason))
	}
	if file == nil {
		t.line, t.rule = lineColumn(siteLines), len(siteRule)
		return t
	}
	t.line = lineColumn(file.Lines)
	for _, rule := range file.Rules() {
		t.rule = min(max(t.rule, term.Width(term.Escape(rule))), widestColumn)
	}
	return t
}

func lineColumn(lines int) int { return len("line ") + len(strconv.Itoa(lines)) }

// reasonTexts replace the rule if no line decides.
var reasonTexts = map[robotstxt.Reason]string{
	robotstxt.ReasonNoGroup:    "(no group)",
	robotstxt.ReasonNoMatch:    "(no rule matches)",
	robotstxt.ReasonRobotsFile: "(robots.txt itself)",
}

// Print prints an answer of a ruling.
func (t *AnswerTable) Print(r *answer.Ruling, a *wire.Answer) error {
	line, rule := "-", reasonTexts[a.Reason]
	if a.Line > 0 {
		line, rule = "line "+strconv.Itoa(a.Line), term.Escape(a.Rule)
	}
	agent, url, age := term.Escape(a.Agent), term.Escape(a.URL), ""
	if r.Site != nil {
		if a.Reason == robotstxt.ReasonNoFile {
			rule = term.Escape(StandIn(r.Site))
		}
		age = ageText(r)
		if a.Verdict == wire.VerdictUnknown && r.Site.Outcome != wire.OutcomeLocal {
			age = "  (" + policyText(r.Site) + ")" + age
		}
	}
	if a.ComparedURL != "" {
		url += t.palette.Paint(term.Faint, "  (compared as "+term.Escape(a.ComparedURL)+")")
	}
	_, err := io.WriteString(t.out, Verdict(t.palette, a.Verdict, len("disallowed"))+"  "+
		line+term.Pad(line, t.line)+"  "+
		agent+term.Pad(agent, t.agent)+"  "+
		rule+term.Pad(rule, t.rule)+"  "+
		url+t.palette.Paint(term.Faint, age)+"\n")
	return err
}

// ageText returns the age of a ruling's file in words, "" if it was fetched in this
// run.
func ageText(r *answer.Ruling) string {
	switch s := r.Site; {
	case s.Source == wire.SourceStale || s.Source == wire.SourceStore:
		return "  (a copy of " + Time(s.FetchedAt) + ")"
	case s.Source == wire.SourceAssumed && s.FetchedAt.Before(r.Began):
		return "  (last fetched at " + Time(s.FetchedAt) + ")"
	default:
		return ""
	}
}
