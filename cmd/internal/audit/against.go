package audit

import (
	"cmp"
	"context"
	"hash/fnv"
	"maps"
	"os"
	"slices"

	"github.com/parquet-go/parquet-go"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/semdiff"
)

// Comparison counts what changed between two audits, by host; rows without a host are
// left out. If a host has several files, the latest one whose rules are known counts. A
// site without a file (404) is open; the rules of an unreachable site (503), a web page
// and a binary file are not known.
type Comparison struct {
	Hosts    int // that both audits contain
	Appeared int // hosts that only the new audit contains
	Vanished int // hosts that only the old audit contains

	Crawlers map[string]*Change       // of both audits
	OnlyOld  []string                 // crawlers of the old audit only
	OnlyNew  []string                 // crawlers of the new audit only
	Purposes map[string]*PurposeMoves // of the crawlers of both audits

	Opened, Closed               []Moved  // the hosts with most such changes
	AppearedHosts, VanishedHosts []string // the first in the order of the alphabet

	// NoWitnesses is the reason why Opened and Closed have no witnesses; empty if they
	// have.
	NoWitnesses string
}

// Change counts what changed for a crawler.
type Change struct {
	Known   int                                       // hosts for which both audits know the access
	Moves   map[semdiff.Extent]map[semdiff.Extent]int // of Known: from the old to the new access
	Named   int                                       // hosts that name the crawler now, and did not before
	Unnamed int                                       // hosts that named the crawler before, and do not now
}

// Opened returns how many hosts are more open now.
func (c *Change) Opened() int { return c.moved(func(before, after int) bool { return after < before }) }

// Closed returns how many hosts are less open now.
func (c *Change) Closed() int { return c.moved(func(before, after int) bool { return after > before }) }

func (c *Change) moved(is func(before, after int) bool) (sum int) {
	for before, moves := range c.Moves {
		for after, n := range moves {
			if is(strictness(before), strictness(after)) {
				sum += n
			}
		}
	}
	return sum
}

// PurposeMoves counts hosts by what changed for any crawler of a purpose.
type PurposeMoves struct {
	Known  int // hosts for which both audits know the access of a crawler
	Opened int // of Known: more open now for at least one crawler
	Closed int // of Known: less open now for at least one crawler

	known, opened, closed bool // of the current host
}

// Moved is a host with changes in one direction.
type Moved struct {
	Host  string
	Moves []Move
}

// Move is a change for a crawler.
type Move struct {
	Crawler       string
	Before, After semdiff.Extent
	Witness       string // a path with another verdict; empty if there is none
}

// strictness orders the values of Access, the most open first; it is 0 if the access is
// not known.
func strictness(part semdiff.Extent) int {
	return slices.Index([]semdiff.Extent{"", semdiff.ExtentOpen, semdiff.ExtentPartly, semdiff.ExtentClosed}, part)
}

// CompareConfig selects what is compared with the new audit.
type CompareConfig struct {
	Old       string                        // the table of crawlers of the old audit, a Parquet file
	OldBodies string                        // its table of bodies, for witnesses; may be empty
	Purposes  func(crawler string) []string // see Summarize
	Questions *Questions                    // of the new audit
	Hosts     int                           // how many are compared at once. Default: 200,000
}

// comparedHosts is how many hosts are compared at once. For more, the tables are read
// several times.
const comparedHosts = 200_000

// exampleHosts bounds the lists of hosts in a Comparison.
const exampleHosts = 20

// Compare compares an audit with an older one. Its memory does not depend on the number
// of hosts: it reads the tables several times, each time for a part of the hosts.
func (p *Parts) Compare(ctx context.Context, config CompareConfig) (*Comparison, error) {
	if config.Hosts <= 0 {
		config.Hosts = comparedHosts
	}
	c := &comparer{Comparison: &Comparison{Crawlers: map[string]*Change{}, Purposes: map[string]*PurposeMoves{}}, config: config, parts: p}
	passes, err := c.passes()
	if err != nil {
		return nil, err
	}
	for pass := range passes {
		if err := c.pass(ctx, pass, passes); err != nil {
			return nil, err
		}
	}
	c.list()
	return c.Comparison, c.witnesses(ctx)
}

// comparer makes a Comparison.
type comparer struct {
	*Comparison
	config   CompareConfig
	parts    *Parts
	crawlers [2][]string // of the old and of the new audit, in the order of their rows
	common   []comparedCrawler
	hosts    map[string]*comparedHost
}

// comparedCrawler is a crawler of both audits.
type comparedCrawler struct {
	name     string
	change   *Change
	purposes []*PurposeMoves
	at       [2]int // in crawlers
}

// comparedHost is what the audits know about a host.
type comparedHost [2]struct {
	found   bool
	at      Millis        // of the file that counts
	answers []knownAccess // by crawler
}

// knownAccess is how much of a site a file opens to a crawler, and whether it names the
// crawler. Its zero value means that this is not known.
type knownAccess struct {
	strictness uint8
	named      bool
}

// passes returns the number of necessary passes.
func (c *comparer) passes() (int, error) {
	names, err := c.parts.names(crawlerRows)
	if err != nil {
		return 0, err
	}
	most := 1
	for side, tables := range [2][]string{{c.config.Old}, names} {
		rows := int64(0)
		for _, name := range tables {
			n, err := countRows(name)
			if err != nil {
				return 0, err
			}
			rows += n
		}
		if c.crawlers[side], err = crawlersIn(tables); err != nil {
			return 0, err
		}
		perHost := int64(max(1, len(c.crawlers[side])))
		most = max(most, int((rows/perHost+int64(c.config.Hosts)-1)/int64(c.config.Hosts)))
	}
	c.match()
	return most, nil
}

func countRows(name string) (int64, error) {
	file, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return 0, err
	}
	table, err := parquet.OpenFile(file, info.Size())
	if err != nil {
		return 0, err
	}
	return table.NumRows(), nil
}

// match finds the crawlers of both audits.
func (c *comparer) match() {
	for at, name := range c.crawlers[1] {
		old := slices.Index(c.crawlers[0], name)
		if old < 0 {
			c.OnlyNew = append(c.OnlyNew, name)
			continue
		}
		crawler := comparedCrawler{name: name, change: &Change{Moves: map[semdiff.Extent]map[semdiff.Extent]int{}}, at: [2]int{old, at}}
		c.Crawlers[name] = crawler.change
		for _, purpose := range c.config.Purposes(name) {
			if c.Purposes[purpose] == nil {
				c.Purposes[purpose] = &PurposeMoves{}
			}
			crawler.purposes = append(crawler.purposes, c.Purposes[purpose])
		}
		c.common = append(c.common, crawler)
	}
	for _, name := range c.crawlers[0] {
		if !slices.Contains(c.crawlers[1], name) {
			c.OnlyOld = append(c.OnlyOld, name)
		}
	}
}

// pass compares the hosts of a pass.
func (c *comparer) pass(ctx context.Context, pass, passes int) error {
	c.hosts = map[string]*comparedHost{}
	for side := range 2 {
		index := map[string]int{}
		for i, name := range c.crawlers[side] {
			index[name] = i
		}
		err := c.read(side, func(row *Crawler) error {
			if row.Host == "" || passes > 1 && partition(row.Host, passes) != pass {
				return nil
			}
			if at, ok := index[row.Crawler]; ok {
				c.add(side, at, row)
			}
			return ctx.Err()
		})
		if err != nil {
			return err
		}
	}
	for name, host := range c.hosts {
		c.count(name, host)
	}
	c.hosts = nil
	return nil
}

func (c *comparer) read(side int, yield func(*Crawler) error) error {
	if side == 0 {
		return ReadTable(c.config.Old, yield)
	}
	return c.parts.Crawlers(yield)
}

func partition(host string, passes int) int {
	hash := fnv.New64a()
	hash.Write([]byte(host))
	return int(hash.Sum64() % uint64(passes))
}

func (c *comparer) add(side, at int, row *Crawler) {
	host := c.hosts[row.Host]
	if host == nil {
		host = new(comparedHost)
		c.hosts[row.Host] = host
	}
	known := &host[side]
	known.found = true
	answer, ok := knownAccessIn(row)
	if !ok {
		return
	}
	if known.answers == nil {
		known.answers = make([]knownAccess, len(c.crawlers[side]))
	}
	if fetched := fetchedAt(row); fetched >= known.at {
		known.at = fetched
		known.answers[at] = answer
	}
}

func fetchedAt(row *Crawler) Millis {
	if row.FetchedAt == nil {
		return 0
	}
	return *row.FetchedAt
}

// knownAccessIn returns the access in a row, and false if it is not known.
func knownAccessIn(row *Crawler) (answer knownAccess, ok bool) {
	if row.Access == nil || row.MatchedBy == nil && *row.Access != semdiff.ExtentOpen || row.isOther() {
		return knownAccess{}, false
	}
	named := row.MatchedBy != nil && *row.MatchedBy == robotstxt.MatchedByName
	return knownAccess{uint8(max(0, strictness(*row.Access))), named}, true
}

// count counts a host.
func (c *comparer) count(name string, host *comparedHost) {
	switch {
	case !host[0].found:
		c.Appeared++
		c.AppearedHosts = firstHosts(c.AppearedHosts, name)
		return
	case !host[1].found:
		c.Vanished++
		c.VanishedHosts = firstHosts(c.VanishedHosts, name)
		return
	}
	c.Hosts++
	if host[0].answers == nil || host[1].answers == nil {
		return
	}
	var opened, closed []Move
	for _, crawler := range c.common {
		before, after := host[0].answers[crawler.at[0]], host[1].answers[crawler.at[1]]
		if before.strictness == 0 || after.strictness == 0 {
			continue
		}
		move := crawler.count(before, after)
		switch {
		case after.strictness < before.strictness:
			opened = append(opened, move)
		case after.strictness > before.strictness:
			closed = append(closed, move)
		}
	}
	for _, purpose := range c.Purposes {
		purpose.flush()
	}
	c.Opened = mostMoved(c.Opened, Moved{name, opened})
	c.Closed = mostMoved(c.Closed, Moved{name, closed})
}

// count counts the change of a host for a crawler.
func (c *comparedCrawler) count(before, after knownAccess) Move {
	values := [...]semdiff.Extent{"", semdiff.ExtentOpen, semdiff.ExtentPartly, semdiff.ExtentClosed}
	move := Move{Crawler: c.name, Before: values[before.strictness], After: values[after.strictness]}
	c.change.Known++
	if c.change.Moves[move.Before] == nil {
		c.change.Moves[move.Before] = map[semdiff.Extent]int{}
	}
	c.change.Moves[move.Before][move.After]++
	switch {
	case after.named && !before.named:
		c.change.Named++
	case before.named && !after.named:
		c.change.Unnamed++
	}
	for _, purpose := range c.purposes {
		purpose.known = true
		purpose.opened = purpose.opened || after.strictness < before.strictness
		purpose.closed = purpose.closed || after.strictness > before.strictness
	}
	return move
}

func (p *PurposeMoves) flush() {
	for counter, is := range map[*int]bool{&p.Known: p.known, &p.Opened: p.opened, &p.Closed: p.closed} {
		if is {
			*counter++
		}
	}
	p.known, p.opened, p.closed = false, false, false
}

// firstHosts adds a host to a list of the first hosts in alphabetical order.
func firstHosts(list []string, host string) []string {
	at, _ := slices.BinarySearch(list, host)
	if at == exampleHosts {
		return list
	}
	list = slices.Insert(list, at, host)
	return list[:min(len(list), exampleHosts)]
}

// mostMoved adds a host to a list of the hosts with most changes. Hosts with equally many
// are in alphabetical order.
func mostMoved(list []Moved, moved Moved) []Moved {
	if len(moved.Moves) == 0 {
		return list
	}
	at, _ := slices.BinarySearchFunc(list, moved, func(a, b Moved) int {
		return cmp.Or(cmp.Compare(len(b.Moves), len(a.Moves)), cmp.Compare(a.Host, b.Host))
	})
	if at == exampleHosts {
		return list
	}
	list = slices.Insert(list, at, moved)
	return list[:min(len(list), exampleHosts)]
}

// crawlersIn returns the crawlers in tables of crawlers, in the order of their first
// rows.
func crawlersIn(tables []string) (names []string, err error) {
	seen := map[string]bool{}
	for _, table := range tables {
		var first *Crawler
		err := ReadTable(table, func(row *Crawler) error {
			if first == nil {
				first = new(*row)
			}
			if row.Record != first.Record || row.Host != first.Host || row.Input != first.Input {
				return errEnough
			}
			if !seen[row.Crawler] {
				seen[row.Crawler] = true
				names = append(names, row.Crawler)
			}
			return nil
		})
		if err != nil && err != errEnough {
			return nil, err
		}
	}
	return slices.Clip(names), nil
}

// CheckCrawlers returns an error if a Parquet file is not a table of crawlers.
func CheckCrawlers(name string) error {
	names, err := crawlersIn([]string{name})
	switch {
	case err != nil:
		return term.Errorf("give the file that --crawlers-out wrote", "cannot read %q: %v", name, err)
	case slices.Contains(names, ""):
		return term.Errorf("give the file that --crawlers-out wrote", "%q is not a table of crawlers", name)
	}
	return nil
}

// list sorts the lists of the Comparison.
func (c *comparer) list() {
	slices.Sort(c.OnlyOld)
	slices.Sort(c.OnlyNew)
	maps.DeleteFunc(c.Purposes, func(_ string, p *PurposeMoves) bool { return p.Known == 0 })
}
