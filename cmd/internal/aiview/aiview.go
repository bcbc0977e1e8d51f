// Package aiview finds what a robots.txt says to AI services: which crawlers may fetch the
// site, by purpose, and what its lines say about the use of its pages. It prints nothing.
package aiview

import (
	"context"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/lint"
)

// Purposes are the purposes of crawlers that the view is about by default.
var Purposes = []crawlers.Purpose{"ai-training", "ai-search", "ai-fetch", "search"}

// Config says which crawlers the view is about.
type Config struct {
	Dialect   robotstxt.Dialect
	Purposes  []crawlers.Purpose // in the order of the view
	Operators []string           // none means all
	Each      bool               // an entry for each crawler, instead of one for those with equal access
}

// New returns the view of a file or a site. The error is that of ctx.
func New(ctx context.Context, name string, ruling *answer.Ruling, config Config) (*wire.AIView, error) {
	v := &wire.AIView{
		Name: name, Dialect: config.Dialect, Outcome: wire.OutcomeLocal,
		Purposes: []wire.AIAccess{}, Preferences: []wire.AIPreference{}, Licenses: []wire.Extension{}, Problems: []wire.AIProblem{},
	}
	if s := ruling.Site; s != nil {
		v.RobotsURL, v.Status, v.Outcome = s.RobotsURL, s.Status, s.Outcome
	}
	ruling = ruling.For(config.Dialect, nil)
	if ruling.Robots != nil {
		v.Body = ruling.File.Kind
		addLines(v, ruling)
	}
	a := &accesses{config: config, view: v, ruling: ruling, known: make(map[string]access)}
	for _, purpose := range config.Purposes {
		selected := crawlers.Select(crawlers.Selection{Purposes: []crawlers.Purpose{purpose}, Operators: config.Operators})
		if err := a.add(ctx, purpose, selected); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// addLines adds what the lines about the use of pages say.
func addLines(v *wire.AIView, r *answer.Ruling) {
	agents := make(map[int][]string) // of the group of a line
	for group := range r.Robots.Groups() {
		var tokens []string
		for agent := range group.Agents() {
			tokens = append(tokens, agent.Token)
		}
		for e := range group.Extensions() {
			agents[e.Line] = tokens
		}
	}
	for _, p := range lint.Preferences(r.File.Text, profileOf(v.Dialect)) {
		of := agents[p.Line]
		if of == nil {
			of = []string{} // an alias of the key, which the parser does not know
		}
		v.Preferences = append(v.Preferences, wire.AIPreference{Line: p.Line, Key: p.Key, Agents: of, Path: p.Path, Use: string(p.Use), Granted: p.Granted})
	}
	for e := range r.Robots.Extensions() {
		if ascii.EqualFold(e.Name, "License") {
			v.Licenses = append(v.Licenses, wire.Extension{Line: e.Line, Name: e.Name, Value: e.Value})
		}
	}
	url := v.RobotsURL
	for _, f := range lint.Check(r.File.Text, lint.Config{Profile: profileOf(v.Dialect), URL: url, Steps: 1}) {
		if slices.Contains(problems, f.Code) {
			v.Problems = append(v.Problems, wire.AIProblem{Line: f.Line, Code: string(f.Code), Message: f.Message})
		}
	}
}

// problems are the findings about preferences and licenses.
var problems = []lint.Code{"RX511", "RX512", "RX513", "RX514", "RX515", "RX518"}

// profileOf returns the linter's profile for readers in a dialect.
func profileOf(d robotstxt.Dialect) lint.Profile {
	for _, p := range lint.Profiles() {
		if p.Dialect() == d {
			return p
		}
	}
	return lint.Google
}

// accesses collects the access of crawlers.
type accesses struct {
	config Config
	view   *wire.AIView
	ruling *answer.Ruling
	known  map[string]access // by the crawler's groups
}

// access is what applies to a crawler.
type access struct {
	access wire.Access
	except []wire.Exception
}

func (a *accesses) add(ctx context.Context, purpose crawlers.Purpose, selected []crawlers.Crawler) error {
	var entries []wire.AIAccess
	for _, c := range selected {
		crawler, _ := answer.NewCrawler(c.Token).Documented()
		token := a.ruling.Token(crawler)
		of, err := a.of(ctx, crawler, token)
		if err != nil {
			return err
		}
		entry := wire.AIAccess{
			Purpose: string(purpose), MatchedBy: wire.MatchedByOf(token), Access: of.access, Except: of.except,
			Preferences: a.preferences(crawler), Agents: []string{c.Token}, Disobey: []string{},
		}
		if c.Obeys == crawlers.ObeysNone {
			entry.Disobey = []string{c.Token}
		}
		same := slices.IndexFunc(entries, func(e wire.AIAccess) bool { return equal(&e, &entry) })
		if same < 0 || a.config.Each {
			entries = append(entries, entry)
			continue
		}
		entries[same].Agents = append(entries[same].Agents, entry.Agents...)
		entries[same].Disobey = append(entries[same].Disobey, entry.Disobey...)
	}
	rank := []wire.MatchedBy{wire.MatchedByName, wire.MatchedByStar, wire.MatchedByNone}
	slices.SortStableFunc(entries, func(a, b wire.AIAccess) int { return slices.Index(rank, a.MatchedBy) - slices.Index(rank, b.MatchedBy) })
	a.view.Purposes = append(a.view.Purposes, entries...)
	return nil
}

// equal reports whether the same applies to the crawlers of two entries.
func equal(a, b *wire.AIAccess) bool {
	return a.MatchedBy == b.MatchedBy && a.Access == b.Access && slices.Equal(a.Except, b.Except) && slices.Equal(a.Preferences, b.Preferences)
}

// of returns the access of a crawler whose groups are found by a token.
func (a *accesses) of(ctx context.Context, crawler answer.Crawler, token string) (of access, err error) {
	if s := a.ruling.Site; a.ruling.Robots == nil {
		of = access{wire.AccessNone, []wire.Exception{}}
		switch {
		case s.Outcome == wire.OutcomeLocal || !s.Answered():
			of.access = wire.AccessUnknown
		case s.Outcome == wire.OutcomeAllowAll:
			of.access = wire.AccessAll
		}
		return of, nil
	}
	key := ascii.ToLower(token)
	of, ok := a.known[key]
	if !ok {
		if of, err = accessOf(ctx, crawler.Rules(a.ruling.Robots)); err == nil {
			a.known[key] = of
		}
	}
	return of, err
}

// preferences returns the preferences that the groups of a crawler state, without
// repetition.
func (a *accesses) preferences(crawler answer.Crawler) []string {
	stated := []string{}
	if a.ruling.Robots == nil {
		return stated
	}
	lines := make(map[int]bool)
	for e := range crawler.Rules(a.ruling.Robots).Extensions() {
		lines[e.Line] = true
	}
	for _, p := range a.view.Preferences {
		if text := Text(p); lines[p.Line] && !slices.Contains(stated, text) {
			stated = append(stated, text)
		}
	}
	return stated
}

// Text returns a preference in a few words: "/press/ ai-train=yes".
func Text(p wire.AIPreference) string {
	granted := "no"
	if p.Granted {
		granted = "yes"
	}
	return strings.TrimSpace(p.Path + " " + p.Use + "=" + granted)
}
