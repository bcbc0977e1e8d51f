package audit

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/semdiff"
)

// The bounds of the names that are counted in a file, and of a name in bytes.
const (
	maxNames = 5000
	maxName  = 200
)

// agentNames returns the names in a file, for the column names: a line for each, with the extent of its groups and the
// name as its first User-agent line writes it.
func (a *analyst) agentNames(ctx context.Context, body []byte) (string, error) {
	e := newNamedExtents(a.in(body, robotstxt.Google), a.config())
	var text strings.Builder
	seen := map[string]bool{}
	for line := range robotstxt.Lines(body) {
		token, isAgent := e.tokens[line.Number]
		if !isAgent {
			continue
		}
		written := nameIn(line.Value)
		name := strings.ToLower(written)
		if written == "" || seen[name] {
			continue
		}
		if len(seen) == maxNames {
			break
		}
		seen[name] = true
		extent, err := e.of(ctx, token)
		if err != nil {
			return "", err
		}
		text.WriteString(extent + " " + written + "\n")
	}
	return text.String(), nil
}

// unknownExtent is the word for groups whose extent is unknown.
const unknownExtent = "unknown"

// The bounds of the work for the extents in a file, which can have thousands of groups: how many sets of groups are
// searched, and how many rules all sets have. Later sets are judged without a search, or not at all.
const (
	searchedSets = 200
	judgedRules  = 500_000
)

// namedExtents are the extents of the groups that the tokens of a file select. Tokens that select the same groups share
// them.
type namedExtents struct {
	robots    *robotstxt.Robots
	config    semdiff.Config
	tokens    map[int]string    // by line
	groups    map[string][]int  // by token in lower case
	rules     []int             // of each group
	byToken   map[string]string // extents
	byGroups  map[string]string // extents
	rulesLeft int
}

func newNamedExtents(robots *robotstxt.Robots, config semdiff.Config) *namedExtents {
	e := &namedExtents{robots: robots, config: config, tokens: map[int]string{}, groups: map[string][]int{},
		byToken: map[string]string{}, byGroups: map[string]string{}, rulesLeft: judgedRules}
	for group := range robots.Groups() {
		at := len(e.rules)
		e.rules = append(e.rules, 0)
		for range group.Rules() {
			e.rules[at]++
		}
		for agent := range group.Agents() {
			e.tokens[agent.Line] = agent.Token
			token := ascii.ToLower(agent.Token)
			if of := e.groups[token]; len(of) == 0 || of[len(of)-1] != at {
				e.groups[token] = append(of, at)
			}
		}
	}
	return e
}

// of returns the extent of the groups with a token. If Google reads no token in a line, no crawler has its group.
func (e *namedExtents) of(ctx context.Context, token string) (extent string, err error) {
	if token == "" {
		return unknownExtent, nil
	}
	lower := ascii.ToLower(token)
	extent, ok := e.byToken[lower]
	if ok {
		return extent, nil
	}
	key := fmt.Sprint(e.groups[lower])
	extent, ok = e.byGroups[key]
	if !ok {
		extent, err = e.judged(ctx, token, e.groups[lower])
	}
	e.byToken[lower], e.byGroups[key] = extent, extent
	return extent, err
}

func (e *namedExtents) judged(ctx context.Context, token string, groups []int) (string, error) {
	for _, group := range groups {
		e.rulesLeft -= e.rules[group]
	}
	if e.rulesLeft < 0 {
		return unknownExtent, nil
	}
	config := e.config
	if len(e.byGroups) >= searchedSets {
		config.Steps = 1
	}
	extent, _, err := semdiff.ExtentOf(ctx, e.robots.Rules(token), config)
	if err != nil || extent == semdiff.ExtentUndecided {
		return unknownExtent, err
	}
	return string(extent), nil
}

// nameIn returns the name in the value of a User-agent line: up to the first slash.
func nameIn(value []byte) string {
	name, _, _ := strings.Cut(strings.ToValidUTF8(string(value), "\ufffd"), "/")
	name = strings.TrimSpace(name)
	if len(name) > maxName {
		name = strings.ToValidUTF8(name[:maxName], "")
	}
	return strings.Join(strings.Fields(name), " ")
}

// WriteNames writes a row for each name in User-agent lines of the counted sites to tables, see [Parts.WriteFiles].
// Census.Names must have been set. strata and weights can be nil.
func (c *Census) WriteNames(names []string, strata *Strata, weights *Weights) error {
	return writeTables(names, c.Provenance, nil, func(writeAll func([]Name) error) error {
		write := oneByOne(writeAll)
		for _, crawl := range c.Crawls() {
			if err := crawl.nameRows(strata, weights, write); err != nil {
				return err
			}
		}
		return nil
	})
}

// namesProfile is what the counts of names need of a site.
type namesProfile struct {
	names   uint32 // see detail
	stratum int    // -1 without one
}

// nameRows writes the rows of a crawl: for all sites, and for each stratum, those that most sites name first.
func (c *Crawl) nameRows(strata *Strata, weights *Weights, write func(*Name) error) error {
	profiles, err := c.namesProfiles(strata, weights)
	if err != nil {
		return err
	}
	number := 1
	if strata != nil {
		number += len(strata.Names)
	}
	counts := make([]nameCounts, number)
	for p, of := range profiles.all() {
		counts[0].add(c.names.list[p.names-1], of)
		if p.stratum >= 0 {
			counts[p.stratum+1].add(c.names.list[p.names-1], of)
		}
	}
	for i := range counts {
		row := Name{Crawl: optional(c.Label), Files: int64(counts[i].files)}
		if i > 0 {
			row.Stratum = &strata.Names[i-1]
		}
		for _, count := range counts[i].sorted() {
			count.fill(&row, weights != nil)
			if err := write(&row); err != nil {
				return err
			}
		}
		counts[i] = nameCounts{}
	}
	return nil
}

// namesProfiles counts the sites with a file, in an order that does not depend on the order of the captures.
func (c *Crawl) namesProfiles(strata *Strata, weights *Weights) (counts sums[namesProfile], err error) {
	for _, site := range slices.Sorted(maps.Keys(c.sites)) {
		o, _ := c.of(site)
		if !c.facts.list[o.facts].hasFile() {
			continue
		}
		p := namesProfile{c.details[o.decides.place].names, -1}
		if p.names == 0 {
			return counts, term.Errorf("the names of the crawl %q are not known", c.Label).Hint("audit its files again with --names-out; a table has the names only if --out and --names-out wrote it together")
		}
		if strata != nil {
			p.stratum = strata.Of(site)
		}
		counts.add(p, weights.of(site))
	}
	return counts, nil
}

// nameCounts counts the names of sites.
type nameCounts struct {
	files   int
	byNames map[string]*nameCount
}

// nameCount counts the sites that name a name. Hostile files have millions of different names, so it is small.
type nameCount struct {
	sum
	closed, partly, open int32
	name, written        string
	spellings            map[string]int // nil if there is one, written
}

// add adds sites with the same names.
func (n *nameCounts) add(names string, of sum) {
	n.files += of.sites
	if n.byNames == nil {
		n.byNames = map[string]*nameCount{}
	}
	for line := range strings.Lines(names) {
		extent, written, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		name := strings.ToLower(written)
		count := n.byNames[name]
		if count == nil {
			count = &nameCount{name: name, written: written}
			n.byNames[name] = count
		}
		count.spell(written, of.sites)
		count.sites += of.sites
		count.weight += of.weight
		switch semdiff.Extent(extent) {
		case semdiff.ExtentClosed:
			count.closed += int32(of.sites)
		case semdiff.ExtentPartly:
			count.partly += int32(of.sites)
		case semdiff.ExtentOpen:
			count.open += int32(of.sites)
		}
	}
}

// spell counts a spelling.
func (n *nameCount) spell(written string, sites int) {
	if n.spellings == nil {
		if written == n.written {
			return
		}
		n.spellings = map[string]int{n.written: n.sites}
	}
	n.spellings[written] += sites
}

// sorted returns the names, those that most sites name first.
func (n *nameCounts) sorted() []*nameCount {
	return slices.SortedFunc(maps.Values(n.byNames), func(x, y *nameCount) int {
		return cmp.Or(cmp.Compare(y.sites, x.sites), cmp.Compare(x.name, y.name))
	})
}

// fill sets the columns of a name.
func (n *nameCount) fill(row *Name, isWeighted bool) {
	row.Name, row.Written, row.Crawler = n.name, n.written, nil
	if len(n.spellings) > 0 {
		row.Written = MostFirst(n.spellings)[0]
	}
	if known, ok := crawlers.Find(n.name); ok {
		row.Crawler = &known.Token
	}
	row.Sites, row.Closed, row.Partly, row.Open = int64(n.sites), int64(n.closed), int64(n.partly), int64(n.open)
	if isWeighted {
		row.Weight = &n.weight
	}
}
