package auditreport

import (
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
)

// Describe returns the changes of a site in one line: "open to closed: CCBot, GPTBot". Everything
// is escaped.
func Describe(moved audit.Moved) string {
	type pair struct{ before, after string }
	var order []pair
	names := map[pair][]string{}
	for _, move := range moved.Moves {
		p := pair{move.Before, move.After}
		if names[p] == nil {
			order = append(order, p)
		}
		names[p] = append(names[p], term.Escape(move.Crawler))
	}
	var groups []string
	for _, p := range order {
		groups = append(groups, p.before+" to "+p.after+": "+term.First(names[p], 5))
	}
	return strings.Join(groups, "; ")
}

// FromTo returns the shares of a count in the first and the last crawl, with an arrow between them. The
// share in a crawl without the crawler, or in which no line can name it, is "–". If both are,
// FromTo returns "".
func FromTo(crawls []*audit.Summary, crawler string, count, of func(*audit.CrawlerCount) int) string {
	in := func(s *audit.Summary) string {
		if c := s.Crawlers[crawler]; c != nil && of(c) > 0 && c.CanBeNamed() {
			return share(count(c), of(c))
		}
		return "–"
	}
	first, last := in(crawls[0]), in(crawls[len(crawls)-1])
	if first == "–" && last == "–" {
		return ""
	}
	return first + " → " + last
}

// sharesOf returns the counts whose shares of a crawler can be compared: those of the sites with rules in both
// crawls, or those of each crawl if one of them lacks the crawler or there are no such sites.
func sharesOf(crawls []*audit.Summary, compared []*audit.Comparison, crawler string) []*audit.Summary {
	if both, ok := matched(compared); ok && both[1].Crawlers[crawler] != nil {
		return both
	}
	return crawls
}

// bothNote says of which sites the shares of two crawls are.
func bothNote(s *audit.Summary) string {
	return "Shares with an arrow are of the " + Sites(s.By, s.Known) + " with rules in both crawls, because a fault in one of them changes no rules. By status: of all whose rules are known in each crawl. A crawler of one crawl only: of its sites with rules."
}

// crawls shows the treatment of each crawler in each crawl, if there are several.
func (r *reporter) crawls() []figure {
	if len(r.config.Crawls) < 2 {
		return nil
	}
	f := figure{
		ID: "before-after", Title: "Before and after", Keys: treatmentKeys, Label: "crawler",
		Of:    "Bars: of the " + string(r.By) + "s of each crawl whose rules are known. " + withRules,
		Heads: []string{"closed by file", "by name", "by *", "by status", "home closed", "named", "a part", "not known", "open"},
		Text:  "A bar for each crawl. The columns show the share in the first crawl and in the last one.",
	}
	if both, ok := matched(r.config.Compared); ok {
		f.Text += " " + bothNote(both[1])
	}
	for _, name := range r.names("", closed) {
		line := row{Label: term.Escape(name), Under: reading(r.Crawlers[name])}
		for _, s := range r.config.Crawls {
			if c := s.Crawlers[name]; c != nil && c.Sum() > 0 && c.CanBeNamed() {
				line.Bars = append(line.Bars, labelledBar{Label: shortened(s.Label),
					Parts: scaled(c.Sum(), treatmentParts(c.Treatments, len(treatmentKeys)))})
			}
		}
		if len(line.Bars) < 2 {
			continue
		}
		line.Cells = fromToCells(r.config.Crawls, r.config.Compared, name)
		f.Rows = append(f.Rows, line)
	}
	return []figure{f}
}

// fromToCells returns the shares of a crawler in the first crawl and in the last one.
func fromToCells(crawls []*audit.Summary, compared []*audit.Comparison, name string) []string {
	counts := []func(*audit.CrawlerCount) int{closedByFile}
	for i := range treatmentKeys {
		if i == 3 { // the column after the closed shares
			counts = append(counts, homeClosed, named)
		}
		counts = append(counts, func(c *audit.CrawlerCount) int { return partsOf(c.Treatments)[i] })
	}
	var cells []string
	for i, count := range counts {
		from, of := sharesOf(crawls, compared, name), sitesWithRules
		if i == 3 { // by status
			from, of = crawls, knownSites
		}
		cells = append(cells, FromTo(from, name, count, of))
	}
	return cells
}

// changes shows the changes from the first crawl to the last, and from each of several crawls to
// the next.
func (r *reporter) changes() []figure {
	if len(r.config.Compared) == 0 {
		return nil
	}
	c := r.config.Compared[len(r.config.Compared)-1]
	return []figure{r.changesByCrawler(c), r.steps(), r.sites(c),
		movedSites("closed", "Sites that closed", "The sites whose rules are less open now to the most crawlers.", "less", c.Closed),
		movedSites("opened", "Sites that opened", "The sites whose rules are more open now to the most crawlers.", "more", c.Opened),
	}
}

var moveKeys = []key{{"name", "less open now"}, {"star", "more open now"}}

func (r *reporter) changesByCrawler(c *audit.Comparison) figure {
	f := figure{
		ID: "changed-crawlers", Title: "What changed, by crawler", Keys: moveKeys, Label: "crawler",
		Of:    "Of " + r.many(c.Sites) + " in both crawls, those whose rules are known in both.",
		Heads: append([]string{string(r.By) + "s"}, moveHeads...),
		Text:  "From " + term.Escape(c.Before) + " to " + term.Escape(c.After) + ". A full bar is the largest sum of both, without changes by status. " + movesNote,
	}
	for _, warning := range c.Warnings {
		f.Text += " Note: " + warning + "."
	}
	if only := slices.Concat(c.OnlyOld, c.OnlyNew); len(only) > 0 {
		f.Text += " " + term.Count(len(only), "crawler is", "crawlers are") + " in only one of the crawls and cannot be compared."
	}
	names := ByChange(c)
	most := 0
	if len(names) > 0 {
		most = c.Crawlers[names[0]].Closed.ByFile + c.Crawlers[names[0]].Opened.ByFile
	}
	for _, name := range names {
		change := c.Crawlers[name]
		f.Rows = append(f.Rows, row{
			Label: term.Escape(name), Under: strings.Join(r.config.Purposes(name), ", "),
			Bars: bar(most, part{Class: "name", W: float64(change.Closed.ByFile), Words: "less open now"},
				part{Class: "star", W: float64(change.Opened.ByFile), Words: "more open now"}),
			Cells: moveCells(change),
		})
	}
	return f
}

// steps shows the changes from each crawl to the next, for the crawlers that have any.
func (r *reporter) steps() figure {
	f := figure{
		ID: "steps", Title: "From each crawl to the next", Label: "crawls", Of: "Of the " + string(r.By) + "s in both crawls, those whose rules are known in both.",
		Heads: append([]string{"crawler", "known in both"}, moveHeads...), Text: movesNote,
	}
	if len(r.config.Compared) < 2 {
		return figure{}
	}
	for _, c := range r.config.Compared[:len(r.config.Compared)-1] {
		for _, name := range ByChange(c) {
			change := c.Crawlers[name]
			if hasMoves(change) {
				f.Rows = append(f.Rows, row{Label: shortened(c.Before) + " to " + shortened(c.After),
					Cells: append([]string{term.Escape(name)}, moveCells(change)...)})
			}
		}
	}
	return f
}

// moveCells returns the sites of a change, and its counts.
func moveCells(c *audit.Change) []string {
	cells := []string{term.Thousands(c.Known)}
	for _, n := range moveCounts(c) {
		cells = append(cells, term.Thousands(n))
	}
	return cells
}

// ByChange returns the crawlers of a comparison, those with most changes of files first.
func ByChange(c *audit.Comparison) []string {
	changes := map[string]int{}
	for name, change := range c.Crawlers {
		changes[name] = change.Closed.ByFile + change.Opened.ByFile
	}
	return audit.MostFirst(changes)
}

func (r *reporter) sites(c *audit.Comparison) figure {
	all := c.Sites + c.Appeared + c.Vanished
	labels := []string{"in both crawls", "only in the later crawl", "only in the earlier crawl"}
	under := []string{"", examples(c.AppearedAs), examples(c.GoneAs)}
	return plainBars(figure{
		ID: "hosts", Title: "Sites of the two crawls", Label: string(r.By), Of: "Of " + r.many(all) + " in either crawl.", Heads: []string{string(r.By) + "s"},
		Text: "A site can be missing because the crawls had other inputs.",
	}, all, []int{c.Sites, c.Appeared, c.Vanished}, func(i int) (string, string) { return labels[i], under[i] })
}

func examples(sites []string) string {
	var names []string
	for _, site := range sites[:min(len(sites), 3)] {
		names = append(names, shortened(site))
	}
	if len(names) == 0 {
		return ""
	}
	return "such as " + strings.Join(names, ", ")
}

func movedSites(id, title, text, direction string, sites audit.MovedSites) figure {
	if sites.ByStatus > 0 {
		text += " In addition, " + term.Count(sites.ByStatus, "site is", "sites are") + " " + direction + " open because of a fault in one of the crawls."
	}
	if more := sites.Count - len(sites.Most); more > 0 {
		text += " Not shown: " + term.Count(more, "site", "sites") + "."
	}
	f := figure{ID: id, Title: title, Text: text, Label: "site", Heads: []string{"crawlers", "change"}, Classes: "nw"}
	for _, moved := range sites.Most {
		f.Rows = append(f.Rows, row{Label: shortened(moved.Site),
			Cells: []string{term.Thousands(len(moved.Moves)), Describe(moved)}})
	}
	return f
}
