package auditreport

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/audit"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/semdiff"
)

// reporter makes the figures of a report.
type reporter struct {
	*audit.Summary
	config Config
}

func (r *reporter) figures() (figures []figure) {
	for _, f := range slices.Concat([]figure{r.blockers()}, r.changes(), []figure{
		r.whatWasRead(), r.purposes(), r.perCrawler(), r.named(), r.overTime(), r.statuses(),
		r.lines(), r.mistakes(), r.sizes(),
		ranked("strictest", "The strictest files", "These files close the whole site by name to the most crawlers of the audit.", "crawlers closed by name", r.Closed),
		ranked("welcoming", "The most open files", "These files name the most crawlers and open the whole site to them.", "crawlers opened by name", r.Opened),
		ranked("longest", "The longest files", "These files have the most Allow and Disallow lines.", "rules", r.LongList),
	}) {
		if len(f.Rows) > 0 {
			figures = append(figures, f)
		}
	}
	return figures
}

// leadPurpose is the purpose that the top of the report is about, "" if no crawler of
// the audit has a known one.
func (r *reporter) leadPurpose() string {
	const first = "ai-training"
	if r.Purposes[first] != nil {
		return first
	}
	for _, purpose := range crawlers.Purposes() {
		if r.Purposes[string(purpose)] != nil {
			return string(purpose)
		}
	}
	return ""
}

// purposeWords names the crawlers of a purpose.
func purposeWords(purpose string) string {
	switch purpose {
	case "":
		return "crawlers"
	case "ai-training":
		return "AI training crawlers"
	case "ai-search":
		return "AI search crawlers"
	case "ai-fetch":
		return "AI agents that fetch for users"
	case "search":
		return "search engines"
	}
	return purpose + " crawlers"
}

func (r *reporter) question() string { return "Who blocks " + purposeWords(r.leadPurpose()) + "?" }

func (r *reporter) tiles() []tile {
	purpose := r.Purposes[r.leadPurpose()]
	if purpose == nil || r.Ruled == 0 {
		return nil
	}
	of := " of " + term.Count(r.Ruled, "file", "files")
	at := func(n int, words string) tile {
		return tile{share(n, r.Ruled), words, term.Thousands(n) + of}
	}
	who := purposeWords(r.leadPurpose())
	return []tile{
		at(purpose.Files[audit.ClosedByName], "close the whole site, by name, to at least one of the "+strconv.Itoa(purpose.Crawlers)+" "+who),
		at(purpose.Files[audit.ClosedByStar], "close the whole site to them only by the group for all crawlers, *"),
		at(purpose.Files[audit.PartlyClosed], "close a part of the site to at least one of them"),
		at(purpose.Files[audit.FullyOpen], "leave the whole site open to all of them"),
	}
}

// ruled is the denominator of most figures.
func (r *reporter) ruled() string {
	return "Of " + term.Count(r.Ruled, "robots.txt file that is", "robots.txt files that are") + " text or empty. Web pages, binary files, files that were not read and sites without a file are left out."
}

// shareOf returns a count with its share.
func shareOf(n, of int) string {
	if of == 0 {
		return term.Thousands(n)
	}
	return term.Thousands(n) + " (" + share(n, of) + ")"
}

func share(n, of int) string {
	percent := 100 * float64(n) / float64(of)
	switch {
	case n > 0 && percent < 0.1:
		return "< 0.1 %"
	case n < of && percent > 99.9:
		return "> 99.9 %"
	}
	return strconv.FormatFloat(percent, 'f', 1, 64) + " %"
}

// names returns the names of the crawlers with a purpose, or of all, in the order of a
// count, the highest first.
func (r *reporter) names(purpose string, count func(audit.Treatments) int) []string {
	names := slices.Sorted(maps.Keys(r.Crawlers))
	names = slices.DeleteFunc(names, func(name string) bool {
		return purpose != "" && !slices.Contains(r.config.Purposes(name), purpose)
	})
	slices.SortStableFunc(names, func(a, b string) int {
		return cmp.Compare(count(r.Crawlers[b].Treatments()), count(r.Crawlers[a].Treatments()))
	})
	return names
}

func closed(t audit.Treatments) int { return t[audit.ClosedByName] + t[audit.ClosedByStar] }

// The parts of bars by treatment.
var treatmentKeys = []key{
	{"name", "whole site closed, by name"}, {"star", "whole site closed, by *"}, {"partly", "a part closed"}, {"unknown", "not known"}, {"open", "whole site open"},
}

func treatmentBar(t audit.Treatments, full int, shown ...audit.Treatment) []part {
	var parts []part
	for _, treatment := range shown {
		k := treatmentKeys[treatment]
		parts = append(parts, part{Class: k.Class, W: float64(t[treatment]), Words: k.Words + ": " + shareOf(t[treatment], t.Sum())})
	}
	return bar(full, parts...)
}

var allTreatments = []audit.Treatment{audit.ClosedByName, audit.ClosedByStar, audit.PartlyClosed, audit.NotKnown, audit.FullyOpen}

// blockers answers the question of the report.
func (r *reporter) blockers() figure {
	f := figure{
		ID: "blockers", Title: "Crawlers that the whole site is closed to", Keys: treatmentKeys[:2], Label: "crawler", Of: r.ruled(),
		Heads: []string{"closed by name", "closed by *", "closed in all"},
	}
	names := r.names(r.leadPurpose(), closed)
	if len(names) == 0 || r.Ruled == 0 {
		return f
	}
	most := 0
	for _, name := range names {
		most = max(most, closed(r.Crawlers[name].Treatments()))
	}
	full, label := axis(most, r.Ruled)
	f.Text = "The " + strconv.Itoa(len(names)) + " " + purposeWords(r.leadPurpose()) + " of the audit. The width of the column is " + label + " of the files."
	for _, name := range names {
		t := r.Crawlers[name].Treatments()
		f.Rows = append(f.Rows, row{
			Label: term.Escape(name), Under: operator(name), Bar: treatmentBar(t, full, audit.ClosedByName, audit.ClosedByStar),
			Cells: []string{shareOf(t[audit.ClosedByName], t.Sum()), shareOf(t[audit.ClosedByStar], t.Sum()), shareOf(closed(t), t.Sum())},
		})
	}
	return f
}

// axis returns a round share of all files that is at least most, in files and in words.
func axis(most, all int) (full int, label string) {
	for _, percent := range []int{1, 2, 5, 10, 20, 50} {
		if full = int(math.Ceil(float64(all) * float64(percent) / 100)); most <= full {
			return full, strconv.Itoa(percent) + " %"
		}
	}
	return all, "100 %"
}

// operator returns the operator of a known crawler.
func operator(name string) string {
	token, _, _ := strings.Cut(name, ":")
	known, ok := crawlers.Find(token)
	if !ok || known.Operator == crawlers.Unknown {
		return ""
	}
	return known.Operator
}

// whatWasRead shows what the files of the audit are.
func (r *reporter) whatWasRead() figure {
	f := figure{
		ID: "read", Title: "What was read and what was not", Keys: []key{{"name", "read"}, {"star", "decided by the status"}, {"unknown", "not known"}}, Label: "file",
		Heads: []string{"files"}, Of: "Of all " + term.Count(r.Files, "file", "files") + " of the audit.",
		Text: "Later figures count a site only where its rules are known. What is not known never counts as open.",
	}
	add := func(class, label string, n int) {
		if n > 0 {
			f.Rows = append(f.Rows, row{Label: label, Bar: bar(r.Files, part{Class: class, W: float64(n), Words: label}), Cells: []string{shareOf(n, r.Files)}})
		}
	}
	for _, kind := range []wire.Body{wire.BodyText, wire.BodyEmpty, wire.BodyHTML, wire.BodyBinary} {
		add("name", bodyWords[kind], r.Bodies[kind])
	}
	add("star", "no file: the HTTP status decides", r.ByStatus)
	for _, problem := range audit.MostFirst(r.Problems) {
		add("unknown", problemWords(problem), r.Problems[problem])
	}
	return f
}

var bodyWords = map[wire.Body]string{
	wire.BodyText: "text", wire.BodyEmpty: "empty file", wire.BodyHTML: "a web page instead of robots.txt", wire.BodyBinary: "binary data instead of robots.txt",
}

func problemWords(problem string) string {
	switch audit.Problem(problem) {
	case audit.Damaged:
		return "damaged record or line"
	case audit.Truncated:
		return "only the beginning was archived"
	case audit.Revisit:
		return "the archive does not repeat the file (revisit)"
	case audit.Redirect:
		return "a redirect"
	case audit.Undecodable:
		return "compression that cannot be undone"
	case audit.NoAnswer:
		return "the site did not answer"
	}
	return term.Escape(problem)
}

// purposes shows the strictest treatment of the crawlers of each purpose.
func (r *reporter) purposes() figure {
	f := figure{
		ID: "purposes", Title: "Who is blocked, by purpose", Keys: treatmentKeys, Label: "purpose", Of: r.ruled(),
		Heads: []string{"closed by name", "closed by *", "a part", "open", "closed to all of them"},
		Text:  "Each file counts once for a purpose, by its strictest treatment of a crawler with the purpose.",
	}
	for _, purpose := range crawlers.Purposes() {
		p := r.Purposes[string(purpose)]
		if p == nil || p.Files.Sum() == 0 {
			continue
		}
		t := p.Files
		f.Rows = append(f.Rows, row{
			Label: purposeWords(string(purpose)), Under: term.Count(p.Crawlers, "crawler", "crawlers"), Bar: treatmentBar(t, t.Sum(), allTreatments...),
			Cells: []string{shareOf(t[audit.ClosedByName], t.Sum()), shareOf(t[audit.ClosedByStar], t.Sum()), shareOf(t[audit.PartlyClosed], t.Sum()), shareOf(t[audit.FullyOpen], t.Sum()), shareOf(p.All, t.Sum())},
		})
	}
	return f
}

// perCrawler shows the treatment of each crawler.
func (r *reporter) perCrawler() figure {
	f := figure{
		ID: "crawlers", Title: "Who is blocked, by crawler", Keys: treatmentKeys, Label: "crawler", Of: r.ruled(),
		Heads: []string{"closed by name", "closed by *", "a part", "not known", "open"},
	}
	for _, name := range r.names("", closed) {
		t := r.Crawlers[name].Treatments()
		if t.Sum() == 0 {
			continue
		}
		var cells []string
		for _, treatment := range allTreatments {
			cells = append(cells, shareOf(t[treatment], t.Sum()))
		}
		f.Rows = append(f.Rows, row{Label: term.Escape(name), Under: strings.Join(r.config.Purposes(name), ", "), Bar: treatmentBar(t, t.Sum(), allTreatments...), Cells: cells})
	}
	return f
}

// named shows which files name a crawler, and what they say then.
func (r *reporter) named() figure {
	f := figure{
		ID: "named", Title: "By name or by *", Label: "crawler", Of: r.ruled(),
		Keys:  []key{{"name", "names the crawler"}, {"star", "has a group for * only"}, {"open", "has no group for it"}},
		Heads: []string{"by name", "of these closed", "by *", "of these closed", "no group", "Crawl-delay"},
		Text:  "A group that names a crawler applies instead of the group for *. “Of these closed” is the share of the files in the column before it.",
	}
	byName := func(name string) int { return audit.Sum(r.Crawlers[name].Matched[robotstxt.MatchedByName]) }
	names := r.names("", closed)
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(byName(b), byName(a)) })
	for _, name := range names {
		c := r.Crawlers[name]
		named, star, none := byName(name), audit.Sum(c.Matched[robotstxt.MatchedByStar]), audit.Sum(c.Matched[robotstxt.MatchedByNone])
		all := named + star + none
		if all == 0 {
			continue
		}
		f.Rows = append(f.Rows, row{
			Label: term.Escape(name),
			Bar: bar(all, part{Class: "name", W: float64(named), Words: "by name"}, part{Class: "star", W: float64(star), Words: "by *"},
				part{Class: "open", W: float64(none), Words: "no group"}),
			Cells: []string{
				shareOf(named, all), shareOf(c.Matched[robotstxt.MatchedByName][semdiff.ExtentClosed], named),
				shareOf(star, all), shareOf(c.Matched[robotstxt.MatchedByStar][semdiff.ExtentClosed], star), shareOf(none, all), shareOf(c.Delay, all),
			},
		})
	}
	return f
}

// shownMonths is how many months the report has, the latest ones.
const shownMonths = 60

func (r *reporter) overTime() figure {
	lead := r.leadPurpose()
	f := figure{
		ID: "months", Title: "Over time", Keys: treatmentKeys, Label: "month",
		Of:    "Of the robots.txt files of each month that are text or empty and have a date.",
		Heads: []string{"files", "closed by name", "closed by *", "a part", "open"},
		Text:  "The strictest treatment of " + purposeWords(lead) + ", by the month in which the file was fetched. The sites of two months may differ.",
	}
	months := slices.Sorted(maps.Keys(r.Months))
	months = slices.DeleteFunc(months, func(month string) bool { return r.Months[month].Purposes[lead] == nil })
	if len(months) > shownMonths {
		months = months[len(months)-shownMonths:]
		f.Text += fmt.Sprintf(" The latest %d months are shown.", shownMonths)
	}
	if len(months) < 2 {
		return figure{}
	}
	for _, month := range months {
		t := *r.Months[month].Purposes[lead]
		f.Rows = append(f.Rows, row{Label: month, Bar: treatmentBar(t, t.Sum(), allTreatments...), Cells: []string{
			term.Thousands(t.Sum()), shareOf(t[audit.ClosedByName], t.Sum()), shareOf(t[audit.ClosedByStar], t.Sum()), shareOf(t[audit.PartlyClosed], t.Sum()), shareOf(t[audit.FullyOpen], t.Sum()),
		}})
	}
	return f
}
