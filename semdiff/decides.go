package semdiff

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/kosterhq/robotstxt"
)

// Decision is the verdict of rules about all paths of a pattern.
type Decision struct {
	// AllAllowed is true if all paths are proved to be allowed, AllDisallowed if all
	// are proved to be disallowed. If the pattern matches no path, both are true.
	AllAllowed, AllDisallowed bool

	// Allowed and Disallowed are paths of the pattern with that verdict, or nil if
	// Decides found none. If neither is nil, both verdicts occur.
	Allowed, Disallowed *Witness

	// Undecided is true if Decides could not tell whether all paths have the same
	// verdict. Tried is the reason, in one clause.
	Undecided bool
	Tried     string
}

// Witness is a path with its deciding line.
type Witness struct {
	Path     string // see Change.Witness
	Line     int    // 0 if no line decides
	Shortest bool   // see Change.Shortest
}

// Decides returns whether the rules allow all paths of a pattern, disallow all, or
// allow only some. It reads path like the value of an Allow or Disallow line, in the
// dialect of the rules: "/private/" matches all paths that begin with it, and, if the
// dialect has wildcards, "/private/$" matches only that path. An empty pattern matches
// every path. If path cannot be the value of such a line, for example because it
// contains '#', the Decision is undecided.
//
// If the dialect always allows /robots.txt, Decides omits that path. If ctx ends,
// Decides returns ctx's error. [RFC 9309 2.2.2]
func Decides(ctx context.Context, rules robotstxt.Rules, path string, config Config) (*Decision, error) {
	d := newDecider(ctx, rules, config.steps()).decide(path)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return d, nil
}

type decider struct {
	solver *solver
	rules  robotstxt.Rules
	claims claims
}

func newDecider(ctx context.Context, rules robotstxt.Rules, steps int) *decider {
	dialect := rules.Dialect()
	s := newSolver(ctx, dialect, dialect, steps)
	d := &decider{s, rules, s.claims(0, rules)}
	s.budget.spend(readSteps*len(d.claims.list), 0)
	return d
}

func (d *decider) decide(path string) *Decision {
	under, ok := d.solver.read(path)
	if !ok {
		return &Decision{Undecided: true, Tried: fmt.Sprintf("%q cannot be the pattern of a rule", path)}
	}
	to := &Decision{AllAllowed: true, AllDisallowed: true}
	for _, pattern := range under {
		allowed, noneAllowed := d.shortest(pattern, true)
		disallowed, noneDisallowed := d.shortest(pattern, false)
		to.Allowed = cmp.Or(to.Allowed, allowed)
		to.AllDisallowed = to.AllDisallowed && noneAllowed
		to.Disallowed = cmp.Or(to.Disallowed, disallowed)
		to.AllAllowed = to.AllAllowed && noneDisallowed
	}
	if !to.AllAllowed && !to.AllDisallowed && (to.Allowed == nil || to.Disallowed == nil) {
		to.Undecided, to.Tried = true, d.solver.budget.why
	}
	return to
}

// read returns patterns that together match the paths of a rule's value.
func (s *solver) read(value string) (patterns []int32, ok bool) {
	if value == "" {
		value = "/"
	}
	body := []byte("User-agent: *\nDisallow: " + value)
	for line := range robotstxt.Lines(body) {
		if line.Number > 2 || line.Number == 2 && string(line.Value) != value {
			return nil, false
		}
	}
	for _, claim := range s.claims(0, s.dialects[0].Parse(body).Rules()).list {
		if claim.line == 2 {
			patterns = append(patterns, claim.pattern)
		}
	}
	return patterns, len(patterns) > 0
}

func (d *decider) extentAlone() Extent {
	every, _ := d.solver.read("")
	allowed, disallowed := d.reach(every, true), d.reach(every, false)
	switch {
	case disallowed == none:
		return ExtentOpen
	case allowed == none:
		return ExtentClosed
	case allowed == some && disallowed == some:
		return ExtentPartly
	}
	return ExtentUndecided
}

func (d *decider) reach(under []int32, allowed bool) outcome {
	all := none
	for _, pattern := range under {
		switch a := d.within(pattern, allowed, d.solver.reach); {
		case a.found():
			return some
		case !a.done:
			all = notKnown
		}
	}
	return all
}

func (d *decider) shortest(pattern int32, allowed bool) (found *Witness, none bool) {
	a := d.within(pattern, allowed, d.solver.shortest)
	goal := goalOf(1, !allowed)
	if path := a.path[goal]; path != "" {
		_, line := d.rules.Verdict(anyHost + path)
		return &Witness{path, line, a.shortest[goal]}, false
	}
	return nil, a.done
}

// within looks for a path of a pattern with a verdict. It adds a claim with the other
// verdict for the whole pattern, weaker only than the implicit claims, and solves for which
// paths the verdict changes. If no verdict changes, the pattern has no such path.
func (d *decider) within(pattern int32, allowed bool, solve func(old, new claims, wanted [2]bool) answer) answer {
	c := d.claims
	implicit := 0
	for implicit < len(c.list) && c.list[implicit].line == 0 {
		implicit++
	}
	whole := claim{pattern: pattern, allow: !allowed, priority: 1 << 30}
	other := claims{slices.Insert(slices.Clone(c.list), implicit, whole), c.rest}
	var wanted [2]bool
	wanted[goalOf(1, !allowed)] = true
	return solve(c, other, wanted)
}
