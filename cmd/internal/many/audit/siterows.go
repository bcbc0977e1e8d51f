package audit

import (
	"encoding/hex"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
)

// detail is what the tables of sites and names show of a capture.
type detail struct {
	input, record, url, digest string // digest in bytes
	size                       int64  // -1 if it is unknown
	names                      uint32 // see Crawl.names; 0 if they are unknown
}

// keep keeps the details of a capture. The row of the other table, which comes later, completes them.
func (c *Crawl) keep(in *capture) {
	if !c.census.Sites && !c.census.Names {
		return
	}
	d, ok := c.details[in.place]
	if !ok {
		d.size = -1
	}
	if in.names != nil {
		d.names = c.names.id(*in.names) + 1
	}
	if c.census.Sites {
		d.input = c.inputs.list[c.inputs.id(in.input)]
		d.record, d.url = in.record, in.url
		if digest, err := hex.DecodeString(in.fileDigest); err == nil && len(digest) > 0 {
			d.digest = string(digest)
		}
		if in.size >= 0 {
			d.size = in.size
		}
	}
	c.details[in.place] = d
}

// step is a capture on the way from the capture of a site to the one that decides.
type step struct {
	*entry
	isOriginal bool // it has the file of the revisit before it
}

// WriteSites writes a row for each counted site and crawler to tables, see [Parts.WriteFiles]. Census.Sites must have
// been set. strata and weights can be nil.
func (c *Census) WriteSites(names []string, strata *Strata, weights *Weights) error {
	return writeTables(names, c.Provenance, nil, func(write func([]Site) error) error {
		for _, crawl := range c.Crawls() {
			for rows := range crawl.siteRows(strata, weights) {
				if err := write(rows); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// siteRows yields the rows of each site of a crawl, in the order of the sites. They are valid until the next ones.
func (c *Crawl) siteRows(strata *Strata, weights *Weights) iter.Seq[[]Site] {
	return func(yield func([]Site) bool) {
		var rows []Site
		for _, site := range slices.Sorted(maps.Keys(c.sites)) {
			o, _ := c.of(site)
			row, verdicts := c.siteRow(site, o)
			if strata != nil {
				row.Stratum = &strata.Names[strata.Of(site)]
			}
			row.Weight = weights.of(site)
			rows = rows[:0]
			for i := range verdicts {
				v := &verdicts[i]
				if !v.present {
					continue
				}
				row.Crawler = &c.crawlers[i]
				row.Treatment, row.MatchedBy, row.Line, row.Rule = nil, nil, nil, nil
				if row.Known {
					row.Treatment, row.MatchedBy = new(v.inWords()), optional(v.matched)
					row.Line, row.Rule = v.decided()
				}
				rows = append(rows, row)
			}
			if len(rows) == 0 {
				rows = append(rows, row)
			}
			if !yield(rows) {
				return
			}
		}
	}
}

// siteRow returns the columns of a site that do not depend on a crawler, and the verdicts about the crawlers.
func (c *Crawl) siteRow(site string, o outcome) (row Site, verdicts []verdict) {
	f := &c.facts.list[o.facts]
	var way []step
	c.followed(o.from, &way)
	last := o.decides
	d := c.details[last.place]
	_, host, _ := strings.Cut(o.from.origin, "://")
	row = Site{Crawl: optional(c.Label), Site: site, Class: f.class(), Known: f.known(), Host: host, Input: d.input,
		Record: d.record, URL: optional(d.url), FetchedAt: optional(last.at), Outcome: optional(f.outcome),
		Status: optional(c.facts.list[last.facts].status)}
	if d.digest != "" {
		row.Digest = new(hex.EncodeToString([]byte(d.digest)))
	}
	if d.size >= 0 && f.body != "" {
		row.Size = &d.size
	}
	for at := c.sites[site]; at >= 0; at = c.entries.at(at).next {
		row.Captures += int32(len(c.capturesOf(at)))
	}
	row.Chain, row.Hops = c.chain(o.from, way)
	return row, verdictsIn(c.verdicts.list[o.verdicts], c.census.lines)
}

// chain returns the captures on a way in one text, nil if it would be an assumed URL alone, and the number of
// redirects.
func (c *Crawl) chain(from *entry, way []step) (text *string, hops int32) {
	var b strings.Builder
	for i, s := range way {
		switch {
		case s.isOriginal:
			b.WriteString(" = ")
		case i > 0:
			b.WriteString(" > ")
			hops++
		}
		url, status := c.details[s.place].url, c.facts.list[s.facts].status
		if url == "" {
			url = s.origin + robotsPath
			if len(way) == 1 && status == 0 {
				return nil, 0
			}
		}
		b.WriteString(url)
		if status != 0 {
			b.WriteString(" " + strconv.Itoa(int(status)))
		}
	}
	return new(b.String()), hops
}

// class returns the class of a site, as the counts have it.
func (f *facts) class() string {
	switch {
	case f.body != "":
		return string(f.body)
	case f.outcome == wire.OutcomeAllowAll:
		return "absent"
	case f.outcome == wire.OutcomeDisallowAll:
		return "fault"
	}
	return f.problem
}

// hasFile reports whether the site has a file with known rules, which can be empty.
func (f *facts) hasFile() bool {
	return f.outcome == wire.OutcomeRules && (f.body == robotstxt.BodyText || f.body == robotstxt.BodyEmpty)
}

func optional[T comparable](value T) *T {
	var zero T
	if value == zero {
		return nil
	}
	return &value
}
