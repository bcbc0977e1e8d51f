package audit

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/crawlers"
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
	robots := a.in(body, robotstxt.Google)
	tokens := map[int]string{} // by line
	for group := range robots.Groups() {
		for agent := range group.Agents() {
			tokens[agent.Line] = agent.Token
		}
	}
	var text strings.Builder
	seen := map[string]bool{}
	extents := map[string]string{} // by token
	for line := range robotstxt.Lines(body) {
		token, isAgent := tokens[line.Number]
		written := nameIn(line.Value)
		name := strings.ToLower(written)
		if !isAgent || written == "" || seen[name] || len(seen) == maxNames {
			continue
		}
		seen[name] = true
		extent, ok := extents[token]
		if !ok {
			var err error
			extent, err = a.extentOf(ctx, robots, token)
			if err != nil {
				return "", err
			}
			extents[token] = extent
		}
		text.WriteString(extent + " " + written + "\n")
	}
	return text.String(), nil
}

// unknownExtent is the word for groups whose extent is unknown.
const unknownExtent = "unknown"

// extentOf returns the extent of the groups with a token. If Google reads no token in a line, no crawler has its group.
func (a *analyst) extentOf(ctx context.Context, robots *robotstxt.Robots, token string) (string, error) {
	if token == "" {
		return unknownExtent, nil
	}
	rules := robots.NamedRules(token)
	if token == "*" {
		rules = robots.Rules(token)
	}
	extent, _, err := semdiff.ExtentOf(ctx, rules, a.config())
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
	return writeTables(names, c.Provenance, nil, func(write func(*Name) error) error {
		for _, crawl := range c.Crawls() {
			rows, err := crawl.nameRows(strata, weights)
			if err != nil {
				return err
			}
			for i := range rows {
				if err := write(&rows[i]); err != nil {
					return err
				}
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

// nameRows returns the rows of a crawl: for all sites, and for each stratum, those that most sites name first.
func (c *Crawl) nameRows(strata *Strata, weights *Weights) ([]Name, error) {
	profiles, err := c.namesProfiles(strata, weights)
	if err != nil {
		return nil, err
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
	var rows []Name
	for i := range counts {
		var stratum *string
		if i > 0 {
			stratum = &strata.Names[i-1]
		}
		rows = append(rows, counts[i].rows(optional(c.Label), stratum, weights != nil)...)
	}
	return rows, nil
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

type nameCount struct {
	sum
	extents map[string]int
	written map[string]int
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
			count = &nameCount{extents: map[string]int{}, written: map[string]int{}}
			n.byNames[name] = count
		}
		count.sites += of.sites
		count.weight += of.weight
		count.extents[extent] += of.sites
		count.written[written] += of.sites
	}
}

func (n *nameCounts) rows(crawl, stratum *string, isWeighted bool) (rows []Name) {
	for name, count := range n.byNames {
		row := Name{Crawl: crawl, Stratum: stratum, Name: name, Written: MostFirst(count.written)[0],
			Sites: int64(count.sites), Closed: int64(count.extents[string(semdiff.ExtentClosed)]),
			Partly: int64(count.extents[string(semdiff.ExtentPartly)]),
			Open:   int64(count.extents[string(semdiff.ExtentOpen)]), Files: int64(n.files)}
		if known, ok := crawlers.Find(name); ok {
			row.Crawler = &known.Token
		}
		if isWeighted {
			row.Weight = &count.weight
		}
		rows = append(rows, row)
	}
	slices.SortFunc(rows, func(x, y Name) int {
		return cmp.Or(cmp.Compare(y.Sites, x.Sites), cmp.Compare(x.Name, y.Name))
	})
	return rows
}
