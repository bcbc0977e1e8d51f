// Package aiview finds what a robots.txt tells AI services: which crawlers may fetch the
// site, by purpose, and how its pages may be used. It prints nothing.
package aiview

import (
	"context"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/agentname"
	"github.com/kosterhq/robotstxt/internal/uselines"
	"github.com/kosterhq/robotstxt/lint"
	"github.com/kosterhq/robotstxt/permission"
	"github.com/kosterhq/robotstxt/semdiff"
)

// Purposes are the purposes of the crawlers in the view by default.
var Purposes = []crawlers.Purpose{"ai-training", "ai-search", "ai-fetch", "search"}

// Config selects the crawlers of the view.
type Config struct {
	Dialect   *robotstxt.Dialect // nil means that each crawler has its own
	Purposes  []crawlers.Purpose // in the order of the view
	Operators []string           // none means all
	Each      bool               // an entry for each crawler, instead of one for those with equal access
}

// New returns the view of a file or a site. If ctx ends, New returns ctx's error.
func New(ctx context.Context, name string, ruling *answer.Ruling, config Config) (*wire.AIView, error) {
	v := &wire.AIView{
		Name: name, Dialect: config.Dialect, Outcome: wire.OutcomeLocal,
		Purposes: []wire.AIAccess{}, Preferences: []wire.AIPreference{}, Licenses: []wire.AILicense{},
		Problems: []wire.AIProblem{},
	}
	if s := ruling.Site; s != nil {
		v.RobotsURL = s.RobotsURL
		v.Status = s.Status
		v.Outcome = s.Outcome
		v.FetchReason = s.FetchReason
	}
	ruling = ruling.For(config.Dialect, nil)
	if ruling.HasFile() {
		v.Body = ruling.File.Kind
		addLines(v, ruling)
	}
	a := &accesses{config: config, view: v, ruling: ruling, extents: NewExtents(ruling)}
	a.statements = newStatements(v.Preferences)
	for _, purpose := range config.Purposes {
		selected := crawlers.Select(crawlers.Selection{Purposes: []crawlers.Purpose{purpose},
			Operators: config.Operators})
		if err := a.add(ctx, purpose, selected); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// maxAgents bounds the tokens that each preference lists. A group can have thousands of
// user-agent lines and of preferences, and their product would be a thousand times the file.
const maxAgents = 100

func addLines(v *wire.AIView, r *answer.Ruling) {
	names := agentname.InLines(r.Robots(), r.File.Text)
	for group := range r.Robots().Groups() {
		agents := agentname.Distinct(names, group)
		listed := min(len(agents), maxAgents)
		for x := range group.Extensions() {
			if x.Name == uselines.License {
				v.Licenses = append(v.Licenses, wire.AILicense{Line: x.Line, Agents: agents[:listed],
					MoreAgents: len(agents) - listed, Value: x.Value})
			}
			for _, p := range permission.StatedBy(x) {
				label, _ := permission.LabelOf(p.Purpose)
				v.Preferences = append(v.Preferences, wire.AIPreference{
					Line: p.Line, Key: p.Key, Agents: agents[:listed], MoreAgents: len(agents) - listed,
					Path: p.Path, Use: label.Signal, Granted: p.Says == permission.SaysYes,
				})
			}
		}
	}
	for x := range uselines.Outside(r.Robots(), uselines.License) {
		v.Licenses = append(v.Licenses, wire.AILicense{Line: x.Line, Agents: []string{}, Outside: true, Value: x.Value})
	}
	slices.SortFunc(v.Licenses, func(a, b wire.AILicense) int { return a.Line - b.Line })
	url := v.RobotsURL
	for _, f := range lint.Check(r.File.Text,
		lint.Config{Profile: profileOf(r.Robots().Dialect()), URL: url, Steps: 1}) {
		switch {
		case slices.Contains(problems, f.Code):
			v.Problems = append(v.Problems, wire.AIProblem{Line: f.Line, Code: string(f.Code), Message: f.Message})
		case f.Code == retired:
			addRetired(v, r, &f)
		}
	}
}

var problems = []lint.Code{"RX511", "RX512", "RX513", "RX514", "RX515", "RX518", "RX524"}

// retired is the code of names that crawlers no longer have.
const retired lint.Code = "RX110"

// addRetired adds what a finding says about the first crawler of an AI service that no longer exists under its name.
func addRetired(v *wire.AIView, r *answer.Ruling, f *lint.Finding) {
	tokens := make(map[int]string) // by line
	for g := range r.Robots().Groups() {
		for a := range g.Agents() {
			tokens[a.Line] = a.Token
		}
	}
	isForAI := func(p crawlers.Purpose) bool { return p != "search" && slices.Contains(Purposes, p) }
	said := append([]lint.Related{{Line: f.Line, Message: f.Message}}, f.Related...)
	i := slices.IndexFunc(said, func(s lint.Related) bool {
		c, _ := crawlers.Find(tokens[s.Line])
		return slices.ContainsFunc(c.Purposes, isForAI)
	})
	if i >= 0 {
		first := wire.AIProblem{Line: said[i].Line, Code: string(f.Code), Message: said[i].Message}
		v.Problems = append(v.Problems, first)
	}
}

func profileOf(d robotstxt.Dialect) lint.Profile {
	for _, p := range lint.Profiles() {
		if p.Dialect() == d {
			return p
		}
	}
	return lint.Google
}

type accesses struct {
	config     Config
	view       *wire.AIView
	ruling     *answer.Ruling
	extents    *Extents
	statements *statements
}

func (a *accesses) add(ctx context.Context, purpose crawlers.Purpose, selected []crawlers.Crawler) error {
	var entries []wire.AIAccess
	var extents []*extent // of the first crawler of each entry
	var stated []*statement
	for _, c := range selected {
		if err := ctx.Err(); err != nil {
			return err
		}
		crawler := answer.NewCrawler(c.Token).In(a.config.Dialect)
		use := permission.UseOf(a.extents.Robots, crawler.Permission(), purpose)
		of, err := a.extents.of(ctx, use)
		if err != nil {
			return err
		}
		says := a.preferences(&crawler)
		entry := wire.AIAccess{
			Purpose: string(purpose), Access: of.Extent, Except: of.Except, Otherwise: of.Otherwise,
			MatchedBy: use.Rules.MatchedBy(), Group: groupOf(use),
			Preferences: says.texts, Agents: []string{c.Token}, Dialects: []robotstxt.Dialect{},
			Unread: crawler.Unread, Disobey: []string{},
		}
		if crawler.Unread { // even if there is no file
			entry.Access, entry.Otherwise = semdiff.ExtentUnknown, wire.VerdictUnknown
		} else {
			entry.Dialects = append(entry.Dialects, crawler.Dialect)
		}
		if c.Obeys == crawlers.ObeysNone {
			entry.Disobey = []string{c.Token}
		}
		same := -1
		for i := range entries {
			equal, err := a.equal(ctx, extents[i], of)
			if err != nil {
				return err
			}
			if e := &entries[i]; equal && e.Unread == entry.Unread && e.Group == entry.Group && stated[i] == says {
				same = i
				break
			}
		}
		if same < 0 || a.config.Each {
			entries = append(entries, entry)
			extents = append(extents, of)
			stated = append(stated, says)
			continue
		}
		entries[same].Agents = append(entries[same].Agents, entry.Agents...)
		entries[same].Dialects = append(entries[same].Dialects, entry.Dialects...)
		entries[same].Disobey = append(entries[same].Disobey, entry.Disobey...)
	}
	rank := []robotstxt.MatchedBy{robotstxt.MatchedByName, robotstxt.MatchedByFallback,
		robotstxt.MatchedByStar, robotstxt.MatchedByNone}
	slices.SortStableFunc(entries,
		func(a, b wire.AIAccess) int { return slices.Index(rank, a.MatchedBy) - slices.Index(rank, b.MatchedBy) })
	a.view.Purposes = append(a.view.Purposes, entries...)
	return nil
}

// equal reports whether crawlers may fetch the same paths because of the same lines.
func (a *accesses) equal(ctx context.Context, x, y *extent) (bool, error) {
	if x == y || x.lines != y.lines || x.Extent != semdiff.ExtentPartly {
		return x.lines == y.lines, nil
	}
	found, err := a.extents.agreement(ctx, x, y)
	return found.Agree, err
}

func (a *accesses) preferences(crawler *answer.Crawler) *statement {
	if crawler.Unread || !a.ruling.HasFile() {
		return a.statements.of(robotstxt.Rules{})
	}
	return a.statements.of(crawler.Rules(a.ruling.Parsed(crawler.Dialect)))
}

// Text returns a preference in a few words: "/press/ ai-train=yes".
func Text(p wire.AIPreference) string {
	granted := "no"
	if p.Granted {
		granted = "yes"
	}
	return strings.TrimSpace(p.Path + " " + p.Use + "=" + granted)
}
