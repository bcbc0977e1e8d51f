package semdiff

import (
	"context"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/pattern"
)

// Extent is how much of a site a crawler may fetch.
type Extent string

// The extents. Except for ExtentUndecided they are proved.
const (
	ExtentOpen      Extent = "open"      // every URL
	ExtentClosed    Extent = "closed"    // no URL
	ExtentPartly    Extent = "partly"    // some URLs
	ExtentUndecided Extent = "undecided" // the budget ran out
	ExtentUnknown   Extent = "unknown"   // the rules are not known; no function of this package returns it
	ExtentDepends   Extent = "depends"   // parsers differ, and no source says how the crawler reads; likewise
)

const maxProbes = 16

// ExtentOf returns how much of a site the rules allow. For ExtentPartly, the witness is a
// path whose verdict differs from the verdict for "/"; otherwise it is nil. Most rules need
// no search.
//
// If the dialect always allows /robots.txt, ExtentOf omits that path. If ctx ends, ExtentOf
// returns ctx's error. [RFC 9309 2.2.2]
func ExtentOf(ctx context.Context, rules robotstxt.Rules, config Config) (Extent, *Witness, error) {
	if extent, witness := unsorted(rules); extent != ExtentUndecided {
		return extent, witness, ctx.Err()
	}
	stronger, allowed := usual(rules)
	if extent, witness := obvious(rules, stronger, allowed); extent != ExtentUndecided {
		return extent, witness, ctx.Err()
	}
	extent, witness := newDecider(ctx, rules, config.steps()).extent()
	if err := ctx.Err(); err != nil {
		return "", nil, err
	}
	return extent, witness, nil
}

func (d *decider) extent() (Extent, *Witness) {
	all := d.decide("")
	switch {
	case all.AllAllowed:
		return ExtentOpen, nil
	case all.AllDisallowed:
		return ExtentClosed, nil
	case all.Undecided:
		return ExtentUndecided, nil
	case d.rules.Allowed(anyHost + "/"):
		return ExtentPartly, all.Disallowed
	}
	return ExtentPartly, all.Allowed
}

// anyHost, before a path, makes a URL even if the path begins with two slashes.
const anyHost = "http://host"

// usual returns the rules that are stronger than the first rule that matches every path,
// and whether that rule allows. Without such a rule, it returns all rules and the verdict
// for paths that no rule matches. It omits implicit rules and rules without effect.
func usual(rules robotstxt.Rules) (stronger []robotstxt.Rule, allowed bool) {
	wildcards := rules.Dialect().Traits().Wildcards
	for rule := range rules.All() {
		p := pattern.New(rule.Pattern, wildcards)
		switch {
		case rule.Line == 0 || p.MatchesNone():
		case p.MatchesEvery():
			return stronger, rule.Allow || rule.Length == 0
		default:
			stronger = append(stronger, rule)
		}
	}
	return stronger, len(stronger) > 0 || rules.Allowed("/") // there might be no file
}

// obvious returns the extent if it needs no search: if all stronger rules have the usual
// verdict, or if paths that the stronger rules match have different verdicts.
func obvious(rules robotstxt.Rules, stronger []robotstxt.Rule, allowed bool) (Extent, *Witness) {
	if !slices.ContainsFunc(stronger, func(r robotstxt.Rule) bool { return r.Allow != allowed }) {
		if allowed {
			return ExtentOpen, nil
		}
		return ExtentClosed, nil
	}
	return probed(rules, stronger[:min(len(stronger), maxProbes)])
}

// probed returns ExtentPartly if paths that rules match have other verdicts than "/".
func probed(rules robotstxt.Rules, stronger []robotstxt.Rule) (Extent, *Witness) {
	home := rules.Allowed(anyHost + "/")
	for _, rule := range stronger {
		path := sample(rule.Pattern)
		if allowed, line := rules.Verdict(anyHost + path); allowed != home {
			return ExtentPartly, &Witness{Path: path, Line: line}
		}
	}
	return ExtentUndecided, nil
}

// unsorted is usual and obvious with the few strongest rules only, which need no sorting. It
// leaves what these do not show undecided, and index pages and dialects in which the first
// match decides. It is one function because the verdict needs all three weights of the loop.
func unsorted(rules robotstxt.Rules) (Extent, *Witness) {
	traits := rules.Dialect().Traits()
	if traits.FirstMatch {
		return ExtentUndecided, nil
	}
	var first strongest
	var every pattern.Weight             // of the strongest rule that matches every path
	var allows, disallows pattern.Weight // of the strongest other rules
	for group := range rules.Groups() {
		for rule := range group.Rules() {
			p := pattern.New(rule.Pattern, traits.Wildcards)
			weight := pattern.Weigh(rule.Length, rule.Allow, rule.Line)
			switch _, isIndex := p.Folder(); {
			case isIndex && rule.Allow && traits.IndexRule:
				return ExtentUndecided, nil
			case p.MatchesNone():
			case p.MatchesEvery():
				every = max(every, weight)
			case rule.Allow:
				allows = max(allows, weight)
				first.add(weight, rule)
			default:
				disallows = max(disallows, weight)
				first.add(weight, rule)
			}
		}
	}
	allowed := every.Allowed() // even without such a rule
	switch {
	case every == 0 && allows == 0 && disallows == 0:
		return ExtentUndecided, nil // there might be no file
	case allowed && disallows < every, allowed && disallows == 0:
		return ExtentOpen, nil
	case !allowed && allows < every:
		return ExtentClosed, nil
	}
	return probed(rules, first.over(every))
}

// strongest keeps a few rules with the highest weights, the highest first.
type strongest struct {
	weights [maxStrongest]pattern.Weight
	rules   [maxStrongest]robotstxt.Rule
	count   int
}

const maxStrongest = 4

func (s *strongest) add(weight pattern.Weight, rule robotstxt.Rule) {
	if s.count == maxStrongest && weight <= s.weights[maxStrongest-1] {
		return
	}
	s.count = min(s.count+1, maxStrongest)
	at := s.count - 1
	for ; at > 0 && s.weights[at-1] < weight; at-- {
		s.weights[at], s.rules[at] = s.weights[at-1], s.rules[at-1]
	}
	s.weights[at], s.rules[at] = weight, rule
}

func (s *strongest) over(weight pattern.Weight) []robotstxt.Rule {
	n := 0
	for n < s.count && s.weights[n] > weight {
		n++
	}
	return s.rules[:n]
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
