package audit

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"strings"
	"sync"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/fetch"
)

// Census keeps the facts about each site that counts need, and chooses the capture to count. A
// crawl is the captures with one label. The memory is about 210 bytes for each origin of a crawl,
// 90 for each further capture, and 200 more for a revisit that names another capture, apart from
// different combinations of verdicts, which sites share. It is safe for concurrent use.
type Census struct {
	by    By
	lines bool

	// Policy determines how many redirects are followed. Set it before the first capture.
	Policy fetch.Policy
	// Purposes returns the purposes of a crawler by its name in the table, for [Comparison.Both]; nil: none.
	Purposes func(crawler string) []string

	// Sites keeps what [Census.WriteSites] needs of each capture, and Names what [Census.WriteNames] needs. Set them
	// before the first capture. Sites requires the deciding lines.
	Sites, Names bool

	// Provenance is written to Parquet tables. Set it before the first one. nil: none.
	Provenance *wire.AuditProvenance

	// Only selects crawlers of tables by their names. Set it before the first table. nil: all.
	Only func(crawler string) bool

	mu     sync.Mutex
	crawls []*Crawl
	others map[string]bool // crawlers that Only excludes
	shards map[shardedTables]*readShards
}

// NewCensus returns an empty census. With lines it keeps the deciding lines too, for
// [Crawl.Compare]. Verdicts then differ between more sites, so it needs up to 20 more bytes for
// each site and crawler.
func NewCensus(by By, lines bool) *Census { return &Census{by: by, lines: lines} }

// Crawls returns the crawls with captures in the order in which their labels were first
// given; if none has any, the first one.
func (c *Census) Crawls() []*Crawl {
	var crawls []*Crawl
	for _, crawl := range c.crawls {
		if crawl.captures != [2]int{} {
			crawls = append(crawls, crawl)
		}
	}
	if len(crawls) == 0 {
		return c.crawls[:min(1, len(c.crawls))]
	}
	return crawls
}

// Crawl returns the crawl with a label, which is empty for captures without one.
func (c *Census) Crawl(label string) *Crawl {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, crawl := range c.crawls {
		if crawl.Label == label {
			return crawl
		}
	}
	crawl := &Crawl{Label: label, census: c, sites: map[string]int32{}, targets: map[string]int32{},
		revisits: map[uint64]refersTo{}, details: map[uint64]detail{}, lost: [2]map[string]int{{}, {}},
		columns: map[string]int{}}
	crawl.facts.id(facts{}) // the facts of an entry about which nothing is known
	crawl.verdicts.id("")
	crawl.locations.id("")
	c.crawls = append(c.crawls, crawl)
	return crawl
}

// Begin returns the crawl with a label, with the crawlers of questions in their order.
func (c *Census) Begin(label string, q Questions) *Crawl {
	crawl := c.Crawl(label)
	c.mu.Lock()
	defer c.mu.Unlock()
	crawl.sources.decidedBy(q.Policy.String())
	a := newAnalyst(q, false, false)
	for i, crawler := range a.readers {
		crawl.read(crawl.column(crawler.Name), readingIn(a.names[i].dialect, a.names[i].other))
	}
	return crawl
}

// Crawl is the captures with a label.
type Crawl struct {
	Label string

	census    *Census
	captures  [2]int            // in tables of crawlers and of files
	lost      [2]map[string]int // captures without a host, by problem
	sites     map[string]int32  // the newest capture of a site's first origin
	targets   map[string]int32  // the newest capture of each other URL, which redirects can lead to
	entries   chunks
	unused    []int32 // of entries
	facts     interned[facts]
	verdicts  interned[string]    // see appendVerdict
	locations interned[string]    // the targets of redirects, the first one is empty
	revisits  map[uint64]refersTo // of revisits that name another capture, by place
	originals *originals          // nil before they are searched
	details   map[uint64]detail   // by place
	inputs    interned[string]
	names     interned[string] // see analyst.agentNames
	crawlers  []string
	readings  []string       // of crawlers, in words
	columns   map[string]int // indices in crawlers
	sources   sources
}

// entry is a capture of a URL: of the robots.txt of an origin, or of a target of redirects.
type entry struct {
	origin   string // empty for a target
	at       Millis
	number   int64  // see Position; it decides if at and group are equal
	place    uint64 // see placeOf
	digest   uint64 // see digestOf
	facts    uint32
	verdicts uint32
	rules    int32
	group    int32  // the place of the input or table among all inputs; it decides if at is equal
	location uint32 // the target of its redirect
	next     int32  // the newest capture of the next origin of the site, -1 at the end
	older    int32  // the next older capture of the URL, -1 at the end
}

// maxCaptures is the number of captures of a URL that a crawl keeps: the newest ones.
const maxCaptures = 64

type capture struct {
	host, url, redirect string
	at                  Millis
	group               int32
	number              int64
	place               uint64
	digest              uint64
	refersTo            refersTo
	facts               facts
	verdicts            []byte // nil if the table has none
	rules               int32

	// For the tables of sites and names.
	input, record, fileDigest string
	size                      int64   // -1 if it is unknown
	names                     *string // nil if they are unknown
}

// Position returns a number that orders captures without a time: by the place of the input
// among all inputs, then by their number in it.
func Position(capture, input int) int64 { return int64(input)<<40 | int64(capture) }

// order compares captures: a positive result means that x is newer.
func (e *entry) order(at Millis, group int32, number int64) int {
	return cmp.Or(cmp.Compare(e.at, at), cmp.Compare(e.group, group), cmp.Compare(e.number, number))
}

// column returns the index of a crawler in the verdicts of a crawl.
func (c *Crawl) column(crawler string) int {
	at, ok := c.columns[crawler]
	if !ok {
		at = len(c.crawlers)
		c.columns[crawler] = at
		c.crawlers = append(c.crawlers, crawler)
		c.readings = append(c.readings, "")
	}
	return at
}

func (c *Crawl) read(column int, reading string) {
	switch have := c.readings[column]; {
	case have == reading || reading == "":
	case have == "":
		c.readings[column] = reading
	case !strings.Contains("; "+have+"; ", "; "+reading+"; "):
		c.readings[column] = have + "; " + reading
	}
}

// add adds captures of an input, in their order.
func (c *Crawl) add(captures []capture) {
	c.census.mu.Lock()
	defer c.census.mu.Unlock()
	for i := range captures {
		c.addOne(&captures[i])
	}
}

func (c *Crawl) addOne(in *capture) {
	table := 0
	if in.facts.detailed {
		table = 1
	}
	c.captures[table]++
	if in.host == "" {
		c.lost[table][in.facts.problem]++
		return
	}
	by := c.census.by
	if target := targetOf(in.url); target != "" {
		if by == ByCapture {
			return
		}
		head, ok := c.targets[target]
		if !ok {
			c.targets[target] = c.entry("", in)
			return
		}
		c.put(head, in)
		return
	}
	from := originOf(strings.ToLower(in.host), in.url)
	site := by.key(from)
	if by == ByCapture {
		_, host, _ := strings.Cut(from, "://")
		site = fmt.Sprintf("%s %x", host, in.place)
	}
	first, ok := c.sites[site]
	if !ok {
		c.sites[site] = c.entry(from, in)
		return
	}
	for at := first; ; {
		e := c.entries.at(at)
		switch {
		case e.origin == from:
			c.put(at, in)
			return
		case e.next < 0:
			e.next = c.entry(from, in)
			return
		}
		at = e.next
	}
}

func (c *Crawl) entry(from string, in *capture) int32 {
	e := entry{origin: from, next: -1, older: -1}
	c.fill(&e, in)
	if n := len(c.unused); n > 0 {
		at := c.unused[n-1]
		c.unused = c.unused[:n-1]
		*c.entries.at(at) = e
		return at
	}
	return c.entries.append(e)
}

// put adds a capture to a URL's captures. head is the newest, and stays the newest. A second
// row of the same capture, in the other table, adds its facts.
func (c *Crawl) put(head int32, in *capture) {
	first := c.entries.at(head)
	for at := head; at >= 0; at = c.entries.at(at).older {
		if e := c.entries.at(at); e.place == in.place {
			c.fill(e, in)
			return
		}
	}
	if first.order(in.at, in.group, in.number) < 0 {
		was := c.entry("", in)
		old := c.entries.at(was)
		*old, first.older = *first, was
		first.facts, first.verdicts = 0, 0
		c.fill(first, in)
	} else {
		for e := first; ; e = c.entries.at(e.older) {
			if e.older < 0 || c.entries.at(e.older).order(in.at, in.group, in.number) < 0 {
				added := c.entry("", in)
				c.entries.at(added).older, e.older = e.older, added
				break
			}
		}
	}
	c.trim(head)
}

// trim removes a capture of a URL that has too many: the oldest revisit, because the file of a revisit is that of
// another capture, else the oldest one. The newest stays.
func (c *Crawl) trim(head int32) {
	n := 1
	before := head // the capture before the removed one
	isRevisit := false
	for at := head; c.entries.at(at).older >= 0; at = c.entries.at(at).older {
		n++
		if next := c.entries.at(c.entries.at(at).older); c.isRevisit(next) || !isRevisit {
			before = at
			isRevisit = c.isRevisit(next)
		}
	}
	if n <= maxCaptures {
		return
	}
	e := c.entries.at(before)
	removed := e.older
	e.older = c.entries.at(removed).older
	delete(c.revisits, c.entries.at(removed).place)
	delete(c.details, c.entries.at(removed).place)
	c.unused = append(c.unused, removed)
}

func (c *Crawl) fill(e *entry, in *capture) {
	e.at = in.at
	e.group = in.group
	e.number = in.number
	e.place = in.place
	e.digest = in.digest
	e.location = c.locations.id(in.redirect)
	if in.refersTo != (refersTo{}) {
		c.revisits[in.place] = in.refersTo
	}
	c.originals = nil
	c.keep(in)
	if in.facts.detailed || !c.facts.list[e.facts].detailed {
		e.facts = c.facts.id(in.facts)
		e.rules = in.rules
	}
	if in.verdicts != nil {
		e.verdicts = idOf(&c.verdicts, in.verdicts)
	}
}

// chunks is a list that grows without a copy.
type chunks [][]entry

const chunkEntries = 4096

func (c *chunks) append(e entry) int32 {
	if n := len(*c); n == 0 || len((*c)[n-1]) == chunkEntries {
		*c = append(*c, make([]entry, 0, chunkEntries))
	}
	last := len(*c) - 1
	(*c)[last] = append((*c)[last], e)
	return int32(last*chunkEntries + len((*c)[last]) - 1)
}

func (c chunks) at(i int32) *entry { return &c[i/chunkEntries][i%chunkEntries] }

// interned gives equal values one number.
type interned[T comparable] struct {
	list []T
	ids  map[T]uint32
}

func (in *interned[T]) id(value T) uint32 {
	if id, ok := in.ids[value]; ok {
		return id
	}
	if in.ids == nil {
		in.ids = map[T]uint32{}
	}
	id := uint32(len(in.list))
	in.list = append(in.list, value)
	in.ids[value] = id
	return id
}

func idOf(in *interned[string], text []byte) uint32 {
	if id, ok := in.ids[string(text)]; ok {
		return id
	}
	return in.id(string(text))
}

// places hashes the places of captures.
var places = maphash.MakeSeed()

// placeOf returns a hash of the place of a row. Records in one gzip member have one offset.
func placeOf(f *File) uint64 {
	var hash maphash.Hash
	hash.SetSeed(places)
	for _, text := range []string{f.Input, f.Record, f.Host, valueOf(f.URL)} {
		hash.WriteString(text)
		hash.WriteByte(0)
	}
	maphash.WriteComparable(&hash, valueOf(f.FetchedAt))
	maphash.WriteComparable(&hash, valueOf(f.Position))
	return hash.Sum64()
}
