package semdiff

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/pattern"
)

// Paths are paths that a change opens or closes, or exceptions from that, as a pattern.
type Paths struct {
	Pattern string // in the dialect's encoding
	Part    bool   // it is, or might be, about some paths of the pattern only

	// Without contains, if Part is set, patterns of the new file: after the change, every path that
	// Pattern and none of them matches has the verdict of paths without Part. It is nil if there are
	// more than three, or if they are not known.
	Without []string

	// But contains the rules that make exceptions, if Pattern matches every path and most of the site
	// is not open, or closed, by one rule before and after. After the change, every path that matches
	// none of them is allowed if it opens, and disallowed if it closes.
	But []Paths
}

// Paths returns the paths that open, or those that close, each pattern once, in the order of
// Changes. The pattern is the longer one of the two deciding lines. If the other line does not match all of
// its paths, it is the pattern of the paths that both match, if one pattern can tell them. After the
// change, every path of a pattern without Part is allowed if it opens, and disallowed if it closes.
func (row *Row) Paths(opens bool) []Paths { return row.paths[goalOf(1, opens)] }

// affected is which paths a pair of claims changes.
type affected struct {
	opens  bool
	side   int    // of the claim with the longer pattern
	within bool   // the other pattern matches all of its paths
	common string // otherwise: the pattern of the paths that both match, "" if none is known
	part   bool   // the new file has stronger claims that might give some paths the other verdict
}

func (s *solver) affected(sides [2]claims, i, j int) (a affected) {
	own, other := sides[1].at(j, s), sides[0].at(i, s)
	a.opens = own.allow
	a.side = 1
	if p := s.patterns; own.line == 0 || p.pattern(other.pattern).Priority() > p.pattern(own.pattern).Priority() {
		own, other = other, own
		a.side = 0
	}
	paths := s.patterns.pattern(own.pattern)
	a.within = s.patterns.contains(other.pattern, own.pattern)
	switch isOneSpace := s.space(0) == s.space(1); {
	case !isOneSpace && a.side == 0:
		a.part = true
		return a
	case !a.within && isOneSpace:
		both, ok := commonOf(paths, s.patterns.pattern(other.pattern))
		if ok {
			a.common = both.String()
			paths = both
		}
	}
	for _, claim := range sides[1].list[:j] {
		if !s.budget.spend(s.patterns.cost(claim.pattern, own.pattern), 0) {
			a.part = true
			return a
		}
		// A pattern with %2F has several claims, each for a part of its paths.
		if claim.allow != a.opens && claim.line != 0 && paths.Intersects(s.patterns.pattern(claim.pattern)) {
			a.part = true
			return a
		}
	}
	a.part = paths.Wild && paths.Slashes && strings.Contains(paths.Text, pattern.CodedSlash)
	return a
}

// commonOf returns the pattern of the paths that both patterns match: "/blog*?" for "/blog" and "/*?". It is
// not ok if no pattern is known to match them all and no others.
func commonOf(a, b pattern.Pattern) (both pattern.Pattern, ok bool) {
	if a.Wild {
		a, b = b, a
	}
	head := b.Head()
	if a.Wild || a.Anchored || !b.Wild || !strings.HasPrefix(a.Text, head) || strings.Contains(a.Text, "?") {
		return both, false
	}
	after := b.Text[len(head)+1:]
	piece, _, _ := strings.Cut(after, "*")
	own := a.Text[len(head):]
	if strings.Contains(own, piece) { // it can match within the beginning
		return both, false
	}
	for n := 1; n < min(len(piece), len(own)+1); n++ {
		if strings.HasSuffix(own, piece[:n]) {
			return both, false
		}
	}
	b.Text = a.Text + "*" + after
	return b, true
}

// name sets the paths of a row from its pairs, and from its changes, of which pairs might have none.
func (row *Row) name(pairs []pair, sides [2]claims, rules [2]robotstxt.Rules) {
	if len(pairs)+len(row.Changes) == 0 {
		return
	}
	texts := [2]map[int]string{patternsOf(rules[0]), patternsOf(rules[1])}
	claimOf := func(p *pair, side int) (c claim) {
		if at := p.claims[side]; at < len(sides[side].list) {
			c = sides[side].list[at]
		}
		return c
	}
	own := func(p *pair) string {
		c := claimOf(p, p.side)
		text := texts[p.side][c.line]
		if text == "" { // an empty Disallow, which matches every path
			return texts[1-p.side][claimOf(p, 1-p.side).line]
		}
		if folder, ok := pattern.New(text, rules[p.side].Dialect().Traits().Wildcards).Folder(); c.folder && ok {
			text = folder.String()
		}
		return text
	}
	sorted := slices.SortedStableFunc(slices.Values(pairs), func(a, b pair) int {
		return cmp.Or(cmp.Compare(claimOf(&a, 0).line, claimOf(&b, 0).line),
			cmp.Compare(claimOf(&a, 1).line, claimOf(&b, 1).line))
	})
	within := [2]map[string]bool{make(map[string]bool), make(map[string]bool)}
	for i := range sorted {
		if p := &sorted[i]; p.within {
			within[goalOf(1, p.opens)][own(p)] = true
		}
	}
	for i := range sorted {
		p := &sorted[i]
		text, to := own(p), goalOf(1, p.opens)
		switch {
		case p.within:
			row.addPaths(to, text, p.part)
			row.except(to, text, rules[1], claimOf(p, 1))
		case within[to][text]: // another pair is about all of its paths
		case p.common != "":
			row.addPaths(to, p.common, p.part)
		default:
			row.addPaths(to, text, true)
		}
	}
	for _, c := range row.Changes {
		if to := goalOf(1, c.Opens); len(row.paths[to]) == 0 {
			texts := []string{texts[1][c.NewLine], texts[0][c.OldLine]}
			row.addPaths(to, slices.MaxFunc(texts, func(a, b string) int { return len(a) - len(b) }), true)
		}
	}
}

func (row *Row) addPaths(goal int, text string, part bool) {
	list := row.paths[goal]
	at := slices.IndexFunc(list, func(p Paths) bool { return p.Pattern == text })
	switch {
	case text == "":
	case at < 0:
		row.paths[goal] = append(list, Paths{Pattern: text, Part: part})
	default:
		list[at].Part = list[at].Part && part
	}
}

// except sets Without of the paths that were added last, if they have a pattern of which a claim of the new file
// matches all paths.
func (row *Row) except(goal int, text string, rules robotstxt.Rules, c claim) {
	at := len(row.paths[goal]) - 1
	if p := row.paths[goal]; 0 <= at && at < maxNamed && p[at].Pattern == text && p[at].Part && !c.folder {
		p[at].Without = stronger(rules, text, goal == goalOf(1, true), c.line)
	}
}

// maxNamed is the number of patterns with Without, and of the patterns in it: as many as a sentence names.
const maxNamed = 3

// stronger returns the patterns of the rules that are stronger than the rule of a line, have the verdict
// other than allowed, and match some of the paths of a pattern. Without a line, all rules are stronger. It
// returns nil if there are more than a sentence names.
func stronger(rules robotstxt.Rules, text string, allowed bool, line int) (patterns []string) {
	wildcards := rules.Dialect().Traits().Wildcards
	own := pattern.New(text, wildcards)
	if own.Wild && strings.Contains(own.Text, pattern.CodedSlash) {
		return nil
	}
	for rule := range rules.All() {
		switch {
		case rule.Line == line:
			return patterns
		case rule.Allow == allowed || rule.Line == 0 || slices.Contains(patterns, rule.Pattern):
		case pattern.New(rule.Pattern, wildcards).Intersects(own):
			if len(patterns) == maxNamed {
				return nil
			}
			patterns = append(patterns, rule.Pattern)
		}
	}
	return patterns
}

func patternsOf(rules robotstxt.Rules) map[int]string {
	patterns := make(map[int]string)
	for group := range rules.Groups() {
		for rule := range group.Rules() {
			patterns[rule.Line] = rule.Pattern
		}
	}
	return patterns
}
