package robotstxt

import (
	"cmp"
	"iter"
	"slices"

	"github.com/kosterhq/robotstxt/internal/pattern"
)

// weighted is a pattern of a rule, with the rule's weight.
type weighted struct {
	pattern pattern.Pattern
	weight  pattern.Weight
	folder  bool // pattern is the folder of an index page [G53]
}

// inFileOrder yields the patterns of the rules of r in file order. An Allow of an
// index page has two patterns; if both match, its own weighs more than the folder's.
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

// All yields the rules that apply to the crawler, strongest first. The first rule
// whose pattern matches a path decides. The path is allowed if no rule matches, or
// if the Length of the first one is 0 [G49–G54]. In Koster1996 the rules are in file
// order, because the first match decides.
//
// To match the patterns yourself, compare them with the path that
// Dialect.EncodePath returns; Dialect.Traits says whether they contain wildcards.
//
// If the dialect has the index rule, All yields an Allow of an index page twice:
// with its own pattern, and later as a weaker rule with the pattern of its folder
// and Folder set [G53]. In RFC9309 the first rule is the implicit Allow of
// /robots.txt, with Line 0 [RFC 9309 2.2.2].
//
// AllowAll, DisallowAll and the zero Rules yield nothing; call Allowed for their
// verdict. All sorts, and therefore allocates, each time it is iterated.
func (r Rules) All() iter.Seq[Rule] {
	return func(yield func(Rule) bool) {
		if r.robots == nil {
			return
		}
		reading := r.robots.dialect.reading()
		if reading.openRobots && !yield(Rule{Allow: true, Pattern: robotsPath + "$", Length: len(robotsPath) + 1}) {
			return
		}
		size := 0
		for group := range r.groups() {
			start, end := r.robots.ruleRange(group)
			size += int(end - start)
		}
		rules := slices.AppendSeq(make([]weighted, 0, size), r.inFileOrder())
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
