package prose

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/table"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/crawlers"
)

// CrawlerTable prints crawlers in columns. Text has the main ones, and remarks; other
// formats have all facts, and the first source.
func CrawlerTable(out io.Writer, config table.Config, list []crawlers.Crawler) error {
	config.Columns = crawlerColumns(config.Format, list)
	w := table.New(out, config)
	for _, c := range list {
		w.Styled(term.Bold, c.Token)
		w.Cell(c.Operator)
		w.Cell(PurposesOf(c))
		w.Cell(string(c.Obeys))
		if config.Format == table.Text {
			w.Styled(term.Faint, remarkOn(c))
		} else {
			for _, cell := range furtherCells(c) {
				w.Cell(cell)
			}
		}
		if err := w.End(); err != nil {
			return err
		}
	}
	return w.Flush()
}

func crawlerColumns(format table.Format, list []crawlers.Crawler) []table.Column {
	columns := []table.Column{
		{Name: "token", Least: 24, Wrap: true}, {Name: "operator", Least: 10, Wrap: true}, {Name: "purposes", Least: 10, Wrap: true}, {Name: "obeys"},
	}
	for _, c := range list {
		columns[0].Width = max(columns[0].Width, len(c.Token))
		columns[1].Width = max(columns[1].Width, len(c.Operator))
		columns[2].Width = max(columns[2].Width, len(PurposesOf(c)))
		columns[3].Width = max(columns[3].Width, len(c.Obeys))
	}
	if format == table.Text {
		columns = append(columns, table.Column{Name: "remark", Least: 12, Wrap: true})
	} else {
		for _, name := range []string{
			"aliases", "control", "fallbacks", "status", "replacements", "listed", "first_seen", "last_seen", "rank", "crawl_delay", "cache",
			"dialect", "reads_as", "verified", "checked", "source", "source_date", "quote",
		} {
			columns = append(columns, table.Column{Name: name})
		}
	}
	return columns
}

func furtherCells(c crawlers.Crawler) []string {
	var first crawlers.Claim
	if claims := crawlers.Claims(c.Token); len(claims) > 0 {
		first = claims[0]
	}
	readsAs := "" // no user-agent line can name it
	if reading, ok := crawlers.ReadingOf(c.Token); ok {
		readsAs = reading.Dialect.String()
	}
	return []string{
		strings.Join(c.Aliases, ", "), strconv.FormatBool(c.Control), strings.Join(c.Fallbacks, ", "), string(c.Status),
		strings.Join(c.Replacements, ", "), c.Listed, c.FirstSeen, c.LastSeen, strconv.Itoa(c.Rank),
		string(c.Extension("Crawl-delay")), c.Cache,
		c.Dialect, readsAs, strings.Join(c.Verified, ", "), c.Checked, cmp.Or(first.URL, crawlers.Unknown),
		cmp.Or(first.Date, crawlers.Unknown),
		cmp.Or(first.Quote, crawlers.Unknown),
	}
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
	switch {
	case !slices.Contains(c.Verified, "operator"):
		remarks = append(remarks, "not verified")
	case c.Obeys != crawlers.Unknown && !slices.Contains(c.Verified, "obeys"):
		remarks = append(remarks, "obeys not verified")
	}
	return strings.Join(remarks, "; ")
}

// Retirement returns a clause about a retired crawler and its replacements.
func Retirement(c crawlers.Crawler) string {
	if len(c.Replacements) == 0 {
		return "no longer in use"
	}
	return "no longer in use, now " + strings.Join(c.Replacements, " and ")
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
	b.field("reads as", readingOf(c))
	b.lines(c)
	b.limits(c.Limits)
	if c.Cache != crawlers.Unknown {
		b.field("cache", "uses a copy of a robots.txt for "+c.Cache+" at most")
	}
	b.fields("host", c.ReverseDNS)
	b.fields("address", c.IPRanges)
	b.field("status", string(c.Status))
	b.field("listed", c.Listed)
	b.field("seen", "first "+c.FirstSeen+", last "+c.LastSeen)
	b.field("rank", strconv.Itoa(c.Rank)+" by how many files name it")
	b.field("verified", cmp.Or(strings.Join(c.Verified, ", "), "nothing: possibly wrong"))
	b.field("checked", c.Checked)
	b.claims(c.Token)
}

var obeysTexts = map[crawlers.Obeys]string{
	crawlers.Unknown:    "unknown",
	crawlers.ObeysAll:   `the groups that name it, else those for "*"`,
	crawlers.ObeysNamed: `only groups that name it, not those for "*"`,
	crawlers.ObeysNone:  "nothing, or not reliably",
}

// claims prints the sources of the facts, the operator's own first.
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

// readingOf returns the dialect in which a crawler is assumed to read files, with the reason.
func readingOf(c crawlers.Crawler) string {
	reading, ok := crawlers.ReadingOf(c.Token)
	read := answer.TokenRead(robotstxt.Google, c.Token)
	switch {
	case !ok:
		return "nothing: no user-agent line can name it"
	case reading.Stated:
		return reading.Dialect.String() + ", as a source states"
	case read != c.Token:
		return fmt.Sprintf("%s: google reads %q in a line that names it", reading.Dialect, read)
	}
	return reading.Dialect.String() + ", but no source states how it reads"
}

func (b *block) lines(c crawlers.Crawler) {
	for _, key := range slices.Sorted(maps.Keys(c.Extensions)) {
		b.field("lines", key+": "+obeyedTexts[c.Extensions[key]])
	}
}

var obeyedTexts = map[crawlers.Answer]string{crawlers.Yes: "obeyed", crawlers.No: "ignored", crawlers.Unknown: "unknown"}

func (b *block) limits(limits crawlers.Limits) {
	for _, limit := range []struct {
		most int
		unit string
	}{{limits.Bytes, "bytes"}, {limits.Rules, "rules"}, {limits.RuleChars, "characters in a rule"}} {
		if limit.most > 0 {
			b.field("limits", fmt.Sprintf("%d %s", limit.most, limit.unit))
		}
	}
}
