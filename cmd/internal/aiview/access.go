package aiview

import (
	"context"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	extent "github.com/kosterhq/robotstxt/cmd/internal/access"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
	"github.com/kosterhq/robotstxt/semdiff"
)

// The bounds of the proofs about one crawler. A file with more rules is listed with
// exceptions that may be so in part only.
const (
	stepsPerRule = semdiff.DefaultSteps / 50
	mostRules    = 200
)

// accessOf returns what rules allow, with every rule that makes an exception. That there
// are no others needs no proof: the first rule that matches every path decides wherever
// no stronger rule does, and a path of another verdict is matched by a stronger rule of
// that verdict.
func accessOf(ctx context.Context, rules robotstxt.Rules) (of access, err error) {
	of.except = []wire.Exception{}
	whole, err := extent.Of(ctx, rules, semdiff.Config{})
	if err != nil {
		return of, err
	}
	switch whole {
	case extent.Open:
		of.access = wire.AccessAll
		return of, nil
	case extent.Closed:
		of.access = wire.AccessNone
		return of, nil
	case extent.Undecided:
		of.access = wire.AccessUndecided
		return of, nil
	}
	stronger, allowed := beforeUniversal(rules)
	of.access = wire.AccessNone
	if allowed {
		of.access = wire.AccessAll
	}
	for _, rule := range stronger {
		if rule.Allow == allowed {
			continue
		}
		e := wire.Exception{Line: rule.Line, Pattern: rule.Pattern, Part: true}
		if len(of.except) < mostRules {
			d, err := semdiff.Decides(ctx, rules, rule.Pattern, semdiff.Config{Steps: stepsPerRule})
			if err != nil {
				return of, err
			}
			if allowed && d.AllAllowed || !allowed && d.AllDisallowed {
				continue // other rules are stronger everywhere
			}
			e.Part = !(allowed && d.AllDisallowed || !allowed && d.AllAllowed)
		}
		of.except = append(of.except, e)
	}
	slices.SortStableFunc(of.except, func(a, b wire.Exception) int { return a.Line - b.Line })
	return of, nil
}

// beforeUniversal returns the rules that are stronger than the first one that matches every
// path, and whether that one allows. Without such a rule it returns all, and true.
func beforeUniversal(rules robotstxt.Rules) (stronger []robotstxt.Rule, allowed bool) {
	wildcards := rules.Explain("/").Dialect.Traits().Wildcards
	for rule := range rules.All() {
		switch {
		case rule.Length == 0 || rule.Line == 0: // no path; the implicit rule for /robots.txt
		case isUniversal(rule.Pattern, wildcards):
			return stronger, rule.Allow
		default:
			stronger = append(stronger, rule)
		}
	}
	return stronger, true
}

// isUniversal reports whether a pattern matches every path.
func isUniversal(pattern string, wildcards bool) bool {
	if !wildcards {
		return pattern == "/"
	}
	if open, anchored := strings.CutSuffix(pattern, "*$"); anchored {
		pattern = open + "*"
	}
	pattern = strings.Trim(pattern, "*")
	return pattern == "" || pattern == "/"
}
