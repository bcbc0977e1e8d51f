package lint

import (
	"strings"

	"github.com/kosterhq/robotstxt/internal/pattern"
)

var starEntries = []Entry{
	{
		Code:     "RX201",
		Name:     "redundant-star",
		Severity: Info,
		Title:    "A star at the end of a pattern matches nothing more.",
		Why:      "A pattern matches all that begins with it (G42; RFC 9309 2.2.2), so the star only adds to the length by which rules are weighed (G49). Readers without wildcards take it for a letter.",
		Bad:      "User-agent: *\nDisallow: /fish*\n",
		Good:     "User-agent: *\nDisallow: /fish\n",
	},
}

// inspectStars looks for patterns that end in a star. Taking it out makes the
// rule weigh less. That is safe unless a rule of the other kind with which it
// shares a path comes to weigh more, with its own redundant stars or without:
// then it is safe beside any other fix of this kind.
func inspectStars(d *document, s *ruleSets) {
	if !d.wants("RX201") {
		return
	}
	longest := 0 // that a pattern is longer than it need be
	for i := range s.rules {
		longest = max(longest, s.rules[i].Length-s.rules[i].short)
	}
	for i := range s.rules {
		r := &s.rules[i]
		if r.claims[0] < 0 || r.removed {
			continue
		}
		if _, ok := s.claims[r.claims[0]].WithoutRedundantEnd(); ok {
			d.findStar(s, r, s.mayShorten(r, longest))
		}
	}
}

// findStar reports a redundant end. The whole-site pattern is told apart, because a
// slash is what readers without wildcards need there.
func (d *document) findStar(s *ruleSets, r *claimant, safe bool) {
	l := d.line(r.Line)
	if l.nulCut {
		return // with the NUL gone the star is not the last byte any more
	}
	if s.claims[r.claims[0]].MatchesEvery() && l.value()[0] == '*' {
		f := d.findValue("RX201", l, "%s matches every URL, as \"/\" does, which readers without wildcards understand too%s", quote(l.value()), weighs(safe))
		f.Fix = &Fix{Title: "write a slash", Edits: l.replaceValue("/"), Meaning: !safe}
		return
	}
	// What ends the pattern ends the value: no dialect encodes stars.
	left := len(l.value()) - (r.Length - r.short)
	if strings.IndexByte("$ \t\n\v\f\r", l.value()[left-1]) >= 0 {
		return // it would come to be the last byte: special, or trimmed
	}
	start, end := l.valueAt()+left, l.valueAt()+len(l.value())
	f := d.find("RX201", l, start, end, "%s matches what %s would match%s", quote(l.value()), quote(l.value()[:left]), weighs(safe))
	if l.tooLong {
		return // what is not read yet would move up
	}
	f.Fix = &Fix{Title: "take out the star at the end", Edits: []Edit{{start, end, ""}}, Meaning: !safe}
}

func weighs(safe bool) string {
	if safe {
		return ""
	}
	return ", but a shorter pattern may lose to another rule"
}

// mayShorten reports whether a rule decides the same without its redundant end.
// Other rules are shortened by longest at most.
func (s *ruleSets) mayShorten(r *claimant, longest int) bool {
	if r.Length == r.short {
		return true
	}
	outweighs := func(length, other int) bool { return length > other || length == other && r.Allow }
	turns := func(other int) bool { return outweighs(r.Length, other) != outweighs(r.short, other) }
	accept := func(c *claim) bool {
		length := c.weight.Priority()
		if turns(length) {
			return true
		}
		return s.ownPattern(c) && turns(s.rules[c.rule].short)
	}
	low, high := pattern.Lightest(r.short), pattern.Lightest(r.Length+longest+1)
	for _, i := range s.ofGroup[r.group] {
		if found, ok := s.clash(&s.sets[i], r.claims[0], low, high, accept); found >= 0 || !ok {
			return false
		}
	}
	return !s.skipped[r.group]
}
