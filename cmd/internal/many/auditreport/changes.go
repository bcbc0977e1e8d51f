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
func bothNote(crawls []*audit.Summary, compared []*audit.Comparison) string {
	both, ok := matched(compared)
	if !ok {
		return ""
	}
	s, first, last, c := both[1], crawls[0], crawls[len(crawls)-1], compared[len(compared)-1]
	in := func(s *audit.Summary) string { return term.Thousands(withRulesIn(s)) + " in " + shortened(s.Label) }
	of := "are of the " + Sites(s.By, s.Known) + " with rules " + inBoth(compared) + " (of " + in(first) + " and " + in(last) + ")"
	text := "All shares with an arrow " + of + "."
	if first.ClosedByStatus+last.ClosedByStatus > 0 {
		text = `All shares with an arrow, except "by status", ` + of + ", because a site that is closed by status in one of them shows no change of rules. \"By status\" is of the " +
			term.Thousands(first.Known) + " → " + Sites(s.By, last.Known) + " " + withFaults + "."
	}
	if len(c.OnlyOld)+len(c.OnlyNew) > 0 {
		text += " A crawler of one crawl only: of its " + string(s.By) + "s with rules."
	}
	return text
}

// withRulesIn returns the number of sites with rules.
func withRulesIn(s *audit.Summary) int { return s.Known - s.ClosedByStatus }

// crawls shows the treatment of each crawler in each crawl, if there are several.
func (r *reporter) crawls() []figure {
	if len(r.config.Crawls) < 2 {
		return nil
	}
	f := figure{
		ID: "before-after", Title: "Before and after", Keys: treatmentKeys, Label: "crawler",
		Of:    "Of the " + string(r.By) + "s of each crawl with rules. By status: of those " + withFaults + ". " + withRules(r.config.Crawls),
		Heads: []string{"closed by file", "by name", "by fallback", "by *", "home closed", "named", "a part", "not known", "open", "by status"},
		Text:  "The columns show the share in the first crawl and in the last one, and the bars draw the same shares.",
	}
	if note := bothNote(r.config.Crawls, r.config.Compared); note != "" {
		f.Of = note + " " + withRules(r.config.Crawls)
	}
	if len(r.config.Crawls) > 2 {
		f.Text += " The bar of a crawl between these is of its own " + string(r.By) + "s with rules."
	}
	for _, name := range r.names("", closed) {
		line := row{Label: term.Escape(name), Under: reading(r.Crawlers[name])}
		for _, s := range r.drawn(name) {
			if c := s.Crawlers[name]; c != nil && c.WithRules() > 0 && c.CanBeNamed() {
				one := treatmentBar(c.Treatments)[0]
				one.Label = shortened(s.Label)
				line.Bars = append(line.Bars, one)
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

// drawn returns the counts of a crawler in each crawl that a chart draws: in the first crawl and the last one those
// whose shares the columns have.
func (r *reporter) drawn(name string) []*audit.Summary {
	crawls := slices.Clone(r.config.Crawls)
	ends := sharesOf(crawls, r.config.Compared, name)
	crawls[0], crawls[len(crawls)-1] = ends[0], ends[len(ends)-1]
	return crawls
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
	for _, count := range counts {
		cells = append(cells, FromTo(sharesOf(crawls, compared, name), name, count, sitesWithRules))
	}
	if name == "*" { // not the name of a crawler, see namedColumn
		cells[5] = ""
	}
	return append(cells, FromTo(crawls, name, treatment(audit.ClosedByStatus), knownSites))
}

// changes shows the changes from the first crawl to the last, and from each of several crawls to
// the next.
func (r *reporter) changes() []figure {
	if len(r.config.Compared) == 0 {
		return nil
	}
	c := r.config.Compared[len(r.config.Compared)-1]
	return []figure{r.changesByCrawler(c), r.steps(), r.sites(c),
		r.movedSites("closed", "Sites that are less open now", "The sites whose rules are less open now to the most crawlers.", "less", c.Closed),
		r.movedSites("opened", "Sites that are more open now", "The sites whose rules are more open now to the most crawlers.", "more", c.Opened),
	}
}

var moveKeys = []key{{"name", "less open now"}, {"star", "more open now"}}

func (r *reporter) changesByCrawler(c *audit.Comparison) figure {
	f := figure{
		ID: "changed-crawlers", Title: "What changed, by crawler", Keys: moveKeys, Label: "crawler",
		Of:    "Of " + r.many(c.Sites) + " in both crawls, those " + withFaults + " in each.",
		Heads: append([]string{rulesInBoth}, moveHeads...),
		Text:  "From " + term.Escape(c.Before) + " to " + term.Escape(c.After) + ". A full bar is the largest sum of both, without changes by status. " + changesMeaning(r.config.Crawls),
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
		change, of := c.Crawlers[name], rulesOf(c, name)
		f.Rows = append(f.Rows, row{
			Label: term.Escape(name), Under: strings.Join(r.config.Purposes(name), ", "),
			Bars: bar(most, partOf("name", "less open now", change.Closed.ByFile, of),
				partOf("star", "more open now", change.Opened.ByFile, of)),
			Cells: moveCells(c, name),
		})
	}
	return f
}

// steps shows the changes from each crawl to the next, for the crawlers that have any.
func (r *reporter) steps() figure {
	f := figure{
		ID: "steps", Title: "From each crawl to the next", Label: "crawls", Of: "Of the " + string(r.By) + "s in both crawls, those " + withFaults + " in each.",
		Heads: append([]string{"crawler", rulesInBoth}, moveHeads...), Text: "The columns are those of “What changed, by crawler”.",
	}
	if len(r.config.Compared) < 2 {
		return figure{}
	}
	for _, c := range r.config.Compared[:len(r.config.Compared)-1] {
		for _, name := range ByChange(c) {
			if hasMoves(c.Crawlers[name]) {
				f.Rows = append(f.Rows, row{Label: shortened(c.Before) + " to " + shortened(c.After),
					Cells: append([]string{term.Escape(name)}, moveCells(c, name)...)})
			}
		}
	}
	return f
}

// moveCells returns the sites of a change, and its counts.
func moveCells(c *audit.Comparison, crawler string) []string {
	cells := []string{term.Thousands(rulesOf(c, crawler))}
	for _, n := range moveCounts(c.Crawlers[crawler]) {
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
		Text: "A site can be missing because the crawls had other inputs. A full bar is the largest number.",
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

func (r *reporter) movedSites(id, title, text, direction string, sites audit.MovedSites) figure {
	if sites.ByStatus > 0 {
		text += " " + movedByStatus(r.By, direction, sites.ByStatus)
	}
	if more := sites.Count - len(sites.Most); more > 0 {
		text += " Not shown: " + r.many(more) + "."
	}
	f := figure{ID: id, Title: title, Text: text, Label: "site", Heads: []string{"crawlers", "change"}, Classes: "nw"}
	descriptions := ""
	for _, moved := range sites.Most {
		f.Rows = append(f.Rows, row{Label: shortened(moved.Site),
			Cells: []string{term.Thousands(len(moved.Moves)), Describe(moved)}})
		descriptions += Describe(moved)
	}
	f.Text = strings.Join(append([]string{f.Text}, mostly(descriptions)...), " ")
	return f
}
