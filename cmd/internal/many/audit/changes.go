package audit

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/semdiff"
)

// Comparison counts what changed between two crawls, for the sites that both contain.
type Comparison struct {
	Before, After string // labels

	Sites    int // in both crawls
	Appeared int // sites that only the later crawl contains
	Vanished int // sites that only the earlier crawl contains

	// Both counts the sites with rules in both crawls, before and after, for the crawlers of both. Its shares have one
	// denominator, so a fault in one of the crawls does not move them.
	Both [2]*Summary

	Crawlers           map[string]*Change // of both crawls
	Opened, Closed     MovedSites
	OnlyOld, OnlyNew   []string // crawlers of one crawl only
	Warnings           []string // how the crawls were read differently, in sentences
	AppearedAs, GoneAs []string // the first such sites in alphabetical order
}

// Change counts the changes for a crawler. A fault in one of the crawls shows no names.
type Change struct {
	Known         int // sites for which both crawls know how much is open
	Before, After Side
	Opened        Moves // of Known: sites that are more open now; for a crawler with two readings, in both
	Closed        Moves // of Known: sites that are less open now, in the same sense
	Named         int   // sites with known rules that name the crawler only now
	Unnamed       int   // sites with known rules that named the crawler only before

	fallback [2]bool // of Unnamed and Named: where a site does not name the crawler, it falls back
}

// Moves counts sites with a change in one direction. A fault of a site or a crawl is a change by status, which is no
// change of the site's rules. A file that appears where none was served, or that vanishes, is one.
type Moves struct {
	ByFile   int // both crawls have rules of the site, see [Treatments.WithRules]
	ByStatus int // the site gave a fault in one of them
}

// Sum returns the number of sites.
func (m Moves) Sum() int { return m.ByFile + m.ByStatus }

func (m *Moves) add(isByFile bool, n int) {
	if isByFile {
		m.ByFile += n
	} else {
		m.ByStatus += n
	}
}

// Side counts the sites of a Change in one of the crawls.
type Side struct {
	Tally
	Named      int // a group names the crawler
	HomeClosed int // the home page is closed
}

func (s *Side) add(v *verdict, n int) {
	s.Tally.add(v, n)
	if v.matched == robotstxt.MatchedByName {
		s.Named += n
	}
	if v.homeClosed {
		s.HomeClosed += n
	}
}

// MovedSites are the sites with changes of their files in one direction.
type MovedSites struct {
	Count    int     // all of them
	Without  int     // of Count: sites without a file in one of the crawls
	Most     []Moved // the sites with most such changes
	ByStatus int     // other sites, with a fault in one of the crawls
}

// Moved is a site with changes of its file in one direction.
type Moved struct {
	Site  string
	Moves []Move

	isByStatus bool // there are changes, but a fault is their reason
	isWithout  bool // a crawl found no file
}

// Move is a change for a crawler.
type Move struct {
	Crawler string
	// Before is how much was open, and After how much is open: open, mostly open, mostly closed, closed,
	// or two of these if the parser matters. It is partly if a table does not show more.
	Before, After string
}

// ChangeRow is the row of a site and a crawler whose treatment changed, in the table of
// changes.
type ChangeRow struct {
	Before     string  `parquet:"before,dict" doc:"the label of the earlier crawl: the previous crawl, or, if there are more than two, the first as well"`
	After      string  `parquet:"after,dict" doc:"the label of the later crawl"`
	Site       string  `parquet:"site" doc:"the host, or the site as --by defines it"`
	Crawler    string  `parquet:"crawler,dict" doc:"the crawler in the notation of --agent"`
	Was        string  `parquet:"was,dict" doc:"the treatment before: closed by name, by fallback, by * or by status, mostly closed, mostly open, open, open by status; two of them, such as open or partly, if that depends on the parser; partly if the crawl's table has no column rest, or if the readings of the crawler differ about the rest or, as in open or partly, about the whole"`
	Is         string  `parquet:"is,dict" doc:"the treatment after"`
	BeforeLine *int32  `parquet:"before_line,optional" doc:"the line that decided before; null without one"`
	BeforeRule *string `parquet:"before_rule,optional" doc:"the rule on that line"`
	AfterLine  *int32  `parquet:"after_line,optional" doc:"the line that decides after; null without one"`
	AfterRule  *string `parquet:"after_rule,optional" doc:"the rule on that line"`
	Effect     *string `parquet:"effect,optional,dict" doc:"closes if less is open than before, opens if more is open; null if only the reason is different, or if the parsers differ"`
	Size       *string `parquet:"size,optional,dict" doc:"how much closes or opens, as in robots diff: all, most or some (which includes many); null without effect, if the readings of the crawler differ about the size, or if was or is is partly and the rest would decide"`
	Stratum    *string `parquet:"stratum,optional,dict" doc:"the stratum of the site; null without --strata"`
	By         string  `parquet:"by,dict" doc:"file if both crawls have rules of the site: a file, or an answer without one for which the policy opens the site, such as 404; status if the site gave a fault in one of them, such as 503, for which the policy closes it, and which does not change its rules"`
}

// Compare compares each crawl with the one before and, as the last comparison, the last of
// several crawls with the first, unless captures are counted. It writes the changes to tables,
// see [Parts.WriteFiles], with the strata of the sites unless strata is nil.
func (c *Census) Compare(changes []string, strata *Strata) (compared []*Comparison, err error) {
	if c.by == ByCapture {
		return nil, nil
	}
	crawls := c.Crawls()
	pairs := pairsOf(crawls)
	if len(changes) > 0 && !areComparable(pairs) {
		return nil, term.Errorf("there is nothing to compare for %q", changes[0]).Hint("give two crawls, both with files and with at least one crawler")
	}
	err = writeTables(changes, c.Provenance, nil, func(write func([]ChangeRow) error) error {
		for _, pair := range pairs {
			one, err := pair[1].Compare(pair[0], strata.noting(oneByOne(write)))
			if err != nil {
				return err
			}
			compared = append(compared, one)
		}
		return nil
	})
	return compared, err
}

// pairsOf returns the crawls that are compared: each with the one before, and the first with the
// last.
func pairsOf(crawls []*Crawl) (pairs [][2]*Crawl) {
	for i := range len(crawls) - 1 {
		pairs = append(pairs, [2]*Crawl{crawls[i], crawls[i+1]})
	}
	if len(crawls) > 2 {
		pairs = append(pairs, [2]*Crawl{crawls[0], crawls[len(crawls)-1]})
	}
	return pairs
}

// noting returns a function that adds the stratum to a row and calls write, or nil if write is
// nil.
func (s *Strata) noting(write func(*ChangeRow) error) func(*ChangeRow) error {
	if s == nil || write == nil {
		return write
	}
	return func(row *ChangeRow) error {
		row.Stratum = &s.Names[s.Of(row.Site)]
		return write(row)
	}
}

// areComparable reports whether the crawls of a pair have a crawler in common.
func areComparable(pairs [][2]*Crawl) bool {
	for _, pair := range pairs {
		for _, name := range pair[1].crawlers {
			if _, ok := pair[0].columns[name]; ok {
				return true
			}
		}
	}
	return false
}

// byStrictness are the extents that are known, the most open first.
var byStrictness = [...]semdiff.Extent{semdiff.ExtentOpen, semdiff.ExtentPartly, semdiff.ExtentClosed}

// strictness orders extents, the most open first; it is 0 if the extent is not known.
func strictness(e semdiff.Extent) int { return 1 + slices.Index(byStrictness[:], e) }

func extentOf(strictness byte) semdiff.Extent {
	if strictness == 0 {
		return ""
	}
	return byStrictness[strictness-1]
}

// difference compares the access of a crawler in two verdicts. direction is positive if less is
// open in each of its readings, and negative if more is open. differs is true if the treatment
// changes in each reading. known is false if a verdict does not show how much is open.
func difference(was, is *verdict) (direction int, differs, known bool) {
	before, ok := was.byReading()
	after, okAfter := is.byReading()
	if !ok || !okAfter {
		return 0, false, false
	}
	differs = true
	var directions [2]int
	for i := range before {
		directions[i] = directionOf(before[i], after[i])
		isSame := before[i] == after[i] || directions[i] == 0 && before[i].Extent() == semdiff.ExtentPartly
		differs = differs && !isSame
	}
	if directions[0] == directions[1] {
		direction = directions[0]
	}
	return direction, differs, true
}

// byReach are the treatments that show how much is open, the most open first. Treatments with an
// equal reach have one number.
var byReach = map[Treatment]int{FullyOpen: 1, OpenByStatus: 1, MostlyOpen: 2, MostlyClosed: 3,
	ClosedByName: 4, ClosedByFallback: 4, ClosedByStar: 4, ClosedByStatus: 4}

// directionOf compares how much two treatments open. It is positive if the second one opens less.
// If a table does not show whether the rest of a partly closed site is closed, two such sites are equal.
func directionOf(before, after Treatment) int {
	if before == PartlyClosed || after == PartlyClosed {
		return cmp.Compare(strictness(after.Extent()), strictness(before.Extent()))
	}
	return cmp.Compare(byReach[after], byReach[before])
}

// sizeBetween returns the size of a change between two treatments, as package semdiff defines it, with
// SizeSome for SizeMany, or "" if a table does not show it.
func sizeBetween(before, after Treatment) semdiff.Size {
	wasClosed := before.Extent() == semdiff.ExtentClosed || before == MostlyClosed
	direction := directionOf(before, after)
	switch {
	case direction > 0 && after.Extent() == semdiff.ExtentClosed:
		return semdiff.SizeAll
	case before == PartlyClosed || after == PartlyClosed:
		return ""
	case direction > 0 && after == MostlyClosed:
		return semdiff.SizeMost
	case direction < 0 && wasClosed && after.Extent() == semdiff.ExtentOpen:
		return semdiff.SizeAll
	case direction < 0 && wasClosed && after == MostlyOpen:
		return semdiff.SizeMost
	}
	return semdiff.SizeSome
}

// effectOf returns the effect of a change and its size, nil for what is not known.
func effectOf(was, is *verdict) (effect, size *string) {
	direction, _, _ := difference(was, is)
	if direction == 0 {
		return nil, nil
	}
	effect = new("closes")
	if direction < 0 {
		effect = new("opens")
	}
	before, _ := was.byReading()
	after, _ := is.byReading()
	one := sizeBetween(before[0], after[0])
	if one != "" && one == sizeBetween(before[1], after[1]) {
		size = new(string(one))
	}
	return effect, size
}

// common is a crawler of two crawls: its place in the verdicts of each.
type common struct {
	name   string
	at     [2]int
	change *Change
}

// Compare compares a crawl with an earlier one. row, if it is not nil, is called for each
// site and crawler whose treatment changed, in the order of the sites.
func (c *Crawl) Compare(earlier *Crawl, row func(*ChangeRow) error) (*Comparison, error) {
	r := &Comparison{Before: earlier.Label, After: c.Label, Crawlers: map[string]*Change{}}
	crawlers := r.common(c, earlier)
	r.Warnings = differences(earlier, c, crawlers)
	r.missing(c, earlier)
	sites := maps.Keys(c.sites)
	if row != nil {
		sites = slices.Values(slices.Sorted(sites))
	}
	counters := r.counters(earlier, c)
	pairs := map[[2]uint32]*pair{}
	for site := range sites {
		before, ok := earlier.of(site)
		if !ok {
			continue
		}
		after, _ := c.of(site)
		r.Sites++
		if !earlier.facts.list[before.facts].known() || !c.facts.list[after.facts].known() {
			continue
		}
		ids := [2]uint32{before.verdicts, after.verdicts}
		p := pairs[ids]
		if p == nil {
			p = newPair(c.verdictsOf(earlier, ids), crawlers)
			pairs[ids] = p
		}
		p.sites++
		r.Closed.add(Moved{site, p.closed.moves, p.closed.byStatus, p.closed.without})
		r.Opened.add(Moved{site, p.opened.moves, p.opened.byStatus, p.opened.without})
		if row != nil && p.differs {
			if err := r.rows(site, crawlers, c.verdictsOf(earlier, ids), row); err != nil {
				return nil, err
			}
		}
	}
	for ids, p := range pairs {
		verdicts := c.verdictsOf(earlier, ids)
		if !isFault(verdicts[0]) && !isFault(verdicts[1]) {
			shared := inBoth(verdicts, crawlers)
			for i, k := range counters {
				k.Known += p.sites
				k.countCrawlers(shared[i], "", sum{sites: p.sites})
			}
		}
		for _, crawler := range crawlers {
			if was, is, ok := crawler.verdicts(verdicts); ok {
				crawler.change.count(was, is, p.sites)
			}
		}
	}
	r.warnOfNames([2]*Crawl{earlier, c})
	return r, nil
}

// counters returns counters for Both.
func (r *Comparison) counters(crawls ...*Crawl) (counters [2]*counter) {
	for i, c := range crawls {
		r.Both[i] = &Summary{Label: c.Label, By: c.census.by, Crawlers: map[string]*CrawlerCount{},
			Purposes: map[string]*PurposeCount{}}
		purposes := func(crawler string) []string {
			if r.Crawlers[crawler] == nil || c.census.Purposes == nil {
				return nil
			}
			return c.census.Purposes(crawler)
		}
		counters[i] = newCounter(r.Both[i], c, CountConfig{Purposes: purposes})
		maps.DeleteFunc(r.Both[i].Crawlers, func(name string, _ *CrawlerCount) bool { return r.Crawlers[name] == nil })
	}
	return counters
}

// isFault reports whether a status closes the site.
func isFault(verdicts []verdict) bool {
	return slices.ContainsFunc(verdicts, func(v verdict) bool { return v.present && v.Treatment == ClosedByStatus })
}

// inBoth returns the verdicts about the crawlers for which both crawls have one, with the others absent.
func inBoth(verdicts [2][]verdict, crawlers []common) (shared [2][]verdict) {
	for i := range shared {
		shared[i] = make([]verdict, len(verdicts[i]))
	}
	for _, crawler := range crawlers {
		if was, is, ok := crawler.verdicts(verdicts); ok {
			shared[0][crawler.at[0]], shared[1][crawler.at[1]] = *was, *is
		}
	}
	return shared
}

// common returns the crawlers in both crawls, and records the crawlers in only one.
func (r *Comparison) common(c, earlier *Crawl) (crawlers []common) {
	for i, name := range c.crawlers {
		if at, ok := earlier.columns[name]; ok {
			r.Crawlers[name] = &Change{}
			crawlers = append(crawlers, common{name, [2]int{at, i}, r.Crawlers[name]})
		} else {
			r.OnlyNew = append(r.OnlyNew, name)
		}
	}
	for _, name := range earlier.crawlers {
		if _, ok := c.columns[name]; !ok {
			r.OnlyOld = append(r.OnlyOld, name)
		}
	}
	return crawlers
}

// rows calls yield for each crawler whose treatment by a site differs.
func (r *Comparison) rows(site string, crawlers []common, verdicts [2][]verdict, yield func(*ChangeRow) error) error {
	for _, crawler := range crawlers {
		was, is, ok := crawler.verdicts(verdicts)
		if !ok {
			continue
		}
		if _, differs, _ := difference(was, is); differs {
			if err := yield(changeRow(r, site, crawler.name, was, is)); err != nil {
				return err
			}
		}
	}
	return nil
}

// pair counts the sites with the same verdicts before and the same verdicts after.
type pair struct {
	sites          int
	differs        bool // a treatment differs
	closed, opened moved
}

// moved are the changes in one direction for sites with the same verdicts.
type moved struct {
	moves    []Move // by file
	byStatus bool   // there are changes by status
	without  bool   // a crawl found no file
}

func (m *moved) add(was, is *verdict, crawler string) {
	if !isByFile(was, is) {
		m.byStatus = true
		return
	}
	m.moves = append(m.moves, Move{crawler, was.reachWords(), is.reachWords()})
	m.without = m.without || was.Treatment == OpenByStatus || is.Treatment == OpenByStatus
}

// isByFile reports whether two verdicts are of rules, not of a fault.
func isByFile(was, is *verdict) bool {
	return was.Treatment != ClosedByStatus && is.Treatment != ClosedByStatus
}

func (c *Crawl) verdictsOf(earlier *Crawl, ids [2]uint32) [2][]verdict {
	return [2][]verdict{verdictsIn(earlier.verdicts.list[ids[0]], c.census.lines),
		verdictsIn(c.verdicts.list[ids[1]], c.census.lines)}
}

func (r *Comparison) missing(c, earlier *Crawl) {
	for site := range c.sites {
		if _, ok := earlier.sites[site]; !ok {
			r.Appeared++
			r.AppearedAs = firstSites(r.AppearedAs, site)
		}
	}
	for site := range earlier.sites {
		if _, ok := c.sites[site]; !ok {
			r.Vanished++
			r.GoneAs = firstSites(r.GoneAs, site)
		}
	}
}

// verdicts returns the verdicts about a crawler; ok is false if there is none in one of the
// crawls, or no line can name it.
func (c *common) verdicts(in [2][]verdict) (was, is *verdict, ok bool) {
	if c.at[0] >= len(in[0]) || c.at[1] >= len(in[1]) {
		return nil, nil, false
	}
	was, is = &in[0][c.at[0]], &in[1][c.at[1]]
	return was, is, was.present && is.present && was.Treatment != Unnamed && is.Treatment != Unnamed
}

func newPair(verdicts [2][]verdict, crawlers []common) *pair {
	p := &pair{}
	for _, crawler := range crawlers {
		was, is, ok := crawler.verdicts(verdicts)
		if !ok {
			continue
		}
		direction, differs, _ := difference(was, is)
		p.differs = p.differs || differs
		switch {
		case direction < 0:
			p.opened.add(was, is, crawler.name)
		case direction > 0:
			p.closed.add(was, is, crawler.name)
		}
	}
	return p
}

func (c *Change) count(was, is *verdict, n int) {
	if direction, _, known := difference(was, is); known {
		c.Known += n
		c.Before.add(was, n)
		c.After.add(is, n)
		switch {
		case direction < 0:
			c.Opened.add(isByFile(was, is), n)
		case direction > 0:
			c.Closed.add(isByFile(was, is), n)
		}
	}
	switch before, after := was.matched == robotstxt.MatchedByName, is.matched == robotstxt.MatchedByName; {
	case was.Treatment == ClosedByStatus || is.Treatment == ClosedByStatus: // a fault shows no names
	case after && !before:
		c.Named += n
		c.fallback[1] = c.fallback[1] || was.matched == robotstxt.MatchedByFallback
	case before && !after:
		c.Unnamed += n
		c.fallback[0] = c.fallback[0] || is.matched == robotstxt.MatchedByFallback
	}
}

func changeRow(r *Comparison, site, crawler string, was, is *verdict) *ChangeRow {
	row := &ChangeRow{Before: r.Before, After: r.After, Site: site, Crawler: crawler, Was: was.inWords(),
		Is: is.inWords(), By: "status"}
	if isByFile(was, is) {
		row.By = "file"
	}
	row.Effect, row.Size = effectOf(was, is)
	row.BeforeLine, row.BeforeRule = was.decided()
	row.AfterLine, row.AfterRule = is.decided()
	return row
}

func (v *verdict) decided() (*int32, *string) {
	if v.line == 0 {
		return nil, nil
	}
	return new(int32(v.line)), &v.rule
}

// firstSites adds a site to a list of the first sites in alphabetical order.
func firstSites(list []string, site string) []string {
	return inserted(list, site, strings.Compare)
}

// add adds a site, unless its file has no changes. Sites with equally many are in alphabetical order.
func (m *MovedSites) add(moved Moved) {
	if len(moved.Moves) == 0 {
		if moved.isByStatus {
			m.ByStatus++
		}
		return
	}
	m.Count++
	if moved.isWithout {
		m.Without++
	}
	m.Most = inserted(m.Most, moved, func(a, b Moved) int {
		return cmp.Or(cmp.Compare(len(b.Moves), len(a.Moves)), cmp.Compare(a.Site, b.Site))
	})
}
