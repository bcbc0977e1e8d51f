package visits

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
	"github.com/kosterhq/robotstxt/visitor"
)

// Millis is a time in tables.
type Millis = audit.Millis

// The limits of parts of the result that strangers can fill.
const (
	maxProofs  = 1000
	maxMethod  = 20
	maxExample = 300
)

type counts struct {
	visits, bytes, fetches  int64
	statuses                map[int]int64
	sites, disobeyed        map[string]int64 // all visits, and those that disobeyed
	identity                map[visitor.State]int64
	claimed                 map[visitor.Reason]int64
	results                 map[Result]int64
	exempt, withheld, open  map[Why]int64
	rules                   map[ruleKey]*wire.VisitRule
	days                    map[int64]*wire.VisitGroup
	groups                  map[string]*wire.VisitGroup
	first, last, lastRobots int64
}

type ruleKey struct {
	sha  string
	line int
}

func newCounts() counts {
	return counts{
		statuses: map[int]int64{}, sites: map[string]int64{}, disobeyed: map[string]int64{},
		identity: map[visitor.State]int64{},
		claimed:  map[visitor.Reason]int64{},
		results:  map[Result]int64{}, exempt: map[Why]int64{},
		withheld: map[Why]int64{}, open: map[Why]int64{}, days: map[int64]*wire.VisitGroup{},
		groups: map[string]*wire.VisitGroup{}, rules: map[ruleKey]*wire.VisitRule{},
	}
}

func (r *run) count(v *visit, c *crawler, id visitor.Identity, j judgement) {
	c.visits++
	if c.visits == 1 {
		c.first, c.last = v.begin, v.begin
	}
	c.first, c.last = min(c.first, v.begin), max(c.last, v.begin)
	c.bytes += v.bytes
	c.statuses[v.status]++
	c.sites[r.origins[v.origin].shown]++
	c.identity[id.State]++
	if id.State == visitor.Claimed {
		c.claimed[id.Reason]++
	}
	if isRobots(v.target) {
		c.fetches++
		c.lastRobots = max(c.lastRobots, v.begin)
	}
	if j.result != NotAsked {
		c.results[j.result]++
	}
	switch j.result {
	case Exempt:
		c.exempt[j.why]++
	case NoPromise, Unproved, OldCopy, NotJudged:
		c.withheld[j.why]++
	}
	if j.isOpen {
		c.open[j.why]++
		r.withhold(j)
	}
	c.countGroup(v, r.groupOf(v), j)
	day := dayOf(v.begin)
	d := r.days[day]
	if d == nil {
		d = &wire.VisitDay{Day: instant(day).Format(time.DateOnly), Visits: map[string]int64{},
			Disallowed: map[string]int64{}}
		r.days[day] = d
	}
	purpose := string(c.Purposes[0])
	d.Visits[purpose]++
	if r.isPending(v, c, id) {
		d.Pending++
	}
	if j.file != nil {
		d.Disallowed[purpose]++
		c.countRule(v, j)
	}
	if j.result == Disobeyed {
		c.disobeyed[r.origins[v.origin].shown]++
		r.result.Proofs = append(r.result.Proofs, r.proof(v, c, id, j))
		if len(r.result.Proofs) >= 2*maxProofs {
			r.cutProofs()
		}
	}
}

func (r *run) proof(v *visit, c *crawler, id visitor.Identity, j judgement) wire.VisitProof {
	return wire.VisitProof{
		Log: r.logs[v.log].name, Line: v.line, Time: instant(v.begin), Site: r.origins[v.origin].name(),
		Crawler: c.Token, Method: clipped(v.method, maxMethod),
		Target: clipped(shown(v.target), maxExample), By: string(id.By), List: id.List, Date: id.Date,
		Versions: j.versions,
		Keep:     r.keepOf(v).Hours(), Cache: j.cache.Hours(),
	}
}

// withhold counts a visit that might have disobeyed.
func (r *run) withhold(j judgement) {
	w := r.withheld[j.why]
	if w == nil {
		w = &wire.VisitWithheld{Why: string(j.why)}
		r.withheld[j.why] = w
	}
	w.Visits++
	if j.why == LogsGap {
		r.gaps[j.gap] = true
	}
	if j.witness == nil {
		return
	}
	log := r.logs[j.witness.log].name
	if w.Log == "" || cmp.Or(strings.Compare(log, w.Log), cmp.Compare(j.witness.line, w.Line)) < 0 {
		w.Log, w.Line = log, j.witness.line
	}
}

func (c *crawler) countRule(v *visit, j judgement) {
	key := ruleKey{j.file.sha, j.line}
	rule := c.rules[key]
	if rule == nil {
		rule = &wire.VisitRule{SHA256: key.sha, Line: key.line, Rule: j.file.text(key.line),
			Group: j.file.of(v.crawler, c).own.Agent()}
		c.rules[key] = rule
	}
	rule.Visits++
	// The least one is kept, because it does not depend on the order of logs.
	if target := clipped(shown(v.target), maxExample); rule.Example == "" || target < rule.Example {
		rule.Example = target
	}
}

// isPending reports whether a visit is from an address in no list, while lists that would
// contradict it can still be fetched.
func (r *run) isPending(v *visit, c *crawler, id visitor.Identity) bool {
	return id.Reason == visitor.FewLists && slices.ContainsFunc(c.IPRanges, func(url string) bool {
		last, known := r.listDates[url]
		return known && last.Before(instant(v.end).Add(24*time.Hour))
	})
}

const dayMillis = int64(24 * time.Hour / time.Millisecond)

// dayOf returns the beginning of the day of a time.
func dayOf(t int64) int64 { return t - mod(t, dayMillis) }

func mod(n, by int64) int64 { return ((n % by) + by) % by }

func clipped(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// cutProofs keeps the earliest proofs.
func (r *run) cutProofs() {
	slices.SortFunc(r.result.Proofs, func(a, b wire.VisitProof) int {
		return cmp.Or(a.Time.Compare(b.Time), strings.Compare(a.Crawler, b.Crawler),
			strings.Compare(a.Target, b.Target), strings.Compare(a.Log, b.Log), cmp.Compare(a.Line, b.Line))
	})
	r.result.Proofs = r.result.Proofs[:min(len(r.result.Proofs), maxProofs)]
}

func (r *run) finish() {
	r.cutProofs()
	if r.from <= r.to {
		r.result.From, r.result.To = new(instant(r.from)), new(instant(r.to))
	}
	for _, url := range slices.Sorted(maps.Keys(r.listDates)) {
		r.result.Lists = append(r.result.Lists, wire.VisitList{URL: url, Date: r.listDates[url]})
	}
	for _, c := range r.crawlers {
		if c.visits > 0 {
			r.result.Crawlers = append(r.result.Crawlers, c.wire(r.By))
		}
	}
	slices.SortFunc(r.result.Crawlers, func(a, b wire.VisitCrawler) int {
		// Any client can send a name a million times, so unverified visits do not affect the order.
		return cmp.Or(cmp.Compare(b.Identity["verified"], a.Identity["verified"]), strings.Compare(a.Crawler, b.Crawler))
	})
	for _, why := range withheldReasons {
		if w := r.withheld[Why(why)]; w != nil {
			r.result.Withheld = append(r.result.Withheld, *w)
		}
	}
	if r.logsFrom != math.MaxInt64 {
		r.result.LogsFrom = new(instant(r.logsFrom))
	}
	for _, gap := range slices.SortedFunc(maps.Keys(r.gaps), period.compare) {
		r.result.LogGaps = append(r.result.LogGaps, wire.VisitGap{From: instant(gap.from), To: instant(gap.to)})
	}
	r.result.ListGaps = append(r.result.ListGaps, r.listGaps()...)
	r.markChanges()
	for _, day := range slices.Sorted(maps.Keys(r.days)) {
		r.result.Days = append(r.result.Days, *r.days[day])
	}
	slices.Sort(r.result.Duplicates)
}

// listGaps returns the days with visits on which a list of a crawler that came was not read.
func (r *run) listGaps() (gaps []string) {
	var urls []string
	for _, c := range r.crawlers {
		for _, url := range c.IPRanges {
			if _, known := r.listDates[url]; known && c.visits > 0 {
				urls = append(urls, url)
			}
		}
	}
	slices.Sort(urls)
	urls = slices.Compact(urls)
	read := map[int64]int{} // how many of the lists were read, by day
	for _, url := range urls {
		last := int64(math.MinInt64)
		for _, date := range r.Lists.Readings(url) {
			if day := dayOf(date.UnixMilli()); day != last {
				last = day
				read[day]++
			}
		}
	}
	for _, day := range slices.Sorted(maps.Keys(r.days)) {
		if read[day] < len(urls) {
			gaps = append(gaps, instant(day).Format(time.DateOnly))
		}
	}
	return gaps
}

// markChanges marks the days on which another file was served for the first time.
func (r *run) markChanges() {
	for _, timeline := range r.timelines {
		for _, at := range timeline.Changes() {
			if d := r.days[dayOf(at.UnixMilli())]; d != nil {
				d.Changed = true
			}
		}
	}
}

func (c *crawler) wire(by By) wire.VisitCrawler {
	w := wire.VisitCrawler{
		Crawler: c.Token, Operator: c.Operator, Purposes: []string{}, Visits: c.visits, Bytes: c.bytes,
		RobotsFetches: c.fetches,
		Statuses:      map[string]int64{}, Sites: c.sites, Disobeyed: c.disobeyed,
		Identity: named(c.identity), Claimed: named(c.claimed),
		Results: named(c.results), Exempt: named(c.exempt), Withheld: named(c.withheld), NotProved: named(c.open),
		Rules: []wire.VisitRule{}, Days: c.sortedDays(), Groups: c.sortedGroups(by),
		First: instant(c.first), Last: instant(c.last),
	}
	for _, purpose := range c.Purposes {
		w.Purposes = append(w.Purposes, string(purpose))
	}
	for status, n := range c.statuses {
		w.Statuses[strconv.Itoa(status)] = n
	}
	if c.fetches > 0 {
		w.LastRobots = new(instant(c.lastRobots))
	}
	for _, rule := range c.rules {
		w.Rules = append(w.Rules, *rule)
	}
	slices.SortFunc(w.Rules, func(a, b wire.VisitRule) int {
		return cmp.Or(cmp.Compare(b.Visits, a.Visits), cmp.Compare(a.Line, b.Line), strings.Compare(a.SHA256, b.SHA256))
	})
	return w
}

func named[Name ~string](counts map[Name]int64) map[string]int64 {
	all := map[string]int64{}
	for name, n := range counts {
		all[string(name)] = n
	}
	return all
}
