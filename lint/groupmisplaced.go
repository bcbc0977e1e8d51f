package lint

import (
	"slices"

	"github.com/kosterhq/robotstxt"
)

var rxRulesInTheWrongGroup = check{Entry: &Entry{
	Code: "RX314", Name: "rules-in-the-wrong-group", Severity: Warning,
	Title: "Rules that look as if they were for all apply only to the crawlers above.",
	Why:   "A blank line or a comment does not end a group (RFC 9309 2.2, G34). Often a group for one crawler was inserted in front of the rules for all, so these apply to that crawler only. Reported if rules for parts of the site follow one for everything and a gap. It is info after an Allow.",
	Bad:   "User-agent: rogerbot\nDisallow: /\n\nDisallow: /search/\nDisallow: /cart/\n",
	Good:  "User-agent: rogerbot\nDisallow: /\n\nUser-agent: *\nDisallow: /search/\nDisallow: /cart/\n",
}}

func inspectMisplaced(d *document) {
	for i := range d.groups {
		g := &d.groups[i]
		n := d.misplaced(g)
		if n > 0 {
			d.findMisplaced(g, n)
		}
	}
}

// misplaced returns how many rules of a group are before those that look as if they were for all: a gap is before
// these, or no group is for all. It is 0 if there are none.
func (d *document) misplaced(g *group) int {
	n := slices.IndexFunc(g.rules, func(r robotstxt.Rule) bool { return !d.isForAll(r) })
	if n <= 0 || g.forAll {
		return 0
	}
	before, first, rest := g.rules[n-1], g.rules[n], g.rules[n:]
	gap := slices.ContainsFunc(d.lines[before.Line:first.Line-1], isGap) ||
		before.Pattern == "" && !d.namesEveryone() // the User-agent line of the rest might be lost
	if !gap || !d.areForParts(rest) || !d.opensForAll(rest) {
		return 0
	}
	return n
}

// namesEveryone reports whether a line names all crawlers, or means to. The lines are read once.
func (d *document) namesEveryone() bool {
	if d.everyone == 0 {
		names := slices.ContainsFunc(d.lines, func(l line) bool {
			return l.kind == robotstxt.KindUserAgent && (namesAll(&l) || isEveryone(string(l.value())))
		})
		d.everyone = choose(names, 1, -1)
	}
	return d.everyone > 0
}

func (d *document) findMisplaced(g *group, n int) {
	before, first, rest := g.rules[n-1], g.rules[n], g.rules[n:]
	more := len(g.agents) - 1
	who := d.nameOf(g.agents[0]) + choose(more > 0, " and "+number(more, "other crawler"), "")
	format := "These %d rules apply to %s only. Put them under User-agent: *%s if they are for all."
	args := []any{len(rest), who, choose(d.hasOthers(g), " and into the other groups, which do not follow it,", "")}
	if len(rest) == 1 {
		format, args = "This rule applies to %s only. Put it under User-agent: *%s if it is for all.", args[1:]
	}
	f := d.findLine(rxRulesInTheWrongGroup.infoIf(before.Allow), d.line(first.Line), format, args...)
	f.Related = []Related{relatedRule(&before)}
}

// hasOthers reports whether the file has groups for named crawlers in addition to one. What is put under * does not
// apply to these.
func (d *document) hasOthers(g *group) bool {
	return slices.ContainsFunc(d.groups, func(other group) bool {
		return !other.forAll && other.agents[0].Line != g.agents[0].Line
	})
}

// opensForAll reports whether the crawlers without a group may fetch a path that one of the rules closes.
// Each question takes time in proportion to the rules of the group for *, so the first rules decide.
func (d *document) opensForAll(rules []robotstxt.Rule) bool {
	const most = 20
	star := d.robots.Rules()
	return slices.ContainsFunc(rules[:min(len(rules), most)], func(r robotstxt.Rule) bool {
		if r.Allow {
			return false
		}
		open, _ := star.Verdict(exemplar(r.Pattern))
		return open
	})
}
