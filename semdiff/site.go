package semdiff

import (
	"slices"

	"github.com/kosterhq/robotstxt"
)

// SiteChange is a change that closes or opens a whole site, or all of it but a few patterns.
type SiteChange struct {
	Opens bool // the site is open now; otherwise it is closed now

	// But contains the patterns of all paths with the other verdict, in the order of
	// their lines. It is nil if the change applies to the whole site.
	But []string

	// Before is the access before the change. If it has many exceptions, Except is nil.
	Before Access
}

// maxBut bounds the patterns of a SiteChange, and sitePart is the part of the budget that
// the proof for each of the two files can take.
const (
	maxBut   = 3
	sitePart = 8
)

// site returns the change of a site for which it is proved that some paths open and none
// close, or the other way round. It is nil if more than a few patterns do not change, or
// if that is undecided.
func (c *comparison) site(effect Effect, rules [2]robotstxt.Rules) *SiteChange {
	if effect != Opens && effect != Closes {
		return nil
	}
	opens := effect == Opens
	if _, allowed := usual(rules[1]); allowed != opens {
		return nil
	}
	after := c.access(rules[1])
	change := &SiteChange{Opens: opens}
	switch {
	case after.Extent == ExtentUndecided, after.Extent == ExtentPartly && after.Except == nil:
		return nil
	case after.Extent == ExtentPartly:
		_, before := usual(rules[0])
		if before == opens || slices.ContainsFunc(after.Except, func(e Exception) bool { return e.Part }) {
			return nil
		}
		for _, e := range after.Except {
			change.But = append(change.But, e.Pattern)
		}
	}
	change.Before = c.access(rules[0])
	return change
}

// access is AccessOf within the budget of the comparison. If there are many exceptions, it omits them.
func (c *comparison) access(rules robotstxt.Rules) Access {
	budget := c.solver.budget
	a := accessOf(budget.ctx, rules, budget.steps/sitePart, maxBut)
	budget.spend(a.Steps, 0)
	return *a
}
