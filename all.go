package robotstxt

import (
	"cmp"
	"iter"
	"slices"

	"github.com/kosterhq/robotstxt/internal/pattern"
)

// weighted is a pattern by which a rule matches, with its weight.
type weighted struct {
	pattern pattern.Pattern
	weight  pattern.Weight
	folder  bool // the pattern is that of the rule's folder (G53)
}

// inFileOrder yields the patterns of the chosen groups' rules in file order. An
// Allow of an index page has two: where both match, its own weighs more.
func (r Rules) inFileOrder() iter.Seq[weighted] {
	return func(yield func(weighted) bool) {
		for group := range r.groups() {
			start, end := r.robots.ruleRange(group)
			for i := start; i < end; i++ {
				rule := r.robots.rule(i)
				p, allow, line := rule.pattern(), rule.allow(), int(rule.line)
				if !yield(weighted{p, pattern.Weigh(p.Priority(), allow, line), false}) {
					return
				}
				if p, ok := rule.folder(); ok && !yield(weighted{p, pattern.Weigh(p.Priority(), allow, line), true}) {
					return
				}
			}
		}
	}
}

// All yields the rules that apply to the crawler, strongest first: the first one
// whose pattern matches a path decides, and if its Length is 0 or none matches,
// the path is allowed (G49–G54). Paths are compared as Dialect.EncodePath returns
// them; Dialect.Traits says whether patterns have wildcards. The position in the
// sequence is the rule's rank. In Koster1996 it is that in the file, because the
// first match decides.
//
// An Allow of an index page is yielded twice where the dialect has the index
// rule: with its own pattern, and as a weaker rule with that of its folder, whose
// Folder is true (G53). In RFC9309 the first rule is the implicit Allow of
// /robots.txt, with Line 0 (RFC 9309 2.2.2).
//
// AllowAll, DisallowAll and the zero Rules yield nothing; Allowed gives their
// verdict. All sorts, and so allocates, each time it is iterated.
func (r Rules) All() iter.Seq[Rule] {
	return func(yield func(Rule) bool) {
		if r.robots == nil {
			return
		}
		reading := r.robots.dialect.reading()
		if reading.openRobots && !yield(Rule{Allow: true, Pattern: robotsPath + "$", Length: len(robotsPath) + 1}) {
			return
		}
		rules := slices.Collect(r.inFileOrder())
		if !reading.FirstMatch {
			slices.SortFunc(rules, func(a, b weighted) int { return cmp.Compare(b.weight, a.weight) })
		}
		for _, w := range rules {
			if !yield(Rule{w.weight.Allow(), w.pattern.String(), w.weight.Priority(), w.weight.Line(), w.folder}) {
				return
			}
		}
	}
}
