package prose

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/crawlers"
)

// CrawlerTable prints known crawlers in columns, a line for each.
type CrawlerTable struct {
	out                      io.Writer
	palette                  term.Palette
	token, operator, purpose int // widths of columns
}

// NewCrawlerTable returns a table whose columns fit all the crawlers.
func NewCrawlerTable(out io.Writer, palette term.Palette, all []crawlers.Crawler) *CrawlerTable {
	t := &CrawlerTable{out: out, palette: palette}
	for _, c := range all {
		t.token, t.operator, t.purpose = max(t.token, len(c.Token)), max(t.operator, len(c.Operator)), max(t.purpose, len(PurposesOf(c)))
	}
	return t
}

// Print prints a crawler.
func (t *CrawlerTable) Print(c crawlers.Crawler) error {
	operator, purpose, obeys := c.Operator, PurposesOf(c), string(c.Obeys)
	row := t.palette.Paint(term.Bold, c.Token) + term.Pad(c.Token, t.token) + "  " + operator + term.Pad(operator, t.operator) + "  " +
		purpose + term.Pad(purpose, t.purpose) + "  " + obeys
	if remark := remarkOn(c); remark != "" {
		row += term.Pad(obeys, len(crawlers.Unknown)) + "  " + t.palette.Paint(term.Faint, remark)
	}
	_, err := io.WriteString(t.out, row+"\n")
	return err
}

// PurposesOf returns the purposes of a crawler, separated by commas.
func PurposesOf(c crawlers.Crawler) string {
	names := make([]string, len(c.Purposes))
	for i, purpose := range c.Purposes {
		names[i] = string(purpose)
	}
	return strings.Join(names, ", ")
}

// remarkOn returns further facts for the last column of the table.
func remarkOn(c crawlers.Crawler) string {
	var remarks []string
	if c.Control {
		remarks = append(remarks, "control token")
	}
	if c.Status == crawlers.Retired {
		remarks = append(remarks, Retirement(c))
	}
	if !c.Verified {
		remarks = append(remarks, "not verified")
	}
	return strings.Join(remarks, "; ")
}

// Retirement returns a clause about a retired crawler and its replacements.
func Retirement(c crawlers.Crawler) string {
	if len(c.Replacements) == 0 {
		return "not in use any more"
	}
	return "not in use any more, now " + strings.Join(c.Replacements, " and ")
}

func (b *block) crawler(c crawlers.Crawler) {
	b.heading(c.Token)
	b.field("operator", c.Operator)
	b.fields("aliases", c.Aliases)
	b.field("purpose", PurposesOf(c))
	if c.Control {
		b.field("token", "only for control: no crawler sends it")
	}
	if c.Status == crawlers.Retired {
		b.field("token", Retirement(c))
	}
	b.field("obeys", obeysTexts[c.Obeys])
	b.field("matches", groupsOf(c))
	if read := answer.TokenRead(robotstxt.Google, c.Token); read != c.Token {
		b.field("google", fmt.Sprintf("reads %q in a line that names it", read))
	}
	b.lines(c)
	b.limits(c.Limits)
	b.fields("host", c.ReverseDNS)
	b.fields("address", c.IPRanges)
	b.field("status", string(c.Status))
	b.field("seen", "first "+c.FirstSeen+", last "+c.LastSeen)
	b.field("state", map[bool]string{true: "verified", false: "not verified: possibly wrong"}[c.Verified]+", checked "+c.Checked)
	b.claims(c.Token)
}

var obeysTexts = map[crawlers.Obeys]string{
	crawlers.Unknown:    "unknown",
	crawlers.ObeysAll:   `the groups that name it, else those for "*"`,
	crawlers.ObeysNamed: `only groups that name it, not those for "*"`,
	crawlers.ObeysNone:  "nothing, or not reliably",
}

// claims prints the texts that support the facts, those of the operator first.
func (b *block) claims(token string) {
	source := ""
	for _, claim := range crawlers.Claims(token) {
		if next := claim.URL + "  " + claim.Date; next != source {
			source = next
			b.field("source", source)
		}
		b.field("", "for "+strings.Join(claim.Fields, ", "))
		if claim.Quote != crawlers.Unknown {
			b.field("", "\u201c"+claim.Quote+"\u201d")
		}
	}
}

// groupsOf lists the tokens whose groups can apply to a crawler, in its order.
func groupsOf(c crawlers.Crawler) string {
	tokens := c.Tokens()
	if c.Obeys != crawlers.ObeysNamed {
		tokens = append(tokens, `"*"`)
	}
	return strings.Join(tokens, ", then ")
}

// lines lists the extension lines that a crawler obeys or ignores.
func (b *block) lines(c crawlers.Crawler) {
	name := "lines"
	for _, key := range slices.Sorted(maps.Keys(c.Extensions)) {
		b.field(name, key+": "+obeyedTexts[c.Extensions[key]])
		name = ""
	}
}

var obeyedTexts = map[crawlers.Answer]string{crawlers.Yes: "obeyed", crawlers.No: "ignored", crawlers.Unknown: "unknown"}

func (b *block) limits(limits crawlers.Limits) {
	name := "limits"
	for _, limit := range []struct {
		most int
		unit string
	}{{limits.Bytes, "bytes"}, {limits.Rules, "rules"}, {limits.RuleChars, "characters in a rule"}} {
		if limit.most > 0 {
			b.field(name, fmt.Sprintf("%d %s", limit.most, limit.unit))
			name = ""
		}
	}
}
