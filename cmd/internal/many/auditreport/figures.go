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

// headed returns the counts of the headline's sites in the last crawl, and says which sites these are.
func (r *reporter) headed() (s *audit.Summary, which string) {
	if both, ok := matched(r.config.Compared); ok && both[1].Purposes[r.leadPurpose()] != nil {
		return both[1], "with rules " + inBoth(r.config.Compared)
	}
	return r.Summary, "with rules"
}

// overCrawls has the treatment of a purpose's crawlers in each crawl: of the headline's sites if there are two crawls,
// of which a fault decides none.
func (r *reporter) overCrawls() figure {
	crawls := r.config.Crawls
	f := r.timeFigure("crawls", "In each crawl", "crawl", "in each crawl.")
	s, which := r.headed()
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
		Of:    r.files() + " One that answered with a status such as 404 or 403 is not among them.",
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

// inCrawl returns the words for the label of a crawl, "" without one.
func inCrawl(s *audit.Summary) string {
	if s.Label == "" {
		return ""
	}
	return ", in crawl " + shortened(s.Label)
}

func (r *reporter) leadPurpose() string { return leadPurpose(r.Summary) }

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

// who names the crawlers of the leading purpose: the only one by its name.
func (r *reporter) who() string {
	return cmp.Or(only(r.Summary, r.leadPurpose()), purposeWords(r.leadPurpose()))
}

func (r *reporter) question() string { return "Who blocks " + r.who() + "?" }

func (r *reporter) tiles() []tile {
	s, which := r.headed()
	purpose := s.Purposes[r.leadPurpose()]
	if purpose == nil || r.Known == 0 {
		return nil
	}
	of := purpose.Sites.WithRules()
	at := func(n int, words string) tile {
		return tile{shareOr(n, of), words, term.Thousands(n) + " of " + r.many(of) + " " + which}
	}
	them, oneOf, all := "them", "at least one of them", "all of them"
	if only(s, r.leadPurpose()) != "" {
		them, oneOf, all = "it", "it", "it"
	}
	part := "close a part of the site to " + oneOf
	if oneOf != them {
		part += ", and, as far as is known, the whole site to none"
	}
	tiles := []tile{
		at(purpose.Sites[audit.ClosedByName], "close the whole site, by name, to "+whom(s, r.leadPurpose())),
		at(purpose.Sites[audit.ClosedByFallback], "close the whole site to "+oneOf+", not by name, but by a group for another crawler"),
		at(purpose.Sites[audit.ClosedByStar], "close the whole site to "+oneOf+", not by name, but by the group for all crawlers, *"),
		at(purpose.Sites.Partly(), part),
		at(purpose.Sites.Open(), "leave the whole site open to "+all),
		{share(r.ClosedByStatus, r.Known), "gave a fault, which the policy treats as closed; they are not in the other shares",
			term.Thousands(r.ClosedByStatus) + " of " + r.many(r.Known) + " " + withFaults + inCrawl(r.Summary)},
	}
	if purpose.Sites[audit.ClosedByFallback] == 0 {
		tiles = slices.Delete(tiles, 1, 2)
	}
	return tiles
}

// files is the denominator of the figures about names.
func (r *reporter) files() string {
	return "Of the " + r.many(r.Bodies[robotstxt.BodyText]+r.Bodies[robotstxt.BodyEmpty]) + " with a file that was read and is text or empty" + inCrawl(r.Summary) + "."
}

func (r *reporter) many(n int) string { return Sites(r.By, n) }

// Sites returns a number of sites in words.
func Sites(by audit.By, n int) string { return term.Count(n, string(by), string(by)+"s") }

// counted returns a sentence about the things that are counted.
func (r *reporter) counted() string {
	text := r.many(r.Sites) + " from " + term.Count(r.Captures, "capture", "captures")
	if len(r.config.Crawls) > 1 {
		text = "Crawl " + term.Escape(r.Label) + ": " + text
	}
	return text + ". " + r.By.Rule(r.Schemes)
}

// ruled heads a column with the denominator of the shares beside it.
func (r *reporter) ruled() string { return string(r.By) + "s with rules" }

// known is the denominator of most figures.
func (r *reporter) known() string {
	return "Of the " + string(r.By) + "s with rules" + inCrawl(r.Summary) + ". " + meanings["with rules"] + " By status: of all " + r.many(r.Known) + " " + withFaults + "."
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
		t[audit.Depends] + t[audit.Undecided], t.Open()}
}

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
	full, label := axis(most, r.Known-r.ClosedByStatus)
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

func operator(name string) string {
	token, _, _ := strings.Cut(name, ":")
	known, ok := crawlers.Find(token)
	if !ok || known.Operator == crawlers.Unknown {
		return ""
	}
	return known.Operator
}

// whatWasRead shows the kinds of files in the audit.
func (r *reporter) whatWasRead() figure {
	f := figure{
		ID: "read", Title: "What was read and what was not", Keys: []key{{"name", "read"}, {"star", "decided by the status"}, {"unknown", "not known"}}, Label: string(r.By),
		Heads: []string{string(r.By) + "s"}, Of: "Of all " + r.many(r.Sites) + inCrawl(r.Summary) + ".",
		Text: "A site whose rules are unknown is never counted as open.",
	}
	add := func(class, label string, n int) {
		if n > 0 {
			f.Rows = append(f.Rows, row{Label: label,
				Bars:  bar(r.Sites, partOf(class, label, n, r.Sites)),
				Cells: []string{shareOf(n, r.Sites)}})
		}
	}
	for _, kind := range []robotstxt.Body{robotstxt.BodyText, robotstxt.BodyEmpty} {
		add("name", bodyWords[kind], r.Bodies[kind])
	}
	add("star", "no file: the policy opens the site because of its status", r.OpenByStatus)
	add("star", "unreachable: the HTTP status closes the site", r.ClosedByStatus)
	for _, kind := range []robotstxt.Body{robotstxt.BodyHTML, robotstxt.BodyBinary} {
		add("unknown", bodyWords[kind], r.Bodies[kind])
	}
	for _, problem := range audit.MostFirst(r.Problems) {
		add("unknown", problemWords(problem), r.Problems[problem])
	}
	if lost := audit.Sum(r.Lost); lost > 0 {
		f.Text += " In addition, " + term.Count(lost, "record has", "records have") + " no known site, because they are damaged."
	}
	return f
}

var bodyWords = map[robotstxt.Body]string{
	robotstxt.BodyText: "text", robotstxt.BodyEmpty: "empty file", robotstxt.BodyHTML: "a web page instead of robots.txt", robotstxt.BodyBinary: "binary data instead of robots.txt",
}

func problemWords(problem string) string {
	switch audit.Problem(problem) {
	case audit.Damaged:
		return "damaged record or line"
	case audit.Truncated:
		return "only the beginning was archived"
	case audit.Revisit:
		return "the file is that of a record that is not there (revisit)"
	case audit.Redirect:
		return "redirected to a URL that is not in the crawl"
	case audit.Undecodable:
		return "compression that cannot be undone"
	case audit.NoAnswer:
		return "the site did not answer"
	case audit.Internal:
		return "not judged, because of an internal error"
	}
	return term.Escape(problem)
}

// purposes shows the strictest treatment of the crawlers of each purpose.
func (r *reporter) purposes() figure {
	f := figure{
		ID: "purposes", Title: "Who is blocked, by purpose", Keys: treatmentKeys, Label: "purpose", Of: r.known(),
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
		ID: "crawlers", Title: "Who is blocked, by crawler", Keys: treatmentKeys, Label: "crawler", Of: r.known(),
		Heads: []string{"closed by name", "closed by fallback", "closed by *", "a part", "depends on the parser", "undecided", "open", "by status", "home closed"},
		Text:  meanings["home closed"] + " " + meanings["read as"],
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

// named shows how many files name a crawler, and how they treat it.
func (r *reporter) named() figure {
	f := figure{
		ID: "named", Title: "By name or by *", Label: "crawler", Of: r.files(),
		Keys:  []key{{"name", "by name"}, {fallbackClass, "by fallback"}, {"star", "by *"}, {"open", "no group applies"}},
		Heads: []string{"by name", "of these closed", "by fallback", "of these closed by fallback", "by *", "of these closed", "no group", "Crawl-delay"},
		Text:  "Which group applies to each crawler. " + meanings["by name"] + " “Of these closed” is the share of the files in the column before it whose rules close the whole site.",
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
		Text:  "The strictest treatment of " + r.who() + ", " + by + " Two rows can cover different sites.",
	}
}

func (f *figure) addTime(label string, t audit.Treatments) {
	f.Rows = append(f.Rows, row{Label: label, Bars: treatmentBar(t),
		Cells: append([]string{term.Thousands(t.WithRules())}, shares(t)...)})
}

func (r *reporter) strata() figure {
	f := figure{
		ID: "strata", Title: "Closed sites by stratum", Keys: []key{{"name", "whole site closed by its file"}}, Label: "crawler", Of: "Of the " + string(r.By) + "s of each stratum with rules. " + meanings["with rules"],
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

// Percent returns a share in percent.
func Percent(share float64) string { return strconv.FormatFloat(100*share, 'f', 1, 64) + "%" }
