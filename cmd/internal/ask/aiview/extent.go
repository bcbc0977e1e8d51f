package aiview

import (
	"context"
	"slices"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/permission"
	"github.com/kosterhq/robotstxt/semdiff"
)

// Extents finds how much of a site is open to the tokens that decide about uses. It proves the same
// rules in the same dialect once, and all its proofs together take at most semdiff.DefaultSteps.
// It keeps its results, so it is not safe for concurrent use.
type Extents struct {
	Robots *permission.Robots // the facts about the file

	ruling *answer.Ruling
	known  map[rulesKey]*extent
	proofs map[digest]*proof
	agree  map[[2]digest]semdiff.Agreement
	steps  int // that are left
}

// proofPart is the part of semdiff.DefaultSteps that one proof can take.
const proofPart = 8

// rulesKey identifies the rules of crawlers that have the same groups in one dialect and the
// same groups in the dialect of their other reading.
type rulesKey struct {
	dialect      robotstxt.Dialect
	token, other string
}

type extent struct {
	wire.PermitExtent
	rules  robotstxt.Rules
	digest digest // of the rules
	lines  digest // of the extent and its exceptions
}

// proof is the access by rules, which equal rules of other lines have too.
type proof struct {
	access *semdiff.Access
	lines  []int // of the rules that were proved, in file order
}

// NewExtents returns the extents of the file of a ruling.
func NewExtents(ruling *answer.Ruling) *Extents {
	return &Extents{
		ruling: ruling, Robots: ruling.Permission(), known: make(map[rulesKey]*extent), proofs: make(map[digest]*proof),
		agree: make(map[[2]digest]semdiff.Agreement), steps: semdiff.DefaultSteps,
	}
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

func groupOf(use *permission.Use) string {
	switch by := use.Rules.MatchedBy(); {
	case use.Token == "" || by == robotstxt.MatchedByNone:
		return "none"
	case by == robotstxt.MatchedByStar:
		return "all (*)"
	case by == robotstxt.MatchedByFallback:
		return use.Rules.Agent() + "'s"
	}
	return "its own"
}

// of returns the extent, which crawlers with the same rules share.
func (e *Extents) of(ctx context.Context, use *permission.Use) (*extent, error) {
	of := &extent{PermitExtent: wire.PermitExtent{Extent: semdiff.ExtentUnknown, Except: []wire.Exception{},
		Otherwise: wire.VerdictUnknown}, rules: use.Rules}
	switch {
	case use.Token == "":
		return of, nil
	case !e.ruling.HasFile():
		of.Extent = semdiff.ExtentClosed
		allowed := use.Rules.Allowed("/")
		of.Otherwise = wire.VerdictOf(allowed)
		if allowed {
			of.Extent = semdiff.ExtentOpen
		}
		return of, nil
	}
	key := rulesKey{dialect: use.Rules.Dialect(), token: ascii.ToLower(use.Rules.Agent())}
	other, isInDoubt := use.Reading.Other()
	var otherRules robotstxt.Rules
	if isInDoubt {
		otherRules = other.Rules(e.ruling.Parsed(other.Dialect))
		key.other = "," + ascii.ToLower(otherRules.Agent())
	}
	if known, ok := e.known[key]; ok {
		return known, nil
	}
	of.digest = digestOf(use.Rules)
	access, err := e.access(ctx, of)
	if err == nil {
		of.Extent = access.Extent
		if isInDoubt && of.Extent != semdiff.ExtentUndecided {
			of.Extent, err = e.inEither(ctx, of, otherRules)
		}
	}
	if err != nil {
		return nil, err
	}
	e.known[key] = of
	if of.Extent != semdiff.ExtentUndecided && of.Extent != semdiff.ExtentDepends {
		of.Otherwise = wire.VerdictOf(access.Allowed)
		for _, exception := range access.Except {
			of.Except = append(of.Except, wire.Exception(exception))
		}
		asWritten(of.Except, e.ruling.File)
	}
	of.lines = digestOfLines(of)
	return of, nil
}

func (e *Extents) config() semdiff.Config {
	return semdiff.Config{Steps: max(1, min(e.steps, semdiff.DefaultSteps/proofPart))}
}

func (e *Extents) access(ctx context.Context, of *extent) (*semdiff.Access, error) {
	known, ok := e.proofs[of.digest]
	if !ok {
		access, err := semdiff.AccessOf(ctx, of.rules, e.config())
		if err != nil {
			return nil, err
		}
		e.steps -= access.Steps
		e.proofs[of.digest] = &proof{access, linesOf(of.rules)}
		return access, nil
	}
	lines := linesOf(of.rules)
	access := *known.access
	access.Except = slices.Clone(access.Except)
	for i := range access.Except {
		at, _ := slices.BinarySearch(known.lines, access.Except[i].Line)
		access.Except[i].Line = lines[at]
	}
	return &access, nil
}

// inEither returns the extent of rules for a crawler that might have other rules, because parsers
// differ. If these allow other URLs, the extent depends on the parser, see [crawlers.Reading.Other].
func (e *Extents) inEither(ctx context.Context, of *extent, other robotstxt.Rules) (semdiff.Extent, error) {
	found, err := e.agreement(ctx, of, &extent{rules: other, digest: digestOf(other)})
	switch {
	case !found.Decided:
		return semdiff.ExtentUndecided, err
	case !found.Agree:
		return semdiff.ExtentDepends, err
	}
	return of.Extent, err
}

func (e *Extents) agreement(ctx context.Context, a, b *extent) (semdiff.Agreement, error) {
	if a.digest == b.digest {
		return semdiff.Agreement{Agree: true, Decided: true}, nil
	}
	key := [2]digest{a.digest, b.digest}
	found, known := e.agree[key]
	if !known {
		var err error
		found, err = semdiff.Agree(ctx, a.rules, b.rules, e.config())
		if err != nil {
			return found, err
		}
		e.steps -= found.Steps
		e.agree[key] = found
	}
	return found, nil
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
