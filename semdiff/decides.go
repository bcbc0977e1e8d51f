package semdiff

import (
	"context"
	"fmt"

	"github.com/kosterhq/robotstxt"
)

// Decision is the verdict of rules about all paths of a pattern.
type Decision struct {
	// AllAllowed is true if it is proved that all paths are allowed, AllDisallowed
	// if it is proved that all are disallowed. If the pattern matches no path, both
	// are true.
	AllAllowed, AllDisallowed bool

	// Allowed and Disallowed are paths of the pattern with that verdict, nil if none
	// was found. If neither is nil, both verdicts occur.
	Allowed, Disallowed *Witness

	// Undecided is true if it is not known whether all paths have the same verdict.
	// Tried is the reason, in one clause.
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
// allow some of them. path is that pattern, read like the value of an Allow or
// Disallow line in the dialect of the rules: "/private/" matches all paths that
// begin with it, and "/private/$" only that path if the dialect has wildcards. An
// empty pattern matches every path. If path cannot be the value of such a line, for
// example because it contains '#', the Decision is undecided.
//
// In a dialect that always allows /robots.txt, that path is left out. The error is
// that of ctx. [RFC 9309 2.2.2]
func Decides(ctx context.Context, rules robotstxt.Rules, path string, config Config) (*Decision, error) {
	dialect := rules.Explain("/").Dialect
	s := newSolver(ctx, dialect, dialect, config.steps())
	under, ok := s.read(path)
	if !ok {
		return &Decision{Undecided: true, Tried: fmt.Sprintf("%q cannot be the pattern of a rule", path)}, ctx.Err()
	}
	d := &Decision{}
	c := s.claims(0, rules)
	s.budget.spend(readSteps*len(c.list), 0)
	d.Allowed, d.AllDisallowed = s.within(c, under, rules, true)
	d.Disallowed, d.AllAllowed = s.within(c, under, rules, false)
	if !d.AllAllowed && !d.AllDisallowed && (d.Allowed == nil || d.Disallowed == nil) {
		d.Undecided, d.Tried = true, s.budget.why
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return d, nil
}

// read returns the pattern of a rule's value.
func (s *solver) read(value string) (pattern int32, ok bool) {
	if value == "" {
		value = "/"
	}
	body := []byte("User-agent: *\nDisallow: " + value)
	for line := range robotstxt.Lines(body) {
		if line.Number > 2 || line.Number == 2 && string(line.Value) != value {
			return 0, false
		}
	}
	for _, claim := range s.claims(0, s.dialects[0].Parse(body).Rules()).list {
		if claim.line == 2 {
			return claim.pattern, true
		}
	}
	return 0, false
}

// within looks for a path of a pattern that has a verdict. There is none if a
// claim of the other verdict for the whole pattern, stronger than all but the
// implicit ones, changes nothing.
func (s *solver) within(c claims, pattern int32, rules robotstxt.Rules, allowed bool) (found *Witness, none bool) {
	implicit := 0
	for implicit < len(c.list) && c.list[implicit].line == 0 {
		implicit++
	}
	other := claims{rest: c.rest}
	other.list = append(other.list, c.list[:implicit]...)
	other.list = append(other.list, claim{pattern: pattern, allow: !allowed, priority: 1 << 30})
	other.list = append(other.list, c.list[implicit:]...)
	goal := goalOf(1, !allowed)
	var wanted [2]bool
	wanted[goal] = true
	a := s.shortest(c, other, wanted)
	if path := a.path[goal]; path != "" {
		_, line := rules.Verdict("http://host" + path)
		return &Witness{path, line, a.shortest[goal]}, false
	}
	return nil, a.done
}
