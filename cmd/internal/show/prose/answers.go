package prose

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/table"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/origin"
)

// AnswerTable prints answers in columns, one line for each. On a narrow screen, the URL is on
// a separate line before its answers.
type AnswerTable struct {
	table   *table.Writer
	out     io.Writer
	palette term.Palette
	heading int            // the width of lines with URLs, 0 if URLs are a column
	url     string         // of the latest heading
	named   bool           // answers name their file
	aged    *answer.Ruling // of the latest line, whose remark has the age of its file
}

// A long rule or agent widens its column to at most widestColumn. The other two
// constants are assumed for files that are not known yet.
const (
	widestColumn = 40
	siteLines    = 999
	siteRule     = "no restrictions: HTTP status 404"
	leastURL     = 24 // the least width of the column of URLs
)

// NewAnswerTable returns a table for answers about crawlers that fits a screen with that
// number of columns, or any screen for 0. files is empty if each URL has its own; if there
// are several, each answer names its file. The widths of columns depend only on the files and
// the crawlers, so that the first answer can be printed before the last is known.
func NewAnswerTable(out io.Writer, palette term.Palette, screen int, crawlers []answer.Crawler,
	files []*answer.File) *AnswerTable {
	agents, rules, lines := 0, 0, 0
	for _, c := range crawlers {
		agents = min(max(agents, term.Width(term.Escape(c.Name))), widestColumn)
	}
	for _, reason := range reasonTexts {
		rules = max(rules, len(reason))
	}
	if len(files) == 0 {
		rules, lines = len(siteRule), lineColumn(siteLines)
	}
	for _, file := range files {
		lines = max(lines, lineColumn(file.Lines))
		for _, rule := range file.Rules() {
			rules = min(max(rules, term.Width(term.Escape(rule))), widestColumn)
		}
	}
	t := &AnswerTable{out: out, palette: palette, named: len(files) > 1}
	config := table.Config{
		Format: table.Text, NoHeader: true, Palette: palette, Screen: screen,
		Columns: []table.Column{
			{Name: "verdict", Width: len(wire.VerdictDisallowed)},
			{Name: "line", Width: lines},
			{Name: "agent", Width: max(agents, 1), Least: 10},
			{Name: "rule", Width: rules, Least: 14, Code: true},
			{Name: "url", Least: leastURL, Code: true},
		},
	}
	if screen > 0 && len(wire.VerdictDisallowed)+lines+agents+min(rules, screen/4)+leastURL+8 > screen {
		t.heading, config.Indent = screen, 2
		config.Columns = config.Columns[:4]
	}
	t.table = table.New(out, config)
	return t
}

func lineColumn(lines int) int { return len("line ") + len(strconv.Itoa(lines)) }

// reasonTexts replace the rule if no line decides.
var reasonTexts = map[robotstxt.Reason]string{
	robotstxt.ReasonNoGroup:    "(no group)",
	robotstxt.ReasonNoMatch:    "(no rule matches)",
	robotstxt.ReasonRobotsFile: "(robots.txt itself)",
	robotstxt.ReasonOtherSite:  "(another site)",
}

// Print prints an answer of a ruling.
func (t *AnswerTable) Print(r *answer.Ruling, a *wire.Answer) error {
	line := "-"
	rule := reasonTexts[a.Reason]
	if a.Line > 0 {
		line, rule = "line "+strconv.Itoa(a.Line), a.Rule
	}
	if a.Unread {
		rule = "(no user-agent line can name it)" // longer than the column, and rare
	} else if r.Site != nil && a.Reason == robotstxt.ReasonNoFile {
		rule = StandIn(r.Site)
		if r.Site.IsNotFoundPage() { // the remark has the rest, which is longer than the column
			rule = noRestrictions + statusText(r.Site)
		}
	}
	if t.heading > 0 && t.url != a.URL {
		t.url = a.URL
		heading := t.palette.Paint(term.Bold, term.ClipMiddle(term.Escape(a.URL), t.heading))
		if _, err := io.WriteString(t.out, heading+"\n"); err != nil {
			return err
		}
	}
	t.table.Styled(verdictColours[a.Verdict], string(a.Verdict))
	t.table.Cell(line)
	t.table.Cell(a.Agent)
	t.table.Cell(rule)
	if t.heading == 0 {
		t.table.Cell(a.URL)
	}
	t.table.Remark(t.remark(r, a))
	return t.table.End()
}

func (t *AnswerTable) remark(r *answer.Ruling, a *wire.Answer) string {
	var remarks []string
	if a.ComparedURL != "" {
		remarks = append(remarks, "(compared as "+a.ComparedURL+why(a.Changes)+")")
	}
	if a.UnresolvedVerdict != "" {
		remarks = append(remarks, "("+string(a.UnresolvedVerdict)+" for a crawler that does not resolve the dots)")
	}
	if a.FetchedAnyway {
		remarks = append(remarks, "("+wire.FetchedAnyway+")")
	}
	if a.JoinedLine > 0 {
		remarks = append(remarks, "("+wire.JoinedGroup(a.JoinedLine, a.Agent)+")")
	}
	if a.GovernedBy != "" {
		remarks = append(remarks, "("+a.GovernedBy+" governs it)")
	}
	if r.File != nil && r.File.NotRules() != "" {
		remarks = append(remarks, "(its robots.txt is "+r.File.NotRules()+", without rules)")
	}
	if a.Dialect != nil && *a.Dialect != robotstxt.Google {
		remarks = append(remarks, "(read as "+a.Dialect.String()+")")
	}
	if t.named {
		remarks = append(remarks, "(in "+term.Source(a.RobotsFile)+")")
	}
	if r.Site != nil {
		if a.Verdict == wire.VerdictUnknown && !a.Unread && r.Site.Outcome != wire.OutcomeLocal {
			remarks = append(remarks, "("+policyText(r.Site)+")")
		}
		if r.Site.IsNotFoundPage() {
			remarks = append(remarks, "("+notFoundPage+")")
		}
		if r.Site.Edge != "" {
			remarks = append(remarks, "("+edgeText(r.Site)+")")
		}
		if age := ageText(r); age != "" && t.aged != r { // once for the lines about a site
			remarks = append(remarks, "("+age+")")
		}
		t.aged = r
	}
	return strings.Join(remarks, "  ")
}

// notFoundPage is why a status means that there is no file.
const notFoundPage = `with a "not found" page, which counts as 404`

// why returns, after a colon, the reasons why a URL is compared in another form. It returns
// "" if the URL is only encoded, because the form shows that.
func why(changes []string) string {
	reasons := ""
	for c := range origin.ChangePipe + 1 {
		if c != origin.ChangeEncoding && slices.Contains(changes, c.String()) {
			reasons += "; " + c.Sentence()
		}
	}
	if reasons == "" {
		return ""
	}
	return ":" + reasons[1:]
}

// ageText returns the age of a ruling's file in words, "" if it was fetched in this
// run.
func ageText(r *answer.Ruling) string {
	switch s := r.Site; {
	case s.Source == wire.SourceStore:
		return "from the cache, " + Age(r.Began.Sub(s.FetchedAt)) + " old"
	case s.Source == wire.SourceStale:
		return "from an expired copy, " + Age(r.Began.Sub(s.FetchedAt)) + " old"
	case s.Source == wire.SourceAssumed && s.FetchedAt.Before(r.Began):
		return "last tried " + Age(r.Began.Sub(s.FetchedAt)) + " ago"
	default:
		return ""
	}
}
