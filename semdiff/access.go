package semdiff

import (
	"context"
	"slices"

	"github.com/kosterhq/robotstxt"
)

// Access is how much of a site the rules allow, and which rules make exceptions.
type Access struct {
	Extent Extent

	// Allowed is the verdict for the paths that no exception matches. It is false if
	// Extent is ExtentUndecided.
	Allowed bool

	// Except contains the rules that make exceptions, in the order of their lines. It is
	// empty unless Extent is ExtentPartly.
	Except []Exception

	Steps int // how much of Config.Steps was used
}

// Exception is a rule that gives all or some of its paths a different verdict from the rest
// of the site.
type Exception struct {
	Line    int
	Pattern string // in the dialect's encoding
	Part    bool   // not all paths that it matches are an exception, or that is undecided
}

// AccessOf is like ExtentOf and also returns every rule that makes an exception. By
// default, the strongest rule that matches every path decides, so only a stronger rule can give
// a path the other verdict. Most exceptions need no search; a search for one takes at most a
// fiftieth of the budget. Exceptions that are not proved are listed with Part set.
func AccessOf(ctx context.Context, rules robotstxt.Rules, config Config) (*Access, error) {
	a := accessOf(ctx, rules, config.steps())
	return a, ctx.Err()
}

// accessOf is AccessOf without the error.
func accessOf(ctx context.Context, rules robotstxt.Rules, steps int) *Access {
	extent, _ := unsorted(rules)
	if extent == ExtentOpen || extent == ExtentClosed {
		return &Access{Extent: extent, Allowed: extent == ExtentOpen}
	}
	stronger, allowed := usual(rules)
	if extent == ExtentUndecided {
		extent, _ = obvious(rules, stronger, allowed)
	}
	a := &Access{Extent: extent, Allowed: allowed}
	reading := readSteps * len(stronger)
	contrary := against(stronger, allowed)
	switch {
	case extent == ExtentOpen || extent == ExtentClosed:
	case reading < steps:
		d := newDecider(ctx, rules, steps)
		a.prove(d, contrary)
		a.Steps = steps - d.solver.budget.steps
	case extent == ExtentPartly:
		a.Except = unproved(contrary)
	}
	if a.Extent != ExtentPartly {
		a.Allowed = a.Extent == ExtentOpen
	}
	return a
}

// contraryTo returns the rules that might make exceptions, and the verdict for other paths.
func contraryTo(rules robotstxt.Rules) (contrary []robotstxt.Rule, allowed bool) {
	stronger, allowed := usual(rules)
	return against(stronger, allowed), allowed
}

func against(rules []robotstxt.Rule, allowed bool) []robotstxt.Rule {
	return slices.DeleteFunc(rules, func(r robotstxt.Rule) bool { return r.Allow == allowed })
}

func (a *Access) prove(d *decider, contrary []robotstxt.Rule) {
	if a.Extent == ExtentUndecided {
		a.Extent = d.extentAlone()
	}
	if a.Extent == ExtentPartly && len(contrary) > 0 {
		a.Except = newExceptions(d, a.Allowed).among(contrary)
	}
}
