package audit

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/semdiff"
)

// Summary counts the sites of a crawl. The comment of each count names its denominator, because
// a share without its denominator misleads.
type Summary struct {
	Label    string
	By       By
	Schemes  bool           // a host has several origins, such as https and http
	Policy   string         // decided what a status without a file means; "" if tables do not say it, or have several
	Captures int            // rows of the crawl
	Lost     map[string]int // of Captures: the captures of unknown sites, by problem
	Sites    int

	// Known are of Sites: their rules are known, by a file that is text or empty, or by a status
	Known          int
	OpenByStatus   int                    // of Known
	ClosedByStatus int                    // of Known
	Missing        map[int]int            // of OpenByStatus: by status; 0: it is not known
	Faults         map[int]int            // of ClosedByStatus, likewise
	Bodies         map[robotstxt.Body]int // of Sites: those with a file
	Problems       map[string]int         // of Sites: other sites that are not Known
	Statuses       map[int]int            // of Sites: those with a status

	Read     int // of Sites: those with a file whose row is in the table of files
	Cut      int // of Read: longer than the limit
	Sizes    [len(SizeLimits) + 1]int
	Signals  map[string]int // of Read: files with the lines in Signals
	Linted   int            // of Read
	Codes    map[string]int // of Linted: files with findings of a code
	LongList []Ranked       // the sites with the most rules

	Crawlers map[string]*CrawlerCount
	Purposes map[string]*PurposeCount
	// of Known, see PurposeCount: by the month of the capture, such as 2026-11, and purpose
	Months map[string]map[string]*Treatments
	Closed []Ranked // the sites that close most crawlers by name
	Opened []Ranked // the sites that open the whole site to most crawlers by name
	Strata []Stratum

	Unweighted int // of Sites: sites without a weight; 0 without weights
}

// Stratum counts the known sites of a stratum.
type Stratum struct {
	Name     string
	Known    int
	Crawlers map[string]*Tally
}

// Tally counts sites by how they treat a crawler.
type Tally struct {
	Treatments
	PartlyByName int // of those of which a part is closed: a group names the crawler
	OpenByName   int // of those that are open: a group names the crawler
}

// add adds n sites.
func (t *Tally) add(v *verdict, n int) {
	t.Treatments[v.Treatment] += n
	if v.isByName(semdiff.ExtentPartly) {
		t.PartlyByName += n
	}
	if v.isByName(semdiff.ExtentOpen) {
		t.OpenByName += n
	}
}

// PurposeCount counts the known sites by the strictest treatment of the crawlers of a
// purpose.
type PurposeCount struct {
	Crawlers int // of the audit that have this purpose and that a line can name
	Sites    Treatments
	All      int // sites that their file closes to each of these crawlers
	// Possibly are other sites of which it is not known: by one of two readings their file closes the site to such a
	// crawler, or it is undecided.
	Possibly int
}

// SizeLimits are the upper limits of the classes of Summary.Sizes, in bytes. The last
// class has no limit.
var SizeLimits = [...]int64{0, 100, 1_000, 10_000, 100_000}

func sizeClass(size int64) int {
	class, _ := slices.BinarySearch(SizeLimits[:], size)
	return class
}

// CrawlerCount counts the known sites by how they treat a crawler. It excludes web pages and
// binary files: crawlers find no rules in them, but the site did not intend that.
type CrawlerCount struct {
	Reading string // how the crawler reads files; empty if no line can name it
	Tally
	Matched    map[robotstxt.MatchedBy]int // the sites with a file
	HomeClosed int                         // the home page is closed
	Delay      int                         // a Crawl-delay applies
	Weight     *Weight                     // nil without weights
}

// Weight is the weight of the sites with rules, see Treatments.WithRules, of those that close the whole site by their
// file, and of those that close a part of it by name.
type Weight struct{ WithRules, ClosedByFile, PartlyByName float64 }

func (w *Weight) add(v *verdict, weight float64) {
	if v.Treatment != ClosedByStatus {
		w.WithRules += weight
	}
	if v.Treatment.isClosedByFile() {
		w.ClosedByFile += weight
	}
	if v.isByName(semdiff.ExtentPartly) {
		w.PartlyByName += weight
	}
}

// CanBeNamed reports whether a line can name the crawler. Otherwise nothing is known about it.
func (c *CrawlerCount) CanBeNamed() bool { return c.Sum() > c.Treatments[Unnamed] || c.Sum() == 0 }

// Ranked is a site in a list of those with the highest counts.
type Ranked struct {
	Site  string
	Count int
}

// listed bounds the lists of sites in a Summary and in a Comparison.
const listed = 20

// inserted returns a sorted list with an additional item, cut to the first ones.
func inserted[T any](list []T, item T, order func(a, b T) int) []T {
	at, _ := slices.BinarySearchFunc(list, item, order)
	if at == listed {
		return list
	}
	list = slices.Insert(list, at, item)
	return list[:min(len(list), listed)]
}

// CountConfig selects the additional counts.
type CountConfig struct {
	Purposes func(crawler string) []string // of a crawler by its name in the table; nil: none
	Strata   *Strata                       // nil: there are none
	Weights  *Weights                      // nil: there are none
}

// profile is the combination of facts that sites can share.
type profile struct {
	facts, verdicts uint32
	stratum         int // -1 without one
}

// Count counts the sites of a crawl.
func (c *Crawl) Count(config CountConfig) *Summary {
	table := 1
	if c.captures[0] > c.captures[1] {
		table = 0
	}
	s := &Summary{
		Label: c.Label, By: c.census.by, Captures: c.captures[table], Lost: c.lost[table],
		Policy: c.sources.policy(), Problems: map[string]int{}, Missing: map[int]int{}, Faults: map[int]int{},
		Bodies: map[robotstxt.Body]int{}, Statuses: map[int]int{},
		Signals: map[string]int{}, Codes: map[string]int{},
		Crawlers: map[string]*CrawlerCount{}, Purposes: map[string]*PurposeCount{},
		Months: map[string]map[string]*Treatments{},
	}
	k := newCounter(s, c, config)
	if config.Strata != nil {
		for _, name := range config.Strata.Names {
			s.Strata = append(s.Strata, Stratum{name, 0, map[string]*Tally{}})
		}
	}
	var profiles sums[profile]
	sites := maps.Keys(c.sites)
	if config.Weights != nil {
		sites = slices.Values(slices.Sorted(sites)) // a sum of weights depends on the order
	}
	for site := range sites {
		s.Schemes = s.Schemes || s.By == ByHost && c.entries.at(c.sites[site]).next >= 0
		o, _ := c.of(site)
		p := profile{o.facts, o.verdicts, -1}
		if config.Strata != nil {
			p.stratum = config.Strata.Of(site)
		}
		weight := config.Weights.of(site)
		profiles.add(p, weight)
		if config.Weights != nil && weight == nil {
			s.Unweighted++
		}
		k.rank(site, o)
	}
	k.namedIn(0)
	for p, of := range profiles.all() {
		k.count(p, of)
	}
	return s
}

type counter struct {
	*Summary
	crawl    *Crawl
	purposes [][]string // of each crawler
	verdicts [][]verdict
	named    [][2]int // of the verdicts: crawlers closed and opened by name
}

func newCounter(s *Summary, c *Crawl, config CountConfig) *counter {
	k := &counter{Summary: s, crawl: c}
	for i, name := range c.crawlers {
		s.Crawlers[name] = &CrawlerCount{Reading: c.readings[i], Matched: map[robotstxt.MatchedBy]int{}}
		if config.Weights != nil {
			s.Crawlers[name].Weight = &Weight{}
		}
		var purposes []string
		if config.Purposes != nil {
			purposes = config.Purposes(name)
		}
		k.purposes = append(k.purposes, purposes)
		for _, purpose := range purposes {
			if s.Purposes[purpose] == nil {
				s.Purposes[purpose] = &PurposeCount{}
			}
			if c.readings[i] != "" {
				s.Purposes[purpose].Crawlers++
			}
		}
	}
	return k
}

// namedIn returns how many crawlers verdicts close and open by name. Following redirects can add
// verdicts, so namedIn reads the new ones first.
func (k *counter) namedIn(verdicts uint32) [2]int {
	for _, text := range k.crawl.verdicts.list[len(k.verdicts):] {
		read := verdictsIn(text, k.crawl.census.lines)
		var named [2]int
		for _, v := range read {
			switch {
			case v.Treatment == ClosedByName:
				named[0]++
			case v.isByName(semdiff.ExtentOpen):
				named[1]++
			}
		}
		k.verdicts = append(k.verdicts, read)
		k.named = append(k.named, named)
	}
	return k.named[verdicts]
}

// rank adds a site to the lists.
func (k *counter) rank(site string, o outcome) {
	name, _, _ := strings.Cut(site, " ") // without the place of a capture
	rank(&k.LongList, Ranked{name, int(o.rules)})
	if k.crawl.facts.list[o.facts].known() {
		rank(&k.Closed, Ranked{name, k.namedIn(o.verdicts)[0]})
		rank(&k.Opened, Ranked{name, k.namedIn(o.verdicts)[1]})
	}
}

// rank adds a site to a list of those with the highest counts, sites with equal counts in
// alphabetical order.
func rank(list *[]Ranked, r Ranked) {
	if r.Count > 0 {
		*list = inserted(*list, r, func(a, b Ranked) int {
			return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Site, b.Site))
		})
	}
}

func (k *counter) count(p profile, of sum) {
	f := &k.crawl.facts.list[p.facts]
	n := of.sites
	k.Sites += n
	if f.status != 0 {
		k.Statuses[int(f.status)] += n
	}
	switch {
	case f.body != "":
		k.Bodies[f.body] += n
		if f.detailed {
			k.countFile(f, n)
		}
	case f.outcome == wire.OutcomeAllowAll:
		k.OpenByStatus += n
		k.Missing[int(f.status)] += n
	case f.outcome == wire.OutcomeDisallowAll:
		k.ClosedByStatus += n
		k.Faults[int(f.status)] += n
	default:
		k.Problems[f.problem] += n
	}
	if f.known() {
		k.Known += n
		k.countCrawlers(k.verdicts[p.verdicts], f.month, of)
		k.countStratum(p, n)
	}
}

func (k *counter) countFile(f *facts, n int) {
	k.Read += n
	k.Sizes[f.size] += n
	if f.cut {
		k.Cut += n
	}
	for i, has := range f.signals {
		if has {
			k.Signals[Signals[i]] += n
		}
	}
	if f.linted {
		k.Linted += n
		for code := range strings.FieldsSeq(f.codes) {
			k.Codes[code] += n
		}
	}
}

// countCrawlers counts n known sites with the same verdicts.
func (k *counter) countCrawlers(verdicts []verdict, month string, of sum) {
	n := of.sites
	strictest := map[string]Treatment{}
	closed := map[string]int{}
	possibly := map[string]bool{}
	for i, v := range verdicts {
		if !v.present {
			continue
		}
		c := k.Crawlers[k.crawl.crawlers[i]]
		c.add(&v, n)
		if c.Weight != nil {
			c.Weight.add(&v, of.weight)
		}
		if v.Treatment == Unnamed {
			continue
		}
		if v.matched != "" {
			c.Matched[v.matched] += n
		}
		if v.homeClosed {
			c.HomeClosed += n
		}
		if v.delay {
			c.Delay += n
		}
		for _, purpose := range k.purposes[i] {
			if have, ok := strictest[purpose]; !ok || v.Treatment < have {
				strictest[purpose] = v.Treatment
			}
			if v.Treatment.isClosedByFile() {
				closed[purpose]++
			}
			possibly[purpose] = possibly[purpose] || v.isPossiblyClosed()
		}
	}
	for purpose, treatment := range strictest {
		count := k.Purposes[purpose]
		count.Sites[treatment] += n
		if closed[purpose] == count.Crawlers {
			count.All += n
		}
		if closed[purpose] == 0 && possibly[purpose] {
			count.Possibly += n
		}
		if month != "" {
			k.countMonth(month, purpose, treatment, n)
		}
	}
}

// countMonth counts n sites in a month by their strictest treatment of a purpose's crawlers.
func (k *counter) countMonth(month, purpose string, treatment Treatment, n int) {
	if k.Months[month] == nil {
		k.Months[month] = map[string]*Treatments{}
	}
	if k.Months[month][purpose] == nil {
		k.Months[month][purpose] = new(Treatments)
	}
	k.Months[month][purpose][treatment] += n
}

func (k *counter) countStratum(p profile, n int) {
	if p.stratum < 0 {
		return
	}
	s := &k.Strata[p.stratum]
	s.Known += n
	for i, v := range k.verdicts[p.verdicts] {
		if v.present {
			name := k.crawl.crawlers[i]
			if s.Crawlers[name] == nil {
				s.Crawlers[name] = &Tally{}
			}
			s.Crawlers[name].add(&v, n)
		}
	}
}

// Sum returns the sum of the counts of a map.
func Sum[K comparable, N int | int64](counts map[K]N) (sum N) {
	for _, n := range counts {
		sum += n
	}
	return sum
}

// MostFirst returns the keys of counts, the highest count first.
func MostFirst[K cmp.Ordered](counts map[K]int) []K {
	keys := slices.Sorted(maps.Keys(counts))
	slices.SortStableFunc(keys, func(a, b K) int { return cmp.Compare(counts[b], counts[a]) })
	return keys
}

// Interval returns the 95% confidence interval of a share, by Wilson's score: k of n sites
// drawn at random have the property. It is 0 to 1 for no sites.
func Interval(k, n int) (low, high float64) {
	if n == 0 {
		return 0, 1
	}
	const z = 1.959964
	share := float64(k) / float64(n)
	size := float64(n)
	middle := share + z*z/(2*size)
	spread := z * math.Sqrt(share*(1-share)/size+z*z/(4*size*size))
	return max(0, (middle-spread)/(1+z*z/size)), min(1, (middle+spread)/(1+z*z/size))
}
