package watch

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/compare"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/show/report"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/uselines"
	"github.com/kosterhq/robotstxt/lint"
	"github.com/kosterhq/robotstxt/permission"
	"github.com/kosterhq/robotstxt/semdiff"
)

// Reader selects the crawlers for which changes are searched.
type Reader struct {
	Crawlers []answer.Crawler // nil means all: the crawlers that a file names, and any other
	Steps    int              // the budget of a comparison, see semdiff.Config; 0 means its default
}

// maxPaths is the number of paths that a change shows, and maxValues the number of
// values.
const (
	maxPaths  = 5
	maxValues = 20
)

// Changes returns the changes in the meaning of a site, the most serious first. It returns
// none if it can prove that only comments, order or layout differ. If ctx ends, Changes
// returns ctx's error.
func (r *Reader) Changes(ctx context.Context, url string, before, after *Served) ([]wire.WatchChange, error) {
	return r.changesOf(ctx, url, before, after, allParts...)
}

// changesOf is Changes for some parts.
func (r *Reader) changesOf(ctx context.Context, url string, before, after *Served,
	parts ...Part) ([]wire.WatchChange, error) {
	return r.find(ctx, before, after, lintOf(url), false, parts...)
}

// find is changesOf with a function that returns the errors of a file. If one change is enough, it does not search for
// errors after another.
func (r *Reader) find(ctx context.Context, before, after *Served, lint func(*Served) []string, isOneEnough bool,
	parts ...Part) ([]wire.WatchChange, error) {
	if before.same(after) {
		return nil, nil
	}
	c := &changes{reader: r, before: before, after: after, parts: parts, lint: lint}
	if after.Fault != "" {
		c.fault()
		return c.list, nil
	}
	if before.Fault != "" {
		c.add(wire.WatchRecovered, wire.GravityLow, "answers again, after "+faultText(before))
		if before.Outcome == "" {
			return c.list, nil
		}
	}
	if c.has(RulesPart) {
		c.served()
	}
	if err := c.compare(ctx); err != nil {
		return nil, err
	}
	if before.File && after.File && c.has(RulesPart) && !(isOneEnough && len(c.list) > 0) {
		c.errors()
	}
	sortChanges(c.list)
	return c.list, nil
}

func sortChanges(list []wire.WatchChange) {
	slices.SortStableFunc(list,
		func(a, b wire.WatchChange) int { return cmp.Compare(rank(a.Gravity), rank(b.Gravity)) })
}

var gravities = []wire.WatchGravity{wire.GravityCritical, wire.GravityHigh, wire.GravityMedium, wire.GravityLow}

func rank(g wire.WatchGravity) int { return slices.Index(gravities, g) }

type changes struct {
	reader        *Reader
	lint          func(*Served) []string
	before, after *Served
	parts         []Part
	list          []wire.WatchChange
}

func (c *changes) has(part Part) bool { return slices.Contains(c.parts, part) }

func (c *changes) add(kind wire.WatchKind, gravity wire.WatchGravity, text string) *wire.WatchChange {
	c.list = append(c.list, wire.WatchChange{
		Kind: kind, Gravity: gravity, Text: text,
		Agents: []string{}, Paths: []wire.PathChange{}, Old: []string{}, New: []string{},
	})
	return &c.list[len(c.list)-1]
}

func (c *changes) fault() {
	if c.before.Fault != "" {
		return // still down, perhaps for another reason
	}
	kind := wire.WatchUnreachable
	if c.after.FaultStatus != 0 {
		kind = wire.WatchServerError
	}
	gravity, means := wire.GravityHigh, ""
	if c.after.Closed == wire.OutcomeDisallowAll {
		gravity, means = wire.GravityCritical, ", which closes the whole site for search engines while it lasts"
	}
	c.add(kind, gravity, faultText(c.after)+means)
}

func faultText(s *Served) string {
	if s.FaultStatus != 0 {
		return fmt.Sprintf("status %d", s.FaultStatus)
	}
	return "no response (" + term.Escape(s.Fault) + ")"
}

// served adds changes that are visible without a parser.
func (c *changes) served() {
	before, after := c.before, c.after
	switch {
	case before.File && !after.File:
		c.add(wire.WatchGone, wire.GravityHigh, fmt.Sprintf("the file is gone (status %d)", after.Status))
	case !before.File && after.File:
		c.add(wire.WatchAppeared, wire.GravityLow, "there is a file now")
	}
	if after.isHTML() && !before.isHTML() {
		c.add(wire.WatchHTML, wire.GravityHigh, "the file is a web page now, in which crawlers find no rules")
	}
	if after.Truncated && !before.Truncated {
		c.add(wire.WatchTruncated, wire.GravityHigh, fmt.Sprintf("crawlers read only the first %d bytes of the file", len(after.Body)))
	}
	if from, to := before.host(), after.host(); from != to && from != "" && to != "" {
		change := c.add(wire.WatchRedirected, wire.GravityHigh, fmt.Sprintf("served by %s, previously by %s", term.Escape(to), term.Escape(from)))
		change.Old, change.New = []string{before.FinalURL}, []string{after.FinalURL}
	}
}

// compare adds the changes of verdicts, and of other lines.
func (c *changes) compare(ctx context.Context) error {
	files := [2]*answer.File{c.before.rules(), c.after.rules()}
	q := compare.Question{Old: files[0].Text, New: files[1].Text, Crawlers: c.reader.Crawlers, Steps: c.reader.Steps}
	result, err := compare.Run(ctx, q)
	if err != nil {
		return err
	}
	names := report.CrawlerNames(result, c.reader.Crawlers != nil)
	if c.has(RulesPart) {
		for i := range result.Rows {
			c.row(&result.Rows[i], names)
		}
	}
	if !c.before.File || !c.after.File {
		return nil
	}
	for _, other := range result.Other {
		c.other(&other, names)
	}
	return nil
}

// shown returns the first paths, without the lines of a side that has no file.
func (c *changes) shown(paths []wire.PathChange) []wire.PathChange {
	paths = paths[:min(len(paths), maxPaths)]
	for i := range paths {
		if !c.before.File {
			paths[i].OldLine = 0
		}
		if !c.after.File {
			paths[i].NewLine = 0
		}
	}
	return paths
}

func (c *changes) row(row *compare.Row, names func([]string) string) {
	for i := range row.Sizes {
		effect := &row.Sizes[i]
		kind := wire.WatchCloses
		if effect.Effect == wire.Opens {
			kind = wire.WatchOpens
		}
		paths := row.With(effect.Effect)
		change := c.add(kind, gravityOf(effect), report.EffectText(row, effect, names(searchFirst(row.Agents))))
		change.Incomplete = !row.Complete
		change.Size = effect.Size
		change.Agents = row.Agents
		change.Pairs = len(paths)
		change.Paths = append(change.Paths, c.shown(paths)...)
	}
	if row.Effect == semdiff.Undecided && !row.Unread || !row.Complete && len(row.Sizes) == 0 &&
		row.Effect != semdiff.Equal {
		change := c.add(wire.WatchUndecided, wire.GravityMedium, "rules differ for "+names(row.Agents)+"; it could not be decided whether a verdict differs")
		change.Agents = row.Agents
	}
}

// gravityOf returns the gravity of an effect, which its size and the crawlers decide.
func gravityOf(effect *wire.SizedEffect) wire.WatchGravity {
	closes, search := effect.Effect == wire.Closes, isSearch(effect.Agents)
	switch {
	case closes && effect.Size.IsSite() && search:
		return wire.GravityCritical
	case effect.Size.IsSite(), closes && effect.Size == semdiff.SizeMany && search:
		return wire.GravityHigh
	}
	return wire.GravityMedium
}

// searchFirst returns crawlers with the search engines first, so that a shortened list names them.
func searchFirst(agents []string) []string {
	engines := slices.DeleteFunc(slices.Clone(agents), func(agent string) bool { return !isSearchEngine(agent) })
	return append(engines, slices.DeleteFunc(slices.Clone(agents), isSearchEngine)...)
}

// isSearch reports whether a search engine is among crawlers. "*" counts too, because it
// applies to crawlers that a file does not name.
func isSearch(agents []string) bool {
	return slices.Contains(agents, compare.Any) || slices.ContainsFunc(agents, isSearchEngine)
}

func isSearchEngine(agent string) bool {
	known, ok := crawlers.Find(agent)
	return ok && slices.Contains(known.Purposes, "search")
}

// other adds lines that change no verdict.
func (c *changes) other(d *wire.OtherDifference, names func([]string) string) {
	isUse := slices.Contains(uselines.Keys[:], d.Kind)
	part, kind := LinesPart, wire.WatchLines
	if isUse {
		part, kind = UsesPart, wire.WatchUse
	} else if d.Kind == "Sitemap" {
		part, kind = SitemapsPart, wire.WatchSitemaps
	}
	if !c.has(part) {
		return
	}
	before, after := d.Old, d.New
	if isUse && d.Kind != uselines.License {
		old, new := preferences(d.Kind, d.Old), preferences(d.Kind, d.New)
		before, after = without(old, new), without(new, old)
		if len(before)+len(after) == 0 { // only the layout differs
			return
		}
	}
	name := term.Escape(d.Kind)
	if len(d.Agents) > 0 {
		name += " for " + names(searchFirst(d.Agents))
	} else if isUse {
		name += " outside all groups, which applies to no crawler"
	}
	c.values(kind, name, before, after).Agents = d.Agents
}

// preferences returns what the values of Content-Signal or Content-Usage lines state: the layout of a line has
// no meaning. A value that breaks off is returned as it is.
func preferences(kind string, values []string) (texts []string) {
	read := permission.ReadUsage
	if kind == uselines.ContentSignal {
		read = permission.ReadSignal
	}
	for _, value := range values {
		p := read(value)
		if p.Expected != "" {
			texts = append(texts, value)
		}
		for i := range p.List {
			if said := &p.List[i]; !said.Repeated {
				texts = append(texts, strings.TrimSpace(strings.TrimSuffix(p.Path+" "+said.Label+"="+said.Value, "=")))
			}
		}
	}
	return texts
}

func (c *changes) values(kind wire.WatchKind, name string, before, after []string) *wire.WatchChange {
	change := c.add(kind, wire.GravityLow, name+": "+report.ValuesText(before, after))
	change.Old, change.New = first(before), first(after)
	return change
}

func first(values []string) []string {
	return append([]string{}, values[:min(len(values), maxValues)]...)
}

// without returns the texts that are not among others, each once.
func without(texts, others []string) (left []string) {
	known := make(map[string]bool, len(others))
	for _, text := range others {
		known[text] = true
	}
	for _, text := range texts {
		if !known[text] {
			known[text] = true
			left = append(left, text)
		}
	}
	return left
}

func (c *changes) errors() {
	before, after := c.lint(c.before), c.lint(c.after)
	if added := without(after, before); len(added) > 0 {
		change := c.add(wire.WatchLint, wire.GravityLow, "the linter finds new errors: "+strings.Join(added, ", "))
		change.New = added
	}
}

// lintOf returns a function that returns the errors of a file at a URL.
func lintOf(url string) func(s *Served) []string {
	return func(s *Served) (errors []string) {
		config := lint.Config{URL: url, Truncated: s.Truncated, Steps: 1,
			Filter: func(f *lint.Finding) bool { return f.Severity == lint.Error }}
		for _, f := range lint.Check(s.Body, config) {
			about, _ := lint.About(f.Code)
			errors = append(errors, string(f.Code)+" "+about.Name)
		}
		slices.Sort(errors)
		return errors
	}
}
