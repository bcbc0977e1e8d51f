package aiview

import (
	"context"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/permission"
	"github.com/kosterhq/robotstxt/semdiff"
)

// Extents finds how much of a site is open to the tokens that decide about uses. It keeps its
// results, so it is not safe for concurrent use.
type Extents struct {
	Robots *permission.Robots // the facts about the file

	ruling *answer.Ruling
	known  map[rulesKey]*extent
}

// rulesKey identifies the rules of crawlers that have the same groups in one dialect and the
// same groups in the dialect of their other reading.
type rulesKey struct {
	dialect      robotstxt.Dialect
	token, other string
}

// extent is what some rules allow.
type extent struct {
	wire.PermitExtent
	rules robotstxt.Rules
}

// NewExtents returns the extents of the file of a ruling.
func NewExtents(ruling *answer.Ruling) *Extents {
	return &Extents{ruling: ruling, Robots: ruling.Permission(), known: make(map[rulesKey]*extent)}
}

// Are reports whether these are the extents of the file of a ruling.
func (e *Extents) Are(ruling *answer.Ruling) bool {
	return e.ruling.File == ruling.File && e.ruling.Site == ruling.Site
}

// Of returns how much of the site is open to the token that decides about a use. The extent is
// unknown if no token decides. If ctx ends, Of returns ctx's error.
func (e *Extents) Of(ctx context.Context, use *permission.Use) (*wire.PermitExtent, error) {
	of, err := e.of(ctx, use)
	if err != nil {
		return nil, err
	}
	found := of.PermitExtent
	found.Group = groupOf(use)
	return &found, nil
}

// groupOf returns whose group decides about a use.
func groupOf(use *permission.Use) string {
	agent := use.Rules.Agent()
	switch by := use.Rules.MatchedBy(); {
	case use.Token == "" || by == robotstxt.MatchedByNone:
		return "none"
	case by == robotstxt.MatchedByStar:
		return "all (*)"
	case len(use.Reading.Tokens) > 0 && !ascii.EqualFold(agent, use.Reading.Tokens[0]):
		return agent + "'s"
	}
	return "its own"
}

// of returns the extent, which crawlers with the same rules share.
func (e *Extents) of(ctx context.Context, use *permission.Use) (*extent, error) {
	of := &extent{PermitExtent: wire.PermitExtent{Extent: semdiff.ExtentUnknown, Except: []wire.Exception{}, Otherwise: wire.VerdictUnknown}, rules: use.Rules}
	switch {
	case use.Token == "":
		return of, nil
	case !e.ruling.HasFile():
		of.Extent = semdiff.ExtentClosed
		allowed := use.Rules.Allowed("/")
		if of.Otherwise = wire.VerdictOf(allowed); allowed {
			of.Extent = semdiff.ExtentOpen
		}
		return of, nil
	}
	crawler := answer.Crawler{Reading: use.Reading}
	key := rulesKey{dialect: crawler.Dialect, token: ascii.ToLower(use.Rules.Agent())}
	if other, ok := crawler.Other(); ok {
		key.other = "," + ascii.ToLower(other.Rules(e.ruling.Parsed(other.Dialect)).Agent())
	}
	if known, ok := e.known[key]; ok {
		return known, nil
	}
	got, err := semdiff.AccessOf(ctx, use.Rules, semdiff.Config{})
	if err == nil {
		of.Extent, err = crawler.Extent(ctx, got.Extent, use.Rules, e.ruling.Parsed, semdiff.Config{})
	}
	if err != nil {
		return nil, err
	}
	e.known[key] = of
	if of.Extent == semdiff.ExtentUndecided || of.Extent == semdiff.ExtentDepends {
		return of, nil
	}
	of.Otherwise = wire.VerdictOf(got.Allowed)
	for _, exception := range got.Except {
		of.Except = append(of.Except, wire.Exception(exception))
	}
	asWritten(of.Except, e.ruling.File)
	return of, nil
}

// asWritten replaces patterns in a dialect's encoding with the patterns as the file has
// them. A line with two patterns, an index page and its folder, keeps them.
func asWritten(exceptions []wire.Exception, file *answer.File) {
	lines := make(map[int]int)
	for _, e := range exceptions {
		lines[e.Line]++
	}
	for i := range exceptions {
		if e := &exceptions[i]; lines[e.Line] == 1 {
			e.Pattern = file.Value(e.Line)
		}
	}
}
