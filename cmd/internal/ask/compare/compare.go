// Package compare finds the changes between two robots.txt files: for which crawlers, by which
// lines, with a path for each, and for which given URLs. It returns structs of package wire and
// prints nothing. It also removes rules that decide nothing, and compares the known crawlers
// with public lists. Package semdiff makes the proofs.
package compare

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/origin"
	"github.com/kosterhq/robotstxt/semdiff"
)

// Question has two files and the crawlers for which to compare them.
type Question struct {
	// Old and New are the texts of the files. The text is empty for a site without a file.
	Old, New []byte

	// Dialects are the dialects in which all crawlers read the old and the new file. nil means
	// that each crawler has its own, see crawlers.ReadingOf.
	Dialects *[2]robotstxt.Dialect

	// Crawlers are the crawlers to compare. nil means all for which the files can differ:
	// "*", which no file names, and each one that a file names, with its documented fallbacks
	// if it is known.
	Crawlers []answer.Crawler

	// Exact means that crawlers that a file names have no documented fallbacks.
	Exact bool

	// Steps is the budget, see semdiff.Config. 0 means its default.
	Steps int
}

// Row has the changes for some crawlers.
type Row struct {
	Agents   []string // their names
	Effect   semdiff.Effect
	Sizes    []wire.SizedEffect // of the effects; the effect on the site is first
	Site     *wire.SiteChange   // nil unless nearly the whole site changes
	Changes  []wire.PathChange  // pairs of deciding lines, in their order
	Complete bool               // Changes has all pairs
	Unread   bool               // no user-agent line can name them, so Effect is Undecided
	Tried    string             // why the row is undecided or incomplete
	Of       *semdiff.Row       // the row of package semdiff, nil if Unread

	first int   // the index of Changes[0] in Result.Changes
	pairs pairs // nil before the first flip
}

// Result has all changes.
type Result struct {
	// Comparison is complete except for the names of the files, which the caller sets.
	wire.Comparison

	// Rows are the same changes by crawlers. Each crawler is in one row.
	Rows []Row

	// Governed are the sites of the files; empty if they are not known. Judge skips the URLs of
	// other sites.
	Governed []origin.Origin

	others    answer.OtherSites
	groups    []*readerGroup
	readers   map[string][]reader // by their names in lower case
	unread    []string            // names of crawlers that were requested and that no line can name
	differing []differing
}

// Run compares the files. If ctx ends, Run returns ctx's error.
func Run(ctx context.Context, q Question) (*Result, error) {
	r := &Result{readers: make(map[string][]reader)}
	r.Agents, r.Equal, r.Complete = []string{}, true, true
	r.Sizes = []wire.SizedEffect{}
	r.Sites, r.Changes, r.UndecidedAgents, r.Flips = []wire.SiteChange{}, []wire.PathChange{}, []string{}, []wire.Flip{}
	r.Other = []wire.OtherDifference{}
	r.read(&q)
	var reports []*semdiff.Report
	for _, group := range r.groups {
		config := semdiff.Config{Steps: r.share(cmp.Or(q.Steps, semdiff.DefaultSteps), group), Only: true}
		for _, crawler := range group.crawlers {
			if c := searched(crawler); group.names[c.String()][0] == crawler.Name {
				config.Crawlers = append(config.Crawlers, c)
			}
		}
		report, err := semdiff.Compare(ctx, group.files[0], group.files[1], config)
		if err != nil {
			return nil, err
		}
		reports = append(reports, report)
	}
	rows, others := newShared[semdiff.Row](), newShared[semdiff.Difference]()
	for i, group := range r.groups {
		report := reports[i]
		for _, row := range report.Rows {
			for i, change := range row.Changes {
				row.Changes[i].Witness = natural(change, row.Crawlers[0], group.files)
			}
			if agents := named(row.Crawlers, group.names); len(agents) > 0 {
				rows.add(keyOf(&row), row, agents)
			}
		}
		for _, d := range report.Other {
			if agents := named(d.Crawlers, group.names); len(agents) > 0 || len(d.Crawlers) == 0 {
				others.add(fmt.Sprintf("%q %q %q %t", d.Kind, d.Old, d.New, len(agents) > 0), d, agents)
			}
		}
	}
	for i := range rows.list {
		r.add(&rows.list[i], rows.agents[i])
	}
	for i, d := range others.list {
		r.Other = append(r.Other, wire.OtherDifference{Kind: d.Kind, Agents: others.agents[i],
			Old: append([]string{}, d.Old...), New: append([]string{}, d.New...)})
	}
	r.addUnread()
	r.Equal = r.Equal && len(r.Agents) > 0
	return r, nil
}

// addUnread adds a row for crawlers that were requested and that no user-agent line can
// name. Those that were selected among the known ones have no row.
func (r *Result) addUnread() {
	if len(r.unread) == 0 {
		return
	}
	r.Rows = append(r.Rows, Row{Agents: r.unread, Tried: unreadable, Unread: true})
	r.Equal, r.Complete, r.Undecided = false, false, true
	r.UndecidedAgents = append(r.UndecidedAgents, r.unread...)
	r.Tried = cmp.Or(r.Tried, unreadable)
}

const unreadable = "no user-agent line can name it"

// shared are parts of several reports, each once, with the crawlers of all groups that have it.
type shared[Part any] struct {
	list   []Part
	agents [][]string // of each part
	at     map[string]int
}

func newShared[Part any]() *shared[Part] { return &shared[Part]{at: make(map[string]int)} }

// add adds a part. Equal ones have the same key.
func (s *shared[Part]) add(key string, part Part, agents []string) {
	at, known := s.at[key]
	if !known {
		at = len(s.list)
		s.at[key], s.list, s.agents = at, append(s.list, part), append(s.agents, []string{})
	}
	s.agents[at] = append(s.agents[at], agents...)
}

func keyOf(row *semdiff.Row) string {
	key := fmt.Sprintf("%d %s %s %t %q %#v %#v %#v", row.Effect, row.Closes, row.Opens, row.Complete, row.Tried, row.Changes,
		row.Paths(false), row.Paths(true))
	if row.Site != nil {
		key += fmt.Sprintf("%#v", *row.Site)
	}
	return key
}

func (r *Result) add(row *semdiff.Row, agents []string) {
	own := Row{Agents: agents, Effect: row.Effect, Complete: row.Complete, Tried: row.Tried, Of: row,
		first: len(r.Changes)}
	for _, c := range row.Changes {
		change := wire.PathChange{Agents: agents, Effect: effectOf(c.Opens), OldLine: c.OldLine, NewLine: c.NewLine,
			Witness: c.Witness}
		own.Changes = append(own.Changes, change)
	}
	own.Sizes = sizesOf(row, agents)
	r.Sizes = append(r.Sizes, own.Sizes...)
	if row.Site != nil {
		own.Site = siteChange(agents, row.Site)
		r.Sites = append(r.Sites, *own.Site)
	}
	r.Rows = append(r.Rows, own)
	r.Changes = append(r.Changes, own.Changes...)
	r.Equal = r.Equal && row.Effect == semdiff.Equal
	r.Complete = r.Complete && row.Complete
	if row.Effect == semdiff.Undecided {
		r.Undecided = true
		r.UndecidedAgents = append(r.UndecidedAgents, agents...)
	}
	if row.Effect != semdiff.Equal {
		r.watch(agents)
	}
	if r.Tried == "" {
		r.Tried = row.Tried
	}
}

// sizesOf returns the sizes of the effects of a row: first the effect on the site, then the closing one.
func sizesOf(row *semdiff.Row, agents []string) (sizes []wire.SizedEffect) {
	for _, of := range [...]struct {
		size  semdiff.Size
		opens bool
	}{{row.Closes, false}, {row.Opens, true}} {
		if of.size == "" {
			continue
		}
		sized := wire.SizedEffect{Agents: agents, Effect: effectOf(of.opens), Size: of.size, But: []string{}}
		paths := row.Paths(of.opens)
		sized.Patterns, sized.Partial = patternsOf(paths)
		if len(paths) > 0 && paths[0].But != nil {
			sized.But, sized.Partial = patternsOf(paths[0].But)
		}
		sizes = append(sizes, sized)
	}
	if row.Site != nil && row.Site.Opens {
		slices.Reverse(sizes)
	}
	return sizes
}

// patternsOf returns the patterns of paths, and those that are about a part of their paths.
func patternsOf(paths []semdiff.Paths) (patterns []string, partial []wire.PartialPattern) {
	patterns, partial = []string{}, []wire.PartialPattern{}
	for _, p := range paths {
		patterns = append(patterns, p.Pattern)
		if p.Part {
			without := append([]string{}, p.Without...)
			partial = append(partial, wire.PartialPattern{Pattern: p.Pattern, Without: without})
		}
	}
	return patterns, partial
}

// First returns the first pair of lines with an effect, nil if there is none.
func (r *Row) First(effect wire.ChangeEffect) *wire.PathChange {
	at := slices.IndexFunc(r.Changes, func(c wire.PathChange) bool { return c.Effect == effect })
	if at < 0 {
		return nil
	}
	return &r.Changes[at]
}

// Example returns the path of the first pair of lines with an effect, "" if there is none.
func (r *Row) Example(effect wire.ChangeEffect) string {
	if first := r.First(effect); first != nil {
		return first.Witness
	}
	return ""
}

// Size returns how much of the site has an effect, "" if nothing has.
func (r *Row) Size(effect wire.ChangeEffect) semdiff.Size {
	for i := range r.Sizes {
		if r.Sizes[i].Effect == effect {
			return r.Sizes[i].Size
		}
	}
	return ""
}

// With returns the changes with an effect.
func (r *Row) With(effect wire.ChangeEffect) []wire.PathChange {
	return slices.DeleteFunc(slices.Clone(r.Changes), func(c wire.PathChange) bool { return c.Effect != effect })
}

func siteChange(agents []string, of *semdiff.SiteChange) *wire.SiteChange {
	c := &wire.SiteChange{
		Agents: agents, Effect: effectOf(of.Opens), Size: of.Size, By: []string{},
		Before: of.Before.Extent, Except: []wire.Exception{}, Otherwise: wire.VerdictOf(of.Before.Allowed),
	}
	c.But, c.Partial = patternsOf(of.But)
	for _, e := range of.By {
		c.By = append(c.By, e.Pattern)
	}
	for _, e := range of.Before.Except {
		c.Except = append(c.Except, wire.Exception(e))
	}
	return c
}

func named(crawlers []semdiff.Crawler, names map[string][]string) (agents []string) {
	agents = []string{}
	for _, crawler := range crawlers {
		agents = append(agents, names[crawler.String()]...)
	}
	return agents
}

func effectOf(opens bool) wire.ChangeEffect {
	if opens {
		return wire.Opens
	}
	return wire.Closes
}

// Differs reports whether a verdict differs.
func (r *Result) Differs() bool { return r.Does(wire.Opens) || r.Does(wire.Closes) }

// Does reports whether paths open, or close, for a crawler.
func (r *Result) Does(effect wire.ChangeEffect) bool {
	one := map[wire.ChangeEffect]semdiff.Effect{wire.Opens: semdiff.Opens, wire.Closes: semdiff.Closes}[effect]
	return slices.ContainsFunc(r.Rows, func(row Row) bool {
		return row.Effect == one || row.Effect == semdiff.Both ||
			slices.ContainsFunc(row.Changes, func(c wire.PathChange) bool { return c.Effect == effect })
	})
}
