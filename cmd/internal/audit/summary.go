package audit

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
	"github.com/kosterhq/robotstxt/semdiff"
)

// Summary counts the rows of an audit. The comment of each count of files says of which
// files they are, because a share without its denominator misleads.
type Summary struct {
	Files    int // rows of the table of files
	Read     int // of them, those with a file
	ByStatus int // of them, those where the status decides instead of a file
	Problems map[string]int
	Bodies   map[wire.Body]int // of Read
	Statuses map[int]int       // of the files with a status
	Cut      int               // of Read: longer than the limit
	Sizes    [len(SizeLimits) + 1]int
	Signals  map[string]int // of Read: files with lines Content-Signal, Content-Usage, License, Sitemap
	Linted   int            // of Read
	Codes    map[string]int // of Linted: files with findings of a code
	Crawlers map[string]*CrawlerCount
	Months   map[string]*MonthCount // by the month in which files were fetched, such as 2026-11
	Closed   []Ranked               // the files that close most crawlers by name
	Opened   []Ranked               // the files that open the whole site to most crawlers by name
	LongList []Ranked               // the files with the most rules

	Ruled     int // of Read: files that are text or empty and have rows of crawlers
	OpenToAll int // of Ruled: the whole site is open to each crawler of the audit
	ShutToAll int // of Ruled: the whole site is closed to each crawler of the audit
	Purposes  map[string]*PurposeCount
}

// Treatment is how a file treats a crawler. Of several crawlers, the strictest treatment
// counts.
type Treatment uint8

// The treatments, the strictest first.
const (
	ClosedByName Treatment = iota // the site is closed by a group that names the crawler
	ClosedByStar                  // the site is closed by the group for "*"
	PartlyClosed                  // a part is closed
	NotKnown                      // undecided or, without Questions.Exact, not computed
	FullyOpen                     // the whole site is open
	treatments
)

// Treatments are counts of files by treatment.
type Treatments [treatments]int

// Sum returns the number of files.
func (t Treatments) Sum() (sum int) {
	for _, n := range t {
		sum += n
	}
	return sum
}

func treatmentOf(matched robotstxt.MatchedBy, part semdiff.Extent) Treatment {
	switch {
	case part == semdiff.ExtentClosed && matched == robotstxt.MatchedByName:
		return ClosedByName
	case part == semdiff.ExtentClosed:
		return ClosedByStar
	case part == semdiff.ExtentPartly:
		return PartlyClosed
	case part == semdiff.ExtentOpen:
		return FullyOpen
	}
	return NotKnown
}

// PurposeCount counts the files that are text or empty by the strictest treatment of the
// crawlers of a purpose.
type PurposeCount struct {
	Crawlers int // of the audit that have this purpose and that a line can name
	Files    Treatments
	All      int // files that close the site to each of these crawlers

	// Of the current file.
	strictest Treatment
	closed    int
}

// SizeLimits are the upper limits of the classes of Summary.Sizes, in bytes. The last
// class has no limit.
var SizeLimits = [...]int64{0, 100, 1_000, 10_000, 100_000}

// CrawlerCount counts files by how they treat a crawler. It leaves out web pages and
// binary files: crawlers find no rules in them, but the site did not intend that.
type CrawlerCount struct {
	Matched map[robotstxt.MatchedBy]map[semdiff.Extent]int // of the files that are text or empty; Access "" is unknown
	Status  map[semdiff.Extent]int                         // of the files where the status decides
	Delay   int                                            // files with a Crawl-delay for it
	Home    int                                            // files that close the home page, but not the whole site

	purposes   []*PurposeCount
	inPurposes bool // it is counted in them
}

// Treatments returns the counts of the files that are text or empty by treatment.
func (c *CrawlerCount) Treatments() (t Treatments) {
	for matched, parts := range c.Matched {
		for part, n := range parts {
			t[treatmentOf(matched, part)] += n
		}
	}
	return t
}

// Sum returns the number of the files that are text or empty with an extent.
func (c *CrawlerCount) Sum(part semdiff.Extent) (n int) {
	for _, parts := range c.Matched {
		n += parts[part]
	}
	return n
}

// MonthCount counts the files of a month.
type MonthCount struct {
	Read     int
	Ruled    int                    // see Summary
	Closed   map[string]int         // by crawler: files that name it and close the site
	Purposes map[string]*Treatments // of Ruled, see PurposeCount
}

// Ranked is a file in a list of those with the highest counts.
type Ranked struct {
	Host, Record string
	Count        int
}

// rankedFiles is the length of such a list.
const rankedFiles = 20

// Summarize counts the rows of parts. purposes returns the purposes of a crawler by its
// name in the table; nil: none are counted.
func Summarize(parts *Parts, purposes func(crawler string) []string) (*Summary, error) {
	s := &Summary{
		Problems: map[string]int{}, Bodies: map[wire.Body]int{}, Statuses: map[int]int{}, Signals: map[string]int{},
		Codes: map[string]int{}, Crawlers: map[string]*CrawlerCount{}, Months: map[string]*MonthCount{},
		Purposes: map[string]*PurposeCount{},
	}
	if err := parts.Files(func(f *File) error { s.addFile(f); return nil }); err != nil {
		return nil, err
	}
	c := crawlerCounter{Summary: s, purposesOf: purposes}
	err := parts.Crawlers(func(row *Crawler) error { c.add(row); return nil })
	c.flush()
	return s, err
}

func (s *Summary) addFile(f *File) {
	s.Files++
	if f.Status != nil {
		s.Statuses[int(*f.Status)]++
	}
	switch {
	case f.Problem != nil:
		s.Problems[*f.Problem]++
		return
	case f.Body == nil:
		s.ByStatus++
		return
	}
	s.Read++
	s.Bodies[*f.Body]++
	if *f.Cut {
		s.Cut++
	}
	class, _ := slices.BinarySearch(SizeLimits[:], *f.Size)
	s.Sizes[class]++
	for name, has := range map[string]bool{
		"Content-Signal": f.ContentSignal != nil, "Content-Usage": f.ContentUsage != nil, "License": f.License != nil, "Sitemap": *f.Sitemaps > 0,
	} {
		if has {
			s.Signals[name]++
		}
	}
	if f.LintCodes != nil {
		s.Linted++
		for code := range strings.FieldsSeq(*f.LintCodes) {
			s.Codes[code]++
		}
	}
	if f.FetchedAt != nil {
		s.month(*f.FetchedAt).Read++
	}
	rank(&s.LongList, Ranked{f.Host, f.Record, int(*f.Rules)})
}

// rank adds a file to a list of those with the highest counts. Of files with equal
// counts, the earlier one comes first.
func rank(list *[]Ranked, r Ranked) {
	if len(*list) == rankedFiles && r.Count <= (*list)[rankedFiles-1].Count {
		return
	}
	at, _ := slices.BinarySearchFunc(*list, r, func(in, r Ranked) int {
		if in.Count >= r.Count {
			return -1
		}
		return 1
	})
	*list = slices.Insert(*list, at, r)
	if len(*list) > rankedFiles {
		*list = (*list)[:rankedFiles]
	}
}

// Sum returns the sum of the counts of a map.
func Sum[K comparable](counts map[K]int) (sum int) {
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
