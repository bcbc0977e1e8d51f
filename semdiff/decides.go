package semdiff

import (
	"context"
	"fmt"

	"github.com/kosterhq/robotstxt"
)

// Decision is what rules decide about all paths of a pattern.
type Decision struct {
	// AllAllowed and AllDisallowed are true if that is proved. Both are if the
	// pattern matches no path.
	AllAllowed, AllDisallowed bool

	// Allowed and Disallowed are paths of the pattern with that verdict, nil if
	// none was found. If both are there, it is some of both.
	Allowed, Disallowed *Witness

	// Undecided says that it is neither proved that all paths have one verdict
	// nor known that both occur. Tried says why, in one clause.
	Undecided bool
	Tried     string
}

// Witness is a path with its deciding line.
type Witness struct {
	Path     string // see Change.Witness
	Line     int    // 0 if no line decides
	Shortest bool   // see Change.Shortest
}

// Decides says whether everything under a path pattern is allowed, disallowed,
// or some of both. The pattern is read like the value of an Allow or Disallow
// line in the dialect of the rules: "/private/" is all paths that begin so, and
// "/private/$" is that path alone where the dialect has wildcards. An empty
// pattern is every path. What cannot be the value of such a line, for instance
// a text with '#', is undecided.
//
// The path of the robots.txt itself does not count in a dialect that always
// allows it (RFC 9309 2.2.2). The error is that of ctx.
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
