package auditreport

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
)

type reporter struct {
	*audit.Summary
	config Config
}

// short returns the figures of the first page.
func (r *reporter) short() []figure {
	return filled([]figure{r.overCrawls(), r.oftenNamed(), r.whatWasRead()})
}

// figures returns the other figures.
func (r *reporter) figures() []figure {
	return filled(slices.Concat([]figure{r.blockers()}, r.crawls(), r.changes(), []figure{
		r.purposes(), r.perCrawler(), r.named(), r.strata(), r.overTime(), r.statuses(),
		r.lines(), r.mistakes(), r.sizes(),
		r.ranked("strictest", "The strictest files", "These files close the whole site by name to the most crawlers of the audit", "crawlers", r.Closed),
		r.ranked("welcoming", "The most open files", "These files name the most crawlers and open the whole site to them", "crawlers", r.Opened),
		r.ranked("longest", "The longest files", "These files have the most Allow and Disallow lines", "rules", r.LongList),
	}))
}

// filled returns the figures with rows. Few crawlers fall back to others, so a column about fallbacks without a count
// is omitted, with its key.
func filled(figures []figure) []figure {
	figures = slices.DeleteFunc(figures, func(f figure) bool { return len(f.Rows) == 0 })
	for i := range figures {
		figures[i].omitEmpty(fallbackClass)
	}
	return figures
}

// omitEmpty omits the columns whose heads end with a class, and its key, if no bar has a part of that class.
func (f *figure) omitEmpty(class string) {
	for _, row := range f.Rows {
		for _, bar := range row.Bars {
			if slices.ContainsFunc(bar.Parts, func(p part) bool { return p.Class == class }) {
				return
			}
		}
	}
	f.Keys = slices.DeleteFunc(slices.Clone(f.Keys), func(k key) bool { return k.Class == class })
	for at := len(f.Heads) - 1; at >= 0; at-- {
		if strings.HasSuffix(f.Heads[at], class) {
			f.Heads = slices.Delete(slices.Clone(f.Heads), at, at+1)
			for i := range f.Rows {
				f.Rows[i].Cells = slices.Delete(slices.Clone(f.Rows[i].Cells), at, at+1)
			}
		}
	}
}

// inCrawl returns the words for the label of a crawl, "" without one.
func inCrawl(s *audit.Summary) string {
	if s.Label == "" {
		return ""
	}
	return ", in crawl " + shortened(s.Label)
}

func (r *reporter) leadPurpose() string { return leadPurpose(r.Summary) }

// who names the crawlers of the leading purpose: the only one by its name.
func (r *reporter) who() string {
	return cmp.Or(only(r.Summary, r.leadPurpose()), purposeWords(r.leadPurpose()))
}

func (r *reporter) question() string {
	return "Which " + string(r.By) + "s are closed to " + r.who() + "?"
}

func (r *reporter) tiles() []tile {
	s, which := headed(r.config.Crawls, r.config.Compared)
	purpose := s.Purposes[r.leadPurpose()]
	if purpose == nil || r.Known == 0 {
		return nil
	}
	of := purpose.Sites.WithRules()
	at := func(n int, words string) tile {
		return tile{shareOr(n, of), words, term.Thousands(n) + " of " + r.many(of) + " " + which + inCrawl(s)}
	}
	isOnly := only(s, r.leadPurpose()) != ""
	either := func(it, them string) string {
		if isOnly {
			return it
		}
		return them
	}
	noName := either("", "; as far as is known, to none by name")
	tiles := []tile{at(purpose.Sites[audit.ClosedByName], "close the whole site, by name, to "+whom(s, r.leadPurpose()))}
	if n := purpose.Sites[audit.ClosedByFallback]; n > 0 {
		tiles = append(tiles, at(n, "close the whole site to "+either("it", "at least one")+" by a group for another crawler"+noName))
	}
	tiles = append(tiles,
		at(purpose.Sites[audit.ClosedByStar], "close the whole site to "+either("it", "at least one")+" by the group for all crawlers, *"+noName),
		at(purpose.Sites.Partly(), "close a part of the site to "+either("it", "at least one and, as far as is known, the whole site to none")),
		at(purpose.Sites.Open(), "leave the whole site open to "+either("it", "all of them")))
	if n := notKnown(purpose.Sites); n > 0 {
		tiles = append(tiles, at(n, either("are not known: it depends", "close nothing as far as is known, but for at least one it depends")+
			" on the parser, or is undecided"))
	}
	return append(tiles, tile{share(r.ClosedByStatus, r.Known),
		"are closed by status, by the " + policyOf(r.Summary) + "; they are not in the other shares",
		term.Thousands(r.ClosedByStatus) + " of " + r.many(r.Known) + " " + withFaults + inCrawl(r.Summary)})
}

func (r *reporter) many(n int) string { return Sites(r.By, n) }

// Sites returns a number of sites in words.
func Sites(by audit.By, n int) string { return term.Count(n, string(by), string(by)+"s") }

// rules says which sites have rules, and how many of them in both crawls, which is the denominator of other figures.
func (r *reporter) rules() string {
	n := withRulesIn(r.Summary)
	text := "These are " + r.many(n)
	if both, ok := matched(r.config.Compared); ok && both[1].Known < n {
		text += ", of which " + term.Thousands(both[1].Known) + " have rules in crawl " + shortened(r.config.Crawls[0].Label) + " too"
	}
	return text + ". " + withRules(r.config.Crawls)
}

// ruled heads a column with the denominator of the shares beside it.
func (r *reporter) ruled() string { return string(r.By) + "s with rules" }

// known is the denominator of most figures.
func (r *reporter) known() string {
	return "Of the " + r.ruled() + inCrawl(r.Summary) + ". " + r.rules() + " By status: of all " + r.many(r.Known) + " " + withFaults + "."
}

func shareOf(n, of int) string {
	if of == 0 {
		return term.Thousands(n)
	}
	return term.Thousands(n) + " (" + share(n, of) + ")"
}

// shareOr is share, or a dash if there is no denominator.
func shareOr(n, of int) string {
	if of == 0 {
		return "–"
	}
	return share(n, of)
}

func share(n, of int) string {
	percent := 100 * float64(n) / float64(of)
	switch {
	case n > 0 && percent < 0.1:
		return "< 0.1%"
	case n < of && percent > 99.9:
		return "> 99.9%"
	}
	return strconv.FormatFloat(percent, 'f', 1, 64) + "%"
}

// Percent returns a share in percent.
func Percent(share float64) string { return strconv.FormatFloat(100*share, 'f', 1, 64) + "%" }
