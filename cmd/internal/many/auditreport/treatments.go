package auditreport

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
	"github.com/kosterhq/robotstxt/crawlers"
)

// overCrawls has the treatment of a purpose's crawlers in each crawl: of the headline's sites if there are two crawls,
// of which a fault decides none.
func (r *reporter) overCrawls() figure {
	crawls := r.config.Crawls
	if !anySites(crawls) {
		return figure{}
	}
	f := r.timeFigure("crawls", "In each crawl", "crawl", "in each crawl.")
	s, which := headed(r.config.Crawls, r.config.Compared)
	isMatched := len(crawls) == 2 && s != r.Summary
	switch {
	case len(crawls) == 1:
		f.Title, f.Text = "In short", "The strictest treatment of "+r.who()+". "+meanings["strictest"]
		f.Of = r.known()
	case isMatched:
		crawls, _ = matched(r.config.Compared)
		f.Of = "Of the " + r.many(s.Known) + " " + which + "."
		f.Text = "The strictest treatment of " + r.who() + ", in each crawl. " + meanings["strictest"]
	}
	for _, s := range crawls {
		if p := s.Purposes[r.leadPurpose()]; p != nil {
			f.addTime(cmp.Or(shortened(s.Label), "all"), p.Sites)
		}
	}
	if isMatched {
		last := len(f.Heads) - 1 // by status
		f.Heads = f.Heads[:last]
		for i := range f.Rows {
			f.Rows[i].Cells = f.Rows[i].Cells[:last]
		}
	}
	return f
}

// names returns the names of the crawlers with a purpose, or of all, in the order of a
// count, the highest first.
func (r *reporter) names(purpose string, count func(audit.Treatments) int) []string {
	names := slices.Sorted(maps.Keys(r.Crawlers))
	names = slices.DeleteFunc(names, func(name string) bool {
		return purpose != "" && !slices.Contains(r.config.Purposes(name), purpose)
	})
	slices.SortStableFunc(names, func(a, b string) int {
		return cmp.Compare(count(r.Crawlers[b].Treatments), count(r.Crawlers[a].Treatments))
	})
	return names
}

func closed(t audit.Treatments) int { return t.ClosedByFile() }

// fallbackClass is the class of bars for a group to which a crawler falls back, and the end of its columns' heads.
const fallbackClass = "fallback"

// The parts of bars by treatment. A full bar is the sites with rules: a fault is not part of it.
var treatmentKeys = []key{
	{"name", "whole site closed, by name"}, {fallbackClass, "by fallback"}, {"star", "by *"}, {"partly", "a part closed"},
	{"unknown", "not known: depends on the parser, or undecided"}, {"open", "whole site open"},
}

// partsOf returns the counts of treatmentKeys.
func partsOf(t audit.Treatments) []int {
	return []int{t[audit.ClosedByName], t[audit.ClosedByFallback], t[audit.ClosedByStar], t.Partly(),
		notKnown(t), t.Open()}
}

// notKnown returns the sites of which it is not known how much is open.
func notKnown(t audit.Treatments) int { return t[audit.Depends] + t[audit.Undecided] }

// treatmentParts returns the parts of a bar for the first keys.
func treatmentParts(t audit.Treatments, keys int) (parts []part) {
	for i, n := range partsOf(t)[:keys] {
		k := treatmentKeys[i]
		parts = append(parts, partOf(k.Class, k.Words, n, t.WithRules()))
	}
	return parts
}

func treatmentBar(t audit.Treatments) []labelledBar {
	return bar(t.WithRules(), treatmentParts(t, len(treatmentKeys))...)
}

// reading returns how a crawler reads files, in words.
func reading(c *audit.CrawlerCount) string {
	if c.Reading == "" {
		return "no line can name it"
	}
	return "read as " + term.Escape(c.Reading)
}

// blockers answers the question of the report.
func (r *reporter) blockers() figure {
	f := figure{
		ID: "blockers", Title: "Crawlers to which the whole site is closed", Keys: treatmentKeys[:3], Label: "crawler",
		Of:    r.known(),
		Heads: []string{"closed by name", "closed by fallback", "closed by *", "closed by file", "by status"},
	}
	names := slices.DeleteFunc(r.names(r.leadPurpose(), closed), func(name string) bool {
		return !r.Crawlers[name].CanBeNamed()
	})
	if len(names) == 0 || r.Known == 0 {
		return f
	}
	most := 0
	for _, name := range names {
		most = max(most, closed(r.Crawlers[name].Treatments))
	}
	full, label := axis(most, withRulesIn(r.Summary))
	f.Text = "The " + strconv.Itoa(len(names)) + " " + purposeWords(r.leadPurpose()) + " of the audit."
	if len(names) == 1 {
		f.Text = "The audit has one crawler of this purpose."
	}
	f.Text += " The width of the column is " + label + " of the " + string(r.By) + "s with rules."
	for _, name := range names {
		t := r.Crawlers[name].Treatments
		f.Rows = append(f.Rows, row{
			Label: term.Escape(name), Under: operator(name),
			Bars: []labelledBar{{Parts: scaled(full, treatmentParts(t, 3))}},
			Cells: []string{shareOf(t[audit.ClosedByName], t.WithRules()),
				shareOf(t[audit.ClosedByFallback], t.WithRules()),
				shareOf(t[audit.ClosedByStar], t.WithRules()), shareOf(t.ClosedByFile(), t.WithRules()),
				shareOf(t[audit.ClosedByStatus], t.Sum())},
		})
	}
	return f
}

// axis returns a round share of all files that is at least most, in files and in words.
func axis(most, all int) (full float64, label string) {
	for _, percent := range []int{1, 2, 5, 10, 20, 50} {
		full = float64(all) * float64(percent) / 100
		if float64(most) <= full {
			return full, strconv.Itoa(percent) + "%"
		}
	}
	return float64(all), "100%"
}

// purposes shows the strictest treatment of the crawlers of each purpose.
func (r *reporter) purposes() figure {
	f := figure{
		ID: "purposes", Title: "How much is closed, by purpose of the crawlers", Keys: treatmentKeys, Label: "purpose", Of: r.known(),
		Heads: []string{"closed by name", "closed by fallback", "closed by *", "a part", "not known", "open", "by status", "closed to all of them"},
		Text:  "Each site counts once for a purpose, by its strictest treatment of a crawler with the purpose. " + meanings["strictest"],
	}
	for _, purpose := range crawlers.Purposes() {
		p := r.Purposes[string(purpose)]
		if p == nil || p.Sites.Sum() == 0 {
			continue
		}
		t := p.Sites
		f.Rows = append(f.Rows, row{
			Label: purposeWords(string(purpose)), Under: term.Count(p.Crawlers, "crawler", "crawlers"),
			Bars:  treatmentBar(t),
			Cells: append(shares(t), shareOf(p.All, t.WithRules())),
		})
	}
	return f
}

// shares returns the shares of treatmentKeys, of the sites with rules, and that of the faults, of these and the faults.
func shares(t audit.Treatments) (cells []string) {
	for _, n := range partsOf(t) {
		cells = append(cells, shareOf(n, t.WithRules()))
	}
	return append(cells, shareOf(t[audit.ClosedByStatus], t.Sum()))
}

func (r *reporter) perCrawler() figure {
	f := figure{
		ID: "crawlers", Title: "How much is closed, by crawler", Keys: treatmentKeys, Label: "crawler", Of: r.known(),
		Heads: []string{"closed by name", "closed by fallback", "closed by *", "a part", "depends on the parser", "undecided", "open", "by status", "home closed"},
		Text:  meanings["home closed"] + " " + meanings["read as"] + " " + meanings["by name"],
	}
	for _, name := range r.names("", closed) {
		c := r.Crawlers[name]
		t := c.Treatments
		under := strings.Join(append(r.config.Purposes(name), reading(c)), ", ")
		all := t.WithRules()
		switch {
		case !c.CanBeNamed():
			f.Rows = append(f.Rows, row{Label: term.Escape(name), Under: under, Cells: make([]string, len(f.Heads))})
		case t.Sum() > 0:
			cells := slices.Replace(shares(t), 4, 5, shareOf(t[audit.Depends], all), shareOf(t[audit.Undecided], all))
			f.Rows = append(f.Rows, row{Label: term.Escape(name), Under: under,
				Bars: treatmentBar(t), Cells: append(cells, shareOf(homeClosed(c), all))})
		}
	}
	return f
}

// shownMonths is the number of months in the report, the latest ones.
const shownMonths = 60

func (r *reporter) overTime() figure {
	lead := r.leadPurpose()
	f := r.timeFigure("months", "By month", "month", "by the month of the capture"+inCrawl(r.Summary)+".")
	months := slices.Sorted(maps.Keys(r.Months))
	months = slices.DeleteFunc(months, func(month string) bool { return r.Months[month][lead] == nil })
	if len(months) > shownMonths {
		months = months[len(months)-shownMonths:]
		f.Text += fmt.Sprintf(" The latest %d months are shown.", shownMonths)
	}
	if len(months) < 2 {
		return figure{}
	}
	for _, month := range months {
		f.addTime(month, *r.Months[month][lead])
	}
	return f
}

// timeFigure has a row for each time, with the treatments of a purpose.
func (r *reporter) timeFigure(id, title, label, by string) figure {
	return figure{
		ID: id, Title: title, Keys: treatmentKeys, Label: label,
		Of:    "Of the " + string(r.By) + "s of each " + label + " with rules. By status: of all its " + string(r.By) + "s " + withFaults + ".",
		Heads: []string{r.ruled(), "closed by name", "closed by fallback", "closed by *", "a part", "not known", "open", "by status"},
		Text:  "The strictest treatment of " + r.who() + ", " + by + " " + meanings["strictest"] + " Two rows can cover different sites.",
	}
}

func (f *figure) addTime(label string, t audit.Treatments) {
	f.Rows = append(f.Rows, row{Label: label, Bars: treatmentBar(t),
		Cells: append([]string{term.Thousands(t.WithRules())}, shares(t)...)})
}

func (r *reporter) strata() figure {
	f := figure{
		ID: "strata", Title: "Closed sites by stratum", Keys: []key{{"name", "whole site closed by its file"}}, Label: "crawler", Of: "Of the " + string(r.By) + "s of each stratum with rules. " + withRules(r.config.Crawls),
		Heads: []string{r.ruled(), "closed by file", "95% confidence"}, Text: "The interval is Wilson's, as if the sites were drawn at random from their stratum.",
	}
	if len(r.Strata) == 0 {
		return figure{}
	}
	for _, name := range r.names(r.leadPurpose(), closed) {
		f.Rows = append(f.Rows, r.strataOf(name)...)
	}
	return f
}

// strataOf has a row for each stratum of a crawler and each crawl.
func (r *reporter) strataOf(name string) (rows []row) {
	for i := range r.Strata {
		for _, s := range r.config.Crawls {
			stratum := s.Strata[i]
			t := stratum.Crawlers[name]
			if t == nil {
				continue
			}
			under := shortened(stratum.Name)
			if len(r.config.Crawls) > 1 {
				under += ", " + shortened(s.Label)
			}
			n, of := t.ClosedByFile(), t.WithRules()
			low, high := audit.Interval(n, of)
			rows = append(rows, row{
				Label: term.Escape(name), Under: under,
				Bars:  bar(of, part{Class: "name", W: float64(n), Words: shareOf(n, of)}),
				Cells: []string{term.Thousands(of), shareOf(n, of), Percent(low) + " to " + Percent(high)},
			})
		}
	}
	return rows
}
