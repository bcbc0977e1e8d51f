package audit

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"iter"
	"strings"
	"sync"
)

// Census keeps of each site what counts need, and chooses the capture that counts. A crawl
// is the captures with one label. The memory is some 130 bytes for each origin of a crawl,
// besides different combinations of verdicts, which sites share. It is safe for concurrent
// use.
type Census struct {
	by    By
	lines bool

	mu     sync.Mutex
	crawls []*Crawl
	shards map[shardedTables][]int // the indices of those that were read
}

// NewCensus returns an empty census. With lines it keeps the deciding lines too, for
// [Census.WriteChanges]: verdicts then differ between more sites, so that it needs up to 20
// bytes more for each site and crawler.
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
	crawl := &Crawl{Label: label, census: c, sites: map[string]int32{}, lost: [2]map[string]int{{}, {}}, columns: map[string]int{}}
	crawl.facts.id(facts{}) // those of an entry whose facts are not known
	crawl.verdicts.id("")
	c.crawls = append(c.crawls, crawl)
	return crawl
}

// Crawl is the captures with a label.
type Crawl struct {
	Label string

	census   *Census
	captures [2]int            // in tables of crawlers and of files
	lost     [2]map[string]int // of captures, those without a host, by problem
	sites    map[string]int32
	entries  chunks
	facts    interned[facts]
	verdicts interned[string] // see appendVerdict
	crawlers []string
	readings []string       // of crawlers, in words
	columns  map[string]int // indices in crawlers
}

// entry is the latest capture of an origin.
type entry struct {
	origin   string
	at       Millis
	number   int64  // see numberOf; it decides if at is equal
	place    uint64 // hash of the input, the record and the time
	facts    uint32
	verdicts uint32
	rules    int32
	next     int32 // the next origin of the site, -1 at the end
}

// capture is a capture for a census.
type capture struct {
	host, url, redirect string
	at                  Millis
	number              int64
	place               uint64
	facts               facts
	verdicts            []byte // nil if the table has none
	rules               int32
}

// numberOf orders captures without a time: by the place of the input among all inputs, then
// by their number in it.
func numberOf(capture, input int) int64 { return int64(input)<<40 | int64(capture) }

// column returns the index of a crawler in the verdicts of a crawl.
func (c *Crawl) column(crawler string) int {
	at, ok := c.columns[crawler]
	if !ok {
		at = len(c.crawlers)
		c.columns[crawler] = at
		c.crawlers, c.readings = append(c.crawlers, crawler), append(c.readings, "")
	}
	return at
}

// read notes how a crawler reads files.
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
	from := originOf(strings.ToLower(in.host), in.url)
	_, host, _ := strings.Cut(from, "://")
	site := by.key(from, host)
	if by == ByCapture {
		site = fmt.Sprintf("%s %x", host, in.place)
	}
	in.facts.moved = in.redirect != "" && by.isWithin(site, from, in.redirect)
	first, ok := c.sites[site]
	if !ok {
		c.sites[site] = c.entries.append(entry{origin: from, next: -1})
		c.fill(c.entries.at(c.sites[site]), in)
		return
	}
	for at := first; ; {
		e := c.entries.at(at)
		switch {
		case e.origin == from:
			c.replace(e, in)
			return
		case e.next < 0:
			e.next = c.entries.append(entry{origin: from, next: -1})
			c.fill(c.entries.at(e.next), in)
			return
		}
		at = e.next
	}
}

// replace makes a capture that of its origin if it is later. A revisit says that the file
// is as before, and replaces no other capture. Another row of the same capture, in the other
// table, adds what it knows.
func (c *Crawl) replace(e *entry, in *capture) {
	if e.place == in.place {
		c.fill(e, in)
		return
	}
	old := c.facts.list[e.facts]
	if isOlder := old.problem == string(Revisit); isOlder != (in.facts.problem == string(Revisit)) {
		if isOlder {
			c.fill(e, in)
		}
		return
	}
	if cmp.Or(cmp.Compare(in.at, e.at), cmp.Compare(in.number, e.number)) > 0 {
		e.verdicts = 0
		c.fill(e, in)
	}
}

func (c *Crawl) fill(e *entry, in *capture) {
	e.at, e.number, e.place = in.at, in.number, in.place
	if in.facts.detailed || !c.facts.list[e.facts].detailed {
		e.facts, e.rules = c.facts.id(in.facts), in.rules
	}
	if in.verdicts != nil {
		e.verdicts = idOf(&c.verdicts, in.verdicts)
	}
}

// counted yields the sites and the capture of each that counts.
func (c *Crawl) counted() iter.Seq2[string, *entry] {
	return func(yield func(string, *entry) bool) {
		for site := range c.sites {
			if e := c.of(site); e != nil && !yield(site, e) {
				return
			}
		}
	}
}

// of returns the capture of a site that counts, nil if there is none.
func (c *Crawl) of(site string) (best *entry) {
	at, ok := c.sites[site]
	for ok && at >= 0 {
		e := c.entries.at(at)
		if !c.facts.list[e.facts].moved && (best == nil || c.census.by.compare(site, e, best, c.facts.list) < 0) {
			best = e
		}
		at = e.next
	}
	return best
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

// idOf is id for the bytes of a string.
func idOf(in *interned[string], text []byte) uint32 {
	if id, ok := in.ids[string(text)]; ok {
		return id
	}
	return in.id(string(text))
}

// places hashes the places of captures.
var places = maphash.MakeSeed()

func placeOf(input, record string, at *Millis) uint64 {
	var hash maphash.Hash
	hash.SetSeed(places)
	hash.WriteString(input)
	hash.WriteByte(0)
	hash.WriteString(record)
	if at != nil {
		maphash.WriteComparable(&hash, *at)
	}
	return hash.Sum64()
}
