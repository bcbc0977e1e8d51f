package lint

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/semdiff"
)

// Redundant rules
//
// semdiff.Minimize finds rules that can be removed, alone or any selection of them,
// without a change for any crawler. The search is made in the dialect of the profile. A
// removal is a plain fix only if it is possible in all dialects.

var rxDeadRule = check{Entry: &Entry{
	Code: "RX208", Name: "redundant-rule", Severity: Warning, Once: Info,
	Title: "A rule has no effect, because other rules decide about the same URLs.",
	Why:   "The longest rule that matches a URL wins, and Allow wins if two are equally long (RFC 9309 2.2.2, G49, G50). This rule makes no difference to any URL. It is a warning if the other rules say the opposite. If they say the same, it is info, and reported if the file would be much shorter, or with --pedantic.",
	Bad:   "User-agent: *\nDisallow: /private\nDisallow: /private/archive\nDisallow: /private/press\n",
	Good:  "User-agent: *\nDisallow: /private\n",
}}

var rxDeadRulesUndecided = check{Entry: &Entry{
	Code: "RX216", Name: "dead-rules-undecided", Severity: Info, Pedantic: true,
	Title:   "The search for redundant rules was not finished.",
	Why:     "The linter compares rules with each other in a limited number of steps. The other checks are complete. Not reported if the search was complete.",
	Bad:     "User-agent: *\nDisallow: /*a*b\nDisallow: /*b*a\nDisallow: /*a*b*a\n",
	Good:    "User-agent: *\nDisallow: /*a*b\n",
	Example: Config{Steps: 150, Pedantic: true},
}}

func inspectDeadRules(d *document) {
	if !slices.ContainsFunc(d.groups, func(g group) bool { return len(g.rules) > 0 }) {
		return
	}
	removed := minimize(d, nil, d.robots)
	if len(removed) > 0 {
		cut := d.cutGroups()
		removed = slices.DeleteFunc(removed, func(r semdiff.Removal) bool {
			group := d.line(r.Line).group
			return cut[group] && (r.By == 0 || d.line(r.By).group != group)
		})
	}
	slices.SortFunc(removed, func(a, b semdiff.Removal) int { return cmp.Compare(a.Line, b.Line) })
	var opposed []removable                     // the other rule says the opposite
	pairs := make([]removable, 0, len(removed)) // it says the same
	lines := make([]int, 0, len(removed))       // of the rules that can be reported
	for _, removal := range removed {
		r := d.ruleOf(d.line(removal.Line))
		var by *robotstxt.Rule
		if removal.By > 0 {
			by = d.ruleOf(d.line(removal.By))
		}
		switch {
		case r.Pattern == "": // see inspectEmptyRules
		case !d.matchesAny(r): // other findings are about it
			continue
		case !d.obeyed(d.line(removal.Line).group): // not reported, but of equal rules the one in the first group stays
		case removal.Idle || r.Allow && by != nil &&
			(by.Length == 0 || by.Allow && d.matchesAll(by.Pattern)): // it allows paths that are allowed without it
			continue
		case by != nil && by.Allow != r.Allow:
			opposed = append(opposed, removable{r, by})
		case d.config.Pedantic || !d.respelt(r, by) && !sameStem(r, by):
			pairs = append(pairs, removable{r, by})
			continue
		}
		lines = append(lines, removal.Line)
	}
	if d.lowKey(rxDeadRule) {
		pairs = d.worthALook(pairs)
	}
	for _, p := range pairs {
		lines = append(lines, p.r.Line)
	}
	slices.Sort(lines)
	needless := sync.OnceValue(func() map[int]bool { return d.needless(lines) })
	inspectEmptyRules(d, needless)
	for _, p := range opposed {
		d.findDeadRule(p.r, p.by, needless()[p.r.Line])
	}
	inspectRedundant(d, pairs, needless)
}

type removable struct{ r, by *robotstxt.Rule }

// worthALook returns the rules that might be reported, however many of them crawlers with another dialect need.
func (d *document) worthALook(pairs []removable) []removable {
	ofClosed := func(p removable) bool {
		g := &d.groups[d.line(p.r.Line).group]
		return g.closed && g.opens == 0 || p.by != nil && !p.by.Allow && d.matchesAll(p.by.Pattern)
	}
	if open := slices.DeleteFunc(slices.Clone(pairs), ofClosed); len(pairs)-len(open) >= minParked {
		pairs = open
	}
	if !d.isWorthALook(len(pairs), len(pairs)) {
		return nil
	}
	return pairs
}

// inspectRedundant looks for rules that other ones of the same kind make redundant, with one finding for a reason.
func inspectRedundant(d *document, pairs []removable, needless func() map[int]bool) {
	redundant := map[redundancy][]int{}
	var reasons []redundancy
	count := 0
	for _, p := range pairs {
		why := redundancy{d.line(p.r.Line).group, p.by, needless()[p.r.Line]}
		if !why.needless && !d.config.Pedantic {
			continue // crawlers with another dialect need it
		}
		if redundant[why] == nil {
			reasons = append(reasons, why)
		}
		redundant[why] = append(redundant[why], p.r.Line)
		count++
	}
	slices.SortStableFunc(reasons, func(a, b redundancy) int { return len(redundant[b]) - len(redundant[a]) })
	if count == 0 || d.lowKey(rxDeadRule) && !d.isWorthALook(count, len(redundant[reasons[0]])) {
		return
	}
	for _, why := range reasons {
		d.findRedundant(why, redundant[why])
	}
}

// isWorthALook reports whether a file would be much shorter without its redundant rules, of which some have the same
// reason.
func (d *document) isWorthALook(redundant, alike int) bool {
	rules := d.ruleCount()
	return redundant >= minRedundant && (halfShare*redundant >= rules ||
		thirdShare*redundant >= rules && thirdShare*alike >= redundant || alike >= minAlike)
}

// cutGroups returns the groups with a name that Google's parser reads as one of another group, because it stops in both
// before they differ, as in "Sogou web spider" and "Sogou inst spider". The crawlers tell them apart.
func (d *document) cutGroups() map[int32]bool {
	cut := map[int32]bool{}
	for lines := range d.byToken() {
		for i := range lines[1:] {
			a, b := d.line(lines[i].line), d.line(lines[i+1].line)
			if !ascii.EqualFold(a.value(), b.value()) {
				cut[a.group], cut[b.group] = true, true
			}
		}
	}
	return cut
}

func (d *document) matchesAny(r *robotstxt.Rule) bool { return !d.pattern(r.Pattern).MatchesNone() }

// obeyed reports whether a crawler follows a group. If groups are not merged, only the first group that
// names a crawler applies to it.
func (d *document) obeyed(group int32) bool {
	if !d.audience.firstGroup {
		return true
	}
	first := d.groups[group].agents[0].Line
	return slices.ContainsFunc(d.groups[group].agents, func(a robotstxt.Agent) bool {
		for g := range d.robots.Rules(a.Token).Groups() {
			for agent := range g.Agents() {
				return agent.Line == first
			}
		}
		return false
	})
}

// respelt reports whether two rules differ only in how their path is written, such as %2b
// and %2B. Simple crawlers compare bytes, so authors write both.
func (d *document) respelt(r, by *robotstxt.Rule) bool {
	return by != nil && by.Pattern == r.Pattern && !bytes.Equal(d.line(r.Line).value(), d.line(by.Line).value())
}

// pathEnds are signs at the end of a path that change little of what it matches.
const pathEnds = "/*?$"

// sameStem reports whether two rules differ only in their ends, such as /search and /search/*. Authors write
// both to be safe, and templates too.
func sameStem(r, by *robotstxt.Rule) bool {
	return by != nil && by.Pattern != r.Pattern &&
		strings.TrimRight(by.Pattern, pathEnds) == strings.TrimRight(r.Pattern, pathEnds)
}

func (d *document) ruleCount() (n int) {
	for i := range d.groups {
		n += len(d.groups[i].rules)
	}
	return n
}

// minimize returns the removable rules in some lines; nil means all lines.
func minimize(d *document, lines []int, readings ...*robotstxt.Robots) []semdiff.Removal {
	endsAtBlanks := func(r *robotstxt.Robots) bool { return r.Dialect().Traits().Records }
	if hasBareCR(d.body) && slices.ContainsFunc(readings, endsAtBlanks) {
		return nil // a bare CR would join the LF of a removed line and hide an empty one
	}
	config := semdiff.Config{Steps: max(1, d.config.Steps-d.steps), Lines: lines}
	minimal, err := semdiff.Minimize(context.Background(), config, readings...)
	if err != nil {
		return nil // the context has no end
	}
	d.steps += minimal.Steps
	if lines == nil && len(minimal.Undecided) > 0 {
		d.findFile(rxDeadRulesUndecided, "%d of %d rules were not compared with all others, because the bound of %d steps was reached.", len(minimal.Undecided), d.ruleCount(), d.config.Steps)
	}
	return minimal.Removed
}

// needless returns the lines of those rules that can be removed in all dialects. Any selection of them
// can be removed in the dialect of the profile.
func (d *document) needless(lines []int) map[int]bool {
	if len(lines) == 0 {
		return nil
	}
	var readings []*robotstxt.Robots
	for _, dialect := range robotstxt.Dialects() {
		if dialect != d.audience.dialect {
			readings = append(readings, dialect.Parse(d.body))
		}
	}
	needless := make(map[int]bool, len(lines))
	for _, removal := range minimize(d, lines, readings...) {
		needless[removal.Line] = true
	}
	return needless
}

func (d *document) findDeadRule(r, by *robotstxt.Rule, needless bool) {
	f := d.findLine(rxDeadRule, d.line(r.Line), "This line has no effect: line %d, %s %s, matches the same URLs%s.", by.Line, directive(by), quote(by.Pattern), d.reason(r, by))
	f.Related = []Related{relatedRule(by)}
	if needless && !r.Allow { // who wrote an exception wants it
		f.Fix = d.removalFix(r.Line)
	}
}

// removalFix is the fix that removes lines which decide nothing, nil if none can be removed.
func (d *document) removalFix(numbers ...int) *Fix {
	edits := make([]Edit, 0, len(numbers))
	for _, number := range numbers {
		if edit, ok := d.removal(d.line(number)); ok {
			edits = append(edits, edit)
		}
	}
	if len(edits) == 0 {
		return nil
	}
	return &Fix{Title: choose(len(edits) == 1, "remove the line", "remove these lines"), Edits: edits}
}

// reason returns a clause that explains why a rule of the other kind, which matches all that r matches, decides.
func (d *document) reason(r, by *robotstxt.Rule) string {
	switch {
	case d.audience.dialect.Traits().FirstMatch:
		return " and wins, because it comes first"
	case by.Length == r.Length:
		return " and wins, because Allow wins if both are equally long"
	default:
		return " and wins, because it is longer"
	}
}

func directive(r *robotstxt.Rule) string { return choose(r.Allow, "Allow", "Disallow") }

func relatedRule(r *robotstxt.Rule) Related {
	return Related{r.Line, directive(r) + " " + quote(r.Pattern).String()}
}

func hasBareCR(body []byte) bool {
	return bytes.Count(body, []byte("\r")) != bytes.Count(body, []byte("\r\n"))
}

// redundancy is why rules are redundant: because of another rule for the same group, or of several
// together. One finding is about all rules with a reason.
type redundancy struct {
	group    int32
	by       *robotstxt.Rule // nil: several
	needless bool            // they can be removed in all dialects
}

func (d *document) findRedundant(why redundancy, numbers []int) {
	l, by := d.line(numbers[0]), why.by
	more := ""
	if n := len(numbers) - 1; n > 0 {
		more = " and " + number(n, "other path") + " below"
	}
	c := rxDeadRule.at(Info)
	var f *Finding
	switch {
	case by == nil:
		f = d.findLine(c, l, "Redundant: other lines together already cover this path%s.", more)
	case more == "" && by.Pattern == d.ruleOf(l).Pattern:
		f = d.findLine(c, l, "Redundant: line %d is the same rule.", by.Line)
	default:
		f = d.findLine(c, l, "Redundant: line %d already covers this path%s.", by.Line, more)
	}
	if by != nil {
		f.Related = append(f.Related, relatedRule(by))
	}
	f.Related = slices.Grow(f.Related, len(numbers))
	for _, number := range numbers[1:] {
		f.Related = append(f.Related, Related{number, "redundant too"})
	}
	if why.needless {
		f.Fix = d.removalFix(numbers...)
	}
}

var rxEmptyRule = check{Entry: &Entry{
	Code: "RX210", Name: "empty-rule", Severity: Info, Once: Info,
	Title: "An empty Disallow or Allow has no effect next to other rules.",
	Why:   "A rule without a path matches nothing (RFC 9309 2.2.2, G51), and an empty Disallow does not cancel other rules. But a crawler that follows the first rule that matches, such as one with Python's parser, ignores the rules below it. If no crawler of the group does that, it is reported with --pedantic.",
	Bad:   "User-agent: *\nDisallow:\nDisallow: /private/\n",
	Good:  "User-agent: *\nDisallow: /private/\n",
}}

// isNotGoogle reports whether a crawler might follow the first match, as the ones of Google do not.
func isNotGoogle(a robotstxt.Agent) bool {
	c, _ := findCrawler(a.Token)
	return c.Operator != "Google"
}

func inspectEmptyRules(d *document, needless func() map[int]bool) {
	for i := range d.groups {
		g := &d.groups[i]
		withPath := func(r robotstxt.Rule) bool { return r.Pattern != "" }
		isEmpty := func(r robotstxt.Rule) bool { return r.Pattern == "" }
		first := slices.IndexFunc(g.rules, withPath)
		last := len(g.rules) - 1
		if first < 0 || !slices.ContainsFunc(g.rules, isEmpty) {
			continue
		}
		for last >= 0 && (g.rules[last].Allow || !withPath(g.rules[last])) {
			last--
		}
		harmless := g.rules[first].Allow && d.matchesAll(g.rules[first].Pattern) ||
			!slices.ContainsFunc(g.agents, isNotGoogle)
		for k := range g.rules {
			r := &g.rules[k]
			if withPath(*r) {
				continue
			}
			effect := "has no effect next to other rules, but crawlers that follow the first match, such as those with Python's parser, ignore the rules below it."
			rare := harmless || k > last
			if rare {
				effect = "has no effect, because the group has other rules."
			}
			c := rxEmptyRule.rareIf(rare || g.restriction == 0)
			if !d.wants(c) {
				continue
			}
			f := d.findLine(c, d.line(r.Line), "This empty %s %s", directive(r), effect)
			if needless()[r.Line] {
				f.Fix = d.removalFix(r.Line)
			}
		}
	}
}
