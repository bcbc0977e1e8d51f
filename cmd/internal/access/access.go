// Package access summarises how much of a site a crawler may fetch: all of it, nothing,
// or a part.
package access

import (
	"context"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/semdiff"
)

// Access is how much of a site a crawler may fetch.
type Access string

// The values of Access. Undecided means that the search of semdiff gave up.
const (
	Open      Access = "open"   // every URL
	Closed    Access = "closed" // no URL
	Partly    Access = "partly" // some URLs
	Undecided Access = "undecided"
)

// maxProbes bounds the paths that are tried before a proof is searched for.
const maxProbes = 16

// Of returns how much of a site rules allow. It is exact: Open and Closed are proved,
// and for Partly there are two paths with different verdicts. In a dialect that always
// allows /robots.txt, that path does not count. The error is that of ctx.
func Of(ctx context.Context, rules robotstxt.Rules, config semdiff.Config) (Access, error) {
	if access, ok := Obvious(rules); ok {
		return access, nil
	}
	decision, err := semdiff.Decides(ctx, rules, "", config)
	switch {
	case err != nil:
		return "", err
	case decision.AllAllowed:
		return Open, nil
	case decision.AllDisallowed:
		return Closed, nil
	case decision.Allowed != nil && decision.Disallowed != nil:
		return Partly, nil
	}
	return Undecided, nil
}

// Obvious returns how much of a site rules allow if no search is needed for the proof:
// without a Disallow everything is allowed, with nothing but "Disallow: /" nothing is,
// and the patterns themselves are paths that often have different verdicts.
func Obvious(rules robotstxt.Rules) (Access, bool) {
	home := rules.Allowed("/")
	allows, disallows, probes, closes := 0, 0, 0, false
	for rule := range rules.All() {
		switch {
		case rule.Line == 0: // the implicit Allow of /robots.txt
			continue
		case rule.Allow:
			allows++
		case rule.Length > 0:
			disallows++
			closes = closes || rule.Pattern == "/"
		}
		if probes++; probes <= maxProbes && rule.Length > 0 && rules.Allowed(sample(rule.Pattern)) != home {
			return Partly, true
		}
	}
	switch {
	case disallows == 0:
		return Open, home
	case allows == 0 && closes:
		return Closed, !home
	}
	return "", false
}

// sample returns a path that the pattern of a rule probably matches.
func sample(pattern string) string {
	pattern = strings.TrimSuffix(strings.ReplaceAll(pattern, "*", ""), "$")
	if !strings.HasPrefix(pattern, "/") {
		pattern = "/" + pattern
	}
	if strings.HasPrefix(pattern, "/robots.txt") {
		return "/"
	}
	return pattern
}
