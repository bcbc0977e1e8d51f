package auditreport

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
	"github.com/kosterhq/robotstxt/crawlers"
)

// shownNamed is the number of crawlers on the first page.
const shownNamed = 10

// oftenNamed has the crawlers of the audit that files name, those that most name first.
func (r *reporter) oftenNamed() figure {
	s := r.Summary
	names := slices.DeleteFunc(byName(s), func(name string) bool { return !s.Crawlers[name].CanBeNamed() || name == "*" })
	all := len(names)
	names = slices.DeleteFunc(names, func(name string) bool { return named(s.Crawlers[name]) == 0 })
	f := figure{
		ID: "most-named", Title: "How many files name each crawler of the audit", Label: "crawler",
		Of:    r.files(),
		Text:  meanings["named"] + " Files name " + strconv.Itoa(len(names)) + " of " + term.Count(all, "crawler", "crawlers") + ".",
		Keys:  []key{{"name", "closes the whole site to it"}, {"partly", "closes a part"}, {"unknown", "not known: depends on the parser, or undecided"}, {"open", "closes nothing"}},
		Heads: []string{"named", "closes the whole site", "a part", "not known", "nothing"},
	}
	if len(names) > shownNamed {
		f.Text += fmt.Sprintf(" These are the %d that most files name.", shownNamed)
	}
	f.Text += " A full bar is the first one. --names-out counts every name as files write it: Google reads GPTBot2 as GPTBot."
	for _, name := range names[:min(len(names), shownNamed)] {
		c := s.Crawlers[name]
		n, all := named(c), withFile(c)
		shut, partly, open := c.Treatments[audit.ClosedByName], c.PartlyByName, c.OpenByName
		unknown := n - shut - partly - open
		f.Rows = append(f.Rows, row{Label: term.Escape(name), Under: operator(name),
			Bars: bar(named(s.Crawlers[names[0]]),
				partOf("name", "closes the whole site", shut, all), partOf("partly", "closes a part", partly, all),
				partOf("unknown", "not known", unknown, all), partOf("open", "closes nothing", open, all)),
			Cells: []string{shareOf(n, all), shareOf(shut, all), shareOf(partly, all), shareOf(unknown, all),
				shareOf(open, all)}})
	}
	return f
}

// byName returns the crawlers, those that most files name first.
func byName(s *audit.Summary) []string {
	return slices.SortedFunc(maps.Keys(s.Crawlers), func(a, b string) int {
		x, y := s.Crawlers[a], s.Crawlers[b]
		return cmp.Or(cmp.Compare(named(y), named(x)), cmp.Compare(y.ClosedByFile(), x.ClosedByFile()),
			cmp.Compare(a, b))
	})
}

// files is the denominator of the figures about names.
func (r *reporter) files() string {
	return "Of the " + r.many(r.Bodies[robotstxt.BodyText]+r.Bodies[robotstxt.BodyEmpty]) + " with a file that is text or empty" + inCrawl(r.Summary) + "."
}

func operator(name string) string {
	token, _, _ := strings.Cut(name, ":")
	known, ok := crawlers.Find(token)
	if !ok || known.Operator == crawlers.Unknown {
		return ""
	}
	return known.Operator
}

// named shows how many files name a crawler, and how they treat it.
func (r *reporter) named() figure {
	f := figure{
		ID: "named", Title: "By name or by *", Label: "crawler", Of: r.files(),
		Keys:  []key{{"name", "by name"}, {fallbackClass, "by fallback"}, {"star", "by *"}, {"open", "no group applies"}},
		Heads: []string{"by name", "of these closed", "by fallback", "of these closed by fallback", "by *", "of these closed", "no group", "Crawl-delay"},
		Text:  "Which group applies to each crawler. " + meanings["by name"] + " " + meanings["of these closed"],
	}
	for _, name := range byName(r.Summary) {
		c := r.Crawlers[name]
		named, star, all := named(c), c.Matched[robotstxt.MatchedByStar], withFile(c)
		none, fallback := c.Matched[robotstxt.MatchedByNone], c.Matched[robotstxt.MatchedByFallback]
		if all == 0 {
			continue
		}
		f.Rows = append(f.Rows, row{
			Label: term.Escape(name),
			Bars: bar(all, partOf("name", "by name", named, all), partOf(fallbackClass, "by fallback", fallback, all),
				partOf("star", "by *", star, all), partOf("open", "no group", none, all)),
			Cells: []string{
				shareOf(named, all), shareOf(c.Treatments[audit.ClosedByName], named),
				shareOf(fallback, all), shareOf(c.Treatments[audit.ClosedByFallback], fallback),
				shareOf(star, all), shareOf(c.Treatments[audit.ClosedByStar], star), shareOf(none, all),
				shareOf(c.Delay, all),
			},
		})
	}
	return f
}
